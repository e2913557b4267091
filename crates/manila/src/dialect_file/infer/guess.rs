//! What the keys of documents probably are: by which values they have in successes and in failures,
//! and by the names that programs give them.

use super::seen::{Seen, seen};
use super::{Sample, key};
use crate::dialect_file::form::{KeyForm, TestForm};
use crate::dialect_file::save::name;
use crate::json::{Kind, Raw, Value};
use crate::table::{Field, OutcomeFrom, Rest};

// Names, the likeliest first.
const ERRORS: &[&str] = &["error", "err", "failure", "fault", "problem", "exception"];
const MESSAGES: &[&str] = &[
    "message",
    "msg",
    "error_message",
    "detail",
    "description",
    "summary",
    "title",
    "why",
    "text",
    "reason",
    "error",
];
const CODES: &[&str] =
    &["code", "error_code", "errorCode", "kind", "type", "name", "reason", "id", "error", "status"];
const SUGGESTIONS: &[&str] = &["suggestion", "hint", "fix", "help", "remedy", "try"];
const RETRYABLES: &[&str] = &["retryable", "retriable", "transient", "can_retry"];
const SECONDS: &[&str] = &["retry_after", "retryAfter", "retry_after_s", "wait_s"];
const MILLISECONDS: &[&str] = &["retry_after_ms", "retryAfterMs", "wait_ms"];
const DETAILS: &[&str] = &["details", "context"];
const DATA: &[&str] = &["data", "result", "results", "payload", "items", "output", "value", "body"];
const METAS: &[&str] = &["meta", "metadata", "_meta", "_context"];
const KINDS: &[&str] = &["command", "kind", "type"];
const OUTCOMES: &[&str] = &["status", "outcome", "state", "result", "verdict"];

/// The most texts that an outcome may have on one side.
const TEXTS: usize = 4;

/// A key of the proposal.
#[derive(Clone, Debug)]
struct Planned {
    path: String,
    field: &'static str,
    of: &'static str,
    required: bool,
    on: &'static str,
    constant: Vec<String>,
    success: Vec<String>,
    failure: Vec<String>,
    null: Option<&'static str>,
}

impl Planned {
    fn new(path: &str, field: &'static str, of: &'static str) -> Planned {
        Planned {
            path: path.to_owned(),
            field,
            of,
            required: false,
            on: "both",
            constant: Vec::new(),
            success: Vec::new(),
            failure: Vec::new(),
            null: None,
        }
    }
}

/// What the documents of a program look like.
#[derive(Debug)]
pub(super) struct Shape {
    pub(super) outcome: OutcomeFrom,
    pub(super) rest: Rest,
    keys: Vec<Planned>,
}

impl Shape {
    /// The shape of these documents; `None` if nothing distinguishes their outcomes.
    pub(super) fn new(
        successes: &[&Sample],
        failures: &[&Sample],
        notes: &mut Vec<String>,
    ) -> Option<Shape> {
        let (good, bad) = (objects(successes), objects(failures));
        let all = seen(&good, &bad);
        let is_always =
            |key: &&Seen<'_>| key.successes.len() >= good.len() && key.failures.len() >= bad.len();
        let by_key = all.iter().filter(is_always).find_map(|key| outcome(key, good.is_empty()));
        let has_error = all.iter().any(Seen::is_of_failures);
        let has_common = !good.is_empty() && all.iter().any(|key| is_always(&key));
        let outcome = match by_key {
            Some(_) => OutcomeFrom::Keys,
            None if !has_error => return None,
            None if has_common => OutcomeFrom::Error,
            None => OutcomeFrom::Failure,
        };
        let all = if outcome == OutcomeFrom::Failure { seen(&[], &bad) } else { all };
        let count = if outcome == OutcomeFrom::Failure { 0 } else { good.len() };
        let mut plan = Plan { keys: Vec::new(), counts: (count, bad.len()), rest: Rest::Kept };
        plan.keys.extend(by_key);
        plan.constants(&all);
        plan.error(&all);
        if outcome == OutcomeFrom::Failure {
            plan.rest = Rest::Payload;
        } else {
            plan.about(&all);
            plan.data(&all);
            plan.others(&all);
        }
        if !plan.keys.iter().any(|key| key.field == Field::Message.as_str()) {
            notes.push("no key looks like the message of a failure: set error.message".to_owned());
        }
        if !plan.keys.iter().any(|key| key.field == Field::Code.as_str()) {
            notes.push("no key looks like the code of a failure: set error.code".to_owned());
        }
        // The keys of an object come after it, and otherwise in the order of the documents.
        let place = |path: &str| {
            let top = path.split('.').next().unwrap_or(path);
            (all.iter().position(|key| key.name == top), path.contains('.'))
        };
        plan.keys.sort_by_key(|key| place(&key.path));
        Some(Shape { outcome, rest: plan.rest, keys: plan.keys })
    }

