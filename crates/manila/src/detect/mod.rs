//! Finds the envelope in a transcript: which dialect, on which stream, at which bytes, amid what.
//!
//! It is a view of the segments of both streams.

mod scan;

use crate::ansi::{self, Stripped};
use crate::dialect::Dialect;
use crate::error::{Error, ErrorKind};
use crate::json::{FactKind, Facts, FlawKind, Limits, Reader};
use crate::mark::{FailureMark, StatedFailure};
use crate::table::Confidence;
use crate::transcript::{Status, Stream, Transcript};
use scan::{Candidate, Scan, scan};
use std::ops::Range;

/// How to read.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// How much a document may ask for.
    pub limits: Limits,
    /// The dialect, if the caller knows it.
    pub dialect: Option<&'static dyn Dialect>,
    /// Which dialects are looked for beside it.
    pub scope: Scope,
}

/// Which dialects are looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// Every one that is known.
    #[default]
    Every,
    /// Only the one that the caller names, because nothing is made of what else it could be.
    Named,
}

/// What is on a stream beside the envelope.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoiseKind {
    /// Bytes that are not JSON.
    Text,
    /// One or more JSON documents that are not the envelope.
    Json,
    /// A document that stops before its end.
    Truncated,
    /// Terminal escapes that touch no text.
    Escape,
}

impl NoiseKind {
    /// Its name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            NoiseKind::Text => "text",
            NoiseKind::Json => "json",
            NoiseKind::Truncated => "truncated",
            NoiseKind::Escape => "escape",
        }
    }
}

/// A stretch of bytes beside the envelope.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Noise {
    /// On which stream.
    pub stream: Stream,
    /// What it is.
    pub kind: NoiseKind,
    /// Its bytes.
    pub span: Range<usize>,
}

/// Where an envelope is and what it is.
///
/// ```
/// use manila::{Options, Status, Transcript, detect};
///
/// let noisy = b"warming up\n{\"ok\":true,\"type\":\"task\",\"data\":{\"id\":7}}\n";
/// let detection = detect(&Transcript::from_stdout(*noisy, Status::Exited(0)), &Options::default())?;
/// assert_eq!(detection.dialect.id(), "td/1");
/// assert_eq!(detection.noise.len(), 1);
/// # Ok::<(), manila::Error>(())
/// ```
#[expect(clippy::struct_excessive_bools, reason = "each is a thing that is so or not")]
#[derive(Clone, Debug)]
pub struct Detection {
    /// Its dialect.
    pub dialect: &'static dyn Dialect,
    /// Which of the shapes that the dialect reads.
    pub shape: &'static str,
    /// How sure the match is.
    pub confidence: Confidence,
    /// The dialects it could also be, the likeliest first.
    pub others: Vec<(&'static str, Confidence)>,
    /// The stream that it is on.
    pub stream: Stream,
    /// Its bytes.
    pub span: Range<usize>,
    /// Everything else that either stream holds.
    pub noise: Vec<Noise>,
    /// What is odd about the stream.
    pub facts: Facts,
    /// Whether the caller named the dialect.
    pub forced: bool,
    /// Whether the answer is not of one mind: another envelope claims another outcome, several
    /// documents are only guesses, or one on the stream is cut.
    pub contested: bool,
    /// Whether a document after it on its stream states a failure, although it does not.
    pub denied: bool,
    /// What states outright that it failed, whether or not its dialect has that for it.
    pub mark: Option<FailureMark>,
    /// Whether it may be a record of a log: it is only possible, one of several documents, and states its
    /// failure as records of logs do.
    pub is_record: bool,
}

/// The name of the shape of data without an envelope.
const BARE: &str = "data without an envelope";

/// The name of the shape of a document that nothing but the caller's word makes one of its dialect.
const AS_NAMED: &str = "as named";

impl Detection {
    /// Whether it is data without an envelope.
    pub(crate) fn is_bare(&self) -> bool {
        self.shape == BARE
    }

    /// Whether nothing but the caller's word makes it a document of its dialect.
    pub fn is_only_named(&self) -> bool {
        self.shape == AS_NAMED
    }

