//! Events that carry another coup's number but can only belong to the coup in play. They are judged with it, and
//! that is one finding: a wrong number must not also lead to an unsettled coup and a late bet.

use std::collections::BTreeSet;
use std::sync::Arc;

use events::{AbonoPlaced, BetPlaced, Body, CardDrawn, CoupSettled, Event};

use super::queue::Waiting;
use super::{Seen, Table};
use crate::Code;
use crate::coup::{Bet, BetState, CoupInPlay};
use crate::record::Revision;
use crate::sink::{Accusation, Sink};
use crate::statement::OfRecord;

/// Events waiting that are looked at where one of the coup in play comes: a slip stands right before it.
const MOST_BESIDE: usize = 16;

/// Bets of the shoe among which those of the number that a settlement carries are looked for.
const MOST_BETS: usize = 4_096;

impl Table {
    /// Judges an event that can only be of this coup.
    pub(super) fn judge_labelled(&mut self, event: &Event, coup: u32, seen: &Seen<'_>) -> Option<Revision> {
        let body = seen.amended.map_or(&event.body, |(_, body)| body);
        let label = body.coup().unwrap_or_default();
        let recorded = OfRecord::NamedOfCoup { event: body.into(), coup: label };
        let expected = OfRecord::EventOfCoup { coup };
        self.accuse_label(coup, Accusation::new(Code::CoupLabel, expected, recorded));
        let event = Event { body: with_label(&event.body, coup), ..event.clone() };
        let amended = seen.amended.map(|(by, body)| (by, with_label(body, coup)));
        let amended = amended.as_ref().map(|(by, body)| (*by, body));
        self.judge_as_named(&event, &Seen { amended, ..*seen })
    }

    /// Tells once that something of a coup carries another number.
    pub(super) fn accuse_label(&mut self, coup: u32, accusation: Accusation) {
        if self.label_reported.replace(coup) == Some(coup) {
            return;
        }
        let accusation = accusation.in_coup(coup);
        if self.play.as_ref().is_some_and(|play| play.number == coup) {
            self.sink.accuse(accusation);
        } else {
            self.of_coming(Some(coup), |table| table.sink.accuse(accusation));
        }
    }

    /// An event shows that others, or it itself, carry another number than that of the coup in play.
    #[allow(clippy::wildcard_enum_match_arm, reason = "another's number shows only where it is settled")]
    pub(super) fn shows_label(&self, body: &Body, seen: &Seen<'_>) -> Option<Revision> {
        if self.queue.is_empty() && !matches!(body, Body::CoupSettled(_)) {
            return None;
        }
        let play = self.play.as_deref().filter(|play| !play.voided && play.perhaps_over.is_none())?;
        let coup = body.coup()?;
        let sequences = match body {
            _ if coup == play.number => self.labelled_in_queue(play, body),
            Body::CoupSettled(settled) if self.settles(play, settled) => vec![seen.location.sequence],
            Body::CoupSettled(settled) => {
                return self.labelled_at_the_beginning(play, settled);
            }
            _ => Vec::new(),
        };
        (!sequences.is_empty()).then_some(Revision::Labelled { sequences, coup: play.number })
    }

    /// Events that wait, of other numbers, which an event of the coup in play shows to be of it.
    #[allow(clippy::wildcard_enum_match_arm, reason = "what else waits is asked by its kind")]
    fn labelled_in_queue(&self, play: &CoupInPlay, shows: &Body) -> Vec<u64> {
        let settles = matches!(shows, Body::CoupSettled(_));
        // A settlement, behind which none waits, is shown to all of them.
        let most = if settles { usize::MAX } else { MOST_BESIDE };
        let (mut sequences, mut cards) = (Vec::new(), 0);
        let (mut lacks_card, mut lines) = (None, None);
        // If events are missing among them, it is reported where the coup is settled.
        let whole = self.queue.first().is_some_and(|first| first.location.sequence >= play.missing_behind);
        let undealt = (settles && whole && play.awaits_first_card())
            .then(|| self.dealt_under(lines.get_or_insert_with(|| self.bets_shown(play, shows))));
        for waiting in self.queue.iter().rev().take(most) {
            let body = &waiting.event.body;
            let dealt = || {
                body.coup().is_some_and(|coup| undealt.as_ref().is_some_and(|coups| coups.contains(&coup)))
            };
            let own = match body {
                _ if waiting.location.sequence < play.missing_behind => false,
                _ if lacks(play, body) && dealt() => true,
                Body::CardDrawn(card) if card.to.side().is_none() => false,
                Body::CardDrawn(card) => match shows {
                    Body::CardDrawn(next) => lies_before(play, card, next, cards),
                    Body::CoupSettled(_) | Body::BankSettled(_) if settles || !play.has_account() => {
                        let behind = play.last_position().is_some_and(|last| last < card.position);
                        behind && *lacks_card.get_or_insert_with(|| self.lacks_card(play))
                    }
                    _ => false,
                },
                Body::BetPlaced(BetPlaced { bet, .. }) | Body::AbonoPlaced(AbonoPlaced { bet, .. }) => {
                    lines.get_or_insert_with(|| self.bets_shown(play, shows)).contains(bet)
                }
                _ => can_only_be_of(play, body, shows),
            };
            cards += usize::from(matches!(body, Body::CardDrawn(_)));
            sequences.extend(own.then_some(waiting.location.sequence));
        }
        let account = self.chemin.as_ref().and_then(|chemin| chemin.account_of_another());
        let lacks_account = settles && !play.awaits_first_card() && !play.has_account();
        sequences.extend(account.filter(|sequence| lacks_account && *sequence >= play.missing_behind));
        sequences
    }

