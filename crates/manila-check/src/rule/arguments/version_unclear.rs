//! `--version` fails, or names no version.

use crate::observe::probe::Purpose;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use manila::Stream;

pub(crate) static RULE: Rule = Rule {
    id: "version-unclear",
    family: Family::Arguments,
    severity: Severity::Warning,
    scope: Scope::PLAIN,
    flaw: "--version fails or prints no number.",
    fix: "Print the name and the version on one line, with exit status 0.",
    page: include_str!("version_unclear.md"),
    modes: &[21, 22],
    requirements: &["F-068"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let root = evidence.surface.commands.iter().find(|command| command.is_root());
    let is_listed = root.is_some_and(|root| root.flag("version").is_some());
    for seen in evidence.runs.iter().filter(|it| it.run.probe.purpose == Purpose::Version) {
        if !seen.run.probe.is_plain() || !seen.run.ended_by_itself() {
            continue;
        }
        // A program that does not say that it has the flag may have another way.
        if !seen.exited_zero() && !is_listed {
            continue;
        }
        builder.observe();
        let transcript = &seen.run.transcript;
        let has_number = |bytes: &[u8]| bytes.iter().any(u8::is_ascii_digit);
        let is_clear = has_number(&transcript.stdout) || has_number(&transcript.stderr);
        let what = if !seen.exited_zero() {
            "fails"
        } else if !is_clear {
            "names no version"
        } else {
            continue;
        };
        let stream = if transcript.stdout.is_empty() { Stream::Stderr } else { Stream::Stdout };
        let end = transcript.stream(stream).len();
        let finding = Finding::new(seen, format!("--version {what}")).at(seen, stream, 0..end);
        builder.report(finding);
    }
    builder.verdict("the program does not say that it has --version", None)
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::{Form, Probe, Purpose};
    use crate::surface::model::Flag;
    use crate::testing::{judge_with, run_of, surface};

    #[test]
    fn a_version_has_a_number() {
        let mut surface = surface();
        let verdict = |surface: &crate::surface::model::Surface, stdout: &str, status| {
            let root = &surface.commands[0];
            let probe =
                Probe::new(root, Purpose::Version, Form::Text, ["--version"], &surface.json);
            judge_with(&RULE, surface, &[run_of(probe, stdout, status)]).as_str()
        };
        assert_eq!(verdict(&surface, "notes 1.2.0", 0), "passed");
        assert_eq!(verdict(&surface, "notes", 0), "failed");
        assert_eq!(verdict(&surface, "unknown flag", 2), "undecided");
        let flag = Flag { long: Some("version".to_owned()), ..Flag::default() };
        surface.commands[0].flags.push(flag);
        assert_eq!(verdict(&surface, "internal error", 1), "failed");
    }
}