    /// The other documents on its stream.
    pub fn other_documents(&self) -> impl Iterator<Item = &Noise> {
        let is_other = |it: &&Noise| it.stream == self.stream && it.kind == NoiseKind::Json;
        self.noise.iter().filter(is_other)
    }

    /// Whether it is the last document on its stream.
    pub fn is_last(&self) -> bool {
        !self.other_documents().any(|other| other.span.start >= self.span.end)
    }
}

/// Finds the envelope in a transcript.
///
/// ```
/// use manila::{Confidence, Options, Status, Transcript, detect};
///
/// let stdout = b"Loading...\n{\"schema\":\"animus.cli.v1\",\"ok\":true,\"data\":{}}\n";
/// let detection = detect(&Transcript::from_stdout(*stdout, Status::Exited(0)), &Options::default())?;
/// assert_eq!((detection.dialect.id(), detection.confidence), ("animus/1", Confidence::Certain));
/// assert_eq!(detection.noise.len(), 1);
/// # Ok::<(), manila::Error>(())
/// ```
pub fn detect(transcript: &Transcript, options: &Options) -> Result<Detection, Error> {
    let mut reader = Reader::new(options.limits);
    detect_in(&Sources::new(transcript), options, &mut reader).map(|(detection, _)| detection)
}

/// Both streams without their terminal escapes.
pub(crate) struct Sources<'t> {
    status: Status,
    stdout: Stripped<'t>,
    stderr: Stripped<'t>,
}

impl<'t> Sources<'t> {
    pub(crate) fn new(transcript: &'t Transcript) -> Self {
        let (stdout, stderr) = (ansi::strip(&transcript.stdout), ansi::strip(&transcript.stderr));
        Sources { status: transcript.status, stdout, stderr }
    }
}

/// As [`detect`], and with the bytes that the document is read from.
pub(crate) fn detect_in<'s, 't>(
    sources: &'s Sources<'t>,
    options: &Options,
    reader: &mut Reader,
) -> Result<(Detection, &'s Stripped<'t>), Error> {
    let Sources { status, stdout, stderr } = sources;
    let mut scans = [
        scan(stdout, Stream::Stdout, *status, options, reader),
        scan(stderr, Stream::Stderr, *status, options, reader),
    ];
    let best = scans
        .iter()
        .filter_map(|scan| scan.best.as_ref())
        .max_by_key(|candidate| rank(candidate, *status));
    let Some(best) = best.cloned() else {
        let stated = stated_failure(&mut scans, *status);
        let is_truncated = is_truncated(&scans[0]);
        return Err(why_none(&scans).with_stated(stated).with_truncated(is_truncated));
    };
    let source = if best.stream == Stream::Stdout { stdout } else { stderr };
    Ok((describe(best, scans, source, options), source))
}

/// The failure that the answer states without being an envelope: the last document of stdout.
/// Stderr counts only where stdout is empty or the process failed as well, for a log may hold
/// errors that were overcome.
fn stated_failure(scans: &mut [Scan; 2], status: Status) -> Option<StatedFailure> {
    let [stdout, stderr] = scans;
    let has_failed = !matches!(status, Status::Exited(0) | Status::Unknown);
    let is_heard = has_failed || stdout.extent.is_empty();
    stdout.stated.take().or_else(|| stderr.stated.take().filter(|_| is_heard))
}

/// Whether what stands on a stream ends before its end: a document, or a stream of lines without the one that
/// decides.
fn is_truncated(scan: &Scan) -> bool {
    scan.lines > 0 || scan.flaw.is_some_and(|flaw| flaw.kind == FlawKind::UnexpectedEnd)
}

/// The better of two candidates: agrees with the exit status, is more certain, does not contradict
/// the status, is on its dialect's stream, is on stdout.
fn rank(candidate: &Candidate, status: Status) -> (bool, Confidence, bool, bool, bool) {
    let claim = candidate.found.ok;
    let says = match status {
        Status::Unknown => None,
        Status::Exited(0) => Some(true),
        _ => Some(false),
    };
    let sure = candidate.found.confidence;
    let agrees = says.is_some() && claim == says && sure > Confidence::Possible;
    let contradicts = says.is_some() && claim.is_some() && claim != says;
    let own = candidate.dialect.form(claim.unwrap_or(true)).stream == candidate.stream;
    (agrees, sure, !contradicts, own, candidate.stream == Stream::Stdout)
}

