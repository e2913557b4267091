//! What the program says about itself, in its help and its manifest, and whether that is so.

pub(super) mod danger_undeclared;
pub(super) mod ghost_action;
pub(super) mod ghost_command;
pub(super) mod ghost_flag;
pub(super) mod help_lies;
pub(super) mod json_flag_ignored;
pub(super) mod manifest_broken;
pub(super) mod output_contradicts_schema;
pub(super) mod undeclared_command;
pub(super) mod undeclared_error_code;

use crate::rule::evidence::ObservedRun;
use crate::rule::refusal::prose;
use crate::rule::verdict::Finding;

/// A finding with the refusal that shows it.
fn refused(seen: &ObservedRun<'_>, message: String) -> Finding {
    let finding = Finding::new(seen, message);
    let answer = seen.reading.answer.as_ref();
    let said = answer.and_then(|it| it.message.as_ref().map(|(_, span)| (it.stream, span.clone())));
    match said.or_else(|| prose(seen)) {
        Some((stream, span)) => finding.at(seen, stream, span),
        None => finding,
    }
}
