//! One table as the judge of a log keeps it: what its shoes that are over come to, what is reported while its record goes on,
//! and what is saved.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::sync::Arc;

use baccarat::Digest;
use events::{Event, RulebookDocument, TableOpened};
use serde::{Deserialize, Serialize, Serializer};

use super::record::{Noted, Record, Rulebooks, Saved};
use crate::asked::Asked;
use crate::caps::Cap;
use crate::identity::{Opening, Texts, id_of};
use crate::kept::Kept;
use crate::ledger::Ledger;
use crate::producers::Producers;
use crate::question::Question;
use crate::record::Reported;
use crate::results::{Begun, Standing, Together};
use crate::shoe_locations::ShoeLocations;
use crate::sink::{Accusation, Location, more_than_kept};
use crate::tally::{Counted, Tally};
use crate::{
    Code, CoupPlace, Currency, Finding, Reason, Received, RuleReference, RulebookUsed, TableState, TakenBack,
};

/// Most events of earlier shoes that are listed because a correction names them: the shoes that have locations, with many each.
const MAX_CORRECTED_LATER: usize = 4_096;

/// The content of an entry: its bytes and its events, or the number of events and why they are not known.
pub(crate) type Content = Result<(Arc<[u8]>, Vec<Event>), (u32, Reason)>;

/// One table.
#[derive(Debug, Clone)]
pub(crate) struct Judged {
    id: String,
    asked: Asked,
    record: Record<Together>,
    /// What the shoes that are over come to.
    over: Counted,
    pub(crate) shoe_locations: ShoeLocations,
    known: Recorded,
    /// The findings reported so far, if they are reported as they show.
    reported: Option<Box<Reported>>,
    /// Findings that became final, if they are handed on then.
    handed_on: Option<Vec<Finding>>,
}

/// What is remembered of its record besides what is judged.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Recorded {
    producers: Producers,
    /// The last opening.
    opened: Option<Opened>,
    /// Texts of rulebooks that it was opened under.
    texts: Texts,
    /// Openings under a new text that were not asked for yet.
    #[serde(skip)]
    openings: Vec<Opening>,
    /// Events of shoes that are over which corrections in later shoes name, the newest [`MAX_CORRECTED_LATER`].
    corrected_later: BTreeSet<u64>,
    /// Whether it is reported since the last opening that more is recorded than is kept.
    forgotten: bool,
    /// Whether it is reported that a correction names an event of a coup whose result is forgotten.
    past_forgotten: bool,
    /// Sequences of events of shoes that are not counted yet under which two events are recorded.
    contradicted: BTreeSet<u64>,
    /// How the table stands, once its record has ended.
    #[serde(skip)]
    at_end: Standing,
}

/// What findings say of the opening under which they are found.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Opened {
    rulebook: RulebookDocument,
    currency: Currency,
}

impl From<&TableOpened> for Opened {
    fn from(opened: &TableOpened) -> Self {
        Self { rulebook: opened.rulebook.clone(), currency: Currency::of(opened) }
    }
}

/// By what its record is judged.
const fn by<'j>(asked: &'j Asked, known: &'j Recorded) -> Rulebooks<'j> {
    Rulebooks { grammars: asked, books: asked, producers: &known.producers }
}

impl Judged {
    pub(crate) fn new(id: String, question: Arc<Question>) -> Self {
        let record = Record::new(&id, Together::of(Arc::clone(&question)));
        Self {
            id,
            asked: Asked::new(question),
            record,
            over: Counted::default(),
            shoe_locations: ShoeLocations::default(),
            known: Recorded::default(),
            reported: None,
            handed_on: None,
        }
    }

    /// The id of the table.
    pub(crate) fn id(&self) -> &str {
        &self.id
    }

    /// From here on findings are reported as they show.
    pub(crate) fn report_live(&mut self) {
        self.reported.get_or_insert_default();
    }

    /// From here on every finding is reported once it is final.
    pub(crate) fn hand_on(&mut self) {
        self.handed_on.get_or_insert_default();
    }

    /// The next entry is this producer's.
    pub(crate) fn recorded_by(&mut self, entry: u64, producer: &str) {
        self.known.producers.note(entry, producer);
    }

    /// Takes what an entry holds; `first` is the sequence of the first of its events.
    pub(crate) fn entry(&mut self, entry: u64, first: u64, content: Content, received: Received) {
        let Self { record, asked, known, .. } = self;
        match content {
            Ok(events) => record.entry((entry, first), events, received, by(asked, known)),
            Err(unknown) => record.unknown((entry, first), unknown, received, by(asked, known)),
        }
        self.take_news();
    }

