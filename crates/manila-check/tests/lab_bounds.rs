//! Owns: time, output and the whole check are bounded, whatever a program does.

mod lab_support;

use lab_support::{SHORT, assert_exited, hasty, patient, plain, run, script, stdout, with, within};
use manila::Status;
use manila_check::internal::{
    Conditions, Ended, Lab, Probe, Purpose, Run, Setting, Signal, Stdin, Stdout, Waiting,
};
use manila_run::Cancel;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Instant;

fn disturbed(by: Signal) -> Probe {
    let setting = Setting { signal: Some(by), ..Setting::default() };
    Probe { setting, ..plain() }
}

#[test]
fn one_that_hangs_is_ended_at_its_limit() {
    let run = run("echo before; sleep 86000", plain(), hasty());
    assert_eq!(run.ended, Ended::AtLimit(Waiting::ForSomething));
    assert_eq!(stdout(&run), "before\n");
}

#[test]
fn one_that_ignores_every_signal_is_ended_at_its_limit() {
    let run = run("trap '' TERM INT HUP; while :; do sleep 86000; done", plain(), hasty());
    assert!(matches!(run.ended, Ended::AtLimit(_)), "{run:?}");
}

/// Conditions under which much is not kept, and more than that is endless.
fn scarce() -> Conditions {
    Conditions { max_output: 1 << 20, endless_output: 8 << 20, ..patient() }
}

#[test]
fn a_flood_is_not_read_to_its_end() {
    for stdout in [Stdout::Pipe, Stdout::SlowPipe, Stdout::Terminal { columns: 80 }] {
        let run = run("cat /dev/zero", plain().with_stdout(stdout), scarce());
        assert_eq!(run.ended, Ended::Flooding, "{stdout:?}");
        assert!(run.written[0] > 8 << 20, "{:?}", run.written);
        assert!(run.transcript.stdout.len() <= 1 << 20, "{}", run.transcript.stdout.len());
    }
}

#[test]
fn a_flood_ends_at_the_limit_of_time_too() {
    let conditions = Conditions { max_output: 1 << 16, endless_output: u64::MAX, ..hasty() };
    let run = run("cat /dev/zero", plain(), conditions);
    assert_eq!(run.ended, Ended::Flooding);
    assert!(run.transcript.stdout.len() <= 1 << 16, "{}", run.transcript.stdout.len());
}

#[test]
fn a_large_answer_that_ends_is_not_endless() {
    const SIZE: u64 = 100 << 20;
    let text = format!("head -c {SIZE} /dev/zero; exit 3");
    let run = run(&text, plain(), Conditions { max_output: 1 << 20, ..patient() });
    assert_eq!((run.ended, run.transcript.status), (Ended::Oversized, Status::Exited(3)));
    assert_eq!(run.written, [SIZE, 0]);
    assert!(run.transcript.stdout.len() <= 1 << 20, "{}", run.transcript.stdout.len());
}

#[test]
fn a_file_is_not_written_without_end() {
    let run = run("cat /dev/zero", plain().with_stdout(Stdout::File), scarce());
    assert_eq!(run.ended, Ended::Oversized);
    assert!(run.transcript.stdout.len() <= 1 << 20, "{}", run.transcript.stdout.len());
}

#[test]
fn a_flood_of_errors_is_one_too() {
    let run =
        run("cat /dev/zero >&2", plain().with_stdout(Stdout::ClosedPipe { after: 0 }), scarce());
    assert_eq!(run.ended, Ended::Flooding);
}

#[test]
fn what_all_runs_keep_is_bounded() {
    let conditions = Conditions { max_output: 1 << 20, ..patient() };
    let probes: Vec<Probe> = (0..20).map(|round| plain().round(round)).collect();
    let subject = script("head -c 1000000 /dev/zero");
    let runs = within(move || Lab::open(&subject, conditions).map(|lab| lab.run(&probes)));
    let runs: Vec<Run> = runs.into_iter().flatten().flatten().collect();
    let kept: usize = runs.iter().map(|run| run.transcript.stdout.len()).sum();
    // What two runs had in flight when the others were counted may come on top.
    assert!(kept <= 10 << 20, "{kept}");
    assert!(runs.iter().any(|run| run.ended == Ended::Oversized));
    assert!(runs.iter().any(|run| run.ended == Ended::ByItself));
}

