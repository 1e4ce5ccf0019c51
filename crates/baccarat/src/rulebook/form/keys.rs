//! Every key of a rulebook file, in the order in which people write them.

use super::{Form, Key, Naming};
use Form::{
    BancaRows, Bets, BurnValues, Citations, Code, Day, Flag, Line, List, Named, Number, Numbers,
    OneOrNumbers, Pays, Points, Prose, PuntoRow, Section, Share, TwoBets, Word, Words,
};

/// Every key of a rulebook file that extends nothing.
#[must_use]
pub const fn keys() -> &'static [Key] {
    ROOT
}

const fn needed(name: &'static str, form: Form, meaning: &'static str, significado: &'static str) -> Key {
    Key { name, form, needed: true, meaning, significado }
}

const fn optional(name: &'static str, form: Form, meaning: &'static str, significado: &'static str) -> Key {
    Key { name, form, needed: false, meaning, significado }
}

const CITE: Key = optional(
    "cite",
    Citations,
    "the texts it follows: keys of [citations]",
    "los textos que sigue: claves de [citations]",
);
/// Clauses of which only the texts are said.
const CITED: &[Key] = &[needed("cite", Citations, CITE.meaning, CITE.significado)];

const CARD_VALUES: &[Key] = &[
    optional(
        "points",
        Points,
        "what A to K count; the same everywhere",
        "lo que valen de A a K; igual en todas partes",
    ),
    needed("cite", Citations, CITE.meaning, CITE.significado),
];

const ROOT: &[Key] = &[
    needed("format", Number(1, 1), "version of this format", "versión de este formato"),
    needed("id", Code, "the rulebook's name", "nombre del reglamento"),
    needed("title", Line, "what people call it", "cómo lo llama la gente"),
    needed(
        "jurisdiction",
        Line,
        "where it holds: ISO 3166 code or a house's name",
        "dónde rige: código ISO 3166 o nombre de una casa",
    ),
    needed(
        "effective",
        Section(EFFECTIVE),
        "first and last day on which it holds",
        "primer y último día en que rige",
    ),
    optional(
        "columns",
        Word(&["third-card", "punto-total"]),
        "what the columns 0 to 9 of banca's table are: punto's third card (absent: this), or punto's total",
        "qué son las columnas 0 a 9 del cuadro de la banca: la tercera carta del punto (si falta, esto) o su total",
    ),
    needed(
        "payout-rounding",
        Section(ROUNDING),
        "rounding of winnings that are no whole number of minor units",
        "redondeo de las ganancias que no son un número entero de unidades mínimas",
    ),
    optional(
        "forbidden-pairs",
        List(PAIR),
        "two bets that one player may not place in one coup",
        "dos apuestas que un jugador no puede hacer en la misma jugada",
    ),
    needed(
        "citations",
        Named(Naming::Citation, CITATION),
        "the texts the rulebook follows, by key",
        "los textos que sigue el reglamento, por clave",
    ),
    needed("shoe", Section(SHOE), "the shoe", "el sabot"),
    needed(
        "cut-card",
        Section(CUT_CARD),
        "the cut card and the last coup",
        "la carta de detención y la última jugada",
    ),
    needed(
        "burn",
        Section(BURN),
        "cards burned before the first coup",
        "cartas quemadas antes de la primera jugada",
    ),
    needed("deal", Section(DEAL), "who deals, and in what order", "quién reparte y en qué orden"),
    optional(
        "card-values",
        Section(CARD_VALUES),
        "what the cards count and which hand wins",
        "lo que valen las cartas y qué mano gana",
    ),
    optional(
        "naturals",
        Section(CITED),
        "a two-card 8 or 9 ends the coup",
        "un 8 o 9 con dos cartas termina la jugada",
    ),
    optional("betting", Section(CITED), "until when bets are accepted", "hasta cuándo se admiten apuestas"),
    optional("settlement", Section(CITED), "paying and collecting", "cobro y pago"),
    needed("tableau", Section(TABLEAU), "who draws a third card", "quién pide tercera carta"),
    needed("seats", Section(SEATS), "the seats", "los asientos"),
    needed("limits", Section(LIMITS), "minimum, maximum, multiples", "mínimo, máximo, múltiplos"),
    optional(
        "commission",
        Section(COMMISSION),
        "the house's share of winning bets that carry it; absent: the house takes none",
        "la parte de la casa en las apuestas ganadoras que la llevan; si falta, no cobra ninguna",
    ),
    optional(
        "clock",
        Section(CLOCK),
        "how exact clocks have to be, in microseconds",
        "lo exactos que han de ser los relojes, en microsegundos",
    ),
    optional("rulings", Section(RULINGS), "who signs rulings", "quién firma las decisiones"),
    optional(
        "irregularities",
        Named(Naming::Irregularity, IRREGULARITY),
        "what has to follow from an irregularity, by its code",
        "lo que ha de seguir a una irregularidad, por su código",
    ),
    optional(
        "chemin",
        Section(CHEMIN),
        "what only chemin de fer has; absent: the house is the bank",
        "lo que solo tiene el chemin de fer; si falta, la banca es la casa",
    ),
    needed(
        "bets",
        Named(Naming::Bet, BET),
        "every kind of bet offered",
        "todas las clases de apuesta que se ofrecen",
    ),
];

