//! What a program does beside answering: waiting, asking, writing, colouring, and being another one in
//! other surroundings.

pub(super) mod browser_opened;
pub(super) mod closed_reader_crash;
pub(super) mod colour_forced_into_document;
pub(super) mod colour_on_pipe;
pub(super) mod differs_by_home;
pub(super) mod differs_in_ci;
pub(super) mod differs_without_input;
pub(super) mod editor_started;
pub(super) mod empty_result_as_prose;
pub(super) mod endless_output;
pub(super) mod first_run_differs;
pub(super) mod hang;
pub(super) mod ignores_signal;
pub(super) mod leaves_children;
pub(super) mod leaves_temporary_files;
pub(super) mod locale_dependent;
pub(super) mod no_color_ignored;
pub(super) mod nondeterministic;
pub(super) mod pager_started;
pub(crate) mod prompts;
pub(super) mod signal_misreported;
pub(super) mod signal_unanswered;
pub(crate) mod silent_first_page;
pub(super) mod terminal_left_changed;
pub(super) mod variable_beats_flag;
pub(super) mod waits_for_input;
pub(super) mod width_dependent;
pub(super) mod writes_on_read;

use crate::observe::probe::{Form, Probe, Purpose, Setting, Signal, Stdout};
use crate::observe::run::Tool;
use crate::plan::collection::Plan;
use crate::rule::compare::Difference;
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::surface::model::Surface;

/// Why the rule is undecided where no command may be run.
const NO_SAMPLE: &str = "no command is known to be read-only";
/// What would change that.
const DECLARE_SAMPLE: Option<&str> =
    Some("commands.\"…\".effects = \"none\", and args if it needs any");

/// Why the rules about signals are undecided.
const NO_SLOW: &str = "no known command runs long enough to be interrupted";
/// What would change that.
const DECLARE_SLOW: Option<&str> =
    Some("commands.\"…\".slow: the arguments of a call that takes long");

/// Judges by comparing the answer in some surroundings with the usual one; `say` says what is wrong.
fn judge_by_setting(
    evidence: &Evidence<'_>,
    is_meant: impl Fn(&Setting) -> bool,
    say: impl Fn(&ObservedRun<'_>, &str) -> String,
) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for (usual, other) in pairs(evidence, is_meant) {
        builder.observe();
        if let Some(what) = what_differs(evidence, usual, other) {
            builder.report_once(Finding::new(other, say(other, &what)));
        }
    }
    builder.verdict(NO_SAMPLE, DECLARE_SAMPLE)
}

/// The runs in some surroundings, each with the run of the same call in usual ones, which answered
/// with a document.
fn pairs<'s, 'e>(
    evidence: &'s Evidence<'e>,
    is_meant: impl Fn(&Setting) -> bool,
) -> impl Iterator<Item = (&'s ObservedRun<'e>, &'s ObservedRun<'e>)> {
    evidence
        .runs
        .iter()
        .filter(move |seen| {
            let probe = &seen.run.probe;
            probe.form == Form::Json && is_meant(&probe.setting) && seen.run.ended_by_itself()
        })
        .filter_map(|other| Some((evidence.run_of(&usual_of(other))?, other)))
        // A document that is broken everywhere is not different anywhere.
        .filter(|(usual, _)| usual.run.ended_by_itself() && usual.reading.answer.is_some())
        .filter(|(usual, other)| !usual.is_oversized() && !other.is_oversized())
        // One that was made small has other members than one that could not be.
        .filter(|(usual, other)| usual.run.is_folded == other.run.is_folded)
}

/// The same call in usual surroundings; what was on a terminal stays on one.
fn usual_of(other: &ObservedRun<'_>) -> Probe {
    let stdout = match other.run.probe.setting.stdout {
        Stdout::Terminal { .. } => Stdout::Terminal { columns: 80 },
        _ => Stdout::Pipe,
    };
    Probe { setting: Setting { stdout, ..Setting::default() }, ..other.run.probe.clone() }
}

