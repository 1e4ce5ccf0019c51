//! What steps ask of the machine: to run a command, to build the program, to have a tool or a Python package.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Why a step failed, in a sentence.
#[derive(Debug, PartialEq)]
pub struct Failed(pub String);

pub type Done = Result<(), Failed>;

/// What a step needs besides cargo.
#[derive(Debug, Clone, Copy)]
pub enum Need {
    /// A program, and what a person installs to have it.
    Program(&'static str, &'static str),
    /// The step's script downloads this each time.
    Download(&'static str),
}

/// The repository on this machine.
pub struct Machine {
    root: PathBuf,
    target: PathBuf,
    install: bool,
    more: Vec<String>,
}

impl Machine {
    pub fn new(install: bool, more: Vec<String>) -> Self {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
        let root = fs::canonicalize(&root).unwrap_or(root);
        let target = std::env::var_os("CARGO_TARGET_DIR").unwrap_or_else(|| "target".into());
        Self { target: root.join(target), root, install, more }
    }

    /// The arguments of the step, from the command line.
    pub fn more(&self) -> &[String] {
        &self.more
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.root.join(name)
    }

    pub fn has(&self, needs: &[Need]) -> Done {
        for need in needs {
            match need {
                Need::Program(name, package) if !is_on_the_path(name) => {
                    return Err(Failed(format!("`{name}` is missing (install {package})")));
                }
                Need::Download(what) if !self.install => {
                    return Err(Failed(format!("it downloads {what}; add --install to allow that")));
                }
                Need::Program(..) | Need::Download(_) => {}
            }
        }
        Ok(())
    }

    /// An empty folder for the files of a step.
    pub fn folder(&self, name: &str) -> Result<PathBuf, Failed> {
        let folder = self.target.join("xtask").join(name);
        let removed = if folder.exists() { fs::remove_dir_all(&folder) } else { Ok(()) };
        removed
            .and_then(|()| fs::create_dir_all(&folder))
            .map_err(|error| Failed(format!("{}: {error}", folder.display())))?;
        Ok(folder)
    }

    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root);
        command
    }

    pub fn cargo(&self, words: &str) -> Command {
        let mut command = self.command(std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
        command.args(words.split(' '));
        command
    }

    pub fn script(&self, name: &str) -> Command {
        self.command(self.path(".ci").join(name))
    }

    /// The program `audit`, built if it is not there as the source is.
    pub fn audit(&self) -> Result<PathBuf, Failed> {
        self.built("audit")
    }

    /// A program or an example, of the same build as all tests: an example asks for the same features of every package
    /// as they do, so nothing is compiled twice.
    pub fn built(&self, name: &str) -> Result<PathBuf, Failed> {
        self.built_with(name, &[])
    }

    /// The same with these variables in cargo's environment.
    pub fn built_with(&self, name: &str, variables: &[(&str, &str)]) -> Result<PathBuf, Failed> {
        let mut build = self.cargo("build --workspace --bin audit --example judged");
        run(build.envs(variables.iter().copied()))?;
        Ok(self.target.join("debug").join(name))
    }

    /// A folder with Python's programs, and these packages (from PyPI) beside them.
    pub fn python(&self, packages: &[&str]) -> Result<PathBuf, Failed> {
        let venv = self.target.join("xtask/python");
        let bin = venv.join("bin");
        if self.install {
            if !bin.join("pip").exists() {
                run(self.command("python3").args(["-m", "venv"]).arg(&venv))?;
            }
            run(self.command(bin.join("pip")).args(["install", "--quiet"]).args(packages))?;
        } else if !has_packages(&bin, packages) {
            return Err(Failed(format!(
                "it needs Python packages ({}); add --install to download them into {}",
                packages.join(", "),
                venv.display()
            )));
        }
        Ok(bin)
    }
}

fn is_on_the_path(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

/// Whether they are installed here, whatever their version.
fn has_packages(bin: &Path, packages: &[&str]) -> bool {
    let names = packages.iter().map(|package| package.split(['>', '=', '[']).next().unwrap_or_default());
    let mut show = Command::new(bin.join("pip"));
    show.args(["show", "--quiet"]).args(names).stderr(Stdio::null());
    show.status().is_ok_and(|status| status.success())
}

/// Runs a command; its output goes where ours goes.
pub fn run(command: &mut Command) -> Done {
    let what = command.get_program().to_string_lossy().into_owned();
    let status = command.status().map_err(|error| Failed(format!("{what}: {error}")))?;
    if status.success() { Ok(()) } else { Err(Failed(format!("{what} ended with {status}"))) }
}

/// Runs a command whose output goes to a file.
pub fn write(path: &Path, command: &mut Command) -> Done {
    let file = File::create(path).map_err(|error| Failed(format!("{}: {error}", path.display())))?;
    run(command.stdout(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_downloaded_unasked() {
        let download = [Need::Download("packages from npm")];
        assert!(Machine::new(false, Vec::new()).has(&download).is_err());
        assert_eq!(Machine::new(true, Vec::new()).has(&download), Ok(()));
        let mut machine = Machine::new(false, Vec::new());
        machine.target = PathBuf::from("/nonexistent");
        assert!(machine.python(&["blake3"]).is_err_and(|Failed(why)| why.contains("--install")));
    }

    #[test]
    fn a_missing_program_is_named_with_its_package() {
        let needs = [Need::Program("cargo", "Rust"), Need::Program("no-such-program", "a package")];
        let missing = Failed("`no-such-program` is missing (install a package)".to_owned());
        assert_eq!(Machine::new(true, Vec::new()).has(&needs), Err(missing));
    }

    #[test]
    fn a_command_that_fails_fails_its_step() {
        let machine = Machine::new(false, Vec::new());
        assert!(run(&mut machine.command("false")).is_err());
        assert_eq!(run(&mut machine.command("true")), Ok(()));
    }
}
