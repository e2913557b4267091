//! Measures reading, writing and comparing locks by the number of commands, and freezing a recorded answer by its size.
#![expect(
    clippy::expect_used,
    clippy::disallowed_macros,
    reason = "a benchmark prints, and may stop"
)]

use manila::{Status, Transcript};
use manila_check::Declaration;
use manila_contract::{Lock, Versions, compare, from_recorded};
use manila_pack::Packs;
use std::fmt::Write;
use std::hint::black_box;
use std::time::{Duration, Instant};

/// A lock of a program with so many commands, each with a few facts of its own.
fn text(commands: usize, id: &str) -> String {
    let mut text = "manila.lock 1\n".to_owned();
    for line in [
        "* failure .error.code : string always",
        "* failure .error.message : string always",
        "* failure stream : stdout",
        "* flag --json : switch",
        "* flag --limit : number",
        "* flag --limit default : 20",
        "* ok dialect : response-envelope/1.0",
        "* ok status : 0",
        "* ok stream : stdout",
    ] {
        text.push_str(line);
        text.push('\n');
    }
    for number in 0..commands {
        let name = format!("/c{number:05}");
        for line in [
            " : command",
            " call missing : error GONE",
            " call sample : ok",
            " error GONE",
            " error GONE status : 4",
            " failure",
            " ok",
            " ok . : object",
        ] {
            let _ = writeln!(text, "{name}{line}");
        }
        let _ = writeln!(text, "{name} ok .data : array always\n{name} ok .data[] : object");
        let _ = writeln!(text, "{name} ok .data[].f{number} : {id} always");
    }
    text + "end\n"
}

/// A recorded run whose answer is a list of so many records.
fn answer(records: usize) -> (String, Transcript) {
    let record = |number: usize| {
        format!(
            r#"{{"id":{number},"name":"note {number}","made":"2026-11-16T09:30:00Z","tags":["a","b"],"by":{{"host":"example.org","up":true}},"text":"some words"}}"#
        )
    };
    let records: Vec<String> = (0..records).map(record).collect();
    let text = format!(r#"{{"notes":[{}]}}"#, records.join(","));
    let argv = ["notes", "list", "--json"].map(str::to_owned).to_vec();
    ("list".to_owned(), Transcript { argv, ..Transcript::from_stdout(text, Status::Exited(0)) })
}

fn best(mut work: impl FnMut()) -> Duration {
    let once = |_| {
        let begin = Instant::now();
        work();
        begin.elapsed()
    };
    (0..7).map(once).min().unwrap_or_default()
}

fn main() {
    println!("commands      lines       read      write       diff");
    for commands in [1_000, 2_000, 5_000, 10_000] {
        let (old, new) = (text(commands, "integer"), text(commands, "string"));
        let lock = Lock::read(&old).expect("a lock");
        let other = Lock::read(&new).expect("a lock");
        let read = best(|| drop(black_box(Lock::read(black_box(&old)))));
        let write = best(|| drop(black_box(lock.write())));
        let diff = best(|| drop(black_box(compare(&lock, &other, &Versions::default()))));
        println!("{commands:8} {:10} {read:10.1?} {write:10.1?} {diff:10.1?}", old.lines().count());
    }
    println!(" records      bytes     freeze");
    for records in [8_000, 16_000, 64_000] {
        let run = [answer(records)];
        let (declaration, packs) = (Declaration::default(), Packs::default());
        let freeze = best(|| drop(black_box(from_recorded(&run, &declaration, &packs))));
        println!("{records:8} {:10} {freeze:10.1?}", run[0].1.stdout.len());
    }
}
