//! What whoever reads a log trusts: keys, checkpoints and witnesses of others, rulebooks that were approved.

use std::collections::BTreeSet;
use std::path::Path;

use replay::{Report, Verdict};
use sealed_log::reader::{Expectations, SealReport};
use tlog::checkpoint::SignedCheckpoint;
use tlog::note::VerifierKey;
use tlog::policy::{WitnessPolicy, Witnessed};

use crate::cli::Trusted;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::log::{signed_checkpoint, verifier_key};
use crate::text_file::small_text;
use crate::witnesses;

/// What was trusted, read from the files that name it.
pub(crate) struct Trust {
    verifier: Option<VerifierKey>,
    anchors: Vec<SignedCheckpoint>,
    policy: Option<WitnessPolicy>,
    /// The digests of the rulebooks that were approved; none where any is.
    pub(crate) approved: Option<BTreeSet<String>>,
}

impl Trust {
    /// What the arguments name. `others` are further checkpoints that the log has to extend. Where witnesses count, so
    /// does the cosigned checkpoint beside the log.
    ///
    /// # Errors
    /// What cannot be read or is none of what it should be.
    pub(crate) fn new(
        given: &Trusted,
        log: &Path,
        others: impl IntoIterator<Item = SignedCheckpoint>,
    ) -> Result<Self, Failure> {
        let policy = given.witness_policy.as_deref().map(witnesses::policy).transpose()?;
        let cosigned = if policy.is_some() { witnesses::kept(log)? } else { None };
        let named = given.checkpoint.iter().map(|file| signed_checkpoint(file));
        Ok(Self {
            verifier: given.key.as_deref().map(verifier_key).transpose()?,
            anchors: named.chain(cosigned.into_iter().chain(others).map(Ok)).collect::<Result<_, _>>()?,
            policy,
            approved: approved(&given.approved)?,
        })
    }

    /// The key that was given.
    pub(crate) const fn key(&self) -> Option<&VerifierKey> {
        self.verifier.as_ref()
    }

    /// What the seal is held to.
    pub(crate) fn expectations(&self) -> Expectations {
        Expectations { verifier: self.verifier.clone(), anchors: self.anchors.clone() }
    }

    /// Whether the log was shown to extend every checkpoint given, before witnesses are asked; also where none was given.
    pub(crate) fn extended_by(&self, seal: &SealReport) -> bool {
        self.anchors.is_empty() || seal.anchored == Verdict::Yes
    }

    /// Makes `anchored` depend on the witnesses, where they were asked for; what they said.
    pub(crate) fn witnessed(&self, seal: &mut SealReport) -> Option<Witnessed> {
        self.policy.as_ref().and_then(|policy| seal.require_quorum(policy, &self.anchors))
    }

    /// The status of a command that verified the log. Where witnesses were asked for, too few of them leave it open.
    pub(crate) fn exit(&self, report: &Report, witnessed: Option<&Witnessed>) -> Exit {
        let asks_witnesses = self.policy.as_ref().is_some_and(WitnessPolicy::asks_for_witnesses);
        let not_listed = witnessed.is_some_and(|said| !said.log_listed);
        Exit::of(report, asks_witnesses || not_listed)
    }
}

/// The digests of the rulebooks that were approved; none where any is.
pub(crate) fn approved(given: &[String]) -> Result<Option<BTreeSet<String>>, Failure> {
    if given.is_empty() {
        return Ok(None);
    }
    let mut digests = BTreeSet::new();
    for item in given {
        let path = Path::new(item);
        let text = if path.is_file() { small_text(path)? } else { item.clone() };
        for word in text.lines().filter_map(|line| line.split('#').next()).flat_map(str::split_whitespace) {
            if word.len() != 64
                || !word.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte))
            {
                return Err(Failure::usage(texts().bad_approved(word)));
            }
            digests.insert(word.to_owned());
        }
    }
    if digests.is_empty() {
        // An empty list would accuse every table; nobody keeps a list to approve of nothing.
        return Err(Failure::usage(texts().empty_approved(given.join(" "))));
    }
    Ok(Some(digests))
}
