//! What the answers of a program show about its promises.

use crate::profile::Profile;
use crate::rule::evidence::{Evidence, ObservedRun};
use manila::table::Field;

/// The profile that the answers show: envelopes where most answers that worked are one, and most of all where none
/// worked. Nothing if there are no answers.
pub(crate) fn detect(evidence: &Evidence<'_>) -> Option<Profile> {
    if !evidence.surface.json.is_known() {
        return Some(Profile::Plain);
    }
    let answers = evidence.json().filter(|seen| seen.reading.answer.is_some());
    let (worked, failed): (Vec<_>, Vec<_>) = answers.partition(|seen| seen.exited_zero());
    let counted = if worked.is_empty() { failed } else { worked };
    let envelopes = counted.iter().filter(|seen| is_envelope(seen)).count();
    let most = if envelopes * 2 > counted.len() { Profile::Envelope } else { Profile::Json };
    (!counted.is_empty()).then_some(most)
}

/// Whether an answer is an envelope: of a dialect that has a place for data, or with a key that
/// states the outcome beside its data.
fn is_envelope(seen: &ObservedRun<'_>) -> bool {
    let is_whole = |dialect: &'static dyn manila::Dialect| dialect.table().has(Field::Data);
    let reading = &seen.reading;
    reading.dialect().is_some_and(is_whole)
        || reading.answer.as_ref().is_some_and(|answer| {
            let is_apart = answer.data.as_ref().is_some_and(|data| *data != answer.span);
            answer.ok_by.is_some() && (is_apart || answer.error.is_some())
        })
}
