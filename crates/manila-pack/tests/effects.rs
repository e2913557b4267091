//! The labelled calls in `effects/*.tsv`: each has the effect that it is said to have.
#![allow(
    clippy::disallowed_methods,
    clippy::expect_used,
    clippy::panic,
    reason = "a test may stop at the first surprise"
)]

use manila_pack::{BUILTIN, Effect, effects};
use std::fmt::Write as _;
use std::path::Path;

struct Labelled {
    place: String,
    effect: Effect,
    argv: Vec<String>,
}

fn labelled() -> Vec<Labelled> {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/effects");
    let mut files: Vec<_> = std::fs::read_dir(directory)
        .expect("the labelled calls")
        .map(|entry| entry.expect("an entry").path())
        .collect();
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let text = std::fs::read_to_string(&file).expect("a file of calls");
        for (number, line) in text.lines().enumerate() {
            if line.is_empty() || line.starts_with('#') {
                continue;
            }
            let name = file.file_name().unwrap_or_default().to_string_lossy();
            let place = format!("{name}:{}", number + 1);
            let (effect, call) = line.split_once('\t').unwrap_or_else(|| panic!("{place}: no tab"));
            let effect = Effect::ALL.iter().copied().find(|known| known.as_str() == effect);
            let effect = effect.unwrap_or_else(|| panic!("{place}: not an effect"));
            let argv = shlex::split(call).unwrap_or_else(|| panic!("{place}: not shell words"));
            all.push(Labelled { place, effect, argv });
        }
    }
    all
}

#[test]
fn every_call_has_the_effect_it_is_labelled_with() {
    let mut wrong = String::new();
    let mut reads = 0;
    let all = labelled();
    for Labelled { place, effect, argv } in &all {
        let found = effects(argv, &BUILTIN);
        if found.effect != *effect {
            let is_grave = found.effect == Effect::None;
            reads += usize::from(is_grave);
            let mark = if is_grave { " CALLED A READ" } else { "" };
            let call = argv.join(" ");
            let _ = writeln!(
                wrong,
                "{place}: {call}: {effect} expected, {} by {} ({}){mark}",
                found.effect, found.rule, found.why
            );
        }
    }
    assert!(wrong.is_empty(), "{reads} called reads that are none:\n{wrong}");
    assert!(all.len() >= 3000, "{} calls are labelled, and 3000 are wanted", all.len());
}

#[test]
fn every_effect_of_a_pack_names_its_evidence() {
    for Labelled { place, argv, .. } in labelled() {
        let found = effects(&argv, &BUILTIN);
        let is_ours = !found.rule.contains('/');
        assert!(is_ours || !found.evidence.is_empty(), "{place}: {found:?}");
    }
}
