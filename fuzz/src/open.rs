//! The laws of opening what was found.

use super::{detect, input};
use manila::json::{FactKind, Limits, Reader};
use manila::{Exit, Opened, Options, Status, Transcript};

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
    detect::facts_are_within(&opened.facts, transcript, detection.stream);
    let facts: Vec<_> = opened.facts.iter().map(|fact| (fact.span.start, fact.kind)).collect();
    assert!(facts.is_sorted(), "{facts:?}");
    places_are_within(opened);
    the_outcome_is_clear(opened, transcript.status);
    is_shown_as_one_document(opened);
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
