//! A proposal for a dialect, from recorded runs of a program: which keys its documents have, which
//! of them distinguish success from failure, and where code and message are.

mod guess;
mod seen;

use super::form::{
    DetectForm, ExampleForm, ExitsForm, FileForm, FormForm, KeyForm, LevelForm, RowForm, TestForm,
};
use super::save::{name, spanned};
use crate::ansi;
use crate::detect::Options;
use crate::exit::Exit;
use crate::json::{Kind, Limits, Raw, Reader};
use crate::mark;
use crate::open::open;
use crate::segment::{SegmentKind, Segmenter};
use crate::table::{Confidence, OutcomeFrom};
use crate::transcript::{Status, Stream, Transcript};
use guess::Shape;
use seen::class_of;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

/// The most runs that become examples.
const EXAMPLES: usize = 12;
/// The longest answer that becomes an example, in bytes.
const LONGEST: usize = 4 << 10;

/// A dialect that is proposed.
#[derive(Clone, Debug)]
pub struct Inferred {
    /// The text of its file.
    pub text: String,
    /// What was guessed, and what a person should look at.
    pub notes: Vec<String>,
}

/// Why nothing can be proposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InferError {
    /// No run failed with a JSON document.
    NoFailure,
    /// Nothing in the documents distinguishes a success from a failure.
    NoOutcome,
}

impl fmt::Display for InferError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            InferError::NoFailure => "no run is a failure with a JSON object",
            InferError::NoOutcome => "no key distinguishes the successes from the failures",
        })
    }
}

impl std::error::Error for InferError {}

/// One document and how its run ended.
#[derive(Clone, Debug)]
pub(super) struct Sample {
    run: String,
    transcript: Transcript,
    stream: Stream,
    document: Raw,
    ok: bool,
    is_pretty: bool,
    is_spaced: bool,
}

/// Proposes a dialect of this id from runs with their names.
pub fn infer(id: &str, runs: &[(String, Transcript)]) -> Result<Inferred, InferError> {
    let mut notes = Vec::new();
    let mut samples = Vec::new();
    let mut bare = 0;
    for (run, transcript) in runs {
        match sample(run, transcript) {
            Some(sample) => samples.push(sample),
            None if transcript.status == Status::Exited(0) => bare += 1,
            None => notes.push(format!("{run} failed without a JSON object and was left out")),
        }
    }
    let (successes, failures): (Vec<_>, Vec<_>) = samples.iter().partition(|sample| sample.ok);
    if failures.is_empty() {
        return Err(InferError::NoFailure);
    }
    if bare > 0 {
        notes.push(format!("{bare} successes have no JSON object"));
    }
    let shape = Shape::new(&successes, &failures, &mut notes).ok_or(InferError::NoOutcome)?;
    let failure = failures.iter().map(|sample| sample.stream).max().unwrap_or(Stream::Stdout);
    let codes = codes(&failures, &shape, &mut notes);
    let statuses: BTreeSet<i32> =
        runs.iter().filter_map(|(_, run)| run.status.code()).filter(|code| *code != 0).collect();
    let mut form = FileForm {
        id: name(id),
        summary: format!(
            "{}: inferred from {} runs",
            id.split('/').next().unwrap_or(id),
            runs.len()
        ),
        title: None,
        description: None,
        page: None,
        version: None,
        has_meta: false,
        kind: None,
        outcome: (shape.outcome != OutcomeFrom::Keys).then(|| name(shape.outcome.as_str())),
        rest: Some(name(shape.rest.as_str())),
        code_set: None,
        no_data: Vec::new(),
        revision: None,
        success: Some(layout(&successes, Stream::Stdout)),
        failure: Some(layout(&failures, failure)),
        exits: exits(&statuses, &failures, &shape, &mut notes),
        codes: BTreeMap::new(),
        detect: spanned(detect(&shape, &successes, &failures, &mut notes)),
        keys: shape.keys(),
        lines: Vec::new(),
        examples: Vec::new(),
    };
    for (code, exit) in codes {
        form.codes.entry(name(exit.name())).or_default().push(code);
    }
    let text = toml::to_string(&form).unwrap_or_default();
    form.examples = examples(&text, &samples, &mut notes);
    Ok(Inferred { text: toml::to_string(&form).unwrap_or_default(), notes })
}

/// The last JSON object of a run, on stdout or else on stderr.
fn sample(run: &str, transcript: &Transcript) -> Option<Sample> {
    [Stream::Stdout, Stream::Stderr].into_iter().find_map(|stream| {
        let stripped = ansi::strip(transcript.stream(stream));
        let mut reader = Reader::new(Limits::default());
        let mut last = None;
        let mut segments = Segmenter::new(&stripped, &mut reader);
        while let Some(segment) = segments.next() {
            if matches!(segment.kind, SegmentKind::Document(_))
                && let Some(document) = segments.document()
                && document.root().kind() == Kind::Object
            {
                let has_failed = mark::of(&document).is_some();
                last = Some((document.root().text().to_owned(), has_failed));
            }
        }
        let (text, has_failed) = last?;
        let is_pretty = text.contains('\n');
        let is_spaced = !is_pretty && text.contains("\": ");
        let document = Raw::parse(&text).ok()?;
        let ok = !has_failed && matches!(transcript.status, Status::Exited(0) | Status::Unknown);
        let (run, transcript) = (run.to_owned(), transcript.clone());
        Some(Sample { run, transcript, stream, document, ok, is_pretty, is_spaced })
    })
}

