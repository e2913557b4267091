//! What a run says, whatever its dialect: the documents and the text on each stream, and the outcome
//! that the answer claims. Where the core knows the dialect its word counts; else the usual names do.

use manila::ansi::{self, Stripped};
use manila::json::{Facts, Flaw, Kind, Limits, Member, Reader, Value};
use manila::segment::{Placement, Segment, SegmentKind, Segmenter};
use manila::{Confidence, Dialect, Opened, Options, Stream, Transcript};
use std::ops::Range;

/// Everything that a run says.
#[derive(Clone, Debug)]
pub struct Reading {
    /// What is on stdout.
    pub stdout: Content,
    /// What is on stderr.
    pub stderr: Content,
    /// The envelope, where the core finds one.
    pub opened: Option<Opened>,
    /// The answer, where there is one: the envelope, or else the only document there is.
    pub answer: Option<Answer>,
}

/// What is on a stream, in its order.
#[derive(Clone, Debug, Default)]
pub struct Content {
    /// The JSON documents: objects, arrays, or a plain value that is alone.
    pub documents: Vec<Range<usize>>,
    /// What is no JSON, without the blanks around it.
    pub text: Vec<Range<usize>>,
    /// A document that begins and is not JSON to its end, and where it goes wrong.
    pub broken: Option<(Range<usize>, Flaw)>,
    /// Whether there is nothing but blanks.
    pub is_empty: bool,
    /// What is odd about the first document.
    pub facts: Facts,
}

impl Content {
    /// Whether it is one JSON document and nothing else.
    pub(crate) fn is_one_document(&self) -> bool {
        self.documents.len() == 1 && self.text.is_empty() && self.broken.is_none()
    }
}

/// What an answer says about its own outcome.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Where it stands.
    pub stream: Stream,
    /// Its bytes.
    pub span: Range<usize>,
    /// Success or failure, if it says so anywhere.
    pub ok: Option<bool>,
    /// The key that says so, and its bytes.
    pub ok_by: Option<(String, Range<usize>)>,
    /// Whether it carries an error that is more than null or nothing, and its bytes.
    pub error: Option<Range<usize>>,
    /// The error's code.
    pub code: Option<TextAt>,
    /// The error's message.
    pub message: Option<TextAt>,
    /// The exit status that it names.
    pub exit_code: Option<(i64, Range<usize>)>,
    /// The keys of the top, in their order.
    pub keys: Vec<String>,
    /// The keys of the error, if that is an object.
    pub error_keys: Vec<String>,
    /// The payload: `data`, `result` or, without an envelope, all of it.
    pub data: Option<Range<usize>>,
}

/// A text in a document, and its bytes.
pub(crate) type TextAt = (String, Range<usize>);

/// The keys that state an outcome by true and false.
const OUTCOMES: &[(&str, bool)] = &[
    ("ok", true),
    ("success", true),
    ("succeeded", true),
    ("is_error", false),
    ("isError", false),
    ("failed", false),
];
/// The words that state one, in a key such as `status` or `kind`.
const FAILED: &[&str] = &["error", "fail", "failed", "failure"];
const SUCCEEDED: &[&str] = &["ok", "success", "succeeded"];
const ERRORS: &[&str] = &["error", "errors"];
const CODES: &[&str] = &["code", "kind", "error_code", "errorCode", "name", "type", "reason"];
const MESSAGES: &[&str] = &["message", "msg", "detail", "title", "summary", "error"];
const EXITS: &[&str] = &["exit_code", "exitCode", "exit", "exit_status"];
/// The keys of payloads, the likeliest first.
pub(crate) const PAYLOADS: &[&str] = &["data", "result", "results", "payload"];

