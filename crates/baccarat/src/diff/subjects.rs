//! What each key of a rulebook is about: the beginning of the sentence on it.

use crate::sentence::{Sentence, sentence};

/// What a key is about.
pub(super) fn subject(steps: &[&str]) -> Sentence {
    match steps {
        ["id"] => sentence!("The name", "El nombre"),
        ["title"] => sentence!("The title", "El título"),
        ["jurisdiction"] => sentence!("The jurisdiction", "La jurisdicción"),
        ["effective", "from"] => sentence!("The first day in force", "El primer día en vigor"),
        ["effective", "until"] => sentence!("The last day in force", "El último día en vigor"),
        ["shoe", "decks"] => sentence!("Decks in the shoe", "Barajas del sabot"),
        ["shoe", "reuse"] => sentence!(
            "Whether shoes' ids and decks' serials may come again",
            "Si el identificador de un sabot y el número de serie de una baraja pueden repetirse"
        ),
        ["shoe", "overnight"] => sentence!(
            "Whether a shoe may stay loaded over a closing of the table",
            "Si un sabot puede quedar cargado mientras la mesa está cerrada"
        ),
        ["cut-card", "cards-behind"] => {
            sentence!("Cards behind the cut card", "Cartas detrás de la carta de detención")
        }
        ["cut-card", "last-coup"] => {
            sentence!("The last coup after the cut card", "La última jugada tras la carta de detención")
        }
        ["cut-card", "first-card-counts"] => sentence!(
            "Whether a coup met by the cut card before its first card counts",
            "Si cuenta la jugada que empieza con la carta de detención"
        ),
        ["burn", "method"] => sentence!("How many cards are burned", "Cuántas cartas se queman"),
        ["burn", "count"] => sentence!("Cards burned", "Cartas que se queman"),
        ["burn", "values"] => sentence!(
            "Cards burned by the indicator A 2 3 4 5 6 7 8 9 T J Q K",
            "Cartas que se queman según la indicadora A 2 3 4 5 6 7 8 9 T J Q K"
        ),
        ["clock", "step"] => sentence!(
            "Microseconds a table's clock may run back",
            "Microsegundos que puede retroceder el reloj de una mesa"
        ),
        ["clock", "ahead"] => sentence!(
            "Microseconds an event may lie ahead of the log's clock",
            "Microsegundos que un suceso puede adelantarse al reloj del registro"
        ),
        ["clock", "recorded-within"] => sentence!(
            "Microseconds within which an event has to be taken in",
            "Microsegundos en los que se ha de recibir un suceso"
        ),
        ["rulings", "countersigned"] => sentence!(
            "Whether rulings need a second signature",
            "Si las resoluciones necesitan una segunda firma"
        ),
        ["columns"] => sentence!("The columns of banca's table", "Las columnas del cuadro de la banca"),
        ["forbidden-pairs"] => sentence!(
            "Bets that one player may not place together",
            "Apuestas que un jugador no puede hacer juntas"
        ),
        ["commission", "rate"] => {
            sentence!("The commission's share of the win", "La parte de la ganancia que es comisión")
        }
        ["commission", "charge"] => sentence!("When commission is paid", "Cuándo se paga la comisión"),
        ["commission", "rounding", "mode"] => {
            sentence!("How commission is rounded", "Cómo se redondea la comisión")
        }
        ["commission", "rounding", "unit"] => sentence!(
            "Minor units commission is rounded to",
            "Unidades mínimas a las que se redondea la comisión"
        ),
        ["payout-rounding", "mode"] => sentence!("How payouts are rounded", "Cómo se redondean los pagos"),
        ["payout-rounding", "unit"] => sentence!(
            "Minor units payouts are rounded to",
            "Unidades mínimas a las que se redondean los pagos"
        ),
        ["deal", rest @ ..] => of_deal(rest),
        ["seats", rest @ ..] => of_seats(rest),
        ["limits", rest @ ..] => of_limits(rest),
        ["bets", kind, rest @ ..] => of_bet(kind, rest),
        ["chemin", rest @ ..] => of_chemin(rest),
        ["irregularities", code, "consequence"] => consequence(code),
        other => Sentence::same(other.join(".")),
    }
}

/// What follows from an irregularity.
pub(super) fn consequence(code: &str) -> Sentence {
    sentence!("What follows from {code}", "Lo que sigue a {code}")
}

fn of_deal(rest: &[&str]) -> Sentence {
    match rest {
        ["order"] => {
            sentence!("The order of the first four cards", "El orden de las cuatro primeras cartas")
        }
        ["dealer"] => sentence!("Who deals", "Quién reparte"),
        ["punto-holder"] => sentence!("Who holds punto's cards", "Quién lleva las cartas del punto"),
        ["tie-break"] => {
            sentence!("Who holds them when bets are equal", "Quién las lleva con apuestas iguales")
        }
        ["new-shoe"] => {
            sentence!("Whose turn it is in a new shoe", "De quién es el turno en un sabot nuevo")
        }
        other => unnamed("deal", other),
    }
}

