//! Why each of the four verdicts on a log is what it is, in a sentence each.

use replay::{
    AfterTheFact, Attested, Closed, Code, CorrectionTotals, HouseEdge, Language, Report, Rotated,
    RulebookUsed, Seal, Severity, SignedByAnother, Summary, Turnover, Verdict,
};
use sealed_log::reader::{FaultDetail, FaultKind};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;
use tlog::policy::Witnessed;

use crate::{Question, Texts};

/// Microseconds of a day.
const MICROS_OF_A_DAY: u64 = 86_400_000_000;

/// Log indexes listed of those that are withheld or erased.
const LISTED: usize = 10;

/// Groups of people listed who signed corrections together.
const SIGNERS: usize = 20;

impl Texts {
    /// Why the answer to a question about a log is what it is. `witnessed` is what witnesses said, where they were
    /// asked for; `said` puts the words of a library into this language.
    #[must_use]
    pub fn why(
        self,
        question: Question,
        report: &Report,
        witnessed: Option<&Witnessed>,
        said: impl Fn(&str) -> String,
    ) -> String {
        match question {
            Question::Intact => self.why_intact(report),
            Question::Anchored => self.why_anchored(report, witnessed, said),
            Question::Complete => self.why_complete(report),
            Question::Certified => self.why_certified(report),
        }
    }

    fn why_intact(self, report: &Report) -> String {
        let seal = &report.seal;
        match report.verdicts.intact {
            Verdict::Yes => {
                let key = match seal.key_trust {
                    Some("given") => self.key_given(),
                    _ => self.key_stored(),
                };
                let here = if seal.left_out + seal.withheld > 0 {
                    self.every_entry_present()
                } else {
                    self.every_entry()
                };
                let beyond = match seal.beyond_checkpoint {
                    0 => String::new(),
                    beyond => self.beyond_checkpoint(beyond),
                };
                self.seal_holds(here, beyond, key)
            }
            Verdict::No => self.why_not_sealed(seal),
            Verdict::Unknown => seal
                .intact_unknown
                .map_or_else(|| self.not_shown(), |why| self.intact_unknown(why).to_owned()),
        }
    }

    /// Why the seal is broken: the key given did not sign it, or there are faults.
    fn why_not_sealed(self, seal: &Seal) -> String {
        let Some(SignedByAnother { given, signers }) = &seal.signed_by_another else {
            return self.faults_in_seal(seal.fault_count);
        };
        let why = self.signed_by_another(given, signers.join(", "));
        match seal.fault_count {
            0 | 1 => why,
            faults => format!("{}; {why}", self.faults_in_seal(faults)),
        }
    }

    fn why_anchored(
        self,
        report: &Report,
        witnessed: Option<&Witnessed>,
        words: impl Fn(&str) -> String,
    ) -> String {
        let verdict = report.verdicts.anchored;
        if let Some(why) = witnessed.and_then(|said| self.why_witnessed(verdict, said, words)) {
            return why;
        }
        match verdict {
            Verdict::Yes => self.extends_every_checkpoint(),
            Verdict::No => self.not_extended_because(report),
            Verdict::Unknown if !report.seal.invalid_checkpoints.is_empty() => {
                self.invalid_checkpoints(&report.seal)
            }
            Verdict::Unknown if !report.seal.of_another_log.is_empty() => self.of_another_log(),
            Verdict::Unknown if report.seal.left_out > 0 => self.slice_anchored(),
            Verdict::Unknown => self.no_checkpoint_given(),
        }
    }

    /// Why the log does not extend a checkpoint: it ends before it, or its history is another.
    fn not_extended_because(self, report: &Report) -> String {
        match report.seal.older_than {
            Some(checkpoint) => self.older_copy(self.grouped(report.seal.size), self.grouped(checkpoint)),
            None if only_other_signers(&report.seal) => match report.seal.signed_by_another {
                Some(_) => self.checkpoint_not_by_the_key_given(),
                None => self.checkpoint_of_another_key(),
            },
            None => self.not_extended(),
        }
    }

    /// Of which checkpoints given the signature is not valid, and what that says.
    fn invalid_checkpoints(self, seal: &Seal) -> String {
        let sizes: Vec<String> =
            seal.invalid_checkpoints.iter().take(LISTED).map(|one| self.grouped(one.size)).collect();
        match seal.key_trust {
            Some("given") => self.invalid_checkpoint(sizes.join(", ")),
            _ => self.invalid_checkpoint_carried(sizes.join(", ")),
        }
    }

