//! The laws of finding an envelope amid other output.

use super::input;
use manila::json::{Fact, FactKind, Facts, FlawKind, Limits, Reader};
use manila::{Detection, Noise, NoiseKind, Options, Stream, Transcript};
use std::ops::Range;

/// From this many stretches on, those that follow are merged into one.
const STRETCHES: usize = 64;
const ESC: u8 = 0x1b;
const WIDE: Limits = Limits { bytes: usize::MAX, depth: usize::MAX };
const BYTE_ORDER_MARKS: [&[u8]; 3] = [b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff"];

/// Looks for an envelope in a transcript.
///
/// # Panics
///
/// When a law is broken.
pub fn detect(bytes: &[u8]) {
    let transcript = input::transcript(bytes);
    for options in input::options(&transcript) {
        let found = manila::detect(&transcript, &options);
        let again = manila::detect(&transcript, &options);
        assert_eq!(format!("{found:?}"), format!("{again:?}"));
        match found {
            Ok(detection) => is_sound(&transcript, &detection, &options),
            Err(error) => {
                let (stream, offset) = error.place().unwrap_or((Stream::Stdout, 0));
                assert!(offset <= transcript.stream(stream).len(), "{error}");
            }
        }
    }
}

/// What holds for every detection.
pub(super) fn is_sound(transcript: &Transcript, detection: &Detection, options: &Options) {
    let bytes = transcript.stream(detection.stream);
    assert!(!detection.span.is_empty() && detection.span.end <= bytes.len());
    assert_eq!(detection.forced, options.dialect.is_some());
    let sure: Vec<_> = detection.others.iter().map(|(_, confidence)| *confidence).collect();
    assert!(sure.is_sorted_by(|a, b| a >= b), "{:?}", detection.others);
    assert!(detection.others.iter().all(|(id, _)| *id != detection.dialect.id()));
    facts_are_within(&detection.facts, bytes);
    if !detection.facts.has(FactKind::EscapeInDocument) {
        is_one_document(&bytes[detection.span.clone()]);
        is_no_piece_of_a_document(transcript, detection, options);
    }
    for stream in [Stream::Stdout, Stream::Stderr] {
        let bytes = transcript.stream(stream);
        let pieces = pieces(detection, stream);
        let apart = pieces.is_sorted_by(|a, b| a.start <= a.end && a.end <= b.start);
        assert!(apart, "{stream}: {pieces:?} overlap or are out of order");
        assert!(pieces.last().is_none_or(|last| last.end <= bytes.len()));
        // Terminal escapes may have been left out of everything.
        if !bytes.contains(&ESC) {
            nothing_is_left_out(bytes, &pieces);
            noise_is_what_it_says(bytes, detection, stream, options);
        }
    }
}

/// Every fact has its place on the envelope's own stream.
pub(super) fn facts_are_within(facts: &Facts, bytes: &[u8]) {
    let strays = |fact: &&Fact| fact.span.start > fact.span.end || fact.span.end > bytes.len();
    assert_eq!(facts.iter().find(strays), None);
}

fn is_one_document(bytes: &[u8]) {
    let mut reader = Reader::new(WIDE);
    let span = reader.read(bytes).map(|document| document.span());
    assert_eq!(span, Ok(0..bytes.len()));
}

/// What is found where little may be read is whole where everything may.
fn is_no_piece_of_a_document(transcript: &Transcript, detection: &Detection, options: &Options) {
    let all = manila::detect(transcript, &Options { limits: WIDE, ..*options });
    let Ok(all) = all else { panic!("nothing is found without limits") };
    let pieces = pieces(&all, detection.stream);
    let around = |piece: &&Range<usize>| {
        piece.start < detection.span.end && detection.span.start < piece.end
    };
    let holds = pieces.iter().find(around).cloned().unwrap_or_default();
    let bytes = &transcript.stream(detection.stream)[..holds.end];
    let mut reader = Reader::new(WIDE);
    let mut at = holds.start;
    while at < detection.span.start {
        let document = reader.read_at(bytes, at).map(|document| document.span());
        at = document.unwrap_or_else(|flaw| panic!("{detection:?} in {all:?}: {flaw}")).end;
        at += bytes[at..].len() - bytes[at..].trim_ascii_start().len();
    }
    assert_eq!(at, detection.span.start, "a piece of a document is no envelope");
}

/// The envelope and the noise on one stream, in the order of their places.
fn pieces(detection: &Detection, stream: Stream) -> Vec<Range<usize>> {
    let noise = noise_on(detection, stream).map(|noise| noise.span.clone());
    let own = (detection.stream == stream).then(|| detection.span.clone());
    let mut pieces: Vec<_> = noise.collect();
    assert!(pieces.is_sorted_by_key(|piece| piece.start), "{pieces:?}");
    pieces.extend(own);
    pieces.sort_by_key(|piece| piece.start);
    pieces
}

fn noise_on(detection: &Detection, stream: Stream) -> impl Iterator<Item = &Noise> {
    detection.noise.iter().filter(move |noise| noise.stream == stream)
}

fn nothing_is_left_out(bytes: &[u8], pieces: &[Range<usize>]) {
    let mark = BYTE_ORDER_MARKS.iter().find(|mark| bytes.starts_with(mark));
    let mut at = mark.map_or(0, |mark| mark.len());
    let ends = pieces.iter().map(|piece| piece.end).chain([bytes.len()]);
    for (start, end) in pieces.iter().map(|piece| piece.start).chain([bytes.len()]).zip(ends) {
        let between = &bytes[at..start.max(at)];
        let is_space = between.iter().all(|byte| b" \n\r\t".contains(byte));
        assert!(is_space, "\"{}\" at {at} is in no piece", between.escape_ascii());
        at = end;
    }
}

fn noise_is_what_it_says(bytes: &[u8], detection: &Detection, stream: Stream, options: &Options) {
    if noise_on(detection, stream).count() >= STRETCHES - 1 {
        return;
    }
    let mut reader = Reader::new(options.limits);
    for noise in noise_on(detection, stream) {
        let bytes = &bytes[noise.span.clone()];
        match noise.kind {
            NoiseKind::Text | NoiseKind::Escape => {}
            NoiseKind::Truncated => {
                let flaw = reader.read(bytes).map(|_| ()).map_err(|flaw| flaw.kind);
                assert_eq!(flaw, Err(FlawKind::UnexpectedEnd), "{noise:?}");
            }
            NoiseKind::Json => {
                let mut at = 0;
                while !bytes[at..].trim_ascii().is_empty() {
                    let document = reader.read_at(bytes, at);
                    at = document.unwrap_or_else(|flaw| panic!("{noise:?}: {flaw}")).span().end;
                }
            }
        }
    }
}