fn layout(samples: &[&Sample], stream: Stream) -> FormForm {
    let layout = match samples.first() {
        Some(sample) if sample.is_pretty => "pretty",
        Some(sample) if sample.is_spaced => "spaced",
        _ => "compact",
    };
    FormForm { stream: Some(name(stream.as_str())), layout: Some(name(layout)), ascii: false }
}

/// The error codes of the failures, each with the class that its name stands for.
fn codes(failures: &[&Sample], shape: &Shape, notes: &mut Vec<String>) -> Vec<(String, Exit)> {
    let mut codes: BTreeMap<String, Exit> = BTreeMap::new();
    for code in failures.iter().filter_map(|sample| shape.code(&sample.document)) {
        match class_of(&code) {
            Some(exit) => {
                codes.insert(code, exit);
            }
            None => notes.push(format!("the code `{code}` has no class: add it to [codes]")),
        }
    }
    notes.sort();
    notes.dedup();
    if !codes.is_empty() {
        notes.push("the classes in [codes] are guessed from the names of the codes".to_owned());
    }
    codes.into_iter().collect()
}

/// The numbers that were seen. One that only stood beside one class of codes has that class.
fn exits(
    statuses: &BTreeSet<i32>,
    failures: &[&Sample],
    shape: &Shape,
    notes: &mut Vec<String>,
) -> ExitsForm {
    let mut rows = vec![row(0, Exit::Success)];
    for status in statuses {
        let of_status = failures.iter().filter(|it| it.transcript.status.code() == Some(*status));
        let classes: BTreeSet<Option<Exit>> =
            of_status.map(|it| shape.code(&it.document).and_then(|code| class_of(&code))).collect();
        let exit = match classes.iter().collect::<Vec<_>>()[..] {
            [Some(exit)] if *status > 1 => *exit,
            _ => Exit::General,
        };
        rows.push(row(*status, exit));
    }
    if statuses.is_empty() {
        rows.push(row(1, Exit::General));
        notes.push("no run ended with a status other than 0: complete [exits]".to_owned());
    }
    ExitsForm { grain: None, signals: false, rows: spanned(rows), nearest: BTreeMap::new() }
}

fn row(status: i32, exit: Exit) -> RowForm {
    RowForm { status, class: name(exit.name()), retry: None, effects: None }
}

fn present(path: &str) -> TestForm {
    let (is, is_not, matches, not_matches) = (Some(name("present")), None, None, None);
    TestForm { path: name(path), is, is_not, matches, not_matches }
}

/// What the documents are recognised by: keys that all have, and what each outcome has beside them.
fn detect(
    shape: &Shape,
    successes: &[&Sample],
    failures: &[&Sample],
    notes: &mut Vec<String>,
) -> DetectForm {
    let mut all = shape.marks();
    let is_certain = shape.has_constant();
    let common = shape.common(successes, failures);
    let marked: Vec<String> = all.iter().map(|test| test.path.get_ref().clone()).collect();
    all.extend(common.iter().filter(|key| !marked.contains(*key)).map(|key| present(key)));
    let confidence = match all.len() {
        _ if is_certain => Confidence::Certain,
        0..=1 => Confidence::Possible,
        _ => Confidence::Likely,
    };
    if confidence == Confidence::Possible {
        notes
            .push("few keys are common to all documents: such a match is only possible".to_owned());
    }
    let level = |own: Vec<String>| {
        let own = own.into_iter().filter(|key| !common.contains(key));
        LevelForm {
            confidence: name(confidence.as_str()),
            all: own.map(|key| present(&key)).collect(),
            any: Vec::new(),
            none: Vec::new(),
            least: 0,
            of: Vec::new(),
        }
    };
    let mut levels = vec![level(shape.common(&[], failures))];
    if shape.outcome != OutcomeFrom::Failure && !successes.is_empty() {
        levels.push(level(shape.common(successes, &[])));
    }
    DetectForm { all, none: Vec::new(), never: Vec::new(), levels, shapes: Vec::new() }
}

/// The runs as examples, each with what the proposal makes of it.
fn examples(
    text: &str,
    samples: &[Sample],
    notes: &mut Vec<String>,
) -> Vec<toml::Spanned<ExampleForm>> {
    let Ok(dialect) = super::load(text) else { return Vec::new() };
    let mut list = Vec::new();
    for sample in samples {
        let transcript = &sample.transcript;
        let is_short = transcript.stdout.len() + transcript.stderr.len() <= LONGEST;
        let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec());
        let (Ok(stdout), Ok(stderr)) = (text(&transcript.stdout), text(&transcript.stderr)) else {
            continue;
        };
        if list.len() == EXAMPLES || !is_short {
            continue;
        }
        let options = Options { dialect: Some(dialect), ..Options::default() };
        let opened = open(transcript, &options).ok().filter(|it| it.envelope.ok() == sample.ok);
        if opened.is_none() {
            notes.push(format!("{} is not read as it ended: look at its example", sample.run));
        }
        let envelope = opened.as_ref().map(|opened| &opened.envelope);
        let error = envelope.and_then(|envelope| envelope.error());
        list.push(spanned(ExampleForm {
            name: sample.run.clone(),
            stdout,
            stderr,
            exit_code: transcript.status.code(),
            ok: sample.ok,
            class: envelope.filter(|it| !it.ok()).map(|it| name(it.exit().name())),
            code: error.map(|error| error.code.clone()),
            message: error.map(|error| error.message.clone()),
            data: None,
        }));
    }
    list
}

