//! What a running service says of itself, for people and as JSON.

use client::Readiness;
use serde::{Serialize, Serializer};
use texts::Texts;

use super::format::moment;
use crate::commands::Figures;

/// A certificate that expires sooner than this needs an operator, seconds.
const EXPIRES_SOON: u64 = 14 * 86_400;
/// Entries by which live certification may be behind: it judges more than this in a second.
const FAR_BEHIND: u64 = 100_000;
/// Free space that opening a log after a crash needs besides a copy of the log, bytes.
const MARGIN: u64 = 64 << 20;

/// Why there are no figures.
#[derive(Debug)]
pub(crate) enum NotKnown {
    /// The service requires a token that may read.
    NeedsToken,
    /// They could not be read.
    Failed(String),
}

impl Serialize for NotKnown {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(match self {
            Self::NeedsToken => "the service requires a token that may read",
            Self::Failed(why) => why,
        })
    }
}

/// Something that will need an operator, though events are recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Attention {
    /// Live certification has stopped.
    FollowerStopped,
    /// Live certification is far behind.
    FollowerBehind,
    /// The disk has less free space than an opening after a crash may need.
    DiskNearlyFull,
    /// The TLS certificate expires within two weeks, or has expired.
    TlsCertificateExpires,
    /// A witness contradicts the log.
    WitnessContradicts,
}

impl Attention {
    fn text(self, texts: Texts) -> String {
        match self {
            Self::FollowerStopped => texts.follower_stopped(),
            Self::FollowerBehind => texts.follower_behind(),
            Self::DiskNearlyFull => texts.disk_nearly_full(),
            Self::TlsCertificateExpires => texts.certificate_expires(),
            Self::WitnessContradicts => texts.witness_contradicts(),
        }
    }
}

/// What a running service says of itself.
#[derive(Debug, Serialize)]
pub(crate) struct HealthView<'a> {
    url: &'a str,
    /// Whether events are recorded.
    ready: bool,
    /// Why they are not, or what witnesses hold against the log.
    remarks: &'a [String],
    /// None where only readiness was asked for, or they are not known.
    figures: Option<Figures>,
    #[serde(skip_serializing_if = "Option::is_none")]
    figures_not_known: Option<NotKnown>,
    attention: Vec<Attention>,
    #[serde(skip)]
    now: u64,
}

impl<'a> HealthView<'a> {
    pub(crate) fn new(
        url: &'a str,
        readiness: &'a Readiness,
        figures: Option<Figures>,
        figures_not_known: Option<NotKnown>,
        now: u64,
    ) -> Self {
        let mut attention = figures.as_ref().map_or_else(Vec::new, |figures| attention(figures, now));
        if readiness.ready && !readiness.remarks.is_empty() {
            attention.push(Attention::WitnessContradicts);
        }
        let Readiness { ready, remarks } = readiness;
        Self { url, ready: *ready, remarks, figures, figures_not_known, attention, now }
    }

    pub(crate) const fn needs_attention(&self) -> bool {
        !self.attention.is_empty()
    }

    pub(crate) fn text(&self, texts: Texts) -> String {
        let state = if self.ready { texts.records(self.url) } else { texts.records_nothing(self.url) };
        let mut lines: Vec<String> = self.remarks.iter().map(|line| texts.service_says(line)).collect();
        match (&self.figures, &self.figures_not_known) {
            (Some(figures), _) => lines.extend(figures_lines(figures, self.now, texts)),
            (None, Some(NotKnown::NeedsToken)) => lines.push(texts.health_needs_token()),
            (None, Some(NotKnown::Failed(why))) => lines.push(why.clone()),
            (None, None) => {}
        }
        lines.extend(self.attention.iter().map(|what| texts.attention(what.text(texts))));
        lines.iter().fold(format!("{state}\n"), |text, line| text + "  " + line + "\n")
    }
}

