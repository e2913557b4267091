//! Laws that hold for every envelope, every dialect and every byte string.
#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use manila::dialects::WRITTEN;
use manila::json::{FactKind, FlawKind, Limits, Members, Raw, Reader};
use manila::table::{OutcomeFrom, Rest};
use manila::{
    Confidence, Content, DIALECTS, Defaults, Dialect, Envelope, ErrorObject, Exit, Fix, Issue,
    Meta, Options, Phase, Redirect, Severity, Status, Strategy as Backoff, Stream, Transcript,
    Warning, Written, convert, detect, open, schema, write,
};
use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::value::RawValue;
use std::sync::LazyLock;

static VALIDATORS: LazyLock<Vec<jsonschema::Validator>> = LazyLock::new(|| {
    let schemas = DIALECTS.iter().map(|dialect| schema(*dialect, None).unwrap());
    schemas.map(|schema| jsonschema::validator_for(&schema).unwrap()).collect()
});

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z][a-z_-]{0,8}",
        "[A-Z_]{1,12}",
        "\\PC{0,12}",
        Just("é\u{1b}\"\\\n\u{7f}😀".to_owned()),
        Just(String::new()),
    ]
}

/// JSON in every spelling: odd numbers, escapes, whitespace, equal keys.
fn json() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        select(vec!["null", "true", "false", "0", "-0.0", "1e2", "12345678901234567890", "1.50"])
            .prop_map(str::to_owned),
        select(vec!["\"\"", "\"a\\u00e9\\/\"", "\"\\ud83d\\ude00 é\"", "\"{[,:]}\""])
            .prop_map(str::to_owned),
        text().prop_map(|text| serde_json::to_string(&text).unwrap()),
    ];
    let space = select(vec!["", " ", "\n  "]);
    leaf.prop_recursive(3, 24, 5, move |inner| {
        let key = select(vec!["a", "b", "data", "name", "message", "kind", "ok", "e\\u0061"]);
        let member = (key, inner.clone()).prop_map(|(key, value)| format!("\"{key}\":{value}"));
        prop_oneof![
            (vec(inner, 0..4), space.clone()).prop_map(|(items, space)| format!(
                "[{space}{}]",
                items.join(&format!("{space},"))
            )),
            (vec(member, 0..4), space.clone()).prop_map(|(items, space)| format!(
                "{{{}{space}}}",
                items.join(&format!(",{space}"))
            )),
        ]
    })
}

fn raw() -> impl Strategy<Value = Raw> {
    json().prop_map(|text| Raw::parse(&text).unwrap())
}

fn members() -> impl Strategy<Value = Members> {
    vec((text(), raw()), 0..2).prop_map(|list| {
        let mut members = Members::default();
        for (key, value) in list {
            members.push(key, value);
        }
        members
    })
}

prop_compose! {
    fn failure()(
        (code, message, detail, details) in (text(), text(), of(text()), of(raw())),
        (retryable, wait_ms) in (of(any::<bool>()), of(0u64..100_000)),
        strategy in of(select(Backoff::ALL)),
        phase in of(select(Phase::ALL)),
        suggestion in of(text()),
        redirect in of((text(), any::<bool>(), of(select(vec!["renamed", "deprecated"])))),
        (operation, target, required, command) in (of(text()), of(text()), of(text()), of(text())),
        extra in members(),
    ) -> ErrorObject {
        let redirect = redirect.map(|(command, permanent, reason)| {
            Redirect { command, permanent, reason: reason.map(str::to_owned), ..Redirect::default() }
        });
        ErrorObject {
            code, message, detail, details, retryable, wait_ms, strategy, phase, suggestion,
            redirect, operation, target, fix: Fix { required, command }, extra,
        }
    }
}

prop_compose! {
    fn issue()(
        code in text(), severity in select(Severity::ALL), message in of(text()),
        path in of(text()), link in of(text()), extra in members(),
    ) -> Issue {
        Issue { code, severity, message, path, link, extra }
    }
}

prop_compose! {
    fn meta()(
        duration_ms in of(0u64..10_000),
        (request_id, cursor, cwd) in (of(text()), of(text()), of(text())),
        timestamp in of(prop_oneof![Just("2026-04-22T10:10:00Z".to_owned()), text()]),
        (not_modified, truncated) in (any::<bool>(), any::<bool>()),
        extra in members(),
    ) -> Meta {
        Meta {
            duration_ms, request_id, schema_version: None, not_modified, truncated, cursor,
            timestamp, cwd, extra,
        }
    }
}

