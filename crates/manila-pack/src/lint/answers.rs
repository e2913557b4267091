//! Checks of what a pack says about answers: statuses, errors, where the cause stands.

use super::Linter;
use super::place::Step;
use crate::model::{ErrorRule, StatusRule};
use crate::pattern::LinePattern;
use manila::Exit;

/// Classes beside those of the exit table.
const UNKNOWN: &str = "UNKNOWN";
const HTTP: &str = "HTTP";
const WORDS: &str = "WORDS";

pub(super) fn check(linter: &mut Linter<'_>) {
    let model = linter.model;
    for (index, rule) in model.status.iter().enumerate() {
        status(linter, index, rule);
    }
    for (index, rule) in model.error.iter().enumerate() {
        error(linter, index, rule);
    }
    order(linter);
    let key = |name| [Step::Key("cause"), Step::Key(name)];
    for pattern in &model.cause.line {
        line(linter, &key("line"), pattern, model.cause.unanchored_because.as_deref());
    }
    for pointer in &model.cause.json {
        if !pointer.starts_with('/') {
            let message = format!("{pointer} is not a JSON pointer");
            linter.report(&key("json"), message, "begin it with `/`");
        }
    }
}

fn class(linter: &mut Linter<'_>, path: &[Step<'_>], name: &str, more: &[&str]) {
    if Exit::from_name(name).is_none() && !more.contains(&name) {
        let known: Vec<&str> = Exit::ALL.iter().map(|exit| exit.name()).collect();
        let hint = format!("one of {}, {}", known.join(", "), more.join(", "));
        linter.report(path, format!("{name:?} is not a class"), hint);
    }
}

fn code(linter: &mut Linter<'_>, path: &[Step<'_>], code: &str) {
    let mut plain = String::new();
    let mut inside = false;
    for character in code.chars() {
        match character {
            '{' => inside = true,
            '}' => inside = false,
            _ if !inside => plain.push(character),
            _ => {}
        }
    }
    let is_upper = |byte: u8| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'_';
    if code.is_empty() || !plain.bytes().all(is_upper) {
        let hint = "write upper case letters, digits and `_`, such as LOCK_HELD";
        linter.report(path, format!("{code:?} is not a code"), hint);
    }
}

fn status(linter: &mut Linter<'_>, index: usize, rule: &StatusRule<'_>) {
    let path = [Step::Key("status"), Step::Index(index)];
    let key = |name: &'static str| [path[0], path[1], Step::Key(name)];
    linter.evidence(&path, &rule.evidence);
    class(linter, &key("class"), &rule.class, &[UNKNOWN]);
    if let Some(text) = &rule.code {
        code(linter, &key("code"), text);
    }
    if rule.status.is_empty() {
        linter.report(&path, "the rule is for no status", "status = [1]");
    }
    if rule.status.contains(&0) {
        let hint = "leave 0 out; an [[error]] rule with status = [0] reads runs that ended with it";
        linter.report(&key("status"), "0 is success unless an error says otherwise", hint);
    }
    if rule.meaning.is_empty() {
        linter.report(&path, "the status has no meaning", "meaning = \"<what it means>\"");
    }
}

fn error(linter: &mut Linter<'_>, index: usize, rule: &ErrorRule<'_>) {
    let path = [Step::Key("error"), Step::Index(index)];
    let key = |name: &'static str| [path[0], path[1], Step::Key(name)];
    linter.evidence(&path, &rule.evidence);
    class(linter, &key("class"), &rule.class, &[UNKNOWN, HTTP, WORDS]);
    if let Some(text) = &rule.code {
        code(linter, &key("code"), text);
    }
    if rule.line.is_empty() == rule.json.0.is_empty() {
        let hint = "write either line = [\"…\"] or json = { \"/pointer\" = \"…\" }";
        linter.report(&path, "the rule looks at nothing, or at lines and JSON at once", hint);
    }
    if [UNKNOWN, WORDS].contains(&&*rule.class) && rule.why.is_none() {
        let hint = "why = \"<what the same bytes can mean>\"";
        linter.report(&path, "nothing says why the class is not known", hint);
    }
    if rule.quota && !["RATE_LIMITED", "PAYMENT_REQUIRED"].contains(&&*rule.class) {
        let hint = "a quota is RATE_LIMITED or PAYMENT_REQUIRED";
        linter.report(&key("quota"), format!("a quota is not {}", rule.class), hint);
    }
    // Each pattern must capture what the rule uses, because one of them is enough.
    let mut captured: Vec<Vec<String>> = Vec::new();
    for pattern in &rule.line {
        captured.push(line(linter, &key("line"), pattern, rule.unanchored_because.as_deref()));
    }
    if !rule.json.0.is_empty() {
        let mut all = Vec::new();
        for (pointer, pattern) in &rule.json.0 {
            if !pointer.starts_with('/') && !pointer.is_empty() {
                let message = format!("{pointer} is not a JSON pointer");
                linter.report(&key("json"), message, "begin it with `/`");
            }
            all.extend(names(pattern));
        }
        captured.push(all);
    }
    let mut needed: Vec<String> = Vec::new();
    needed.extend(rule.message.iter().flat_map(|text| names(text)));
    needed.extend(rule.code.iter().flat_map(|text| names(text)));
    if *rule.class == *HTTP {
        needed.push("http".to_owned());
    }
    needed.sort();
    needed.dedup();
    for name in needed {
        if captured.iter().any(|captures| !captures.contains(&name)) {
            let hint = format!("put {{{name}}} where it occurs in the line or value");
            linter.report(&path, format!("{{{name}}} is used and not captured"), hint);
        }
    }
}

/// The names in braces.
fn names(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some((_, after)) = rest.split_once('{') {
        if let Some((name, _)) = after.split_once('}') {
            let is_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
            if !name.is_empty() && name.bytes().all(is_name) {
                found.push(name.to_owned());
            }
        }
        rest = after;
    }
    found
}

/// The captures of a line pattern.
fn line(
    linter: &mut Linter<'_>,
    path: &[Step<'_>],
    pattern: &str,
    unanchored: Option<&str>,
) -> Vec<String> {
    match LinePattern::parse(pattern) {
        Ok(parsed) => {
            if parsed.is_unanchored() && unanchored.is_none_or(|why| why.trim().is_empty()) {
                let hint = "begin with the words that the line begins with, or say \
                            unanchored-because = \"…\"";
                linter.report(path, format!("{pattern:?} may begin with any text"), hint);
            }
            parsed.captures().map(str::to_owned).collect()
        }
        Err(why) => {
            let hint = "patterns are whole lines with `*` and {captures}";
            linter.report(path, format!("{pattern:?}: {}", why.meaning()), hint);
            Vec::new()
        }
    }
}

/// A rate-limited login blames the token, so a rate limit is looked for first.
fn order(linter: &mut Linter<'_>) {
    let of_class = |wanted: &'static str| {
        let rules = linter.model.error.iter().enumerate();
        rules.filter(move |(_, rule)| *rule.class == *wanted).map(|(index, _)| index)
    };
    let Some(auth) = of_class("AUTH_REQUIRED").min() else { return };
    let late: Vec<usize> = of_class("RATE_LIMITED").filter(|index| *index > auth).collect();
    for index in late {
        let path = [Step::Key("error"), Step::Index(index)];
        let message = "a rate limit is looked for after authentication";
        linter.report(&path, message, format!("move it before error-{}", auth + 1));
    }
}
