//! The jobs that are compared, each a process of its own.

use manila::json::Limits;
use manila::{Added, DIALECTS, Defaults, add_dialects};
use manila_log::source::{Hidden, Sources};
use manila_log::{Backend, Block, Normaliser, Options, Record, Sink, scan_by};
use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::ExitCode;
use std::sync::{Mutex, MutexGuard};

/// Runs a job and says on the last line how much memory it had.
pub(crate) fn run(name: &str, threads: usize, path: &Path) -> ExitCode {
    let result = match name {
        "classify" => Ok(classify(Backend::Fastest, threads, path)),
        "with-file" => know_file().map(|()| classify(Backend::Fastest, threads, path)),
        "portable" => Ok(classify(Backend::Portable, threads, path)),
        "reference" => Ok(classify(Backend::Reference, threads, path)),
        "normalise" => normalise(threads, path),
        "sonic-skip" => {
            each_line(path, |line| sonic_rs::from_slice::<sonic_rs::LazyValue<'_>>(line).is_ok())
        }
        "simd-json" => {
            let (mut buffers, mut copy) = (simd_json::Buffers::default(), Vec::new());
            let mut tape = Some(simd_json::Tape(Vec::new()));
            each_line(path, |line| {
                copy.clear();
                copy.extend_from_slice(line);
                let mut memory = tape.take().expect("it was put back").reset();
                let good = simd_json::fill_tape(&mut copy, &mut buffers, &mut memory).is_ok();
                tape = Some(memory.reset());
                good
            })
        }
        "serde-typed" => each_line(path, |line| serde_json::from_slice::<Typed<'_>>(line).is_ok()),
        "jsonschema" => jsonschema(path),
        _ => Err(io::Error::other("no such job")),
    };
    let peak = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let peak = peak.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let peak = peak.and_then(|line| line.split_whitespace().next()).unwrap_or("unknown");
    let mut out = io::stdout().lock();
    match result.and_then(|records| writeln!(out, "{records} records\npeak {peak}")) {
        Ok(()) => ExitCode::SUCCESS,
        Err(_) => ExitCode::FAILURE,
    }
}

/// Makes the dialect of the guide known, as a file of the user's does.
fn know_file() -> io::Result<()> {
    const ACME: &str =
        include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/examples/acme.toml"));
    let dialect = manila::dialect_file::load(ACME).map_err(io::Error::other)?;
    let added = Added { dialects: vec![dialect], preferred: None };
    add_dialects(added).map_err(io::Error::other)
}

/// Counts by code.
struct ByCode;

impl Sink for ByCode {
    type Part = BTreeMap<String, u64>;
    type Chunk = u64;
    type Ordered = u64;

    fn part(&self) -> Self::Part {
        BTreeMap::new()
    }

    fn record(&self, part: &mut Self::Part, chunk: &mut u64, record: &Record<'_>) {
        *chunk += u64::from(!record.verdict.is_good());
        let Some(code) = record.verdict.envelope().and_then(|it| it.code.as_deref()) else {
            return;
        };
        match part.get_mut(code) {
            Some(count) => *count += 1,
            None => {
                part.insert(code.to_owned(), 1);
            }
        }
    }

    fn deliver(&self, bad: &mut u64, chunk: u64, _: &Block) -> ControlFlow<()> {
        *bad += chunk;
        ControlFlow::Continue(())
    }
}

/// The same, and writes every good record in one dialect. What was written is memory for the next.
#[derive(Default)]
struct Normalised(Mutex<Vec<Vec<u8>>>);

impl Normalised {
    fn memory(&self) -> MutexGuard<'_, Vec<Vec<u8>>> {
        self.0.lock().expect("no holder panics")
    }
}

impl Sink for Normalised {
    type Part = (BTreeMap<String, u64>, Normaliser);
    type Chunk = (u64, Vec<u8>);
    type Ordered = (u64, File);

    fn part(&self) -> Self::Part {
        let normaliser = Normaliser::new(DIALECTS[0], Defaults::default(), Limits::default());
        (BTreeMap::new(), normaliser)
    }

    fn chunk(&self) -> Self::Chunk {
        (0, self.memory().pop().unwrap_or_default())
    }

    fn record(&self, part: &mut Self::Part, chunk: &mut Self::Chunk, record: &Record<'_>) {
        ByCode.record(&mut part.0, &mut chunk.0, record);
        if record.verdict.is_good() {
            part.1.write(record, &mut chunk.1).expect("a good record can be written");
        }
    }

    fn deliver(
        &self,
        ordered: &mut Self::Ordered,
        chunk: Self::Chunk,
        _: &Block,
    ) -> ControlFlow<()> {
        let (bad, mut bytes) = chunk;
        ordered.0 += bad;
        let written = ordered.1.write_all(&bytes);
        bytes.clear();
        self.memory().push(bytes);
        match written {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }
}

fn options(threads: usize) -> Options<'static> {
    Options { threads: threads.try_into().expect("a thread"), ..Options::default() }
}

fn classify(backend: Backend, threads: usize, path: &Path) -> u64 {
    let inputs = Sources::find(&[path.to_path_buf()], Hidden::Skip);
    scan_by(backend, inputs, &ByCode, 0, &options(threads)).totals.records
}

fn normalise(threads: usize, path: &Path) -> io::Result<u64> {
    let inputs = Sources::find(&[path.to_path_buf()], Hidden::Skip);
    let nowhere = File::options().write(true).open("/dev/null")?;
    let outcome =
        scan_by(Backend::Fastest, inputs, &Normalised::default(), (0, nowhere), &options(threads));
    Ok(outcome.totals.records)
}

/// Reads a file in large pieces and counts the lines that are good.
fn each_line(path: &Path, mut is_good: impl FnMut(&[u8]) -> bool) -> io::Result<u64> {
    let mut file = File::open(path)?;
    let mut memory = vec![0; 512 << 10];
    let (mut filled, mut good) = (0, 0);
    loop {
        let count = file.read(&mut memory[filled..])?;
        if count == 0 {
            return Ok(good);
        }
        filled += count;
        let mut start = 0;
        for end in memchr::memchr_iter(b'\n', &memory[..filled]) {
            good += u64::from(is_good(&memory[start..end]));
            start = end + 1;
        }
        memory.copy_within(start..filled, 0);
        filled -= start;
    }
}

/// What the five dialects of the corpus have, the payload left unread.
#[derive(serde::Deserialize)]
#[expect(dead_code, reason = "what is read is not used")]
struct Typed<'a> {
    ok: Option<bool>,
    schema: Option<std::borrow::Cow<'a, str>>,
    #[serde(borrow)]
    data: Option<&'a serde_json::value::RawValue>,
    error: Option<TypedError<'a>>,
    warnings: Option<Vec<std::borrow::Cow<'a, str>>>,
    meta: Option<&'a serde_json::value::RawValue>,
    exit_code: Option<i32>,
}

#[derive(serde::Deserialize)]
#[expect(dead_code, reason = "what is read is not used")]
struct TypedError<'a> {
    #[serde(borrow)]
    code: Option<std::borrow::Cow<'a, str>>,
    kind: Option<std::borrow::Cow<'a, str>>,
    message: std::borrow::Cow<'a, str>,
    retryable: Option<bool>,
}

fn jsonschema(path: &Path) -> io::Result<u64> {
    let schemas: Vec<_> = DIALECTS.iter().map(|dialect| dialect.table().json_schema()).collect();
    let any = serde_json::json!({ "anyOf": schemas });
    let validator = jsonschema::validator_for(&any).map_err(io::Error::other)?;
    each_line(path, |line| {
        serde_json::from_slice(line).is_ok_and(|value| validator.is_valid(&value))
    })
}