    /// The reason for the verdict, if the witness policy decided it.
    fn why_witnessed(
        self,
        verdict: Verdict,
        said: &Witnessed,
        words: impl Fn(&str) -> String,
    ) -> Option<String> {
        let size = self.grouped(said.size);
        if let Some(why) = &said.rejected {
            return Some(self.policy_rejects(size, words(why)));
        }
        match verdict {
            Verdict::Yes if !said.counted.is_empty() => Some(self.enough_witnesses(size)),
            Verdict::Unknown if !said.log_listed => Some(self.policy_without_log()),
            Verdict::Unknown if !said.quorum => {
                let all = said.counted.len() + said.not_counted.len();
                Some(self.too_few_witnesses(said.counted.len(), all))
            }
            Verdict::Yes | Verdict::No | Verdict::Unknown => None,
        }
    }

    fn why_complete(self, report: &Report) -> String {
        let read = report.read;
        match report.verdicts.complete {
            Verdict::Yes => self.no_gap(read.tables),
            Verdict::No if read.missing_events == 0 => self.coups_not_recorded(),
            Verdict::No => self.events_missing(read.missing_events),
            Verdict::Unknown if report.verdicts.intact != Verdict::Yes => self.unsealed(report),
            Verdict::Unknown if report.seal.left_out > 0 => self.slice_complete(),
            Verdict::Unknown if report.seal.withheld > 0 => self.withheld_unchecked(),
            Verdict::Unknown if report.seal.continues.is_some() => self.begins_in_another(),
            Verdict::Unknown if read.entries == 0 => self.log_empty(),
            Verdict::Unknown if report.summary.findings_by_code.contains_key(&Code::SequenceLate) => {
                self.repeated_too_late()
            }
            Verdict::Unknown => self.cannot_be_judged(report.unreadable_count),
        }
    }

    /// Why nothing is confirmed about the log, whatever was judged.
    fn unsealed(self, report: &Report) -> String {
        match report.verdicts.intact {
            Verdict::No => self.seal_broken(),
            Verdict::Yes | Verdict::Unknown => self.seal_unconfirmed(),
        }
    }

    fn why_certified(self, report: &Report) -> String {
        let total = report.summary.coups.total();
        match report.verdicts.certified {
            Verdict::Yes => self.all_agree_beside(report, total),
            Verdict::No => {
                let violations: u64 = report
                    .summary
                    .findings_by_code
                    .iter()
                    .filter(|(code, _)| code.severity() == Severity::Violation)
                    .map(|(_, count)| count)
                    .sum();
                self.violations(violations)
            }
            Verdict::Unknown if report.verdicts.intact != Verdict::Yes => self.unsealed(report),
            Verdict::Unknown if total == 0 => self.no_coup(),
            Verdict::Unknown if only_erased(report) => self.findings_erased(),
            Verdict::Unknown => {
                let (coups, shoes) = (report.summary.coups.undecided, report.summary.shoes.undecided);
                self.coups_and_shoes_undecided(self.coups(coups), self.shoes(shoes))
            }
        }
    }

    /// The sentence that all coups agree, with what a reader must know beside it.
    fn all_agree_beside(self, report: &Report, coups: u64) -> String {
        let here = if report.seal.left_out > 0 { self.of_this_slice() } else { String::new() };
        let all = self.all_agree(coups, here);
        let subject = of_some(report.summary.coups.subject_to_ruling, |count| self.of_them_subject(count));
        let beside = subject.map(|subject| format!(", {subject}")).unwrap_or_default();
        let others: String = self.others(report).map(|other| format!("; {other}")).collect();
        format!("{all}{beside}{others}")
    }

    /// What a certificate says beside its counts; empty where there is nothing to say.
    #[must_use]
    pub fn beside_counts(self, report: &Report) -> String {
        let subject = of_some(report.summary.coups.subject_to_ruling, |count| self.coups_subject(count));
        subject.into_iter().chain(self.others(report)).collect::<Vec<_>>().join("; ")
    }

    fn others(self, report: &Report) -> impl Iterator<Item = String> {
        let Attested { voids, irregularities, corrections, .. } = report.summary.attested;
        let unapproved = report.summary.rulebooks.iter().filter(|used| used.unapproved).count() as u64;
        let said = [
            of_some(unapproved, |count| self.by_unapproved(count)),
            of_some(voids + irregularities + corrections, |count| self.rulings_attested(count)),
        ];
        said.into_iter().flatten().chain(self.not_shown_by_the_record(report.summary.attested))
    }

    /// What nobody read, what only repeats the cards, and what is not judged.
    fn not_shown_by_the_record(self, attested: Attested) -> impl Iterator<Item = String> {
        let said = [
            of_some(attested.unread_cards, |count| self.cards_unread(count)),
            of_some(attested.burns_unknown, |count| self.burns_unknown(count)),
            of_some(attested.values_computed, |count| self.values_computed(count)),
            of_some(attested.extensions, |count| self.extensions_not_judged(count, attested.extension_bytes)),
        ];
        said.into_iter().flatten()
    }

