//! Lines of a call sheet that only chemin de fer has.
//!
//! ```text
//! chemin                       open, five players p1 to p5 at seats 1 to 5, counted, a shoe
//! take 1 20000 how=auction     BankTaken; how=turn unless said; player=, partner=NAME:AMOUNT
//! pass 1 0 lost                BankPassed
//! call banco 3 player=ana      BancoCalled
//! abono 7 seat 4 1000          AbonoPlaced
//! garaje voluntary 60000       GarajeSet
//! says banca carta asked       DrawDecided
//! bank won=20000 c=1000 bank=39000 garaje=0    BankSettled
//! bid 4 30000                  BankBid
//! leave-for free-play jefe-de-mesa             LeaveGiven
//! players 5                    PlayersPresent
//! ```

use events::{
    AbonoPlaced, BancoCalled, BankBid, BankPassed, BankSettled, BankTaken, Body, Counsel, DrawDecided,
    GarajeSet, LeaveGiven, Partner, PlayersPresent,
};
use serde::de::DeserializeOwned;

use super::{Sheet, Words, money, name};

/// A word of an event's own vocabulary.
fn word<T: DeserializeOwned>(text: &str) -> T {
    serde_json::from_value(text.into()).unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// `chemin`, or `chemin catalogo`.
pub fn preamble(sheet: &mut Sheet, words: &Words<'_>) {
    let book = words.plain.get(1).map_or("chemin-de-fer-es-1979", |_| "chemin-de-fer-catalogo");
    sheet.line(&format!("open {book} seats=1,2,3,4,5,6"));
    for seat in 1..=5 {
        sheet.line(&format!("sit {seat} player=p{seat}"));
    }
    sheet.line("players 5");
    sheet.line("shoe");
}

/// The event of a line, if this game alone has it.
pub fn body(words: &Words<'_>, coup: u32) -> Option<Body> {
    let player = words.given.get("player").map(|text| name(text));
    let sum = |key: &str| money(words.given(key).unwrap_or(0));
    Some(match words.plain[0] {
        "take" => {
            let partner = words.given.get("partner").map(|text| {
                let (who, part) = text.split_once(':').expect("NAME:AMOUNT");
                Partner { player: name(who), amount: money(part.parse().expect("a sum")) }
            });
            Body::BankTaken(BankTaken {
                seat: words.number(1),
                player,
                amount: money(words.number(2)),
                how: word(words.given.get("how").unwrap_or(&"turn")),
                partners: partner.into_iter().collect(),
            })
        }
        "pass" => Body::BankPassed(BankPassed {
            seat: words.number(1),
            player,
            amount: money(words.number(2)),
            why: word(words.plain[3]),
        }),
        "call" => {
            Body::BancoCalled(BancoCalled { coup, seat: words.number(2), player, call: word(words.plain[1]) })
        }
        "abono" => Body::AbonoPlaced(AbonoPlaced {
            coup,
            bet: words.number(1),
            seat: words.number(3),
            player,
            stake: money(words.number(4)),
        }),
        "garaje" => Body::GarajeSet(GarajeSet { kind: word(words.plain[1]), amount: money(words.number(2)) }),
        "says" => Body::DrawDecided(DrawDecided {
            coup,
            hand: word(words.plain[1]),
            decision: word(words.plain[2]),
            counsel: if words.plain.get(3).is_some() { Counsel::Croupier } else { Counsel::None },
        }),
        "bank" => Body::BankSettled(BankSettled {
            coup,
            won: sum("won"),
            lost: sum("lost"),
            commission: sum("c"),
            bank: sum("bank"),
            garaje: sum("garaje"),
        }),
        "bid" => Body::BankBid(BankBid { seat: words.number(1), player, amount: money(words.number(2)) }),
        "leave-for" => Body::LeaveGiven(LeaveGiven {
            leave: word(words.plain[1]),
            office: name(words.plain[2]),
            given_by: name("somebody"),
        }),
        "players" => Body::PlayersPresent(PlayersPresent { players: words.number(1) }),
        _ => return None,
    })
}