#[test]
fn a_signal_reaches_a_program_that_is_under_way() {
    let text = "trap 'echo heard; exit 9' INT TERM; echo ready; while :; do sleep 0.01; done";
    for by in [Signal::Interrupt, Signal::Terminate] {
        let run = run(text, disturbed(by), patient());
        assert_exited(&run, 9);
        assert_eq!(stdout(&run), "ready\nheard\n");
    }
}

#[test]
fn a_signal_reaches_one_that_only_waits() {
    let run = run("sleep 86000", disturbed(Signal::Interrupt), patient());
    assert_eq!(run.ended, Ended::ByItself);
    assert_eq!(run.transcript.status, Status::Signaled(libc::SIGINT));
}

#[test]
fn a_signal_reaches_one_that_only_computes() {
    let run = run("while :; do :; done", disturbed(Signal::Terminate), patient());
    assert_eq!(run.transcript.status, Status::Signaled(libc::SIGTERM));
}

#[test]
fn one_that_does_not_heed_its_signal_is_deaf() {
    let text = "trap '' TERM; echo ready; while :; do sleep 86000; done";
    let run = run(text, disturbed(Signal::Terminate), patient());
    assert_eq!(run.ended, Ended::Deaf);
}

#[test]
fn what_hung_twice_is_not_tried_again() {
    let subject = script("[ \"$1\" = --help ] || cat");
    let silent = |round| with(&["x"]).with_stdin(Stdin::Silent).round(round);
    let help = Probe { purpose: Purpose::Help, ..with(&["--help"]) };
    let mut probes: Vec<Probe> = (0..6).map(silent).collect();
    probes.push(with(&["x"]));
    probes.push(help);
    let conditions = Conditions { jobs: std::num::NonZeroUsize::MIN, ..hasty() };
    let runs = within(move || Lab::open(&subject, conditions).map(|lab| lab.run(&probes)));
    let runs = runs.unwrap_or_default();
    let made: Vec<bool> = runs.iter().map(Option::is_some).collect();
    assert_eq!(made, [true, true, false, false, false, false, true, true]);
}

#[test]
fn the_deadline_holds_when_everything_hangs() {
    let subject = script("trap '' TERM INT; while :; do sleep 86000; done");
    // Each may take a minute, so without the deadline it would be half an hour.
    let conditions = Conditions { deadline: Instant::now() + SHORT, ..patient() };
    let probes: Vec<Probe> = (0..60).map(|round| with(&[&round.to_string()])).collect();
    let runs = within(move || Lab::open(&subject, conditions).map(|lab| lab.run(&probes)));
    let runs = runs.unwrap_or_default();
    assert_eq!(runs.len(), 60);
    assert!(runs.iter().all(Option::is_none));
}

#[test]
fn a_word_from_outside_ends_everything() {
    let is_over = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&is_over);
    let over = Arc::clone(&is_over);
    let conditions = Conditions {
        jobs: std::num::NonZeroUsize::MIN,
        cancel: Cancel::when(move || asked.load(Ordering::Relaxed).then_some(libc::SIGINT)),
        progress: Some(Arc::new(move |_, _| over.store(true, Ordering::Relaxed))),
        ..patient()
    };
    let subject = script("[ -z \"$1\" ] || sleep 86000");
    let probes = [plain(), with(&["long"]), plain().round(1)];
    let runs = within(move || Lab::open(&subject, conditions).map(|lab| lab.run(&probes)));
    let made: Vec<bool> = runs.iter().flatten().map(Option::is_some).collect();
    assert_eq!(made, [true, false, false]);
}

#[test]
fn runs_come_in_the_order_of_their_probes_and_are_counted() {
    let reported = Arc::new(AtomicUsize::new(0));
    let count = Arc::clone(&reported);
    let conditions = Conditions {
        jobs: std::num::NonZeroUsize::new(4).unwrap_or(std::num::NonZeroUsize::MIN),
        progress: Some(Arc::new(move |done, planned| {
            assert_eq!(planned, 50);
            count.fetch_max(done, Ordering::Relaxed);
        })),
        ..patient()
    };
    let probes: Vec<Probe> = (0..50).map(|at| with(&[&at.to_string()])).collect();
    let subject = script("echo \"$1\"");
    let runs = within(move || Lab::open(&subject, conditions).map(|lab| lab.run(&probes)));
    let said: Vec<String> = runs.iter().flatten().flatten().map(stdout).collect();
    let expected: Vec<String> = (0..50).map(|at| format!("{at}\n")).collect();
    assert_eq!(said, expected);
    assert_eq!(reported.load(Ordering::Relaxed), 50);
}
