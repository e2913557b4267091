//! Whether two answers say the same, beside what is different in every run: the run's own folder,
//! moments and durations, and whatever differs between two equal runs.

use crate::evidence::Seen;
use serde_json::Value;
use std::collections::BTreeSet;

/// The first place at which two answers differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The path in the document, such as `data.items[3].name`; empty if it is not about one value.
    pub path: String,
    /// What stands there usually.
    pub usual: String,
    /// What stands there in the other run.
    pub other: String,
    /// Whether one value is that of a list in another order.
    pub is_order: bool,
}

/// The places that differ between two equal runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Volatile(BTreeSet<String>);

impl Volatile {
    /// None do.
    pub(crate) const fn nothing() -> Volatile {
        Volatile(BTreeSet::new())
    }

    /// What differs between these two.
    pub fn between(first: &Seen<'_>, second: &Seen<'_>) -> Volatile {
        let mut paths = BTreeSet::new();
        if let (Some(first), Some(second)) = (first.compared(), second.compared()) {
            walk(first, second, "", &mut |difference| {
                let path = without_numbers(&difference.path);
                if difference.usual == NOTHING || difference.other == NOTHING {
                    paths.insert(any_key_beside(&path));
                }
                paths.insert(path);
                true
            });
        }
        Volatile(paths)
    }

    /// Both together.
    #[must_use]
    pub fn and(mut self, other: Volatile) -> Volatile {
        self.0.extend(other.0);
        self
    }

    fn has(&self, difference: &Difference) -> bool {
        // Where keys come and go between equal runs, no key of that object tells anything by being there.
        let is_presence = difference.usual == NOTHING || difference.other == NOTHING;
        let path = without_numbers(&difference.path);
        self.0.contains(&path) || (is_presence && self.0.contains(&any_key_beside(&path)))
    }
}

/// What stands for a value that is not there.
const NOTHING: &str = "nothing";

/// Stands for all keys of the object that the key at this path is of.
fn any_key_beside(path: &str) -> String {
    let parent = path.rsplit_once('.').map_or("", |(parent, _)| parent);
    format!("{parent}.*")
}

/// Keys whose values are moments, durations and names of a single run.
const OWN: &[&str] = &[
    "duration",
    "duration_ms",
    "durationMs",
    "elapsed",
    "elapsed_ms",
    "took",
    "took_ms",
    "timestamp",
    "time",
    "date",
    "now",
    "request_id",
    "requestId",
    "trace_id",
    "traceId",
    "run_id",
    "pid",
    "uptime",
    "cwd",
    "etag",
];

/// Words in a longer key that tell the same: `uptime_seconds`, `elapsedMillis`.
const OWN_WORDS: &[&str] = &["duration", "elapsed", "uptime"];

fn is_own(key: &str) -> bool {
    let lower = key.to_ascii_lowercase();
    OWN.contains(&key)
        || OWN_WORDS.iter().any(|word| lower.contains(word))
        || key.ends_with("_at")
        || key.ends_with("At")
        || key.ends_with("_ms")
}

/// The first difference between the answers of two runs of one call: in the document if both have
/// one, else in the text.
pub(crate) fn difference(
    usual: &Seen<'_>,
    other: &Seen<'_>,
    volatile: &Volatile,
) -> Option<Difference> {
    match (usual.compared(), other.compared()) {
        (Some(first), Some(second)) => {
            let mut found = None;
            walk(first, second, "", &mut |difference| {
                if volatile.has(&difference) {
                    return true;
                }
                found = Some(difference);
                false
            });
            found
        }
        (None, None) => None,
        (first, second) => Some(Difference {
            path: String::new(),
            usual: if first.is_some() { "a document" } else { "no document" }.to_owned(),
            other: if second.is_some() { "a document" } else { "no document" }.to_owned(),
            is_order: false,
        }),
    }
}

