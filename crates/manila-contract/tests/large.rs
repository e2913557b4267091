//! A lock of 10,000 commands is read, written and compared; `cargo bench -p manila-contract` says how fast.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

use manila_contract::{Lock, Versions, compare};
use std::fmt::Write;

fn lock(commands: usize, kind: &str) -> Lock {
    let mut text = "manila.lock 1\n* flag --json : switch\n* ok stream : stdout\n".to_owned();
    for number in 0..commands {
        let _ = writeln!(
            text,
            "/c{number} : command\n/c{number} call sample : ok\n/c{number} ok\n/c{number} ok .f{number} : {kind} always"
        );
    }
    Lock::read(&(text + "end\n")).expect("a lock")
}

#[test]
fn ten_thousand_commands_are_compared() {
    let (old, new) = (lock(10_000, "integer"), lock(10_000, "string"));
    let changes = compare(&old, &new, &Versions::default());
    assert_eq!(changes.len(), 10_000);
    assert!(changes.iter().all(|change| change.rule.id == "number-became-string"));
    let old = lock(1_000, "integer");
    let again = Lock::read(&old.write()).expect("a lock");
    assert!(compare(&old, &again, &Versions::default()).is_empty());
    let removed = compare(&old, &lock(500, "integer"), &Versions::default());
    assert_eq!(removed.len(), 500);
}
