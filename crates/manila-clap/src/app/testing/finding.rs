//! What one check found, and how it is worded.

use super::called::Violation;
use manila::Stream;
use manila::json::Fact;

/// How many errors of one schema are listed.
pub(super) const MOST: usize = 3;

/// What one check found.
pub(super) struct Findings {
    pub(super) check: &'static str,
    pub(super) list: Vec<Violation>,
}

impl Findings {
    pub(super) fn add(
        &mut self,
        place: impl Into<String>,
        what: impl Into<String>,
        remedy: impl Into<String>,
    ) {
        let (place, what, remedy) = (place.into(), what.into(), remedy.into());
        self.list.push(Violation { check: self.check, place, what, remedy });
    }
}

pub(super) fn at(stream: Stream, fact: &Fact) -> String {
    format!("{stream} bytes {}..{}", fact.span.start, fact.span.end)
}

pub(super) fn about(fact: &Fact) -> String {
    let subject = fact.subject.as_ref().map_or_else(String::new, |subject| format!(" [{subject}]"));
    format!("{}{subject}", fact.kind.meaning().trim_end_matches('.'))
}
