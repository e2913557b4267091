//! The migration of seed 002: what changes between the flat envelope and the target, as its appendix lists it.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

use manila::Transcript;
use manila_check::Declaration;
use manila_contract::{
    Change, Comparison, Lock, Outcome, Purpose, Reader, Versions, from_recorded,
};
use manila_pack::Packs;
use std::fs;
use std::path::Path;

/// An example of the seed, as a run of this call.
fn example(name: &str, call: &str) -> (String, Transcript) {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../manila/tests/seeds").join(name);
    let read = |file: &str| fs::read(directory.join(file)).expect("an example of the seed");
    let mut run =
        Transcript::from_recorded(&read("run.json"), read("stdout"), Vec::new()).expect("a run");
    let verb = if call == "list" { "list-sessions" } else { "load-session" };
    run.argv = ["claw", verb, "--output-format", "json"].map(str::to_owned).to_vec();
    (call.to_owned(), run)
}

fn frozen(examples: [(String, Transcript); 2]) -> Lock {
    from_recorded(&examples, &Declaration::default(), &Packs::default())
}

#[test]
fn the_migration_table_of_the_seed_is_found() {
    let old = frozen([example("claw-v1-success", "list"), example("claw-v1-error", "load")]);
    let new = frozen([
        example("claw-aspirational-list-sessions", "list"),
        example("claw-v2-not-found", "load"),
    ]);
    let names = ["claw 1.0", "claw 2.0"].map(str::to_owned);
    let comparison =
        Comparison::new(Purpose::Diff, names, [&old, &new], &Versions::default(), Reader::Tolerant);
    assert_eq!(comparison.outcome(), Outcome::Changed);
    let line = |change: &Change| format!("{} {}", change.rule.id, change.subject());
    let found: Vec<String> = comparison.changes.iter().map(|it| line(&it.change)).collect();
    for expected in [
        // The error is a string, and becomes an object.
        "scalar-became-object failure .error",
        // The kind is at the top, and becomes a part of the error.
        "field-moved failure .kind → failure .error.kind",
        // The flag at the top is gone.
        "field-removed failure .type",
        "field-removed ok .type",
        // The common fields.
        "field-added ok .timestamp",
        "field-added failure .timestamp",
        "field-added failure .exit_code",
        "field-added ok .output_format",
        "field-added ok .schema_version",
        // What a session is called inside.
        "field-renamed ok .sessions[].created → ok .sessions[].created_at",
        "field-renamed ok .sessions[].id → ok .sessions[].session_id",
        // The envelope itself.
        "dialect-revision-changed ok dialect",
        "dialect-revision-changed failure dialect",
    ] {
        assert!(found.iter().any(|it| it == expected), "{expected} in\n{}", found.join("\n"));
    }
}
