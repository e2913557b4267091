//! What an envelope costs: crates, bytes of a binary, instructions of a whole run and of a stream,
//! nanoseconds per answer.
//!
//! The same program is built twice, in plain clap printing its payload with `serde_json`, and with an
//! envelope; so is a program that streams, whose plain form writes its lines or frames by hand. Everything is
//! a ratio or a difference of one run; nothing is compared with a clock that another machine would read
//! differently. The profile is that of a program with LTO and cargo's defaults, and not this workspace's.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark that cannot run says so")]

use manila::json::{Members, Raw};
use manila::{Content, Defaults, Envelope, Exit, Lines, Meta, dialects, write_into};
use serde::Serialize;
use std::hint::black_box;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

const PROGRAMS: [&str; 4] = ["weigh-plain", "weigh-enveloped", "stream-plain", "stream-enveloped"];
const CALLS: [&[&str]; 2] = [&["--version"], &["get", "42"]];
/// So many items are streamed while instructions are counted, which takes fifty times as long.
const ITEMS: &str = "50000";
/// So many are streamed while time is measured, in the best of so many runs.
const MANY: &str = "1000000";
const RUNS: u32 = 7;
const ROUNDS: u32 = 30;
const ANSWERS: u32 = 20_000;

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    let directory = build("3", &PROGRAMS);
    let programs = ["weigh-plain", "weigh-enveloped"].map(|name| directory.join(name));

    let [weigh, stream] = [[PROGRAMS[0], PROGRAMS[1]], [PROGRAMS[2], PROGRAMS[3]]];
    let small = build("'s'", &weigh);
    for (what, directory, names) in [
        ("stripped release binary with LTO", &directory, weigh),
        ("the same of a program that streams", &directory, stream),
        ("the same without a stream, optimised for size", &small, weigh),
    ] {
        let size = |name| directory.join(name).metadata().expect("it was built").len();
        let [plain, enveloped] = names.map(size);
        writeln!(out, "{what}: {plain} B plain, {enveloped} B enveloped")?;
        writeln!(out, "  {} B more; the aim is 200000 at most", enveloped - plain)?;
    }

    for call in CALLS {
        let counted = [&programs[0], &programs[1]].map(|path| instructions(path, call));
        let [Some(plain), Some(enveloped)] = counted else {
            writeln!(out, "instructions: SKIPPED, there is no valgrind here")?;
            break;
        };
        let words = call.join(" ");
        writeln!(out, "instructions of `{words}`: {plain} plain, {enveloped} enveloped")?;
        writeln!(out, "  ratio {:.3}; the aim is 1.030 at most", ratio(enveloped, plain))?;
    }

    streams(&mut out, &directory)?;

    let crates = new_crates();
    writeln!(out, "new crates under a program with clap's derive: {}", crates.len())?;
    writeln!(out, "  {}; the aim is 8 at most", crates.join(", "))?;

    let (payload, envelope) = nanoseconds();
    writeln!(out, "an answer: {payload} ns for its payload, {envelope} ns with its envelope")?;
    let more = envelope.saturating_sub(payload);
    let ratio = ratio(envelope, payload);
    writeln!(out, "  {more} ns more, ratio {ratio:.2}; the aim is 150 ns more at most")
}

/// What a stream takes beside programs that write the same bytes by hand, in instructions and in time.
fn streams(out: &mut impl Write, directory: &Path) -> io::Result<()> {
    let [plain, enveloped] = ["stream-plain", "stream-enveloped"].map(|name| directory.join(name));
    let frames: [&[&str]; 2] = [&["--frames"], &["--output", "jsonl"]];
    for (what, options) in [
        ("lines, beside writeln! into a buffer", [&[][..]; 2]),
        ("frames, beside serde_json into a buffer", frames),
    ] {
        let calls = |count| options.map(|options| [&[count], options].concat());
        let [of_plain, of_enveloped] = calls(ITEMS);
        let counted = [instructions(&plain, &of_plain), instructions(&enveloped, &of_enveloped)];
        if let [Some(plain), Some(enveloped)] = counted {
            writeln!(out, "instructions of {ITEMS} {what}: {plain} plain, {enveloped} enveloped")?;
            writeln!(out, "  ratio {:.3}; the aim is 1.100 at most", ratio(enveloped, plain))?;
        }
        let [of_plain, of_enveloped] = calls(MANY);
        let mut best = [u64::MAX; 2];
        for _ in 0..RUNS {
            let now = [milliseconds(&plain, &of_plain), milliseconds(&enveloped, &of_enveloped)];
            best = [best[0].min(now[0]), best[1].min(now[1])];
        }
        let [plain, enveloped] = best;
        writeln!(out, "time of {MANY} {what}: {plain} ms plain, {enveloped} ms enveloped")?;
        writeln!(out, "  ratio {:.3}; the aim is 1.100 at most", ratio(enveloped, plain))?;
    }
    Ok(())
}