    /// The keys for the file.
    pub(super) fn keys(&self) -> Vec<toml::Spanned<KeyForm>> {
        let form = |planned: &Planned| {
            let has_texts = !planned.constant.is_empty() || !planned.success.is_empty();
            let of = if has_texts { "" } else { planned.of };
            let mut form = key(&planned.path, planned.field, of, planned.required, planned.on);
            form.constant.clone_from(&planned.constant);
            form.success.clone_from(&planned.success);
            form.failure.clone_from(&planned.failure);
            form.null = planned.null.map(name);
            super::spanned(form)
        };
        self.keys.iter().map(form).collect()
    }

    /// Whether a text is the same in all documents.
    pub(super) fn has_constant(&self) -> bool {
        self.keys.iter().any(|key| !key.constant.is_empty())
    }

    /// Conditions on the keys that state the outcome or never change.
    pub(super) fn marks(&self) -> Vec<TestForm> {
        let test = |key: &Planned| {
            let texts = [&key.constant[..], &key.success, &key.failure].concat();
            let is = match key.field {
                "ok" | "failed" => Some("flag"),
                "status" => Some("integer"),
                _ if texts.is_empty() => return None,
                _ => None,
            };
            let matches = is.is_none().then_some(texts);
            let path = name(&key.path);
            Some(TestForm { path, is: is.map(name), is_not: None, matches, not_matches: None })
        };
        self.keys.iter().filter_map(test).collect()
    }

    /// The keys that all of these documents have and that are always written; of failures, the message within the
    /// error too.
    pub(super) fn common(&self, successes: &[&Sample], failures: &[&Sample]) -> Vec<String> {
        let successes = if self.outcome == OutcomeFrom::Failure { &[] } else { successes };
        let samples = || successes.iter().chain(failures);
        let has = |document: &Raw, path: &str| find(document, path).is_some();
        let is_inner = |key: &Planned| {
            let of_error = [Field::Message.as_str(), Field::Code.as_str()].contains(&key.field);
            !key.path.contains('.') || of_error
        };
        let written = self.keys.iter().filter(|key| key.required && is_inner(key));
        let paths = written.map(|key| &key.path);
        paths.filter(|path| samples().all(|it| has(&it.document, path))).cloned().collect()
    }

    /// The code in a failure.
    pub(super) fn code(&self, document: &Raw) -> Option<String> {
        let key = self.keys.iter().find(|key| key.field == Field::Code.as_str())?;
        let value = find(document, &key.path)?;
        let number = || value.integer::<i64>().map(|number| number.to_string());
        value.string().map(std::borrow::Cow::into_owned).or_else(number)
    }
}

fn find<'s>(document: &'s Raw, path: &str) -> Option<Value<'s>> {
    path.split('.').try_fold(document.value(), |value, name| {
        value.members().filter(|member| member.is(name)).last().map(|member| member.value)
    })
}

