//! A variable that sets the format beats the flag that asks for JSON.

use super::judge_by_setting;
use crate::observe::probe::{Form, Probe};
use crate::plan::collection::Plan;
use crate::plan::usual::samples;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::verdict::Verdict;
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
    judge_by_setting(
        evidence,
        |setting| setting.variables.keys().any(|name| name.ends_with("_OUTPUT_FORMAT")),
        |seen, what| format!("{} follows a variable against its flag: {what}", seen.called()),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::surface;

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