impl Reading {
    /// Reads both streams.
    pub fn of(transcript: &Transcript) -> Reading {
        let stripped = [&transcript.stdout, &transcript.stderr].map(|bytes| ansi::strip(bytes));
        let [stdout, stderr] = stripped.each_ref().map(content);
        let opened = manila::open(transcript, &Options::default()).ok();
        let sure = opened.as_ref().filter(|it| it.detection.confidence > Confidence::Possible);
        let place = match sure {
            Some(opened) => Some((opened.detection.stream, opened.detection.span.clone())),
            None => {
                alone(&stdout, Stream::Stdout).or_else(|| last(&stderr, Stream::Stderr, transcript))
            }
        };
        let answer = place.and_then(|(stream, span)| {
            let mut reader = Reader::new(Limits::default());
            let stripped = &stripped[usize::from(stream == Stream::Stderr)];
            let document = reader.read_at(stripped.bytes(), stripped.kept(span.start)).ok()?;
            let mut answer = answer(stream, document.span(), document.root());
            answer.relocate(|span| *span = stripped.original_span(span.clone()));
            Some(answer)
        });
        Reading { stdout, stderr, opened, answer }
    }

    /// What is on that stream.
    pub fn on(&self, stream: Stream) -> &Content {
        match stream {
            Stream::Stdout => &self.stdout,
            Stream::Stderr => &self.stderr,
        }
    }

    /// The dialect of the envelope, if it is more than a guess.
    pub fn dialect(&self) -> Option<&'static dyn Dialect> {
        let opened = self.opened.as_ref()?;
        (opened.detection.confidence > Confidence::Possible).then_some(opened.detection.dialect)
    }

    /// Whether the answer says that it failed, in any of the ways there are: the core's where it knows
    /// the dialect, else a key that says so, else an error.
    pub fn says_failure(&self) -> Option<bool> {
        let answer = self.answer.as_ref()?;
        match answer.ok {
            Some(ok) => Some(!ok),
            None if answer.error.is_some() => Some(true),
            None => self.dialect().and(self.opened.as_ref()).map(|opened| !opened.envelope.ok()),
        }
    }
}

/// The last document of a stream on which more than one may stand.
fn alone(content: &Content, stream: Stream) -> Option<(Stream, Range<usize>)> {
    content.documents.last().map(|span| (stream, span.clone()))
}

/// A document at the end of stderr, where some programs write failures.
fn last(
    content: &Content,
    stream: Stream,
    transcript: &Transcript,
) -> Option<(Stream, Range<usize>)> {
    let span = content.documents.last()?;
    // A list among text may be part of a message; alone it is an answer on the wrong stream.
    let is_answer = match transcript.stream(stream).get(span.start) {
        Some(b'{') => true,
        Some(b'[') => content.is_one_document(),
        _ => false,
    };
    is_answer.then(|| (stream, span.clone()))
}

/// Whether nothing, not even a space, comes before this place on its line.
pub(crate) fn begins_line(bytes: &[u8], at: usize) -> bool {
    at == 0 || bytes.get(at - 1) == Some(&b'\n')
}

/// What is on a stream, terminal escapes included.
pub(crate) fn stream(bytes: &[u8]) -> Content {
    content(&ansi::strip(bytes))
}

/// The segments of a stream as the rules see them: a document amid a line of text is part of the text.
fn content(stripped: &Stripped<'_>) -> Content {
    let mut reader = Reader::new(Limits::default());
    let mut segments = Segmenter::new(stripped, &mut reader);
    let mut content = Content { is_empty: segments.extent().is_empty(), ..Content::default() };
    let mut follows_text = false;
    while let Some(Segment { kind, span }) = segments.next() {
        match kind {
            SegmentKind::ByteOrderMark | SegmentKind::Escape => continue,
            SegmentKind::Document(Placement::Line) => {
                if content.documents.is_empty() {
                    content.facts = segments.facts().unwrap_or_default();
                }
                content.documents.push(span);
            }
            SegmentKind::Broken(Placement::Line, flaw) => {
                content.broken.get_or_insert((span, flaw));
            }
            SegmentKind::Document(Placement::Inline)
            | SegmentKind::Broken(Placement::Inline, _)
            | SegmentKind::Text => {
                match content.text.last_mut().filter(|_| follows_text) {
                    Some(last) => last.end = span.end,
                    None => content.text.push(span),
                }
                follows_text = true;
                continue;
            }
        }
        follows_text = false;
    }
    content
}