prop_compose! {
    /// An envelope; simple ones often, so that every dialect can say all of some.
    fn envelope()(
        exit in select(Exit::ALL),
        (kind, data, failure) in (of(text()), of(raw()), failure()),
        simple in any::<bool>(),
        issues in vec(issue(), 0..3),
        warnings in vec(prop_oneof![
            text().prop_map(Warning::Text),
            raw().prop_filter("text is text", |raw| raw.value().string().is_none()).prop_map(Warning::Other),
        ], 0..2),
        missing in of(text()),
        meta in meta(),
        extra in members(),
    ) -> Envelope {
        let failed = !exit.is_success();
        let full = Content { kind, data, error: Some(failure), issues, warnings, missing, meta, extra };
        let mut content = if simple {
            let error = full.error.map(|error| ErrorObject { suggestion: error.suggestion, ..ErrorObject::new(error.code, error.message) });
            Content { kind: full.kind, data: full.data, error, ..Content::default() }
        } else {
            full
        };
        if !failed {
            content.error = None;
            if content.data.is_none() && !content.meta.not_modified {
                content.data = Some(Raw::parse("{}").unwrap());
            }
        }
        Envelope::new(exit, content).unwrap()
    }
}

fn transcript_of(written: &Written) -> Transcript {
    let mut transcript =
        Transcript { status: Status::Exited(written.status), ..Transcript::default() };
    match written.stream {
        Stream::Stdout => transcript.stdout.clone_from(&written.document),
        Stream::Stderr => transcript.stderr.clone_from(&written.document),
    }
    transcript
}

/// The same envelope with the number and the version that the dialect writes.
fn stamped(envelope: &Envelope, dialect: &dyn Dialect, status: i32) -> Envelope {
    let (exit, mut content) = envelope.clone().into_parts();
    content.meta.schema_version = dialect.table().version.map(str::to_owned);
    Envelope::new(exit, content).unwrap().with_status(Some(status))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_written_opens_again_and_equals_what_was_meant_unless_losses_say_otherwise(
        envelope in envelope()
    ) {
        for dialect in DIALECTS {
            let conversion = convert(&envelope, *dialect, &Defaults::default()).unwrap();
            let written = &conversion.written;
            let options = Options { dialect: Some(*dialect), ..Options::default() };
            let again = open(&transcript_of(written), &options).unwrap();
            let meant = stamped(&envelope, *dialect, written.status);
            prop_assert_eq!(
                conversion.losses.is_empty(), again.envelope == meant,
                "{:?}: {:?}\n{:#?}\n{:#?}", dialect, conversion.losses, again.envelope, meant
            );
        }
    }

    #[test]
    fn what_a_dialect_has_said_once_it_can_say_again(envelope in envelope()) {
        for dialect in DIALECTS {
            let written = write(&envelope, *dialect, &Defaults::default());
            let options = Options { dialect: Some(*dialect), ..Options::default() };
            let said = open(&transcript_of(&written), &options).unwrap();
            let again = said.convert(*dialect, &Defaults::default()).unwrap();
            prop_assert!(again.losses.is_empty(), "{:?}: {:?}", dialect, again.losses);
            let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
            prop_assert_eq!(text(&again.written.document), text(&written.document));
        }
    }

    #[test]
    fn what_is_written_satisfies_its_schema_and_is_detected(envelope in envelope()) {
        for (dialect, validator) in DIALECTS.iter().zip(VALIDATORS.iter()) {
            let written = write(&envelope, *dialect, &Defaults::default());
            let value = serde_json::from_slice(&written.document).unwrap();
            let errors: Vec<_> = validator.iter_errors(&value).map(|error| error.to_string()).collect();
            prop_assert!(errors.is_empty(), "{:?}: {:?}\n{}", dialect, errors, value);
            if envelope.ok() && dialect.table().outcome == OutcomeFrom::Failure {
                continue;
            }
            let found = detect(&transcript_of(&written), &Options::default());
            prop_assert!(found.is_ok(), "{:?}\n{}", dialect, value);
            let found = found.unwrap();
            // A payload beside the envelope's own keys may hold the marks of another.
            let is_flat = matches!(dialect.table().rest, Rest::Payload);
            let is_possible = is_flat && found.others.iter().any(|(id, _)| *id == dialect.id());
            prop_assert!(found.dialect.id() == dialect.id() || is_possible, "{dialect:?}\n{value}");
            prop_assert!(found.noise.is_empty() && found.confidence >= Confidence::Possible);
        }
    }

    #[test]
    fn a_cut_document_is_never_taken_for_an_envelope(envelope in envelope(), cut in 0.0..1.0f64) {
        for dialect in DIALECTS {
            let mut written = write(&envelope, *dialect, &Defaults::default());
            let whole = written.document.trim_ascii_end().len();
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a place within the document")]
            written.document.truncate((cut * whole as f64) as usize);
            prop_assert!(open(&transcript_of(&written), &Options::default()).is_err());
        }
    }

    #[test]
    fn prose_around_an_envelope_changes_nothing_but_the_noise(
        envelope in envelope(), before in "[a-zA-Z :=.-]{0,20}", after in "[a-zA-Z :=.-]{0,20}"
    ) {
        for dialect in DIALECTS {
            let written = write(&envelope, *dialect, &Defaults::default());
            // A success without an envelope is only known where its dialect is, and marks that dialects
            // share are only settled by a name.
            let is_known = WRITTEN.iter().any(|it| it.id() == dialect.id());
            let named = (!is_known).then_some(*dialect);
            let options = Options { dialect: named, ..Options::default() };
            let clean = open(&transcript_of(&written), &options).unwrap();
            let mut noisy = written.clone();
            noisy.document = [before.as_bytes(), b"\n", &written.document, after.as_bytes()].concat();
            let opened = open(&transcript_of(&noisy), &options).unwrap();
            prop_assert_eq!(&opened.envelope, &clean.envelope);
            prop_assert_eq!(opened.facts.has(FactKind::ProseBefore), !before.trim().is_empty());
            prop_assert_eq!(opened.facts.has(FactKind::ProseAfter), !after.trim().is_empty());
        }
    }

    #[test]
    fn a_payload_keeps_its_spelling_but_for_whitespace(payload in json()) {
        let raw = Raw::parse(&payload).unwrap();
        let content = Content { data: Some(raw.clone()), ..Content::default() };
        let envelope = Envelope::new(Exit::Success, content).unwrap();
        let animus = manila::dialect("animus/1").unwrap();
        let written = write(&envelope, animus, &Defaults::default());
        let opened = open(&transcript_of(&written), &Options::default()).unwrap();
        prop_assert_eq!(opened.envelope.content().data.as_ref(), Some(&raw));
    }
}

