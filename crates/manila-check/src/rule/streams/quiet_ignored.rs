//! `--quiet` is accepted and changes nothing.

use crate::observe::probe::{Form, Probe, Purpose};
use crate::observe::text_kind::{self, TextKind};
use crate::plan::collection::Plan;
use crate::plan::usual::sample;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::{Command, Surface};
use manila::Stream;

pub(crate) static RULE: Rule = Rule {
    id: "quiet-ignored",
    family: Family::Streams,
    severity: Severity::Warning,
    scope: Scope::PLAIN,
    flaw: "`--quiet` is accepted, and stderr is the same as without it.",
    fix: "Let `--quiet` silence everything but errors.",
    page: include_str!("quiet_ignored.md"),
    modes: &[9],
    requirements: &["F-038"],
    plan,
    judge,
};

const WORDS: &[&str] = &["quiet", "silent"];

fn plan(surface: &Surface, plan: &mut Plan) {
    for command in &surface.commands {
        plan.ask_each(pair(surface, command).into_iter().flat_map(|(loud, quiet)| [loud, quiet]));
    }
}

/// A harmless call without the flag, and with it.
fn pair(surface: &Surface, command: &Command) -> Option<(Probe, Probe)> {
    let flag = WORDS.iter().find_map(|word| command.flag(word)).filter(|it| it.value.is_none())?;
    let loud = sample(surface, command, Form::Text)?;
    let mut quiet = Probe { purpose: Purpose::Extra, ..loud.clone() };
    quiet.args.push(flag.spelling().into());
    Some((loud, quiet))
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for command in &evidence.surface.commands {
        let Some((loud, quiet)) = pair(evidence.surface, command) else { continue };
        let runs = evidence.run_of(&loud).zip(evidence.run_of(&quiet));
        let Some((loud, quiet)) = runs else { continue };
        let (usual, stderr) = (&loud.run.transcript.stderr, &quiet.run.transcript.stderr);
        if !quiet.exited_zero() || usual.trim_ascii().is_empty() {
            continue;
        }
        builder.observe();
        // Warnings and errors may stay; other text that is there either way was not silenced. A
        // line without an end is a prompt, and that, like notices and crashes, is reported by other
        // rules.
        let is_talk =
            matches!(TextKind::of(stderr), TextKind::Prose | TextKind::Log | TextKind::Progress)
                && stderr.ends_with(b"\n")
                && text_kind::error(stderr).is_none()
                && !stderr.to_ascii_lowercase().starts_with(b"warn");
        if is_talk && stderr == usual {
            let message = format!("{} is as talkative with --quiet", quiet.called());
            let end = stderr.iter().position(|byte| *byte == b'\n').unwrap_or(stderr.len());
            builder.report(Finding::new(quiet, message).at(quiet, Stream::Stderr, 0..end));
        }
    }
    builder.verdict("no call with --quiet has anything to silence", None)
}

#[cfg(test)]
mod tests {
    use super::{RULE, pair};
    use crate::observe::run::Run;
    use crate::surface::model::Flag;
    use crate::testing::{judge_with, run_of, surface};

    fn verdict(loud: &str, quiet: &str) -> &'static str {
        let mut surface = surface();
        let long = Some("quiet".to_owned());
        surface.commands[1].flags.push(Flag { long, ..Flag::default() });
        let (first, second) = pair(&surface, &surface.commands[1]).expect("a pair");
        let with = |probe, stderr: &str| -> Run {
            let mut run = run_of(probe, "1\n", 0);
            run.transcript.stderr = stderr.into();
            run
        };
        judge_with(&RULE, &surface, &[with(first, loud), with(second, quiet)]).as_str()
    }

    #[test]
    fn talk_that_stays_is_found_and_warnings_may_stay() {
        assert_eq!(verdict("3 notes\n", "3 notes\n"), "failed");
        assert_eq!(verdict("3 notes\n", ""), "passed");
        assert_eq!(verdict("warning: old\n", "warning: old\n"), "passed");
        assert_eq!(verdict("Name? ", "Name? "), "passed");
        assert_eq!(verdict("", ""), "undecided");
    }
}