    /// What is only attested or was not read, and the turnover, a line each.
    #[must_use]
    pub fn attested_lines(self, report: &Report) -> Vec<String> {
        let Attested { voids, irregularities, corrections, .. } = report.summary.attested;
        let mut lines = Vec::new();
        if voids + irregularities + corrections > 0 {
            let what = self.attested_only();
            let (voids, rulings) = (self.void_coups(voids), self.rulings(irregularities));
            lines.push(format!("{what}: {voids}, {rulings}, {}", self.corrections(corrections)));
        }
        let unknown: Vec<String> = self.not_shown_by_the_record(report.summary.attested).collect();
        if !unknown.is_empty() {
            lines.push(unknown.join("; "));
        }
        lines.extend(self.corrected_lines(&report.summary.corrected));
        let turnovers = report.summary.turnover.iter().filter(|turnover| turnover.staked + turnover.void > 0);
        lines.extend(turnovers.map(|turnover| self.staked_in_all(turnover)));
        lines
    }

    /// What corrections of observations moved, by those who signed them.
    fn corrected_lines(self, corrected: &CorrectionTotals) -> Vec<String> {
        let mut lines = Vec::new();
        for row in corrected.iter().take(SIGNERS) {
            let names = self.who_signed(&row.signers, row.more_signers);
            let sum = self.money(i128::try_from(row.moved).unwrap_or(i128::MAX), row.currency.as_ref());
            let [coups, not_known] = [row.coups, row.not_known].map(|count| self.coups(count));
            if row.moved > 0 {
                let places = [
                    (row.coups > 0).then(|| coups.clone()),
                    of_some(row.collections, |count| self.collections(count)),
                ];
                let places: Vec<String> = places.into_iter().flatten().collect();
                let moved = self.corrections_moved(&names, sum, self.listed(&places));
                lines.push(match row.not_known {
                    0 => moved,
                    _ => self.corrections_moved_more(moved, not_known),
                });
            } else if row.not_known > 0 {
                lines.push(self.corrections_not_known(&names, not_known));
            }
            if row.out_of_reach > 0 {
                lines.push(self.corrections_out_of_reach(&names, self.corrections(row.out_of_reach)));
            }
        }
        lines.extend(of_some(corrected.iter().skip(SIGNERS).count() as u64, |count| {
            self.more_signers_of_corrections(count)
        }));
        lines
    }

    /// The rulebooks that nobody here has approved, a line each, with what the house keeps of their bets.
    #[must_use]
    pub fn unapproved_lines(self, rulebooks: &[RulebookUsed]) -> Vec<String> {
        let unapproved = rulebooks.iter().filter(|used| used.unapproved);
        let line = |used: &RulebookUsed| match &used.house_edge {
            Some(HouseEdge { least, most }) => self.rulebook_unapproved_with_edge(
                &used.id,
                self.percentage(&least.percent),
                &least.bet,
                self.percentage(&most.percent),
                &most.bet,
            ),
            None => self.rulebook_unapproved(&used.id),
        };
        unapproved.map(line).collect()
    }

    /// A percentage with the decimal mark of this language.
    fn percentage(self, percent: &str) -> String {
        match self.language() {
            Language::English => format!("{percent} %"),
            Language::Spanish => format!("{} %", percent.replace('.', ",")),
        }
    }

    /// What was recorded more than a day after it happened: evidence that comes late is worth less.
    #[must_use]
    pub fn recorded_late_lines<Rulebooks>(self, summary: &Summary<Rulebooks>) -> Vec<String> {
        let days = |late: AfterTheFact| late.longest_delay_micros.div_ceil(MICROS_OF_A_DAY);
        let (read, posted) = (summary.recorded_after_the_fact, summary.posted_late);
        let read = (read.longest_delay_micros > MICROS_OF_A_DAY)
            .then(|| self.recorded_from_files(days(read), self.events(read.events)));
        let posted =
            (posted.events > 0).then(|| self.recorded_late(days(posted), self.events(posted.events)));
        read.into_iter().chain(posted).collect()
    }

    fn staked_in_all(self, turnover: &Turnover) -> String {
        let Turnover { currency, staked, undecided, void } = turnover;
        let sum = |minor_units: u128| {
            self.money(i128::try_from(minor_units).unwrap_or(i128::MAX), currency.as_ref())
        };
        let played = match undecided {
            0 => self.turnover_decided(sum(*staked)),
            _ => self.turnover(sum(*staked), sum(*undecided), self.share(*undecided, *staked)),
        };
        if *void == 0 { played } else { self.turnover_without_void(played, sum(*void)) }
    }

