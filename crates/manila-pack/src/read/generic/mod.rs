//! What a run of a program without a pack means, by words that many programs share.
//!
//! Nothing here is certain: a reading is likely where a line states an error in such words, and
//! possible where only a status or a stray line does.

mod http;
mod lines;
mod table;
mod wait;

use crate::read::stream::{pointed, text_of};
use crate::read::{Reading, Streams, class_of_http, is_transient, shortened};
use lines::Candidate;
use manila::exit::Effects;
use manila::{Confidence, Exit, Status};
use serde_json::Value;
use std::borrow::Cow;
use table::{GROUPS, SYSEXITS};

/// How many of the last lines are looked at where none is worded as an error.
const LAST_LINES: usize = 5;
/// A limit that lasts this long is a quota, not a throttle.
const HOUR_MS: u64 = 3_600_000;

/// What a run means, if anything in it shows that.
pub(crate) fn read(program: &str, status: Status, streams: &Streams) -> Option<Reading> {
    let code = match status {
        Status::Exited(0) | Status::Signaled(_) => return None,
        Status::Exited(code) => Some(code),
        Status::Unknown => None,
    };
    let mut candidates = stated_in_json(streams);
    candidates.extend(lines::candidates(program, streams));
    by_words(&candidates)
        .or_else(|| by_status(program, code, &candidates))
        .or_else(|| cause_alone(&candidates))
}

/// What a line means that a pack knows to state an error, in words that it does not list.
pub(crate) fn read_stated(text: &str) -> Option<Reading> {
    by_words(&[Candidate::stated(text.to_owned())])
}

/// How programs say that credentials were good and are old.
#[rustfmt::skip]
const EXPIRED: &[&str] = &[
    "expiredtoken", "expiredauthenticationtoken", "token has expired", "token is expired", "token expired",
    "expired token", "session has expired", "session expired", "credentials have expired", "credentials expired",
    "credentials are expired", "expired credentials", "has either expired or is otherwise invalid",
    "has expired or is otherwise invalid", "has expired due to", "login has expired", "authentication expired",
];

/// Whether a cause says that credentials were good and are old.
pub(crate) fn says_expired(cause: &str) -> bool {
    let cause = cause.to_ascii_lowercase();
    EXPIRED.iter().any(|phrase| cause.contains(phrase))
}

/// The first rule that one of the lines fits: of the lines that state an error, then of the last ones.
fn by_words(candidates: &[Candidate]) -> Option<Reading> {
    let rules =
        || GROUPS.iter().flat_map(|group| group.rules.iter().map(move |rule| (group, rule)));
    let stated = candidates.iter().filter(|line| line.states_error);
    for (group, rule) in rules() {
        if let Some((line, http)) = stated.clone().find_map(|line| fits(rule, line)) {
            return Some(reading(group.class, rule, http, line, Confidence::Likely));
        }
    }
    let stray = candidates.iter().rev().filter(|line| !line.is_noise).take(LAST_LINES);
    for (group, rule) in rules().filter(|(_, rule)| rule.stray) {
        if let Some((line, http)) = stray.clone().find_map(|line| fits(rule, line)) {
            return Some(reading(group.class, rule, http, line, Confidence::Possible));
        }
    }
    None
}

/// The line, and the status of HTTP in it, if a rule fits.
fn fits<'c>(rule: &table::Rule, line: &'c Candidate) -> Option<(&'c Candidate, Option<u16>)> {
    let has_part = |part: &str| line.pairs.may_have(part) && has_phrase(&line.lower, part);
    let has = |phrase: &&str| phrase.split('&').all(has_part);
    let by_number = line.http.is_some_and(|status| rule.http.contains(&status));
    (by_number || rule.phrases.iter().any(has)).then_some((line, line.http))
}

fn reading(
    class: Option<Exit>,
    rule: &table::Rule,
    http: Option<u16>,
    line: &Candidate,
    confidence: Confidence,
) -> Reading {
    let class = class.or_else(|| http.and_then(class_of_http));
    let wait_ms = if is_transient(class) { wait::stated_in(&line.lower) } else { None };
    let quota = rule.quota || (class == Some(Exit::RateLimited) && wait_ms >= Some(HOUR_MS));
    Reading {
        class,
        code: Some(match http {
            Some(status) if rule.http.contains(&status) => format!("HTTP_{status}"),
            _ => rule.code.to_owned(),
        }),
        message: Some(shortened(&line.text)),
        wait_ms,
        resets: None,
        retry: (is_transient(class) || rule.retry) && !quota,
        effects: Effects::Unknown,
        quota,
        rule: format!("generic/{}", rule.code.to_lowercase().replace('_', "-")),
        why: Some("by words that many programs use".to_owned()),
        confidence,
    }
}

/// Statuses that have a meaning of their own, for want of words.
fn by_status(program: &str, code: Option<i32>, candidates: &[Candidate]) -> Option<Reading> {
    let code = code?;
    let message = cause(candidates);
    let is_usage = candidates.iter().any(|line| line.is_usage);
    let (class, name) = match code {
        124 if program == "timeout" => (Exit::Timeout, "TIMED_OUT"),
        127 => (Exit::NotFound, "PROGRAM_NOT_FOUND"),
        126 => (Exit::PermissionDenied, "PROGRAM_NOT_EXECUTABLE"),
        _ if is_usage => (Exit::ArgError, "USAGE"),
        _ => SYSEXITS
            .iter()
            .find(|(status, ..)| *status == code)
            .map(|(_, class, name)| (*class, *name))?,
    };
    Some(Reading {
        class: Some(class),
        code: Some(name.to_owned()),
        message: message.map(|line| shortened(&line.text)),
        retry: is_transient(Some(class)),
        effects: Effects::Unknown,
        why: Some(format!("by the exit status {code}")),
        confidence: Confidence::Possible,
        ..Reading::success("generic/status")
    })
}

