//! Who writes rules: a file that is not there, a name that is mistyped, a rulebook to begin from.
#![allow(clippy::unwrap_used)]

use crate::command::TestFolder;

#[test]
fn a_file_that_does_not_exist_is_called_so() {
    let folder = TestFolder::new();
    for command in ["check", "show"] {
        let seen = folder.see(&["rules", command, "houses/mini-punto-bnco.toml"]);
        let said = "audit: file houses/mini-punto-bnco.toml does not exist; built-in rulebooks (did you mean \
                    `mini-punto-banco`?): es-1979, ";
        assert!(seen.contains(said) && seen.ends_with("exit status 2\n"), "{seen}");
        let typed = folder.see(&["rules", command, "mini-punto-bnco"]);
        assert!(
            typed.contains("did you mean `mini-punto-banco`?") && typed.ends_with("exit status 2\n"),
            "{typed}"
        );
        let inside = folder.see(&["rules", command, "."]);
        assert!(inside.contains("is a folder; give a rulebook file"), "{inside}");
    }
}

#[test]
fn a_rulebook_is_begun_checked_and_kept() {
    let folder = TestFolder::new();
    let begin =
        ["rules", "new", "--extends", "punto-banco", "--out", "house-2026.toml", "--from", "2026-01-01"];
    let seen = folder.see(&begin);
    assert!(
        seen.ends_with("written; check it with: audit rules check house-2026.toml\nexit status 0\n"),
        "{seen}"
    );
    let checked = folder.see(&["rules", "check", "house-2026.toml"]);
    assert!(checked.contains("fit for certifying") && checked.ends_with("exit status 0\n"), "{checked}");
    assert!(checked.contains("house-2026: house-2026, after punto-banco"), "{checked}");
    let again = folder.see(&begin);
    assert!(again.contains("already exists") && again.ends_with("exit status 2\n"), "{again}");
    // One value changed, as the file's first lines say.
    let text = std::fs::read_to_string(folder.path("house-2026.toml")).unwrap();
    let changed = text.replace("# cards-behind = ", "cards-behind = 60 # before: ");
    assert_ne!(changed, text);
    folder.write("house-2026.toml", changed);
    let differs = folder.see(&["rules", "diff", "punto-banco", "house-2026.toml"]);
    assert!(differs.contains("60") && differs.contains("exit status 1"), "{differs}");
    // A rulebook of its own folder can be extended as well.
    let next = ["rules", "new", "--extends", "house-2026.toml", "--out", "night.toml", "--id", "night"];
    assert!(folder.see(&next).ends_with("exit status 0\n"));
    let checked = folder.see(&["rules", "check", "night.toml"]);
    assert!(
        checked.contains("night: night, after house-2026") && checked.ends_with("exit status 0\n"),
        "{checked}"
    );
}

#[test]
fn what_cannot_be_a_rulebook_is_refused_before_it_is_written() {
    let folder = TestFolder::new();
    for (more, said) in [
        (["--id", "Night Table"], "`id` is `Night Table`; expected 1 to 64 of a-z, 0-9 and -"),
        (
            ["--from", "tomorrow"],
            "`effective.from` is `tomorrow`; expected a day of the calendar as YYYY-MM-DD",
        ),
        (["--id", "x\"\nformat = 2"], "expected 1 to 64 of a-z, 0-9 and -"),
    ] {
        let begin = ["rules", "new", "--extends", "punto-banco", "--out", "new.toml"];
        let seen = folder.see(&[&begin[..], &more].concat());
        assert!(seen.contains(said) && seen.ends_with("exit status 2\n"), "{seen}");
        assert!(!folder.path("new.toml").exists());
    }
    std::fs::create_dir(folder.path("other")).unwrap();
    folder.see(&["rules", "new", "--extends", "punto-banco", "--out", "base.toml"]);
    let apart = folder.see(&["rules", "new", "--extends", "base.toml", "--out", "other/new.toml"]);
    assert!(apart.contains("in another folder than --out") && apart.ends_with("exit status 2\n"), "{apart}");
}

#[test]
fn a_check_names_file_line_and_column() {
    let folder = TestFolder::new();
    let head = "extends = \"mini-punto-banco\"\nid = \"house\"\ntitle = \"House\"\neffective = { from = \"2026-01-01\" }\n";
    folder.write(
        "house.toml",
        format!("{head}[limits]\nover-limit = \"cupped\"\n[bets.tie]\nrows = [{{ pays = 9 }}]\n"),
    );
    let seen = folder.see(&["rules", "check", "house.toml"]);
    for part in [
        "error   not-allowed house.toml:6:1\n        `limits.over-limit` is `cupped`; did you mean \"capped\"?",
        "error   not-allowed house.toml:8:11\n        `bets.tie.rows[0].pays` is the number 9; expected in quotes odds",
    ] {
        assert!(seen.contains(part), "{part}\n{seen}");
    }
    assert!(seen.ends_with("exit status 1\n"), "{seen}");
    let json = folder.run(&["rules", "check", "house.toml", "--json"]);
    let view: serde_json::Value = serde_json::from_slice(&json.stdout).unwrap();
    let first = &view["findings"][0];
    assert_eq!((first["file"].as_str(), first["line"].as_u64()), (Some("house.toml"), Some(6)), "{view:#}");
    folder.write("house.toml", format!("{head}[bets.tie]\nrows = [{{ winner = \"tie\", pays = 160:1 }}]\n"));
    let seen = folder.see(&["rules", "check", "house.toml"]);
    let said =
        "audit: house.toml:6:34: `pays` stands without quotes: write it in quotes, `pays = \"160:1\"`\n";
    assert!(seen.contains(said) && seen.ends_with("exit status 4\n"), "{seen}");
}

#[test]
fn the_schema_is_printed() {
    let folder = TestFolder::new();
    let output = folder.run(&["rules", "schema"]);
    let printed: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(printed, baccarat::form::json_schema());
}
