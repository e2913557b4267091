//! Small twins of breaks that happened to real programs: each is found, by the rule that names it.
#![allow(clippy::expect_used, reason = "a test may stop at the first surprise")]

use manila::{Status, Transcript};
use manila_check::Declaration;
use manila_contract::{Comparison, Lock, Outcome, Purpose, Reader, Versions, from_recorded};
use manila_pack::Packs;
use serde::Deserialize;
use std::fs;
use std::path::Path;

/// What a program answered before and after a release.
#[derive(Deserialize)]
struct Break {
    about: String,
    old: Vec<Run>,
    new: Vec<Run>,
    /// The rules that name it.
    expect: Vec<String>,
    /// For which readers it breaks; a tolerant reader if none is named.
    reader: Option<String>,
    /// Whether it breaks anyone for certain.
    breaking: Option<bool>,
}

#[derive(Deserialize)]
struct Run {
    name: String,
    argv: Vec<String>,
    stdout: String,
    stderr: String,
    status: i32,
}

fn frozen(runs: &[Run]) -> Lock {
    let runs: Vec<(String, Transcript)> = runs
        .iter()
        .map(|run| {
            let argv = std::iter::once("program".to_owned()).chain(run.argv.clone()).collect();
            let transcript = Transcript {
                argv,
                stdout: run.stdout.clone().into_bytes(),
                stderr: run.stderr.clone().into_bytes(),
                status: Status::Exited(run.status),
                duration_ms: None,
            };
            (run.name.clone(), transcript)
        })
        .collect();
    from_recorded(&runs, &Declaration::default(), &Packs::default())
}

#[test]
fn breaks_of_real_programs_are_found() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/breaks");
    let (mut wrong, mut count) = (Vec::new(), 0);
    for entry in fs::read_dir(directory).expect("the breaks") {
        let path = entry.expect("a break").path();
        let text = fs::read(&path).expect("a file");
        let twin: Break = serde_json::from_slice(&text).expect("a break");
        count += 1;
        let reader = twin.reader.as_deref().unwrap_or("tolerant");
        let reader = Reader::ALL.into_iter().find(|it| it.as_str() == reader).expect("a reader");
        let (old, new) = (frozen(&twin.old), frozen(&twin.new));
        let names = ["old", "new"].map(str::to_owned);
        let comparison =
            Comparison::new(Purpose::Diff, names, [&old, &new], &Versions::default(), reader);
        let found: Vec<&str> = comparison.changes.iter().map(|it| it.change.rule.id).collect();
        let is_breaking = comparison.outcome() == Outcome::Changed;
        let has_all = twin.expect.iter().all(|id| found.contains(&id.as_str()));
        if !has_all || is_breaking != twin.breaking.unwrap_or(true) {
            wrong.push(format!(
                "{}: {} (breaking {is_breaking})\n  {found:?}",
                path.display(),
                twin.about
            ));
        }
    }
    assert!(count >= 12, "only {count} breaks");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
