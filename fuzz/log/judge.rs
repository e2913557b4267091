//! The law of the judges of logs: however a block is judged, the verdicts are the reference's.

use manila::json::Limits;
use manila_log::{Backend, Judge};

/// All that a judge says of a block.
fn say(block: &[u8], backend: Backend) -> Vec<String> {
    let mut said = Vec::new();
    let mut judge = Judge::new(Limits::default(), backend);
    let newlines = judge.judge(block, |found| {
        let verdict = &found.verdict;
        let members: Vec<_> = verdict
            .members()
            .map(|(key, value)| (key.offset(), value.offset(), value.bytes().len()))
            .collect();
        said.push(format!(
            "{:?} line {} {:?} {:?} {members:?}",
            found.span,
            found.line,
            verdict.envelope(),
            verdict.broken()
        ));
    });
    said.push(format!("{newlines} line breaks"));
    said
}

/// Judges a block by every backend.
///
/// # Panics
///
/// When they do not agree.
pub fn judge(block: &[u8]) {
    let right = say(block, Backend::Reference);
    for backend in [Backend::Portable, Backend::Fastest] {
        let said = say(block, backend);
        let at = said.iter().zip(&right).position(|(said, right)| said != right);
        let at = at.unwrap_or(said.len().min(right.len()));
        assert!(
            said == right,
            "{backend:?} differs at record {at}\nsaid  {:?}\nright {:?}\nin \"{}\"",
            said.get(at),
            right.get(at),
            block.escape_ascii()
        );
    }
}