fn objects<'s>(samples: &[&'s Sample]) -> Vec<Value<'s>> {
    samples.iter().map(|sample| sample.document.value()).collect()
}

/// The key that states the outcome, if it is this one.
fn outcome(seen: &Seen<'_>, is_one_sided: bool) -> Option<Planned> {
    let all = |values: &[Value<'_>], wanted: bool| {
        values.iter().all(|value| value.bool() == Some(wanted))
    };
    let planned =
        |field, of| Some(Planned { required: true, ..Planned::new(&seen.name, field, of) });
    if is_one_sided && seen.values().all(|value| value.bool().is_none()) {
        return None;
    }
    if all(&seen.successes, true) && all(&seen.failures, false) {
        return planned("ok", "flag");
    }
    if all(&seen.successes, false) && all(&seen.failures, true) {
        return planned("failed", "flag");
    }
    let numbers = |values: &[Value<'_>], is_zero: bool| {
        values.iter().all(|it| it.integer::<i32>().is_some_and(|it| (it == 0) == is_zero))
    };
    if numbers(&seen.successes, true) && numbers(&seen.failures, false) {
        return planned("status", "status");
    }
    let (success, failure) = (Seen::texts(&seen.successes)?, Seen::texts(&seen.failures)?);
    let is_word = |text: &String| !text.is_empty() && !text.contains(char::is_whitespace);
    let is_usual = OUTCOMES.contains(&&*seen.name);
    let most = if is_usual { TEXTS } else { 1 };
    let is_outcome = success.iter().all(|text| !failure.contains(text))
        && success.iter().chain(&failure).all(is_word)
        && success.len() <= most
        && failure.len() <= most;
    is_outcome.then(|| Planned {
        success,
        failure,
        ..planned("outcome", "").unwrap_or_else(|| Planned::new("", "", ""))
    })
}

/// A proposal in the making.
struct Plan {
    keys: Vec<Planned>,
    /// How many successes and failures there are.
    counts: (usize, usize),
    rest: Rest,
}

impl Plan {
    fn has(&self, path: &str) -> bool {
        self.keys.iter().any(|key| key.path == path)
    }

