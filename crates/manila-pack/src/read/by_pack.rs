//! What a run means by the rules of a pack: errors, then statuses, and where the cause stands.

use crate::call::{Call, Ends, Open};
use crate::condition::may_be;
use crate::model::{Again, Cause, Done, ErrorRule, Model, Pick, StatusRule, Where};
use crate::pattern::{LinePattern, is_number, wait_ms};
use crate::read::generic;
use crate::read::stream::{Text, pointed, text_of};
use crate::read::{Reading, Streams, class_of_http, is_transient, shortened};
use manila::exit::Effects;
use manila::{Confidence, Exit, Status};
use serde_json::Value;

/// What a rule found: captures, and the line or value that it stood in.
struct Found {
    captures: Vec<(String, String)>,
    text: String,
}

/// What an error rule of a pack says about a run. `calls` is what the pack says about calls, `model`
/// what it says about answers.
pub(super) fn by_error(
    subject: &Run<'_>,
    streams: &Streams,
    calls: &Model<'_>,
    model: &Model<'_>,
) -> Option<Reading> {
    if matches!(subject.status, Status::Signaled(_)) {
        return None;
    }
    let code = subject.code();
    let call = subject.call(calls);
    for rule in &model.error {
        let is_asked = match code {
            Some(0) => rule.status.contains(&0),
            Some(code) => rule.status.is_empty() || rule.status.contains(&code),
            None => true,
        };
        if !is_asked || !may_be(&rule.program, &rule.command, &rule.flag, &call) {
            continue;
        }
        let is_data = rule.then_blank && code == Some(0);
        let found = if is_data { find_in_data(rule, streams) } else { find(rule, streams) };
        if let Some(found) = found {
            return Some(of_error(rule, &found, model, streams));
        }
    }
    None
}

/// What a status rule of a pack says about a run.
pub(super) fn by_status(
    subject: &Run<'_>,
    streams: &Streams,
    calls: &Model<'_>,
    model: &Model<'_>,
) -> Option<Reading> {
    let code = subject.code().filter(|code| *code != 0)?;
    let call = subject.call(calls);
    let is_meant = |rule: &StatusRule<'_>| {
        rule.status.contains(&code) && may_be(&rule.program, &rule.command, &rule.flag, &call)
    };
    let rule = model.status.iter().find(|rule| is_meant(rule))?;
    of_status(rule, model, streams)
}

/// A run of one program.
pub(super) struct Run<'r> {
    pub(super) program: &'r str,
    pub(super) arguments: Vec<&'r str>,
    pub(super) status: Status,
}

impl<'r> Run<'r> {
    /// The status, if it ended with one and it is known.
    fn code(&self) -> Option<i32> {
        match self.status {
            Status::Exited(code) => Some(code),
            Status::Unknown | Status::Signaled(_) => None,
        }
    }

    fn call<'p>(&self, model: &'p Model<'p>) -> Call<'r, 'p> {
        Call::new(self.program, &self.arguments, model, Open::No, Ends::WithCall)
    }
}

fn of_status(rule: &StatusRule<'_>, model: &Model<'_>, streams: &Streams) -> Option<Reading> {
    let class = Exit::from_name(&rule.class);
    // A benign status beside a complaint is not benign.
    if class == Some(Exit::Success) && complains(&model.cause, streams) {
        return None;
    }
    let cause = cause(&model.cause, streams);
    let retry = rule.retry.map_or(is_transient(class), |retry| retry == Again::Yes);
    let is_success = class == Some(Exit::Success);
    Some(Reading {
        class,
        code: rule.code.as_ref().map(ToString::to_string),
        message: cause
            .filter(|_| !is_success)
            .or_else(|| (!is_success).then(|| rule.meaning.to_string())),
        wait_ms: None,
        resets: None,
        retry,
        effects: if is_success { Effects::Complete } else { done(rule.effects) },
        quota: false,
        rule: format!("{}/{}", model.name, rule.id()),
        why: Some(rule.meaning.to_string()),
        confidence: Confidence::Certain,
    })
}

fn of_error(rule: &ErrorRule<'_>, found: &Found, model: &Model<'_>, streams: &Streams) -> Reading {
    let get = |name: &str| {
        found.captures.iter().find(|(of, _)| of == name).map(|(_, text)| text.as_str())
    };
    let message = match &rule.message {
        Some(template) => fill(template, &found.captures, str::to_owned),
        None => cause(&model.cause, streams).unwrap_or_else(|| found.text.clone()),
    };
    // A value that a pointer leads to may be only a mark.
    let words = if rule.json.0.is_empty() { &found.text } else { &message };
    let by_words = (*rule.class == *"WORDS").then(|| generic::read_stated(words)).flatten();
    let class = match &*rule.class {
        "WORDS" => by_words.as_ref().and_then(|reading| reading.class),
        "HTTP" => get("http").and_then(|http| http.parse().ok()).and_then(class_of_http),
        name => Exit::from_name(name),
    };
    let stated = wait_ms(found.captures.iter().map(|(name, text)| (name.as_str(), text.as_str())));
    let is_success = class == Some(Exit::Success);
    let quota = rule.quota || by_words.as_ref().is_some_and(|reading| reading.quota);
    let passes = by_words.as_ref().map_or(is_transient(class), |reading| reading.retry);
    Reading {
        class,
        code: rule.code.as_ref().map(|code| fill(code, &found.captures, upper_snake)),
        message: Some(shortened(&message)).filter(|message| !message.is_empty()),
        wait_ms: stated
            .or(by_words.as_ref().and_then(|reading| reading.wait_ms))
            .or(rule.wait_seconds.map(|seconds| seconds.saturating_mul(1000))),
        resets: None,
        retry: rule.retry.map_or(passes, |retry| retry == Again::Yes) && !quota,
        effects: if is_success { Effects::Complete } else { done(rule.effects) },
        quota,
        rule: format!("{}/{}", model.name, rule.id()),
        why: rule.why.as_ref().map(ToString::to_string),
        confidence: by_words.map_or(Confidence::Certain, |reading| reading.confidence),
    }
}

