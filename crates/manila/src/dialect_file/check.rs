//! What is wrong with the file of a dialect: its declaration, and how it reads its own examples.

use super::{DialectFile, Example, parse};
use crate::convert::convert;
use crate::detect::Options;
use crate::dialect::{DIALECTS, Dialect};
use crate::envelope::{Envelope, ErrorObject};
use crate::exit::Exit;
use crate::json::{FactKind, Limits, Raw, Reader};
use crate::open::{Opened, open};
use crate::table::{Confidence, Defaults, Field, Is, OutcomeFrom, Test, holds};
use crate::transcript::{Status, Stream, Transcript};

/// How much a finding matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Weight {
    /// The dialect works; something about it is worth knowing.
    Note,
    /// The file must be corrected.
    Mistake,
}

/// Something about the file of a dialect.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// How much it matters.
    pub weight: Weight,
    /// The line, from 1.
    pub line: usize,
    /// The example, if it is about one.
    pub example: Option<String>,
    /// What is wrong.
    pub message: String,
    /// What to write.
    pub hint: String,
}

/// Checks the text of a file. A text that is not a dialect has one finding, about the first error
/// in it.
pub fn check(text: &str) -> (Option<DialectFile>, Vec<Finding>) {
    let file = match parse(text) {
        Ok(file) => file,
        Err(error) => {
            let hint = error.hint.unwrap_or_else(|| "docs/dialects.md has the format".to_owned());
            let message = error.message;
            let (weight, line) = (Weight::Mistake, error.line);
            return (None, vec![Finding { weight, line, example: None, message, hint }]);
        }
    };
    let mut findings = Findings { list: Vec::new(), line: file.detect_line, example: None };
    declaration(&file, &mut findings);
    round_trips(file.dialect, &mut findings);
    for example in &file.examples {
        findings.line = example.line;
        findings.example = Some(example.name.clone());
        judge(file.dialect, example, &mut findings);
    }
    let mut list = findings.list;
    list.sort_by_key(|finding| finding.line);
    (Some(file), list)
}

struct Findings {
    list: Vec<Finding>,
    line: usize,
    example: Option<String>,
}

impl Findings {
    fn add(&mut self, weight: Weight, message: impl Into<String>, hint: impl Into<String>) {
        let (line, example) = (self.line, self.example.clone());
        self.list.push(Finding {
            weight,
            line,
            example,
            message: message.into(),
            hint: hint.into(),
        });
    }

    fn mistake(&mut self, message: impl Into<String>, hint: impl Into<String>) {
        self.add(Weight::Mistake, message, hint);
    }

    fn note(&mut self, message: impl Into<String>, hint: impl Into<String>) {
        self.add(Weight::Note, message, hint);
    }
}

/// What can be said of the tables alone.
fn declaration(file: &DialectFile, findings: &mut Findings) {
    let table = file.dialect.table();
    if DIALECTS.iter().any(|built_in| built_in.id() == table.id) {
        let message = format!("{} is a built-in dialect", table.id);
        let detect = std::mem::replace(&mut findings.line, file.id_line);
        findings.mistake(message, "give yours another name or revision: `id = \"acme/1\"`");
        findings.line = detect;
    }
    let marks = &table.marks;
    let says_something = |test: &&Test| test.is != Is::Absent || test.not;
    let is_open = |level: &crate::table::Level| {
        level.all.iter().chain(level.any).find(says_something).is_none() && level.least == 0
    };
    if marks.all.iter().find(says_something).is_none() && marks.levels.iter().any(is_open) {
        findings.mistake(
            "every JSON object is recognised as this dialect",
            "name keys that its documents have: `all = [{ path = \"status\", is = \"text\" }]`",
        );
    }
    let has = |field| table.all_keys().any(|key| key.field == field);
    if !has(Field::Message) && !has(Field::IssueMessage) {
        findings.note(
            "no key has the field `error.message`: the message of a failure is lost",
            "give the key with the text for people `field = \"error.message\"`",
        );
    }
    if !has(Field::Data) && table.rest != crate::table::Rest::Payload {
        findings.note(
            "no key has the field `data`: the payload of a success is lost",
            "give a key `field = \"data\"`, or write `rest = \"payload\"` if it stands at the top",
        );
    }
    let is_bare = table.outcome == OutcomeFrom::Failure;
    let has_example = |ok: bool| file.examples.iter().any(|example| example.ok == ok);
    let hint = "write `[[example]]` with `name`, `stdout` or `stderr`, `exit_code` and `ok`";
    if !has_example(true) && !is_bare {
        findings.mistake("no example is a success", hint);
    }
    if !has_example(false) {
        findings.mistake("no example is a failure", hint);
    }
}

