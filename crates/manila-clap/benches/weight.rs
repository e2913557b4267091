//! What an envelope costs: instructions of a whole run, bytes of a binary, nanoseconds per answer.
//!
//! The same program is built twice, in plain clap printing its payload with `serde_json`, and with an
//! envelope. Everything is a ratio or a difference of one run; nothing is compared with a clock that
//! another machine would read differently.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark that cannot run says so")]

use manila::json::{Members, Raw};
use manila::{Content, Defaults, Envelope, Exit, Lines, Meta, dialects, write_into};
use serde::Serialize;
use std::hint::black_box;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

const CALLS: [&[&str]; 2] = [&["--version"], &["get", "42"]];
const ROUNDS: u32 = 30;
const ANSWERS: u32 = 20_000;

fn main() -> io::Result<()> {
    let mut out = io::stdout().lock();
    let folder = build();
    let programs = ["weigh-plain", "weigh-enveloped"].map(|name| folder.join(name));

    let sizes =
        [&programs[0], &programs[1]].map(|path| path.metadata().expect("it was built").len());
    let [plain, enveloped] = sizes;
    writeln!(out, "stripped release binary with LTO: {plain} B plain, {enveloped} B enveloped")?;
    writeln!(out, "  {} B more; the aim is 200000 at most", enveloped - plain)?;

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

    let (payload, envelope) = nanoseconds();
    writeln!(out, "an answer: {payload} ns for its payload, {envelope} ns with its envelope")?;
    let more = envelope.saturating_sub(payload);
    let ratio = ratio(envelope, payload);
    writeln!(out, "  {more} ns more, ratio {ratio:.2}; the aim is 150 ns more at most")
}

#[expect(clippy::cast_precision_loss, reason = "a ratio is shown with three digits")]
fn ratio(one: u64, other: u64) -> f64 {
    one as f64 / other as f64
}

/// Builds both programs as a release, apart from everything else that is built here.
fn build() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("weigh");
    let build = Command::new(env!("CARGO"))
        .args(["build", "--quiet", "--release", "--package", "weigh", "--target-dir"])
        .arg(&target)
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
    let told = String::from_utf8_lossy(&run.stderr);
    let line = told.lines().find(|line| line.contains("Collected :"))?;
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
        cwd: Some("/home/somebody/project".to_owned()),
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
            let data = Raw::of(black_box(&ITEM)).expect("serialises");
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
