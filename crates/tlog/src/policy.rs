//! Which witnesses are trusted, and how many of them are enough (C2SP tlog-policy).
//!
//! ```text
//! log VKEY [URL]                       a log this policy is for; none: any
//! witness NAME VKEY [URL]              NAME is used in this file alone
//! group NAME all|any|NUMBER MEMBER...  enough of these, witnesses or groups named before
//! quorum NAME|none                     once: what a checkpoint needs
//! # a comment, on a line of its own
//! ```
//!
//! A key of a kind that is not read here makes no policy unreadable: its witness can never be counted, and its
//! log is never recognised. This module reads the text it is handed and counts signatures. It asks nobody.

use crate::checkpoint::CheckpointError;
use crate::checkpoint::{SignedCheckpoint, parse_size};
use crate::cosignature::{Cosignature, CosignatureError, WitnessKey};
use crate::key::{Algorithm, KeyError, KeyText, Log, Role, UnknownKey, Witness};
use crate::note::{NoteError, VerifierKey};
use std::collections::{BTreeMap, BTreeSet};
use std::str::FromStr;

/// Most witnesses one policy may name: as many as a checkpoint can carry signatures.
pub const MAX_POLICY_WITNESSES: usize = 100;

/// An ML-DSA-44 key of a log has the text of a witness's, and its own signature the form of a cosignature.
const OWN_WITNESS: &str = "a log and a witness have the same key: a log cannot be its own witness";

/// What is wrong with a policy file, and in which line.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {why}")]
pub struct PolicyError {
    /// The line, from 1.
    pub line: usize,
    /// What is wrong there and what was expected.
    pub why: String,
}

/// A witness as a policy names it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolicyWitness {
    /// Its name within the policy.
    pub name: String,
    /// The key its cosignatures are checked with.
    pub key: WitnessKey,
    /// Where checkpoints are submitted to it (the *submission prefix* of C2SP tlog-witness), if the policy says.
    pub url: Option<String>,
}

/// Enough of its members have to have signed.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Group {
    needed: usize,
    members: Vec<Member>,
}

/// Something that can have witnessed a checkpoint, by its position in the policy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Member {
    Witness(usize),
    /// One that can never be counted.
    Unknown,
    Group(usize),
}

/// Who is trusted to witness a log, and how many are enough.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WitnessPolicy {
    logs: Vec<VerifierKey>,
    /// Logs whose keys are of a kind that is not read here.
    unknown_logs: Vec<UnknownKey>,
    witnesses: Vec<PolicyWitness>,
    /// Witnesses whose keys are of a kind that is not read here, by their names within the policy.
    unknown_witnesses: Vec<(String, UnknownKey)>,
    groups: Vec<Group>,
    /// `None` for `quorum none`: no witness is asked for.
    quorum: Option<Member>,
}

/// What the witnesses of a policy said of one checkpoint.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Witnessed {
    /// Size of the checkpoint.
    pub size: u64,
    /// Those whose cosignature holds, and when they gave it: seconds since 1970 UTC.
    pub counted: Vec<(String, u64)>,
    /// Those that do not count, and why; last those whose keys are of a kind that is not read here.
    pub not_counted: Vec<(String, CosignatureError)>,
    /// Whether the policy names the checkpoint's log, or no log at all.
    pub log_listed: bool,
    /// Whether those that count are enough, the log is one the policy is for, and the checkpoint is not rejected.
    pub quorum: bool,
    /// Why the whole checkpoint is rejected: a signature by a key of the policy does not verify, which no honest
    /// signer makes (C2SP signed-note: "If a signature from a known key fails to verify, clients SHOULD reject
    /// the whole note").
    pub rejected: Option<String>,
}

impl WitnessPolicy {
    /// The witnesses in the order of the file, without those whose keys are of a kind that is not read here.
    #[must_use]
    pub fn witnesses(&self) -> &[PolicyWitness] {
        &self.witnesses
    }

