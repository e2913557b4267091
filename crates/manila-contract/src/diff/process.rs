//! Compares the behaviour of the process: outcomes of calls, exit codes, streams, files, interactive programs.

use super::change::{Sink, place};
use super::rule::Rule;
use super::rule::process as rules;
use crate::lock::{Answer, Attribute, Command, Facts, Group, Outcome};
use std::collections::BTreeSet;

pub(super) fn compare(old: &Command, new: &Command, sink: &mut Sink<'_>) {
    for (name, was) in &old.calls {
        // A call that does the same without JSON, or with another value, is reported once.
        let is_repeated = base(name).is_some_and(|base| {
            old.calls.get(base) == Some(was) && new.calls.get(base) == new.calls.get(name)
        });
        if let Some(is) = new.calls.get(name).filter(|is| *is != was && !is_repeated) {
            call(name, was, is, sink);
        }
    }
    for (attribute, rules) in [
        (Attribute::Writes, (&rules::WRITES_GONE, &rules::WRITES_APPEARED)),
        (Attribute::Starts, (&rules::NO_LONGER_STARTS_TOOL, &rules::STARTS_TOOL)),
        (Attribute::Input, (&rules::NO_LONGER_WAITS_FOR_INPUT, &rules::NOW_WAITS_FOR_INPUT)),
    ] {
        each(attribute.as_str(), &old.facts, &new.facts, attribute, rules, sink);
    }
    // Recorded runs do not say what was asked for: an answer that was text and is a document is in another group.
    let has = |command: &Command, group| command.answers.contains_key(&group);
    let only = |command: &Command| (has(command, Group::Text), has(command, Group::Ok));
    let at = |word: &str| Some(place("text stdout", word));
    match (only(old), only(new)) {
        ((true, false), (false, true)) => {
            sink.add(&rules::PIPED_TEXT_BECAME_JSON, at("text"), at("document"));
        }
        ((false, true), (true, false)) => {
            sink.add(&rules::PIPED_JSON_BECAME_TEXT, at("document"), at("text"));
        }
        _ => {}
    }
    for group in Group::ALL {
        if let (Some(was), Some(is)) = (old.answers.get(&group), new.answers.get(&group)) {
            answer(group, was, is, sink);
        }
    }
}

/// The call that a call repeats without JSON (`sample-text`) or with another value (`missing-2`). Declared cases repeat
/// nothing.
fn base(name: &str) -> Option<&str> {
    name.strip_suffix("-text").or_else(|| {
        let (base, number) = name.rsplit_once('-')?;
        let is_number = !number.is_empty() && number.bytes().all(|it| it.is_ascii_digit());
        (is_number && !base.starts_with("case")).then_some(base)
    })
}

/// Each value that is gone or new.
fn each(
    subject: &str,
    old: &Facts,
    new: &Facts,
    attribute: Attribute,
    rules: (&'static Rule, &'static Rule),
    sink: &mut Sink<'_>,
) {
    let none = BTreeSet::new();
    let (was, is) = (old.get(&attribute).unwrap_or(&none), new.get(&attribute).unwrap_or(&none));
    for value in was.difference(is) {
        sink.add(rules.0, Some(place(subject, value)), None);
    }
    for value in is.difference(was) {
        sink.add(rules.1, None, Some(place(subject, value)));
    }
}

/// The two rules of a call that succeeds or fails: of one that failed and succeeds, and of the other way.
fn turned(name: &str) -> (&'static Rule, &'static Rule) {
    let base = name.split("-text").next().unwrap_or(name);
    match base.trim_end_matches(|it: char| it.is_ascii_digit() || it == '-') {
        "empty" => (&rules::FAILURE_BECAME_EMPTY, &rules::EMPTY_BECAME_FAILURE),
        "missing" => (&rules::MISSING_BECAME_SUCCESS, &rules::MISSING_BECAME_FAILURE),
        "unknown-flag" => (&rules::UNKNOWN_FLAG_ACCEPTED, &rules::UNKNOWN_FLAG_REJECTED),
        "missing-argument" => {
            (&rules::MISSING_ARGUMENT_ACCEPTED, &rules::MISSING_ARGUMENT_REJECTED)
        }
        "unknown-command" => (&rules::UNKNOWN_COMMAND_ACCEPTED, &rules::UNKNOWN_COMMAND_REJECTED),
        "version" => (&rules::VERSION_GAINED, &rules::VERSION_LOST),
        _ => (&rules::FAILURE_BECAME_SUCCESS, &rules::SUCCESS_BECAME_FAILURE),
    }
}

