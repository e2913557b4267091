//! The recorded runs of the real programs, and whether ours answer in the same form.

use crate::skipped;
use manila::{Opened, Options, Transcript};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What a real program answered in some situation: its twin in `tests/recorded` of the package, which
/// has the keys of the real answer and words of our own, and the real one if recorded runs lie beside
/// the project. Where there is neither, it says what is missing.
pub fn recorded(package: &str, program: &str, case: &str) -> Vec<Opened> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let corpus = std::env::var_os("MANILA_CORPUS").map_or(beside, PathBuf::from);
    let real = corpus.join(program).join(case);
    let twin = Path::new(package).join(RECORDED).join(case);
    let found: Vec<Opened> =
        [&twin, &real].into_iter().filter(|run| run.is_dir()).map(|run| open(run)).collect();
    if found.is_empty() {
        skipped(&format!("{case} of {program}: no recorded run at {}", real.display()));
    }
    found
}

/// Where a package keeps recorded runs of its own.
const RECORDED: &str = "tests/recorded";

fn open(directory: &Path) -> Opened {
    let read = |name: &str| fs::read(directory.join(name)).unwrap_or_default();
    let run = Transcript::from_recorded(&read("run.json"), read("stdout"), read("stderr")).unwrap();
    manila::open(&run, &Options::default()).unwrap()
}

/// Asserts that a package has twins of exactly these recorded runs, so that none gets lost.
#[track_caller]
pub fn assert_twins(package: &str, cases: &[&str]) {
    let entries = fs::read_dir(Path::new(package).join(RECORDED)).unwrap();
    let mut found: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    found.sort_unstable();
    assert_eq!(found, cases, "{RECORDED}");
}

/// Asserts that two answers are the same but for their words: the same keys with the same types, all
/// the way down, and the same exit class. A null goes with every type, and an empty list with every
/// list.
///
/// `except` names where they differ and why, as `(path, reason)`: the place and all below it. An
/// exception that nothing needs is refused.
#[track_caller]
pub fn assert_same_form(ours: &Opened, theirs: &Opened, except: &[(&str, &str)]) {
    let (ours, theirs) = (form(ours), form(theirs));
    let mut different: Vec<String> = Vec::new();
    let mut used = vec![false; except.len()];
    let paths = ours.keys().chain(theirs.keys().filter(|path| !ours.contains_key(*path)));
    for path in paths {
        let is_in_empty_list = |places: &BTreeMap<String, String>| {
            path.match_indices("[]").any(|(end, _)| {
                places.contains_key(&path[..end]) && !places.contains_key(&path[..end + 2])
            })
        };
        if is_in_empty_list(&ours) || is_in_empty_list(&theirs) {
            continue;
        }
        let (ours, theirs) = (ours.get(path), theirs.get(path));
        if ours == theirs || goes_with_everything(ours) && goes_with_everything(theirs) {
            continue;
        }
        if (ours.is_some() && theirs.is_some()) && (is_null(ours) || is_null(theirs)) {
            continue;
        }
        let below = |place: &str| {
            path.strip_prefix(place)
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
        };
        match except.iter().position(|(place, _)| below(place)) {
            Some(at) => used[at] = true,
            None => different.push(format!("{path}: {ours:?} here, {theirs:?} there")),
        }
    }
    let unused = except.iter().zip(used).filter(|(_, used)| !used).map(|(exception, _)| exception);
    different.extend(unused.map(|(place, _)| format!("{place}: an exception that nothing needs")));
    assert!(different.is_empty(), "not the same form:\n{}", different.join("\n"));
}

fn is_null(what: Option<&String>) -> bool {
    what.is_some_and(|what| what == "null")
}

fn goes_with_everything(what: Option<&String>) -> bool {
    what.is_none_or(|what| what == "null")
}

/// Every place in the normal form and its value. What is in lists is one place.
fn form(opened: &Opened) -> BTreeMap<String, String> {
    let envelope = serde_json::to_value(&opened.envelope).unwrap();
    let mut places = BTreeMap::new();
    visit("", &envelope, &mut places);
    // The number of a class is the class's, and its wording is not part of the contract.
    let class = envelope["exit"].as_str().unwrap_or_default().to_owned();
    places.insert("exit".to_owned(), class);
    places.remove("status");
    places
}

fn visit(path: &str, value: &Value, places: &mut BTreeMap<String, String>) {
    let kind = match value {
        Value::Null => "null",
        Value::Bool(_) => "bool",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    if kind != "null" || !places.contains_key(path) {
        places.insert(path.to_owned(), kind.to_owned());
    }
    match value {
        Value::Array(items) => {
            for item in items {
                visit(&format!("{path}[]"), item, places);
            }
        }
        Value::Object(members) => {
            for (key, value) in members {
                let dot = if path.is_empty() { "" } else { "." };
                visit(&format!("{path}{dot}{key}"), value, places);
            }
        }
        _ => {}
    }
}
