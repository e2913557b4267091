//! A variable that sets the format beats the flag that asks for JSON.

use super::{DECLARE_SAMPLE, NO_SAMPLE, pairs, what_differs};
use crate::observe::probe::{Form, Probe, Setting};
use crate::plan::collection::Plan;
use crate::plan::usual::samples;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::{Flag, Surface};
use std::collections::BTreeMap;

pub(crate) static RULE: Rule = Rule {
    id: "variable-beats-flag",
    family: Family::Behaviour,
    severity: Severity::Warning,
    scope: Scope::JSON,
    flaw: "A variable that sets the format beats the flag that asks for JSON.",
    fix: "Let the command line override the environment.",
    page: include_str!("variable_beats_flag.md"),
    modes: &[28],
    requirements: &["O-042"],
    plan,
    judge,
};

fn plan(surface: &Surface, plan: &mut Plan) {
    let prefix: String = surface.name.chars().map(upper).collect();
    let usual = ["OUTPUT", "FORMAT", "OUTPUT_FORMAT"]
        .map(|end| (format!("{prefix}_{end}"), "text".to_owned()));
    // What help says of a variable counts for more than what others call theirs.
    let variables: BTreeMap<String, String> = usual.into_iter().chain(named(surface)).collect();
    let in_text =
        |it: Probe| variables.iter().fold(it, |it, (name, value)| it.variable(name, value));
    // Without words that ask for JSON there is nothing to beat.
    if !surface.json.words().is_empty() && !prefix.is_empty() {
        plan.ask_each(samples(surface, Form::Json).map(in_text));
    }
}

/// The variables that help names beside a flag for the format, as in `[env: NOTES_STYLE=]`, each with a
/// value that is another format than JSON.
fn named(surface: &Surface) -> Vec<(String, String)> {
    const FORMATS: &[&str] = &["format", "output", "output-format", "style"];
    let is_format = |flag: &&Flag| {
        let is_named = flag.long.as_deref().is_some_and(|long| FORMATS.contains(&long));
        flag.value.is_some() && (is_named || flag.choices.iter().any(|it| it == "json"))
    };
    let flags = surface.commands.iter().flat_map(|command| &command.flags).filter(is_format);
    flags
        .filter_map(|flag| {
            let variable = variable_in(&flag.about)?;
            let other = flag.choices.iter().find(|it| !it.contains("json"));
            Some((variable, other.cloned().unwrap_or_else(|| "text".to_owned())))
        })
        .collect()
}

/// The first word in the text that is spelled as variables are, in a place where help names one.
fn variable_in(text: &str) -> Option<String> {
    let is_part = |it: char| it.is_ascii_uppercase() || it.is_ascii_digit() || it == '_';
    let starts = ["[env: ", "[env:", "env: ", "env var: ", "(env ", "$"];
    let marked = starts.iter().find_map(|start| text.split_once(start)).map(|(_, rest)| rest);
    let said = || {
        let (before, _) = text.split_once(" environment variable")?;
        before.rsplit(|it: char| !is_part(it)).next()
    };
    let name: String = marked.or_else(said)?.chars().take_while(|it| is_part(*it)).collect();
    (name.len() > 2).then_some(name)
}

fn upper(character: char) -> char {
    if character.is_ascii_alphanumeric() { character.to_ascii_uppercase() } else { '_' }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let is_meant =
        |setting: &Setting| setting.variables.keys().any(|name| name.ends_with("_OUTPUT_FORMAT"));
    for (usual, other) in pairs(evidence, is_meant) {
        // A value that the program does not know may be refused whatever the flag says.
        if usual.exited_zero() && !other.exited_zero() {
            continue;
        }
        builder.observe();
        if let Some(what) = what_differs(evidence, usual, other) {
            let called = other.called();
            let message = format!("{called} follows a variable against its flag: {what}");
            builder.report_once(Finding::new(other, message));
        }
    }
    builder.verdict(NO_SAMPLE, DECLARE_SAMPLE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::probe::Purpose;
    use crate::testing::{judge, ran, surface};

    #[test]
    fn a_variable_whose_value_is_refused_is_not_followed() {
        let verdict = |stdout: &str, status| {
            let mut other = ran(Purpose::Sample, stdout, status);
            other.probe = other.probe.variable("NOTES_OUTPUT_FORMAT", "text");
            judge(&RULE, &[ran(Purpose::Sample, r#"{"items":[]}"#, 0), other]).as_str()
        };
        assert_eq!(verdict("no items", 0), "failed");
        assert_eq!(verdict("error: --format: invalid choice: 'text'", 3), "undecided");
        assert_eq!(verdict(r#"{"items":[]}"#, 0), "passed");
    }

    #[test]
    fn variables_that_help_names_are_set_to_another_format() {
        let mut surface = surface();
        let flag = |about: &str, choices: &[&str]| Flag {
            long: Some("format".to_owned()),
            value: Some("FORMAT".to_owned()),
            choices: choices.iter().map(ToString::to_string).collect(),
            about: about.to_owned(),
            ..Flag::default()
        };
        surface.commands[1].flags = vec![
            flag("How to answer [env: NTS_STYLE=] [default: table]", &["json", "table"]),
            flag("How to answer, or the NTS_LOOK environment variable", &[]),
            flag("How to answer", &["json", "table"]),
        ];
        let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(named(&surface), [pair("NTS_STYLE", "table"), pair("NTS_LOOK", "text")]);
        let mut planned = Plan::default();
        plan(&surface, &mut planned);
        let probes = planned.into_parts().0;
        let value = probes[0].setting.variables.get("NTS_STYLE");
        assert_eq!(value, Some(&Some("table".to_owned())));
        assert!(probes[0].setting.variables.contains_key("NOTES_OUTPUT_FORMAT"));
    }
}