/// The cause, although its class is not known.
fn cause_alone(candidates: &[Candidate]) -> Option<Reading> {
    let line = cause(candidates)?;
    Some(Reading {
        message: Some(shortened(&line.text)),
        confidence: Confidence::Possible,
        ..Reading::unknown("generic/cause", "nothing in its output shows the class")
    })
}

/// The first line that states an error, or else the last that says anything.
fn cause(candidates: &[Candidate]) -> Option<&Candidate> {
    let has_words = |line: &&Candidate| line.text.chars().filter(|c| c.is_alphabetic()).count() > 2;
    let stated = candidates.iter().filter(has_words).find(|line| line.states_error);
    stated.or_else(|| candidates.iter().rev().filter(has_words).find(|line| !line.is_noise))
}

/// Where programs that answer in JSON put a message, a code or a status.
const MESSAGES: &[&str] = &[
    "/error/message",
    "/error/summary",
    "/error/detail",
    "/error",
    "/message",
    "/errors/*/message",
    "/errors/*",
    "/detail",
    "/error_description",
    "/diagnostics/*/summary",
    "/diagnostic/summary",
    "/Message",
    "/Error/Message",
    "/err",
    "/msg",
    "/@message",
    "/result",
    "/data",
];
const CODES: &[&str] = &[
    "/error/code",
    "/error/status",
    "/error/type",
    "/error/reason",
    "/code",
    "/status",
    "/statusCode",
    "/status_code",
    "/reason",
    "/errors/*/code",
    "/error/name",
    "/Error/Code",
    "/Code",
    "/api_error_status",
];

/// The errors that JSON documents state, each as one line: its code, then its message.
fn stated_in_json(streams: &Streams) -> Vec<Candidate> {
    let mut found = Vec::new();
    for text in [&streams.stderr, &streams.stdout] {
        for document in text.documents().iter().filter(|document| claims_error(document)) {
            let first = |pointers: &[&str]| {
                let values = pointers.iter().flat_map(|pointer| pointed(document, pointer));
                let mut texts = values.filter_map(text_of);
                texts.find(|value| value != "null" && !value.is_empty()).map(Cow::into_owned)
            };
            let message = first(MESSAGES);
            let code = first(CODES).map(|code| match code.parse::<u16>() {
                Ok(number) => format!("HTTP {number}"),
                Err(_) => code,
            });
            if let Some(line) = match (code, message) {
                (Some(code), Some(message)) => Some(format!("{code}: {message}")),
                (code, message) => code.or(message),
            } {
                found.push(Candidate::stated(line));
            }
        }
    }
    // The last document is the one that ended the run.
    found.reverse();
    found
}

/// Whether a document says that something failed: any document of a failed run may be data.
fn claims_error(document: &Value) -> bool {
    let Value::Object(map) = document else { return false };
    let has = |key: &str| map.get(key).is_some_and(|value| !value.is_null());
    let is = |key: &str, wanted: &str| {
        map.get(key).and_then(Value::as_str).is_some_and(|value| value.eq_ignore_ascii_case(wanted))
    };
    let is_error = map.get("is_error") == Some(&Value::Bool(true));
    let has_both = (has("Code") && has("Message")) || (has("code") && has("message"));
    is_error
        || has_both
        || has("error")
        || has("errors")
        || has("Error")
        || has("error_description")
        || is("level", "error")
        || is("level", "fatal")
        || is("@level", "error")
        || is("severity", "error")
        || is("status", "error")
        || is("status", "failed")
        || is("status", "Failure")
        || is("type", "error")
        || map.get("ok") == Some(&Value::Bool(false))
        || map.get("valid") == Some(&Value::Bool(false))
        || map.get("success") == Some(&Value::Bool(false))
}

/// Whether a line in lower case has a phrase that neither begins nor ends within a word.
fn has_phrase(line: &str, phrase: &str) -> bool {
    let is_word = |byte: u8| byte.is_ascii_alphanumeric();
    let mut from = 0;
    while let Some(at) = line[from..].find(phrase) {
        let (start, end) = (from + at, from + at + phrase.len());
        let bytes = line.as_bytes();
        let begins = !phrase.as_bytes().first().copied().is_some_and(is_word)
            || start == 0
            || !is_word(bytes[start - 1]);
        let ends = !phrase.as_bytes().last().copied().is_some_and(is_word)
            || end == bytes.len()
            || !is_word(bytes[end]);
        if begins && ends {
            return true;
        }
        from = start + line[start..].chars().next().map_or(1, char::len_utf8);
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_end_where_words_do() {
        assert!(has_phrase("error: rate limit exceeded", "rate limit"));
        assert!(!has_phrase("separate limits", "rate limit"));
        assert!(has_phrase("e429", "e429"));
        assert!(!has_phrase("e4290", "e429"));
    }
}