/// What the dialect writes must mean the same when it is read.
fn round_trips(dialect: &'static dyn Dialect, findings: &mut Findings) {
    let is_bare = dialect.table().outcome == OutcomeFrom::Failure;
    let data = Raw::parse("{\"n\":1}").unwrap_or_else(|_| Raw::null());
    let success = Envelope::success(data);
    let failure = Envelope::failure(Exit::General, ErrorObject::new("E_EXAMPLE", "an example"));
    for envelope in [&success, &failure] {
        if envelope.ok() && is_bare {
            continue;
        }
        let word = if envelope.ok() { "success" } else { "failure" };
        let Ok(conversion) = convert(envelope, dialect, &Defaults::default()) else {
            let message = format!("a {word} that is written in this dialect cannot be read");
            findings.mistake(message, "compare [detect] with the keys that are required");
            continue;
        };
        let written = conversion.written;
        let mut transcript = Transcript::default();
        match written.stream {
            Stream::Stdout => transcript.stdout = written.document,
            Stream::Stderr => transcript.stderr = written.document,
        }
        let options = Options { dialect: Some(dialect), ..Options::default() };
        let read = open(&transcript, &options);
        if read.as_ref().is_ok_and(|read| read.envelope.ok() != envelope.ok()) {
            let message = format!("a {word} that is written in this dialect reads as its opposite");
            findings.mistake(message, "a key must tell success from failure: see `outcome`");
        } else if let Some(test) =
            read.ok().and_then(|read| unrecognised(dialect, &read, &transcript))
        {
            let message =
                format!("a {word} that is written in this dialect is not recognised: {test}");
            findings.mistake(message, "require that key, or weaken [detect]");
        }
    }
}

/// The first mark that a document lacks.
fn unrecognised(dialect: &dyn Dialect, opened: &Opened, transcript: &Transcript) -> Option<String> {
    let bytes = transcript.stream(opened.detection.stream);
    let mut reader = Reader::new(Limits::default());
    let document = reader.read_at(bytes, opened.detection.span.start).ok()?;
    if dialect.detect(&document).is_some() {
        return None;
    }
    let marks = &dialect.table().marks;
    let lacks = |tests: &[Test]| tests.iter().find(|test| !holds(test, &document)).copied();
    let foreign = marks.never.iter().find(|key| document.get(key).is_some());
    Some(match (foreign, lacks(marks.all)) {
        (Some(key), _) => format!("it has the key `{key}`, which `never` excludes"),
        (None, Some(test)) => describe(&test),
        (None, None) => {
            let of_level = marks.levels.iter().find_map(|level| lacks(level.all));
            of_level.map_or_else(|| "no level holds".to_owned(), |test| describe(&test))
        }
    })
}

/// Which condition does not hold.
fn describe(test: &Test) -> String {
    let path = test.path;
    match (test.is, test.not) {
        (Is::Matches(patterns), false) => {
            format!("`{path}` matches none of {}", patterns.join(", "))
        }
        (Is::Matches(patterns), true) => format!("`{path}` matches one of {}", patterns.join(", ")),
        (is, false) => format!("`{path}` is not `{}`", is.as_str()),
        (is, true) => format!("`{path}` is `{}`", is.as_str()),
    }
}

/// How an example is read, with its dialect named and without.
fn judge(dialect: &'static dyn Dialect, example: &Example, findings: &mut Findings) {
    let options = Options { dialect: Some(dialect), ..Options::default() };
    let opened = match open(&example.transcript, &options) {
        Ok(opened) => opened,
        Err(error) => {
            let hint = "write the bytes of one answer to `stdout` or `stderr`";
            return findings.mistake(format!("it cannot be read: {error}"), hint);
        }
    };
    if let Some(why) =
        unrecognised(dialect, &opened, &example.transcript).filter(|_| !opened.detection.is_bare())
    {
        let hint = "make [detect] hold for every document of the dialect";
        return findings.mistake(format!("[detect] does not recognise it: {why}"), hint);
    }
    expected(&opened, example, findings);
    for fact in &opened.facts {
        let subject = fact.subject.as_deref().unwrap_or_default();
        let (message, hint) = match fact.kind {
            FactKind::MissingField => (
                format!("it lacks `{subject}`, which the declaration requires"),
                "leave `required` out, or say `on` which outcome the key is there",
            ),
            FactKind::NullOutOfPlace => (
                format!("`{subject}` is null, which the declaration finds odd"),
                "write `null = \"absent\"`, or `\"nothing\"` if it is written where nothing is said",
            ),
            FactKind::UnexpectedValue => (
                format!("`{subject}` has another type than the declaration says"),
                "correct `type`",
            ),
            FactKind::UnknownKey => {
                (format!("no [[key]] names `{subject}`"), "add the key, or write `rest = \"kept\"`")
            }
            FactKind::WrongStream => (
                "it stands on another stream than the declaration says".to_owned(),
                "write `stream` in [success] and [failure]",
            ),
            _ => continue,
        };
        findings.mistake(message, hint);
    }
    shared(dialect, &opened, example, findings);
}

