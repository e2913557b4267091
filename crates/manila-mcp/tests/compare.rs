//! The scripted tasks that `cargo run -p manila-mcp --example compare` makes: all are solved, no failure is masked, and
//! nothing is destroyed unasked.

#[path = "../examples/compare/compare.rs"]
#[expect(dead_code, reason = "the table is for people")]
mod compare;
#[path = "../examples/compare/per_command.rs"]
mod per_command;
#[path = "../examples/compare/session.rs"]
mod session;
#[path = "../examples/compare/tasks.rs"]
mod tasks;

use showcase_test_support::skipped;
use std::path::Path;
use std::process::Command;

#[test]
fn every_task_is_solved_with_fewer_bytes() {
    let bin = Path::new(env!("CARGO_BIN_EXE_manila-mcp")).parent().unwrap();
    let is_built = |(name, _): &(&str, _)| *name == "git" || bin.join(name).is_file();
    if !tasks::PROGRAMS.iter().all(is_built) {
        return skipped("the programs in showcase/ are not built");
    }
    if Command::new("git").arg("--version").output().is_err() {
        return skipped("git is not installed");
    }
    let scores = compare::scores(bin).unwrap();
    assert!(scores.iter().map(|(_, ours, _)| ours.tasks).sum::<usize>() >= 20);
    for (name, ours, theirs) in scores {
        assert_eq!(ours.solved, ours.tasks, "{name}: {ours:?}");
        assert_eq!((ours.masked, ours.unasked), (0, 0), "{name}: {ours:?}");
        assert!(ours.count.definitions < theirs.count.definitions, "{name}: {ours:?} {theirs:?}");
        assert!(theirs.solved <= ours.solved, "{name}: {theirs:?}");
    }
}
