//! A coup as it stands in a record: the positions of its events, its bets, its hands.

use baccarat::{Coup, Deal, Side, Winner};
use events::{BetPlaced, BetSettled, Body, CardDrawn, CoupSettled};

use super::NEW_BET;
use super::tape::Tape;
use crate::session::signed;

/// A bet that was placed and settled.
#[derive(Debug, Clone)]
pub(crate) struct BetAt {
    /// Where it was placed.
    pub(crate) at: usize,
    pub(crate) placed: BetPlaced,
    /// Its settlement.
    pub(crate) settled: BetSettled,
}

impl BetAt {
    pub(crate) fn is_on(&self, kind: &str) -> bool {
        self.placed.kind.as_str() == kind
    }

    pub(crate) fn won(&self) -> bool {
        self.settled.returned > self.placed.stake
    }

    pub(crate) fn lost(&self) -> bool {
        self.settled.returned.get() == 0
    }
}

/// A coup that was played without anything unusual.
#[derive(Debug, Clone)]
pub(crate) struct CoupAt {
    pub(crate) number: u32,
    /// Where its shoe was loaded.
    pub(crate) shoe: usize,
    /// Its first event.
    pub(crate) begins: usize,
    /// "No va más".
    pub(crate) closed: usize,
    pub(crate) holder: Option<usize>,
    /// Its cards, each with the index of its event.
    pub(crate) cards: Vec<(usize, CardDrawn)>,
    pub(crate) settled: usize,
    pub(crate) account: CoupSettled,
    pub(crate) bets: Vec<BetAt>,
}

impl CoupAt {
    /// The coup that this event settles, if nothing unusual happened in it.
    pub(super) fn settled_at(tape: &Tape, shoe: usize, settled: usize) -> Option<Self> {
        let Body::CoupSettled(account) = tape.body(settled) else { return None };
        let of_it = |body: &Body| coup_of(body) == Some(account.coup);
        let begins = (shoe..settled).rev().take_while(|at| of_it(tape.body(*at))).last()?;
        // A withdrawn bet hides those before it.
        if let Body::BetWithdrawn(_) = tape.body(begins.checked_sub(1)?) {
            return None;
        }
        let closed = tape.find(begins, |body| matches!(body, Body::BetsClosed(_)))?;
        let mut coup = Self {
            number: account.coup,
            shoe,
            begins,
            closed,
            holder: None,
            cards: Vec::new(),
            settled,
            account: account.clone(),
            bets: Vec::new(),
        };
        (begins..settled).for_each(|at| coup.note(tape, at));
        let before = (begins..settled).any(|at| matches!(tape.body(at), Body::CoupSettled(_)));
        let early = coup.cards.first().is_some_and(|(at, _)| *at < closed);
        if before || early {
            return None;
        }
        let again = tape.lines.get(settled + 1).is_some_and(|next| {
            of_it(&next.event) || matches!(next.event, Body::CorrectionRecorded(_) | Body::CoupVoided(_))
        });
        (closed < settled && !again && coup.hands().is_some()).then_some(coup)
    }

    fn note(&mut self, tape: &Tape, at: usize) {
        if let Body::BetPlaced(placed) = tape.body(at) {
            let settled = self.account.bets.iter().find(|line| line.bet == placed.bet).copied();
            let bet = settled.map(|settled| BetAt { at, placed: placed.clone(), settled });
            self.bets.extend(bet);
        } else if let Body::CardDrawn(drawn) = tape.body(at) {
            self.cards.push((at, drawn.clone()));
        } else if let Body::PuntoHolder(_) = tape.body(at) {
            self.holder = Some(at);
        }
    }

    /// Both hands.
    pub(crate) fn hands(&self) -> Option<Coup> {
        let mut deal = Deal::default();
        for (_, drawn) in &self.cards {
            deal.give(drawn.to.side()?, drawn.card);
        }
        deal.coup()
    }

    pub(crate) fn hand_of(&self, side: Side) -> Vec<&(usize, CardDrawn)> {
        self.cards.iter().filter(|(_, drawn)| drawn.to.side() == Some(side)).collect()
    }

    /// Whether no commission was taken on any bet.
    pub(crate) fn untaxed(&self) -> bool {
        self.account.bets.iter().all(|line| line.commission.get() == 0)
    }

    /// Id of a bet that nobody placed before.
    pub(crate) fn new_bet(&self) -> u64 {
        self.account.bets.iter().map(|line| line.bet + 1).max().unwrap_or_default().max(NEW_BET)
    }

    /// A bet on punto, banca or a tie, which only points decide.
    pub(crate) fn plain_bet(&self, fits: impl Fn(&BetAt) -> bool) -> Option<&BetAt> {
        let plain = |bet: &&BetAt| ["punto", "banca", "tie"].contains(&bet.placed.kind.as_str());
        self.bets.iter().filter(plain).find(|bet| fits(bet))
    }

    pub(crate) const fn winner(&self) -> Winner {
        self.account.winner
    }

    /// The account with one line of it altered.
    pub(crate) fn paying(&self, bet: u64, alter: impl Fn(&mut BetSettled)) -> CoupSettled {
        let mut account = self.account.clone();
        account.bets.iter_mut().filter(|line| line.bet == bet).for_each(alter);
        account
    }

    /// What all its bets brought, by seat.
    pub(crate) fn returned(&self) -> Vec<(u8, i64)> {
        self.bets.iter().map(|bet| (bet.placed.seat, signed(bet.settled.returned))).collect()
    }
}

/// The coup an event of ordinary play names.
#[allow(clippy::wildcard_enum_match_arm, reason = "whatever else there is, is not ordinary play")]
fn coup_of(body: &Body) -> Option<u32> {
    match body {
        Body::BetPlaced(placed) => Some(placed.coup),
        Body::BetsClosed(closed) => Some(closed.coup),
        Body::PuntoHolder(holder) => Some(holder.coup),
        Body::CardDrawn(drawn) => drawn.to.side().map(|_| drawn.coup),
        Body::CoupSettled(settled) => Some(settled.coup),
        _ => None,
    }
}