/// How an answer differs from the usual one, in words.
fn what_differs(
    evidence: &Evidence<'_>,
    usual: &ObservedRun<'_>,
    other: &ObservedRun<'_>,
) -> Option<String> {
    if usual.run.transcript.status != other.run.transcript.status {
        let (usual, other) = (usual.run.transcript.status, other.run.transcript.status);
        return Some(format!("it ends with {other} instead of {usual}"));
    }
    let Difference { path, usual, other, is_order, .. } = evidence.difference(usual, other)?;
    Some(match (path.is_empty(), is_order) {
        (true, _) => format!("there is {other} instead of {usual}"),
        (false, true) => format!("{path} is in another order"),
        (false, false) => format!("{path} is {other} instead of {usual}"),
    })
}

/// Judges whether any run started a program for people where it cannot be used: on a terminal only
/// runs that asked for JSON count, and there a browser, which needs no terminal, is fine.
fn judge_tool(evidence: &Evidence<'_>, tool: Tool, what: &str) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for seen in evidence.usual() {
        let probe = &seen.run.probe;
        let is_for_people = matches!(probe.setting.stdout, Stdout::Terminal { .. })
            && (probe.form == Form::Text || tool == Tool::Browser);
        if seen.run.directory.is_empty() || is_for_people {
            continue;
        }
        builder.observe();
        if let Some(started) = seen.run.started.iter().find(|started| started.tool == tool) {
            let message = format!("{} starts {what}: `{}`", seen.called(), started.argv.join(" "));
            builder.report_once(Finding::new(seen, message).on_pipe(seen));
        }
    }
    builder.verdict("no run was made", None)
}

/// Calls that take long, each interrupted and each terminated.
fn plan_signals(surface: &Surface, plan: &mut Plan) {
    for signal in [Signal::Interrupt, Signal::Terminate] {
        plan.ask_each(slow_calls(surface).map(|it| it.with_signal(signal)));
    }
}

/// A sample call that takes long, in JSON where that is known.
fn slow_calls(surface: &Surface) -> impl Iterator<Item = Probe> {
    surface.commands.iter().filter_map(|command| {
        let args = command.slow.as_ref().filter(|_| command.is_safe())?;
        let form = if surface.json.is_known() { Form::Json } else { Form::Text };
        Some(Probe::new(command, Purpose::Slow, form, args, &surface.json))
    })
}

/// Where the escape of a colour stands.
fn colour(bytes: &[u8]) -> Option<std::ops::Range<usize>> {
    rendition(bytes, |_| true)
}

/// The first escape that sets a colour and not only an attribute such as bold.
fn hue(bytes: &[u8]) -> Option<std::ops::Range<usize>> {
    let is_hue = |code: &[u8]| {
        matches!(code, [b'3' | b'4', b'0'..=b'8'] | [b'9', b'0'..=b'7'] | [b'1', b'0', b'0'..=b'7'])
    };
    rendition(bytes, |codes| codes.split(|byte| matches!(byte, b';' | b':')).any(is_hue))
}

/// The first escape for the look of text whose numbers are as asked.
fn rendition(bytes: &[u8], is_asked: impl Fn(&[u8]) -> bool) -> Option<std::ops::Range<usize>> {
    let mut from = 0;
    loop {
        let start = from + bytes[from..].windows(2).position(|two| two == b"\x1b[")?;
        let length =
            bytes[start + 2..].iter().position(|byte| !matches!(byte, b'0'..=b'9' | b';' | b':'));
        let end = start + 2 + length?;
        if bytes[end] == b'm' && is_asked(&bytes[start + 2..end]) {
            return Some(start..end + 1);
        }
        from = end;
    }
}

#[cfg(test)]
mod tests {
    use super::colour;

    #[test]
    fn colour_differs_from_other_escapes() {
        assert_eq!(colour(b"a\x1b[31mred"), Some(1..6));
        assert_eq!(colour(b"\x1b[2K\x1b[0;1m"), Some(4..10));
        assert_eq!(colour(b"\x1b[2K"), None);
        assert_eq!(colour(b"\x1b["), None);
        assert_eq!(colour(&b"\x1b[K".repeat(200_000)), None);
    }
}