    /// A share in percent, rounded up to a tenth: a share above nothing is never shown as 0.0 %.
    fn share(self, part: u128, whole: u128) -> String {
        let tenths = part.saturating_mul(1_000).div_ceil(whole.max(1));
        self.percent(&format!("{}.{}", tenths / 10, tenths % 10))
    }

    /// What the log says of itself, a line each: the log that it continues, keys that were replaced, payloads that were
    /// erased, that it is closed.
    #[must_use]
    pub fn notice_lines(self, seal: &Seal) -> Vec<String> {
        let replaced = |rotation: &Rotated| self.key_replaced(rotation.notice, &rotation.new);
        let before = seal
            .continues
            .iter()
            .map(|continued| self.continues(&continued.origin, self.entries(continued.size)));
        let mut lines: Vec<String> = before.chain(seal.rotations.iter().map(replaced)).collect();
        for redaction in &seal.redactions {
            let [by, countersigned_by] = &redaction.signed_by;
            let (entries, reason) = (self.listed_indexes(&redaction.entries), &redaction.reason);
            lines.push(self.erased(by, countersigned_by, redaction.notice, entries, reason));
            let found = redaction.findings.iter();
            lines.extend(found.map(|line| format!("  {}", self.found_before_erasure(line))));
        }
        if seal.not_erased > 0 {
            lines.push(self.not_yet_erased(self.grouped(seal.not_erased)));
        }
        if let Some(Closed { notice, size, successor, .. }) = &seal.closed {
            let entries = self.entries(*size);
            lines.push(match successor {
                Some(successor) => self.closed_and_continued(notice, entries, successor),
                None => self.closed(notice, entries),
            });
        }
        lines
    }

    /// Who signed a checkpoint and who did not: a heading, then a line each.
    #[must_use]
    pub fn witness_lines(self, said: &Witnessed) -> Vec<String> {
        let mut lines = vec![self.witnesses_of(self.grouped(said.size))];
        lines.extend(said.counted.iter().map(|(name, time)| self.signed_at(name, self.moment(*time))));
        lines.extend(said.not_counted.iter().map(|(name, why)| self.does_not_count(name, why)));
        lines
    }

    /// Seconds since 1970 as UTC date and time; the plain number where it is beyond the calendar.
    #[must_use]
    pub fn moment(self, seconds: u64) -> String {
        let known =
            i64::try_from(seconds).ok().and_then(|seconds| OffsetDateTime::from_unix_timestamp(seconds).ok());
        let text = known.and_then(|moment| moment.format(&Rfc3339).ok());
        text.map_or_else(|| self.seconds_after_1970(seconds), |text| self.language().time(&text))
    }

    /// The first of some log indexes.
    #[must_use]
    pub fn listed_indexes(self, indexes: &[u64]) -> String {
        let mut text: Vec<String> = indexes.iter().take(LISTED).map(u64::to_string).collect();
        if indexes.len() > LISTED {
            text.push("...".to_owned());
        }
        text.join(", ")
    }
}

/// Whether all that stands against *anchored* are checkpoints given that another key of the log's name signed.
fn only_other_signers(seal: &Seal) -> bool {
    let mut anchors = seal.faults.iter().filter(|fault| fault.kind == FaultKind::Anchor).peekable();
    anchors.peek().is_some()
        && seal.fault_count == seal.faults.len() as u64
        && anchors.all(|fault| matches!(fault.message, FaultDetail::AnchorNotBelieved(_)))
}

/// Whether the only findings are those in entries that are erased.
fn only_erased(report: &Report) -> bool {
    let open = report.summary.coups.undecided + report.summary.shoes.undecided + report.unreadable_count;
    open == 0 && report.seal.redactions.iter().any(|redaction| !redaction.findings.is_empty())
}

/// A sentence about so many, unless there is none.
fn of_some(count: u64, sentence: impl FnOnce(u64) -> String) -> Option<String> {
    (count > 0).then(|| sentence(count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_share_is_never_shown_as_less() {
        assert_eq!(
            [(1, 100_000), (1, 3), (5, 5)].map(|(part, whole)| Texts::default().share(part, whole)),
            ["0.1 %", "33.4 %", "100.0 %"]
        );
    }

    #[test]
    fn what_there_is_none_of_is_not_said() {
        assert_eq!(of_some(0, |count| Texts::default().burns_unknown(count)), None);
        assert_eq!(
            of_some(2, |count| Texts::default().burns_unknown(count)).as_deref(),
            Some("2 shoes' burns are not known")
        );
    }
}