    /// This copy of the log leaves out entries before the one that begins at `first`.
    pub(crate) fn left_out_to(&mut self, first: u64) {
        self.record.left_out_to(first, by(&self.asked, &self.known));
        self.take_news();
    }

    /// What the last entry showed.
    fn take_news(&mut self) {
        for (at, noted) in self.record.take_noted() {
            self.note(at, noted);
        }
        let over = self.record.take_over();
        if !over.is_empty() {
            self.asked.forget();
        }
        over.into_iter().for_each(|over| self.settle(over));
        for (at, wrong) in self.record.take_accused() {
            self.accuse(at, *wrong);
        }
        for sequence in self.record.take_contradicted() {
            self.contradict(sequence);
        }
        if let Some(reported) = &mut self.reported {
            let now = self.record.so_far(by(&self.asked, &self.known));
            now.iter().for_each(|now| reported.report_again(now.found()));
        }
    }

    fn note(&mut self, at: Location, noted: Noted) {
        match noted {
            Noted::Loaded(shoe) => self.shoe_locations.load(&shoe, at.sequence),
            Noted::Forgotten => {
                if !std::mem::replace(&mut self.known.forgotten, true) {
                    self.accuse(at, more_than_kept(Cap::BytesOfShoe));
                }
            }
            Noted::Limits => self.shoe_locations.limit(at.sequence),
            Noted::Opened(opened) => {
                self.shoe_locations.open(at.sequence);
                self.note_text(at, &opened);
                self.known.opened = Some(Opened::from(&*opened));
                self.known.forgotten = false;
            }
        }
    }

    /// Another table may be opened under another text of the same id.
    fn note_text(&mut self, location: Location, opened: &TableOpened) {
        let text = opened.rulebook.as_str();
        let (Some(id), None) = (id_of(text), &self.asked.question().approved) else { return };
        let digest = Digest::of(text).to_string();
        if self.known.texts.add(&id, &digest) == Some(true) {
            self.known.openings.push(Opening { location, table: self.id.clone(), id, digest });
        }
    }

    /// A part of the record is over: what it comes to is final.
    fn settle(&mut self, over: Together) {
        if let Some(handed_on) = &mut self.handed_on {
            handed_on.extend_from_slice(over.found());
        }
        if let Some(reported) = &mut self.reported {
            reported.report_again(over.found());
            reported.settle();
        }
        self.count_over(over);
    }

    fn count_over(&mut self, over: Together) {
        // What is counted already is looked for before what is over takes its place among what is remembered.
        let is_counted = |(_, sequence): &(Location, u64)| {
            self.over.past_shoe(*sequence).is_some() || self.over.has_forgotten(*sequence)
        };
        let (before, now): (Vec<_>, Vec<_>) = over.corrected_past().iter().copied().partition(is_counted);
        before.into_iter().for_each(|(at, sequence)| self.reopen(at, sequence));
        self.over.merge(Counted::of(over.into_tally()));
        now.into_iter().for_each(|(at, sequence)| self.reopen(at, sequence));
        for sequence in std::mem::take(&mut self.known.contradicted) {
            self.contradict(sequence);
        }
    }

    /// A correction names an event of a shoe that is over.
    fn reopen(&mut self, at: Location, sequence: u64) {
        let later = &mut self.known.corrected_later;
        later.insert(sequence);
        if later.len() > MAX_CORRECTED_LATER {
            later.pop_first();
        }
        let ledger_of = self.asked.question().ledger.then_some(self.id.as_str());
        self.over.reopen(sequence, ledger_of);
        if self.over.has_forgotten(sequence) && !std::mem::replace(&mut self.known.past_forgotten, true) {
            self.accuse(at, more_than_kept(Cap::PastCoups));
        }
    }

    /// Two events have this sequence: the shoe that was in play there is violated.
    fn contradict(&mut self, sequence: u64) {
        match self.over.past_shoe(sequence) {
            Some(loaded) => {
                let ledger_of = self.asked.question().ledger.then_some(self.id.as_str());
                self.over.violate_shoe(loaded, ledger_of);
            }
            // A shoe is counted once the next is.
            None if self.over.follows_all_shoes(sequence) => drop(self.known.contradicted.insert(sequence)),
            None => {}
        }
    }

    /// Reports something about the numbering. Nothing that comes later makes it right.
    fn accuse(&mut self, at: Location, accusation: Accusation) {
        let loaded = self.shoe_at(at.sequence);
        let finding = self.finding(at, accusation, loaded);
        if self.asked.question().ledger {
            self.over.ledger.get_or_insert_default().found(&finding, loaded);
        }
        self.over.summary.count_finding(&finding);
        self.over.kept.keep(finding.clone());
        if let Some(handed_on) = &mut self.handed_on {
            handed_on.push(finding.clone());
        }
        if let Some(reported) = &mut self.reported {
            reported.report_final(finding);
        }
    }

