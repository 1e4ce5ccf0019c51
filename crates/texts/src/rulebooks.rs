//! Rulebooks: their parameters, what the linter says of them, and how two differ.

use crate::texts;

texts! {
    rulebook_head(id, title, jurisdiction, from, until, digest)
        "{id}: {title}\njurisdiction {jurisdiction}; in force from {from}{until}\ndigest {digest}\n\n"
        "{id}: {title}\njurisdicción {jurisdiction}; en vigor desde el {from}{until}\nhuella {digest}\n\n";
    until(day) " until {day}" " hasta el {day}";
    sources_heading() "sources" "fuentes";
    shoe_decks(decks, reuse, overnight)
        "{decks} decks{reuse}{overnight}"
        "{decks} barajas{reuse}{overnight}";
    may_be_reused()
        "; shoes and decks may be used again"
        "; sabots y barajas pueden volver a usarse";
    overnight()
        "; a shoe may stay loaded overnight"
        "; un sabot puede quedar cargado de un día para otro";
    cut_card(cards, last, first)
        "at least {cards} cards behind the cut card; {last}{first}"
        "al menos {cards} cartas detrás; {last}{first}";
    coup_beginning_counts()
        ", a coup that begins with it counts"
        ", cuenta la jugada que empieza con ella";
    deal(order, dealer, turn, holder, tie_break)
        "order {order}; dealt by {dealer}{turn}; punto's cards to {holder}; equal bets {tie_break}"
        "orden: {order}; reparte: {dealer}{turn}; cartas del punto para: {holder}; con apuestas iguales: {tie_break}";
    turn_goes_on() ", with a new shoe the turn continues" ", con un sabot nuevo sigue el turno";
    turn_starts_again()
        ", with a new shoe the turn starts again"
        ", con un sabot nuevo el turno empieza de nuevo";
    own_place_only()
        "; players bet in their own place only"
        "; los jugadores apuestan solo en su propio departamento";
    limits(ratio, multiples, over)
        "maximum over minimum {ratio}; multiples {multiples}; over the limit {over}"
        "máximo sobre mínimo {ratio}; múltiplos {multiples}; sobre el límite: {over}";
    free() "free" "libre";
    may_be_asked() "may be asked for" "pueden exigirse";
    may_not_be_asked() "may not be asked for" "no pueden exigirse";
    commission(rate, charge, mode, unit)
        "{rate} of the win, {charge}, rounded {mode} to {unit} minor units"
        "{rate} de la ganancia; {charge}; redondeo: {mode} (a múltiplos de unidades mínimas: {unit})";
    forbidden_pair(one, other)
        "{one} with {other} by one player"
        "{one} con {other} de un mismo jugador";
    clock(step, ahead, within)
        "back at most {step} microseconds, ahead {ahead}, recorded within {within}"
        "atrás como mucho {step} microsegundos, adelante {ahead}, registrado en {within}";
    countersigned() "countersigned" "con segunda firma";
    one_signature() "one signature is enough" "basta una firma";
    at_least(count) "at least {count}" "al menos {count}";
    bank_maximum(times, unlimited)
        "at most {times} times the minimum{unlimited}"
        "como mucho {times} veces el mínimo{unlimited}";
    unlimited_by_permission()
        ", or without a maximum by permission"
        ", o sin máximo con autorización";
    turn_from_seat_one(refusals, newcomers)
        "from seat 1 upwards; {refusals} refusals in a row cost the seat{newcomers}"
        "desde el departamento 1 en adelante; {refusals} negativas seguidas cuestan la plaza{newcomers}";
    newcomers_pass() "; newcomers must first let it pass" "; los recién llegados deben «saludar»";
    bancos() "banco, banco con la mesa, banco seguido" "banco, banco con la mesa, banco seguido";
    free_play(office, zero)
        "in a banco, by permission of {office}{zero}"
        "en un banco, con autorización de {office}{zero}";
    zero_draws() "; a banker with 0 draws" "; un banquero con 0 pide carta";
    binds_banker(binds) "binds the banker: {binds}" "obliga al banquero: {binds}";
    garaje_over(times)
        "by choice once winnings exceed {times} times the minimum"
        "voluntario cuando las ganancias pasan de {times} veces el mínimo";
    garaje_unstated()
        "by choice under a condition that is not stated"
        "voluntario con una condición que no consta";
    abonos(most, limits) "at most {most} in a coup{limits}" "como mucho {most} en una jugada{limits}";
    within_limits() ", within the table's limits" ", dentro de los límites de la mesa";
    burn_by_first_card(values) "by the first card: {values}" "según la primera carta: {values}";
    burn_decks() "as many as decks" "tantas como barajas";
    burn_fixed(count) "{count} cards" "{count} cartas";
    burn_none() "none" "ninguna";
    tableau_legend(open, columns)
        "T draws, P stands{open}; columns: {columns}"
        "T pide, P se planta{open}; columnas: {columns}";
    tableau_open() ", O may choose, U not stated" ", O puede elegir, U no consta";
    punto_on_total(row) "punto on its total: {row}" "el punto según su puntuación: {row}";
    punto_stood_column() "punto stood" "el punto se plantó";
    commission_on_wins() ", commission on wins" ", comisión sobre lo ganado";
    cap_of_maximum(cap) ", at most {cap} of the table's maximum" ", como mucho {cap} del máximo de la mesa";
    cap_of_it(cap) ", at most {cap} of it" ", como mucho {cap} de ella";
    only_with(kinds, most) ", only together with {kinds}{most}" ", solo junto con {kinds}{most}";
    or() " or " " o ";
    pays_when(pays, conditions) "{pays} when {conditions}" "{pays} si {conditions}";
    bet_loses() "lose     otherwise" "pierde   en otro caso";
    condition_is(key, value) "{key} is {value}" "{key} es {value}";
    condition_true() "true" "sí";
    condition_false() "false" "no";
    and_condition() " and " " y ";
    there_is_a_tie() "there is a tie" "hay empate";
    in_any_case() "in any case" "en todo caso";

    printed_name() "rulebook" "reglamento";
    printed_jurisdiction() "where it holds" "dónde rige";
    printed_in_force() "in force from" "en vigor desde el";
    printed_digest() "digest" "huella";
    printed_note()
        "This page is made from the rulebook with this digest. What counts is the rulebook itself, which a log carries whole."
        "Esta página se hace del reglamento con esta huella. Lo que vale es el propio reglamento, que un registro lleva entero.";
    printed_sources() "The texts that it follows" "Los textos que sigue";
    printed_tableau() "Who draws a third card (tableau)" "Quién pide tercera carta (cuadro)";
    printed_punto_total() "punto's total" "puntuación del punto";
    printed_banca_total() "banca's total" "puntuación de la banca";
    printed_bet(title, name) "Bet: {title} ({name})" "Apuesta: {title} ({name})";
    printed_pays() "pays" "paga";
    printed_when() "when" "si";
    printed_otherwise() "otherwise" "en otro caso";
    printed_no_commission() "no commission" "sin comisión";
    printed_yes() "yes" "sí";
    printed_no() "no" "no";
    printed_none() "none" "ninguno";

    not_a_rulebook(name) "{name}: not a rulebook" "{name}: no es un reglamento";
    errors[count]() "{count} error" "{count} error" / "{count} errors" "{count} errores";
    warnings[count]() "{count} warning" "{count} advertencia" / "{count} warnings" "{count} advertencias";
    lint_notes[count]() "{count} note" "{count} nota" / "{count} notes" "{count} notas";
    severity_error() "error" "error";
    severity_warning() "warning" "advert.";
    severity_note() "note" "nota";
    nothing_found() "nothing found" "sin hallazgos";
    fit(found) "fit for certifying: {found}" "apto para certificar: {found}";
    not_fit(found) "not fit for certifying: {found}" "no apto para certificar: {found}";
    exact_note()
        "Exact for a fresh shoe; percentages are rounded to the last digit shown. A push returns the stake, which counts as\nstaked; commission is its exact share, before rounding to minor units.\n"
        "Exacto para un sabot nuevo; los porcentajes se redondean a la última cifra mostrada. Una devolución reintegra la apuesta, que\ncuenta como apostada; la comisión es su parte exacta, antes de redondear a unidades mínimas.\n";
    wins_percent() "wins %" "gana %";
    pushes_percent() "pushes %" "devuelve %";
    loses_percent() "loses %" "pierde %";
    edge_percent() "house edge %" "ventaja de la casa %";
    exactly() "exactly" "exactamente";
    ordered_draws(decks, draws)
        "{decks}, {draws} ordered draws of six cards"
        "{decks}, {draws} extracciones ordenadas de seis cartas";

    rulebooks_same(one, other) "{one} and {other} do not differ" "{one} y {other} no difieren";
    differences[count](one, other)
        "{one} and {other}: {count} difference" "{one} y {other}: {count} diferencia"
        / "{one} and {other}: {count} differences" "{one} y {other}: {count} diferencias";
    in_the_rules() "in the rules" "en las reglas";
    in_sources_only() "in names and sources only" "solo en nombres y fuentes";
    draft(name)
        "{name} is a draft or not to be loaded"
        "{name} es un borrador o no se puede cargar";
}