const EFFECTIVE: &[Key] = &[
    needed("from", Day, "first day", "primer día"),
    optional("until", Day, "last day; absent: in force", "último día; si falta, está en vigor"),
];

const ROUNDING: &[Key] = &[
    needed("mode", Word(&["down", "up", "half-up", "half-even"]), "which way", "hacia dónde"),
    needed(
        "unit",
        Number(1, 1_000_000),
        "to multiples of so many minor units",
        "a múltiplos de tantas unidades mínimas",
    ),
];

const PAIR: &[Key] = &[needed("bets", TwoBets, "the two bets", "las dos apuestas"), CITE];

const CITATION: &[Key] = &[
    needed("source", Line, "the document and the passage in it", "el documento y el pasaje"),
    optional("text", Prose, "its words, in its language", "sus palabras, en su idioma"),
];

const SHOE: &[Key] = &[
    needed(
        "decks",
        Numbers(1, 12),
        "allowed numbers of 52-card decks",
        "números permitidos de barajas de 52 cartas",
    ),
    optional(
        "reuse",
        Flag,
        "whether a shoe's id and a deck's serial number may come again at one table; absent: no",
        "si el identificador de un sabot y el número de serie de una baraja pueden repetirse en una mesa; si falta, no",
    ),
    optional(
        "overnight",
        Flag,
        "whether a shoe may stay loaded over a closing of the table; absent: no",
        "si un sabot puede quedar cargado mientras la mesa está cerrada; si falta, no",
    ),
    CITE,
];

const CUT_CARD: &[Key] = &[
    needed(
        "cards-behind",
        Number(1, 604),
        "least number of cards after the cut card",
        "número mínimo de cartas detrás de la carta de detención",
    ),
    needed(
        "last-coup",
        Word(&["finish-coup", "one-more", "five-more"]),
        "what may still be dealt once it is out: the coup in play, one more, five more",
        "lo que aún se puede repartir cuando ha salido: la jugada en curso, una más, cinco más",
    ),
    optional(
        "first-card-counts",
        Flag,
        "whether a coup that begins with the cut card is one of those still to come; absent: no",
        "si una jugada que empieza con la carta de detención es una de las que quedan; si falta, no",
    ),
    CITE,
];

const BURN: &[Key] = &[
    needed(
        "method",
        Word(&["indicator", "decks", "fixed", "none"]),
        "how many: as the first card says, as many as decks, a fixed number, none",
        "cuántas: las que diga la primera carta, tantas como barajas, un número fijo, ninguna",
    ),
    optional(
        "values",
        BurnValues,
        "with \"indicator\": cards burned after A 2 3 4 5 6 7 8 9 T J Q K, each 1 to 13",
        "con \"indicator\": cartas que se queman tras A 2 3 4 5 6 7 8 9 T J Q K, cada una de 1 a 13",
    ),
    optional("count", Number(1, 8), "with \"fixed\": how many", "con \"fixed\": cuántas"),
    CITE,
];