    /// The witnesses that can never be counted, by their names within the policy.
    #[must_use]
    pub fn unknown_witnesses(&self) -> &[(String, UnknownKey)] {
        &self.unknown_witnesses
    }

    /// The logs the policy is for, without those whose keys are of a kind that is not read here. The policy is
    /// for any log when both are none.
    #[must_use]
    pub fn logs(&self) -> &[VerifierKey] {
        &self.logs
    }

    /// The logs the policy is for whose signatures cannot be checked.
    #[must_use]
    pub fn unknown_logs(&self) -> &[UnknownKey] {
        &self.unknown_logs
    }

    /// Whether the policy is for the log of this key: it names the key, or no log at all.
    #[must_use]
    pub fn is_for(&self, log: &VerifierKey) -> bool {
        self.logs.contains(log) || (self.logs.is_empty() && self.unknown_logs.is_empty())
    }

    /// Whether the policy asks for any witness at all.
    #[must_use]
    pub const fn asks_for_witnesses(&self) -> bool {
        self.quorum.is_some()
    }

    /// Counts the cosignatures under a checkpoint. Whether the log's own signature holds is asked
    /// only of logs the policy lists; otherwise it is for the reader of the log.
    ///
    /// A signature by a key of the policy that does not verify rejects the checkpoint: then there is no quorum,
    /// whoever else signed.
    #[must_use]
    pub fn count(&self, signed: &SignedCheckpoint) -> Witnessed {
        let (mut counted, mut not_counted, mut said) = (Vec::new(), Vec::new(), Vec::new());
        for witness in &self.witnesses {
            let found = match witness.key.name() == signed.checkpoint().origin {
                true => Err(CosignatureError::OwnWitness(witness.key.name().to_owned())),
                false => witness.key.verify(signed).and_then(Cosignature::with_statement),
            };
            said.push(found.is_ok());
            match found {
                Ok(cosignature) => counted.push((witness.name.clone(), cosignature.time())),
                Err(why) => not_counted.push((witness.name.clone(), why)),
            }
        }
        for (name, key) in &self.unknown_witnesses {
            not_counted.push((name.clone(), CosignatureError::UnknownKind(key.kind())));
        }
        let (log_listed, broken) = self.log_of(signed);
        let rejected = broken.or_else(|| broken_cosignature(&not_counted));
        let quorum = log_listed && rejected.is_none() && self.enough(&said);
        Witnessed { size: signed.checkpoint().size, counted, not_counted, log_listed, quorum, rejected }
    }

    /// Whether the policy names the checkpoint's log or none at all, and what is wrong with a signature by a log
    /// it names.
    fn log_of(&self, signed: &SignedCheckpoint) -> (bool, Option<String>) {
        let mut listed = self.logs.is_empty() && self.unknown_logs.is_empty();
        let mut broken = None;
        for key in &self.logs {
            match signed.verify(key) {
                Ok(()) => listed = true,
                Err(CheckpointError::Note(error @ NoteError::BadSignature(_))) => {
                    broken = Some(error.to_string());
                }
                Err(CheckpointError::Note(_) | CheckpointError::Body(_) | CheckpointError::Origin { .. }) => {
                }
            }
        }
        (listed, broken)
    }

    /// Whether these witnesses, by their places, are a quorum. Groups name only what stands before
    /// them, so one pass in order settles all.
    fn enough(&self, said: &[bool]) -> bool {
        let mut settled: Vec<bool> = Vec::with_capacity(self.groups.len());
        for group in &self.groups {
            let has = group.members.iter().filter(|member| has_witnessed(**member, said, &settled)).count();
            settled.push(has >= group.needed);
        }
        self.quorum.is_none_or(|member| has_witnessed(member, said, &settled))
    }
}