/// A key of the proposal.
pub(super) fn key(path: &str, field: &str, of: &str, required: bool, on: &str) -> KeyForm {
    KeyForm {
        path: name(path),
        field: (field != "none").then(|| name(field)),
        of: (!of.is_empty()).then(|| name(of)),
        constant: Vec::new(),
        one_of: Vec::new(),
        success: Vec::new(),
        failure: Vec::new(),
        required,
        required_if: Vec::new(),
        on: (on != "both").then(|| name(on)),
        null: None,
        empty_is_absent: false,
        role: None,
        rest: None,
        doc: String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect_file::{Weight, check};

    fn run(stdout: &str, status: i32) -> (String, Transcript) {
        let transcript = Transcript::from_stdout(stdout.as_bytes(), Status::Exited(status));
        (format!("run-{}-{status}", stdout.len()), transcript)
    }

    /// The proposal, which reads every run that it was made from.
    fn proposed(runs: &[(String, Transcript)]) -> Inferred {
        let inferred = infer("acme/1", runs).expect("a proposal");
        let (file, findings) = check(&inferred.text);
        let mistakes: Vec<_> =
            findings.iter().filter(|finding| finding.weight == Weight::Mistake).collect();
        assert!(mistakes.is_empty(), "{mistakes:#?}\n{}", inferred.text);
        let dialect = file.expect("a dialect").dialect;
        for (name, transcript) in runs {
            let options = Options { dialect: Some(dialect), ..Options::default() };
            let opened = open(transcript, &options).expect(name);
            assert_eq!(opened.envelope.ok(), transcript.status == Status::Exited(0), "{name}");
        }
        inferred
    }

    #[test]
    fn an_outcome_may_be_a_flag_a_text_or_a_number() {
        for [ok, failed] in [
            [
                r#"{"good":true,"payload":[1]}"#,
                r#"{"good":false,"err":{"code":"E_GONE","message":"it is gone"}}"#,
            ],
            [
                r#"{"state":"done","payload":[1]}"#,
                r#"{"state":"broken","code":"E_GONE","msg":"it is gone"}"#,
            ],
            [r#"{"rc":0,"payload":[1]}"#, r#"{"rc":4,"code":"E_GONE","msg":"it is gone"}"#],
            [
                r#"{"payload":[1],"error":null}"#,
                r#"{"payload":null,"error":{"kind":"gone","message":"it is gone"}}"#,
            ],
            // A number, a text and a list that all documents have, and that mean nothing.
            [
                r#"{"v":3,"at":"one","tags":[],"state":"done","payload":{"x":1}}"#,
                r#"{"v":4,"at":"two","tags":[1],"state":"failed","fault":{"code":"E_GONE","message":"it is gone"}}"#,
            ],
        ] {
            let inferred = proposed(&[run(ok, 0), run(failed, 4)]);
            assert!(inferred.text.contains("error.message"), "{}", inferred.text);
            assert!(inferred.text.contains("error.code"), "{}", inferred.text);
            assert!(inferred.text.contains("message = \"it is gone\""), "{}", inferred.text);
        }
    }

    #[test]
    fn a_success_may_be_bare() {
        let failed = r#"{"error":{"kind":"not_found","message":"no such thing"}}"#;
        let inferred =
            proposed(&[run("{\"id\":1}", 0), run("{\"name\":\"x\"}", 0), run(failed, 1)]);
        assert!(inferred.text.contains("outcome = \"failure\""), "{}", inferred.text);
        assert!(inferred.text.contains("NOT_FOUND = [\"not_found\"]"), "{}", inferred.text);
    }

    #[test]
    fn a_constant_is_a_mark_of_its_own() {
        let inferred = proposed(&[
            run(r#"{"v":"acme.2","ok":true,"data":{}}"#, 0),
            run(r#"{"v":"acme.2","ok":false,"error":"E_TIMEOUT","message":"took too long"}"#, 7),
        ]);
        assert!(inferred.text.contains("const = [\"acme.2\"]"), "{}", inferred.text);
        assert!(inferred.text.contains("confidence = \"certain\""), "{}", inferred.text);
        assert!(inferred.text.contains("class = \"TIMEOUT\""), "{}", inferred.text);
    }

    #[test]
    fn without_a_failure_there_is_no_proposal() {
        assert_eq!(infer("a/1", &[run("{}", 0)]).err(), Some(InferError::NoFailure));
    }
}
