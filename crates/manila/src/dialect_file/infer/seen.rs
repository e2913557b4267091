//! The keys of documents with their values, and what the name of an error code stands for.

use crate::exit::Exit;
use crate::json::{Kind, Value};
use crate::table::http_class;
use std::collections::BTreeSet;

/// A key at one level, with its value in each document that has it.
#[derive(Clone, Debug)]
pub(super) struct Seen<'s> {
    pub(super) name: String,
    pub(super) successes: Vec<Value<'s>>,
    pub(super) failures: Vec<Value<'s>>,
}

impl<'s> Seen<'s> {
    pub(super) fn values(&self) -> impl Iterator<Item = &Value<'s>> {
        self.successes.iter().chain(&self.failures)
    }

    /// Whether it says something in failures alone.
    pub(super) fn is_of_failures(&self) -> bool {
        self.successes.iter().all(Value::is_null) && self.failures.iter().any(|it| !it.is_null())
    }

    /// The name of the type that holds all of its values.
    pub(super) fn of(&self) -> &'static str {
        let kinds: BTreeSet<_> = self
            .values()
            .filter(|value| !value.is_null())
            .map(|value| match value.kind() {
                Kind::String => "text",
                Kind::Bool => "flag",
                Kind::Number if value.integer::<u64>().is_some() => "count",
                Kind::Number if value.integer::<i64>().is_some() => "integer",
                Kind::Object => "object",
                Kind::Array => "array",
                Kind::Number | Kind::Null => "any",
            })
            .collect();
        match kinds.into_iter().collect::<Vec<_>>()[..] {
            [of] => of,
            ["count", "integer"] => "integer",
            _ => "any",
        }
    }

    pub(super) fn texts<'v>(values: &'v [Value<'s>]) -> Option<Vec<String>> {
        let texts: Option<BTreeSet<String>> =
            values.iter().map(|value| value.string().map(std::borrow::Cow::into_owned)).collect();
        texts.map(|texts| texts.into_iter().collect()).filter(|texts: &Vec<_>| !texts.is_empty())
    }
}

/// The keys of the objects of both kinds, in the order in which they are met.
pub(super) fn seen<'s>(successes: &[Value<'s>], failures: &[Value<'s>]) -> Vec<Seen<'s>> {
    let mut keys: Vec<Seen<'s>> = Vec::new();
    let mut add = |object: &Value<'s>, ok: bool| {
        for member in object.members() {
            let name = member.key().into_owned();
            let is_plain = name.bytes().all(|it| it.is_ascii_graphic() && !b"\"\\.".contains(&it));
            if !is_plain || name.is_empty() || name.parse::<usize>().is_ok() {
                continue;
            }
            let at = keys.iter().position(|key| key.name == name).unwrap_or_else(|| {
                keys.push(Seen { name, successes: Vec::new(), failures: Vec::new() });
                keys.len() - 1
            });
            let list = if ok { &mut keys[at].successes } else { &mut keys[at].failures };
            list.push(member.value);
        }
    };
    successes.iter().for_each(|object| add(object, true));
    failures.iter().for_each(|object| add(object, false));
    keys
}

/// The class that the name of a code stands for.
pub(super) fn class_of(code: &str) -> Option<Exit> {
    if let Ok(status) = code.parse::<u16>() {
        return http_class(status);
    }
    let code = code.to_ascii_lowercase().replace(['-', ' ', '.'], "_");
    let has = |words: &[&str]| words.iter().any(|word| code.contains(word));
    Some(match () {
        () if has(&["not_found", "notfound", "missing", "no_such", "gone", "enoent"]) => {
            Exit::NotFound
        }
        () if has(&["rate", "throttl", "slow_down", "too_many"]) => Exit::RateLimited,
        () if has(&["forbidden", "permission", "denied"]) => Exit::PermissionDenied,
        () if has(&["auth", "login", "credential", "token"]) => Exit::AuthRequired,
        () if has(&["conflict", "exists", "duplicate"]) => Exit::Conflict,
        () if has(&["timeout", "timed_out", "deadline"]) => Exit::Timeout,
        () if has(&["payment", "quota", "billing"]) => Exit::PaymentRequired,
        () if has(&["unavailable", "network", "connection", "offline"]) => Exit::Unavailable,
        () if has(&["usage", "invalid", "argument", "validation", "bad_request"]) => Exit::ArgError,
        () if has(&["precondition"]) => Exit::Precondition,
        () => return None,
    })
}
