//! What the linter says of good rulebooks, of drafts and of flawed ones.
#![allow(clippy::unwrap_used, missing_docs)]

use baccarat::lint::{self, Code, Report, Severity};
use baccarat::{Game, Rulebook, builtins};

const AS_WRITTEN: &str = include_str!("../../../fixtures/flawed-rulebooks/bacara-as-written.toml");
const BY_TOTAL: &str = include_str!("../../../fixtures/flawed-rulebooks/table-by-puntos-total.toml");
const TWO_TO_ONE: &str = include_str!("../../../fixtures/flawed-rulebooks/six-pays-two-to-one.toml");
const ONE_MORE: &str = include_str!("../../../fixtures/flawed-rulebooks/seven-behind-and-one-more.toml");

fn lint(text: &str) -> Report {
    lint::read("house.toml", text, &mut |_| Err("no other file".to_owned())).unwrap()
}

/// `es-1979` with changes, each of which must match once.
fn changed(changes: &[(&str, &str)]) -> String {
    let (_, text) = builtins().find(|(id, _)| *id == "es-1979").unwrap();
    changes.iter().fold(text.to_owned(), |text, (old, new)| {
        assert_eq!(text.matches(old).count(), 1, "`{old}` must stand once");
        text.replace(old, new)
    })
}

/// `es-1979` with a bet more.
fn with_bet(bet: &str) -> Report {
    lint(&(changed(&[]) + "\n[bets.odd]\ntitle = \"Odd\"\ncite = [\"07.V banca\"]\n" + bet))
}

/// Code and key of every finding but notes.
fn reported(report: &Report) -> Vec<(Code, &str)> {
    let weighty = |finding: &&lint::Finding| finding.code.severity() != Severity::Note;
    report.findings.iter().filter(weighty).map(|finding| (finding.code, finding.key.as_str())).collect()
}

/// What is said under a code; it has to be said once.
fn said(report: &Report, code: Code) -> String {
    let all: Vec<String> =
        report.findings.iter().filter(|f| f.code == code).map(ToString::to_string).collect();
    assert_eq!(all.len(), 1, "{code}: {:?}", report.findings);
    all[0].clone()
}

#[test]
fn every_rulebook_that_comes_with_the_program_is_complete_safe_and_fair() {
    for (id, text) in builtins() {
        let report = lint(text);
        assert_eq!(reported(&report), [], "{id}");
        let rulebook = report.rulebook.unwrap();
        assert_eq!(rulebook, Rulebook::from_toml(id, text).unwrap());
        if rulebook.game() == Game::CheminDeFer {
            assert!(report.prices.is_empty(), "{id}: what a coup costs is for the players to say");
            continue;
        }
        let decks: Vec<u8> = report.prices.iter().map(|prices| prices.decks).collect();
        assert_eq!(decks, rulebook.shoe.decks.into_iter().collect::<Vec<_>>(), "{id}");
        for prices in &report.prices {
            assert_eq!(prices.draws, baccarat::exact::draws(prices.decks).unwrap());
            for (kind, price) in &prices.bets {
                assert_eq!(price.wins + price.pushes + price.losses, prices.draws, "{id} {kind}");
                assert!(!price.edge.is_negative(), "{id} {kind}");
            }
        }
    }
}

#[test]
fn a_source_as_written_is_refused_and_every_hole_is_named() {
    let report = lint(AS_WRITTEN);
    assert!(report.rulebook.is_none() && report.prices.is_empty());
    assert_eq!(
        said(&report, Code::CellNotStated),
        "`tableau.banca[5]` is not stated for punto's third card 0, 1, 2, 3, 4, 5, 6, 7, 8, 9; say it, \
         with the text it follows"
    );
    assert_eq!(
        said(&report, Code::CardValueNotStated),
        "`card-values.points` is not stated for T; say it, with the text it follows"
    );
    let rest: Vec<&str> =
        report.findings.iter().filter(|f| f.code == Code::NotStated).map(|f| f.key.as_str()).collect();
    assert_eq!(
        rest,
        [
            "bets.banca.rows[0].pays",
            "bets.punto.rows[0].pays",
            "bets.tie.rows[0].pays",
            "burn",
            "commission.rounding",
            "cut-card",
            "deal.order",
            "deal.punto-holder",
            "deal.tie-break",
            "effective.from",
            "limits",
            "payout-rounding",
            "shoe"
        ]
    );
    // The row for 6 holds what was lost of the row for 5.
    assert_eq!(
        said(&report, Code::TableauDeparts),
        "`tableau` departs from the table of every complete source: banca with 6 against third card 4 \
         draws; banca with 6 against third card 5 draws"
    );
    assert_eq!(report.findings.len(), 16);
    let refused = Rulebook::from_toml("bacara", AS_WRITTEN).unwrap_err().to_string();
    assert_eq!(
        refused,
        "bacara:55:5: `tableau.banca[5]` is not stated for punto's third card 0, 1, 2, 3, 4, 5, 6, 7, 8, 9: \
         this is a draft, by which nothing can be judged; `audit rules check` names everything it lacks"
    );
}