const DEAL: &[Key] = &[
    needed(
        "order",
        Word(&["alternate", "pairs"]),
        "the first four cards: in turn, or two to punto and then two to banca",
        "las cuatro primeras cartas: por turno, o dos al punto y luego dos a la banca",
    ),
    needed(
        "dealer",
        Word(&["players", "croupier", "either", "banker"]),
        "who draws the cards; either: the croupier, who may offer it; banker: chemin de fer",
        "quién saca las cartas; either: el crupier, que puede ofrecerlo; banker: chemin de fer",
    ),
    needed(
        "punto-holder",
        Word(&["highest-punto-bet", "croupier", "banco"]),
        "who gets punto's cards; banco: chemin de fer",
        "quién recibe las cartas del punto; banco: chemin de fer",
    ),
    needed(
        "tie-break",
        Word(&["unstated", "lowest-seat", "first-placed", "priority"]),
        "between equal highest bets; unstated: any of them is right; priority: chemin de fer",
        "entre apuestas mayores iguales; unstated: cualquiera vale; priority: chemin de fer",
    ),
    optional(
        "new-shoe",
        Word(&["unstated", "goes-on", "anew"]),
        "whose turn it is in a new shoe, where players deal: it goes on, or begins at the lowest seat",
        "a quién toca con un sabot nuevo, donde reparten los jugadores: sigue, o empieza por el asiento más bajo",
    ),
    CITE,
];

const TABLEAU: &[Key] = &[
    needed(
        "punto",
        PuntoRow,
        "punto's two-card totals 0 to 7: T draws, P stands (chemin de fer: O may choose, U not stated)",
        "totales 0 a 7 del punto con dos cartas: T pide, P se planta (chemin de fer: O a elección, U no consta)",
    ),
    needed(
        "banca",
        BancaRows,
        "banca's two-card totals 0 to 7: ten letters for punto's third card 0 to 9, a space, one for \"punto stood\"",
        "totales 0 a 7 de la banca con dos cartas: diez letras para la tercera carta 0 a 9 del punto, un espacio, una \
         para «el punto se plantó»",
    ),
    CITE,
];

const SEATS: &[Key] = &[
    needed("numbers", Numbers(1, 99), "numbers a seat may have", "números que puede tener un asiento"),
    optional(
        "may-leave-out",
        Numbers(1, 99),
        "which of them a table may leave out; absent: any; []: none",
        "cuáles puede saltarse una mesa; si falta, cualquiera; []: ninguno",
    ),
    optional(
        "own-place",
        Flag,
        "whether a player bets in no place that is known to be another's; absent: no",
        "si un jugador no apuesta en el sitio que se sabe de otro; si falta, no",
    ),
    CITE,
];

const LIMITS: &[Key] = &[
    optional(
        "maximum-over-minimum",
        Numbers(1, 1_000_000),
        "the maximum is one of these times the minimum; absent: free",
        "el máximo es alguna de estas veces el mínimo; si falta, libre",
    ),
    needed(
        "multiples-allowed",
        Flag,
        "whether a table may ask for multiples of a unit",
        "si una mesa puede pedir múltiplos de una unidad",
    ),
    optional(
        "multiple-is-minimum",
        Flag,
        "whether that unit has to be the minimum; absent: no",
        "si esa unidad ha de ser el mínimo; si falta, no",
    ),
    needed(
        "over-limit",
        Word(&["paid-in-full", "capped", "void"]),
        "a stake above its limit that was accepted: settled in full; the part above comes back; all of it comes back",
        "una apuesta por encima de su límite que se aceptó: se liquida entera; se devuelve lo que excede; se devuelve toda",
    ),
    CITE,
];

const COMMISSION: &[Key] = &[
    needed("rate", Share, "share of the winnings", "parte de las ganancias"),
    needed(
        "charge",
        Word(&["collected", "boxed"]),
        "when it is paid: from the payout, or marked at the seat and due at shoe end or before leaving",
        "cuándo se paga: al pagar la apuesta, o se anota en el casillero y se cobra al acabar el sabot o al levantarse",
    ),
    needed("rounding", Section(ROUNDING), "its rounding", "su redondeo"),
    CITE,
];

