//! The words that ask for JSON count only at one place.

use crate::observe::probe::{Form, Probe, Purpose, Setting};
use crate::plan::collection::Plan;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::refusal::is_accepted;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::{Command, Surface};
use manila::Stream;
use std::ffi::OsString;

pub(crate) static RULE: Rule = Rule {
    id: "flag-position-matters",
    family: Family::Arguments,
    severity: Severity::Warning,
    scope: Scope::JSON,
    flaw: "The flag that asks for JSON is rejected or ignored in some positions.",
    fix: "Accept flags in every position: before the command, after it, and between arguments.",
    page: include_str!("flag_position_matters.md"),
    modes: &[69],
    requirements: &["F-067", "C-027"],
    plan,
    judge,
};

fn plan(surface: &Surface, plan: &mut Plan) {
    for command in &surface.commands {
        plan.ask_each(moved(surface, command));
    }
}

/// The sample call of a command with the words for JSON elsewhere: before the command if the program
/// itself lists them, and between the command and its arguments if it has any.
fn moved(surface: &Surface, command: &Command) -> Vec<Probe> {
    let Some(sample) = command.sample.as_ref().filter(|_| command.is_safe()) else {
        return Vec::new();
    };
    let words = surface.json.words();
    let Some(first) = words.first() else { return Vec::new() };
    let is_listed = surface.commands.iter().filter(|it| it.is_root()).any(|root| {
        root.flags.iter().any(|flag| {
            flag.spelling() == *first
                || flag.short.is_some_and(|short| *first == format!("-{short}"))
        })
    });
    let mut places = Vec::new();
    if is_listed && !command.is_root() {
        places.push([words, &command.path, sample].concat());
    }
    if !sample.is_empty() {
        places.push([&command.path[..], words, sample].concat());
    }
    places
        .into_iter()
        .map(|args| Probe {
            command: command.path.clone(),
            args: args.into_iter().map(OsString::from).collect(),
            purpose: Purpose::Moved,
            form: Form::Json,
            setting: Setting::default(),
        })
        .collect()
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for seen in evidence.of(Purpose::Moved, Form::Json).filter(|it| it.run.ended_by_itself()) {
        // Only what works at the end of the call can be wrong at another place.
        let usual = evidence.of(Purpose::Sample, Form::Json).find(|usual| {
            usual.run.probe.command == seen.run.probe.command && usual.run.probe.is_plain()
        });
        let gives_json = |stdout: &crate::observe::reading::Content| !stdout.documents.is_empty();
        let is_good = |usual: &&crate::rule::evidence::ObservedRun<'_>| {
            is_accepted(usual) && gives_json(&usual.reading.stdout)
        };
        if usual.as_ref().is_none_or(|usual| !is_good(usual)) {
            continue;
        }
        builder.observe();
        let is_first = seen.run.probe.args.first().is_some_and(|word| {
            seen.run.probe.command.first().is_none_or(|command| *word != **command)
        });
        let place = if is_first { "before the command" } else { "before the arguments" };
        let what = if !is_accepted(seen) {
            "refused"
        } else if !gives_json(&seen.reading.stdout) {
            "ignored"
        } else {
            continue;
        };
        let words = evidence.surface.json.words().join(" ");
        let stdout = &seen.run.transcript.stdout;
        let stream = if stdout.is_empty() { Stream::Stderr } else { Stream::Stdout };
        let bytes = seen.run.transcript.stream(stream);
        let end = bytes.iter().position(|byte| *byte == b'\n').unwrap_or(bytes.len());
        let message = format!("{words} is {what} {place}");
        builder.report_once(Finding::new(seen, message).at(seen, stream, 0..end));
    }
    builder.verdict("no flag that asks for JSON can be moved", None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::surface::model::Flag;
    use crate::testing::{judge_with, ran, run_of, surface};

    fn listed() -> Surface {
        let mut surface = surface();
        let json = Flag { long: Some("json".to_owned()), ..Flag::default() };
        surface.commands[0].flags.push(json);
        surface
    }

    #[test]
    fn only_a_flag_that_the_program_lists_is_moved_before_the_command() {
        assert!(moved(&surface(), &surface().commands[1]).is_empty());
        let surface = listed();
        let probes = moved(&surface, &surface.commands[1]);
        assert_eq!(probes[0].args, ["--json", "list"]);
        assert_eq!(probes.len(), 1);
    }

    #[test]
    fn refused_and_ignored_are_both_found() {
        let surface = listed();
        let verdict = |stdout: &str, status| {
            let probe = moved(&surface, &surface.commands[1]).remove(0);
            let runs = [ran(Purpose::Sample, "{}", 0), run_of(probe, stdout, status)];
            judge_with(&RULE, &surface, &runs).as_str()
        };
        assert_eq!(verdict("{}", 0), "passed");
        assert_eq!(verdict("a list", 0), "failed");
        assert_eq!(verdict("unknown flag", 2), "failed");
    }
}
