//! One coup, card by card: what happened, what had to happen next and why, and what each bet came to.

use askama::Template;
use replay::{BetView, CardView, CoupVerdict, CoupView, ThirdCard};
use texts::Texts;

use super::shoe::{coup_colour, hand};
use crate::cards::CardFace;
use crate::finding::{FindingView, left_out};
use crate::frame::{Frame, more, or_dash, sum};
use crate::links;

/// Cards and bets of a coup that are shown: a coup has six cards, and a table some dozens of bets.
const CARDS: usize = 52;
const BETS: usize = 500;

/// One step of a coup.
pub(crate) struct Step {
    /// From 1.
    number: usize,
    what: String,
    /// Why it had to be, or what it came to.
    why: Option<String>,
}

/// A card on the table, with the step at which it falls.
pub(crate) struct Fallen {
    face: CardFace,
    step: usize,
    /// Whether it is a hand's third card, which lies across.
    is_third: bool,
}

/// A hand on the table.
pub(crate) struct HandView {
    name: String,
    class: &'static str,
    cards: Vec<Fallen>,
    total: Option<u8>,
    has_won: bool,
}

/// A bet in a line.
pub(crate) struct BetLine {
    bet: u64,
    seat: String,
    kind: String,
    /// The colour of its chip.
    chip: &'static str,
    stake: String,
    due: String,
    recorded: String,
    differs: bool,
}

impl BetLine {
    fn of(bet: &BetView, coup: &CoupView, t: Texts) -> Self {
        let settlement = |settlement| t.settlement_of(bet, settlement, coup.currency.as_ref());
        let who = bet.player.as_ref().map(|player| format!(" {player}")).unwrap_or_default();
        Self {
            bet: bet.bet,
            seat: format!("{}{who}", bet.seat),
            kind: t.bet_word(&bet.kind),
            chip: match bet.kind.as_str() {
                "punto" => "punto",
                "banca" => "banca",
                "tie" => "tie",
                _ => "side",
            },
            stake: sum(t, bet.stake, coup.currency.as_ref()),
            due: settlement(bet.expected),
            recorded: settlement(bet.recorded),
            differs: Texts::is_settled_otherwise(bet),
        }
    }
}

#[derive(Template)]
#[template(path = "coup.html")]
pub(crate) struct Coup {
    pub(crate) frame: Frame,
    pub(crate) is_sealed: bool,
    colour: &'static str,
    verdict: String,
    /// What was ruled on it and corrected in it, a sentence each.
    rulings: Vec<String>,
    facts: Vec<(String, String)>,
    hands: [HandView; 2],
    steps: Vec<Step>,
    bets: Vec<BetLine>,
    more_bets: Option<String>,
    /// What the seats got beyond what was due, a sentence each.
    account: Vec<String>,
    /// The bank of chemin de fer, a sentence each.
    bank: Vec<String>,
    findings: Vec<FindingView>,
    more_findings: Option<String>,
    all_findings: String,
    pub(crate) before: Option<String>,
    pub(crate) after: Option<String>,
}

/// Makes the steps in the order of play.
struct Steps {
    t: Texts,
    steps: Vec<Step>,
    /// Running totals of punto and banca; none once a card was not read.
    totals: [Option<u8>; 2],
    fallen: [Vec<Fallen>; 2],
}

impl Steps {
    fn add(&mut self, what: String, why: Option<String>) -> usize {
        let number = self.steps.len() + 1;
        self.steps.push(Step { number, what, why });
        number
    }

    fn card(&mut self, card: &CardView) {
        let face = CardFace::of(card, self.t);
        let side = match card.to.as_str() {
            "punto" => 0,
            "banca" => 1,
            _ => {
                self.add(self.t.card_removed(&face.name), None);
                return;
            }
        };
        let total = match (self.totals[side], face.points) {
            (Some(total), Some(points)) => Some((total + points) % 10),
            (_, _) => None,
        };
        self.totals[side] = total;
        let hand = self.t.the_hand(&card.to);
        let came_to = match total {
            Some(total) => self.t.hand_has(total),
            None => self.t.total_not_known(),
        };
        let step = self.add(self.t.card_falls(hand, &face.name), Some(came_to));
        let is_third = self.fallen[side].len() == 2;
        self.fallen[side].push(Fallen { face, step, is_third });
    }