/// Compares what was read with what the example says it means.
fn expected(opened: &Opened, example: &Example, findings: &mut Findings) {
    let envelope = &opened.envelope;
    let mut differs = |what: &str, is: Option<String>, meant: Option<String>| {
        if let Some(meant) = meant.filter(|meant| is.as_ref() != Some(meant)) {
            let is = is.map_or_else(|| "none".to_owned(), |is| format!("`{is}`"));
            findings.mistake(
                format!("its {what} reads as {is} and should be `{meant}`"),
                "correct the [[key]] that holds it, [codes] or [exits], or the example",
            );
        }
    };
    let word = |ok: bool| Some(if ok { "success" } else { "failure" }.to_owned());
    differs("outcome", word(envelope.ok()), word(example.ok));
    if envelope.ok() != example.ok {
        return;
    }
    let name = |exit: Exit| exit.name().to_owned();
    differs("class", Some(name(envelope.exit())), example.class.map(name));
    let error = envelope.error();
    differs("code", error.map(|error| error.code.clone()), example.code.clone());
    differs("message", error.map(|error| error.message.clone()), example.message.clone());
    let data = envelope.content().data.as_ref();
    if let Some(meant) = example.data.as_ref().filter(|meant| data != Some(*meant)) {
        let is = data.map(|data| data.as_str().to_owned());
        differs("data", is, Some(meant.as_str().to_owned()));
    }
}

/// Which other dialects have the marks of an example as surely.
fn shared(
    dialect: &'static dyn Dialect,
    opened: &Opened,
    example: &Example,
    findings: &mut Findings,
) {
    let bytes = example.transcript.stream(opened.detection.stream);
    let mut reader = Reader::new(Limits::default());
    let Ok(document) = reader.read_at(bytes, opened.detection.span.start) else { return };
    let Some(own) = dialect.detect(&document) else { return };
    let others: Vec<&str> = DIALECTS
        .iter()
        .filter(|other| other.id() != dialect.id())
        .filter(|other| {
            other.detect(&document).is_some_and(|found| found.confidence >= own.confidence)
        })
        .map(|other| other.id())
        .collect();
    if !others.is_empty() && own.confidence > Confidence::Possible {
        let message =
            format!("it has the marks of {} too: each is only possible", others.join(", "));
        findings.note(message, "name a mark of your own in [detect], or call with --dialect");
    }
    if example.transcript.status == Status::Unknown {
        findings.note("it does not say how the process ended", "write `exit_code`");
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dialect_file::save;

    const ACME: &str = include_str!("../../../../docs/examples/acme.toml");

    fn mistakes(text: &str) -> Vec<(usize, String)> {
        let list = check(text).1.into_iter().filter(|it| it.weight == Weight::Mistake);
        list.map(|it| (it.line, it.message)).collect()
    }

    #[test]
    fn the_example_of_the_guide_has_no_finding() {
        let (file, findings) = check(ACME);
        assert_eq!(findings, []);
        assert!(file.is_some_and(|file| file.examples.len() >= 3));
    }

    #[test]
    fn each_mistake_is_found_on_its_line() {
        for (old, new, message) in [
            ("id = \"acme/1\"", "id = \"td/1\"", "td/1 is a built-in dialect"),
            ("failure = [\"fail\"]", "failure = [\"failed\"]", "is not recognised"),
            ("field = \"error.code\"", "field = \"extra\"", "its code reads as"),
            ("field = \"error.message\"", "field = \"extra\"", "its message reads as"),
            ("field = \"data\"", "field = \"extra\"", "its data reads as"),
            ("NOT_FOUND = [\"E_MISSING\"]", "CONFLICT = [\"E_MISSING\"]", "its class reads as"),
            ("matches = [\"ok\", \"fail\"]", "matches = [\"ok\"]", "[detect] does not recognise"),
            ("ok = false", "ok = true", "its outcome reads as"),
            ("status = 0, class = \"SUCCESS\"", "status = 9, class = \"CONFLICT\"", "status 0"),
        ] {
            assert!(ACME.contains(old), "{old}");
            let found = mistakes(&ACME.replacen(old, new, 1));
            assert!(found.iter().any(|(_, it)| it.contains(message)), "{new}: {found:?}");
            if message.contains("built-in") {
                assert_eq!(found[0].0, 2, "{found:?}");
            }
            let lines = ACME.lines().count();
            assert!(found.iter().all(|(line, _)| (1..=lines).contains(line)), "{found:?}");
        }
    }

    #[test]
    fn a_file_without_examples_is_not_done() {
        let text = save(crate::known::dialect("td/1").expect("a dialect").table());
        let found = mistakes(&text.replace("td/1", "mine/1"));
        assert_eq!(found.len(), 2, "{found:?}");
    }
}