/// The time of a whole run that writes to nowhere.
fn milliseconds(program: &Path, call: &[&str]) -> u64 {
    let start = Instant::now();
    let status = Command::new(program).args(call).stdout(Stdio::null()).status();
    assert!(status.expect("it was built").success(), "it streams");
    u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX)
}

#[expect(clippy::cast_precision_loss, reason = "a ratio is shown with three digits")]
fn ratio(one: u64, other: u64) -> f64 {
    one as f64 / other as f64
}

/// The crates that a program gets with this one and does not have from clap.
fn new_crates() -> Vec<String> {
    let tree = |package: &str| -> Vec<String> {
        let tree = Command::new(env!("CARGO"))
            .args(["tree", "--edges", "normal", "--prefix", "none", "--package", package])
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .output()
            .expect("cargo runs");
        let text = String::from_utf8_lossy(&tree.stdout).into_owned();
        let names = text.lines().filter_map(|line| line.split(' ').next());
        names.filter(|name| !name.is_empty()).map(str::to_owned).collect()
    };
    let known = tree("clap");
    let mut new = tree("manila-clap");
    new.retain(|name| !known.contains(name));
    new.sort();
    new.dedup();
    new
}

/// Builds programs as a release with this level of optimisation, as TOML has it, apart from everything else that is built here.
fn build(level: &str, programs: &[&str]) -> PathBuf {
    let target =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("weigh-{}", level.trim_matches('\'')));
    let build = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--release", "--package", "weigh", "--target-dir"])
        .arg(&target)
        .args(programs.iter().flat_map(|name| ["--bin", name]))
        .args(["--config", &format!("profile.release.opt-level={level}")])
        .args(["--config", &format!("profile.release.package.manila.opt-level={level}")])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status();
    assert!(build.expect("cargo runs").success(), "the programs build");
    target.join("release")
}

/// The instructions of a whole run, if there is something that counts them. The environment is the
/// same everywhere, for looking into it counts too.
fn instructions(program: &Path, call: &[&str]) -> Option<u64> {
    let run = Command::new("valgrind")
        .env_clear()
        .envs(std::env::var_os("PATH").map(|path| ("PATH", path)))
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .args(call)
        .output()
        .ok()?;
    let report = String::from_utf8_lossy(&run.stderr);
    let line = report.lines().find(|line| line.contains("Collected :"))?;
    line.split_whitespace().last()?.parse().ok()
}

#[derive(Serialize)]
struct Item {
    id: u32,
    name: &'static str,
    labels: [&'static str; 3],
    done: bool,
    note: Option<&'static str>,
}

const ITEM: Item = Item {
    id: 42,
    name: "Read the contract before the code",
    labels: ["reading", "contracts", "later"],
    done: false,
    note: Some("the second half is the interesting one, with all its examples and exceptions"),
};

/// What an answer takes, best of many rounds: its payload alone, and with its envelope. What a
/// process prepares once (its ids, its directory) is ready in both.
fn nanoseconds() -> (u64, u64) {
    let mut extra = Members::default();
    extra.push("tool_version", Raw::text("1.2.3"));
    extra.push("command", Raw::text("get"));
    let mut meta = Meta {
        duration_ms: Some(3),
        request_id: Some("req_18e875b984e60f940047aa01".to_owned()),
        cwd: Some("/home/user/project".to_owned()),
        extra,
        ..Meta::default()
    };
    let defaults = Defaults::default();
    let mut best = [u64::MAX; 2];
    for _ in 0..ROUNDS {
        let payload = time(|| {
            black_box(serde_json::to_string(black_box(&ITEM)).expect("serialises"));
        });
        let envelope = time(|| {
            let data = Raw::from_serialize(black_box(&ITEM)).expect("serialises");
            let memory = Vec::with_capacity(data.as_str().len() + 512);
            let kind = Some("item".to_owned());
            let about = std::mem::take(&mut meta);
            let content = Content { kind, data: Some(data), meta: about, ..Content::default() };
            let envelope = Envelope::new(Exit::Success, content).expect("an envelope");
            let spoken = dialects::RESPONSE_ENVELOPE_1_0;
            black_box(write_into(memory, &envelope, spoken, &defaults, Lines::AsUsual));
            meta = envelope.into_parts().1.meta;
        });
        best = [best[0].min(payload), best[1].min(envelope)];
    }
    (best[0], best[1])
}

/// The nanoseconds of one, measured over many.
fn time(mut work: impl FnMut()) -> u64 {
    let start = Instant::now();
    (0..ANSWERS).for_each(|_| work());
    u64::try_from(start.elapsed().as_nanos()).unwrap_or(u64::MAX) / u64::from(ANSWERS)
}