fn describe(
    best: Candidate,
    scans: [Scan; 2],
    source: &Stripped<'_>,
    options: &Options,
) -> Detection {
    let mut facts = Facts::default();
    let mut noise = Vec::new();
    let envelopes: usize = scans.iter().map(|scan| scan.envelopes).sum();
    let is_stream = !best.dialect.table().lines.is_empty();
    if envelopes > 1 && !is_stream {
        let subject = Some(envelopes.to_string());
        facts.add_certainly(FactKind::SeveralEnvelopes, best.span.clone(), subject);
    }
    let is_denied = best.found.ok != Some(false)
        && scans.iter().any(|scan| scan.is_denied && scan.stream == best.stream);
    let contested =
        is_denied || [0, 1].iter().all(|claim| scans.iter().any(|scan| scan.claims[*claim]));
    let is_possible = best.found.confidence == Confidence::Possible;
    let guesses = envelopes > 1 && is_possible;
    let is_amid_others = scans.iter().any(|it| it.stream == best.stream && it.documents > 1);
    let is_record = is_possible && is_amid_others && best.is_like_record;
    let mut cut = false;
    for scan in scans {
        let own = scan.stream == best.stream;
        if own {
            if scan.documents > 1 && !is_stream {
                let subject = Some(scan.documents.to_string());
                facts.add_certainly(FactKind::SeveralDocuments, scan.extent.clone(), subject);
            }
            if let Some(mark) = scan.byte_order_mark {
                facts.add_certainly(FactKind::ByteOrderMark, mark, None);
            }
            let beside = scan.noise.iter().find(|stretch| stretch.kind == NoiseKind::Escape);
            let escape = if source.has_escape_in(&best.span) {
                Some(best.span.clone())
            } else {
                beside.map(|stretch| stretch.span.clone())
            };
            if let Some(span) = escape {
                facts.add_certainly(FactKind::EscapeInDocument, span, None);
            }
        }
        for stretch in scan.noise.into_iter().flat_map(|stretch| stretch.without(&best)) {
            let fact = match stretch.kind {
                _ if !own => None,
                NoiseKind::Truncated => Some(FactKind::TruncatedDocument),
                NoiseKind::Text if stretch.span.start < best.span.start => {
                    Some(FactKind::ProseBefore)
                }
                NoiseKind::Text => Some(FactKind::ProseAfter),
                NoiseKind::Json | NoiseKind::Escape => None,
            };
            cut |= fact == Some(FactKind::TruncatedDocument);
            if let Some(fact) = fact {
                facts.add(fact, stretch.span.clone());
            }
            noise.push(stretch);
        }
    }
    Detection {
        dialect: best.dialect,
        shape: best.found.shape,
        confidence: best.found.confidence,
        others: best.others,
        stream: best.stream,
        span: best.span,
        noise,
        facts,
        forced: options.dialect.is_some(),
        contested: contested || guesses || cut,
        denied: is_denied,
        mark: best.mark,
        is_record,
    }
}

impl Noise {
    /// What is left of a stretch when the envelope is taken out of it.
    fn without(self, envelope: &Candidate) -> impl Iterator<Item = Noise> {
        let taken = &envelope.span;
        let apart = self.stream != envelope.stream
            || self.span.end <= taken.start
            || taken.end <= self.span.start;
        let pieces = if apart {
            [self.span.clone(), 0..0]
        } else {
            [self.span.start..taken.start, taken.end..self.span.end]
        };
        pieces
            .into_iter()
            .filter(|piece| !piece.is_empty())
            .map(move |span| Noise { span, ..self.clone() })
    }
}