    /// Numbers under which cards wait and no bets but those that the settlement names: a coup that has no cards was dealt
    /// under them.
    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else says whether a coup was dealt")]
    fn dealt_under(&self, own: &BTreeSet<u64>) -> BTreeSet<u32> {
        let (mut dealt, mut staked) = (BTreeSet::new(), BTreeSet::new());
        for waiting in self.queue.iter() {
            match &waiting.event.body {
                Body::CardDrawn(card) if card.to.side().is_some() => _ = dealt.insert(card.coup),
                Body::BetPlaced(BetPlaced { coup, bet, .. })
                | Body::AbonoPlaced(AbonoPlaced { coup, bet, .. })
                    if !own.contains(bet) =>
                {
                    staked.insert(*coup);
                }
                _ => {}
            }
        }
        dealt.retain(|coup| !staked.contains(coup));
        dealt
    }

    /// Bets that are no bets of the coup in play by their numbers, and that its settlement names, or that are taken back
    /// before its close.
    #[allow(clippy::wildcard_enum_match_arm, reason = "nothing else shows whose a bet is")]
    fn bets_shown(&self, play: &CoupInPlay, shows: &Body) -> BTreeSet<u64> {
        let taken_back = |waiting: &Arc<Waiting>| match &waiting.event.body {
            Body::BetWithdrawn(withdrawn) => Some(withdrawn.bet),
            _ => None,
        };
        let mut bets: BTreeSet<u64> = match shows {
            Body::CoupSettled(settled) => settled.bets.iter().map(|line| line.bet).collect(),
            Body::BetsClosed(_) if !play.bets_closed() && play.awaits_first_card() => {
                self.queue.iter().rev().take(MOST_BESIDE).filter_map(taken_back).collect()
            }
            _ => return BTreeSet::new(),
        };
        play.bets.iter().for_each(|bet| _ = bets.remove(&bet.id));
        bets
    }

    /// Whether a card is due still in the coup in play, or was announced.
    fn lacks_card(&self, play: &CoupInPlay) -> bool {
        let Some(rules) = self.rules() else { return false };
        let mut play = play.clone();
        if play.chemin.is_some() {
            play.check_choices(&rules, &mut Sink::default());
        } else {
            play.check_finished(&rules, &mut Sink::default());
        }
        play.short
    }

    /// Whether a settlement under another number names bets of the coup in play alone.
    fn settles(&self, play: &CoupInPlay, settled: &CoupSettled) -> bool {
        // What it costs to look is paid for by its lines.
        let names_few = settled.bets.is_empty() || settled.bets.len() < play.bets.len() / 2;
        if settled.coup == play.number || names_few || play.awaits_first_card() {
            return false;
        }
        let own: BTreeSet<u64> = play.bets.iter().map(|bet| bet.id).collect();
        let seats = self.bet_seats.all.iter().rev().take(MOST_BETS);
        let others: BTreeSet<u64> =
            seats.filter(|(coup, ..)| *coup == settled.coup).map(|(_, bet, _)| *bet).collect();
        settled.bets.iter().all(|line| own.contains(&line.bet) && !others.contains(&line.bet))
    }