    /// Where the shoe was loaded that was in play at this sequence, as far as that is known.
    fn shoe_at(&self, sequence: u64) -> Option<u64> {
        let in_play = || self.shoe_locations.shoes().rev().find(|shoe| shoe.first <= sequence);
        self.over.past_shoe(sequence).or_else(|| Some(in_play()?.first))
    }

    fn finding(&self, at: Location, accusation: Accusation, loaded: Option<u64>) -> Finding {
        let Accusation { code, expected, recorded, cause, .. } = accusation;
        let opened = self.known.opened.as_ref();
        Finding {
            entry: at.entry,
            table: self.id.clone(),
            sequence: at.sequence,
            code,
            severity: code.severity(),
            shoe: loaded.and_then(|loaded| self.shoe_locations.loaded_at(loaded)).map(str::to_owned),
            coup: None,
            rule: RuleReference::of(
                code.clause().as_ref(),
                opened.and_then(|opened| self.asked.rulebook(&opened.rulebook)),
            ),
            money: Vec::new(),
            expected,
            recorded: self.known.producers.said(code, at.entry).unwrap_or(recorded),
            currency: opened.map(|opened| opened.currency.clone()),
            sentence: code.english(),
            frase: code.spanish(),
            cause,
        }
    }

    /// Openings since this was asked last, each under a text that the table was not opened under before.
    pub(crate) fn take_openings(&mut self) -> impl Iterator<Item = Opening> + use<> {
        std::mem::take(&mut self.known.openings).into_iter()
    }

    /// The new findings, and those that are taken back.
    pub(crate) fn take_reported(&mut self) -> (Vec<Finding>, Vec<TakenBack>) {
        self.reported.as_mut().map(|reported| reported.take()).unwrap_or_default()
    }

    /// Findings that became final since this was asked last, in log order.
    pub(crate) fn take_settled(&mut self) -> Vec<Finding> {
        let mut settled = self.handed_on.as_mut().map(std::mem::take).unwrap_or_default();
        settled.sort_unstable();
        settled
    }

    /// Findings that are final, to be kept for the log.
    pub(crate) fn settled_findings(&mut self) -> Kept {
        if self.over.kept.is_empty() { Kept::default() } else { std::mem::take(&mut self.over.kept) }
    }

    /// The coups whose place is final, where coups are listed.
    pub(crate) fn take_listed(&mut self) -> Vec<CoupPlace> {
        if self.over.listed.is_empty() { Vec::new() } else { std::mem::take(&mut self.over.listed) }
    }

    /// The part of the ledger that is final.
    pub(crate) fn settled_ledger(&mut self) -> Option<Ledger> {
        let kept = if self.asked.question().ledger { self.over.ledger.take() } else { None };
        kept.map(|ledger| *ledger)
    }

    /// A finding that no event of this table shows alone.
    pub(crate) fn count(&mut self, finding: &Finding) {
        self.over.summary.count_finding(finding);
    }

    /// The table's record ends. Corrections that it was not given name the events of `corrected_later`.
    pub(crate) fn finish(&mut self, corrected_later: &[u64]) -> Tally {
        self.record.end(by(&self.asked, &self.known));
        self.take_news();
        let last = self.record.as_it_stands(by(&self.asked, &self.known));
        if let Some(handed_on) = &mut self.handed_on {
            handed_on.extend_from_slice(last.found());
        }
        self.known.at_end = last.standing();
        self.count_over(last);
        let mut tally = std::mem::take(&mut self.over).into_tally();
        tally.repeated += self.record.repeated();
        let ledger_of = self.asked.question().ledger.then_some(self.id.as_str());
        corrected_later.iter().for_each(|sequence| tally.reopen(*sequence, ledger_of));
        tally
    }

    /// The events in this range that corrections in later shoes name, the one in play included.
    pub(crate) fn corrected_later(&self, events: RangeInclusive<u64>) -> Vec<u64> {
        let now = self.record.as_it_is(by(&self.asked, &self.known));
        let in_play = now.corrected_past().iter().map(|(_, sequence)| *sequence);
        let all = self.known.corrected_later.iter().copied().chain(in_play);
        let named: BTreeSet<u64> = all.filter(|sequence| events.contains(sequence)).collect();
        named.into_iter().collect()
    }

    /// Events missing from the numbering, as far as they were given up.
    pub(crate) fn missing(&self) -> u64 {
        self.record.missing()
    }

