//! The wall: for every rule a program that breaks it and one that is right, and the matrix of all
//! rules against all programs. The right rule fires, and no other does.
//!
//! A program of the wall is `tests/wall/<rule>.sh` or `.py`, or the example `wall` of this crate with
//! the rule as its first argument. A second program for a rule is named `<rule>.<word>`. What is right is
//! named `right`, or `<rule>.right` where the rule needs something that the usual right program has not.
//! `MANILA_WALL=word` looks at the programs with that word in their names alone.

#![expect(clippy::expect_used, reason = "a test fails by panicking")]

use manila_check::Unconfined;
use manila_check::{
    Declaration, Family, Options, Profile, RULES, RuleSelection, Subject, Verdict, check, rule,
};
use std::collections::BTreeSet;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};
use std::time::Duration;

/// The flaws that the Rust program has.
const IN_RUST: &[&str] = &["closed-reader-crash", "nondeterministic", "right", "stack-trace"];

/// A program of the wall.
struct Program {
    name: String,
    words: Vec<String>,
}

/// What was found out about one.
struct Row {
    name: String,
    /// For each rule, in the order of the table.
    marks: Vec<char>,
    /// What was found, in words.
    findings: Vec<String>,
}

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wall")
}

/// The words before a script. Python is called by its own path: a shim of a version manager in front of it
/// would take most of the time of every call.
fn interpreter(script: &Path) -> impl Iterator<Item = String> {
    static PYTHON: LazyLock<Option<String>> = LazyLock::new(|| {
        let asked =
            Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output();
        asked.ok().and_then(|it| String::from_utf8(it.stdout).ok()).map(|it| it.trim().to_owned())
    });
    let is_python = script.extension().is_some_and(|it| it == "py");
    let python = PYTHON.clone().filter(|python| is_python && !python.is_empty());
    python.into_iter().flat_map(|python| [python, "-BES".to_owned()])
}

/// All programs of the wall, by name.
fn programs() -> Vec<Program> {
    let mut programs = Vec::new();
    for entry in fs::read_dir(directory()).expect("the wall") {
        let path = entry.expect("an entry").path();
        if path.extension().is_some_and(|it| it == "sh" || it == "py") {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            let words = interpreter(&path).chain([path.display().to_string()]).collect();
            programs.push(Program { name, words });
        }
    }
    let example = env::current_exe().expect("this test").with_file_name("../examples/wall");
    for flaw in IN_RUST {
        let words = vec![example.display().to_string(), (*flaw).to_owned()];
        programs.push(Program { name: format!("{flaw}.rs"), words });
    }
    programs.sort_by(|one, two| one.name.cmp(&two.name));
    programs
}

/// The rule that a program breaks, by its name; none for one that is right.
fn broken_by(name: &str) -> Option<&str> {
    let mut parts = name.split('.');
    let first = parts.next().filter(|first| *first != "right")?;
    (parts.next() != Some("right")).then_some(first)
}

fn examine(program: &Program) -> Row {
    let declaration = Declaration::default();
    let subject = Subject::resolve(&program.words, &declaration, &directory()).expect("a program");
    let options = Options {
        jobs: NonZeroUsize::new(2),
        // Longer than anything takes, on a busy machine too.
        deadline: Duration::from_secs(3600),
        // A program that hangs is waited for as long some four times, and once four times as long.
        limit: Duration::from_secs(3),
        // They are ours, and must be judged where nothing can be confined as well.
        unconfined: Unconfined::All,
        // Every rule is asked, whatever the program promises.
        rules: RuleSelection { profile: Some(Profile::Envelope), ..RuleSelection::default() },
        ..Options::default()
    };
    let report = check(&subject, &declaration, &options).expect("a report");
    let mark = |verdict: &Verdict| match verdict {
        Verdict::Passed { .. } => '.',
        Verdict::Failed(_) => 'v',
        Verdict::Undecided { .. } => '?',
    };
    let findings = report.causes().map(|(judged, cause)| {
        format!("{}: {} ({})", judged.rule.id, cause.first.message, cause.first.reproduce)
    });
    Row {
        name: program.name.clone(),
        // A rule that compares a program with its manifest has nothing to say where there is none.
        marks: RULES
            .iter()
            .map(|rule| report.judged.iter().find(|judged| judged.rule.id == rule.id))
            .map(|judged| judged.map_or('?', |judged| mark(&judged.verdict)))
            .collect(),
        findings: findings.collect(),
    }
}

