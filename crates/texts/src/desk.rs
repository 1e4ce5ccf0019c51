//! What pages say besides what was found: navigation, headings, questions, the steps of a coup.

use crate::texts;

texts! {
    own_name() "English" "Español";
    skip_to_content() "Skip to the content" "Saltar al contenido";
    main_navigation() "Main pages" "Páginas principales";
    where_you_are() "Where you are" "Dónde está";
    sign_in() "Sign in" "Entrar";
    sign_out() "Sign out" "Salir";
    your_token() "Your token" "Su credencial";
    sign_in_note()
        "The operator gives you a token with the role read. This page keeps it for as long as you are signed in, in this browser only."
        "El operador le facilita una credencial de lectura (rol read). Esta página la conserva mientras esté dentro, solo en este navegador.";
    sign_in_refused()
        "This token is not valid here: it may be mistyped, expired or revoked, or lack the role read."
        "Esta credencial no vale aquí: puede estar mal escrita, caducada o revocada, o no ser de lectura (rol read).";
    new_findings() "New findings" "Hallazgos nuevos";
    desk_footer()
        "This page shows what the program derives from the log. What counts is what audit verify log prints on your own machine."
        "Esta página muestra lo que el programa deduce del registro. Lo que cuenta es lo que diga audit verify log en su propio equipo.";
    desk_overview() "Overview" "Resumen";
    desk_findings() "Findings" "Hallazgos";
    desk_rulebooks() "Rulebooks" "Reglamentos";
    desk_log() "The log" "El registro";
    desk_tables() "Tables" "Mesas";
    desk_look_alike_tables() "Tables whose ids look alike" "Mesas de nombre parecido";
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
    asks_intact() "Is every entry what was sealed?" "¿Es cada entrada la que se selló?";
    asks_anchored() "Does it continue what others kept?" "¿Continúa lo que otros guardaron?";
    asks_complete() "Is everything there?" "¿Está todo?";
    asks_certified() "Was every coup played and paid by the rules?" "¿Se jugó y pagó cada jugada según las reglas?";
    in_numbers() "In numbers" "En cifras";
    findings_by_kind() "Findings by kind" "Hallazgos por clase";
    how_many() "how many" "cuántos";
    table_clean() "clean" "sin irregularidades";
    table_without_findings() "no findings" "sin hallazgos";
    table_open() "open questions" "cuestiones abiertas";
    table_waits[waiting]()
        "{waiting} event waits for missing ones" "{waiting} suceso a la espera de otros que faltan"
        / "{waiting} events wait for missing ones" "{waiting} sucesos a la espera de otros que faltan";
    table_with_findings() "findings" "hallazgos";
    table_clock() "table's clock" "hora de la mesa";
    no_tables() "No table has recorded anything yet." "Ninguna mesa ha registrado nada todavía.";
    more_tables() "More tables" "Más mesas";
    certification_stopped(why) "Nothing more is judged for now: {why}" "Por ahora no se juzga nada más: {why}";
    every_kind() "every kind" "todas las clases";
    severity_heading() "severity" "gravedad";
    every_severity() "any severity" "cualquier gravedad";
    order_heading() "order" "orden";
    oldest_first() "oldest first" "los más antiguos primero";
    newest_first() "newest first" "los más recientes primero";
    most_money_first() "most money first" "mayor importe primero";
    violations_first() "violations first" "las infracciones primero";
    shown_of(first, last, listed) "{first} to {last} of {listed}" "{first} a {last} de {listed}";
    not_all_listed(listed)
        "The list holds {listed} of them: the first of each kind, and those that moved the most money."
        "La lista contiene {listed} de ellos: los primeros de cada clase y los que movieron más dinero.";
    show_these() "Show" "Mostrar";
    nothing_found_here() "No findings." "Ningún hallazgo.";
    nothing_fits_the_filters() "No finding matches these filters." "Ningún hallazgo con estos filtros.";
    page_before() "Previous" "Anteriores";
    page_after() "Next" "Siguientes";
    expected_heading() "expected" "se esperaba";
    recorded_heading() "recorded" "se registró";
    what_follows() "What follows from this" "Lo que se sigue de esto";
    not_all_shoes() "Not all shoes are listed." "No se enumeran todos los sabots.";
    page_first_coups(most)
        "The first {most} coups are listed; findings lead to the others."
        "Se enumeran las primeras {most} jugadas; los hallazgos llevan a las demás.";
    no_shoes() "No shoe was loaded." "No se cargó ningún sabot.";
    shares() "shares of the coups" "proporción de las jugadas";
    all_findings_of_table() "All findings of this table" "Todos los hallazgos de esta mesa";
    seal_not_shown_here()
        "The seal of this log is not shown to hold, so nothing on this page is certified."
        "No se ha demostrado que el sello de este registro aguante, así que nada de esta página está certificado.";
    coups_in_time() "Coups in order" "Jugadas por orden";
    scoreboards() "Scoreboards" "Marcadores";
    big_road_name() "big road" "camino grande";
    big_eye_boy_name() "big eye boy" "big eye boy";
    commission_boxes() "Commission boxes" "Casillas de comisión";
    cards_in_order() "Cards in order" "Cartas por orden";
    cards_in_order_note()
        "Each card with its position in the shoe and its coup. A dot (·) marks a position whose card is not recorded."
        "Cada carta con su posición en el sabot y su jugada. Un punto (·) indica una posición cuya carta no consta.";
    shoe_holds(cards) "The shoe was loaded with {cards} cards." "El sabot se cargó con {cards} cartas.";
    cards_burned[cards]()
        "{cards} card was burned, the one that was shown." "Se quemó {cards} carta, la que se mostró."
        / "{cards} cards were burned, the one that was shown among them." "Se quemaron {cards} cartas, contando la que se mostró.";
    burn_not_shown() "No burn was recorded." "No se registró ninguna quema.";
    cut_card_before(position)
        "The cut card came out before the card at position {position}."
        "La carta de detención salió antes de la carta de la posición {position}.";
    cut_card_not_out() "The cut card has not been recorded." "No consta la carta de detención.";
    burned_key() "burned" "quemada";
    removed_key() "removed" "retirada";
    cut_card_key() "cut card" "carta de detención";
    burned_unread() "burned, not read" "quemada, sin leer";
    card_not_read() "a card that was not read" "carta sin leer";
    card_name(rank, suit) "{rank} of {suit}" "{rank} de {suit}";
    card_of_unknown_suit(rank) "{rank} of a suit that was not read" "{rank} de palo sin leer";
    ace() "ace" "as";
    jack() "jack" "jota";
    queen() "queen" "dama";
    king() "king" "rey";
    spades() "spades" "picas";
    hearts() "hearts" "corazones";
    diamonds() "diamonds" "diamantes";
    clubs() "clubs" "tréboles";
    card_by_card() "Card by card" "Carta a carta";
    coup_before() "Previous coup" "Jugada anterior";
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
    hand_has(total) "Its total is {total}." "Suma {total}.";
    total_not_known() "Its total is not known." "No se conocen sus puntos.";
    coup_result(result) "Result: {result}." "Resultado: {result}.";
    bets_settled_as_due()
        "All payouts match the cards as dealt."
        "Los pagos concuerdan con las cartas que quedaron sobre la mesa.";
    bets_settled_otherwise[bets]()
        "{bets} bet was not settled as due." "{bets} apuesta no se liquidó como correspondía."
        / "{bets} bets were not settled as due." "{bets} apuestas no se liquidaron como correspondía.";
    rulings_heading() "Ruled and corrected" "Resoluciones y correcciones";
    ruled_void(names, time, reason)
        "declared void by {names} on {time}: “{reason}”"
        "anulada por {names} el {time}: «{reason}»";
    ruled_irregularity(code, cards, names, time, text)
        "ruling on {code}{cards} by {names} on {time}: “{text}”"
        "resolución sobre {code}{cards} de {names} el {time}: «{text}»";
    ruled_positions(positions) " (cards at position {positions})" " (cartas en la posición {positions})";
    ruled_replaced(card, position, names, time, reason)
        "card {card} at position {position} was replaced by one of the same face, by {names} on {time}: “{reason}”"
        "la carta {card} en la posición {position} se sustituyó por otra igual; firma de {names}, {time}: «{reason}»";
    ruled_correction(event, sequence, changes, names, time, reason)
        "event {sequence} ({event}) was corrected by {names} on {time}: {changes}. Reason: “{reason}”"
        "el suceso {sequence} ({event}) lo corrigieron {names} el {time}: {changes}. Motivo: «{reason}»";
    ruled_changed(member, first, corrected) "{member} from {first} to {corrected}" "{member} de {first} a {corrected}";
    ruled_nothing() "nothing" "nada";
    member_player() "player" "jugador";
    member_card() "card" "carta";
    member_position() "position" "posición";
    member_hand() "hand" "mano";
    member_amount() "amount" "importe";
    member_decision() "decision" "decisión";
    ruled_no_change() "no value changed" "ningún valor cambiado";
    ruled_counts_not(correction)
        "{correction} (This correction does not count; the coup is judged without it.)"
        "{correction} (Esta corrección no cuenta; la jugada se juzga sin ella.)";
    ruled_more[count]()
        "and {count} more" "y {count} más"
        / "and {count} more" "y {count} más";
    account_heading() "The money, by seat" "El dinero, por departamento";
    account_of_seat(seat, recorded, as_dealt, by_rules, difference)
        "seat {seat}: returned {recorded}; due by the cards as dealt {as_dealt}, by the rules {by_rules}: {difference}"
        "departamento {seat}: devuelto {recorded}; debido por las cartas repartidas {as_dealt}, por las reglas {by_rules}: {difference}";
    account_short(sum) "{sum} too little" "{sum} de menos";
    account_over(sum) "{sum} too much" "{sum} de más";
    account_even() "as due" "lo debido";
    account_unknown() "not known" "no se sabe";
    account_between(least, most) "between {least} and {most}" "entre {least} y {most}";
    account_of_house(sum) "paid to no known seat beyond what was due: {sum}" "pagado de más, sin que conste a qué departamento: {sum}";
    account_corrected(seat, names, due_first, due, recorded_first, recorded)
        "{seat}, before and after corrections that {names} signed: due {due_first} and then {due}; returned {recorded_first} and then {recorded}"
        "{seat}, antes y después de las correcciones que firmaron {names}: debido {due_first} y luego {due}; devuelto {recorded_first} y luego {recorded}";
    account_no_seat() "no known seat" "ningún departamento conocido";
    account_void() "The coup is void: every stake had to be returned." "La jugada está anulada: había que devolver todo lo apostado.";
    the_bank() "The bank" "La banca";
    where_in_the_log() "Where it is in the log" "Dónde está en el registro";
    range_of(first, last) "{first} to {last}" "{first} a {last}";
    desk_event() "Event" "Suceso";
    desk_entry() "Entry" "Entrada";
    what_the_linter_says() "Is it fit for certifying?" "¿Es apto para certificar?";
    what_bets_cost() "What the bets cost" "Lo que cuestan las apuestas";
    odds_not_yet()
        "The odds of another rulebook are being calculated. Load this page again in a moment."
        "Se están calculando las probabilidades de otro reglamento. Cargue esta página de nuevo dentro de un momento.";
    no_rulebooks() "No table was opened under a rulebook." "Ninguna mesa se abrió con un reglamento.";
    built_in_rulebook() "the text that this program carries" "el texto que este programa incluye";
    other_rulebook()
        "not a text that this program carries: compare its digest with the one that was approved"
        "no es un texto que este programa incluya: compare su huella con la del aprobado";
    what_was_sealed() "What was sealed" "Lo que se selló";
    name_origin() "log" "registro";
    name_size() "entries" "entradas";
    name_root() "root" "raíz";
    name_key() "key" "clave";
    witnesses_signed(size) "Enough witnesses have signed the first {size} entries." "Suficientes testigos han firmado las primeras {size} entradas.";
    witnesses_who(names) "Signatures by: {names}." "Firmas de: {names}.";
    witnesses_too_few() "Too few witnesses have signed this log so far." "Hasta ahora han firmado este registro muy pocos testigos.";
    witnesses_none() "This service asks no witnesses." "Este servicio no pregunta a ningún testigo.";
    page_witness_contradicts(why) "A witness contradicts this log: {why}" "Un testigo contradice este registro: {why}";
    verified_when_begun()
        "Every entry was read and verified when audit desk started. To verify the log as it is now, start it again."
        "Se leyó y verificó cada entrada cuando audit desk empezó. Para verificar el registro como está ahora, vuelva a empezarlo.";
    verified_by_the_operator()
        "This service judges every entry as it is recorded. What it says of itself is no verification: run this where the operator has no hand in it."
        "Este servicio juzga cada entrada al registrarla. Lo que dice de sí mismo no es una verificación: ejecute esto donde el operador no intervenga.";
    newest_checkpoint() "The newest checkpoint" "El último punto de control";
    keep_this_elsewhere()
        "Keep this text where the operator cannot change it. Next time it shows whether the log was changed, cut or forked."
        "Guarde este texto donde el operador no pueda cambiarlo. La próxima vez mostrará si el registro se cambió, se cortó o se bifurcó.";
    what_the_log_says_of_itself() "What the log says of itself" "Lo que el registro dice de sí mismo";
    what_is_attested() "Attested only, and not read" "Lo que descansa solo en firmas, y lo no leído";
    the_certificate() "The certificate" "El certificado";
    the_result() "The result, which is not a certificate" "El resultado, que no es un certificado";
    check_it_yourself() "Check it yourself" "Compruébelo usted";
    verify_command()
        "audit verify log LOG --key KEY --checkpoint CHECKPOINT"
        "audit verify log REGISTRO --key CLAVE --checkpoint PUNTO-DE-CONTROL";
    check_it_how()
        "With the log (a folder, an archive or its address), the key that the operator published and the checkpoint that you kept:"
        "Con el registro (una carpeta, un archivo o su dirección), la clave que publicó el operador y el punto de control que usted guardó:";
    read_by() "Read by (name and office)" "Leído por (nombre y cargo)";
    place_and_date() "Place and date" "Lugar y fecha";
    signature() "Signature" "Firma";
    page_not_there() "There is no such page" "No existe esa página";
    not_in_the_log() "The log has nothing under this name." "El registro no tiene nada con ese nombre.";
    not_in_the_live_log()
        "The log has nothing under this name. Of a table, a service shows the newest 256 shoes; audit desk shows every shoe of an archive."
        "El registro no tiene nada con ese nombre. De una mesa, un servicio muestra los 256 sabots más recientes; audit desk muestra todos los sabots de un archivo.";
    page_not_judged()
        "This service records without judging, so it has no pages. audit desk shows its log on another machine."
        "Este servicio registra sin juzgar, así que no tiene páginas. audit desk muestra su registro en otro equipo.";
    page_wrong_name() "This service has another name" "Este servicio tiene otro nombre";
    page_wrong_name_how()
        "The service does not answer to the name in this address. Use the address that the operator gave you. Operators add a name with --host."
        "El servicio no responde al nombre de esta dirección. Use la dirección que le dio el operador. Los operadores añaden un nombre con --host.";
    page_needs_token() "A token is needed" "Hace falta una credencial";
    page_needs_token_how()
        "Sign in with a token that has the role read. The operator gives you one."
        "Entre con una credencial de lectura (rol read). El operador le facilita una.";
    page_not_allowed() "Not with this token" "No con esta credencial";
    page_not_allowed_how()
        "This token is not for pages. Ask the operator for one with the role read."
        "Esta credencial no es para páginas. Pida al operador una de lectura (rol read).";
    page_needs_key() "These pages have a key" "Estas páginas tienen una clave";
    page_needs_key_how()
        "Open the whole address that audit desk printed. It ends with the key, so that no one else on this machine sees the pages."
        "Abra la dirección entera que mostró audit desk. Termina con la clave, para que nadie más en este equipo vea las páginas.";
    page_other_site() "From a page of another site" "Desde una página de otro sitio";
    page_other_site_how()
        "A page of another site asked for this, so nothing was done. Open the pages by their own address."
        "Lo pidió una página de otro sitio, así que no se hizo nada. Abra las páginas por su propia dirección.";
    page_method() "Not in this way" "No de esta manera";
    page_method_how()
        "This address is for another kind of request. Begin at the overview."
        "Esta dirección es para otra clase de petición. Empiece por el resumen.";
    page_busy() "Too many requests" "Demasiadas peticiones";
    page_busy_how()
        "The service is answering as many requests as it can. Try again in a moment."
        "El servicio responde a tantas peticiones como puede. Inténtelo de nuevo dentro de un momento.";
    page_stopped() "The log has stopped" "El registro se ha detenido";
    page_stopped_how()
        "The log cannot be read or written now, for example because the disk is full. The operator has to look."
        "El registro no se puede leer ni escribir ahora, por ejemplo porque el disco está lleno. El operador tiene que mirarlo.";
    page_fault() "A defect of this program" "Un defecto de este programa";
    page_fault_how()
        "The page could not be made. The service's log says why."
        "La página no se pudo hacer. La traza del servicio dice por qué.";
    page_unreadable() "This request cannot be read" "Esta petición no se puede leer";
    page_unreadable_how()
        "What the browser sent cannot be read. Go back and try it again."
        "Lo que envió el navegador no se puede leer. Vuelva atrás e inténtelo de nuevo.";
    request_in_the_log(id)
        "The service's own log has this request under {id}."
        "La traza del servicio tiene esta petición con el identificador {id}.";
    page_not_now() "This page cannot be shown now" "Esta página no se puede mostrar ahora";
    more_of_these(count) "and {count} more" "y {count} más";
    desk_at(url) "the pages are at {url} (Ctrl-C ends them)" "las páginas están en {url} (Ctrl-C las cierra)";
    desk_beyond_this_machine(listen)
        "--listen {listen}: the pages show everything of the log to anyone who asks, so they are for this machine only (127.0.0.1, ::1); audit serve has the same pages with tokens"
        "--listen {listen}: las páginas muestran todo el registro a quien lo pida, así que son solo para este equipo (127.0.0.1, ::1); audit serve tiene las mismas páginas con credenciales";
    the_copied_log() "the copy of the log" "la copia del registro";
    log_being_read()
        "The log is being read for the first time; try again in a moment."
        "El registro se está leyendo por primera vez; inténtelo de nuevo dentro de un momento.";
}