impl Answer {
    /// Changes every place in it.
    fn relocate(&mut self, change: impl Fn(&mut Range<usize>)) {
        change(&mut self.span);
        let texts = [&mut self.ok_by, &mut self.code, &mut self.message].into_iter().flatten();
        let spans = texts.map(|(_, span)| span);
        let number = self.exit_code.iter_mut().map(|(_, span)| span);
        let others = [&mut self.error, &mut self.data].into_iter().flatten();
        spans.chain(number).chain(others).for_each(change);
    }
}

fn answer(stream: Stream, span: Range<usize>, root: Value<'_>) -> Answer {
    let members: Vec<Member<'_>> = root.members().collect();
    let get = |names: &[&'static str]| {
        names.iter().find_map(|name| {
            members.iter().rfind(|member| member.is(name)).map(|member| (*name, member.value))
        })
    };
    let mut answer = Answer {
        stream,
        span: span.clone(),
        ok: None,
        ok_by: None,
        error: None,
        code: None,
        message: None,
        exit_code: None,
        keys: members.iter().map(|member| member.key().into_owned()).collect(),
        error_keys: Vec::new(),
        data: None,
    };
    for (name, means) in OUTCOMES {
        if let Some((_, value)) = get(&[name])
            && let Some(says) = value.bool()
        {
            answer.ok = Some(says == *means);
            answer.ok_by = Some(((*name).to_owned(), value.span()));
            break;
        }
    }
    if answer.ok.is_none()
        && let Some((name, value)) = get(&["status", "outcome"])
        && let Some(word) = value.string()
    {
        let word = word.to_ascii_lowercase();
        let ok = SUCCEEDED.contains(&word.as_str());
        if ok || FAILED.contains(&word.as_str()) {
            answer.ok = Some(ok);
            answer.ok_by = Some((name.to_owned(), value.span()));
        }
    }
    if answer.ok.is_none()
        && let Some((_, value)) = get(&["status"])
        && let Some((status, span)) = number(value)
    {
        // As Salesforce has it: 0 beside a result, and of a failure the exit status. Any other number
        // may be one of HTTP.
        let is_exit = get(&["exitCode"]).and_then(|(_, it)| number(it)).map(|it| it.0);
        if status == 0 && get(&["result"]).is_some() && is_exit.is_none() {
            answer.ok = Some(true);
        } else if status != 0 && is_exit == Some(status) && get(&["message"]).is_some() {
            answer.ok = Some(false);
        }
        answer.ok_by = answer.ok.map(|_| ("status".to_owned(), span));
    }
    if let Some((_, error)) = get(ERRORS) {
        let is_nothing = match error.kind() {
            Kind::Null => true,
            Kind::Array => error.elements().next().is_none(),
            Kind::String => error.string().is_some_and(|text| text.is_empty()),
            Kind::Bool => error.bool() == Some(false),
            _ => false,
        };
        if !is_nothing {
            answer.error = Some(error.span());
        }
        answer.error_keys = error.members().map(|member| member.key().into_owned()).collect();
        let within: Vec<Member<'_>> = error.members().collect();
        let inner = |names: &[&str]| {
            names.iter().find_map(|name| within.iter().rfind(|it| it.is(name)).map(|it| it.value))
        };
        answer.code = inner(CODES).and_then(text_at);
        answer.message = match error.kind() {
            Kind::String => text_at(error),
            _ => inner(MESSAGES).and_then(text_at),
        };
        answer.exit_code = inner(EXITS).and_then(number);
    }
    let has_failed = answer.ok == Some(false);
    if answer.code.is_none() && (has_failed || answer.error.is_some()) {
        answer.code =
            get(&["code", "error_code", "errorCode", "kind"]).and_then(|(_, value)| text_at(value));
    }
    if answer.message.is_none() && has_failed {
        answer.message =
            get(&["message", "msg", "detail", "error"]).and_then(|(_, value)| text_at(value));
    }
    if answer.exit_code.is_none() {
        answer.exit_code = get(EXITS).and_then(|(_, value)| number(value)).or_else(|| {
            let (_, meta) = get(&["meta"])?;
            let mut members = meta.members();
            members
                .find(|member| EXITS.iter().any(|name| member.is(name)))
                .and_then(|member| number(member.value))
        });
    }
    answer.data = match get(PAYLOADS) {
        Some((_, value)) => Some(value.span()),
        None if answer.ok.is_none() && answer.error.is_none() => Some(span),
        None => None,
    };
    answer
}