/// Why no envelope was found, from what was seen on the way.
fn why_none(scans: &[Scan; 2]) -> Error {
    let over = |kind| matches!(kind, FlawKind::TooDeep | FlawKind::TooLarge);
    let flawed = |scan: &Scan| scan.flaw.map(|flaw| (scan.stream, flaw));
    if let Some((stream, flaw)) = scans.iter().filter_map(flawed).find(|(_, f)| over(f.kind)) {
        return Error::unreadable(stream, flaw);
    }
    if scans.iter().all(|scan| scan.extent.is_empty()) {
        return Error::new(ErrorKind::Empty, "there is nothing to read: both streams are empty");
    }
    if let Some(scan) = scans.iter().find(|scan| scan.documents > 0) {
        let message = format!("{} holds JSON, but no envelope of a known dialect", scan.stream);
        return Error::new(ErrorKind::NoEnvelope, message).at(scan.stream, scan.first_document);
    }
    if let Some((stream, flaw)) = scans.iter().find_map(flawed) {
        return Error::unreadable(stream, flaw);
    }
    let streams: Vec<_> = scans.iter().filter(|scan| !scan.extent.is_empty()).collect();
    let names: Vec<_> = streams.iter().map(|scan| scan.stream.to_string()).collect();
    let message = format!("there is text on {} but no JSON document", names.join(" and "));
    Error::new(ErrorKind::NoEnvelope, message)
}

#[cfg(test)]
mod tests {
    use super::*;

    const OK: &str = r#"{"schema":"animus.cli.v1","ok":true,"data":1}"#;
    const FAILED: &str = r#"{"schema":"animus.cli.v1","ok":false,"error":{"code":"internal","message":"m","exit_code":1}}"#;

    fn found(stdout: &str, stderr: &str, status: i32) -> Detection {
        let transcript = Transcript {
            stdout: stdout.into(),
            stderr: stderr.into(),
            status: Status::Exited(status),
            ..Transcript::default()
        };
        detect(&transcript, &Options::default()).expect("an envelope")
    }

    fn refused(stdout: &[u8]) -> Error {
        let transcript = Transcript::from_stdout(stdout, Status::Exited(0));
        detect(&transcript, &Options::default()).expect_err("no envelope")
    }

    #[test]
    fn prose_around_an_envelope_is_noise_with_its_bytes() {
        let detection = found(&format!("hello\n{OK}\nbye {{x\n"), "", 0);
        assert_eq!(detection.span, 6..6 + OK.len());
        let noise: Vec<_> = detection.noise.iter().map(|n| (n.kind, n.span.clone())).collect();
        let end = 6 + OK.len();
        assert_eq!(noise, [(NoiseKind::Text, 0..5), (NoiseKind::Text, end + 1..end + 7)]);
        assert!(detection.facts.has(FactKind::ProseBefore));
        assert!(detection.facts.has(FactKind::ProseAfter));
    }

    #[test]
    fn the_envelope_that_accords_with_the_status_is_taken() {
        assert_eq!(found(OK, FAILED, 1).stream, Stream::Stderr);
        assert_eq!(found(OK, FAILED, 0).stream, Stream::Stdout);
        assert!(found(OK, FAILED, 0).facts.has(FactKind::SeveralEnvelopes));
    }

    #[test]
    fn the_last_of_equal_envelopes_is_taken_and_the_others_are_noise() {
        let detection = found(&format!("{OK}\n{OK}\n{OK}\n"), "", 0);
        assert_eq!(detection.span.start, 2 * (OK.len() + 1));
        assert_eq!(detection.noise.len(), 1);
        assert!(detection.facts.has(FactKind::SeveralDocuments));
    }

    #[test]
    fn a_piece_of_a_broken_document_is_not_an_envelope() {
        for broken in [
            format!("{{\"score\":NaN,\"last\":{OK}}}"),
            format!("{{\n  \"score\": NaN,\n  \"last\": {OK}\n}}\n"),
            format!("log: {{\"score\":NaN,\"last\":{OK}}}"),
        ] {
            let kind = refused(broken.as_bytes()).kind();
            assert!(matches!(kind, ErrorKind::NotJson | ErrorKind::NoEnvelope), "{broken}");
        }
        let recovered = found(&format!("{{\"score\": NaN\n{OK}\n"), "", 0);
        assert_eq!(recovered.span.start, 14);
    }