#[test]
fn a_source_completed_in_its_two_holes_has_no_cell_and_no_value_missing() {
    let filled = AS_WRITTEN.replace("?????????? T", "PPPPTTTTPP T").replace("6789?000", "67890000");
    let codes: Vec<Code> = lint(&filled).findings.iter().map(|finding| finding.code).collect();
    assert!(!codes.contains(&Code::CellNotStated) && !codes.contains(&Code::CardValueNotStated));
    assert!(codes.contains(&Code::NotStated));
}

#[test]
fn holes_of_every_kind_are_named_place_by_place() {
    let report = lint(&changed(&[
        ("punto = \"TTTTTTPP\"", "punto = \"TTT??TPP\""),
        ("\"TTTTTTTTPT T\"", "\"TTTTTTT?PT ?\""),
        ("\"PPPPPPPPPP P\"", "\"?\""),
        ("10, 10, 10, 10 ]", "\"?\", 10, 10, \"?\" ]"),
        ("cards-behind = 7", "cards-behind = \"?\""),
    ]));
    let cells: Vec<String> = report.findings.iter().map(ToString::to_string).collect();
    for expected in [
        "`tableau.punto` is not stated for punto's total 3, 4;",
        "`tableau.banca[3]` is not stated for punto's third card 7, a punto that stood;",
        "`tableau.banca[7]` is not stated;",
        "`burn.values` is not stated for T, K;",
        "`cut-card.cards-behind` is not stated;",
    ] {
        assert_eq!(cells.iter().filter(|cell| cell.starts_with(expected)).count(), 1, "{expected} {cells:?}");
    }
    assert_eq!(cells.len(), 5, "{cells:?}");
}

#[test]
fn what_is_missing_or_not_allowed_is_reported_all_at_once() {
    let report = lint(&changed(&[
        ("id = \"es-1979\"", "id = \"ES 1979\""),
        ("dealer = \"players\"\n", ""),
        ("cards-behind = 7", "cards-behind = 70000"),
        ("over-limit = \"paid-in-full\"", "over-limit = \"forgiven\"\ncolour = 3"),
        ("values = [ 1, 2,", "values = [ 0, 14,"),
    ]));
    let mut reported = reported(&report);
    reported.sort();
    assert_eq!(
        reported,
        [
            (Code::Missing, "deal.dealer"),
            (Code::NotAllowed, "burn.values"),
            (Code::NotAllowed, "burn.values"),
            (Code::NotAllowed, "cut-card.cards-behind"),
            (Code::NotAllowed, "id"),
            (Code::NotAllowed, "limits.colour"),
            (Code::NotAllowed, "limits.over-limit"),
        ]
    );
    let sentences: String = report.findings.iter().map(|finding| format!("{finding}\n")).collect();
    for expected in [
        "`deal.dealer` is missing; every rulebook has this key",
        "`burn.values` holds 0; expected 1 to 13",
        "`burn.values` holds 14; expected 1 to 13",
        "`limits.over-limit` is `forgiven`; expected one of \"paid-in-full\"",
        "`limits.colour` is no key here; the keys are `maximum-over-minimum`",
    ] {
        assert!(sentences.contains(expected), "{expected}\n{sentences}");
    }
}