fn attention(figures: &Figures, now: u64) -> Vec<Attention> {
    let free_space_is_little = figures
        .disk_free_bytes
        .zip(figures.log_bytes)
        .is_some_and(|(free, log)| free < log.saturating_add(MARGIN));
    let expires_soon =
        figures.tls_certificate_expires.is_some_and(|expires| expires < now.saturating_add(EXPIRES_SOON));
    [
        (figures.follower_stopped == Some(true), Attention::FollowerStopped),
        (figures.follower_lag_entries.is_some_and(|lag| lag > FAR_BEHIND), Attention::FollowerBehind),
        (free_space_is_little, Attention::DiskNearlyFull),
        (expires_soon, Attention::TlsCertificateExpires),
    ]
    .into_iter()
    .filter_map(|(holds, what)| holds.then_some(what))
    .collect()
}

fn figures_lines(figures: &Figures, now: u64, texts: Texts) -> impl Iterator<Item = String> {
    let entries = figures.entries.zip(figures.checkpoint_age_seconds);
    let judged = figures.follower_lag_entries.zip(figures.findings);
    let disk = figures.disk_free_bytes.zip(figures.log_bytes);
    [
        entries.map(|(entries, age)| texts.health_entries(entries, texts.grouped(age))),
        judged.map(|(lag, findings)| texts.health_judged(lag, texts.grouped(findings))),
        disk.map(|(free, log)| texts.health_disk(texts.grouped(free >> 20), texts.grouped(log >> 20))),
        figures
            .tls_certificate_expires
            .map(|expires| texts.health_certificate(expires.saturating_sub(now) / 86_400, moment(expires))),
    ]
    .into_iter()
    .flatten()
}

#[cfg(test)]
mod tests {
    use texts::Language;

    use super::*;

    fn seen(figures: Figures, remarks: &[&str]) -> (Vec<Attention>, String) {
        let remarks = remarks.iter().map(|remark| (*remark).to_owned()).collect();
        let readiness = Readiness { ready: true, remarks };
        let view = HealthView::new("http://a", &readiness, Some(figures), None, 1_000_000);
        (view.attention.clone(), view.text(Texts::of(Language::Spanish)))
    }

    fn good() -> Figures {
        Figures {
            entries: Some(1_234),
            checkpoint_age_seconds: Some(3),
            follower_lag_entries: Some(FAR_BEHIND),
            follower_stopped: Some(false),
            findings: Some(2),
            disk_free_bytes: Some(1 << 40),
            log_bytes: Some(1 << 30),
            tls_certificate_expires: Some(1_000_000 + EXPIRES_SOON),
        }
    }

    #[test]
    fn what_will_need_an_operator_is_named_and_its_nearby_is_not() {
        assert_eq!(seen(good(), &[]).0, []);
        let stopped = Figures { follower_stopped: Some(true), ..good() };
        assert_eq!(seen(stopped, &[]).0, [Attention::FollowerStopped]);
        let behind = Figures { follower_lag_entries: Some(FAR_BEHIND + 1), ..good() };
        assert_eq!(seen(behind, &[]).0, [Attention::FollowerBehind]);
        let full = Figures { disk_free_bytes: Some((1 << 30) + MARGIN - 1), ..good() };
        assert_eq!(seen(full, &[]).0, [Attention::DiskNearlyFull]);
        for expires in [0, 999_999, 1_000_000 + EXPIRES_SOON - 1] {
            let expires = Figures { tls_certificate_expires: Some(expires), ..good() };
            assert_eq!(seen(expires, &[]).0, [Attention::TlsCertificateExpires]);
        }
        let (attention, text) = seen(good(), &["the witness w1 has seen more"]);
        assert_eq!(attention, [Attention::WitnessContradicts]);
        assert!(text.contains("w1") && text.contains("atención: un testigo contradice"), "{text}");
    }

    #[test]
    fn what_is_not_known_is_not_said() {
        let (attention, text) = seen(Figures::default(), &[]);
        assert_eq!((attention.len(), text.as_str()), (0, "http://a registra sucesos\n"));
    }
}