    /// A coup is settled while one is in play of which nothing was dealt: whether that is the beginning of the one
    /// that is settled.
    fn labelled_at_the_beginning(&self, play: &CoupInPlay, settled: &CoupSettled) -> Option<Revision> {
        let waits = |is: fn(&Body) -> bool| {
            let own = |waiting: &&Arc<Waiting>| waiting.event.body.coup() == Some(settled.coup);
            self.queue.iter().filter(own).any(|waiting| is(&waiting.event.body))
        };
        let gap = play.missing_behind > self.play_began.sequence;
        if gap || !play.awaits_first_card() || !waits(|body| matches!(body, Body::CardDrawn(_))) {
            return None;
        }
        let closed_twice = play.bets_closed() && waits(|body| matches!(body, Body::BetsClosed(_)));
        let lines: BTreeSet<u64> = settled.bets.iter().map(|line| line.bet).collect();
        let stands = |bet: &&Bet| bet.state == BetState::Stands;
        let named = play.bets.iter().filter(stands).all(|bet| lines.contains(&bet.id));
        // Bets that are all withdrawn show nothing, unless the number is not due; nor does a holder recorded late.
        let none_stands = !play.bets.is_empty() && !play.bets.iter().any(|bet| stands(&bet));
        let due = self.over.last().map_or(1, |over| over.number.saturating_add(1)) == settled.coup;
        let is_late = play.bets.is_empty() && play.holder_recorded() && self.is_settled(play.number);
        if closed_twice || !named || none_stands && !due || is_late {
            return None;
        }
        let bets = play.bets.iter().map(|bet| bet.sequence);
        let sequences =
            std::iter::once(self.play_began.sequence).chain(bets).chain(play.closed_at()).collect();
        Some(Revision::Labelled { sequences, coup: settled.coup })
    }
}

/// Whether a coup that was not dealt lacks this.
#[allow(clippy::wildcard_enum_match_arm, reason = "nothing else belongs to the dealing of a coup")]
fn lacks(play: &CoupInPlay, body: &Body) -> bool {
    match body {
        Body::CardDrawn(_) | Body::DrawDecided(_) => true,
        Body::BetsClosed(_) => !play.bets_closed(),
        Body::PuntoHolder(_) => !play.holder_recorded(),
        Body::BankSettled(_) => !play.has_account(),
        _ => false,
    }
}

/// Whether a card that waits lies right before one of the coup in play in the shoe, but for so many that wait behind it.
fn lies_before(play: &CoupInPlay, card: &CardDrawn, next: &CardDrawn, behind: usize) -> bool {
    let begun = !play.awaits_first_card() || play.bets_closed();
    let distance = next.position.checked_sub(card.position).map_or(0, usize::from);
    begun && next.to.side().is_some() && (1..=behind + 1).contains(&distance)
}

/// Whether what was recorded under another number before this event of the coup in play is of the coup in play.
#[allow(clippy::wildcard_enum_match_arm, reason = "nothing else shows whose they are")]
fn can_only_be_of(play: &CoupInPlay, waiting: &Body, shows: &Body) -> bool {
    let undealt = play.awaits_first_card();
    let draws = matches!(shows, Body::CardDrawn(drawn) if drawn.to.side().is_some());
    match (waiting, shows) {
        (Body::BetsClosed(_), _) => {
            undealt && !play.bets_closed() && (draws || matches!(shows, Body::PuntoHolder(_)))
        }
        (Body::PuntoHolder(_), _) => undealt && draws && play.bets_closed() && !play.holder_recorded(),
        (Body::BancoCalled(_), Body::BetsClosed(_) | Body::CardDrawn(_)) => undealt,
        (Body::DrawDecided(said), Body::DrawDecided(next)) => {
            !undealt && said.hand != next.hand && !play.has_decided(said.hand)
        }
        (Body::DrawDecided(said), Body::CardDrawn(_) | Body::BankSettled(_) | Body::CoupSettled(_)) => {
            !undealt && !play.has_decided(said.hand)
        }
        (Body::BankSettled(_), Body::CoupSettled(_)) => !undealt && !play.has_account(),
        _ => false,
    }
}

/// The same of this coup.
#[allow(clippy::wildcard_enum_match_arm, reason = "nothing else is named anew")]
fn with_label(body: &Body, coup: u32) -> Body {
    let mut body = body.clone();
    match &mut body {
        Body::BetPlaced(placed) => placed.coup = coup,
        Body::AbonoPlaced(placed) => placed.coup = coup,
        Body::BetsClosed(closed) => closed.coup = coup,
        Body::PuntoHolder(given) => given.coup = coup,
        Body::BancoCalled(called) => called.coup = coup,
        Body::CardDrawn(drawn) => drawn.coup = coup,
        Body::DrawDecided(decided) => decided.coup = coup,
        Body::BankSettled(settled) => settled.coup = coup,
        Body::CoupSettled(settled) => settled.coup = coup,
        _ => {}
    }
    body
}
