//! `cargo xtask STEP`: the steps that check a change, each by its name.
//!
//! This program knows the order of the steps and what each one needs. What a step checks is up to cargo and to the
//! scripts in `.ci`, which use tools that are not ours. It installs and downloads nothing unless `--install` is given.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for a terminal")]

mod judge;
mod machine;
mod steps;

use std::process::ExitCode;
use std::time::{Duration, Instant};

use machine::{Failed, Machine};
use steps::{GROUPS, STEPS, Step};

/// What was asked for.
struct Request {
    steps: Vec<&'static Step>,
    machine: Machine,
}

fn usage() -> String {
    let row = |name: &str, says: &str| format!("  {name:<16}{says}\n");
    let groups: String = GROUPS.iter().map(|(name, steps)| row(name, &steps.join(", "))).collect();
    let steps: String = STEPS.iter().map(|step| row(step.name, step.says)).collect();
    format!(
        "cargo xtask [--install] STEP... [-- ARGUMENTS OF THE STEP]\n\n\
         Steps:\n{steps}\nGroups of steps:\n{groups}\n\
         --install lets a step download what it needs (Python packages go to target/xtask, npm packages to temporary\n\
         folders). Without it, a step that lacks something says what it is and fails. `.ci/run` uses it.\n"
    )
}

/// The steps of a name: one, or those of a group.
fn named(name: &str) -> Option<Vec<&'static Step>> {
    let step = |name: &str| STEPS.iter().find(|step| step.name == name);
    match GROUPS.iter().find(|(group, _)| *group == name) {
        Some((_, names)) => names.iter().map(|name| step(name)).collect(),
        None => step(name).map(|step| vec![step]),
    }
}

fn request(mut words: Vec<String>) -> Result<Request, String> {
    let more = match words.iter().position(|word| word == "--") {
        Some(at) => words.split_off(at).split_off(1),
        None => Vec::new(),
    };
    let install = words.iter().any(|word| word == "--install");
    let mut steps: Vec<&'static Step> = Vec::new();
    for word in words.iter().filter(|word| *word != "--install") {
        let named = named(word).ok_or_else(|| format!("there is no step `{word}`\n\n{}", usage()))?;
        let new: Vec<_> =
            named.into_iter().filter(|new| steps.iter().all(|step| step.name != new.name)).collect();
        steps.extend(new);
    }
    if steps.is_empty() {
        return Err(usage());
    }
    if let Some(step) = steps.iter().find(|step| !more.is_empty() && !step.takes_arguments) {
        return Err(format!("the step `{}` takes no arguments", step.name));
    }
    Ok(Request { steps, machine: Machine::new(install, more) })
}

fn run(request: &Request) -> Result<Vec<(&'static str, Duration)>, (&'static str, Failed)> {
    let mut times = Vec::new();
    for step in &request.steps {
        println!("\n== {}: {}", step.name, step.says);
        let began = Instant::now();
        request
            .machine
            .has(step.needs)
            .and_then(|()| (step.run)(&request.machine))
            .map_err(|why| (step.name, why))?;
        times.push((step.name, began.elapsed()));
    }
    Ok(times)
}

fn main() -> ExitCode {
    let request = match request(std::env::args().skip(1).collect()) {
        Ok(request) => request,
        Err(text) => {
            eprint!("{text}");
            return ExitCode::from(2);
        }
    };
    match run(&request) {
        Ok(times) => {
            println!();
            for (name, time) in times {
                println!("{name:<16}{:>6} s", time.as_secs());
            }
            println!("\n== all good");
            ExitCode::SUCCESS
        }
        Err((name, Failed(why))) => {
            eprintln!("\n== {name} failed: {why}\n(`cargo xtask {name}` runs this step alone)");
            ExitCode::FAILURE
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(words: &[&str]) -> Result<Vec<&'static str>, String> {
        let request = request(words.iter().map(|word| (*word).to_owned()).collect())?;
        Ok(request.steps.iter().map(|step| step.name).collect())
    }

    #[test]
    fn each_step_has_one_name_and_runs_alone_by_it() {
        for step in STEPS {
            assert_eq!(asked(&[step.name]), Ok(vec![step.name]));
        }
    }

    #[test]
    fn groups_name_steps_that_exist_and_a_step_runs_once() {
        for (group, names) in GROUPS {
            assert_eq!(asked(&[group]), Ok(names.to_vec()), "{group}");
            assert_eq!(asked(&[names[0], group, group]).map(|steps| steps.len()), Ok(names.len()), "{group}");
        }
    }

    #[test]
    fn the_cheapest_steps_come_first() {
        assert_eq!(asked(&["ci"]).map(|steps| steps[..2].to_vec()), Ok(vec!["fmt", "clippy"]));
    }

    #[test]
    fn what_is_not_a_step_is_refused() {
        assert!(asked(&["tset"]).is_err_and(|text| text.contains("there is no step `tset`")));
        assert!(asked(&[]).is_err_and(|text| text.starts_with("cargo xtask")));
        assert!(asked(&["fmt", "--", "60"]).is_err_and(|text| text.contains("takes no arguments")));
        assert!(asked(&["fuzz", "--", "60"]).is_ok());
    }

    #[test]
    fn every_step_is_in_the_page_for_contributors() {
        let page = include_str!("../../../CONTRIBUTING.md");
        for name in STEPS.iter().map(|step| step.name).chain(GROUPS.iter().map(|(name, _)| *name)) {
            assert!(page.contains(&format!("`{name}`")), "CONTRIBUTING.md does not name the step `{name}`");
        }
    }
}