fn broken_cosignature(not_counted: &[(String, CosignatureError)]) -> Option<String> {
    let broken = |(_, why): &&(String, CosignatureError)| matches!(why, CosignatureError::Bad { .. });
    not_counted.iter().find(broken).map(|(name, why)| format!("witness {name}: {why}"))
}

/// Whether the key's text is the same for a log and for a witness.
fn has_one_text<R: Role>(key: &KeyText<R>) -> bool {
    matches!(key, KeyText::Known(key) if key.algorithm() == Algorithm::MlDsa44)
}

fn has_witnessed(member: Member, said: &[bool], groups: &[bool]) -> bool {
    let (list, at) = match member {
        Member::Unknown => return false,
        Member::Witness(at) => (said, at),
        Member::Group(at) => (groups, at),
    };
    list.get(at).copied().unwrap_or(false)
}

impl FromStr for WitnessPolicy {
    type Err = PolicyError;

    fn from_str(text: &str) -> Result<Self, PolicyError> {
        let mut reading = Reading::default();
        let mut last = 1;
        for (text, line) in text.split('\n').zip(1..) {
            last = line;
            reading.line(text).map_err(|why| PolicyError { line, why })?;
        }
        let Reading { logs, unknown_logs, witnesses, unknown_witnesses, groups, quorum, .. } = reading;
        let quorum = quorum.ok_or_else(|| PolicyError {
            line: last,
            why: "the file ends without a quorum line; expected `quorum NAME` or `quorum none`".to_owned(),
        })?;
        Ok(Self { logs, unknown_logs, witnesses, unknown_witnesses, groups, quorum })
    }
}

/// A policy being read line by line.
#[derive(Default)]
struct Reading {
    logs: Vec<VerifierKey>,
    unknown_logs: Vec<UnknownKey>,
    witnesses: Vec<PolicyWitness>,
    unknown_witnesses: Vec<(String, UnknownKey)>,
    groups: Vec<Group>,
    /// The bytes of every log key given so far, whatever its kind and name.
    log_keys: BTreeSet<Vec<u8>>,
    /// Every name given so far, and whether a group names it already.
    names: BTreeMap<String, (Member, bool)>,
    quorum: Option<Option<Member>>,
}

impl Reading {
    fn line(&mut self, line: &str) -> Result<(), String> {
        if let Some(control) = line.chars().find(|c| c.is_ascii_control() && *c != '\t') {
            return Err(format!(
                "byte 0x{:02x}: only tabs and line ends may stand beside text",
                control as u32
            ));
        }
        let words: Vec<&str> = line.split([' ', '\t']).filter(|word| !word.is_empty()).collect();
        match words.as_slice() {
            [] => Ok(()),
            [first, ..] if first.starts_with('#') => Ok(()),
            ["log", key] | ["log", key, _] => self.log(key),
            ["witness", name, key] => self.witness(name, key, None),
            ["witness", name, key, url] => self.witness(name, key, Some(url)),
            ["group", name, needed, members @ ..] if !members.is_empty() => self.group(name, needed, members),
            ["quorum", name] => self.quorum(name),
            ["log", ..] => Err("expected `log VKEY [URL]`".to_owned()),
            ["witness", ..] => Err("expected `witness NAME VKEY [URL]`".to_owned()),
            ["group", ..] => Err("expected `group NAME all|any|NUMBER MEMBER...`".to_owned()),
            ["quorum", ..] => Err("expected `quorum NAME` or `quorum none`".to_owned()),
            [other, ..] => {
                let other: String = other.chars().take(40).collect();
                Err(format!("`{other}` begins no line; expected log, witness, group, quorum or #"))
            }
        }
    }

    fn log(&mut self, key: &str) -> Result<(), String> {
        let key: KeyText<Log> = key.parse().map_err(|error: KeyError| error.to_string())?;
        let bytes = key.to_bytes();
        if has_one_text(&key) && self.twin(&bytes).is_some() {
            return Err(OWN_WITNESS.to_owned());
        }
        if !self.log_keys.insert(bytes) {
            return Err("this log's key stands in the file already".to_owned());
        }
        match key {
            KeyText::Known(key) => self.logs.push(key),
            KeyText::Unknown(key) => self.unknown_logs.push(key),
        }
        Ok(())
    }

