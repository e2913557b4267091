//! Walks one stream from document to document and keeps the best candidate.

use super::colour::{ESC, Source};
use super::{Noise, NoiseKind};
use crate::dialect::{Confidence, DIALECTS, Dialect, Match};
use crate::json::{BYTE_ORDER_MARK, Document, Flaw, FlawKind, Kind, Reader, skip_whitespace};
use crate::mark::{self, StatedFailure};
use crate::open::Options;
use crate::transcript::{Status, Stream};
use std::ops::Range;

/// How many stretches of noise are told apart; the ones after that are told as one.
const STRETCHES: usize = 64;

/// A document that is an envelope.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) stream: Stream,
    pub(super) span: Range<usize>,
    pub(super) dialect: &'static dyn Dialect,
    pub(super) found: Match,
    pub(super) others: Vec<(&'static str, Confidence)>,
}

/// What one stream holds.
#[derive(Debug)]
pub(super) struct Scan {
    pub(super) stream: Stream,
    pub(super) best: Option<Candidate>,
    pub(super) documents: usize,
    /// Where the first document begins.
    pub(super) first_document: usize,
    pub(super) envelopes: usize,
    /// The failure that the last document states, if it is no envelope.
    pub(super) stated: Option<StatedFailure>,
    /// Whether an envelope that is more than a guess claims success, and whether one claims failure.
    pub(super) claims: [bool; 2],
    /// A terminal escape stands where a token should: the stream must be read without them.
    pub(super) coloured: bool,
    /// From the first byte that is no whitespace to the last.
    pub(super) extent: Range<usize>,
    /// Everything that is no whitespace, the envelope's own bytes included.
    pub(super) noise: Vec<Noise>,
    pub(super) byte_order_mark: Option<Range<usize>>,
    /// The first attempt at a document that failed, or the one that ended the search.
    pub(super) flaw: Option<Flaw>,
}

pub(super) fn scan(
    source: &Source<'_>,
    stream: Stream,
    status: Status,
    options: &Options,
    reader: &mut Reader,
) -> Scan {
    let bytes = source.bytes();
    let mut scan = Scan {
        stream,
        best: None,
        documents: 0,
        first_document: 0,
        envelopes: 0,
        stated: None,
        claims: [false; 2],
        coloured: false,
        extent: 0..0,
        noise: Vec::new(),
        byte_order_mark: None,
        flaw: None,
    };
    let mut at = 0;
    if bytes.starts_with(BYTE_ORDER_MARK) {
        at = BYTE_ORDER_MARK.len();
        scan.byte_order_mark = Some(0..at);
    }
    let end = bytes.len() - bytes.iter().rev().take_while(|byte| is_space(**byte)).count();
    let mut text = skip_whitespace(bytes, at);
    scan.extent = source.original(text)..source.original(end.max(text));
    at = text;
    let mut pardoned = false;
    while at < end {
        let opens = |byte: &u8| matches!(byte, b'{' | b'[');
        let Some(ahead) = bytes[at..end].iter().position(opens) else { break };
        let start = at + ahead;
        match reader.read_at(bytes, start) {
            Ok(document) => {
                let span = document.span();
                scan.add_noise(NoiseKind::Text, source, trim(bytes, text..start));
                scan.add_noise(NoiseKind::Json, source, span.clone());
                scan.consider(&document, source, status, options);
                if scan.documents == 0 {
                    scan.first_document = source.original(span.start);
                }
                scan.documents += 1;
                at = skip_whitespace(bytes, span.end);
                text = at;
            }
            Err(flaw) => {
                scan.coloured |= flaw.kind == FlawKind::UnexpectedByte(ESC);
                // A bracket that ends a line of prose is allowed to be just that, once.
                let ends = flaw.kind == FlawKind::UnexpectedEnd && !pardoned;
                if let Some(next) = ends.then(|| after_prose(bytes, start)).flatten() {
                    pardoned = true;
                    at = next;
                    continue;
                }
                let stop = match flaw.kind {
                    FlawKind::UnexpectedEnd => Some(NoiseKind::Truncated),
                    FlawKind::TooDeep | FlawKind::TooLarge => Some(NoiseKind::Text),
                    _ => None,
                };
                if stop.is_some() || (scan.flaw.is_none() && was_meant_as_json(bytes, start, flaw))
                {
                    scan.flaw = Some(Flaw { offset: source.original(flaw.offset), ..flaw });
                }
                if let Some(kind) = stop {
                    scan.add_noise(NoiseKind::Text, source, trim(bytes, text..start));
                    scan.add_noise(kind, source, start..end);
                    text = end;
                    break;
                }
                at = after_flaw(bytes, start, flaw, reader.depth());
            }
        }
    }
    scan.add_noise(NoiseKind::Text, source, trim(bytes, text..end.max(text)));
    scan
}

impl Scan {
    /// Adds a stretch; neighbours of the same kind become one unless it is text.
    fn add_noise(&mut self, kind: NoiseKind, source: &Source<'_>, span: Range<usize>) {
        if span.is_empty() {
            return;
        }
        let span = source.original(span.start)..source.original(span.end);
        let full = self.noise.len() == STRETCHES;
        match self.noise.last_mut() {
            Some(last) if full || (last.kind == kind && kind == NoiseKind::Json) => {
                last.span.end = span.end;
            }
            _ => self.noise.push(Noise { stream: self.stream, kind, span }),
        }
    }