fn call(name: &str, old: &BTreeSet<Outcome>, new: &BTreeSet<Outcome>, sink: &mut Sink<'_>) {
    let shown = |all: &BTreeSet<Outcome>| {
        let words = all.iter().map(Outcome::to_string).collect::<Vec<_>>().join(" | ");
        Some(place(format!("call {name}"), words))
    };
    let (was, is) = match (old.len(), new.len()) {
        (1, 1) => (old.first(), new.first()),
        (1, _) if new.is_superset(old) => {
            return sink.add(&rules::CALL_BECAME_FLAKY, shown(old), shown(new));
        }
        (_, 1) if old.is_superset(new) => {
            return sink.add(&rules::CALL_BECAME_STEADY, shown(old), shown(new));
        }
        _ => (old.first(), new.first()),
    };
    let (Some(was), Some(is)) = (was, is) else { return };
    let (accepted, rejected) = turned(name);
    let rule = match (was, is) {
        (Outcome::Hangs, Outcome::Hangs) | (Outcome::Floods, Outcome::Floods) => return,
        (Outcome::Signal(_), Outcome::Signal(_)) => return,
        (_, Outcome::Hangs) => &rules::NOW_HANGS,
        (Outcome::Hangs, _) => &rules::NO_LONGER_HANGS,
        (_, Outcome::Floods) => &rules::NOW_FLOODS,
        (Outcome::Floods, _) => &rules::NO_LONGER_FLOODS,
        (_, Outcome::Signal(_)) => &rules::NOW_CRASHES,
        (Outcome::Signal(_), _) => &rules::NO_LONGER_CRASHES,
        (Outcome::Ok, Outcome::Failed(_)) => rejected,
        (Outcome::Failed(_), Outcome::Ok) => accepted,
        // Which failure it is, is reported with the errors.
        (Outcome::Ok, Outcome::Ok) | (Outcome::Failed(_), Outcome::Failed(_)) => return,
    };
    sink.add(rule, shown(old), shown(new));
}

fn answer(group: Group, old: &Answer, new: &Answer, sink: &mut Sink<'_>) {
    let word = group.as_str();
    status(word, &old.facts, &new.facts, sink);
    streams(group, &old.facts, &new.facts, sink);
    if let (Some(was), Some(is)) =
        (old.facts.get(&Attribute::Layout), new.facts.get(&Attribute::Layout))
        && was != is
    {
        let shown = |set: &BTreeSet<String>| {
            let all = set.iter().cloned().collect::<Vec<_>>().join(" ");
            Some(place(format!("{word} layout"), all))
        };
        sink.add(&rules::TEXT_LAYOUT_CHANGED, shown(was), shown(is));
    }
    let subject = format!("{word} escapes");
    let rules = (&rules::ESCAPES_GONE, &rules::ESCAPES_APPEARED);
    each(&subject, &old.facts, &new.facts, Attribute::Escapes, rules, sink);
}

/// The exit code of a success.
fn status(word: &str, old: &Facts, new: &Facts, sink: &mut Sink<'_>) {
    let of = |facts: &Facts| facts.get(&Attribute::Status).cloned().unwrap_or_default();
    let (was, is) = (of(old), of(new));
    if was == is || was.is_empty() || is.is_empty() {
        return;
    }
    let shown = |set: &BTreeSet<String>| {
        Some(place(format!("{word} status"), set.iter().cloned().collect::<Vec<_>>().join(" ")))
    };
    let is_zero = |set: &BTreeSet<String>| set.iter().all(|it| it == "0");
    let rule = match (is_zero(&was), is_zero(&is)) {
        (true, _) => &rules::SUCCESS_NOW_NONZERO,
        (_, true) => &rules::SUCCESS_NOW_ZERO,
        _ => &rules::EXIT_STATUS_CHANGED,
    };
    sink.add(rule, shown(&was), shown(&is));
}

