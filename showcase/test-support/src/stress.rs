//! A stress test: many processes at once on the same files, some of them killed.

use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// How many run at once.
const WRITERS: u32 = 16;

/// What became of one process.
pub enum Outcome {
    /// It came to its end.
    Ended(Output),
    /// It was killed at some point, which may have been before its first instruction or after its
    /// last.
    Killed,
}

/// Starts the processes `0..count`, sixteen at a time, and kills a third of them after some part of
/// the time that their neighbours take. What becomes of each, in their order.
pub fn stress(count: usize, start: impl Fn(usize) -> Command + Sync) -> Vec<Outcome> {
    let start = &start;
    let usual = {
        let begin = Instant::now();
        // Nothing is asked of it, only how long a start takes here.
        let _ = start(0).arg("--version").stdin(Stdio::null()).output();
        begin.elapsed()
    };
    let mut outcomes: Vec<(usize, Outcome)> = thread::scope(|scope| {
        let writers: Vec<_> = (0..WRITERS as usize)
            .map(|writer| {
                scope.spawn(move || {
                    let numbers = (writer..count).step_by(WRITERS as usize);
                    numbers.map(|number| (number, run(start(number), number, usual))).collect()
                })
            })
            .collect();
        let outcomes = writers.into_iter().map(|writer| writer.join().unwrap());
        outcomes.collect::<Vec<Vec<_>>>().into_iter().flatten().collect()
    });
    outcomes.sort_by_key(|(number, _)| *number);
    outcomes.into_iter().map(|(_, outcome)| outcome).collect()
}

fn run(mut command: Command, number: usize, usual: Duration) -> Outcome {
    command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    if !number.is_multiple_of(3) {
        return Outcome::Ended(child.wait_with_output().unwrap());
    }
    // Anywhere in its life, the same anywhere in every run of the test. Waiting for its end for so
    // long keeps the processor free for it.
    let part = u32::try_from(number.wrapping_mul(2_654_435_761) % 1000).unwrap_or_default();
    let until = Instant::now() + usual * WRITERS * part / 1000;
    while Instant::now() < until && child.try_wait().is_ok_and(|ended| ended.is_none()) {
        thread::yield_now();
    }
    let _ = child.kill();
    let _ = child.wait();
    Outcome::Killed
}
