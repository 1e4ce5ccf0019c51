//! Hands a log's checkpoint to all witnesses of a policy at once, and joins what they answer.

use std::fmt::Display;
use std::thread::ScopedJoinHandle;

use tlog::checkpoint::{Checkpoint, SignedCheckpoint};
use tlog::consistency::ConsistencyProof;
use tlog::cosignature::Cosignature;
use tlog::policy::{PolicyWitness, WitnessPolicy, Witnessed};
use tlog::proof::{NodeSource, range_root};
use tlog::tree::empty_root;

use crate::client::{AskError, Contradiction, Patience, Question};

/// What one witness answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asked {
    /// Its name in the policy.
    pub witness: String,
    /// Its cosignature, checked; or why there is none.
    pub outcome: Result<Cosignature, AskError>,
}

/// What all witnesses answered.
#[derive(Debug, Clone)]
pub struct Submission {
    /// The checkpoint with every cosignature that was given, and those it had before.
    pub cosigned: SignedCheckpoint,
    /// Each witness's answer, in the order of the policy.
    pub asked: Vec<Asked>,
    /// What the policy says of the cosigned checkpoint.
    pub witnessed: Witnessed,
}

impl Submission {
    /// What witnesses hold against the log: the names of those, and what they say.
    pub fn contradictions(&self) -> impl Iterator<Item = (&str, &Contradiction)> {
        self.asked.iter().filter_map(|asked| match &asked.outcome {
            Err(AskError::Contradiction(contradiction)) => Some((asked.witness.as_str(), contradiction)),
            Err(
                AskError::NoUrl
                | AskError::Refused { .. }
                | AskError::NotBelieved(_)
                | AskError::Unanswered { .. }
                | AskError::Proof(_),
            )
            | Ok(_) => None,
        })
    }
}

impl Submission {
    /// The largest size that a witness says it signed, where that is more than the checkpoint has. A log that grew to
    /// it meanwhile is contradicted by nobody: it has to submit its newest checkpoint.
    #[must_use]
    pub fn newest_seen(&self) -> Option<u64> {
        let seen = |(_, contradiction): (&str, &Contradiction)| match contradiction {
            Contradiction::SawMore { seen, .. } => Some(*seen),
            Contradiction::OtherRoot { .. }
            | Contradiction::OtherHistory { .. }
            | Contradiction::Conflict { .. } => None,
        };
        self.contradictions().filter_map(seen).max()
    }
}

/// Asks every witness of the policy for its cosignature under `signed`, all at the same time. `nodes`
/// are the hashes of the log's tree; `before` is the cosigned checkpoint kept before, which tells
/// where each witness stood.
pub fn submit<N>(
    policy: &WitnessPolicy,
    nodes: &N,
    signed: &SignedCheckpoint,
    before: Option<&SignedCheckpoint>,
    patience: Patience,
) -> Submission
where
    N: NodeSource<Error: Display> + Sync + ?Sized,
{
    let own = own_lines(signed);
    let signed = own.as_ref().unwrap_or(signed);
    let outcomes: Vec<Result<Cosignature, AskError>> = std::thread::scope(|scope| {
        let asking: Vec<_> = policy
            .witnesses()
            .iter()
            .map(|witness| {
                let ask = move || ask(witness, nodes, signed, before, patience);
                std::thread::Builder::new().spawn_scoped(scope, ask)
            })
            .collect();
        let panicked = |panic| std::panic::resume_unwind(panic);
        let no_thread = |error| Err(AskError::Proof(format!("no thread can be started: {error}")));
        let answer = |answer: ScopedJoinHandle<'_, _>| answer.join().unwrap_or_else(panicked);
        asking.into_iter().map(|asking| asking.map_or_else(no_thread, answer)).collect()
    });
    let mut cosigned = with_verified(policy, signed, before);
    let mut asked = Vec::with_capacity(outcomes.len());
    for (witness, mut outcome) in policy.witnesses().iter().zip(outcomes) {
        if let Ok(cosignature) = &outcome {
            match cosigned.with_cosignature(cosignature) {
                Ok(more) => cosigned = more,
                Err(full) => outcome = Err(AskError::NotBelieved(full)),
            }
        }
        asked.push(Asked { witness: witness.name.clone(), outcome });
    }
    let witnessed = policy.count(&cosigned);
    Submission { cosigned, asked, witnessed }
}

/// The checkpoint with its log's own signature lines, which bear the log's name; `None` where it has no others.
fn own_lines(signed: &SignedCheckpoint) -> Option<SignedCheckpoint> {
    let own = signed.signatures().iter().filter(|line| line.name == signed.checkpoint().origin);
    let text = own.fold(format!("{}\n", signed.body()), |text, line| text + &line.to_string());
    SignedCheckpoint::parse(&text).ok().filter(|own| own != signed)
}

/// The checkpoint with what the policy's witnesses cosigned of it before. Nothing else of what was kept is taken over:
/// whoever holds the disk may have written into it.
fn with_verified(
    policy: &WitnessPolicy,
    signed: &SignedCheckpoint,
    before: Option<&SignedCheckpoint>,
) -> SignedCheckpoint {
    let Some(before) = before.filter(|before| before.body() == signed.body()) else { return signed.clone() };
    let kept = policy.witnesses().iter().filter_map(|witness| witness.key.verify(before).ok());
    kept.fold(signed.clone(), |cosigned, line| cosigned.with_cosignature(&line).unwrap_or(cosigned))
}

fn ask<N>(
    witness: &PolicyWitness,
    nodes: &N,
    signed: &SignedCheckpoint,
    before: Option<&SignedCheckpoint>,
    patience: Patience,
) -> Result<Cosignature, AskError>
where
    N: NodeSource<Error: Display> + ?Sized,
{
    let url = witness.url.as_deref().ok_or(AskError::NoUrl)?;
    let size = signed.checkpoint().size;
    let stood = before.filter(|before| witness.key.verify(before).is_ok());
    let old = stood.map_or(0, |before| before.checkpoint().size).min(size);
    Question { key: &witness.key, url, signed, old }.ask(|old| prove(nodes, old, signed), patience)
}

/// The proof that the checkpoint extends the log's own tree of `old` entries.
fn prove<N>(nodes: &N, old: u64, signed: &SignedCheckpoint) -> Result<ConsistencyProof, String>
where
    N: NodeSource<Error: Display> + ?Sized,
{
    let root = match old {
        0 => empty_root(),
        old if old == signed.checkpoint().size => signed.checkpoint().root,
        old => {
            range_root(nodes, 0, old).map_err(|error| format!("the tree's hashes cannot be read: {error}"))?
        }
    };
    let older = Checkpoint { origin: signed.checkpoint().origin.clone(), size: old, root };
    ConsistencyProof::make(nodes, &older, signed).map_err(|error| error.to_string())
}