    fn witness(&mut self, name: &str, key: &str, url: Option<&str>) -> Result<(), String> {
        let key: KeyText<Witness> = key.parse().map_err(|error: KeyError| error.to_string())?;
        if let Some(twin) = self.twin(&key.to_bytes()) {
            return Err(format!("witness {twin} has the same key: one key cannot count twice"));
        }
        if has_one_text(&key) && self.log_keys.contains(&key.to_bytes()) {
            return Err(OWN_WITNESS.to_owned());
        }
        if self.witnesses.len() + self.unknown_witnesses.len() == MAX_POLICY_WITNESSES {
            return Err(format!("more than {MAX_POLICY_WITNESSES} witnesses"));
        }
        match key {
            KeyText::Known(key) => {
                self.name(name, Member::Witness(self.witnesses.len()))?;
                self.witnesses.push(PolicyWitness {
                    name: name.to_owned(),
                    key,
                    url: url.map(str::to_owned),
                });
            }
            KeyText::Unknown(key) => {
                self.name(name, Member::Unknown)?;
                self.unknown_witnesses.push((name.to_owned(), key));
            }
        }
        Ok(())
    }

    /// The witness whose key has these bytes, whatever its kind and name.
    fn twin(&self, bytes: &[u8]) -> Option<&str> {
        let known = self.witnesses.iter().find(|known| known.key.to_bytes() == bytes);
        let unknown = self.unknown_witnesses.iter().find(|(_, known)| known.to_bytes() == bytes);
        known.map(|known| known.name.as_str()).or_else(|| unknown.map(|(name, _)| name.as_str()))
    }

    fn group(&mut self, name: &str, needed: &str, members: &[&str]) -> Result<(), String> {
        let needed = needed_of(needed, members.len())?;
        let members = members.iter().map(|member| self.member(member)).collect::<Result<_, _>>()?;
        self.name(name, Member::Group(self.groups.len()))?;
        self.groups.push(Group { needed, members });
        Ok(())
    }

    fn quorum(&mut self, name: &str) -> Result<(), String> {
        if self.quorum.is_some() {
            return Err("a second quorum line; exactly one says what is enough".to_owned());
        }
        self.quorum = Some(match name {
            "none" => None,
            _ => Some(self.find(name)?.0),
        });
        Ok(())
    }

    fn name(&mut self, name: &str, member: Member) -> Result<(), String> {
        if name == "none" {
            return Err("`none` is no name: in the quorum line it means that no witness is needed".to_owned());
        }
        if self.names.contains_key(name) {
            return Err(format!("`{name}` is the name of another witness or group"));
        }
        self.names.insert(name.to_owned(), (member, false));
        Ok(())
    }

    fn find(&mut self, name: &str) -> Result<&mut (Member, bool), String> {
        self.names.get_mut(name).ok_or_else(|| {
            format!("`{name}` is not the name of a witness or group on a line before this one")
        })
    }

    fn member(&mut self, name: &str) -> Result<Member, String> {
        let (member, taken) = self.find(name)?;
        if *taken {
            return Err(format!("`{name}` is in a group already: each name counts in one way only"));
        }
        *taken = true;
        Ok(*member)
    }
}

fn needed_of(text: &str, members: usize) -> Result<usize, String> {
    match text {
        "all" => Ok(members),
        "any" => Ok(1),
        _ => parse_size(text)
            .ok()
            .and_then(|needed| usize::try_from(needed).ok())
            .filter(|needed| (1..=members).contains(needed))
            .ok_or_else(|| {
                format!("expected all, any, or a number from 1 to {members}, the group's members")
            }),
    }
}
