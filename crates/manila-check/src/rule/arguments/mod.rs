//! What is made of arguments: those that are wrong, odd, missing or in another place.

pub(super) mod bare_call_unclear;
pub(super) mod extra_argument_ignored;
pub(super) mod flag_position_matters;
pub(super) mod help_fails;
pub(super) mod invalid_value_accepted;
pub(super) mod limit_ignored;
pub(super) mod mangled_id_accepted;
pub(super) mod missing_argument_accepted;
pub(super) mod odd_bytes_crash;
pub(super) mod one_error_at_a_time;
pub(super) mod shell_injection;
pub(super) mod unknown_command_as_help;
pub(super) mod unknown_flag_ignored;
pub(super) mod usage_error_as_prose;
pub(super) mod version_unclear;

use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::refusal::is_help;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use manila::Stream;

/// The verdict of a rule about calls of the program itself, which are not made where they might do
/// something; `why` says what is not proven.
fn verdict_on_program(
    builder: VerdictBuilder,
    evidence: &Evidence<'_>,
    why: &'static str,
) -> Verdict {
    let has_commands = evidence.surface.commands.iter().any(|command| !command.is_root());
    if has_commands {
        builder.verdict(
            why,
            Some("commands.\"\".effects = \"none\", if the program itself only reads"),
        )
    } else {
        builder.verdict("the program has no commands, as far as is known", None)
    }
}

/// A finding about a call that should have been refused, with the answer that it got instead.
fn not_refused(seen: &ObservedRun<'_>, what: &str) -> Finding {
    let stdout = &seen.run.transcript.stdout;
    let with = if is_help(stdout) { "help" } else { "success" };
    let message = format!("{what}: {} answers with {with} and exit status 0", seen.called());
    let end = stdout.iter().position(|byte| *byte == b'\n').unwrap_or(stdout.len());
    Finding::new(seen, message).at(seen, Stream::Stdout, 0..end)
}