#[test]
fn a_bet_of_the_wrong_form_does_not_hide_the_next() {
    let report = lint(
        &(changed(&[])
            + "[bets.one]\ntitle = 7\nrows = [{ winner = \"tie\", pays = \"8-1\" }, { winner = \"none\", pays = \"1:1\" }]\n\
               [bets.Two]\ntitle = \"Two\"\nrows = []\n\
               [bets.three]\nrows = [{ margin = 11, pays = \"2:1\" }]\n"),
    );
    let mut reported = reported(&report);
    reported.sort();
    assert_eq!(
        reported,
        [
            (Code::Missing, "bets.three.title"),
            (Code::NotAllowed, "bets.Two"),
            (Code::NotAllowed, "bets.one.rows[0].pays"),
            (Code::NotAllowed, "bets.one.rows[1].winner"),
            (Code::NotAllowed, "bets.one.title"),
            (Code::NotAllowed, "bets.three.rows[0].margin"),
        ]
    );
}

#[test]
fn an_empty_file_gets_a_finding_for_all_it_lacks_and_no_toml_is_an_error() {
    let report = lint("");
    let missing: Vec<(Code, &str)> = reported(&report);
    assert!(missing.iter().all(|(code, _)| *code == Code::Missing), "{missing:?}");
    for key in ["format", "id", "title", "shoe", "cut-card", "burn", "deal", "tableau", "seats", "bets"] {
        assert!(missing.contains(&(Code::Missing, key)), "{key}");
    }
    assert!(lint::read("f", "id = ", &mut |_| Err(String::new())).is_err());
}

#[test]
fn banca_by_puntos_total_is_an_error_with_the_share_it_misplays() {
    let report = lint(BY_TOTAL);
    assert_eq!(reported(&report), [(Code::ColumnsPuntoTotal, "columns")]);
    assert!(said(&report, Code::ColumnsPuntoTotal).contains("it plays 8.8187 % of coups"));
}

#[test]
fn two_to_one_for_bancas_six_favours_the_player() {
    let report = lint(TWO_TO_ONE);
    let changed = [(Code::CiteOfBase, "bets.banca.rows"), (Code::CiteOfBase, "shoe.decks")];
    assert_eq!(reported(&report), [&[(Code::FavoursPlayer, "bets.banca")][..], &changed].concat());
    assert!(said(&report, Code::FavoursPlayer).contains("who gains 6.62"));
    for prices in &report.prices {
        let (_, banca) = prices.bets.iter().find(|(kind, _)| kind.as_str() == "banca").unwrap();
        assert_eq!(banca.edge.percent(2), "-6.62", "{} decks", prices.decks);
    }
}

/// Somebody wrote `1:9` for nine to one, and nothing was said: the bet cost 89 % of every stake.
#[test]
fn odds_the_wrong_way_round_and_bets_that_cost_too_much_are_reported() {
    let of = |rows: &str| with_bet(&format!("rows = [{rows}]"));
    let tie = of("{ winner = \"tie\", pays = \"1:9\" }");
    assert_eq!(reported(&tie), [(Code::PayoutSwapped, "bets.odd.rows[0].pays")]);
    let what = said(&tie, Code::PayoutSwapped);
    assert!(what.contains("is `1:9`") && what.contains("`9:1`") && what.contains("89.4"), "{what}");
    // One row of several, where the other one hides it.
    let one = of("{ winner = \"banca\", banca-total = 6, banca-cards = 2, pays = \"12:1\" }, \
                  { winner = \"banca\", banca-total = 6, banca-cards = 3, pays = \"1:20\" }");
    assert_eq!(reported(&one), [(Code::PayoutSwapped, "bets.odd.rows[1].pays")]);
    // The other way round these would favour the player.
    let half = of("{ winner = \"banca\", pays = \"1:2\" }");
    assert_eq!(reported(&half), [(Code::CostsTooMuch, "bets.odd")]);
    assert!(said(&half, Code::CostsTooMuch).contains("no more than 10 %"));
    let double = of("{ winner = \"tie\", pays = \"2:1\" }");
    assert_eq!(reported(&double), [(Code::CostsTooMuch, "bets.odd")]);
    for usual in [
        "{ winner = \"tie\", pays = \"9:1\" }",
        "{ cards = [5, 6], pays = \"54:100\" }",
        "{ winner = \"tie\", pays = \"push\" }, { winner = \"banca\", banca-total = 6, pays = \"1:2\" }, { winner = \"banca\", pays = \"1:1\" }",
    ] {
        assert_eq!(reported(&of(usual)), [], "{usual}");
    }
}

/// A rulebook that extends `mini-punto-banco`.
fn over_mini(changes: &str) -> Report {
    lint(&format!(
        "extends = \"mini-punto-banco\"\nid = \"house\"\ntitle = \"House\"\neffective = {{ from = \"2026-01-01\" }}\n\
         {changes}\n[citations]\n\"casa 1\" = {{ source = \"House rules, 1\", text = \"Four per cent.\" }}\n"
    ))
}