    #[test]
    fn a_coloured_envelope_is_not_passed_over_for_its_payload() {
        let coloured = "{\u{1b}[34m\"schema\"\u{1b}[0m:\"animus.cli.v1\",\"ok\":true,\"data\":{\"kind\":\"a\"}}";
        assert_eq!(found(coloured, "", 0).dialect.id(), "animus/1");
    }

    #[test]
    fn a_bracket_in_prose_does_not_hide_the_envelope() {
        assert_eq!(found(&format!("Building [\n{OK}\n"), "", 0).span.start, 11);
    }

    #[test]
    fn envelopes_that_disagree_are_contested() {
        assert!(found(&format!("{OK}\n{FAILED}\n"), "", 0).contested);
        assert!(found(&format!("{OK}\n{{\"ok\":"), "", 0).contested);
        assert!(found(&format!("{OK}\nresult: {{\"ok\":false,\"error\":{{"), "", 0).contested);
        assert!(!found(&format!("{OK}\n{OK}\n"), "", 0).contested);
    }

    #[test]
    fn a_failure_of_no_known_dialect_after_a_success_contests_it() {
        for failure in [
            r#"{"ok":false,"why":"boom"}"#,
            r#"{"success":false}"#,
            r#"{"status":"error","x":1}"#,
            r#"{"error":{"text":"boom"}}"#,
        ] {
            assert!(found(&format!("{OK}\n{failure}\n"), "", 0).contested, "{failure}");
            assert!(!found(&format!("{failure}\n{OK}\n"), "", 0).contested, "{failure}");
        }
        let log = r#"{"level":"warn","error":"connection reset"}"#;
        assert!(!found(&format!("{OK}\n{log}\n"), "", 0).contested);
        assert!(!found(OK, r#"{"success":false}"#, 0).contested);
    }

    #[test]
    fn a_piece_of_a_cut_document_is_not_an_envelope() {
        let error = refused(format!("{{\"log\":[{OK}").as_bytes());
        assert_eq!(error.kind(), ErrorKind::NotJson);
        let error = refused(format!("Result: {{\n  \"a\": {OK},\n  \"b\": ").as_bytes());
        assert_eq!(error.kind(), ErrorKind::NotJson);
        let error = refused(format!("{{\"log\":{OK}, oops}}").as_bytes());
        assert_eq!(error.kind(), ErrorKind::NotJson);
    }

    #[test]
    fn colour_between_the_tokens_is_removed_and_places_stay_true() {
        let coloured = OK.replace('{', "\u{1b}[1;39m{\u{1b}[0m");
        let detection = found(&coloured, "", 0);
        assert!(detection.facts.has(FactKind::EscapeInDocument));
        assert_eq!(detection.span, 7..coloured.len());
    }

    #[test]
    fn a_torn_escape_before_the_envelope_takes_nothing_of_it() {
        for escape in ["\u{1b}[31", "\u{1b}[", "\u{1b}", "\u{1b}]0;title\n", "\u{1b}P"] {
            let detection = found(&format!("{escape}{OK}\n"), "", 0);
            assert_eq!(detection.span.start, escape.len(), "{escape:?}");
            assert_eq!(detection.dialect.id(), "animus/1");
        }
    }

    #[test]
    fn refusals_say_what_and_where() {
        assert_eq!(refused(b"").kind(), ErrorKind::Empty);
        assert_eq!(refused(b" \n").kind(), ErrorKind::Empty);
        assert_eq!(refused(b"plain text").kind(), ErrorKind::NoEnvelope);
        assert_eq!(refused(b"[1,2]").kind(), ErrorKind::NoEnvelope);
        let deep = refused(&vec![b'['; 100_000]);
        assert_eq!(deep.kind(), ErrorKind::TooDeep);
        assert_eq!(deep.place(), Some((Stream::Stdout, 128)));
    }
}