    /// Adds a key of the top.
    fn add(&mut self, seen: &Seen<'_>, field: &'static str, of: &'static str) {
        let in_good = seen.successes.len() == self.counts.0 && self.counts.0 > 0;
        let in_bad = seen.failures.len() == self.counts.1;
        let (on, required) = match (seen.successes.is_empty(), seen.failures.is_empty()) {
            (true, false) if self.counts.0 > 0 => ("failure", in_bad),
            (false, true) => ("success", in_good),
            _ => ("both", in_bad && (in_good || self.counts.0 == 0)),
        };
        let is_null = |values: &[Value<'_>]| values.iter().any(Value::is_null);
        let null = match field {
            _ if !seen.values().any(Value::is_null) => None,
            "data" if is_null(&seen.successes) => Some("value"),
            _ => Some("nothing"),
        };
        self.keys.push(Planned { required, on, null, ..Planned::new(&seen.name, field, of) });
    }

    /// Texts that never change and look like the name of a contract.
    fn constants(&mut self, all: &[Seen<'_>]) {
        for seen in all {
            let is_everywhere = seen.successes.len() == self.counts.0
                && seen.failures.len() == self.counts.1
                && self.counts.0 + self.counts.1 > 1;
            let texts: Vec<Value<'_>> = seen.values().copied().collect();
            let Some([text]) = Seen::texts(&texts)
                .as_deref()
                .and_then(|it| it.first_chunk().filter(|_| it.len() == 1).cloned())
            else {
                continue;
            };
            let is_versioned = text.bytes().any(|byte| byte.is_ascii_digit());
            if is_everywhere && is_versioned && !self.has(&seen.name) {
                let constant = vec![text.clone()];
                let planned = Planned::new(&seen.name, "none", "");
                self.keys.push(Planned { constant, required: true, ..planned });
            }
        }
    }

    /// Where a failure has its code and its message: in an object, or at the top.
    fn error(&mut self, all: &[Seen<'_>]) {
        let own: Vec<&Seen<'_>> =
            all.iter().filter(|key| key.is_of_failures() && !self.has(&key.name)).collect();
        let is_object = |key: &&&Seen<'_>| {
            key.failures.iter().all(|value| value.is_null() || value.kind() == Kind::Object)
        };
        let objects: Vec<_> = own.iter().filter(is_object).collect();
        let usual = ERRORS.iter().find_map(|name| objects.iter().find(|key| key.name == *name));
        let Some(error) = usual.or_else(|| objects.first()) else {
            let flat: Vec<Seen<'_>> = own.into_iter().cloned().collect();
            return self.of_error("", &flat);
        };
        self.add(error, "error", "object");
        let values: Vec<Value<'_>> =
            error.failures.iter().filter(|it| !it.is_null()).copied().collect();
        let inner = seen(&[], &values);
        let (path, counts) = (error.name.clone(), self.counts);
        self.counts = (0, values.len());
        self.of_error(&path, &inner);
        self.counts = counts;
        // The value beside the error may say what to do about it.
        let beside: Vec<Seen<'_>> = all
            .iter()
            .filter(|key| key.is_of_failures() && !self.has(&key.name))
            .cloned()
            .collect();
        for (names, field) in [(SUGGESTIONS, "error.suggestion"), (RETRYABLES, "error.retryable")] {
            self.named("", &beside, names, field);
        }
    }

    /// The fields of an error among the keys of an object, or of the top.
    fn of_error(&mut self, parent: &str, keys: &[Seen<'_>]) {
        let texts: Vec<&Seen<'_>> = keys.iter().filter(|key| key.of() == "text").collect();
        let spaces = |key: &Seen<'_>| -> usize {
            key.failures
                .iter()
                .filter_map(crate::json::Value::string)
                .map(|it| it.matches(' ').count())
                .sum()
        };
        let is_code = |key: &Seen<'_>| {
            let is_word = |value: &Value<'_>| {
                value.integer::<i64>().is_some()
                    || value.string().is_some_and(|it| !it.is_empty() && !it.contains(' '))
            };
            key.failures.iter().all(is_word)
        };
        let by_name = |names: &[&str], keep: &dyn Fn(&Seen<'_>) -> bool| {
            names.iter().find_map(|name| keys.iter().find(|key| key.name == *name && keep(key)))
        };
        let message = by_name(MESSAGES, &|key| key.of() == "text" && spaces(key) > 0)
            .or_else(|| {
                texts.iter().copied().filter(|key| spaces(key) > 0).max_by_key(|key| spaces(key))
            })
            .or_else(|| by_name(&MESSAGES[..3], &|key| key.of() == "text"));
        let message = message.map(|key| key.name.clone());
        let is_other = |key: &Seen<'_>| Some(&key.name) != message.as_ref();
        let code = by_name(CODES, &|key| is_code(key) && is_other(key))
            .or_else(|| texts.into_iter().find(|key| is_code(key) && is_other(key)))
            .map(|key| key.name.clone());
        for (found, field) in [(code, Field::Code), (message, Field::Message)] {
            if let Some(key) = keys.iter().find(|key| Some(&key.name) == found.as_ref()) {
                let of = if key.of() == "text" { "text" } else { "scalar" };
                self.inner(parent, key, field.as_str(), of);
            }
        }
        self.named(parent, keys, SUGGESTIONS, "error.suggestion");
        self.named(parent, keys, RETRYABLES, "error.retryable");
        self.named(parent, keys, SECONDS, "error.wait_s");
        self.named(parent, keys, MILLISECONDS, "error.wait_ms");
        self.named(parent, keys, DETAILS, "error.details");
    }