const CLOCK_MOST: u64 = 1_000_000_000_000_000;
const CLOCK: &[Key] = &[
    optional(
        "step",
        Number(0, CLOCK_MOST),
        "how far a table's clock may run back; absent: 1000000 (a second)",
        "cuánto puede retroceder el reloj de una mesa; si falta, 1000000 (un segundo)",
    ),
    optional(
        "ahead",
        Number(0, CLOCK_MOST),
        "how far an event's time may lie ahead of the log's clock; absent: 300000000 (five minutes)",
        "cuánto puede adelantarse la hora de un suceso al reloj del registro; si falta, 300000000 (cinco minutos)",
    ),
    optional(
        "recorded-within",
        Number(0, CLOCK_MOST),
        "how long after the fact a service may take an event in; absent: 157680000000000 (five years)",
        "cuánto después puede recibir un servicio un suceso; si falta, 157680000000000 (cinco años)",
    ),
    CITE,
];

const RULINGS: &[Key] = &[
    optional(
        "countersigned",
        Flag,
        "whether rulings, voids and corrections need a second person's signature; absent: yes",
        "si decisiones, anulaciones y correcciones necesitan la firma de otra persona; si falta, sí",
    ),
    CITE,
];

const IRREGULARITY: &[Key] = &[
    needed(
        "consequence",
        Word(&[
            "card-removed",
            "card-stays",
            "next-coup",
            "coup-void",
            "ruling",
            "banca-takes-card",
            "banca-counts-zero",
            "higher-card",
            "lower-card",
            "punto-counts-nine",
            "banca-loses",
            "punto-loses",
            "chart-binds",
            "chart-draws",
        ]),
        "what has to follow; ruling: left to those who rule",
        "lo que ha de seguir; ruling: lo que decida quien dirige",
    ),
    CITE,
];

const PLAYERS_KEYS: &[Key] = &[
    needed(
        "least",
        Number(2, 99),
        "players without whom there is no game",
        "jugadores sin los que no hay partida",
    ),
    CITE,
];

const BANK_KEYS: &[Key] = &[
    needed(
        "maximum",
        Number(1, 1_000_000),
        "most the bank may have in play, as a multiple of the least stake",
        "lo más que puede jugar la banca, en veces la apuesta mínima",
    ),
    needed(
        "may-be-unlimited",
        Flag,
        "whether leave may be given for a bank without a maximum",
        "si se puede autorizar una banca sin máximo",
    ),
    CITE,
];

const TURN_KEYS: &[Key] = &[
    needed(
        "leaves-after",
        Number(1, 99),
        "refusals of the bank in a row after which a player leaves the seat",
        "veces seguidas que se puede rechazar la banca antes de dejar el asiento",
    ),
    needed(
        "newcomers-pass",
        Flag,
        "whether who sits down during a shoe first lets the bank pass",
        "si quien se sienta durante un sabot ha de dejar pasar primero la banca (saludar)",
    ),
    CITE,
];

const FREE_PLAY_KEYS: &[Key] = &[
    needed("office", Code, "who gives leave for free play", "quién autoriza el juego libre"),
    needed(
        "zero-draws",
        Flag,
        "whether a banker who plays freely draws with 0 all the same",
        "si un banquero que juega libremente pide igualmente con 0",
    ),
    CITE,
];

const CHART_KEYS: &[Key] = &[
    needed(
        "binds",
        Word(&["always", "asked"]),
        "when banca's table binds the banker: but for free play, or where the croupier was asked",
        "cuándo obliga el cuadro al banquero: salvo en juego libre, o si se preguntó al crupier",
    ),
    CITE,
];

const GARAJE_KEYS: &[Key] = &[
    optional(
        "voluntary-over",
        Number(1, 1_000_000),
        "winnings above which a garaje by choice is allowed, in least stakes; absent: not known",
        "ganancias por encima de las cuales se permite un garaje voluntario, en apuestas mínimas; si falta, no consta",
    ),
    CITE,
];

const ABONOS_KEYS: &[Key] = &[
    needed("most", Number(1, 99), "stakes beside the bank in one coup", "abonos en una jugada"),
    optional(
        "within-limits",
        Flag,
        "whether a player's abonos lie within the table's limits; absent: below the maximum",
        "si los abonos de un jugador están dentro de los límites de la mesa; si falta, por debajo del máximo",
    ),
    CITE,
];

