//! Every pack in `packs/`: it is built in, it has no mistakes, and the runs beside it are read as they say.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    reason = "a test may stop at the first surprise"
)]

use manila::{Exit, Transcript};
use manila_pack::{BUILTIN, Effect, Lookup, Model, Pack, Text, check_file, effects, read_call};
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn directory() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("packs")
}

fn names() -> BTreeSet<String> {
    let entries = std::fs::read_dir(directory()).expect("the packs");
    entries.map(|entry| entry.expect("a pack").file_name().to_string_lossy().into_owned()).collect()
}

fn pack(name: &str) -> Pack {
    BUILTIN.pack(name).unwrap_or_else(|| panic!("{name} is built in"))
}

#[test]
fn the_directory_and_what_is_built_in_agree() {
    let built: BTreeSet<String> = BUILTIN.names().map(str::to_owned).collect();
    assert_eq!(names(), built);
    for name in names() {
        let text =
            std::fs::read_to_string(directory().join(&name).join("pack.toml")).expect("a pack");
        let model = Model::from_toml(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert_eq!(*pack(&name).whole(), model, "{name} is built in as it is written");
        for program in &model.programs {
            let found = BUILTIN.find(program).unwrap_or_else(|| panic!("{program} has a pack"));
            assert_eq!(found.name(), name, "{program}");
        }
    }
}

#[test]
fn a_pack_that_is_found_for_a_program_has_its_rules_and_only_the_number_of_the_others() {
    let mut programs = 0;
    for name in names() {
        let whole = pack(&name).whole().into_owned();
        for program in &whole.programs {
            programs += 1;
            let found = BUILTIN.find(program).unwrap_or_else(|| panic!("{program} has a pack"));
            assert_eq!(*found.whole(), whole, "{program}");
            let part = found.model().clone();
            let is_own = |of: &[Text<'_>]| of.is_empty() || of.contains(program);
            macro_rules! compare {
                ($($rules:ident)*) => {$(
                    assert_eq!(part.$rules.len(), whole.$rules.len(), "{program}");
                    for (found, rule) in part.$rules.iter().zip(&whole.$rules) {
                        assert_eq!(is_own(&found.program), is_own(&rule.program), "{program}");
                        assert!(found == rule || !is_own(&rule.program), "{program}: {rule:?}");
                    }
                )*};
            }
            compare!(option effect wraps json);
            let Model { option, effect, wraps, json, status, error, cause, .. } = whole.clone();
            let part = Model { option, effect, wraps, json, status, error, cause, ..part };
            assert_eq!(part, whole, "{program}");
        }
    }
    assert!(programs >= 200, "{programs} programs");
}

#[test]
fn no_pack_has_a_mistake_and_every_run_is_read_as_it_says() {
    let mut mistakes = String::new();
    let mut runs = 0;
    for name in names() {
        let file = directory().join(&name).join("pack.toml");
        let checked = check_file(&file, &BUILTIN).expect("a pack that can be read");
        runs += checked.runs;
        for finding in checked.findings {
            let _ = writeln!(mistakes, "{name}: {finding:?}");
        }
    }
    assert!(mistakes.is_empty(), "{mistakes}");
    assert!(runs >= 150, "{runs} runs");
}

#[test]
fn no_recorded_run_shows_whose_it_was() {
    for name in names() {
        let Ok(runs) = std::fs::read_dir(directory().join(&name).join("runs")) else { continue };
        for run in runs {
            let run = run.expect("a run").path();
            for file in ["run.json", "stdout", "stderr", "expect.json"] {
                let bytes = std::fs::read(run.join(file)).expect("a file of a run");
                let text = String::from_utf8_lossy(&bytes);
                let homes = text.match_indices("/home/").map(|(at, home)| &text[at + home.len()..]);
                let is_anyones = |rest: &str| {
                    rest.starts_with("user") || !rest.starts_with(char::is_alphanumeric)
                };
                let place = run.join(file);
                assert!(homes.into_iter().all(is_anyones), "{}: a home directory", place.display());
                assert!(!text.contains("/root/"), "{}: a home directory", place.display());
            }
        }
    }
}

#[test]
fn no_pack_calls_a_program_a_read_that_it_does_not_know() {
    for name in names() {
        for program in &pack(&name).model().programs {
            let found = effects(&[program, "manila-does-not-know-this"], &BUILTIN);
            let takes_words = pack(&name)
                .model()
                .effect
                .iter()
                .any(|rule| rule.command.is_empty() && rule.effect == Effect::None);
            assert!(found.effect != Effect::None || takes_words, "{program}: {found:?}");
        }
    }
}

/// The runs of other people's programs that lie beside the project, if they do.
#[test]
fn the_corpus_of_programs_is_read_as_it_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let corpus = std::env::var_os("MANILA_CORPUS")
        .map_or_else(|| root.join("../shared/corpus"), PathBuf::from);
    let Ok(entries) = std::fs::read_dir(corpus.join("programs")) else {
        use std::io::Write as _;
        let _ = writeln!(std::io::stderr(), "SKIPPED: there is no corpus of programs");
        return;
    };
    let mut wrong = String::new();
    for entry in entries {
        let run = entry.expect("a run").path();
        let bytes = |name: &str| std::fs::read(run.join(name)).expect("a file of a run");
        let transcript =
            Transcript::from_recorded(&bytes("run.json"), bytes("stdout"), bytes("stderr"));
        let transcript = transcript.expect("a recorded run");
        let Some(program) = transcript.argv.first() else { continue };
        if BUILTIN.find(program).is_none() {
            continue;
        }
        let expected: serde_json::Value =
            serde_json::from_slice(&bytes("expect.json")).expect("JSON");
        let reading = read_call(&transcript, &BUILTIN);
        if expected["class"] != reading.class_name() {
            let _ = writeln!(wrong, "{}: {expected} and {reading:?}", run.display());
        }
        let is_failure = reading.class != Some(Exit::Success);
        assert!(!is_failure || reading.message.is_some(), "{} has a cause", run.display());
    }
    assert!(wrong.is_empty(), "{wrong}");
}
