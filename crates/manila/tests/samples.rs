//! Sample answers of every dialect that programs in the wild use, each with the reading that its
//! authors meant: opened, decided upon and converted.
//!
//! `tests/samples/<dialect>/<sample>` is a recorded run; `readings.tsv` beside them says what it means
//! to a caller who knows the dialect.
#![expect(
    clippy::disallowed_methods,
    clippy::panic,
    clippy::unwrap_used,
    reason = "the test reads its samples and may stop at the first surprise"
)]

mod support;

use manila::table::{Field, Type};
use manila::{
    Action, Answer, Decision, Defaults, Dialect, Error, History, Opened, Options, Policy, Status,
    Transcript, decide, every_dialect, open, schema,
};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// One sample and what it means.
struct Sample {
    dialect: &'static dyn Dialect,
    name: String,
    transcript: Transcript,
    /// Success or failure, class, code, message, action; a dash where nothing is known.
    reading: Vec<String>,
}

impl Sample {
    fn open(&self, options: &Options) -> Result<Opened, Error> {
        open(&self.transcript, options)
    }

    fn decide(&self, opened: &Result<Opened, Error>) -> Decision {
        let answer = Answer::new(&self.transcript, opened.as_ref());
        decide(&answer, &History::default(), &Policy::default())
    }

    fn failed(&self) -> bool {
        self.reading[0] == "false"
    }
}

fn dir() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/samples")
}

fn samples() -> Vec<Sample> {
    let mut names: Vec<_> = fs::read_dir(dir())
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir())
        .collect();
    names.sort();
    names.iter().flat_map(|path| of_dialect(path)).collect()
}

fn of_dialect(dir: &Path) -> Vec<Sample> {
    let name = format!("{}/", dir.file_name().unwrap().to_string_lossy());
    let dialect = every_dialect().find(|dialect| dialect.id().starts_with(&name));
    let dialect = dialect.unwrap_or_else(|| panic!("no dialect {name}"));
    let table = fs::read_to_string(dir.join("readings.tsv")).unwrap();
    let mut readings: BTreeMap<String, Vec<String>> = table
        .lines()
        .skip(1)
        .map(|line| {
            let mut fields = line.split('\t').map(str::to_owned);
            (fields.next().unwrap(), fields.collect())
        })
        .collect();
    let samples: Vec<_> = support::recorded_runs(dir)
        .into_iter()
        .map(|(sample, transcript)| {
            let reading = readings.remove(&sample);
            let reading = reading.unwrap_or_else(|| {
                panic!("readings.tsv has no line for the sample {name}{sample}")
            });
            Sample { dialect, name: format!("{name}{sample}"), transcript, reading }
        })
        .collect();
    assert!(readings.is_empty(), "{name}: readings without a sample: {readings:?}");
    samples
}

#[test]
fn every_dialect_has_samples_of_every_kind() {
    let samples = samples();
    for kind in ["success", "failure", "retryable", "exit-zero", "noise", "cut"] {
        let count = samples.iter().filter(|it| it.name.ends_with(&format!("/{kind}"))).count();
        let entries = fs::read_dir(dir()).unwrap().map(|entry| entry.unwrap().path());
        let dialects = entries.filter(|path| path.is_dir()).count();
        assert_eq!(count, dialects, "{kind}");
    }
}

