//! Which judge this is. Two programs of one version may judge differently while that version is being written, so the
//! version is followed by a revision, which every change of judging raises.
//!
//! A state that was saved by another revision is not loaded, and a certificate names the revision that issued it.
//! `crates/replay/revisions.tsv` lists all revisions with the digest of their inputs: rulebooks, formats, codes and
//! reasons. A test fails when an input changes and the revision does not. A change that no input shows has to raise it too.

macro_rules! revision {
    () => {
        40
    };
}

/// Who judges, as certificates name it.
pub(crate) const JUDGE: &str = concat!("replay ", env!("CARGO_PKG_VERSION"), " r", revision!());

#[cfg(test)]
mod tests {
    use crate::JudgeInputs;

    const REVISION: u32 = revision!();

    #[test]
    fn the_revision_is_raised_with_every_change_of_judging() {
        let listed: Vec<(u32, &str)> = include_str!("../revisions.tsv")
            .lines()
            .map(|line| {
                let fields: Vec<&str> = line.split('\t').collect();
                let [number, digest, change] = fields[..] else { panic!("{line:?} has not three fields") };
                assert!(!change.is_empty(), "revision {number} does not say what changed");
                (number.parse().unwrap_or_else(|error| panic!("{number}: {error}")), digest)
            })
            .collect();
        assert!(listed.windows(2).all(|two| two[0].0 + 1 == two[1].0), "revisions are numbered without gaps");
        let digest = JudgeInputs::of_this_program().digest_without_judge();
        let newest = listed.last().copied();
        let known = listed.iter().find(|(number, _)| *number == REVISION).map(|(_, digest)| *digest);
        let due = if known.is_none_or(|known| known == digest) { REVISION } else { REVISION + 1 };
        assert_eq!(
            newest,
            Some((due, &*digest)),
            "the inputs of the judge changed: set `revision!` to {due} and add this line to revisions.tsv:\n\
             {due}\t{digest}\twhat changed"
        );
        assert_eq!(REVISION, due, "set `revision!` to {due}");
    }
}