    /// About how many bytes it holds.
    pub(crate) fn held(&self) -> u64 {
        const OF_ITSELF: u64 = 8 << 10;
        const OF_A_BYTE: u64 = 4;
        const OF_A_PRODUCER: u64 = 96;
        let named = self.known.producers.len() as u64 * OF_A_PRODUCER;
        OF_ITSELF + self.record.bytes().saturating_mul(OF_A_BYTE) + named
    }
}

/// What has to be kept of a table.
#[derive(Serialize, Deserialize)]
struct SavedJudged<'s> {
    id: Cow<'s, str>,
    record: Saved,
    before: (Begun, Standing),
    over: Cow<'s, Counted>,
    shoe_locations: Cow<'s, ShoeLocations>,
    known: Cow<'s, Recorded>,
    reported: Cow<'s, Option<Box<Reported>>>,
}

impl Serialize for Judged {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let saved = SavedJudged {
            id: Cow::Borrowed(&self.id),
            record: self.record.saved(),
            before: self.record.nothing().known(),
            over: Cow::Borrowed(&self.over),
            shoe_locations: Cow::Borrowed(&self.shoe_locations),
            known: Cow::Borrowed(&self.known),
            reported: Cow::Borrowed(&self.reported),
        };
        saved.serialize(serializer)
    }
}

impl Judged {
    /// A table that was saved: takes these settings, and shares the texts of rulebooks with the tables loaded before.
    pub(crate) fn loaded(
        text: &str,
        question: &Arc<Question>,
        texts: &mut BTreeSet<Arc<str>>,
    ) -> Result<Self, serde_json::Error> {
        let SavedJudged { id, record, before, over, shoe_locations, known, reported } =
            serde_json::from_str(text)?;
        let (asked, mut known) = (Asked::new(Arc::clone(question)), known.into_owned());
        known.opened.iter_mut().for_each(|opened| opened.rulebook.share(texts));
        let nothing = Together::after(Arc::clone(question), before);
        let mut judged = Self {
            record: Record::restored(&id, record.sharing(texts), nothing, by(&asked, &known)),
            id: id.into_owned(),
            asked,
            over: over.into_owned(),
            shoe_locations: shoe_locations.into_owned(),
            known,
            reported: reported.into_owned(),
            handed_on: None,
        };
        judged.rest();
        Ok(judged)
    }

    /// No event is expected soon: frees all memory that is not needed.
    pub(crate) fn rest(&mut self) {
        self.over.rest();
        self.record.rest(by(&self.asked, &self.known));
        self.asked.forget();
    }

    /// The rulebooks that its coups were judged by; one may come twice.
    pub(crate) fn rulebooks(&self) -> impl Iterator<Item = &RulebookUsed> {
        self.over.summary.rulebooks.iter().map(|(used, _)| &*used.0)
    }

    /// How often each code was found.
    pub(crate) fn findings_by_code(&self) -> impl Iterator<Item = (Code, u64)> {
        let now = self.record.as_it_is(by(&self.asked, &self.known));
        let mut all = self.over.summary.findings_by_code.clone();
        now.tally()
            .summary
            .findings_by_code
            .iter()
            .for_each(|(code, count)| *all.entry(*code).or_default() += count);
        all.into_iter()
    }

    pub(crate) fn state(&self) -> TableState {
        let now = self.record.as_it_is(by(&self.asked, &self.known));
        let standing = now.standing();
        let counts = self.over.counts_with(&Counted::of(now.into_tally()));
        self.state_of(standing, &counts)
    }

    /// The same at the end of its record, by these counts.
    pub(crate) fn state_by(&self, counts: &Tally) -> TableState {
        self.state_of(self.known.at_end, counts)
    }

    fn state_of(&self, standing: Standing, counts: &Tally) -> TableState {
        let Standing { clock, is_open, shoe, coup } = standing;
        let opened = self.known.opened.as_ref().filter(|_| is_open);
        let rulebook =
            opened.and_then(|opened| self.asked.rulebook(&opened.rulebook)).map(|rules| rules.id.clone());
        let clock = clock.map(|clock| clock.to_string());
        let shoe = shoe.and_then(|loaded| self.shoe_locations.loaded_at(loaded)).map(str::to_owned);
        TableState {
            table: self.id.clone(),
            events: counts.events,
            next: self.record.next(),
            waiting: self.record.waiting(),
            missing: self.record.missing(),
            clock,
            rulebook,
            shoe,
            coup,
            coups: counts.summary.coups,
            shoes: counts.summary.shoes,
            undecided: counts.summary.undecided.clone(),
            findings_by_code: counts.summary.findings_by_code.clone(),
        }
    }
}
