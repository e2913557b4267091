//! Walks the segments of one stream and keeps the best candidate.

use super::{Noise, NoiseKind, Options, Scope};
use crate::ansi::Stripped;
use crate::dialect::Dialect;
use crate::json::{Document, Flaw, FlawKind, Kind, Reader};
use crate::known::{every_dialect, preferred_dialect};
use crate::mark::{self, FailureMark, StatedFailure};
use crate::segment::{Segment, SegmentKind, Segmenter};
use crate::table::{self, Confidence, Match, OutcomeFrom};
use crate::transcript::{Status, Stream};
use std::ops::Range;

/// How many stretches of noise are kept apart; the ones after that are merged into one.
const STRETCHES: usize = 64;

/// A document that is an envelope.
#[derive(Clone, Debug)]
pub(super) struct Candidate {
    pub(super) stream: Stream,
    pub(super) span: Range<usize>,
    pub(super) dialect: &'static dyn Dialect,
    pub(super) found: Match,
    pub(super) others: Vec<(&'static str, Confidence)>,
    /// What states outright that it failed.
    pub(super) mark: Option<FailureMark>,
    /// Whether what states that is also what records of logs have.
    pub(super) is_like_record: bool,
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
    /// How many documents are lines of a stream that do not decide, of the dialect that is named or was found.
    pub(super) lines: usize,
    /// The failure that the last document states, if it is not an envelope.
    pub(super) stated: Option<StatedFailure>,
    /// Whether an envelope that is more than a guess claims success, and whether one claims failure.
    pub(super) claims: [bool; 2],
    /// Whether a document after the best one states a failure, as an envelope of no known dialect or as one that is
    /// hardly known.
    pub(super) is_denied: bool,
    /// From the first byte that is not whitespace to the last.
    pub(super) extent: Range<usize>,
    /// Everything that is not whitespace, the envelope's own bytes included.
    pub(super) noise: Vec<Noise>,
    pub(super) byte_order_mark: Option<Range<usize>>,
    /// Why the first broken document is not JSON, or the one that ended the search.
    pub(super) flaw: Option<Flaw>,
}

pub(super) fn scan(
    source: &Stripped<'_>,
    stream: Stream,
    status: Status,
    options: &Options,
    reader: &mut Reader,
) -> Scan {
    let mut segments = Segmenter::new(source, reader);
    let mut scan = Scan {
        stream,
        best: None,
        documents: 0,
        first_document: 0,
        envelopes: 0,
        lines: 0,
        stated: None,
        claims: [false; 2],
        is_denied: false,
        extent: segments.extent(),
        noise: Vec::new(),
        byte_order_mark: None,
        flaw: None,
    };
    while let Some(Segment { kind, span }) = segments.next() {
        let noise = match kind {
            SegmentKind::ByteOrderMark => {
                scan.byte_order_mark = Some(span);
                continue;
            }
            SegmentKind::Escape => NoiseKind::Escape,
            SegmentKind::Text => NoiseKind::Text,
            SegmentKind::Document(_) => match segments.document() {
                Some(document) if is_container(&document) => {
                    if scan.documents == 0 {
                        scan.first_document = span.start;
                    }
                    scan.documents += 1;
                    scan.consider(&document, span.clone(), status, options);
                    NoiseKind::Json
                }
                _ => NoiseKind::Text,
            },
            SegmentKind::Broken(_, flaw) => {
                let (noise, ends_search) = match flaw.kind {
                    FlawKind::UnexpectedEnd => (NoiseKind::Truncated, true),
                    FlawKind::TooDeep | FlawKind::TooLarge => (NoiseKind::Text, true),
                    _ => (NoiseKind::Text, false),
                };
                if ends_search || scan.flaw.is_none() {
                    scan.flaw = Some(flaw);
                }
                noise
            }
        };
        scan.add_noise(noise, span);
    }
    scan
}

fn is_container(document: &Document<'_, '_>) -> bool {
    matches!(document.root().kind(), Kind::Object | Kind::Array)
}

impl Scan {
    /// Adds a stretch. Neighbours become one: of text, of documents, and text with the escapes that touch it.
    fn add_noise(&mut self, kind: NoiseKind, span: Range<usize>) {
        use NoiseKind::{Escape, Json, Text, Truncated};
        let full = self.noise.len() == STRETCHES;
        let Some(last) = self.noise.last_mut() else {
            self.noise.push(Noise { stream: self.stream, kind, span });
            return;
        };
        let touches = span.start <= last.span.end;
        let joins = match (last.kind, kind) {
            (Json, Json) | (Text, Text) => true,
            // Inside a document, or between its neighbours.
            (_, Escape) if span.end <= last.span.end => return,
            (Text | Escape, Escape) | (Escape, Text) => touches,
            (Json | Text | Escape | Truncated, _) => false,
        };
        if !full && !joins {
            self.noise.push(Noise { stream: self.stream, kind, span });
            return;
        }
        if joins && last.kind == Escape {
            last.kind = kind;
        }
        last.span.end = last.span.end.max(span.end);
    }

