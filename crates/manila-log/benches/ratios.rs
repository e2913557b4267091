//! All ratios side by side: judging a log beside counting its lines, skipping its records with other
//! parsers, validating them, and asking other tools the same question.
//!
//! Every row is a process of its own, on one corpus, called in turns with all the others; times are
//! medians. Processor time, where the system reports it, is what counts on a loaded machine.
//! `MANILA_BENCH_SIZE` (in MB) and `MANILA_BENCH_ROUNDS` say how much and how often. A row whose tool is
//! missing says how to install it.
//!
//! `classify` detects the dialect, checks every byte (JSON, UTF-8), judges the contract and counts by
//! error code. jq, jaq and `DuckDB` count the codes of the same five dialects and check no contract. The lead
//! over parsers that skip depends on the corpus, which has 5.5 bytes per token, punctuation counted: with
//! longer strings it is smaller. A change is best compared by instructions:
//! `valgrind --tool=callgrind RATIOS --job classify 1 CORPUS`.
#![allow(clippy::unwrap_used, clippy::expect_used, reason = "a benchmark that cannot run says so")]
#![allow(clippy::disallowed_methods, reason = "the environment says how much")]

#[path = "../examples/corpus/generate.rs"]
#[allow(dead_code, reason = "shared with the example")]
mod generate;
#[path = "ratios/job.rs"]
mod job;

use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::Instant;

/// What a row reads: all of the corpus, for what is slow its beginning, or as much in a dialect from a file.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    All,
    Beginning,
    OfFile,
}

/// How a row is run.
#[derive(Clone, Copy)]
enum How {
    /// This program again, with a job's name and a number of threads.
    Job(&'static str, usize),
    /// The same with the corpus on its stdin.
    Piped(&'static str, usize),
    /// Another program, if it is installed; `FILE` stands for the corpus.
    Tool(&'static [&'static str], Get),
    /// The program of `simdjson.cpp`, if the library is installed.
    Simdjson(Get),
}

/// How to install what a row needs.
type Get = &'static str;

struct Row {
    what: &'static str,
    how: How,
    part: Part,
    /// What is demanded: how many times as fast the first row must be, at least.
    demand: Option<f64>,
}

/// The codes of all five dialects: one of them has no error but issues.
const BY_CODE: &str = "reduce (inputs | fromjson? | objects | (.error | objects | .code // .kind) // (select(.ok == false) | .issues | arrays | .[0].code) // empty) as $code ({}; .[$code] += 1)";
/// On one thread, as the row that it is compared with. A status of 127 says that it is not there.
const IN_SQL: &str = r#"
import sys
try:
    import duckdb
except ImportError:
    sys.exit(127)
database = duckdb.connect()
database.execute("set threads = 1")
print(database.execute("""
    select coalesce(json->>'$.error.code', json->>'$.error.kind',
        case when json->>'$.ok' = 'false' then json->>'$.issues[0].code' end) as code, count(*)
    from read_json_objects(?, format='newline_delimited', ignore_errors=true) group by code
""", [sys.argv[1]]).fetchall())
"#;
const SIMDJSON: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/benches/ratios/simdjson.cpp");

const fn row(what: &'static str, how: How, part: Part, demand: Option<f64>) -> Row {
    Row { what, how, part, demand }
}

/// The first row is what the others are compared with.
static ROWS: &[Row] = &[
    row("classify, 1 thread", How::Job("classify", 1), Part::All, None),
    row("classify, 2 threads", How::Job("classify", 2), Part::All, None),
    row("classify, from a pipe", How::Piped("classify", 1), Part::All, None),
    row("classify, portable", How::Job("portable", 1), Part::Beginning, None),
    row("classify, reference", How::Job("reference", 1), Part::Beginning, None),
    row("normalise, 1 thread", How::Job("normalise", 1), Part::All, None),
    row("normalise, 2 threads", How::Job("normalise", 2), Part::All, None),
    row("wc -l", How::Tool(&["wc", "-l", "FILE"], "coreutils"), Part::All, None),
    row("sonic-rs, skip each record", How::Job("sonic-skip", 1), Part::All, Some(1.3)),
    row(
        "simdjson (C++), DOM of each record",
        How::Simdjson("apt install g++ libsimdjson-dev"),
        Part::All,
        Some(1.2),
    ),
    row("simd-json, tape of each record", How::Job("simd-json", 1), Part::All, None),
    row("serde_json, typed", How::Job("serde-typed", 1), Part::All, None),
    row("jsonschema, validate", How::Job("jsonschema", 1), Part::Beginning, Some(5.0)),
    row(
        "jq, by code",
        How::Tool(&["jq", "-nR", BY_CODE, "FILE"], "apt install jq"),
        Part::Beginning,
        Some(15.0),
    ),
    row(
        "jaq, by code",
        How::Tool(&["jaq", "-nR", BY_CODE, "FILE"], "cargo install jaq"),
        Part::Beginning,
        Some(10.0),
    ),
    // It takes a moment to begin, which would be most of a short run.
    row(
        "DuckDB, by code",
        How::Tool(&["python3", "-c", IN_SQL, "FILE"], "pip install duckdb"),
        Part::All,
        Some(7.0),
    ),
    // What a dialect from a file costs those who have one: first records of other dialects, then its own.
    row("classify, a dialect from a file is known", How::Job("with-file", 1), Part::All, None),
    row("classify, every record is of that dialect", How::Job("with-file", 1), Part::OfFile, None),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    if let [_, mark, name, threads, path] = &arguments[..]
        && mark == "--job"
    {
        return job::run(name, threads.parse().expect("a number"), Path::new(path));
    }
    match compare() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            let _ = writeln!(io::stderr(), "ratios: {error}");
            ExitCode::FAILURE
        }
    }
}

fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|value| value.parse().ok()).unwrap_or(usual)
}

/// Writes a corpus of that size.
fn corpus(dir: &Path, megabytes: u64) -> io::Result<PathBuf> {
    let path = dir.join(format!("corpus-{megabytes}MB.jsonl"));
    let size = megabytes * 1_000_000;
    if path.metadata().is_ok_and(|data| data.len() >= size) {
        return Ok(path);
    }
    let mut corpus = generate::Corpus::new(42);
    let mut file = BufWriter::new(File::create(&path)?);
    let (mut block, mut written) = (Vec::new(), 0);
    while written < size {
        block.clear();
        corpus.record(&mut block);
        file.write_all(&block)?;
        written += block.len() as u64;
    }
    file.into_inner()?;
    Ok(path)
}

/// Writes a corpus in the dialect of `docs/examples/acme.toml`: one failure in ten, the usual mean size.
fn corpus_of_file(dir: &Path, megabytes: u64) -> io::Result<PathBuf> {
    let path = dir.join(format!("of-file-{megabytes}MB.jsonl"));
    let mut file = BufWriter::new(File::create(&path)?);
    let payload = "a payload of some length; ".repeat(36);
    let (mut written, mut number) = (0, 0_u64);
    while written < megabytes * 1_000_000 {
        number += 1;
        let line = if number.is_multiple_of(10) {
            format!(
                r#"{{"acme":"1","status":"fail","reason":"E_MISSING","why":"no order {number}: {payload}"}}"#
            )
        } else {
            format!(
                r#"{{"acme":"1","status":"ok","result":{{"order":{number},"text":"{payload}"}}}}"#
            )
        };
        writeln!(file, "{line}")?;
        written += line.len() as u64 + 1;
    }
    file.into_inner()?;
    Ok(path)
}

fn compare() -> io::Result<()> {
    let dir = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let paths = [
        corpus(&dir, number("MANILA_BENCH_SIZE", 256))?,
        corpus(&dir, 16)?,
        corpus_of_file(&dir, 16)?,
    ];
    compile(&dir)?;
    let rounds = number("MANILA_BENCH_ROUNDS", 5);
    let mut seconds = vec![Vec::new(); ROWS.len()];
    let mut memory = vec![None; ROWS.len()];
    let mut ticks = vec![0; ROWS.len()];
    for _ in 0..rounds {
        for (at, row) in ROWS.iter().enumerate() {
            let path = &paths[row.part as usize];
            let before = children_ticks();
            let Some((time, peak)) = time(row, path)? else { continue };
            ticks[at] += children_ticks() - before;
            seconds[at].push(time);
            memory[at] = memory[at].max(peak);
        }
    }
    let mut sizes = [0; 3];
    for (size, path) in sizes.iter_mut().zip(&paths) {
        *size = path.metadata()?.len();
    }
    show(&seconds, &ticks, &memory, sizes)
}

fn simdjson(dir: &Path) -> PathBuf {
    dir.join("simdjson")
}

/// Compiles the program for simdjson; where that cannot be done there is none.
fn compile(dir: &Path) -> io::Result<()> {
    let program = simdjson(dir);
    match std::fs::remove_file(&program) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
        _ => {}
    }
    let mut compiler = Command::new("c++");
    compiler.args(["-O3", "-std=c++17", SIMDJSON, "-o"]).arg(&program).arg("-lsimdjson");
    match compiler.stderr(Stdio::null()).status() {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// How much processor time the processes had that were waited for, in the system's ticks; nothing
/// where it is not reported.
fn children_ticks() -> u64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    // The name of the program may hold anything, and ends with the last parenthesis.
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(13).take(2).filter_map(|field| field.parse::<u64>().ok()).sum()
}