    /// The first key of these names that is of the type of a field.
    fn named(&mut self, parent: &str, keys: &[Seen<'_>], names: &[&str], field: &'static str) {
        let wanted: &[&str] = match field {
            "error.suggestion" => &["text"],
            "error.retryable" => &["flag"],
            "error.details" => &["object", "array"],
            _ => &["count"],
        };
        let is_right = |key: &&Seen<'_>| wanted.contains(&key.of());
        let found =
            names.iter().find_map(|name| keys.iter().filter(is_right).find(|it| it.name == *name));
        if let Some(found) = found.filter(|_| !self.keys.iter().any(|key| key.field == field)) {
            self.inner(parent, found, field, found.of());
        }
    }

    /// Adds a key of an object, or of the top.
    fn inner(&mut self, parent: &str, seen: &Seen<'_>, field: &'static str, of: &'static str) {
        if parent.is_empty() {
            if !self.has(&seen.name) {
                self.add(seen, field, of);
            }
            return;
        }
        let required = seen.failures.len() == self.counts.1;
        let path = format!("{parent}.{}", seen.name);
        self.keys.push(Planned { required, ..Planned::new(&path, field, of) });
    }

    /// Metadata, warnings and what the answer is about.
    fn about(&mut self, all: &[Seen<'_>]) {
        for seen in all.iter().filter(|seen| METAS.contains(&&*seen.name) && seen.of() == "object")
        {
            if self.has(&seen.name) || self.keys.iter().any(|key| key.field == "meta") {
                continue;
            }
            self.add(seen, "meta", "object");
            let values: Vec<Value<'_>> = seen.values().copied().collect();
            for inner in self::seen(&[], &values) {
                let (field, of) = match &*inner.name {
                    "duration_ms" | "durationMs" if inner.of() == "count" => {
                        ("meta.duration_ms", "count")
                    }
                    "request_id" | "requestId" if inner.of() == "text" => {
                        ("meta.request_id", "text")
                    }
                    "timestamp" if inner.of() == "text" => ("meta.timestamp", "text"),
                    _ => continue,
                };
                let path = format!("{}.{}", seen.name, inner.name);
                self.keys.push(Planned::new(&path, field, of));
            }
        }
        let are_texts = |seen: &&Seen<'_>| {
            let is_text = |value: Value<'_>| value.kind() == Kind::String;
            seen.of() == "array" && seen.values().all(|list| list.elements().all(is_text))
        };
        if let Some(seen) = all.iter().filter(are_texts).find(|it| it.name == "warnings") {
            self.add(seen, "warnings", "texts");
        }
        let is_kind = |seen: &&Seen<'_>| {
            KINDS.contains(&&*seen.name) && seen.of() == "text" && !self.has(&seen.name)
        };
        if let Some(seen) = all.iter().find(is_kind) {
            self.add(seen, "kind", "text");
        }
    }

    /// The payload: a key that is named like one, or the only one that is left, or all that is left.
    fn data(&mut self, all: &[Seen<'_>]) {
        let left: Vec<&Seen<'_>> = all
            .iter()
            .filter(|key| !self.has(&key.name) && key.successes.iter().any(|it| !it.is_null()))
            .collect();
        let usual = DATA.iter().find_map(|name| left.iter().find(|key| key.name == *name));
        match (usual, &left[..]) {
            (Some(data), _) => self.add(data, "data", "any"),
            (None, [data]) => self.add(data, "data", "any"),
            (None, []) => {}
            (None, _) => self.rest = Rest::Payload,
        }
    }

    /// Everything else, for the schema. What all documents have is required: they are recognised by it.
    fn others(&mut self, all: &[Seen<'_>]) {
        for seen in all {
            if !self.has(&seen.name) && self.rest != Rest::Payload {
                self.add(seen, "extra", seen.of());
            }
        }
    }
}
