//! Why lines of events, and rows of lists written by hand, are not taken.

use crate::texts;

texts! {
    from_line_beyond(line, lines)
        "--from-line {line}: the file has only {lines}"
        "--from-line {line}: el archivo solo tiene {lines}";
    line_too_long(most)
        "the line has more than {most} bytes; an event is one JSON object on a line of its own"
        "la línea tiene más de {most} bytes; un suceso es un objeto JSON en una línea propia";
    no_event_so_long(most)
        "the line has more than {most} bytes; no event is so long"
        "la línea tiene más de {most} bytes; ningún suceso es tan largo";
    byte_order_mark()
        "the file begins with a byte order mark; save it as UTF-8 without one"
        "el archivo empieza con una marca de orden de bytes; guárdelo como UTF-8 sin ella";
    line_not_utf8()
        "the line is not UTF-8; JSON is UTF-8"
        "la línea no es UTF-8; JSON es UTF-8";
    sealed_so_far(error)
        "{error}\n  what was acknowledged is sealed; correct this problem and run the same command again: it skips what the log already holds"
        "{error}\n  lo acusado está sellado; corrija este problema y ejecute de nuevo la misma orden: omite lo que el registro ya contiene";

    coups_without_bank(rulebook)
        "a list of coups does not say who has the bank, but {rulebook} is a rulebook of chemin de fer; name a rulebook of punto y banca"
        "una lista de jugadas no dice quién tiene la banca, pero {rulebook} es un reglamento de chemin de fer; dé un reglamento de punto y banca";
    bad_decks(decks)
        "--decks {decks}: expected 1 to 12"
        "--decks {decks}: se esperaba de 1 a 12";
    no_such_column(column)
        "no column `{column}`; expected a header line with at least p1, p2, b1, b2"
        "falta la columna `{column}`; se esperaba una línea de cabecera con al menos p1, p2, b1, b2";
    columns_ignored(columns) "ignored columns: {columns}" "columnas sin usar: {columns}";
    every_coup_in_a_shoe()
        "there is no column shoe: every coup is recorded in a shoe of its own"
        "no hay columna shoe: cada jugada se registra en un sabot propio";
    columns_computed(columns)
        "missing columns, computed from the rest of each row: {columns}"
        "columnas que faltan, calculadas con el resto de cada fila: {columns}";
    not_a_number_to(column, text, most)
        "column {column}: `{text}` is not a number from 0 to {most}"
        "columna {column}: `{text}` no es un número de 0 a {most}";
    coups_from_one()
        "column coup: coups are numbered from 1"
        "columna coup: las jugadas se numeran desde 1";
    not_a_card(column, text)
        "column {column}: `{text}` is not a card: expected a rank A 2 3 4 5 6 7 8 9 10 (or T) J Q K, with or without a suit C D H S"
        "columna {column}: `{text}` no es una carta: se esperaba un valor A 2 3 4 5 6 7 8 9 10 (o T) J Q K, con palo C D H S o sin él";
    not_a_winner(column, text)
        "column {column}: `{text}` is not a winner: expected punto, banca or tie"
        "columna {column}: `{text}` no es un ganador: se esperaba punto, banca o tie";
    bad_shoe(file, error)
        "{file}: column shoe: {error}"
        "{file}: columna shoe: {error}";
    too_many_cards(shoe, most)
        "shoe {shoe} has more than {most} cards; give each shoe its own name in the column shoe"
        "el sabot {shoe} tiene más de {most} cartas; dé a cada sabot su nombre en la columna shoe";
    no_coup_behind(coup)
        "no coup number is left after {coup}; number the coups of a shoe from 1 in the column coup"
        "tras la jugada {coup} no se puede numerar otra; numere las jugadas de cada sabot desde 1 en la columna coup";
    row_too_long(most)
        "a row of more than {most} bytes; expected a coup a line, and an end to each quotation mark"
        "una fila de más de {most} bytes; se esperaba una jugada por línea, y comillas que se cierren";
}
