//! What stands on pages beside what was found: navigation, headings, questions, the steps of a coup.

use crate::texts;

texts! {
    own_name() "English" "Español";
    skip_to_content() "Skip to the content" "Saltar al contenido";
    main_navigation() "Main pages" "Páginas principales";
    where_you_are() "Where you are" "Dónde está";
    sign_in() "Sign in" "Entrar";
    sign_out() "Sign out" "Salir";
    your_token() "Your token" "Su testigo de acceso";
    sign_in_note()
        "The operator gives you a token of the role read. This page keeps it for as long as you are signed in, in this browser only."
        "El operador le da un testigo de acceso con el papel read. Esta página lo conserva mientras esté dentro, solo en este navegador.";
    sign_in_refused()
        "This token is not valid here: it may be mistyped, expired or revoked, or not be of the role read."
        "Este testigo de acceso no vale aquí: puede estar mal escrito, caducado o revocado, o no tener el papel read.";
    new_findings() "New findings" "Hallazgos nuevos";
    desk_footer()
        "This page shows what the log's own judge derives from it. What counts is what audit verify log says on your own machine."
        "Esta página muestra lo que el juez del registro deriva de él. Lo que cuenta es lo que diga audit verify log en su propio equipo.";
    desk_overview() "Overview" "Resumen";
    desk_findings() "Findings" "Hallazgos";
    desk_rulebooks() "Rulebooks" "Reglamentos";
    desk_log() "The log" "El registro";
    desk_tables() "Tables" "Mesas";
    desk_shoes() "Shoes" "Sabots";
    desk_coups() "Coups" "Jugadas";
    desk_bets() "Bets" "Apuestas";
    desk_events() "Events" "Sucesos";
    desk_entries() "Entries" "Entradas";
    desk_witnesses() "Witnesses" "Testigos";
    desk_to_judge() "not judged yet" "por juzgar";
    page_of_table(table) "Table {table}" "Mesa {table}";
    page_of_shoe(shoe) "Shoe {shoe}" "Sabot {shoe}";
    page_of_coup(coup) "Coup {coup}" "Jugada {coup}";
    without_shoe() "Without a shoe" "Sin sabot";
    four_verdicts() "The four verdicts" "Los cuatro veredictos";
    asks_intact() "Is every byte what was sealed?" "¿Es cada byte el que se selló?";
    asks_anchored() "Does it continue what others kept?" "¿Continúa lo que otros guardaron?";
    asks_complete() "Is nothing missing?" "¿No falta nada?";
    asks_certified() "Was every coup played and paid by the rules?" "¿Se jugó y pagó cada jugada según las reglas?";
    in_numbers() "In numbers" "En cifras";
    findings_by_kind() "Findings by kind" "Hallazgos por clase";
    how_many() "how many" "cuántos";
    table_clean() "clean" "sin tacha";
    table_without_findings() "no findings" "sin hallazgos";
    table_open() "open questions" "cuestiones abiertas";
    table_with_findings() "findings" "hallazgos";
    table_clock() "table's clock" "hora de la mesa";
    no_tables() "No table has recorded anything yet." "Ninguna mesa ha registrado nada todavía.";
    more_tables() "More tables" "Más mesas";
    certification_stopped(why) "Nothing more is judged for now: {why}" "Por ahora no se juzga nada más: {why}";
    every_kind() "every kind" "todas las clases";
    show_these() "Show" "Mostrar";
    nothing_found_here() "Nothing was found here." "Aquí no se ha hallado nada.";
    page_before() "Earlier" "Anteriores";
    page_after() "Later" "Siguientes";
    expected_heading() "expected" "se esperaba";
    recorded_heading() "recorded" "se registró";
    what_follows() "What follows from this" "Lo que se sigue de esto";
    newest_shoes_only() "Only the newest shoes are listed." "Solo se enumeran los sabots más recientes.";
    no_shoes() "No shoe was loaded." "No se cargó ningún sabot.";
    shares() "shares of the coups" "proporción de las jugadas";
    all_findings_of_table() "All findings of this table" "Todos los hallazgos de esta mesa";
    seal_not_shown_here()
        "The seal of this log is not shown to hold, so nothing on this page is certified."
        "No se ha demostrado que el sello de este registro aguante, así que nada de esta página está certificado.";
    coups_in_time() "The coups in their order" "Las jugadas en su orden";
    scoreboards() "Scoreboards" "Marcadores";
    big_road_name() "big road" "camino grande";
    big_eye_boy_name() "big eye boy" "big eye boy";
    commission_boxes() "Commission boxes" "Casillas de comisión";
    cards_in_order() "The cards in their order" "Las cartas en su orden";
    cards_in_order_note()
        "Each card with its position in the shoe and its coup. Positions without a card were burned, or no coup shows them."
        "Cada carta con su posición en el sabot y su jugada. Las posiciones sin carta se quemaron, o ninguna jugada las muestra.";
    card_not_read() "a card that was not read" "carta sin leer";
    card_name(rank, suit) "{rank} of {suit}" "{rank} de {suit}";
    card_of_unknown_suit(rank) "{rank} of a suit that was not read" "{rank} de palo sin leer";
    spades() "spades" "picas";
    hearts() "hearts" "corazones";
    diamonds() "diamonds" "diamantes";
    clubs() "clubs" "tréboles";
    card_by_card() "Card by card" "Carta a carta";
    coup_before() "Coup before" "Jugada anterior";
    coup_after() "Next coup" "Jugada siguiente";
    step_first() "Start" "Inicio";
    step_back() "Back" "Atrás";
    step_forward() "Forward" "Adelante";
    step_last() "End" "Final";
    step_keys() "or the keys ← and →" "o las teclas ← y →";
    bets[bets]() "{bets} bet" "{bets} apuesta" / "{bets} bets" "{bets} apuestas";
    bets_are_placed(bets, sum) "The bets are placed: {bets}, {sum} in all." "Se hacen las apuestas: {bets}, {sum} en total.";
    card_falls(hand, card) "A card for {hand}: {card}." "Carta para {hand}: {card}.";
    card_removed(card) "A card leaves the game: {card}." "Una carta sale del juego: {card}.";
    hand_has(total) "It has {total}." "Tiene {total}.";
    total_not_known() "Its total is not known." "No se conocen sus puntos.";
    coup_result(result) "Result: {result}." "Resultado: {result}.";
    bets_settled_as_due() "Every bet was settled as due." "Cada apuesta se liquidó como correspondía.";
    bets_settled_otherwise[bets]()
        "{bets} bet was settled otherwise than due." "{bets} apuesta se liquidó de otro modo que el debido."
        / "{bets} bets were settled otherwise than due." "{bets} apuestas se liquidaron de otro modo que el debido.";
    the_bank() "The bank" "La banca";
    where_in_the_log() "Where it is in the log" "Dónde está en el registro";
    range_of(first, last) "{first} to {last}" "{first} a {last}";
    no_rulebooks() "No table was opened under a rulebook." "Ninguna mesa se abrió con un reglamento.";
    built_in_rulebook() "the text that this program carries" "el texto que este programa incluye";
    other_rulebook()
        "not a text that this program carries: compare its digest with the one that was approved"
        "no es un texto que este programa incluya: compare su resumen con el aprobado";
    what_was_sealed() "What was sealed" "Lo que se selló";
    name_origin() "log" "registro";
    name_size() "entries" "entradas";
    name_root() "root" "raíz";
    name_key() "key" "clave";
    newest_checkpoint() "The newest checkpoint" "El último punto de control";
    keep_this_elsewhere()
        "Keep this text where the operator cannot change it. Next time it shows whether the log was changed, cut or forked."
        "Guarde este texto donde el operador no pueda cambiarlo. La próxima vez mostrará si el registro se cambió, se cortó o se bifurcó.";
    what_the_log_says_of_itself() "What the log says of itself" "Lo que el registro dice de sí mismo";
    what_is_attested() "Attested only, and not read" "Lo que solo consta por firmas, y lo no leído";
    the_certificate() "The certificate" "El certificado";
    check_it_yourself() "Check it yourself" "Compruébelo usted";
    check_it_how()
        "With the log (a folder, an archive or its address), the key that the operator published and the checkpoint that you kept:"
        "Con el registro (una carpeta, un archivo o su dirección), la clave que publicó el operador y el punto de control que usted guardó:";
    page_not_there() "There is no such page" "No existe esa página";
    not_in_the_log() "The log has nothing under this name." "El registro no tiene nada con ese nombre.";
    page_not_now() "This page cannot be shown now" "Esta página no se puede mostrar ahora";
    more_of_these(count) "and {count} more" "y {count} más";
    desk_at(url) "the pages are at {url} (Ctrl-C ends them)" "las páginas están en {url} (Ctrl-C las cierra)";
    desk_beyond_this_machine(listen)
        "--listen {listen}: the pages show everything of the log to whoever asks, so they are for this machine only (127.0.0.1, ::1); audit serve has the same pages with tokens"
        "--listen {listen}: las páginas muestran todo el registro a quien lo pida, así que son solo para este equipo (127.0.0.1, ::1); audit serve tiene las mismas páginas con testigos de acceso";
    the_copied_log() "the copy of the log" "la copia del registro";
    log_being_read()
        "The log is being read for the first time; try again in a moment."
        "El registro se está leyendo por primera vez; inténtelo de nuevo dentro de un momento.";
}