    /// What the rules asked of a hand, once it had its two cards.
    fn rule(&mut self, third: &ThirdCard) {
        self.add(self.t.why_third_card(third), None);
    }
}

/// The coup in its steps: bets, four cards, punto's rule and card, banca's rule and card, result, settlement.
fn steps(coup: &CoupView, t: Texts) -> (Vec<Step>, [Vec<Fallen>; 2], [Option<u8>; 2]) {
    let mut made =
        Steps { t, steps: Vec::new(), totals: [Some(0), Some(0)], fallen: [Vec::new(), Vec::new()] };
    if !coup.bets.is_empty() {
        let staked = coup.bets.iter().filter(|bet| !bet.withdrawn).map(|bet| bet.stake).sum();
        made.add(
            t.bets_are_placed(t.bets(coup.bets.len() as u64), sum(t, staked, coup.currency.as_ref())),
            None,
        );
    }
    let mut rules = coup.third_cards.iter();
    for (at, card) in coup.cards.iter().take(CARDS).enumerate() {
        if at >= 4 {
            // The rule of each hand is read before the card that it asks for.
            let due = rules.clone().take_while(|rule| rule.side.to_string() != card.to).count() + 1;
            rules.by_ref().take(due).for_each(|rule| made.rule(rule));
        }
        made.card(card);
    }
    rules.for_each(|rule| made.rule(rule));
    made.add(t.coup_result(t.totals_of(coup)), None);
    if !coup.bets.is_empty() && !coup.account.void {
        let wrong = coup.bets.iter().filter(|bet| Texts::is_settled_otherwise(bet)).count() as u64;
        let is_right = matches!(coup.verdict, CoupVerdict::Certified | CoupVerdict::Judged)
            && coup.account.is_settled_as_due();
        if wrong > 0 {
            made.add(t.bets_settled_otherwise(wrong), None);
        } else if is_right {
            made.add(t.bets_settled_as_due(), None);
        }
    }
    (made.steps, made.fallen, made.totals)
}

impl Coup {
    pub(crate) fn of(
        frame: Frame,
        coup: &CoupView,
        rulebooks: &[replay::RulebookUsed],
        is_sealed: bool,
    ) -> Self {
        let t = frame.t;
        let (steps, [punto, banca], totals) = steps(coup, t);
        let has_cards = !hand(coup, "punto", t).is_empty();
        let won = |side: baccarat::Winner| coup.winner == Some(side);
        let hand = |class, name, cards, total: Option<u8>, has_won| HandView {
            name,
            class,
            cards,
            total: total.filter(|_| has_cards),
            has_won,
        };
        let ((first, last), (first_entry, last_entry)) = (coup.sequences, coup.entries);
        let facts = vec![
            (t.rulebook_heading(), or_dash(coup.rulebook.as_ref())),
            range(first, last, t.desk_event(), t.desk_events(), t),
            range(first_entry, last_entry, t.desk_entry(), t.desk_entries(), t),
            (t.table_clock(), t.time(&coup.settled_at)),
        ];
        Self {
            colour: coup_colour(coup.verdict),
            verdict: t.coup_verdict(coup),
            rulings: t.ruling_lines(coup),
            facts,
            hands: [
                hand("punto", t.punto(), punto, totals[0], won(baccarat::Winner::Punto)),
                hand("banca", t.banca(), banca, totals[1], won(baccarat::Winner::Banca)),
            ],
            steps,
            bets: coup.bets.iter().take(BETS).map(|bet| BetLine::of(bet, coup, t)).collect(),
            more_bets: more(coup.bets.len(), BETS, t),
            account: t.account_lines(coup),
            bank: t.bank_lines(coup),
            findings: FindingView::of_place(&coup.findings, rulebooks, t),
            more_findings: left_out(&coup.findings, t),
            all_findings: links::page("findings", [("table", coup.table.as_str())]),
            is_sealed,
            before: None,
            after: None,
            frame,
        }
    }
}
/// From the first to the last, or the only one.
fn range(first: u64, last: u64, one: String, several: String, t: Texts) -> (String, String) {
    if first == last { (one, first.to_string()) } else { (several, t.range_of(first, last)) }
}
