//! Owns: after a call there is no descriptor and no child more than before, and little more memory.
//!
//! There is one test, because all of this belongs to the whole process.
#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod support;

use manila_run::{Cancel, Input, Invocation, Outcome, Policy, run};
use rustix::process::{WaitId, WaitIdOptions, waitid};
use support::{SHORT, SUCCESS, acting};

fn descriptors() -> Vec<String> {
    let mut open: Vec<String> = std::fs::read_dir("/proc/self/fd")
        .unwrap()
        .filter_map(|entry| {
            let entry = entry.unwrap();
            let target = std::fs::read_link(entry.path()).ok()?;
            Some(format!("{} {}", entry.file_name().display(), target.display()))
        })
        .filter(|fd| !fd.contains("/proc/"))
        .collect();
    open.sort();
    open
}

/// Whether a child of ours, dead or alive, is in the table of the system.
fn has_children() -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
    waitid(WaitId::All, options).err() != Some(rustix::io::Errno::CHILD)
}

/// The most memory that this process ever had.
fn peak() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap();
    line.trim().trim_end_matches(" kB").parse::<u64>().unwrap() << 10
}

/// Removes the file in which output that is too large for memory is left to the caller, and says how long it was.
fn remove_kept(outcome: &Outcome) -> Option<u64> {
    let mut warnings = outcome.envelope.content().warnings.iter();
    let file = warnings.find_map(|it| it.text().strip_prefix("more of stdout is in "))?;
    let length = std::fs::metadata(file).unwrap().len();
    std::fs::remove_file(file).unwrap();
    Some(length)
}

#[test]
fn nothing_is_left_behind() {
    let limits = Policy {
        attempt_limit: Some(SHORT),
        grace: SHORT,
        linger: SHORT,
        max_output: 2 << 20,
        ..Policy::default()
    };
    let unlimited = Policy { linger: SHORT, ..Policy::default() };
    let cancelled = Policy { cancel: Cancel::when(|| Some(libc::SIGINT)), ..unlimited.clone() };
    let missing = acting(&[]).stdin(Input::File("/no/such/input".into()));
    let calls: Vec<(Invocation, &Policy)> = vec![
        (acting(&[SUCCESS]), &unlimited),
        (acting(&["exit 1"]), &unlimited),
        (acting(&["signal KILL"]), &unlimited),
        (acting(&["envelope 5000000"]), &unlimited),
        (acting(&["grandchild hang", SUCCESS]), &unlimited),
        (acting(&["grandchild ignore-term & hang", "hang"]), &limits),
        (acting(&["ignore-term", "hang"]), &limits),
        (acting(&["flood-stderr 5000000", "flood 5000000"]), &limits),
        (acting(&["hang"]), &cancelled),
        (Invocation::new("/no/such/program"), &unlimited),
        (acting(&[]).directory("/no/such/directory"), &unlimited),
        (acting(&["out a\0b"]), &unlimited),
        (missing, &unlimited),
    ];
    let before = descriptors();
    assert!(!has_children());
    for (call, policy) in calls {
        remove_kept(&run(&call, policy));
        assert_eq!(descriptors(), before, "{call:?}");
        assert!(!has_children(), "{call:?}");
    }

    let before = peak();
    let policy = Policy { max_output: 8 << 20, ..Policy::default() };
    let flood = format!("flood {} ; flood-stderr {}", 200 << 20, 100 << 20);
    let outcome = run(&acting(&[&flood]), &policy);
    let usage = outcome.trace.steps[0].usage.as_ref().unwrap();
    assert_eq!((usage.stdout_bytes, usage.stderr_bytes), (200 << 20, 100 << 20));
    let grown = peak().saturating_sub(before);
    assert!(grown < 48 << 20, "300 MB of output took {grown} bytes of memory");
    assert_eq!(remove_kept(&outcome), Some(200 << 20));
}