    fn consider(
        &mut self,
        document: &Document<'_, '_>,
        span: Range<usize>,
        status: Status,
        options: &Options,
    ) {
        let stream = options.dialect.or(self.best.as_ref().map(|best| best.dialect));
        if let Some(holds) = stream.and_then(|dialect| held_by_line(dialect, document)) {
            self.lines += 1;
            let (mark, stream) = (FailureMark::LastLine, self.stream);
            let error = table::error_in_line(holds, document);
            self.is_denied |= error.is_some() && self.best.is_some();
            let stated = |error| StatedFailure { mark, stream, span, error, is_record: false };
            self.stated = error.map(stated);
            return;
        }
        let mark = mark::of(document);
        let states = mark.is_some_and(|mark| mark::is_of_answer(document, mark));
        let is_like_record = mark.is_some() && !states;
        let Some((dialect, found, others)) = recognise(document, status, options) else {
            self.is_denied |= states && self.best.is_some();
            self.stated = mark.map(|mark| {
                let error = mark::error(document, mark, |_| false);
                let is_logged = self.stream == Stream::Stderr && mark::has_level(document);
                let is_record = is_like_record && (self.documents > 1 || is_logged);
                StatedFailure { mark, stream: self.stream, span, error, is_record }
            });
            return;
        };
        self.stated = None;
        self.envelopes += 1;
        let is_next_line = !dialect.table().lines.is_empty()
            && self.best.as_ref().is_some_and(|best| best.dialect.id() == dialect.id());
        if is_next_line {
            self.claims = [false; 2];
        }
        if let Some(ok) = found.ok.filter(|_| found.confidence > Confidence::Possible) {
            self.claims[usize::from(!ok)] = true;
        }
        let stream = self.stream;
        let candidate = Candidate { stream, span, dialect, found, others, mark, is_like_record };
        let is_better = self.best.as_ref().is_none_or(|best| {
            is_next_line || super::rank(&candidate, status) >= super::rank(best, status)
        });
        if is_better {
            self.best = Some(candidate);
            self.is_denied = false;
        } else {
            self.is_denied |= states;
        }
    }
}

type Recognised = (&'static dyn Dialect, Match, Vec<(&'static str, Confidence)>);

/// What a document holds if it is a line of a dialect's stream that does not decide.
fn held_by_line(
    dialect: &'static dyn Dialect,
    document: &Document<'_, '_>,
) -> Option<table::LineHolds> {
    let lines = dialect.table().lines;
    if lines.is_empty() || dialect.detect(document).is_some() {
        return None;
    }
    table::held_by_line(lines, document)
}

/// The dialect of a document and the others it could be.
fn recognise(document: &Document<'_, '_>, status: Status, options: &Options) -> Option<Recognised> {
    let bare = || {
        let named = options.dialect.filter(|named| is_bare(*named))?;
        let succeeded = status == Status::Exited(0) && mark::of(document).is_none();
        let found = Match { shape: super::BARE, confidence: Confidence::Likely, ok: None };
        succeeded.then(|| (named, found, Vec::new()))
    };
    if document.root().kind() != Kind::Object {
        return bare();
    }
    let has_failed = mark::of(document).is_some();
    // A dialect that the caller names replaces the built-in one of the same id.
    let is_other = |dialect: &&'static dyn Dialect| {
        options.dialect.is_none_or(|named| named.id() != dialect.id())
    };
    let is_settled = options.scope == Scope::Named && options.dialect.is_some();
    let known = (!is_settled).then(every_dialect);
    let mut matches: Vec<(&'static dyn Dialect, Match)> = known
        .into_iter()
        .flatten()
        .filter(is_other)
        .chain(options.dialect)
        .filter_map(|dialect| {
            let mut found = dialect.detect(document)?;
            let revision = dialect.table().revision.as_ref();
            if revision.is_some_and(|revision| revision.unknown(document).is_some()) {
                found.confidence = Confidence::Possible;
            }
            if has_failed {
                found.ok = Some(false);
            }
            Some((dialect, found))
        })
        .collect();
    matches.sort_by_key(|(_, found)| std::cmp::Reverse(found.confidence));
    let is_preferred = |(dialect, _): &(&'static dyn Dialect, Match)| {
        preferred_dialect().is_some_and(|preferred| preferred.id() == dialect.id())
    };
    let preferred = matches.iter().copied().find(is_preferred);
    share(&mut matches);
    let chosen = match options.dialect {
        None => preferred.or_else(|| matches.first().copied())?,
        Some(named) => {
            let own = matches.iter().copied().find(|(dialect, _)| dialect.id() == named.id());
            if own.is_none() && is_bare(named) {
                return bare();
            }
            let as_named =
                Match { shape: super::AS_NAMED, confidence: Confidence::Possible, ok: None };
            own.unwrap_or((named, as_named))
        }
    };
    let others = matches
        .iter()
        .filter(|(dialect, _)| dialect.id() != chosen.0.id())
        .map(|(dialect, found)| (dialect.id(), found.confidence))
        .collect();
    Some((chosen.0, chosen.1, others))
}

/// Whether a success of a dialect is data without an envelope.
fn is_bare(dialect: &dyn Dialect) -> bool {
    dialect.table().outcome == OutcomeFrom::Failure
}

/// Where marks of two dialects are found, each of them is only possible. Revisions of one dialect are
/// not two.
fn share(matches: &mut [(&'static dyn Dialect, Match)]) {
    let name = |dialect: &dyn Dialect| dialect.id().split('/').next();
    let Some(((first, surest), rest)) = matches.split_first() else { return };
    let is_rival = |(dialect, found): &(&'static dyn Dialect, Match)| {
        found.confidence == surest.confidence && name(*dialect) != name(*first)
    };
    if rest.iter().any(is_rival) {
        for (_, found) in matches {
            found.confidence = Confidence::Possible;
        }
    }
}
