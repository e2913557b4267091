//! What commands answer: payloads with stable types, and how people see them.

pub(crate) mod comment;
pub(crate) mod named;
pub(crate) mod task;

/// A number and what it counts: `1 task`, `2 tasks`.
pub(crate) fn count(number: usize, noun: &str) -> String {
    let plural = if number == 1 { "" } else { "s" };
    format!("{number} {noun}{plural}")
}

/// What was done about a thing that was to be there.
pub(crate) fn verb(created: bool) -> &'static str {
    if created { "Added" } else { "Already there:" }
}
