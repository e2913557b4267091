//! The laws of opening what was found.

use super::{detect, input};
use manila::json::{FactKind, Limits, Reader};
use manila::{Exit, Opened, Options, Status, Stream, Transcript};

const COLOUR: &[u8] = b"\x1b[1;39m";

/// Opens a transcript.
///
/// # Panics
///
/// When a law is broken.
pub fn open(bytes: &[u8]) {
    let transcript = input::transcript(bytes);
    for options in input::options(&transcript) {
        let opened = manila::open(&transcript, &options);
        let again = manila::open(&transcript, &options);
        assert_eq!(format!("{opened:?}"), format!("{again:?}"));
        let found = manila::detect(&transcript, &options);
        match &opened {
            Ok(opened) => {
                assert_eq!(format!("{:?}", opened.detection), format!("{:?}", found.unwrap()));
                is_sound(&transcript, opened, &options);
            }
            Err(error) => assert_eq!(found.map(|found| found.shape), Err(error.clone())),
        }
    }
}

fn is_sound(transcript: &Transcript, opened: &Opened, options: &Options) {
    let detection = &opened.detection;
    detect::is_sound(transcript, detection, options);
    detect::facts_are_within(&opened.facts, transcript.stream(detection.stream));
    let facts: Vec<_> = opened.facts.iter().map(|fact| (fact.span.start, fact.kind)).collect();
    assert!(facts.is_sorted(), "{facts:?}");
    places_are_within(opened);
    the_outcome_is_clear(opened, transcript.status);
    is_shown_as_one_document(opened);
    if detection.noise.is_empty() && !has_escapes(transcript) {
        colour_changes_nothing(transcript, opened, options);
    }
}

fn places_are_within(opened: &Opened) {
    let span = &opened.detection.span;
    for place in &opened.places {
        let is_within = span.start <= place.span.start && place.span.end <= span.end;
        assert!(is_within && !place.span.is_empty(), "{place:?} in {span:?}");
    }
}

fn the_outcome_is_clear(opened: &Opened, status: Status) {
    let envelope = &opened.envelope;
    assert_eq!(envelope.ok(), envelope.exit() == Exit::Success);
    assert_eq!(envelope.ok(), envelope.error().is_none());
    assert!(!envelope.ok() || envelope.content().data.is_some() || envelope.meta().not_modified);
    if let Some(code) = status.code() {
        assert_eq!(envelope.status(), Some(code));
        assert!(!envelope.ok() || code == 0, "a success that ended with {status}");
    }
    if opened.facts.has(FactKind::NothingSaid) {
        assert_eq!(envelope.exit(), Exit::General);
    }
}

fn is_shown_as_one_document(opened: &Opened) {
    let text = serde_json::to_string(opened).unwrap();
    let mut reader = Reader::new(Limits { bytes: usize::MAX, depth: usize::MAX });
    reader.read(text.as_bytes()).unwrap();
}

fn has_escapes(transcript: &Transcript) -> bool {
    transcript.stdout.contains(&0x1b) || transcript.stderr.contains(&0x1b)
}

/// Terminal escapes between the tokens hide nothing.
fn colour_changes_nothing(transcript: &Transcript, plain: &Opened, options: &Options) {
    let mut transcript = transcript.clone();
    let bytes = match plain.detection.stream {
        Stream::Stdout => &mut transcript.stdout,
        Stream::Stderr => &mut transcript.stderr,
    };
    *bytes = coloured(bytes);
    let opened = manila::open(&transcript, options).unwrap();
    assert!(opened.facts.has(FactKind::EscapeInDocument) || opened.facts.more() > 0);
    assert_eq!(opened.detection.dialect.id(), plain.detection.dialect.id());
    assert_eq!(opened.detection.stream, plain.detection.stream);
    assert_eq!(opened.envelope, plain.envelope);
    assert_eq!(opened.places.len(), plain.places.len());
    places_are_within(&opened);
}

/// The same document with an escape before every bracket, comma, colon and string.
fn coloured(bytes: &[u8]) -> Vec<u8> {
    let (mut coloured, mut in_string, mut escaped) = (Vec::new(), false, false);
    for byte in bytes {
        if !in_string && b"{}[],:\"".contains(byte) {
            coloured.extend(COLOUR);
        }
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => in_string = !in_string,
            _ => {}
        }
        coloured.push(*byte);
    }
    coloured
}
