//! Checks that the clauses of chemin de fer appear only in its rulebooks, and those of a house bank only in the
//! others.

use super::{Faults, is_code, shown};
use crate::sentence::sentence;
use crate::{
    BetKind, BetRule, Charge, CheminRules, Consequence, Dealer, Draw, OneOf, PayRow, Pays, Points,
    PuntoHolderRule, Rulebook, TieBreak, Winner,
};

impl Rulebook {
    pub(super) fn check_game(&self, faults: &mut Faults) {
        match &self.chemin {
            Some(chemin) => {
                chemin.check(faults);
                self.check_for_chemin(faults);
            }
            None => self.check_for_house(faults),
        }
    }

    /// A player is the bank.
    fn check_for_chemin(&self, faults: &mut Faults) {
        let only = |faults: &mut Faults, key: &str, right: bool, expected: &str| {
            if !right {
                faults.say(
                    key,
                    sentence!(
                        "is not what chemin de fer has; expected `{expected}`",
                        "no es lo que tiene el chemin de fer; se espera `{expected}`"
                    ),
                );
            }
        };
        let deal = &self.deal;
        only(faults, "deal.dealer", deal.dealer == Dealer::Banker, "banker");
        only(faults, "deal.punto-holder", deal.punto_holder == PuntoHolderRule::Banco, "banco");
        only(faults, "deal.tie-break", deal.tie_break == TieBreak::Priority, "priority");
        match &self.commission {
            Some(rules) => only(faults, "commission.charge", rules.charge == Charge::Collected, "collected"),
            None => faults.say(
                "commission",
                sentence!(
                    "is missing; in chemin de fer the house lives by it",
                    "falta; en el chemin de fer la casa vive de ella"
                ),
            ),
        }
        if !self.forbidden_pairs.is_empty() {
            faults.say(
                "forbidden-pairs",
                sentence!(
                    "stand here, but chemin de fer has none; leave them out",
                    "están aquí, pero el chemin de fer no los tiene; quítelos"
                ),
            );
        }
        for (kind, winner) in [("punto", Winner::Punto), ("abono", Winner::Banca)] {
            self.check_bet(kind, winner, faults);
        }
        let known = |kind: &&BetKind| ["punto", "abono"].contains(&kind.as_str());
        for kind in self.bets.keys().filter(|kind| !known(kind)) {
            faults.say(
                format_args!("bets.{kind}"),
                sentence!(
                    "is no bet of chemin de fer; expected `punto`, and `abono` where there are abonos",
                    "no es una apuesta del chemin de fer; se espera `punto`, y `abono` si hay abonos"
                ),
            );
        }
    }

    /// Every stake wins as much as it is, or comes back on a tie: what one side loses the other wins.
    fn check_bet(&self, kind: &str, winner: Winner, faults: &mut Faults) {
        let key = format!("bets.{kind}");
        let due = kind == "punto" || self.chemin.as_ref().is_some_and(|chemin| chemin.abonos.is_some());
        let given = self.bets.iter().find(|(given, _)| given.as_str() == kind).map(|(_, rule)| rule);
        match (given, due) {
            (None, false) => {}
            (None, true) => faults.say(
                key,
                sentence!(
                    "is missing; this rulebook has such stakes",
                    "falta; este reglamento tiene tales apuestas"
                ),
            ),
            (Some(_), false) => faults.say(
                key,
                sentence!(
                    "stands here although [chemin.abonos] does not",
                    "está aquí aunque no hay [chemin.abonos]"
                ),
            ),
            (Some(rule), true) => {
                if !is_even(rule, winner) {
                    faults.say(key, sentence!(
                        "is not even money; expected rows `tie` push, `{winner}` 1:1, and no commission, cap \
                         or requirement of its own",
                        "no paga a la par; se esperan las filas `tie` push y `{winner}` 1:1, sin comisión, tope ni \
                         requisito propios"
                    ));
                }
            }
        }
    }

