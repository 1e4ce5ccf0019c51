//! What a report of a log says besides what its pages say too.

use crate::texts;

texts! {
    report_title() "Report of an inspection" "Informe de una inspección";
    report_nothing_needed()
        "This file needs no network and no other file. It was made from the log with audit report; anyone can check it with the command at the end."
        "Este archivo no necesita red ni ningún otro archivo. Elaborado con audit report a partir del registro; cualquiera puede comprobarlo con la orden que figura al final.";
    report_contents() "Contents" "Índice";
    report_known() "What is proven, what is attested, what cannot be seen here" "Qué está demostrado, qué descansa en firmas y qué no se puede ver aquí";
    report_proven() "Proven" "Demostrado";
    report_proven_coups[certified](coups)
        "Of {coups}, {certified} was recomputed under its table's rulebook: cards, result and every payment agree with the record."
        "De {coups}, {certified} se volvió a calcular según el reglamento de su mesa: cartas, resultado y cada pago concuerdan con el registro."
        / "Of {coups}, {certified} were recomputed under their table's rulebook: cards, result and every payment agree with the record."
        "De {coups}, {certified} se volvieron a calcular según el reglamento de su mesa: cartas, resultado y cada pago concuerdan con el registro.";
    report_unsealed_coups[judged](coups)
        "Nothing, because the seal is not shown to hold. Of {coups} as recorded here, {judged} agrees with its rulebook."
        "Nada, porque no se ha demostrado que el sello aguante. De {coups} tal como constan aquí, {judged} concuerda con su reglamento."
        / "Nothing, because the seal is not shown to hold. Of {coups} as recorded here, {judged} agree with their rulebooks."
        "Nada, porque no se ha demostrado que el sello aguante. De {coups} tal como constan aquí, {judged} concuerdan con su reglamento.";
    report_proven_violated[coups]()
        "In {coups} coup a rule was broken: the findings below say which, where, and what money it moved."
        "En {coups} jugada se infringió una regla: los hallazgos de abajo dicen cuál, dónde y qué dinero movió."
        / "In {coups} coups a rule was broken: the findings below say which, where, and what money it moved."
        "En {coups} jugadas se infringió una regla: los hallazgos de abajo dicen cuál, dónde y qué dinero movió.";
    report_undecided[coups]()
        "{coups} coup is undecided: not wrong as far as the record shows, and not shown to be right."
        "{coups} jugada está sin decidir: no es errónea por lo que muestra el registro, ni se ha demostrado que sea correcta."
        / "{coups} coups are undecided: not wrong as far as the record shows, and not shown to be right."
        "{coups} jugadas están sin decidir: no son erróneas por lo que muestra el registro, ni se ha demostrado que sean correctas.";
    report_because(count, why) "{count}: {why}" "{count}: {why}";
    report_nothing_attested() "Nothing rests on a signature alone, and every card was read." "Nada descansa solo en firmas, y se leyeron todas las cartas.";
    report_not_observable() "Not observable" "No observable";
    report_not_cards()
        "Whether the cards that the record names are those that were on the table: compare with cameras or with the cards themselves."
        "Si las cartas que nombra el registro son las que hubo en la mesa: compárelas con las cámaras o con las propias cartas.";
    report_not_chips()
        "Whether the chips that changed hands are the sums that the record names."
        "Si las fichas que cambiaron de manos son las sumas que nombra el registro.";
    report_not_beside()
        "What happened at a table and was never recorded, where the numbering of its events shows no gap."
        "Lo que ocurrió en una mesa y nunca se registró, si la numeración de sus sucesos no muestra ningún hueco.";
    report_not_collusion()
        "Whether people acted together, or knew a card before it was drawn."
        "Si hubo personas de acuerdo, o que conocían una carta antes de salir.";
    report_owed() "Who is owed what" "Importes adeudados y cobrados de más";
    report_owed_note()
        "What each seat got beyond what was due by the rules, coup by coup, by the names that the record gives those who had bets there. Several names at one seat share the row: the record does not say whose the money was. Not known are stakes of which the record does not show how much had to be returned, or whether anything was. Paid late is commission that was paid after it was due, and is owed no more."
        "Lo que cada departamento recibió de más o de menos según las reglas, jugada por jugada, con los nombres que el registro da a quienes tenían apuestas allí. Varios nombres en un departamento comparten la fila: el registro no dice de quién era el dinero. «No se sabe» es lo apostado de lo que el registro no muestra cuánto había que devolver, o si se devolvió. Pagado tarde es la comisión que se pagó después de vencer y ya no se debe.";
    report_nobody_owed() "No money went the wrong way." "Ningún dinero fue por donde no debía.";
    report_players() "player" "jugador";
    report_no_name() "no name in the record" "sin nombre en el registro";
    report_is_owed() "is owed" "se le debe";
    report_got_too_much() "overpaid" "recibió de más";
    report_not_settled() "not settled" "sin liquidar";
    report_not_known_stakes() "not known" "no se sabe";
    report_paid_late() "paid late" "pagado tarde";
    report_not_known[coups](staked, returned)
        "In {coups} coup it is not known what was due, or what was returned: for stakes of {staked}, for which {returned} is recorded as returned. That is not zero: it cannot be said here whether money went the wrong way."
        "En {coups} jugada no se sabe qué se debía o qué se devolvió: en apuestas de {staked}, por las que consta devuelto {returned}. Eso no es cero: aquí no se puede decir si algún dinero fue por donde no debía."
        / "In {coups} coups it is not known what was due, or what was returned: for stakes of {staked}, for which {returned} is recorded as returned. That is not zero: it cannot be said here whether money went the wrong way."
        "En {coups} jugadas no se sabe qué se debía o qué se devolvió: en apuestas de {staked}, por las que consta devuelto {returned}. Eso no es cero: aquí no se puede decir si algún dinero fue por donde no debía.";
    report_owed_missing()
        "Events are missing. What they moved is not known, and not in these rows."
        "Faltan sucesos. Lo que movieron no se sabe, y no está en estas filas.";
    report_bets_note()
        "The stakes are those of the turnover. Stakes of void coups are in neither: they had to be returned."
        "Lo apostado es lo del volumen. Lo apostado en jugadas anuladas no está en ninguno de los dos: había que devolverlo.";
    report_no_seat() "no seat" "ningún departamento";
    report_findings() "The findings, by cause" "Los hallazgos, por causa";
    report_findings_cut(shown, total)
        "The first {shown} of {total} findings are listed here. The CSV and JSON of this report have more; audit verify log --all has them all."
        "Aquí están los primeros {shown} de {total} hallazgos. El CSV y el JSON de este informe tienen más; audit verify log --all los tiene todos.";
    report_tables() "Tables" "Mesas";
    report_shoes() "Shoes" "Sabots";
    report_rows_cut(shown) "Only {shown} rows are listed here, those with findings first." "Aquí solo hay {shown} filas, primero las que tienen hallazgos.";
    report_boxes() "Commission boxes" "Casillas de comisión";
    report_boxes_note() "Over the shoes that are over: what was marked, collected, and left when a shoe ended." "En los sabots terminados: lo anotado, lo cobrado y lo que quedaba al terminar un sabot.";
    report_marked() "marked" "anotado";
    report_collected() "collected" "cobrado";
    report_outstanding() "left" "pendiente";
    report_statistics() "Statistics" "Estadística";
    report_statistics_note()
        "Settled coups whose hands are known. These numbers accuse no one: they say what was played."
        "Jugadas liquidadas cuyas manos se conocen. Estos números no acusan a nadie: dicen qué se jugó.";
    report_results_of(rulebook, coups) "Results under {rulebook}: {coups} coups" "Resultados con {rulebook}: {coups} jugadas";
    report_naturals() "with a natural" "con natural";
    report_of_cards(count) "of {count} cards" "de {count} cartas";
    report_bets() "Bets that were settled" "Apuestas liquidadas";
    report_staked() "staked" "apostado";
    report_returned() "returned" "devuelto";
    report_commission() "commission" "comisión";
    report_expected(percent) "expected {percent}" "esperado {percent}";
    report_expected_of(decks)
        "Expected: of all coups that a fresh shoe of {decks} decks can give, counted exactly."
        "Esperado: de todas las jugadas que puede dar un sabot nuevo de {decks} barajas, contadas exactamente.";
    report_edge() "expected to be kept" "retención esperada";
    report_kept() "kept of what was staked" "retenido de lo apostado";
    report_rulebook() "rulebook" "reglamento";
    report_currency() "currency" "moneda";
    report_written(file) "written: {file}" "escrito: {file}";
    report_form(file)
        "{file}: the form of a report follows from the end of its name: .html, .json or .sarif (CSV: --csv FOLDER)"
        "{file}: la forma de un informe se deduce del final de su nombre: .html, .json o .sarif (CSV: --csv CARPETA)";
    report_nothing_to_write()
        "say where the report goes: --out FILE.html (or .json, .sarif; may be given several times) or --csv FOLDER"
        "diga dónde va el informe: --out ARCHIVO.html (o .json, .sarif; se puede dar varias veces) o --csv CARPETA";
}