fn done(done: Done) -> Effects {
    match done {
        Done::None => Effects::None,
        Done::Partial => Effects::Partial,
        Done::Unknown => Effects::Unknown,
    }
}

/// A template with its captures.
fn fill(template: &str, captures: &[(String, String)], spell: fn(&str) -> String) -> String {
    captures.iter().fold(template.to_owned(), |text, (name, value)| {
        let place = format!("{{{name}}}");
        if text.contains(&place) { text.replace(&place, &spell(value)) } else { text }
    })
}

/// `Throttling.User` and `ThrottlingUser` become `THROTTLING_USER`.
pub(crate) fn upper_snake(text: &str) -> String {
    let mut code = String::new();
    let mut before = '_';
    for character in text.chars() {
        let is_part = character.is_ascii_alphanumeric();
        let begins = character.is_ascii_uppercase() && before.is_ascii_lowercase();
        if (begins || !is_part) && !code.ends_with('_') && !code.is_empty() {
            code.push('_');
        }
        if is_part {
            code.push(character.to_ascii_uppercase());
        }
        before = character;
    }
    code.trim_end_matches('_').to_owned()
}

fn texts(place: Where, streams: &Streams) -> Vec<&Text> {
    match place {
        Where::Stderr => vec![&streams.stderr],
        Where::Stdout => vec![&streams.stdout],
        Where::Either => vec![&streams.stderr, &streams.stdout],
    }
}

fn find(rule: &ErrorRule<'_>, streams: &Streams) -> Option<Found> {
    for text in texts(rule.stream, streams) {
        if !rule.json.0.is_empty() {
            let found = text.documents().iter().find_map(|document| in_document(rule, document));
            if found.is_some() {
                return found;
            }
        }
        for pattern in &rule.line {
            if let Some((line, captures)) = text.find(pattern) {
                return Some(Found { captures: owned(captures.iter()), text: line.to_owned() });
            }
        }
    }
    None
}

/// The first line of a stream that is data otherwise.
fn find_in_data(rule: &ErrorRule<'_>, streams: &Streams) -> Option<Found> {
    for text in texts(rule.stream, streams) {
        let Some(line) = text.first_line_then_blank() else { continue };
        for pattern in rule.line.iter().filter_map(|pattern| LinePattern::parse(pattern).ok()) {
            if let Some(captures) = pattern.matches(line) {
                return Some(Found { captures: owned(captures.iter()), text: line.to_owned() });
            }
        }
    }
    None
}

fn owned<'a>(captures: impl Iterator<Item = (&'a str, &'a str)>) -> Vec<(String, String)> {
    captures.map(|(name, text)| (name.to_owned(), text.to_owned())).collect()
}

fn in_document(rule: &ErrorRule<'_>, document: &Value) -> Option<Found> {
    let mut captures = Vec::new();
    let mut text = String::new();
    for (pointer, pattern) in &rule.json.0 {
        let found = pointed(document, pointer).into_iter().find_map(|value| {
            let value = text_of(value)?;
            let found = in_value(pattern, &value)?;
            Some((found, value.into_owned()))
        });
        let (found, value) = found?;
        captures.extend(found);
        text = value;
    }
    Some(Found { captures, text })
}

/// A value may be any text, which a line may not.
fn in_value(pattern: &str, value: &str) -> Option<Vec<(String, String)>> {
    let is_name =
        |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_".contains(&byte));
    if pattern == "*" {
        return Some(Vec::new());
    }
    if let Some(name) = pattern.strip_prefix('{').and_then(|rest| rest.strip_suffix('}'))
        && is_name(name)
        && !is_number(name)
    {
        return Some(vec![(name.to_owned(), value.to_owned())]);
    }
    let pattern = LinePattern::parse(pattern).ok()?;
    Some(owned(pattern.matches(value)?.iter()))
}

/// Whether a line on stderr is one in which the program states a cause.
fn complains(cause: &Cause<'_>, streams: &Streams) -> bool {
    cause.line.iter().any(|pattern| streams.stderr.find(pattern).is_some())
}

/// The cause, by the pack's own words about where it stands.
pub(crate) fn cause(cause: &Cause<'_>, streams: &Streams) -> Option<String> {
    for pointer in &cause.json {
        for text in [&streams.stdout, &streams.stderr] {
            let mut found = text.documents().iter().flat_map(|document| pointed(document, pointer));
            let value = match cause.pick {
                Pick::First => found.find_map(text_of),
                Pick::Last => found.rev().find_map(text_of),
            };
            if let Some(value) = value.filter(|value| !value.trim().is_empty() && value != "null") {
                return Some(shortened(&value));
            }
        }
    }
    let patterns: Vec<LinePattern<'_>> =
        cause.line.iter().filter_map(|pattern| LinePattern::parse(pattern).ok()).collect();
    let message = |line: &str| {
        let captures = patterns.iter().find_map(|pattern| pattern.matches(line))?;
        Some(shortened(captures.get("message").unwrap_or(line)))
    };
    for text in texts(cause.stream, streams) {
        let found = match cause.pick {
            Pick::First => text.lines().find_map(message),
            Pick::Last => text.lines().rev().find_map(message),
        };
        if found.is_some() {
            return found;
        }
    }
    None
}
