//! Every recorded run: opened, converted, decided upon. Ours are in the repository; those of real
//! programs are added when they are at hand.
#![expect(clippy::disallowed_macros, reason = "the matrix is printed on request")]

mod support;

use manila::{
    Answer, DIALECTS, Defaults, Dialect, ErrorKind, History, Options, Policy, Stream, decide, open,
    schema,
};
use std::collections::BTreeMap;
use support::Recorded;

/// The programs whose dialect is known, and how the ids of their dialects begin.
const PROGRAMS: &[(&str, &str)] = &[
    ("animus", "animus/"),
    ("claw", "claw/"),
    ("i18nprune", "i18nprune/"),
    ("notes", "response-envelope/"),
    ("td", "td/"),
];

#[test]
fn every_recorded_run_opens_as_its_own_dialect_or_says_why_not() {
    let mut counts: BTreeMap<(&str, bool), (usize, usize)> = BTreeMap::new();
    let runs = support::corpus();
    for run in &runs {
        let Some((_, dialect)) = PROGRAMS.iter().find(|(name, _)| *name == run.program) else {
            continue;
        };
        let count = counts.entry((&run.program, run.is_ours)).or_default();
        match open(&run.transcript, &Options::default()) {
            Ok(opened) => {
                count.0 += 1;
                let id = opened.detection.dialect.id();
                assert!(id.starts_with(dialect), "{run} opened as {id}");
            }
            Err(error) => {
                count.1 += 1;
                println!("{run}: {error}");
                assert!(!run.is_ours, "{run}: {error}");
                let kinds = [ErrorKind::NoEnvelope, ErrorKind::NotJson, ErrorKind::Empty];
                assert!(kinds.contains(&error.kind()));
            }
        }
    }
    println!("opened, not opened: {counts:?}");
    for (name, _) in PROGRAMS {
        let opened = counts.get(&(name, true)).map_or(0, |(opened, _)| *opened);
        assert!(opened >= 5, "{opened} of our own runs of {name}");
    }
    assert!(counts.values().all(|(opened, _)| *opened > 0), "{counts:?}");
}

#[test]
fn every_recorded_run_converts_to_every_dialect_and_satisfies_its_schema() {
    let validators: Vec<_> = DIALECTS
        .iter()
        .map(|dialect| jsonschema::validator_for(&schema(*dialect, None).unwrap()).unwrap())
        .collect();
    let mut converted = 0;
    for run in support::corpus() {
        let Ok(opened) = open(&run.transcript, &Options::default()) else { continue };
        for (dialect, validator) in DIALECTS.iter().zip(&validators) {
            let conversion = opened.convert(*dialect, &Defaults::default()).unwrap();
            let document = serde_json::from_slice(&conversion.written.document).unwrap();
            let errors: Vec<_> =
                validator.iter_errors(&document).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{run} as {}: {errors:?}", dialect.id());
            converted += 1;
        }
    }
    assert!(converted >= 250, "{converted} conversions");
}

#[test]
fn answers_are_written_byte_for_byte_as_the_programs_wrote_them() {
    let mut compared: BTreeMap<&str, usize> = BTreeMap::new();
    let runs = support::corpus();
    for run in &runs {
        let Ok(opened) = open(&run.transcript, &Options::default()) else { continue };
        let stream = opened.detection.stream;
        let original = &run.transcript.stream(stream)[opened.detection.span.clone()];
        let original = String::from_utf8(original.to_vec()).unwrap();
        let Some(expected) = expected_spelling(run, &original) else { continue };
        let dialect: &'static dyn Dialect = opened.detection.dialect;
        let written = opened.convert(dialect, &Defaults::default()).unwrap().written;
        let written = String::from_utf8(written.document).unwrap();
        assert_eq!(written.trim_end(), expected, "{run} on {stream}");
        *compared.entry(&run.program).or_default() += 1;
    }
    for program in ["animus", "i18nprune", "td"] {
        assert!(compared.get(program).is_some_and(|count| *count >= 5), "{compared:?}");
    }
}

/// What we would write, where the program kept to its own document; nothing where it did not.
fn expected_spelling(run: &Recorded, original: &str) -> Option<String> {
    let (program, name) = (run.program.as_str(), run.name.as_str());
    match program {
        // The order of keys in `meta` is free, and the shell program has its own.
        _ if run.is_ours => (!["broken", "notes"].contains(&program)).then(|| original.to_owned()),
        "animus" => {
            let is_old_example = name.starts_with("doc_");
            (!is_old_example).then(|| original.replacen("ao.cli.v1", "animus.cli.v1", 1))
        }
        // An empty `details` is not written.
        "td" => Some(original.replace(",\n    \"details\": {}", "")),
        // Compact on request, or with sorted keys in a snapshot; a success that exits with 1.
        "i18nprune" => {
            let odd = name.ends_with("_compact") || name.starts_with("parity_");
            let contradictory = ["patchbad_doctor", "patchschema_doctor"].contains(&name);
            (!odd && !contradictory && !name.ends_with("_config")).then(|| original.to_owned())
        }
        _ => None,
    }
}

#[test]
fn every_recorded_run_gets_a_decision_and_failures_are_never_accepted() {
    let (mut accepted, mut refused) = (0, 0);
    for run in support::corpus() {
        let transcript = &run.transcript;
        let opened = open(transcript, &Options::default());
        let decision = decide(
            &Answer::new(transcript, opened.as_ref()),
            &History::default(),
            &Policy::default(),
        );
        let is_accepted = decision.action == manila::Action::Accept;
        let failed = transcript.status != manila::Status::Exited(0);
        assert!(!(is_accepted && failed), "{run}: {decision:?}");
        assert!(!decision.reason.is_empty());
        let is_page = matches!(decision.action, manila::Action::NextPage { .. });
        if opened.is_ok_and(|opened| opened.detection.stream == Stream::Stdout)
            && !failed
            && !is_page
        {
            let calm = ["accept", "escalate"].contains(&decision.action.name());
            assert!(calm, "{run}: {decision:?}");
        }
        *if is_accepted { &mut accepted } else { &mut refused } += 1;
    }
    assert!(accepted >= 15 && refused >= 20, "{accepted} accepted, {refused} not");
}