/// Tells of each difference until nobody wants to hear more; says whether somebody still does.
fn walk(
    usual: &Value,
    other: &Value,
    path: &str,
    tell: &mut dyn FnMut(Difference) -> bool,
) -> bool {
    match (usual, other) {
        (Value::Object(first), Value::Object(second)) => {
            for (key, value) in first {
                if is_own(key) {
                    continue;
                }
                let path = join(path, key);
                let goes_on = match second.get(key) {
                    Some(other) => walk(value, other, &path, tell),
                    None => tell(differ(&path, &value.to_string(), NOTHING)),
                };
                if !goes_on {
                    return false;
                }
            }
            let added = second.iter().filter(|(key, _)| !first.contains_key(*key) && !is_own(key));
            for (key, value) in added {
                if !tell(differ(&join(path, key), NOTHING, &value.to_string())) {
                    return false;
                }
            }
            true
        }
        (Value::Array(first), Value::Array(second)) if first != second => {
            if first.len() != second.len() {
                let (first, second) = (first.len(), second.len());
                return tell(differ(
                    path,
                    &format!("{first} elements"),
                    &format!("{second} elements"),
                ));
            }
            if is_reordered(first, second) {
                let difference = differ(path, &usual.to_string(), &other.to_string());
                return tell(Difference { is_order: true, ..difference });
            }
            let pairs = first.iter().zip(second).enumerate();
            pairs
                .into_iter()
                .all(|(at, (first, second))| walk(first, second, &format!("{path}[{at}]"), tell))
        }
        _ if usual == other || (is_moment(usual) && is_moment(other)) => true,
        _ => tell(differ(path, &usual.to_string(), &other.to_string())),
    }
}

/// Whether a text begins as a moment does: `2026-11-16T09:30`.
fn is_moment(value: &Value) -> bool {
    let Some(text) = value.as_str() else { return false };
    let mut form = text.bytes().zip(b"dddd-dd-ddTdd:dd");
    let fits = |(byte, form): (u8, &u8)| match form {
        b'd' => byte.is_ascii_digit(),
        b'T' => byte == b'T' || byte == b' ',
        _ => byte == *form,
    };
    text.len() >= 16 && form.all(fits)
}

fn is_reordered(first: &[Value], second: &[Value]) -> bool {
    let sorted = |values: &[Value]| {
        let mut texts: Vec<String> = values.iter().map(Value::to_string).collect();
        texts.sort();
        texts
    };
    sorted(first) == sorted(second)
}

fn differ(path: &str, usual: &str, other: &str) -> Difference {
    let [usual, other] = [usual, other].map(short);
    Difference { path: path.to_owned(), usual, other, is_order: false }
}

fn short(text: &str) -> String {
    const LONGEST: usize = 60;
    match text.char_indices().nth(LONGEST) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text.to_owned(),
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") }
}

/// A path with every index of a list as the same one.
fn without_numbers(path: &str) -> String {
    let mut text = String::with_capacity(path.len());
    let mut is_inside = false;
    for character in path.chars() {
        match character {
            '[' => is_inside = true,
            ']' => is_inside = false,
            _ if is_inside => continue,
            _ => {}
        }
        text.push(character);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn first(usual: &Value, other: &Value) -> Option<Difference> {
        let mut found = None;
        walk(usual, other, "", &mut |difference| {
            found = Some(difference);
            false
        });
        found
    }

    #[test]
    fn moments_are_not_differences() {
        let (one, two) = (json!({"a": 1, "timestamp": 2}), json!({"a": 1, "timestamp": 3}));
        assert_eq!(first(&one, &two), None);
    }

    #[test]
    fn a_duration_is_known_by_a_word_in_its_key() {
        for key in ["uptime_seconds", "elapsedMillis", "total_duration"] {
            assert_eq!(first(&json!({key: 1.5}), &json!({key: 2.5})), None, "{key}");
        }
        assert!(first(&json!({"total": 1}), &json!({"total": 2})).is_some());
    }

    #[test]
    fn a_moment_is_known_by_its_form() {
        assert!(is_moment(&json!("2026-11-16T09:30:00Z")));
        assert!(!is_moment(&json!("2026-11-16")));
        assert!(!is_moment(&json!(20_261_116)));
    }

    #[test]
    fn another_order_is_told_as_such() {
        let difference = first(&json!({"a": [1, 2]}), &json!({"a": [2, 1]}));
        assert!(difference.is_some_and(|it| it.is_order && it.path == "a"));
    }

    #[test]
    fn a_path_leads_to_the_value() {
        let difference = first(&json!({"a": [{"b": 1}]}), &json!({"a": [{"b": 2}]}));
        assert_eq!(difference.map(|it| it.path), Some("a[0].b".to_owned()));
        assert_eq!(without_numbers("a[10].b[2]"), "a[].b[]");
    }
}