const CHEMIN: &[Key] = &[
    needed("players", Section(PLAYERS_KEYS), "the players", "los jugadores"),
    needed("bank", Section(BANK_KEYS), "how much the bank may hold", "cuánto puede tener la banca"),
    needed("turn", Section(TURN_KEYS), "whose turn the bank is", "a quién toca la banca"),
    needed(
        "banco",
        Section(CITED),
        "banco, banco con la mesa, banco seguido",
        "banco, banco con la mesa, banco seguido",
    ),
    needed(
        "free-play",
        Section(FREE_PLAY_KEYS),
        "free play of a player who calls banco",
        "juego libre de quien hace banco",
    ),
    needed(
        "chart",
        Section(CHART_KEYS),
        "whether banca's table binds the banker",
        "si el cuadro obliga al banquero",
    ),
    needed(
        "garaje",
        Section(GARAJE_KEYS),
        "what the banker may or must set aside",
        "lo que el banquero puede o debe apartar",
    ),
    optional(
        "abonos",
        Section(ABONOS_KEYS),
        "stakes beside the bank; absent: none",
        "apuestas a favor de la banca; si falta, no las hay",
    ),
];

const PAIR_KINDS: &[&str] = &["none", "any", "suited", "same-colour", "mixed"];
const ROW: &[Key] = &[
    optional("winner", Words(&["punto", "banca", "tie"]), "who won", "quién gana (tie: empate)"),
    optional("punto-total", OneOrNumbers(0, 9), "punto's final total", "total final del punto"),
    optional("banca-total", OneOrNumbers(0, 9), "banca's final total", "total final de la banca"),
    optional("margin", OneOrNumbers(0, 9), "points between the totals", "diferencia entre los totales"),
    optional("punto-cards", OneOrNumbers(2, 3), "cards in punto's hand", "cartas del punto"),
    optional("banca-cards", OneOrNumbers(2, 3), "cards in banca's hand", "cartas de la banca"),
    optional("cards", OneOrNumbers(4, 6), "cards in both hands", "cartas de ambas manos"),
    optional(
        "punto-natural",
        Flag,
        "whether punto has a two-card 8 or 9",
        "si el punto tiene 8 o 9 con dos cartas",
    ),
    optional(
        "banca-natural",
        Flag,
        "whether banca has a two-card 8 or 9",
        "si la banca tiene 8 o 9 con dos cartas",
    ),
    optional(
        "punto-pair",
        Words(PAIR_KINDS),
        "what punto's first two cards make",
        "lo que forman las dos primeras cartas del punto",
    ),
    optional(
        "banca-pair",
        Words(PAIR_KINDS),
        "what banca's first two cards make",
        "lo que forman las dos primeras cartas de la banca",
    ),
    needed("pays", Pays, "what the row pays", "lo que paga la fila"),
    optional(
        "commission",
        Flag,
        "whether the table's commission is due on this win; absent: yes, if the bet carries it",
        "si esta ganancia lleva comisión; si falta, sí, si la apuesta la lleva",
    ),
];

const BET: &[Key] = &[
    needed("title", Line, "what people call it", "cómo la llama la gente"),
    needed(
        "rows",
        List(ROW),
        "the first row whose conditions all hold decides; a coup that meets none loses the stake",
        "decide la primera fila cuyas condiciones se cumplen todas; si no se cumple ninguna, se pierde la apuesta",
    ),
    optional(
        "commission",
        Flag,
        "whether the table's commission is due on wins; absent: no",
        "si las ganancias llevan la comisión de la mesa; si falta, no",
    ),
    optional(
        "cap",
        Share,
        "largest stake as a share of the table's maximum",
        "apuesta mayor, como parte del máximo de la mesa",
    ),
    optional(
        "requires",
        Bets,
        "other bets; the same player must have one of them",
        "otras apuestas, de las que el mismo jugador ha de tener una",
    ),
    optional(
        "cap-of-required",
        Share,
        "largest stake as a share of the player's stakes on those",
        "apuesta mayor, como parte de lo apostado en aquellas",
    ),
    optional(
        "minimum-binds",
        Flag,
        "whether the table's minimum binds it; absent: a stake may be smaller",
        "si le obliga el mínimo de la mesa; si falta, puede ser menor",
    ),
    CITE,
];
