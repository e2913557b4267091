//! A program that does exactly what its arguments say, for tests of code that runs programs.
//!
//! Each argument is a list of steps between ` ; `, and all arguments are done in their order. An
//! option such as `--cursor c2` is passed over with its value, so that callers may add some.
//!
//! ```text
//! out TEXT            a line on stdout          err TEXT      a line on stderr
//! half-line TEXT      the same without its end           exit N        ends with that status
//! flood BYTES         much on stdout                     flood-stderr BYTES
//! envelope BYTES      a success whose data have a text of so many bytes
//! read-stdin          copies its input to its output     print-args    each on a line
//! print-env NAME …    each on a line                     print-fds     each on a line
//! print-dir           where it runs                      append FILE   adds an x to a file
//! hang                without end                        sleep-ms N    for a while
//! signal N            ends by that signal                ignore-term   SIGTERM has no effect
//! stop                stops itself, as Ctrl-Z does
//! grandchild STEPS    starts another with these steps, between ` & `, and does not wait for it
//! after-exit TEXT     another process writes the line when this program has ended
//! meet SOCKET         connects, says `here` there, and stays connected to its end
//! obey                waits until its peer says something
//! state FILE          counts its calls in the file; the first call does the next argument and no
//!                     other, the second the one after that, and so on; the last is for all others
//! ```
#![expect(clippy::unwrap_used, clippy::panic, reason = "an actor that stumbles has to be seen")]

use std::fs;
use std::io::{self, Read, Write};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt;
use std::process::{Command, ExitCode, Stdio};
use std::time::Duration;

fn main() -> ExitCode {
    let mut given = std::env::args().skip(1);
    let mut parts: Vec<String> = Vec::new();
    while let Some(part) = given.next() {
        if part.starts_with("--") {
            given.next();
        } else {
            parts.push(part);
        }
    }
    let mut actor = Actor::default();
    let mut at = 0;
    while at < parts.len() {
        if let Some(file) = parts[at].strip_prefix("state ") {
            let last = parts.len() - 1;
            at = (at + calls_before(file)).min(last - 1);
            parts.truncate(at + 2);
        } else {
            let steps: Vec<&str> = parts[at].split(" ; ").collect();
            for (done, step) in steps.iter().enumerate() {
                let rest: Vec<&str> = steps[done + 1..]
                    .iter()
                    .copied()
                    .chain(parts[at + 1..].iter().map(String::as_str))
                    .collect();
                if let Some(status) = actor.act(step, &rest) {
                    return status;
                }
            }
        }
        at += 1;
    }
    ExitCode::SUCCESS
}

/// How many calls there were before this one, which is counted too.
fn calls_before(file: &str) -> usize {
    let before = fs::metadata(file).map_or(0, |file| file.len());
    append(file);
    usize::try_from(before).unwrap()
}

fn append(file: &str) {
    fs::OpenOptions::new().append(true).create(true).open(file).unwrap().write_all(b"x").unwrap();
}

#[derive(Default)]
struct Actor {
    met: Option<UnixStream>,
}

impl Actor {
    /// Does one step, before the rest; the status if it is the last.
    fn act(&mut self, step: &str, rest: &[&str]) -> Option<ExitCode> {
        let (verb, value) = step.split_once(' ').unwrap_or((step, ""));
        match verb {
            "out" => write(io::stdout(), &format!("{value}\n")),
            "err" => write(io::stderr(), &format!("{value}\n")),
            "half-line" => write(io::stdout(), value),
            "flood" => flood(io::stdout(), number(value)),
            "flood-stderr" => flood(io::stderr(), number(value)),
            "envelope" => envelope(number(value)),
            "exit" => return Some(ExitCode::from(u8::try_from(number(value)).unwrap())),
            "hang" => hang(),
            "sleep-ms" => std::thread::sleep(Duration::from_millis(number(value))),
            "signal" => signal(value),
            "stop" => run("kill -s STOP \"$1\""),
            "ignore-term" => {
                // What is ignored stays so in the next program, which is this one again.
                let ignoring = "trap '' TERM; exec \"$0\" \"$@\"";
                let error = Command::new("sh").args(["-c", ignoring]).arg(me()).args(rest).exec();
                panic!("{error}");
            }
            "grandchild" => {
                let mut other = another(&value.replace(" & ", " ; "));
                std::mem::forget(other.stdin(Stdio::null()).spawn().unwrap());
            }
            "after-exit" => {
                // Its input ends with this program.
                let steps = format!("read-stdin ; out {value}");
                std::mem::forget(another(&steps).stdin(Stdio::piped()).spawn().unwrap());
            }
            "read-stdin" => {
                io::copy(&mut io::stdin(), &mut io::stdout()).unwrap();
            }
            "print-args" => print(std::env::args().skip(1)),
            "print-env" => print(value.split(' ').map(|name| {
                std::env::var(name)
                    .map_or(format!("{name} is not set"), |it| format!("{name}={it}"))
            })),
            "print-fds" => print_descriptors(),
            "print-dir" => print([std::env::current_dir().unwrap().display().to_string()]),
            "append" => append(value),
            "meet" => {
                let mut met = UnixStream::connect(value).unwrap();
                met.write_all(b"here").unwrap();
                self.met = Some(met);
            }
            "obey" => {
                let _ = self.met.as_mut().unwrap().read(&mut [0]).unwrap();
            }
            _ => {
                write(io::stderr(), &format!("unknown step {step:?}\n"));
                return Some(ExitCode::from(64));
            }
        }
        None
    }
}

fn me() -> std::path::PathBuf {
    std::env::current_exe().unwrap()
}

/// This program once more, with one argument.
fn another(steps: &str) -> Command {
    let mut command = Command::new(me());
    command.arg(steps);
    command
}

fn number(text: &str) -> u64 {
    text.parse().unwrap_or_else(|_| panic!("{text:?} is no number"))
}

/// A reader that closed the pipe does not want it.
fn write(mut to: impl Write, text: &str) {
    let _ = to.write_all(text.as_bytes());
    let _ = to.flush();
}

fn print(lines: impl IntoIterator<Item = String>) {
    for line in lines {
        write(io::stdout(), &format!("{line}\n"));
    }
}

fn flood(mut to: impl Write, bytes: u64) {
    let _ = io::copy(&mut io::repeat(b'f').take(bytes), &mut to);
}

fn envelope(bytes: u64) {
    write(io::stdout(), "{\"ok\":true,\"data\":{\"text\":\"");
    flood(io::stdout(), bytes);
    write(io::stdout(), "\"},\"error\":null,\"warnings\":[],\"meta\":{}}\n");
}

fn print_descriptors() {
    let mut open: Vec<String> = fs::read_dir("/proc/self/fd")
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        // The listing itself has one, which is gone by now.
        .filter(|fd| fs::symlink_metadata(format!("/proc/self/fd/{fd}")).is_ok())
        .collect();
    open.sort_by_key(|fd| number(fd));
    print(open);
}

fn hang() {
    loop {
        std::thread::park();
    }
}

/// Lets a shell do something to this process.
fn run(command: &str) {
    let id = std::process::id().to_string();
    Command::new("sh").args(["-c", command, "sh", &id]).status().unwrap();
}

fn signal(number: &str) {
    run(&format!("kill -s {number} \"$1\""));
    hang();
}
