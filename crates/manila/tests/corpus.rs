//! Every recorded run of a real program, when they are at hand: opened, converted, decided upon.
#![expect(clippy::disallowed_macros, reason = "the matrix is printed for whoever asks for it")]

mod support;

use manila::{
    Answer, DIALECTS, Defaults, Dialect, ErrorKind, History, Options, Policy, Stream, decide, open,
    schema,
};
use std::collections::BTreeMap;

#[test]
fn every_recorded_run_opens_as_its_own_dialect_or_says_why_not() {
    let Some(corpus) = support::corpus() else { return };
    let mut counts: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
    for program in ["animus", "claw", "i18nprune", "td"] {
        for (name, transcript) in support::recorded_runs(&corpus.join(program)) {
            let count = counts.entry(program).or_default();
            match open(&transcript, &Options::default()) {
                Ok(opened) => {
                    count.0 += 1;
                    let id = opened.detection.dialect.id();
                    assert!(id.starts_with(program), "{program}/{name} opened as {id}");
                }
                Err(error) => {
                    count.1 += 1;
                    println!("{program}/{name}: {error}");
                    let kinds = [ErrorKind::NoEnvelope, ErrorKind::NotJson, ErrorKind::Empty];
                    assert!(kinds.contains(&error.kind()));
                }
            }
        }
    }
    println!("opened, not opened: {counts:?}");
    assert!(counts.values().all(|(opened, _)| *opened > 0));
}

#[test]
fn every_recorded_run_converts_to_every_dialect_and_satisfies_its_schema() {
    let Some(corpus) = support::corpus() else { return };
    let validators: Vec<_> = DIALECTS
        .iter()
        .map(|dialect| jsonschema::validator_for(&schema(*dialect, None).unwrap()).unwrap())
        .collect();
    for program in ["animus", "claw", "i18nprune", "td"] {
        for (name, transcript) in support::recorded_runs(&corpus.join(program)) {
            let Ok(opened) = open(&transcript, &Options::default()) else { continue };
            for (dialect, validator) in DIALECTS.iter().zip(&validators) {
                let conversion = opened.convert(*dialect, &Defaults::default()).unwrap();
                let document = serde_json::from_slice(&conversion.written.document).unwrap();
                let errors: Vec<_> =
                    validator.iter_errors(&document).map(|error| error.to_string()).collect();
                assert!(errors.is_empty(), "{program}/{name} as {}: {errors:?}", dialect.id());
            }
        }
    }
}

#[test]
fn td_and_animus_answers_are_written_byte_for_byte_as_the_programs_wrote_them() {
    let Some(corpus) = support::corpus() else { return };
    for (program, id) in [("td", "td/1"), ("animus", "animus/1"), ("i18nprune", "i18nprune/1")] {
        let dialect: &'static dyn Dialect = manila::dialect(id).unwrap();
        for (name, transcript) in support::recorded_runs(&corpus.join(program)) {
            let Ok(opened) = open(&transcript, &Options::default()) else { continue };
            let stream = opened.detection.stream;
            let original = &transcript.stream(stream)[opened.detection.span.clone()];
            let original = String::from_utf8(original.to_vec()).unwrap();
            let written = opened.convert(dialect, &Defaults::default()).unwrap().written;
            let written = String::from_utf8(written.document).unwrap();
            let expected = expected_spelling(program, &name, &original);
            if let Some(expected) = expected {
                assert_eq!(written.trim_end(), expected, "{program}/{name} on {stream}");
            }
        }
    }
}

/// What we would write, where the program kept to its own document; nothing where it did not.
fn expected_spelling(program: &str, name: &str, original: &str) -> Option<String> {
    match program {
        "animus" => {
            let is_old_example = name.starts_with("doc_");
            (!is_old_example).then(|| original.replacen("ao.cli.v1", "animus.cli.v1", 1))
        }
        // An empty `details` is not written.
        "td" => Some(original.replace(",\n    \"details\": {}", "")),
        // Compact on request, or with sorted keys in a snapshot; a success that exits with 1.
        _ => {
            let odd = name.ends_with("_compact") || name.starts_with("parity_");
            let contradictory = ["patchbad_doctor", "patchschema_doctor"].contains(&name);
            (!odd && !contradictory && !name.ends_with("_config")).then(|| original.to_owned())
        }
    }
}

#[test]
fn every_recorded_run_gets_a_decision_and_failures_are_never_accepted() {
    let Some(corpus) = support::corpus() else { return };
    for program in ["animus", "claw", "i18nprune", "td"] {
        for (name, transcript) in support::recorded_runs(&corpus.join(program)) {
            let opened = open(&transcript, &Options::default());
            let decision = decide(
                &Answer::new(&transcript, opened.as_ref()),
                &History::default(),
                &Policy::default(),
            );
            let accepted = decision.action == manila::Action::Accept;
            let failed = transcript.status != manila::Status::Exited(0);
            assert!(!(accepted && failed), "{program}/{name}: {decision:?}");
            assert!(!decision.reason.is_empty());
            if opened.is_ok_and(|opened| opened.detection.stream == Stream::Stdout) && !failed {
                let calm = ["accept", "escalate"].contains(&decision.action.name());
                assert!(calm, "{program}/{name}: {decision:?}");
            }
        }
    }
}