#[test]
fn a_changed_value_that_still_cites_the_base_is_reported() {
    let cited = |report: &Report| -> Vec<String> {
        report.findings.iter().filter(|f| f.code == Code::CiteOfBase).map(|f| f.key.clone()).collect()
    };
    for (changes, key) in [
        ("[commission]\nrate = \"4/100\"", "commission.rate"),
        ("[commission]\nrounding = { mode = \"up\", unit = 1 }", "commission.rounding.mode"),
        ("[bets.tie]\nrows = [{ winner = \"tie\", pays = \"9:1\" }]", "bets.tie.rows"),
        // The base's own citation, written out once more.
        ("[shoe]\ndecks = [8]\ncite = [\"barajas\"]", "shoe.decks"),
        // The base does not state it.
        ("[shoe]\novernight = true", "shoe.overnight"),
    ] {
        assert_eq!(cited(&over_mini(changes)), [key], "{changes}");
    }
    let said = said(&over_mini("[commission]\nrate = \"4/100\""), Code::CiteOfBase);
    assert_eq!(
        said,
        "`commission.rate` is `4/100` and in mini-punto-banco it is `5/100`, but it still cites [apuesta a la banca], \
         [casillero], [casillero: cobro], [elección: redondeo]: in `cite`, name the text that says so"
    );
    for changes in [
        "[commission]\nrate = \"4/100\"\ncite = [\"casa 1\"]",
        "[shoe]\ndecks = [8]\ncite = [\"barajas\", \"casa 1\"]",
        // The value of the base, and what is no rule.
        "[shoe]\ndecks = [6]\novernight = false",
        "[bets.tie]\ntitle = \"Tie\"",
        // Another text under the base's key.
        "[shoe]\ndecks = [8]\n[citations.barajas]\nsource = \"House rules, 2\"\ntext = \"\"",
        // A bet that the base does not have.
        "[bets.six]\ntitle = \"Six\"\nrows = [{ winner = \"tie\", punto-total = 6, pays = \"45:1\" }]\ncite = [\"casa 1\"]",
    ] {
        assert_eq!(cited(&over_mini(changes)), [""; 0], "{changes}");
    }
}

#[test]
fn a_cut_card_is_deep_enough_for_its_last_coup_or_an_error() {
    let report = lint(ONE_MORE);
    let expected =
        [(Code::CutCardTooShallow, "cut-card.cards-behind"), (Code::CiteOfBase, "cut-card.last-coup")];
    assert_eq!(reported(&report), expected);
    assert!(said(&report, Code::CutCardTooShallow).contains("may need 12 cards"));
    let shallow = |behind: u16, last: &str| {
        let last = format!("last-coup = \"{last}\"");
        let behind = format!("cards-behind = {behind}");
        let text = changed(&[("cards-behind = 7", &behind), ("last-coup = \"finish-coup\"", &last)]);
        reported(&lint(&text)).contains(&(Code::CutCardTooShallow, "cut-card.cards-behind"))
    };
    let counted = |last: &str| format!("{last}\"\nfirst-card-counts = true # \"");
    let borders = [
        ("finish-coup".to_owned(), 6),
        ("one-more".to_owned(), 12),
        ("five-more".to_owned(), 36),
        (counted("one-more"), 11),
        (counted("five-more"), 35),
    ];
    for (last, enough) in borders {
        assert!(!shallow(enough, &last), "{last}");
        assert!(shallow(enough - 1, &last), "{last}");
    }
}

#[test]
fn one_wrong_cell_is_reported_with_the_share_it_misplays() {
    let report = lint(&changed(&[("\"PPPPPPTTPP P\"", "\"PPPPPPPTPP P\"")]));
    assert_eq!(reported(&report), [(Code::TableauDeparts, "tableau")]);
    let said = said(&report, Code::TableauDeparts);
    assert!(said.contains("plays 0.4458 % of coups"), "{said}");
    assert!(said.ends_with("banca with 6 against third card 6 stands"), "{said}");
}

