//! What `manila run` costs: time beside `env` and `timeout`, the speed of much output, and memory.
//!
//! Everything is called in turns in one run, and every figure that counts is a ratio.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark that cannot run says so")]

use manila_run::{Invocation, Outcome, Policy, run};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const ROUNDS: usize = 400;
const MUCH: u64 = 200_000_000;
const VERY_MUCH: u64 = 10_000_000_000;

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    let manila = build(Linked::AsUsual).expect("manila builds");
    writeln!(out, "size of the program: {} bytes", fs::metadata(&manila)?.len())?;
    overhead(&mut out, &manila)?;
    throughput(&mut out, &manila)?;
    memory(&mut out, &manila)?;
    large_parent(&mut out)
}

/// How the program is linked.
#[derive(Clone, Copy)]
enum Linked {
    AsUsual,
    /// With all that it needs in one file: for a target whose standard library is here.
    Static(&'static str),
}

/// The targets for which a static program can be built, the better one first.
const STATIC: [&str; 2] = ["x86_64-unknown-linux-musl", "x86_64-unknown-linux-gnu"];

/// Builds the program as a release, apart from everything else that is built here.
fn build(linked: Linked) -> Option<PathBuf> {
    let mut dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join("run");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--release", "--package", "manila-cli", "--target-dir"]);
    cargo.arg(&dir).current_dir(env!("CARGO_MANIFEST_DIR"));
    if let Linked::Static(target) = linked {
        let mut rustc = Command::new("rustc");
        rustc.args(["--print", "target-libdir", "--target", target]).stderr(Stdio::null());
        let library = String::from_utf8(rustc.output().ok()?.stdout).ok()?;
        if !Path::new(library.trim()).is_dir() {
            return None;
        }
        cargo.args(["--target", target]).env("RUSTFLAGS", "-C target-feature=+crt-static");
        dir.push(target);
    }
    if !cargo.status().is_ok_and(|status| status.success()) {
        return None;
    }
    // As an installation copies it: what the linker writes bit by bit is mapped in smaller pieces, which costs up to a third.
    let installed = dir.join("manila");
    fs::copy(dir.join("release/manila"), &installed).ok()?;
    Some(installed)
}

/// How long a command takes.
fn time(words: &[&str]) -> Duration {
    let begin = Instant::now();
    let mut command = Command::new(words[0]);
    command.args(&words[1..]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().expect("it runs");
    begin.elapsed()
}

fn median(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}

/// What wrappers add to a program that does nothing, in turns and pair by pair.
fn overhead(out: &mut impl Write, manila: &Path) -> io::Result<()> {
    let found = STATIC.iter().find_map(|target| Some((*target, build(Linked::Static(target))?)));
    let manila = manila.display().to_string();
    let (target, fixed) = found.map(|(target, path)| (target, path.display().to_string())).unzip();
    let fixed: Option<String> = fixed;
    let mut wrappers: Vec<(&str, Vec<&str>)> = vec![
        ("env", vec!["env", "true"]),
        ("timeout 60", vec!["timeout", "60", "true"]),
        ("manila run", vec![&manila, "run", "--", "true"]),
    ];
    if let Some(fixed) = &fixed {
        wrappers.push(("manila run, static", vec![fixed, "run", "--", "true"]));
    }
    let mut more: Vec<Vec<f64>> = vec![Vec::new(); wrappers.len()];
    let mut direct = Vec::new();
    for _ in 0..ROUNDS {
        let alone = time(&["true"]).as_secs_f64();
        direct.push(alone);
        for (wrapper, more) in wrappers.iter().zip(&mut more) {
            more.push(time(&wrapper.1).as_secs_f64() - alone);
        }
    }
    writeln!(out, "`true` alone: {:.0} us (median of {ROUNDS})", 1e6 * median(direct))?;
    let more: Vec<f64> = more.into_iter().map(median).collect();
    for ((name, _), more) in wrappers.iter().zip(&more) {
        writeln!(out, "  {name}: {:.0} us more", 1e6 * more)?;
    }
    writeln!(out, "  manila run / timeout 60: {:.2}; the aim is 1.00 at most", more[2] / more[1])?;
    match (more.get(3), target) {
        (Some(fixed), Some(target)) => {
            let ratio = fixed / more[0];
            writeln!(
                out,
                "  static for {target} / env: {ratio:.2}; the aim with musl is 1.00 at most"
            )
        }
        _ => writeln!(out, "  static: SKIPPED, there is no standard library for it here"),
    }
}

/// Much output, through a pipe into `cat` and through manila.
fn throughput(out: &mut impl Write, manila: &Path) -> io::Result<()> {
    let bytes = MUCH.to_string();
    let piped = format!("head -c {bytes} /dev/zero | cat");
    let manila = manila.display().to_string();
    let program = ["head", "-c", &bytes, "/dev/zero"];
    let capped = [&[manila.as_str(), "run", "--"][..], &program].concat();
    let whole = [&[manila.as_str(), "run", "--max-output", &bytes, "--"][..], &program].concat();
    let mut ratios = [Vec::new(), Vec::new()];
    for _ in 0..7 {
        let cat = time(&["sh", "-c", &piped]).as_secs_f64();
        ratios[0].push(cat / time(&capped).as_secs_f64());
        ratios[1].push(cat / time(&whole).as_secs_f64());
    }
    let [capped, whole] = ratios.map(median);
    writeln!(out, "{MUCH} bytes of output, in the speed of `| cat`:")?;
    writeln!(out, "  as usual, 64 MiB kept: {capped:.2}; the aim is 0.50 at least")?;
    writeln!(out, "  all of it kept and read: {whole:.2}")
}

/// How large manila gets.
fn memory(out: &mut impl Write, manila: &Path) -> io::Result<()> {
    // What reads the output must not count: the program's memory is never reported below that of its parent.
    let script = "exec \"$0\" run -- head -c \"$1\" /dev/zero > /dev/null";
    for bytes in [0, MUCH, VERY_MUCH] {
        let call = Invocation::new("sh").args(["-c", script]).arg(manila).arg(bytes.to_string());
        let outcome = run(&call, &Policy::default());
        writeln!(out, "memory at {bytes} bytes of output: {} kB", peak(&outcome) / 1000)?;
    }
    writeln!(out, "  the aim is 32000 kB at most")
}

fn peak(outcome: &Outcome) -> u64 {
    let usage = outcome.trace.steps.last().and_then(|step| step.usage.as_ref());
    usage.map_or(0, |usage| usage.peak_memory_bytes)
}

/// What a start costs a large parent: next to nothing, unless it forks.
fn large_parent(out: &mut impl Write) -> io::Result<()> {
    let measure = || {
        let times = (0..100).map(|_| {
            let begin = Instant::now();
            run(&Invocation::new("true"), &Policy::default());
            begin.elapsed().as_secs_f64()
        });
        median(times.collect())
    };
    let small = measure();
    let ballast = vec![1_u8; 1 << 30];
    let large = measure();
    drop(std::hint::black_box(ballast));
    writeln!(out, "a start from a parent of 1 GiB: {:.2} of one from a small parent", large / small)
}
