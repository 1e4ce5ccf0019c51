//! `audit explain`: what a finding's code or a reason means, how it is judged, and what to do next.

use casino::Fault;
use replay::{Code, Reason};
use serde::Serialize;

use crate::cli::Explain;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::language::texts;
use crate::{output, render};

/// What is said of one code or reason.
#[derive(Serialize)]
struct Explained {
    name: &'static str,
    /// `violation` or `incomplete` of a code; none of a reason.
    severity: Option<replay::Severity>,
    sentence: &'static str,
    /// The clause of a rulebook that a code is about.
    clause: Option<String>,
    /// Of a code.
    judged: Option<String>,
    next: String,
    /// Commands that show an example.
    example: Vec<String>,
}

pub(crate) fn run(ask: &Explain) -> Result<Exit, Failure> {
    let Some(what) = &ask.what else { return list(ask.json) };
    let code = Code::ALL.iter().copied().find(|code| code.as_str() == what);
    let reason = Reason::ALL.iter().copied().find(|reason| reason.as_str() == what);
    let explained = match (code, reason) {
        (Some(code), _) => of_code(code),
        (None, Some(reason)) => of_reason(reason),
        (None, None) => return Err(Failure::usage(texts().not_explained(what))),
    };
    if ask.json {
        output::print_json(&explained)?;
    } else {
        output::print(&text(&explained))?;
    }
    Ok(Exit::Good)
}

fn of_code(code: Code) -> Explained {
    Explained {
        name: code.as_str(),
        severity: Some(code.severity()),
        sentence: code.sentence(texts().language()),
        clause: code.clause().map(|clause| clause.path()),
        judged: Some(texts().how_judged(code)),
        next: texts().what_next(code),
        example: example(code).unwrap_or_default(),
    }
}

fn of_reason(reason: Reason) -> Explained {
    Explained {
        name: reason.as_str(),
        severity: None,
        sentence: reason.sentence(texts().language()),
        clause: None,
        judged: None,
        next: texts().what_next_undecided(reason),
        example: Vec::new(),
    }
}

/// Commands that simulate a table with this fault and judge it, where the simulation can plant it.
fn example(code: Code) -> Option<Vec<String>> {
    let fault = Fault::ALL.iter().find(|fault| fault.finding() == code.as_str())?;
    let book = baccarat::builtins()
        .find_map(|(id, _)| baccarat::builtin(id).ok().filter(|book| fault.applies_to(book)))?;
    let (id, name) = (book.id, fault.code());
    Some(vec![
        format!("audit simulate --rulebook {id} --fault {name} --out example.ndjson"),
        "audit verify example.ndjson".to_owned(),
    ])
}

fn text(explained: &Explained) -> String {
    let Explained { name, severity, sentence, clause, judged, next, example } = explained;
    let heading = match severity {
        Some(severity) => texts().code_heading(name, severity.word(texts().language())),
        None => texts().reason_heading(name),
    };
    let mut text = format!("{heading}\n  {sentence}\n");
    if let Some(judged) = judged {
        let clause = clause.as_ref().map_or_else(
            || texts().clause_none(),
            |clause| texts().clause_label(texts().clause(&clause.to_string())),
        );
        text.push_str(&format!("\n{clause}\n{}\n", texts().judged_label(judged)));
    } else {
        text.push('\n');
    }
    text.push_str(&format!("{}\n", texts().next_label(next)));
    if !example.is_empty() {
        text.push_str(&format!("{}\n", texts().example_label()));
    }
    example.iter().for_each(|command| text.push_str(&format!("  {command}\n")));
    text
}

/// All codes and reasons, a line each.
fn list(json: bool) -> Result<Exit, Failure> {
    if json {
        let all = Code::ALL.iter().map(|code| of_code(*code));
        let all: Vec<Explained> = all.chain(Reason::ALL.iter().map(|reason| of_reason(*reason))).collect();
        return output::print_json(&all).map(|()| Exit::Good);
    }
    let language = texts().language();
    let codes = Code::ALL.iter().map(|code| {
        let weight = code.severity().word(language).to_owned();
        [code.to_string(), weight, code.sentence(language).to_owned()]
    });
    let headings = [texts().code_column(), texts().weight_heading(), texts().meaning_column()];
    let codes = render::table(headings, codes);
    let reasons = Reason::ALL.iter().map(|reason| [reason.to_string(), reason.sentence(language).to_owned()]);
    let reasons = render::table([texts().reason_column(), texts().reason_meaning_column()], reasons);
    output::print(&format!("{}\n{codes}\n{}\n{reasons}", texts().findings_list(), texts().reasons_list()))?;
    Ok(Exit::Good)
}