/// A text, or a number that stands for one.
fn text_at(value: Value<'_>) -> Option<TextAt> {
    match value.kind() {
        Kind::String => value.string().map(|text| (text.into_owned(), value.span())),
        Kind::Number => Some((value.text().to_owned(), value.span())),
        _ => None,
    }
}

fn number(value: Value<'_>) -> Option<(i64, Range<usize>)> {
    value.integer().map(|number| (number, value.span()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use manila::Status;

    fn read(stdout: &str) -> Reading {
        Reading::of(&Transcript::from_stdout(stdout, Status::Exited(0)))
    }

    #[test]
    fn documents_and_text_are_distinguished() {
        let reading = read("Loading\n{\"a\":1}\n[info] done\n{\"b\":2}");
        assert_eq!(reading.stdout.documents, [8..15, 28..35]);
        assert_eq!(reading.stdout.text, [0..7, 16..27]);
    }

    #[test]
    fn a_document_behind_text_on_its_line_is_one() {
        let reading = read("Sure? [y/N] {\"ok\":true}\n");
        assert_eq!(
            (&reading.stdout.text[..], &reading.stdout.documents[..]),
            (std::slice::from_ref(&(0..11)), std::slice::from_ref(&(12..23)))
        );
        assert!(read("see {\"a\":1} there\n").stdout.documents.is_empty());
    }

    #[test]
    fn colour_does_not_hide_a_document() {
        let reading = read("\u{1b}]11;?\u{7}{\u{1b}[34m\"ok\"\u{1b}[0m:false}\u{1b}[K\n\u{1b}");
        assert_eq!(reading.stdout.documents.first(), Some(&(7..28)));
        assert_eq!(reading.says_failure(), Some(true));
        assert!(read("\u{feff}{}\n").stdout.is_one_document());
        assert_eq!(read("Loading 10%\r{}\n").stdout.documents.len(), 1);
    }

    #[test]
    fn a_plain_value_alone_is_a_document() {
        assert!(read("42\n").stdout.is_one_document());
        assert!(read("\"text\"").stdout.is_one_document());
        assert!(!read("text").stdout.is_one_document());
        assert!(read(" \n").stdout.is_empty);
    }

    #[test]
    fn a_broken_document_is_not_text() {
        let reading = read("{\"a\":NaN}\n");
        let (span, flaw) = reading.stdout.broken.expect("it is broken");
        assert_eq!((span, flaw.offset), (0..9, 5));
        assert!(reading.stdout.text.is_empty());
    }

    #[test]
    fn outcomes_are_read_in_any_dialect() {
        assert_eq!(read(r#"{"success":false,"error":{"code":"X"}}"#).says_failure(), Some(true));
        assert_eq!(
            read(r#"{"error":{"kind":"not_found","message":"m"}}"#).says_failure(),
            Some(true)
        );
        assert_eq!(read(r#"{"items":[]}"#).says_failure(), None);
        assert_eq!(read(r#"{"status":"success","data":{}}"#).says_failure(), Some(false));
        assert_eq!(read(r#"{"status":0,"result":[]}"#).says_failure(), Some(false));
        let failed = r#"{"status":2,"name":"Usage","message":"m","exitCode":2}"#;
        assert_eq!(read(failed).says_failure(), Some(true));
        assert_eq!(read(r#"{"status":200,"result":[]}"#).says_failure(), None);
        assert_eq!(read(r#"{"status":3,"message":"m"}"#).says_failure(), None);
    }
}
