//! Two places name the version of the program, or of its answers, and they disagree.

use super::found;
use crate::observe::probe::Purpose;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::envelope_shape::certain_dialect;
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::object_answer::{ObjectAnswer, object_answers, of};
use crate::rule::verdict::{Verdict, VerdictBuilder};
use crate::severity::Severity;
use regex::Regex;
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::LazyLock;

pub(crate) static RULE: Rule = Rule {
    id: "version-disagrees",
    family: Family::Shape,
    severity: Severity::Warning,
    scope: Scope::JSON,
    flaw: "An answer names another version than --version, or than the other answers.",
    fix: "Keep each version in one place, and print it from there.",
    page: include_str!("version_disagrees.md"),
    modes: &[22],
    requirements: &["F-022", "F-023"],
    plan: no_probes,
    judge,
};

/// Where answers name the program's own version.
const TOOL: &[&str] =
    &["tool_version", "toolVersion", "cli_version", "cliVersion", "app_version", "program_version"];
const HOLDERS: &[&[&str]] = &[&[], &["meta"], &["metadata"], &["_context"], &["data"]];
/// Where they name that of the envelope.
const SCHEMA: &[&[&str]] =
    &[&["meta", "schema_version"], &["schema_version"], &["meta", "apiVersion"]];

#[expect(clippy::expect_used, reason = "the pattern is part of the source, and the test uses it")]
static NUMBER: LazyLock<Regex> =
    LazyLock::new(|| Regex::new(r"\d+(\.\d+)+([-+][0-9A-Za-z.+-]*)?").expect("a pattern"));

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let answers = object_answers(evidence);
    if let Some(version) = printed(evidence) {
        let manifest = evidence
            .runs
            .iter()
            .filter(|seen| seen.run.probe.purpose == Purpose::Manifest)
            .filter_map(of);
        for answer in answers.iter().map(Answer::Lent).chain(manifest.map(Answer::Own)) {
            let answer = answer.get();
            for path in tool_paths(answer) {
                let Some(said) = answer.get(&path).and_then(Value::as_str) else { continue };
                builder.observe();
                if NUMBER.find(said).is_some_and(|said| said.as_str() != version) {
                    let why = format!("{} is {said}, and --version says {version}", path.join("."));
                    builder.report_once(found(answer, &path, why));
                }
            }
        }
    }
    // Only where the dialect says that it is the version of the envelope, which all answers share.
    if certain_dialect(&answers).is_some() {
        for path in SCHEMA {
            let said = |answer: &ObjectAnswer<'_, '_>| answer.get(path).map(Value::to_string);
            let mut counts: BTreeMap<String, usize> = BTreeMap::new();
            for text in answers.iter().filter(|it| is_own(it.seen)).filter_map(said) {
                *counts.entry(text).or_default() += 1;
            }
            let Some(usual) = counts.iter().max_by_key(|(_, count)| **count) else { continue };
            for answer in answers.iter().filter(|it| is_own(it.seen)) {
                let Some(text) = said(answer) else { continue };
                builder.observe();
                if text != *usual.0 {
                    let name = path.join(".");
                    let why = format!("{name} is {text} here, and {} in other answers", usual.0);
                    builder.report_once(found(answer, path, why));
                }
            }
        }
    }
    builder.verdict("no answer names a version that could be compared", None)
}

/// An answer that was read before, or for this.
enum Answer<'a, 's, 'e> {
    Lent(&'a ObjectAnswer<'s, 'e>),
    Own(ObjectAnswer<'s, 'e>),
}

impl<'s, 'e> Answer<'_, 's, 'e> {
    fn get(&self) -> &ObjectAnswer<'s, 'e> {
        match self {
            Answer::Lent(answer) => answer,
            Answer::Own(answer) => answer,
        }
    }
}

fn is_own(seen: &ObservedRun<'_>) -> bool {
    seen.run.probe.purpose != Purpose::Recorded
}

/// What `--version` prints.
fn printed(evidence: &Evidence<'_>) -> Option<String> {
    let mut runs = evidence.runs.iter().filter(|seen| {
        seen.run.probe.purpose == Purpose::Version
            && seen.exited_zero()
            && seen.run.probe.is_plain()
    });
    let run = &runs.next()?.run.transcript;
    let text =
        String::from_utf8_lossy(if run.stdout.is_empty() { &run.stderr } else { &run.stdout })
            .into_owned();
    // The version of something else may follow: that of the language, or of a library.
    let line = text.lines().find(|line| !line.trim().is_empty())?;
    NUMBER.find(line).map(|found| found.as_str().to_owned())
}

/// The ways to the program's version in an answer.
fn tool_paths(answer: &ObjectAnswer<'_, '_>) -> Vec<Vec<&'static str>> {
    let mut paths: Vec<Vec<&str>> = Vec::new();
    for holder in HOLDERS {
        paths.extend(TOOL.iter().map(|key| holder.iter().copied().chain([*key]).collect()));
    }
    let probe = &answer.seen.run.probe;
    let names_version = probe.command.last().is_some_and(|word| word == "version");
    if names_version {
        paths.extend([vec!["data", "version"], vec!["result", "version"]]);
    }
    if probe.purpose == Purpose::Manifest {
        let of_tool = [["tool", "version"], ["info", "version"]];
        for path in of_tool {
            paths.push(path.to_vec());
            paths.push([&["data"][..], &path].concat());
        }
    }
    paths.retain(|path| answer.get(path).is_some());
    paths
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::observe::probe::{Form, Probe, Purpose};
    use crate::testing::{judge, ran, run_of, surface};

    fn verdict(version: &str, answer: &str) -> &'static str {
        let surface = surface();
        let root = &surface.commands[0];
        let probe = Probe::new(root, Purpose::Version, Form::Text, ["--version"], &surface.json);
        judge(&RULE, &[run_of(probe, version, 0), ran(Purpose::Sample, answer, 0)]).as_str()
    }

    #[test]
    fn the_answer_and_the_flag_name_one_version() {
        let answer = r#"{"ok":true,"data":{},"meta":{"tool_version":"1.2.0"}}"#;
        assert_eq!(verdict("notes 1.2.0\n", answer), "passed");
        assert_eq!(verdict("notes 1.3.0 (rustc 1.2.0)\n", answer), "failed");
        assert_eq!(verdict("notes\n", answer), "undecided");
        assert_eq!(verdict("notes 1.2.0\n", r#"{"version":"1"}"#), "undecided");
    }

    #[test]
    fn the_envelope_has_one_version() {
        let with = |version: &str| {
            format!(
                r#"{{"ok":true,"data":{{}},"error":null,"warnings":[],"meta":{{"duration_ms":1,"schema_version":"{version}"}}}}"#
            )
        };
        let runs = |last: &str| {
            [
                ran(Purpose::Sample, with("1.0"), 0),
                ran(Purpose::Empty, with("1.0"), 0),
                ran(Purpose::Missing, with(last), 0),
            ]
        };
        assert_eq!(judge(&RULE, &runs("1.0")).as_str(), "passed");
        assert_eq!(judge(&RULE, &runs("1.1")).as_str(), "failed");
    }
}