/// How many programs are examined at a time: some runs only wait, for a signal or for a limit, and leave a processor
/// free.
const AT_A_TIME: usize = 8;

/// Whether most runs of a program wait. They begin first, so that nothing waits for the last of them alone.
fn waits(program: &Program) -> bool {
    ["hang", "signal", "endless", "waits", "prompts", "leaves-children"]
        .iter()
        .any(|word| program.name.contains(word))
}

/// Examines programs, a few at a time.
fn examine_all(programs: &[Program]) -> Vec<Row> {
    let (mut order, others): (Vec<&Program>, Vec<&Program>) =
        programs.iter().partition(|program| waits(program));
    order.extend(others);
    let next = AtomicUsize::new(0);
    let rows = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                while let Some(program) = order.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let row = examine(program);
                    rows.lock().expect("no panic").push(row);
                }
            });
        }
    });
    let mut rows = rows.into_inner().expect("no panic");
    rows.sort_by(|one, two| one.name.cmp(&two.name));
    rows
}

/// The matrix: a column for each rule, by family; the columns are named above them.
fn matrix(rows: &[Row]) -> String {
    let mut text = String::from("v failed, . passed, ? undecided\n\n");
    for family in Family::ALL {
        let ids = RULES.iter().filter(|rule| rule.family == *family).map(|rule| rule.id);
        let _ = writeln!(text, "{}: {}", family.as_str(), ids.collect::<Vec<_>>().join(" "));
    }
    text.push('\n');
    let width = rows.iter().map(|row| row.name.len()).max().unwrap_or_default();
    for row in rows {
        let _ = write!(text, "{:width$}", row.name);
        for family in Family::ALL {
            let marks = row.marks.iter().zip(RULES).filter(|(_, rule)| rule.family == *family);
            let _ = write!(text, " {}", marks.map(|(mark, _)| mark).collect::<String>());
        }
        text.push('\n');
    }
    text
}

/// What is wrong about a row: rules that fire and should not, or do not and should.
fn wrong(row: &Row) -> Option<String> {
    let expected: BTreeSet<&str> = broken_by(&row.name).into_iter().collect();
    let fired = row.marks.iter().zip(RULES).filter(|(mark, _)| **mark == 'v');
    let fired: BTreeSet<&str> = fired.map(|(_, rule)| rule.id).collect();
    (fired != expected).then(|| {
        let findings = row.findings.join("\n    ");
        format!("{} breaks {fired:?} and should break {expected:?}\n    {findings}", row.name)
    })
}

#[test]
fn each_program_breaks_the_rule_it_is_named_after_and_no_other() {
    let mut programs = programs();
    let chosen = env::var("MANILA_WALL").ok();
    if let Some(word) = &chosen {
        programs.retain(|program| program.name.contains(word.as_str()));
    }
    let rows = examine_all(&programs);
    let matrix = matrix(&rows);
    let wrong: Vec<String> = rows.iter().filter_map(wrong).collect();
    assert!(wrong.is_empty(), "{matrix}\n{}", wrong.join("\n"));
    if chosen.is_some() {
        return;
    }
    showcase_test_support::assert_golden(&directory().join("matrix.txt"), &matrix);
}

#[test]
fn every_rule_has_a_program_and_every_program_a_rule() {
    let programs = programs();
    let broken: BTreeSet<&str> = programs.iter().filter_map(|it| broken_by(&it.name)).collect();
    let lacking: Vec<&str> =
        RULES.iter().map(|rule| rule.id).filter(|id| !broken.contains(id)).collect();
    assert!(lacking.is_empty(), "no program breaks {lacking:?}");
    let unknown: Vec<&&str> = broken.iter().filter(|id| rule(id).is_none()).collect();
    assert!(unknown.is_empty(), "there are no rules {unknown:?}");
}