#[test]
fn every_sample_reads_as_its_authors_meant_it() {
    let mut wrong = String::new();
    for sample in samples() {
        let options = Options { dialect: Some(sample.dialect), ..Options::default() };
        let opened = sample.open(&options);
        let action = sample.decide(&opened).action.name().to_owned();
        let mut reading = match &opened {
            Ok(opened) => {
                let envelope = &opened.envelope;
                let error = envelope.error();
                let code = error.map_or("-", |error| error.code.as_str());
                let message = error.map_or("-", |error| error.message.as_str());
                vec![
                    envelope.ok().to_string(),
                    envelope.exit().name().into(),
                    code.into(),
                    message.into(),
                ]
            }
            Err(_) => vec!["-".to_owned(); 4],
        };
        reading.push(action);
        if reading != sample.reading {
            let _ = writeln!(
                wrong,
                "{}\n  meant {:?}\n  read  {reading:?}",
                sample.name, sample.reading
            );
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn a_wait_in_the_details_of_a_google_error_is_waited_for() {
    let sample = samples().into_iter().find(|it| it.name == "google/retryable").unwrap();
    for dialect in [None, Some(sample.dialect)] {
        let opened = sample.open(&Options { dialect, ..Options::default() });
        let action = sample.decide(&opened).action;
        assert_eq!(action, Action::Retry { wait_ms: 5_000, change: None }, "{dialect:?}");
    }
}

#[test]
fn no_failure_is_accepted_whether_its_dialect_is_named_or_not() {
    for sample in samples().iter().filter(|sample| sample.failed()) {
        for dialect in [None, Some(sample.dialect)] {
            let opened = sample.open(&Options { dialect, ..Options::default() });
            let action = sample.decide(&opened).action;
            assert_ne!(action, Action::Accept, "{} {dialect:?}", sample.name);
            assert!(
                opened.is_ok_and(|it| !it.envelope.ok()) || dialect.is_none(),
                "{}",
                sample.name
            );
        }
    }
}

/// Members that say that it failed, whatever the dialect.
const MARKS: &[&str] = &[
    r#""ok":false"#,
    r#""success":false"#,
    r#""status":"error""#,
    r#""is_error":true"#,
    r#""isError":true"#,
    r#""error":{"code":"X","message":"boom"}"#,
    r#""error":"boom""#,
];

#[test]
fn no_success_with_a_failure_mark_is_accepted_in_any_dialect() {
    let mut tried = 0;
    for sample in samples().iter().filter(|sample| sample.reading[0] == "true") {
        let stdout = std::str::from_utf8(&sample.transcript.stdout).unwrap();
        // The deciding record is the last one.
        let is_object = stdout.trim_start().starts_with('{').then_some(0);
        let Some(at) = stdout.rfind("\n{").map(|at| at + 1).or(is_object) else { continue };
        for mark in MARKS {
            let (before, after) = stdout.split_at(at + 1);
            let comma = if after.trim_start().starts_with('}') { "" } else { "," };
            let marked = format!("{before}{mark}{comma}{after}");
            let transcript = Transcript { stdout: marked.into(), ..sample.transcript.clone() };
            for dialect in [None, Some(sample.dialect)] {
                let opened = open(&transcript, &Options { dialect, ..Options::default() });
                let answer = Answer::new(&transcript, opened.as_ref());
                let decision = decide(&answer, &History::default(), &Policy::default());
                assert_ne!(decision.action, Action::Accept, "{} {mark} {dialect:?}", sample.name);
                tried += 1;
            }
        }
    }
    assert!(tried > 400, "{tried}");
}

/// A success of every dialect, turned into a failure by each key that its table reads the outcome from.
#[test]
fn no_outcome_key_that_says_failure_is_overruled_in_any_dialect() {
    let mut tried = 0;
    let text = r#"{"ok":true,"data":{"n":1},"error":null,"warnings":[],"meta":{"duration_ms":1}}"#;
    let success = Transcript::from_stdout(text, Status::Exited(0));
    let success = open(&success, &Options::default()).unwrap();
    for dialect in every_dialect() {
        let written = success.convert(dialect, &Defaults::default()).unwrap().written.document;
        let document: serde_json::Value = serde_json::from_slice(&written).unwrap();
        for key in dialect.table().keys {
            let says: Vec<serde_json::Value> = match (key.field, key.of) {
                (Field::Ok, _) => vec![false.into()],
                (Field::Failed, _) => vec![true.into()],
                (Field::Status, _) => vec![1.into()],
                (_, Type::Outcome { failure, .. }) => {
                    failure.iter().map(|it| (*it).into()).collect()
                }
                _ => continue,
            };
            for value in says {
                let mut failed = document.clone();
                failed[key.name] = value;
                let transcript = Transcript::from_stdout(failed.to_string(), Status::Exited(0));
                for named in [None, Some(dialect)] {
                    let opened =
                        open(&transcript, &Options { dialect: named, ..Options::default() });
                    let answer = Answer::new(&transcript, opened.as_ref());
                    let decision = decide(&answer, &History::default(), &Policy::default());
                    let uses =
                        ["accept", "use-cache", "next-page"].contains(&decision.action.name());
                    assert!(!uses, "{}: {failed} {named:?}: {decision:?}", dialect.id());
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 60, "{tried}");
}

/// Which dialects each sample is taken for when none is named: the snapshot of what detection
/// confuses. A dialect with a `?` is only possible.
#[test]
fn the_confusion_matrix_is_as_recorded() {
    let mut matrix = String::new();
    for sample in samples() {
        let taken = match sample.open(&Options::default()) {
            Ok(Opened { detection, .. }) => {
                let found = std::iter::once((detection.dialect.id(), detection.confidence));
                let all = found.chain(detection.others);
                let named = all.map(|(id, sure)| format!("{id} {}", sure.as_str()));
                named.collect::<Vec<_>>().join(", ")
            }
            Err(error) => format!("- ({:?})", error.kind()),
        };
        let _ = writeln!(matrix, "{:<28} {taken}", sample.name);
    }
    showcase_test_support::assert_golden(&dir().join("matrix.txt"), &matrix);
}

#[test]
fn every_sample_converts_to_every_dialect_and_satisfies_its_schema() {
    let validators: Vec<_> = every_dialect()
        .map(|dialect| jsonschema::validator_for(&schema(dialect, None).unwrap()).unwrap())
        .collect();
    for sample in samples() {
        let options = Options { dialect: Some(sample.dialect), ..Options::default() };
        let Ok(opened) = sample.open(&options) else { continue };
        for (dialect, validator) in every_dialect().zip(&validators) {
            let conversion = opened.convert(dialect, &Defaults::default()).unwrap();
            let document = serde_json::from_slice(&conversion.written.document).unwrap();
            let errors: Vec<_> =
                validator.iter_errors(&document).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{} as {}: {errors:?}", sample.name, dialect.id());
        }
    }
}