    fn consider(
        &mut self,
        document: &Document<'_, '_>,
        source: &Source<'_>,
        status: Status,
        options: &Options,
    ) {
        let span = document.span();
        let span = source.original(span.start)..source.original(span.end);
        let Some((dialect, found, others)) = recognise(document, options) else {
            self.stated = mark::find(document.members()).map(|mark| {
                let error = mark::error(document, mark);
                StatedFailure { mark, stream: self.stream, span, error }
            });
            return;
        };
        self.stated = None;
        self.envelopes += 1;
        if let Some(ok) = found.ok.filter(|_| found.confidence > Confidence::Possible) {
            self.claims[usize::from(!ok)] = true;
        }
        let candidate = Candidate { stream: self.stream, span, dialect, found, others };
        let is_better = self
            .best
            .as_ref()
            .is_none_or(|best| super::rank(&candidate, status) >= super::rank(best, status));
        if is_better {
            self.best = Some(candidate);
        }
    }
}

type Recognised = (&'static dyn Dialect, Match, Vec<(&'static str, Confidence)>);

/// The dialect of a document and the others it could be.
fn recognise(document: &Document<'_, '_>, options: &Options) -> Option<Recognised> {
    if document.root().kind() != Kind::Object {
        return None;
    }
    let has_failed = mark::find(document.members()).is_some();
    let mut matches: Vec<(&'static dyn Dialect, Match)> = DIALECTS
        .iter()
        .filter_map(|dialect| {
            let mut found = dialect.detect(document)?;
            let revision = dialect.about().revision.as_ref();
            if revision.is_some_and(|revision| revision.unknown(document).is_some()) {
                found.confidence = Confidence::Possible;
            }
            if has_failed {
                found.ok = Some(false);
            }
            Some((*dialect, found))
        })
        .collect();
    matches.sort_by_key(|(_, found)| std::cmp::Reverse(found.confidence));
    let chosen = match options.dialect {
        None => matches.first().copied()?,
        Some(named) => {
            matches.iter().copied().find(|(dialect, _)| dialect.id() == named.id()).unwrap_or((
                named,
                Match { shape: "as named", confidence: Confidence::Possible, ok: None },
            ))
        }
    };
    let others = matches
        .iter()
        .filter(|(dialect, _)| dialect.id() != chosen.0.id())
        .map(|(dialect, found)| (dialect.id(), found.confidence))
        .collect();
    Some((chosen.0, chosen.1, others))
}

/// Where to look on after a failed attempt: never inside the document that failed, so that no piece
/// of it is taken for a whole one. It ends where its brackets close, or where a line begins with a
/// brace, which is how documents begin and how their insides do not.
fn after_flaw(bytes: &[u8], start: usize, flaw: Flaw, depth: usize) -> usize {
    let at = flaw.offset.max(start + 1);
    if !looks_like_json(bytes, start) {
        return at;
    }
    if !starts_line(bytes, start) {
        return next_line(bytes, at);
    }
    let mut depth = depth;
    let mut in_string = false;
    let mut at = at;
    while let Some(&byte) = bytes.get(at) {
        at += 1;
        match byte {
            b'\n' => {
                in_string = false;
                if bytes.get(at) == Some(&b'{') {
                    return at;
                }
            }
            b'\\' if in_string => at += 1,
            b'"' => in_string = !in_string,
            b'{' | b'[' if !in_string => depth += 1,
            b'}' | b']' if !in_string => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return at;
                }
            }
            _ => {}
        }
    }
    bytes.len()
}

/// Where a line begins with a brace behind a bracket that is the last of a line of prose; nothing if
/// the bracket is not, for then it began a document which is cut.
fn after_prose(bytes: &[u8], start: usize) -> Option<usize> {
    let rest = &bytes[start + 1..];
    let ends_line =
        rest.iter().find(|byte| !matches!(**byte, b' ' | b'\t' | b'\r')) == Some(&b'\n');
    if starts_line(bytes, start) || !ends_line {
        return None;
    }
    let brace = rest.windows(2).position(|pair| pair == b"\n{")?;
    Some(start + 1 + brace + 1)
}

/// Whether what stands behind a bracket is what stands there in JSON, and not in prose.
fn looks_like_json(bytes: &[u8], start: usize) -> bool {
    let next = bytes.get(skip_whitespace(bytes, start + 1));
    match bytes.get(start) {
        Some(b'{') => next == Some(&b'"'),
        _ => matches!(next, Some(b'{' | b'[' | b'"')),
    }
}

/// Whether a failed attempt is worth telling.
fn was_meant_as_json(bytes: &[u8], start: usize, flaw: Flaw) -> bool {
    let odd_number = flaw.kind == FlawKind::NotANumber;
    starts_line(bytes, start) && (looks_like_json(bytes, start) || odd_number)
}

fn starts_line(bytes: &[u8], at: usize) -> bool {
    bytes[..at].iter().rev().take_while(|byte| **byte != b'\n').all(|byte| is_space(*byte))
}

fn next_line(bytes: &[u8], at: usize) -> usize {
    let ahead = bytes[at..].iter().position(|byte| *byte == b'\n');
    ahead.map_or(bytes.len(), |ahead| at + ahead + 1)
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\n' | b'\r' | b'\t')
}

/// The range without the whitespace at its end.
fn trim(bytes: &[u8], span: Range<usize>) -> Range<usize> {
    let spaces = bytes[span.clone()].iter().rev().take_while(|byte| is_space(**byte)).count();
    span.start..span.end - spaces
}