/// What is on a stream: text, documents.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Content {
    has_text: bool,
    has_document: bool,
}

fn content(facts: &Facts, attribute: Attribute) -> Option<Content> {
    let kinds = facts.get(&attribute)?;
    let has = |words: &[&str]| words.iter().any(|word| kinds.contains(*word));
    Some(Content {
        has_text: has(&["text", "documents-and-text", "broken"]),
        has_document: has(&["document", "lines", "documents-and-text"]),
    })
}

fn streams(group: Group, old: &Facts, new: &Facts, sink: &mut Sink<'_>) {
    let word = group.as_str();
    let shown = |facts: &Facts, attribute: Attribute| {
        let all: Vec<String> = facts.get(&attribute).into_iter().flatten().cloned().collect();
        Some(place(format!("{word} {}", attribute.as_str()), all.join(" ")))
    };
    let mut add = |rule, attribute| sink.add(rule, shown(old, attribute), shown(new, attribute));
    let stream = |facts: &Facts| facts.get(&Attribute::Stream).and_then(|it| it.first().cloned());
    let (answer_was, answer_is) = (stream(old), stream(new));
    match (group, answer_was.as_deref(), answer_is.as_deref()) {
        (Group::Failure, Some("stdout"), Some("stderr")) => {
            add(&rules::ERROR_MOVED_TO_STDERR, Attribute::Stream);
        }
        (Group::Failure, Some("stderr"), Some("stdout")) => {
            add(&rules::ERROR_MOVED_TO_STDOUT, Attribute::Stream);
        }
        (_, Some("stdout"), Some("stderr")) => {
            add(&rules::ANSWER_MOVED_TO_STDERR, Attribute::Stream);
        }
        (_, Some("stderr"), Some("stdout")) => {
            add(&rules::ANSWER_MOVED_TO_STDOUT, Attribute::Stream);
        }
        _ => {}
    }
    let both = |attribute| Some((content(old, attribute)?, content(new, attribute)?));
    // Text that moved to the other stream is not gone, and not beside a document.
    if let (Group::Text, Some((was, is)), Some((was_err, is_err))) =
        (group, both(Attribute::Stdout), both(Attribute::Stderr))
        && !(was.has_document || is.has_document)
    {
        match ([was.has_text, is.has_text], [was_err.has_text, is_err.has_text]) {
            ([true, false], [false, true]) => {
                return add(&rules::ANSWER_MOVED_TO_STDERR, Attribute::Stdout);
            }
            ([false, true], [true, false]) => {
                return add(&rules::ANSWER_MOVED_TO_STDOUT, Attribute::Stdout);
            }
            _ => {}
        }
    }
    if let Some((was, is)) = both(Attribute::Stdout) {
        let turns_into_document = (was.has_document, is.has_document);
        match group {
            Group::Text => match (turns_into_document, was.has_text, is.has_text) {
                ((false, true), true, _) => add(&rules::PIPED_TEXT_BECAME_JSON, Attribute::Stdout),
                ((true, false), _, true) => add(&rules::PIPED_JSON_BECAME_TEXT, Attribute::Stdout),
                ((false, false), true, false) => add(&rules::TEXT_OUTPUT_GONE, Attribute::Stdout),
                ((false, false), false, true) => {
                    add(&rules::TEXT_OUTPUT_APPEARED, Attribute::Stdout);
                }
                _ => {}
            },
            // Where there is no document, text is the answer and not beside it.
            Group::Ok | Group::Failure if turns_into_document == (true, true) => {
                match (was.has_text, is.has_text) {
                    (false, true) => add(&rules::TEXT_ON_STDOUT_APPEARED, Attribute::Stdout),
                    (true, false) => add(&rules::TEXT_ON_STDOUT_GONE, Attribute::Stdout),
                    _ => {}
                }
            }
            Group::Ok | Group::Failure => {}
        }
    }
    if let Some((was, is)) = both(Attribute::Stderr).filter(|_| group != Group::Failure) {
        match (was.has_text, is.has_text) {
            (false, true) => add(&rules::TEXT_ON_STDERR_APPEARED, Attribute::Stderr),
            (true, false) => add(&rules::TEXT_ON_STDERR_GONE, Attribute::Stderr),
            _ => {}
        }
    }
}
