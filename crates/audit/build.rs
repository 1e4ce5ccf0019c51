//! Tells the program from which commit it was built.
//!
//! `AUDIT_COMMIT` decides where it is set: a package or an image is built from a source without its history. Otherwise a
//! release build asks git, and so does any other with `AUDIT_COMMIT=git`. Else it is `unknown`, so that a commit does not
//! compile everything again. What is given depends on the source alone: two builds of one commit have the same bytes.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo:rerun-if-env-changed=AUDIT_COMMIT");
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let given = std::env::var("AUDIT_COMMIT").ok().filter(|commit| !commit.is_empty());
    let is_release = std::env::var("PROFILE").is_ok_and(|profile| profile == "release");
    let by_git = || of_git(&root).unwrap_or_else(|| "unknown".to_owned());
    let commit = match given {
        Some(asked) if asked == "git" => by_git(),
        Some(commit) => commit,
        None if is_release => by_git(),
        None => "unknown".to_owned(),
    };
    let plain = |c: char| c.is_ascii_alphanumeric() || "-+.".contains(c);
    assert!(
        (1..=80).contains(&commit.len()) && commit.chars().all(plain),
        "AUDIT_COMMIT={commit:?}: expected the commit, such as the 40 digits of `git rev-parse HEAD`"
    );
    println!("cargo:rustc-env=AUDIT_BUILT_FROM={commit}");
}

/// The commit of the repository whose root this is, with `-modified` where tracked files differ from it.
fn of_git(root: &Path) -> Option<String> {
    let git = root.join(".git");
    if !git.exists() {
        return None;
    }
    // Everything that may change the commit: the source, and what the head is.
    for watched in ["crates", "Cargo.toml", "Cargo.lock", ".git/HEAD", ".git/logs/HEAD"] {
        if root.join(watched).exists() {
            println!("cargo:rerun-if-changed={}", root.join(watched).display());
        }
    }
    let head = said(root, &["rev-parse", "--verify", "HEAD"])?;
    let changes = said(root, &["--no-optional-locks", "status", "--porcelain", "--untracked-files=no"])?;
    Some(if changes.is_empty() { head } else { format!("{head}-modified") })
}

fn said(root: &Path, arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").arg("-C").arg(root).args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}
