//! All commands as one page of documentation, in either language: `docs/commands.md` and `docs/ordenes.md`.
//!
//! A test compares the pages with the program's own arguments. To write them:
//! `cargo xtask generate`.

use clap::{Arg, Command, CommandFactory as _};
use texts::Language;

use super::in_spanish;
use crate::cli::Cli;

/// Where the pages are.
const PAGES: [(Language, &str); 2] = [
    (Language::English, concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/commands.md")),
    (Language::Spanish, concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/ordenes.md")),
];

/// The page in this language.
fn page(language: Language) -> String {
    let mut command = Cli::command().term_width(0).color(clap::ColorChoice::Never);
    command.build();
    let command = match language {
        Language::English => command,
        Language::Spanish => in_spanish(command, ""),
    };
    let mut all = Vec::new();
    leaves(&command, "audit", &mut all);
    let [title, other, table, every] = match language {
        Language::English => [
            "Commands",
            "In Spanish: [ordenes.md](ordenes.md). This page is made from the program; `audit COMMAND --help` and \
             `man audit-COMMAND` print the same.",
            "| command | what it does |",
            "Every command has these options:",
        ],
        Language::Spanish => [
            "Órdenes",
            "En inglés: [commands.md](commands.md). Esta página se obtiene del programa; `audit ORDEN --help` imprime lo mismo.",
            "| orden | qué hace |",
            "Todas las órdenes tienen estas opciones:",
        ],
    };
    let mut text = format!("# {title}\n\n{other}\n\n{}\n\n{table}\n|---|---|\n", told(&command));
    for (name, command) in &all {
        let brief = command.get_about().map(ToString::to_string).unwrap_or_default();
        let link = name.replace(' ', "-");
        text.push_str(&format!("| [`{name}`](#{link}) | {} |\n", brief.replace('|', "\\|")));
    }
    text.push_str(&format!("\n{every}\n\n"));
    text.extend(command.get_arguments().filter(|argument| argument.is_global_set()).map(line));
    for (name, command) in all {
        text.push_str(&format!("\n## {name}\n\n{}\n", told(command)));
        let mut command = command.clone();
        let usage = command.render_usage().to_string();
        let usage = usage.trim_start_matches("Usage:").trim_start();
        text.push_str(&format!("\n```text\n{usage}\n```\n\n"));
        let own = command.get_arguments().filter(|argument| !argument.is_global_set() && is_told(argument));
        text.extend(own.map(line));
        if let Some(below) = command.get_after_help() {
            text.push_str(&format!("\n```text\n{}\n```\n", below.to_string().trim_end()));
        }
    }
    text
}

/// The commands that do something, each with its whole name.
fn leaves<'a>(command: &'a Command, name: &str, all: &mut Vec<(String, &'a Command)>) {
    for sub in command.get_subcommands().filter(|sub| sub.get_name() != "help") {
        let name = format!("{name} {}", sub.get_name());
        match sub.has_subcommands() {
            true => leaves(sub, &name, all),
            false => all.push((name, sub)),
        }
    }
}

/// What a command does.
fn told(command: &Command) -> String {
    let about = command.get_long_about().or_else(|| command.get_about());
    about.map(ToString::to_string).unwrap_or_default()
}

fn is_told(argument: &Arg) -> bool {
    !argument.is_hide_set() && !["help", "version"].contains(&argument.get_id().as_str())
}

/// An argument in a line, with its default and the values that it may have.
fn line(argument: &Arg) -> String {
    let help = argument.get_long_help().or_else(|| argument.get_help());
    let help = help.map(ToString::to_string).unwrap_or_default();
    let takes_values = argument.get_action().takes_values();
    let listed = |what: &str, of: Vec<String>| match of.is_empty() {
        true => String::new(),
        false => format!(" [{what}: {}]", of.join(", ")),
    };
    let defaults = match takes_values && !argument.is_hide_default_value_set() {
        true => {
            argument.get_default_values().iter().map(|value| value.to_string_lossy().into_owned()).collect()
        }
        false => Vec::new(),
    };
    let possible = match takes_values && !argument.is_hide_possible_values_set() {
        true => argument.get_possible_values().iter().map(|value| value.get_name().to_owned()).collect(),
        false => Vec::new(),
    };
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    let (defaults, possible) = (listed("default", defaults), listed("possible values", possible));
    format!("- `{}`: {help}{defaults}{possible}\n", argument.to_string().replace("...", ""))
}

#[test]
fn the_pages_are_the_programs_own_arguments() {
    for (language, path) in PAGES {
        let kept = std::fs::read_to_string(path).unwrap_or_default();
        assert!(kept == page(language), "{path} is not up to date: cargo xtask generate");
    }
}

#[test]
#[ignore = "it writes the pages"]
fn the_pages_are_written_anew() {
    for (language, path) in PAGES {
        std::fs::write(path, page(language)).expect("written");
    }
}