/// JSON with a few bytes changed: near enough to be interesting.
fn nearly_json() -> impl Strategy<Value = Vec<u8>> {
    let edit = (
        any::<prop::sample::Index>(),
        prop_oneof![any::<u8>(), select(b"{}[]\",:\\0-e.tn ".to_vec())],
    );
    (json(), vec(edit, 0..3), vec(any::<prop::sample::Index>(), 0..2)).prop_map(
        |(text, edits, cuts)| {
            let mut bytes = text.into_bytes();
            for (place, byte) in edits {
                let place = place.index(bytes.len());
                bytes[place] = byte;
            }
            for cut in cuts.into_iter().filter(|_| bytes.len() > 1).collect::<Vec<_>>() {
                let place = cut.index(bytes.len());
                if bytes.len() > 1 {
                    bytes.remove(place);
                }
            }
            bytes
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 10_000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn the_reader_accepts_exactly_what_serde_json_accepts_as_raw_text(bytes in nearly_json()) {
        let mut reader = Reader::default();
        let ours = reader.read(&bytes);
        let theirs = std::str::from_utf8(&bytes).ok().and_then(|text| serde_json::from_str::<&RawValue>(text).ok());
        prop_assert_eq!(ours.is_ok(), theirs.is_some(), "{:?}: {:?}", String::from_utf8_lossy(&bytes), ours);
        if let (Ok(document), Some(raw)) = (ours, theirs) {
            prop_assert_eq!(document.root().text(), raw.get());
        }
    }

    #[test]
    fn a_flaw_is_where_reading_cannot_go_on(bytes in nearly_json()) {
        let mut reader = Reader::default();
        if let Err(flaw) = reader.read(&bytes) {
            prop_assert!(flaw.offset <= bytes.len());
            // Nothing before the flaw is wrong: the bytes up to it are the start of some document.
            let start = Reader::new(Limits::default()).read(&bytes[..flaw.offset]).map(|_| ());
            let goes_on = matches!(
                start.map_err(|flaw| flaw.kind),
                Ok(()) | Err(FlawKind::UnexpectedEnd | FlawKind::Empty | FlawKind::InvalidUtf8)
            );
            prop_assert!(goes_on, "{:?} {:?}", String::from_utf8_lossy(&bytes), flaw);
        }
    }
}