/// How long a row takes, and the most memory it had; nothing if it is not installed.
fn time(row: &Row, path: &Path) -> io::Result<Option<(f64, Option<u64>)>> {
    let path = path.to_str().expect("a path that is text");
    let job = |name: &str, threads: usize, path: &str| {
        let mut command = Command::new(std::env::current_exe().expect("this program"));
        command.args(["--job", name, &threads.to_string(), path]).stderr(Stdio::null());
        command
    };
    let mut feeder = None;
    let mut command = match row.how {
        How::Job(name, threads) => job(name, threads, path),
        How::Piped(name, threads) => {
            let mut cat = Command::new("cat").arg(path).stdout(Stdio::piped()).spawn()?;
            let mut command = job(name, threads, "-");
            command.stdin(cat.stdout.take().expect("a pipe"));
            feeder = Some(cat);
            command
        }
        How::Tool(words, _) => {
            let mut command = Command::new(words[0]);
            command.args(words[1..].iter().map(|word| if *word == "FILE" { path } else { word }));
            command
        }
        How::Simdjson(_) => {
            let mut command = Command::new(simdjson(Path::new(env!("CARGO_TARGET_TMPDIR"))));
            command.arg(path);
            command
        }
    };
    let begin = Instant::now();
    let output = match command.stderr(Stdio::null()).output() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        output => output?,
    };
    let time = begin.elapsed().as_secs_f64();
    if let Some(mut feeder) = feeder {
        feeder.wait()?;
    }
    if output.status.code() == Some(127) {
        return Ok(None);
    }
    assert!(output.status.success(), "{} failed", row.what);
    // A job says on its last line how much memory it had.
    let said = String::from_utf8_lossy(&output.stdout);
    let peak = said.lines().last().and_then(|line| line.strip_prefix("peak ")?.parse().ok());
    Ok(Some((time, peak)))
}

#[expect(clippy::cast_precision_loss, reason = "sizes are far below 2^53")]
fn show(
    seconds: &[Vec<f64>],
    ticks: &[u64],
    memory: &[Option<u64>],
    sizes: [u64; 3],
) -> io::Result<()> {
    let median = |times: &[f64]| {
        let mut times = times.to_vec();
        times.sort_by(f64::total_cmp);
        times.get(times.len() / 2).copied()
    };
    let size = |row: &Row| sizes[row.part as usize] as f64;
    // Time per byte, so that rows with less to read can be compared.
    let costs: Vec<Option<f64>> =
        ROWS.iter().zip(seconds).map(|(row, times)| Some(median(times)? / size(row))).collect();
    let first = costs[0].expect("the first row always runs");
    let mut out = String::new();
    let work: Vec<f64> =
        ROWS.iter().zip(ticks).map(|(row, ticks)| *ticks as f64 / size(row)).collect();
    let _ = writeln!(
        out,
        "| what | MB/s | time ÷ classify | processor time ÷ classify | demanded | peak MiB |"
    );
    let _ = writeln!(out, "|---|---:|---:|---:|---:|---:|");
    for (((row, cost), peak), work_of_row) in ROWS.iter().zip(&costs).zip(memory).zip(&work) {
        let Some(cost) = cost else {
            let get = match row.how {
                How::Tool(_, get) | How::Simdjson(get) => get,
                How::Job(..) | How::Piped(..) => "",
            };
            let _ = writeln!(out, "| {} | not installed: `{get}` | | | | |", row.what);
            continue;
        };
        let demand = row.demand.map(|demand| format!("≥ {demand}")).unwrap_or_default();
        let peak = peak.map(|kib| format!("{:.1}", kib as f64 / 1024.0)).unwrap_or_default();
        let (rate, ratio) = (1.0 / cost / 1e6, cost / first);
        let worked = work_of_row / work[0];
        let _ = writeln!(
            out,
            "| {} | {rate:.0} | {ratio:.2} | {worked:.2} | {demand} | {peak} |",
            row.what
        );
    }
    let ratio = |of: usize, to: usize| Some(costs[of]? / costs[to]?);
    for (what, demand, value) in [
        ("classify ÷ wc -l", "≤ 6", ratio(0, 7)),
        ("two threads as fast as one, times", "≥ 1.7", ratio(0, 1)),
        ("from a pipe ÷ from a file", "about 1", ratio(2, 0)),
        ("normalise ÷ classify, 1 thread", "≤ 1.15", ratio(5, 0)),
        ("normalise ÷ classify, 2 threads", "≤ 1.15", ratio(6, 1)),
    ] {
        let value = value.map_or_else(|| "not measured".to_owned(), |value| format!("{value:.2}"));
        let _ = writeln!(out, "{what}: {value} ({demand})");
    }
    io::stdout().lock().write_all(out.as_bytes())
}
