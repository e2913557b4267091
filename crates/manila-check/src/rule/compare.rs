//! Whether two answers say the same, beside what is different in every run: the run's own
//! directory, moments and durations, and whatever differs between two equal runs.

use crate::observe::volatile::{self, is_measured, is_own_key};
use serde_json::Value;
use std::collections::BTreeSet;

/// The first place at which two answers differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Difference {
    /// The path in the document, such as `data.items[3].name`; empty if it is not about one value.
    pub path: String,
    /// The usual value.
    pub usual: String,
    /// The value in the other run.
    pub other: String,
    /// Whether one value is that of a list in another order.
    pub is_order: bool,
    /// Whether only one of the two answers has the key.
    pub is_presence: bool,
}

/// The places that differ between two equal runs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Volatile(BTreeSet<String>);

impl Volatile {
    /// None do.
    pub(crate) const fn nothing() -> Volatile {
        Volatile(BTreeSet::new())
    }

    /// What differs between these two.
    pub(crate) fn between(first: Option<&Value>, second: Option<&Value>) -> Volatile {
        let mut paths = BTreeSet::new();
        if let (Some(first), Some(second)) = (first, second) {
            walk(first, second, "", &mut |difference| {
                let path = without_numbers(&difference.path);
                if difference.is_presence {
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
    pub(crate) fn and(mut self, other: Volatile) -> Volatile {
        self.0.extend(other.0);
        self
    }

    fn has(&self, difference: &Difference) -> bool {
        // Where keys come and go between equal runs, the presence of a key in that object means
        // nothing.
        let path = without_numbers(&difference.path);
        self.0.contains(&path)
            || (difference.is_presence && self.0.contains(&any_key_beside(&path)))
    }
}

/// What stands for a value that is not there.
const NOTHING: &str = "nothing";

/// Stands for all keys of the object that the key at this path is of.
fn any_key_beside(path: &str) -> String {
    let parent = path.rsplit_once('.').map_or("", |(parent, _)| parent);
    format!("{parent}.*")
}

/// The first difference between the answers of two runs of one call: in the document if both have
/// one, else in the text.
pub(crate) fn difference(
    usual: Option<&Value>,
    other: Option<&Value>,
    volatile: &Volatile,
) -> Option<Difference> {
    match (usual, other) {
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
            is_presence: false,
        }),
    }
}

/// Reports each difference until the callback returns false; returns whether it still wants more.
fn walk(
    usual: &Value,
    other: &Value,
    path: &str,
    report: &mut dyn FnMut(Difference) -> bool,
) -> bool {
    match (usual, other) {
        (Value::Object(first), Value::Object(second)) => {
            for (key, value) in first {
                if is_own_key(key) {
                    continue;
                }
                let path = join(path, key);
                let goes_on = match second.get(key) {
                    Some(other) if value.is_number() && other.is_number() && is_measured(key) => {
                        true
                    }
                    Some(other) => walk(value, other, &path, report),
                    None => report(one_sided(differ(&path, &value.to_string(), NOTHING))),
                };
                if !goes_on {
                    return false;
                }
            }
            let added =
                second.iter().filter(|(key, _)| !first.contains_key(*key) && !is_own_key(key));
            for (key, value) in added {
                if !report(one_sided(differ(&join(path, key), NOTHING, &value.to_string()))) {
                    return false;
                }
            }
            true
        }
        (Value::Array(first), Value::Array(second)) if first != second => {
            if first.len() != second.len() {
                let (first, second) = (first.len(), second.len());
                return report(differ(
                    path,
                    &format!("{first} elements"),
                    &format!("{second} elements"),
                ));
            }
            if is_reordered(first, second) {
                let difference = differ(path, &usual.to_string(), &other.to_string());
                return report(Difference { is_order: true, ..difference });
            }
            let pairs = first.iter().zip(second).enumerate();
            pairs
                .into_iter()
                .all(|(at, (first, second))| walk(first, second, &format!("{path}[{at}]"), report))
        }
        _ if usual == other || (is_moment(usual) && is_moment(other)) => true,
        _ => report(differ(path, &usual.to_string(), &other.to_string())),
    }
}

/// Whether a value is a moment.
fn is_moment(value: &Value) -> bool {
    value.as_str().is_some_and(volatile::is_moment)
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
    Difference { path: path.to_owned(), usual, other, is_order: false, is_presence: false }
}

fn one_sided(difference: Difference) -> Difference {
    Difference { is_presence: true, ..difference }
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
    fn an_amount_that_changes_all_the_time_is_known_by_a_word_in_its_key() {
        for key in ["free", "inodes_used", "Avail"] {
            assert_eq!(first(&json!({key: 1}), &json!({key: 2})), None, "{key}");
        }
        assert!(first(&json!({"available": true}), &json!({"available": false})).is_some());
        assert!(first(&json!({"freeze": 1}), &json!({"freeze": 2})).is_some());
    }

    #[test]
    fn a_moment_is_known_by_its_form() {
        assert!(is_moment(&json!("2026-11-16T09:30:00Z")));
        assert!(!is_moment(&json!("2026-11-16")));
        assert!(!is_moment(&json!(20_261_116)));
    }

    #[test]
    fn another_order_is_reported_as_such() {
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
