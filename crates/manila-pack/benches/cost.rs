//! What a pack costs a call: to find and parse it, to determine the effect, and to read a failure.
//!
//! `cargo bench -p manila-pack` prints the median of each in microseconds. A pack may cost 200.
#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    clippy::expect_used,
    reason = "a benchmark prints and may stop"
)]
#![allow(missing_docs, reason = "a benchmark has no users")]

use manila::{Status, Transcript};
use manila_pack::{BUILTIN, Lookup, effects, effects_of_line, read_call};
use std::hint::black_box;
use std::time::Instant;

const ROUNDS: usize = 2_000;

fn main() {
    for name in BUILTIN.names() {
        let program = BUILTIN.pack(name).expect("a pack").model().programs[0].to_string();
        median(&format!("find {name}"), || drop(black_box(BUILTIN.find(&program))));
    }
    median("effects: git log", || drop(black_box(effects(&["git", "log", "-5"], &BUILTIN))));
    median("effects: git push (last rule)", || {
        drop(black_box(effects(&["git", "push"], &BUILTIN)));
    });
    median("effects: ls -la", || drop(black_box(effects(&["ls", "-la"], &BUILTIN))));
    let line = "cd x && git status | head -5 && sudo timeout 5 git fetch";
    median("effects: a line of five programs", || drop(black_box(effects_of_line(line, &BUILTIN))));
    let run = Transcript {
        argv: ["git", "fetch"].map(str::to_owned).to_vec(),
        stderr: b"fatal: unable to access 'http://x/': The requested URL returned error: 429\n"
            .to_vec(),
        status: Status::Exited(128),
        ..Transcript::default()
    };
    median("read: a failure of git", || drop(black_box(read_call(&run, &BUILTIN))));
    let unknown = Transcript { stderr: b"fatal: an unheard-of thing\n".to_vec(), ..run.clone() };
    median("read: by no rule, generic", || drop(black_box(read_call(&unknown, &BUILTIN))));
    let flood = Transcript { stderr: b"noise: nothing of note here\n".repeat(40_000), ..run };
    median("read: a flood of 1 MB", || drop(black_box(read_call(&flood, &BUILTIN))));
}

fn median(name: &str, mut work: impl FnMut()) {
    let rounds = if name.contains("flood") { 20 } else { ROUNDS };
    let mut times: Vec<_> = (0..rounds)
        .map(|_| {
            let begun = Instant::now();
            work();
            begun.elapsed()
        })
        .collect();
    times.sort_unstable();
    println!("{name:<40} {:>9.1} µs", times[rounds / 2].as_secs_f64() * 1e6);
}
