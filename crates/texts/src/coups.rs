//! Coups, shoes, tables, boxes and scoreboards.

use crate::texts;

texts! {
    coup_heading(table, shoe, coup, verdict)
        "table {table}, shoe {shoe}, coup {coup}: {verdict}"
        "mesa {table}, sabot {shoe}, jugada {coup}: {verdict}";
    coup_place(rulebook, first, last, first_entry, last_entry, settled)
        "rulebook {rulebook}; events {first} to {last} (entries {first_entry} to {last_entry}); {settled}"
        "reglamento {rulebook}; sucesos {first} a {last} (entradas {first_entry} a {last_entry}); {settled}";
    undecided_for(reason) "undecided ({reason})" "sin decidir ({reason})";
    subject_to_ruling(verdict) "{verdict}, subject to a ruling" "{verdict}, a reserva de una resolución";
    cards_label() "cards" "cartas";
    totals_label() "totals" "puntos";
    bank_label() "bank" "banca";
    none_recorded() "none recorded" "no consta ninguna";
    totals(punto, banca, winner) "punto {punto}, banca {banca}: {winner}" "punto {punto}, banca {banca}: {winner}";
    punto_wins() "punto wins" "gana el punto";
    banca_wins() "banca wins" "gana la banca";
    a_tie() "a tie" "empate";
    punto() "punto" "punto";
    banca() "banca" "banca";
    tie() "tie" "empate";
    on_punto() "on punto" "al punto";
    on_banca() "on banca" "a la banca";
    on_tie() "on tie" "al empate";
    on_kind(kind) "on {kind}" "a {kind}";
    not_known() "not known" "no se sabe";
    announced(dealt, announced) "{dealt}; announced: {announced}" "{dealt}; se anunció: {announced}";
    totals_computed(totals, values)
        "{totals} (computed from the cards, not read: {values})"
        "{totals} (se calculó a partir de las cartas, no se leyó: {values})";
    value_winner() "winner" "ganador";
    value_punto_total() "punto's total" "puntuación del punto";
    value_banca_total() "banca's total" "puntuación de la banca";
    natural_stood(side, total)
        "{side} {total}: no third card, because there is a natural"
        "{side} {total}: sin tercera carta, porque hay un natural";
    natural_drew(side, total)
        "{side} {total}: drew a third card although there is a natural"
        "{side} {total}: recibió una tercera carta aunque hay un natural";
    third_card(side, rule, total, against, did)
        "{side} {rule} on {total}{against}, {did}"
        "{side} {rule} con {total}{against}, {did}";
    against_third(value)
        " against a third card worth {value}"
        " ante una tercera carta de valor {value}";
    the_punto() "punto" "el punto";
    the_banca() "banca" "la banca";
    and_drew() "and drew" "y pidió carta";
    but_drew() "but drew" "pero pidió carta";
    and_stood() "and stood" "y se plantó";
    but_stood() "but stood" "pero se plantó";
    must_draw() "must draw" "debía pedir carta";
    must_stand() "must stand" "debía plantarse";
    may_choose() "may choose" "podía elegir";
    not_stated() "has no stated rule" "no tenía regla en el reglamento";
    withdrawn() "withdrawn" "retirada";
    with_commission(sum, commission)
        "{sum} (commission {commission})"
        "{sum} (comisión {commission})";
    differs() "differs" "difiere";
    bet() "bet" "apuesta";
    seat() "seat" "departamento";
    kind() "kind" "clase";
    stake() "stake" "importe";
    due() "due" "debido";
    as_recorded() "recorded" "registrado";
    table() "table" "mesa";
    shoe() "shoe" "sabot";
    coup() "coup" "jugada";
    winner() "winner" "gana";
    verdict_heading() "verdict" "veredicto";
    findings_heading() "findings" "hallazgos";
    rulebook_heading() "rulebook" "reglamento";
    banker() "banker" "banquero";
    staked() "staked" "apostado";
    afterwards() "afterwards" "después";
    garaje() "garaje" "garaje";
    certified_coups() "certified" "certificadas";
    judged_coups() "judged" "juzgadas";
    violated_coups() "violated" "irregulares";
    undecided_coups() "undecided" "sin decidir";
    marked() "marked" "anotada";
    collected() "collected" "cobrada";
    outstanding() "outstanding" "pendiente";
    no_boxes()
        "no commission is marked or collected; a table that collects it at once has no boxes"
        "no hay comisión anotada ni cobrada; una mesa que la cobra en el acto no tiene casillas";
    seated(seat) "seat {seat}" "departamento {seat}";
    standing(name, seat) "{name} behind seat {seat}" "{name} tras el departamento {seat}";
    banker_unknown() "banker not known" "banquero desconocido";
    bank_line(banker, before, garaje, staked)
        "{banker}: {before} in play, {garaje} set aside, {staked} staked against it"
        "{banker}: {before} en juego, {garaje} en garaje; apostado contra ella: {staked}";
    asked_the_croupier() ", having asked the croupier" ", tras preguntar al crupier";
    uncovered(sum)
        "{sum} not covered and set aside for this coup"
        "sin cubrir y fuera de juego en esta jugada: {sum}";
    won_nothing() "won and lost nothing" "ni ganó ni perdió";
    won(sum, commission) "won {sum}, commission {commission}" "ganó {sum}, comisión {commission}";
    lost(sum) "lost {sum}" "perdió {sum}";
    not_derived() "not derived" "sin derivar";
    no_account(due) "{due}; no account recorded" "{due}; no consta la cuenta";
    account_differs(recorded) "; recorded: {recorded}" "; se registró: {recorded}";
    account(due, differs, bank, garaje)
        "{due}{differs}; {bank} in the bank afterwards, {garaje} set aside"
        "{due}{differs}; {bank} en la banca después, {garaje} en garaje";

    none_there() "(none)" "(ninguno)";
    no_shoe_means()
        "shoe (none): findings and coups of the table that belong to no shoe, such as a gap in its numbering or what happened between two shoes"
        "sabot (ninguno): hallazgos y jugadas de la mesa que no son de ningún sabot, como un salto en su numeración o lo ocurrido entre dos sabots";
    no_rulebook_means()
        "rulebook (none): there is no coup here that was judged by a rulebook"
        "reglamento (ninguno): aquí no hay ninguna jugada que se juzgara según un reglamento";
    scoreboard_heading(table, shoe, coups)
        "table {table}, shoe {shoe}: {coups}"
        "mesa {table}, sabot {shoe}: {coups}";
    left_out_of_board(coups)
        "left out because void or not read: coup {coups}"
        "omitidas por nulas o no leídas: jugada {coups}";
    board_legend()
        "P punto, B banca, T tie; p and b: a pair in that hand"
        "P punto, B banca, T empate; p y b: una pareja en esa mano";
    bead_plate() "bead plate" "marcador simple (bead plate)";
    big_road() "big road (a number: ties after that coup)" "camino grande (un número: empates tras esa jugada)";
    ties_before(ties) "{ties} before the first" "{ties} antes de la primera";
    big_eye_boy()
        "big eye boy (+ regular, red; - irregular, blue)"
        "big eye boy (+ regular, rojo; - irregular, azul)";
    small_road() "small road" "camino pequeño";
    cockroach_road() "cockroach road" "camino cucaracha";
    board_empty() "(empty)" "(vacío)";

    seal_heading(what, why, log)
        "{what}: {why}\n  nothing shown here is certified; run audit verify log {log} for details\n\n"
        "{what}: {why}\n  nada de lo que se muestra aquí está certificado; ejecute audit verify log {log} para ver el detalle\n\n";
    the_first_fault(fault) ", the first: {fault}" ", el primero: {fault}";
    no_coup_there(coup, shoe, table)
        "no coup {coup}{shoe} at table {table}"
        "ninguna jugada {coup}{shoe} en la mesa {table}";
    of_that_shoe(shoe) " of shoe {shoe}" " del sabot {shoe}";
    no_coups_there(table, shoe) "no coups at table {table}{shoe}" "ninguna jugada en la mesa {table}{shoe}";
    has_no_coups(log, table) "{log} has no coups{table}" "{log} no tiene jugadas{table}";
    at_that_table(table) " at table {table}" " en la mesa {table}";
    no_table(table) "no table {table}" "ninguna mesa {table}";
    no_coups_of_shoe(shoe) "no coups of shoe {shoe}" "ninguna jugada del sabot {shoe}";
    several_shoes(coup, shoes)
        "several shoes have a coup {coup}; add --shoe, one of: {shoes}"
        "varios sabots tienen una jugada {coup}; añada --shoe con uno de estos: {shoes}";
    several_coups(coup, events)
        "several coups have the number {coup}; add --event with the first event of one, in its shoe: {events}"
        "varias jugadas tienen el número {coup}; añada --event con el primer suceso de una, en su sabot: {events}";
    only_first_boxes(most)
        "only the first {most} boxes of each table are shown; name one shoe to see the others"
        "solo se muestran las primeras {most} casillas de cada mesa; nombre un sabot para ver las demás";
    only_first_coups(most)
        "only the first {most} coups of each table are shown; name one shoe to see the others"
        "solo se muestran las primeras {most} jugadas de cada mesa; nombre un sabot para ver las demás";
    payload_withheld_of(entries) "the payload of {entries} is withheld" "se retiene el contenido de {entries}";
    payload_erased_of(entries, notices)
        "the payload of {entries} is erased, as recorded in {notices}"
        "se ha borrado el contenido de {entries}, según {notices}";
    the_entry(indexes) "entry {indexes}" "la entrada {indexes}";
    the_entries(indexes) "entries {indexes}" "las entradas {indexes}";
    and_more() " and more" " y otras";
    shows(log, what) "{log} shows {what}" "{log} muestra: {what}";
    may_have_been(log, what, withheld)
        "{log} shows {what}, but {withheld}: it may have been in there"
        "{log} muestra: {what}, pero {withheld}: puede que estuviera ahí";
    has_not(log, what)
        "{log} has {what}; audit show table lists what it has"
        "{log} contiene: {what}; audit show table enumera lo que tiene";
}