#[test]
fn rows_that_mean_nothing_are_reported() {
    let never = with_bet(
        "rows = [{ winner = \"tie\", margin = 3, pays = \"9:1\" }, { banca-natural = true, banca-cards = 3, pays = \"9:1\" }, { winner = \"tie\", pays = \"8:1\" }]",
    );
    assert_eq!(
        reported(&never),
        [(Code::RowNeverMet, "bets.odd.rows[0]"), (Code::RowNeverMet, "bets.odd.rows[1]")]
    );
    // Nothing excludes these two but the deal: a natural ends the coup.
    let by_the_deal = with_bet(
        "rows = [{ punto-natural = true, banca-cards = 3, pays = \"9:1\" }, { winner = \"tie\", pays = \"8:1\" }]",
    );
    assert_eq!(reported(&by_the_deal), [(Code::RowNeverMet, "bets.odd.rows[0]")]);
    let covered = with_bet(
        "rows = [{ punto-pair = \"any\", pays = \"3:1\" }, { winner = \"tie\", pays = \"4:1\" }, { winner = \"tie\", punto-pair = \"suited\", pays = \"9:1\" }]",
    );
    assert_eq!(reported(&covered), [(Code::RowNeverReached, "bets.odd.rows[2]")]);
    assert!(said(&covered, Code::RowNeverReached).contains("rows[0] decide every coup"));
    let together = with_bet(
        "rows = [{ punto-pair = \"suited\", pays = \"2:1\" }, { punto-pair = [\"same-colour\", \"mixed\"], pays = \"2:1\" }, { punto-pair = \"any\", pays = \"9:1\" }]",
    );
    assert!(said(&together, Code::RowNeverReached).contains("rows[0] and rows[1] decide"));
}

#[test]
fn a_special_case_before_the_rule_is_no_overlap() {
    let refined = with_bet(
        "rows = [{ winner = \"tie\", punto-total = 9, pays = \"9:1\" }, { winner = \"tie\", pays = \"6:1\" }]",
    );
    assert_eq!(refined.findings, []);
    let crossed =
        with_bet("rows = [{ punto-pair = \"any\", pays = \"3:1\" }, { winner = \"tie\", pays = \"4:1\" }]");
    assert!(said(&crossed, Code::RowsOverlap).starts_with("`bets.odd.rows[0]` shares 0."));
    let alike =
        with_bet("rows = [{ punto-pair = \"any\", pays = \"3:1\" }, { winner = \"tie\", pays = \"3:1\" }]");
    assert_eq!(alike.findings, []);
}

#[test]
fn suits_that_one_deck_cannot_pair_are_known() {
    let bet = "\n[bets.odd]\ntitle = \"Odd\"\ncite = [\"07.V banca\"]\nrows = [{ punto-pair = \"suited\", pays = \"70:1\" }]";
    let with = |decks: &str| lint(&(changed(&[("decks = [6]", decks)]) + bet));
    assert_eq!(
        reported(&with("decks = [1]")),
        [(Code::BetNeverWins, "bets.odd"), (Code::RowNeverMet, "bets.odd.rows[0]")]
    );
    assert_eq!(reported(&with("decks = [1, 2]")), []);
}

#[test]
fn bets_that_cannot_be_won_or_placed_are_errors() {
    let never = with_bet("rows = [{ winner = \"tie\", pays = \"push\" }]");
    assert_eq!(reported(&never), [(Code::BetNeverWins, "bets.odd")]);
    // Beside banca only, with which punto may not stand; and whatever needs such a bet.
    let stranded = lint(
        &(changed(&[
            ("[bets.punto]\n", "[bets.punto]\nrequires = [\"banca\"]\n"),
            ("pairs = []", "pairs = [{ bets = [\"punto\", \"banca\"], cite = [\"07.V banca\"] }]"),
        ]) + "[bets.odd]\ntitle = \"Odd\"\ncite = [\"07.V banca\"]\nrequires = [\"punto\"]\n\
              rows = [{ winner = \"tie\", pays = \"8:1\" }]"),
    );
    assert_eq!(
        reported(&stranded),
        [(Code::BetCannotBePlaced, "bets.punto.requires"), (Code::BetCannotBePlaced, "bets.odd.requires")]
    );
    let beside = with_bet("requires = [\"punto\", \"banca\"]\nrows = [{ winner = \"tie\", pays = \"8:1\" }]");
    assert_eq!(reported(&beside), []);
}