fn of_seats(rest: &[&str]) -> Sentence {
    match rest {
        ["numbers"] => sentence!("Seats", "Departamentos"),
        ["may-leave-out"] => {
            sentence!("Seats that a table may leave out", "Departamentos que una mesa puede omitir")
        }
        ["own-place"] => sentence!(
            "Whether players bet in their own place alone",
            "Si los jugadores apuestan solo en su propio departamento"
        ),
        other => unnamed("seats", other),
    }
}

fn of_limits(rest: &[&str]) -> Sentence {
    match rest {
        ["maximum-over-minimum"] => {
            sentence!("The maximum in minimums", "Cuántas veces el mínimo es el máximo")
        }
        ["multiples-allowed"] => sentence!(
            "Whether stakes may have to be multiples",
            "Si se puede exigir que las apuestas sean múltiplos"
        ),
        ["multiple-is-minimum"] => {
            sentence!("Whether that multiple is the minimum", "Si ese múltiplo es el mínimo")
        }
        ["over-limit"] => {
            sentence!("What becomes of a stake over the limit", "Qué se hace con una apuesta sobre el límite")
        }
        other => unnamed("limits", other),
    }
}

fn of_chemin(rest: &[&str]) -> Sentence {
    match rest {
        [] => sentence!("That a player is the bank", "Que un jugador tiene la banca"),
        ["players", "least"] => {
            sentence!("Players without whom there is no game", "Jugadores sin los que no hay partida")
        }
        ["bank", "maximum"] => sentence!(
            "Most the bank may have in play, in minimums",
            "Lo más que puede jugar la banca, en veces el mínimo"
        ),
        ["bank", "may-be-unlimited"] => sentence!(
            "Whether leave may be given for a bank without a maximum",
            "Si se puede autorizar una banca sin máximo"
        ),
        ["turn", "leaves-after"] => sentence!(
            "Refusals of the bank in a row after which a player leaves the seat",
            "Veces seguidas que un jugador puede rechazar la banca antes de dejar la plaza"
        ),
        ["turn", "newcomers-pass"] => sentence!(
            "Whether newcomers first let the bank pass",
            "Si los recién llegados han de dejar pasar primero la banca"
        ),
        ["free-play", "office"] => {
            sentence!("Who gives leave for free play", "Quién autoriza el juego libre")
        }
        ["free-play", "zero-draws"] => sentence!(
            "Whether a banker with 0 has to draw all the same",
            "Si un banquero con 0 ha de pedir carta de todos modos"
        ),
        ["chart", "binds"] => sentence!(
            "When banca's table binds the banker",
            "Cuándo obliga al banquero el cuadro de la banca"
        ),
        ["garaje", "voluntary-over"] => sentence!(
            "Winnings above which a garaje by choice is allowed, in minimums",
            "Ganancias por encima de las cuales se permite un garaje voluntario, en veces el mínimo"
        ),
        ["abonos"] => sentence!("Abonos", "Abonos"),
        ["abonos", "most"] => sentence!("Most abonos in a coup", "Máximo de abonos en una jugada"),
        ["abonos", "within-limits"] => sentence!(
            "Whether the table's minimum binds abonos",
            "Si el mínimo de la mesa obliga a los abonos"
        ),
        other => unnamed("chemin", other),
    }
}

fn of_bet(kind: &str, rest: &[&str]) -> Sentence {
    match rest {
        ["title"] => sentence!("The title of {kind}", "El título de {kind}"),
        ["cap"] => sentence!(
            "The largest stake on {kind} (share of the maximum)",
            "La mayor apuesta a {kind} (parte del máximo)"
        ),
        ["commission"] => sentence!("Whether {kind} carries commission", "Si {kind} lleva comisión"),
        ["minimum-binds"] => sentence!("Whether the minimum binds {kind}", "Si el mínimo obliga a {kind}"),
        ["requires"] => sentence!(
            "Bets beside which alone {kind} may stand",
            "Apuestas junto a las cuales, y solo así, se admite {kind}"
        ),
        ["cap-of-required"] => sentence!(
            "The largest stake on {kind} (share of the bet it stands beside)",
            "La mayor apuesta a {kind} (parte de la apuesta que acompaña)"
        ),
        rest => unnamed(kind, rest),
    }
}

/// A key without words of its own: its path.
fn unnamed(section: &str, rest: &[&str]) -> Sentence {
    Sentence::same(format!("{section}.{}", rest.join(".")))
}
