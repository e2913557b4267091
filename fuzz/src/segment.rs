//! The laws of cutting a stream into segments.

use manila::ansi::{self, ESC};
use manila::json::{Limits, Reader};
use manila::segment::{Segment, SegmentKind, Segmenter};
use std::ops::Range;

const WIDE: Limits = Limits { bytes: usize::MAX, depth: usize::MAX };

/// Cuts a stream.
///
/// # Panics
///
/// When a law is broken.
pub fn segment(bytes: &[u8]) {
    let segments = segments(bytes);
    let is_escape = |segment: &&Segment| segment.kind == SegmentKind::Escape;
    assert!(segments.is_sorted_by_key(|segment| segment.span.start), "{segments:?}");
    let apart: Vec<_> = segments.iter().filter(|it| !is_escape(it)).map(|it| &it.span).collect();
    let is_apart = apart.is_sorted_by(|a, b| a.start < a.end && a.end <= b.start);
    assert!(is_apart, "{segments:?} overlap or are empty");
    every_byte_has_a_segment(bytes, &segments);
    let escapes = segments.iter().filter(is_escape).map(|segment| segment.span.clone());
    every_escape_is_a_segment(bytes, &escapes.collect::<Vec<_>>());
    let documents = documents(&segments);
    for span in &documents {
        is_one_document(&bytes[span.clone()]);
    }
    // What follows a document changes nothing before it.
    let middle = documents.get(documents.len() / 2);
    for cut in [documents.first(), middle, documents.last()].into_iter().flatten() {
        let before = documents.iter().filter(|span| span.end <= cut.end).cloned();
        let found = self::documents(&self::segments(&bytes[..cut.end]));
        assert_eq!(found, before.collect::<Vec<_>>(), "cut at {}", cut.end);
    }
}

fn segments(bytes: &[u8]) -> Vec<Segment> {
    let stripped = ansi::strip(bytes);
    let mut reader = Reader::default();
    let mut segmenter = Segmenter::new(&stripped, &mut reader);
    let mut segments = Vec::new();
    while let Some(segment) = segmenter.next() {
        let document = segmenter.document().map(|it| stripped.original_span(it.span()));
        let is_document = matches!(segment.kind, SegmentKind::Document(_));
        assert_eq!(document, is_document.then(|| segment.span.clone()));
        segments.push(segment);
    }
    segments
}

fn documents(segments: &[Segment]) -> Vec<Range<usize>> {
    let is_document = |it: &&Segment| matches!(it.kind, SegmentKind::Document(_));
    segments.iter().filter(is_document).map(|segment| segment.span.clone()).collect()
}

fn every_byte_has_a_segment(bytes: &[u8], segments: &[Segment]) {
    let mut end = 0;
    let spans = segments.iter().map(|segment| segment.span.clone());
    for span in spans.chain(std::iter::once(bytes.len()..bytes.len())) {
        let between = &bytes[end..span.start.max(end)];
        let is_space = between.iter().all(|byte| b" \n\r\t".contains(byte));
        assert!(is_space, "\"{}\" at {end} is in no segment", between.escape_ascii());
        end = end.max(span.end);
    }
}

fn every_escape_is_a_segment(bytes: &[u8], escapes: &[Range<usize>]) {
    let mut escapes = escapes.iter().peekable();
    for at in (0..bytes.len()).filter(|at| bytes[*at] == ESC) {
        while escapes.next_if(|span| span.end <= at).is_some() {}
        assert!(escapes.peek().is_some_and(|span| span.start <= at), "no escape at {at}");
    }
}

fn is_one_document(bytes: &[u8]) {
    let stripped = ansi::strip(bytes);
    let mut reader = Reader::new(WIDE);
    let span = reader.read(stripped.bytes()).map(|document| document.span());
    assert_eq!(span, Ok(0..stripped.bytes().len()));
}
