//! Statements about who has the bank of chemin de fer, and for how much.

use super::rows::statements;
use super::{AnyOf, AnySeat, Party, Players, Sum};

statements! {
    /// About who has the bank.
    OfTurn
    WithBanker "bank-with-banker"
        "the bank with its banker"
        "la banca con su banquero"
    BankWith "bank-with" { who: Party }
        "the bank with {who}"
        "la banca con {who}"
    BankNobodys "bank-nobodys"
        "the bank is nobody's"
        "la banca no es de nadie"
    NotLostBy "bank-not-lost" { who: Party }
        "the bank with {who}, who did not lose"
        "la banca con {who}, que no perdió"
    WhileShoeLasts "bank-while-shoe-lasts" { who: Party }
        "the bank with {who} while the shoe lasts"
        "la banca con {who} mientras dure el sabot"
    TakenBy "bank-taken-by" { who: Party }
        "taken by {who}"
        "tomada por {who}"
    TakenBySeat "bank-taken-by-seat" { seats: AnySeat }
        "taken by {seats}"
        "tomada por el {seats}"
    NotByTurn "bank-not-by-turn"
        "not taken by turn: nobody is left to ask"
        "no tomada por turno: no queda a quién preguntar"
    TakenAgainBy "bank-taken-again-by" { who: Party }
        "taken again by {who}"
        "tomada otra vez por {who}"
    ContinuedBy "bank-continued-by" { who: Party }
        "continued by {who}"
        "continuada por {who}"
    PassedBy "bank-passed-by" { who: Party }
        "passed by {who}"
        "cedida por {who}"
    PassedOn "bank-passed-on"
        "the bank passed on, for punto won"
        "la banca cedida, pues ganó el punto"
    DealsOn "banker-deals-on" { who: Party }
        "{who} deals on"
        "sigue repartiendo {who}"
    DealtFirst "coup-dealt-first"
        "a coup dealt first"
        "antes, repartir una jugada"
    LastWinner "last-winner"
        "the winner of the last shoe's last coup"
        "quien ganó la última jugada del sabot anterior"
    WhoStands "player-who-stands"
        "a player who stands"
        "un jugador de pie"
    WhoGaveUp "who-gave-it-up"
        "whoever gave it up"
        "quien la cedió"
    SeatedPlayer "seated-player"
        "a seated player"
        "un jugador sentado"
    Somebody "somebody-with-bank"
        "somebody who has the bank"
        "alguien que tenga la banca"
    Nobody "nobody-with-bank"
        "nobody"
        "nadie"
    LetPassOnce "let-bank-pass-once" { seat: u8 }
        "seat {seat} to let the bank pass once"
        "que el departamento {seat} deje pasar una vez la banca"
    BidsByOthers "bids-by-others"
        "bids by others than who passed it or would not deal"
        "pujas de quienes no la cedieron ni rehusaron la mano"
    BidBy "bid-by" { who: Party }
        "a bid by {who}"
        "una puja hecha por {who}"
    BidFirst "bid-first"
        "a bid first"
        "antes, una puja"
    SoldToAny "bank-sold-to-any" { bidders: AnyOf<Party> }
        "sold to {bidders}"
        "comprada por {bidders}"
    SoldTo "bank-sold-to" { who: Party }
        "sold to {who}"
        "comprada por {who}"
    For "bank-for" { amount: Sum }
        "for {amount}"
        "por {amount}"
    ForAtLeast "bank-for-at-least" { amount: Sum }
        "for at least {amount}"
        "por al menos {amount}"
    PartsWithin "partners-parts-within" { amount: Sum }
        "partners' parts within {amount}"
        "partes de los socios que no pasen de {amount}"
    PlayersAtLeast "players-at-least" { players: Players }
        "at least {players}"
        "al menos {players}"
    Players "players" { players: Players }
        "{players}"
        "{players}"
    CalledBancoAndLost "called-banco-and-lost"
        "the player who called banco in the previous coup and lost"
        "quien pidió banco en la jugada anterior y perdió"
    SeguidoBy "banco-seguido-by" { who: Party }
        "banco seguido by {who}"
        "banco seguido, pedido por {who}"
    BancoBeforeClose "banco-before-close"
        "banco before the bets were closed"
        "banco antes del «no va más»"
    BancoAfterwards "banco-afterwards" { who: Party }
        "banco called by {who} afterwards"
        "banco pedido después por {who}"
    BancoGivenTo "banco-given-to" { who: Party }
        "banco given to {who}"
        "banco para {who}"
}