    /// The house is the bank.
    fn check_for_house(&self, faults: &mut Faults) {
        let deal = &self.deal;
        let needs_a_banker = [
            ("deal.dealer", deal.dealer == Dealer::Banker),
            ("deal.punto-holder", deal.punto_holder == PuntoHolderRule::Banco),
            ("deal.tie-break", deal.tie_break == TieBreak::Priority),
            ("tableau", self.leaves_a_choice()),
        ];
        for (key, _) in needs_a_banker.into_iter().filter(|(_, wrong)| *wrong) {
            faults.say(
                key,
                sentence!(
                    "holds what only chemin de fer has; add [chemin], or say it otherwise",
                    "contiene lo que solo tiene el chemin de fer; añada [chemin] o dígalo de otro modo"
                ),
            );
        }
        for (code, rule) in &self.irregularities {
            if rule.consequence.is_of_chemin() {
                let key = format!("irregularities.{code}.consequence");
                faults.say(
                    key,
                    sentence!(
                        "is one that only chemin de fer has; add [chemin], or say another",
                        "es una que solo tiene el chemin de fer; añada [chemin] o diga otra"
                    ),
                );
            }
        }
    }

    fn leaves_a_choice(&self) -> bool {
        let open = |draw: Draw| matches!(draw, Draw::Optional | Draw::Unstated);
        let points = |range: std::ops::Range<u8>| range.filter_map(Points::new);
        points(0..8).any(|total| {
            open(self.tableau.punto(total))
                || open(self.tableau.banca(total, None))
                || points(0..10).any(|column| open(self.tableau.banca(total, Some(column))))
        })
    }
}

impl CheminRules {
    fn check(&self, faults: &mut Faults) {
        faults.within("chemin.players.least", [&self.players.least], 2..=99);
        faults.within("chemin.bank.maximum", [&self.bank.maximum], 1..=1_000_000);
        faults.within("chemin.turn.leaves-after", [&self.turn.leaves_after], 1..=99);
        faults.within("chemin.garaje.voluntary-over", &self.garaje.voluntary_over, 1..=1_000_000);
        faults.within("chemin.abonos.most", self.abonos.as_ref().map(|abonos| &abonos.most), 1..=99);
        let office = &self.free_play.office;
        if !is_code(office) {
            let office = shown(office);
            faults.say(
                "chemin.free-play.office",
                sentence!(
                    "is {office}; expected 1 to 64 of a-z, 0-9 and -",
                    "es {office}; se esperan de 1 a 64 de a-z, 0-9 y -"
                ),
            );
        }
    }
}

impl Consequence {
    /// Whether only a game with a banker among the players can have it.
    const fn is_of_chemin(self) -> bool {
        match self {
            Self::CardRemoved | Self::CardStays | Self::NextCoup | Self::CoupVoid | Self::Ruling => false,
            Self::BancaTakesCard
            | Self::BancaCountsZero
            | Self::HigherCard
            | Self::LowerCard
            | Self::PuntoCountsNine
            | Self::BancaLoses
            | Self::PuntoLoses
            | Self::ChartBinds
            | Self::ChartDraws => true,
        }
    }
}

fn is_even(rule: &BetRule, winner: Winner) -> bool {
    let [tie, wins] = rule.rows.as_slice() else { return false };
    let only = |row: &PayRow, on: Winner| {
        let bare = PayRow { winner: None, pays: Pays::Lose, ..row.clone() };
        bare == PayRow::losing() && row.winner.as_ref().map(OneOf::values) == Some(&[on])
    };
    only(tie, Winner::Tie)
        && only(wins, winner)
        && tie.pays == Pays::Push
        && matches!(wins.pays, Pays::Wins(odds) if odds.wins() == odds.per())
        && rule.requires.is_empty()
        && (rule.commission, rule.cap, rule.cap_of_required) == (false, None, None)
}