#[test]
fn caps_below_the_minimum_are_reported_where_the_ratio_is_laid_down() {
    // By the Orden the maximum is 50 or 100 times the minimum.
    let capped = |cap: &str| {
        with_bet(&format!(
            "minimum-binds = true\ncap = \"{cap}\"\nrows = [{{ winner = \"tie\", pays = \"8:1\" }}]"
        ))
    };
    assert_eq!(reported(&capped("1/50")), []);
    assert_eq!(reported(&capped("1/60")), [(Code::CapBelowMinimum, "bets.odd.cap")]);
    assert_eq!(reported(&capped("1/101")), [(Code::BetCannotBePlaced, "bets.odd.cap")]);
}

#[test]
fn clauses_without_a_source_and_sources_without_a_clause_are_reported() {
    let report = with_bet("rows = [{ winner = \"tie\", pays = \"8:1\" }]");
    assert_eq!(report.findings, []);
    let uncited =
        lint(&(changed(&[]) + "[bets.odd]\ntitle = \"Odd\"\nrows = [{ winner = \"tie\", pays = \"8:1\" }]"));
    assert_eq!(reported(&uncited), [(Code::NotCited, "bets.odd")]);
    let unused = lint(&changed(&[("[citations]\n", "[citations]\nidle = { source = \"x\" }\n")]));
    assert!(said(&unused, Code::CitationUnused).starts_with("`citations.idle` is followed by no clause"));
}

#[test]
fn commission_that_no_win_owes_is_reported() {
    let idle =
        with_bet("commission = true\nrows = [{ winner = \"tie\", pays = \"8:1\", commission = false }]");
    assert_eq!(reported(&idle), [(Code::CommissionNeverDue, "bets.odd.commission")]);
}

#[test]
fn values_of_cards_are_the_usual_ones_or_refused_and_never_carried() {
    let usual = changed(&[("[card-values]\n", "[card-values]\npoints = \"1234567890000\"\n")]);
    let plain = Rulebook::from_toml("plain", &changed(&[])).unwrap();
    assert_eq!(Rulebook::from_toml("usual", &usual).unwrap().digest(), plain.digest());
    let other = usual.replace("1234567890000", "1234567891111");
    let refused = Rulebook::from_toml("other", &other).unwrap_err().to_string();
    assert!(refused.contains("`card-values.points` is `1234567891111`; expected 1234567890000"), "{refused}");
    assert_eq!(reported(&lint(&other)), [(Code::NotAllowed, "card-values.points")]);
}

/// The text with one line left out or its value changed, for every line and some values.
fn damaged() -> impl Iterator<Item = String> {
    let whole = changed(&[]);
    let lines: Vec<String> = whole.lines().map(str::to_owned).collect();
    let values = [None, Some("7"), Some("\"x\""), Some("[]"), Some("{}"), Some("[{ a = 1 }]"), Some("\"?\"")];
    (0..lines.len()).flat_map(move |at| {
        let lines = lines.clone();
        values.into_iter().filter_map(move |value| {
            let mut lines = lines.clone();
            match value {
                None => drop(lines.remove(at)),
                Some(value) => {
                    let (key, _) = lines[at].split_once(" = ")?;
                    lines[at] = format!("{key} = {value}");
                }
            }
            Some(lines.join("\n"))
        })
    })
}

#[test]
fn the_linter_and_the_reader_agree_on_what_is_a_rulebook() {
    let (mut good, mut bad) = (0, 0);
    for text in damaged() {
        match lint::read("damaged", &text, &mut |_| Err("no other file".to_owned())) {
            // Not even TOML, or not to be laid over anything.
            Err(error) => assert_eq!(Rulebook::from_toml("damaged", &text).unwrap_err(), error),
            Ok(report) => {
                let read = Rulebook::from_toml("damaged", &text);
                assert_eq!(report.rulebook.is_some(), read.is_ok(), "{text}\n{:?} {read:?}", report.findings);
                assert!(read.is_ok() || report.count(Severity::Error) > 0);
                *(if read.is_ok() { &mut good } else { &mut bad }) += 1;
            }
        }
    }
    assert!(good > 20 && bad > 100, "{good} {bad}");
}

#[test]
fn codes_are_unlike_each_other() {
    let names: std::collections::BTreeSet<&str> = Code::ALL.iter().map(|code| code.as_str()).collect();
    assert_eq!(names.len(), Code::ALL.len());
    let page = include_str!("../../../docs/linter.md");
    for name in names {
        assert!(page.contains(&format!("### `{name}`")), "docs/linter.md does not describe `{name}`");
    }
}
