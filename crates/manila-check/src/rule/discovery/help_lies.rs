//! Help lists a command or a flag that is refused as unknown.

use super::refused;
use crate::observe::probe::Purpose;
use crate::plan::collection::Plan;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::refusal::{
    flags_to_try, help_of_no_command, is_refused_as_unknown, is_unknown_flag, tried_flag,
};
use crate::rule::verdict::{Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::{Flag, Surface};

pub(crate) static RULE: Rule = Rule {
    id: "help-lies",
    family: Family::Discovery,
    severity: Severity::Warning,
    scope: Scope::PLAIN,
    flaw: "Help lists a command or a flag that the program does not know.",
    fix: "Generate the help from the table that the argument parser uses.",
    page: include_str!("help_lies.md"),
    modes: &[21, 73],
    requirements: &["F-068"],
    plan,
    judge,
};

fn plan(surface: &Surface, plan: &mut Plan) {
    plan.ask_each(help_of_no_command(surface));
    plan.ask_each(flags_to_try(surface, is_asked));
}

fn is_asked(flag: &Flag) -> bool {
    flag.in_help
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for seen in &evidence.runs {
        let probe = &seen.run.probe;
        if !probe.is_plain() || !seen.run.ended_by_itself() {
            continue;
        }
        // What the manifest names too is a ghost there.
        let is_listed = seen.command.is_some_and(|command| {
            command.known_from.help && !command.known_from.manifest && !command.is_root()
        });
        if is_listed && probe.purpose == Purpose::Help {
            builder.observe();
            if is_refused_as_unknown(evidence, seen) {
                let name = probe.command.join(" ");
                let message = format!("help lists {name}, and the program does not know it");
                builder.report(refused(seen, message));
            }
        }
        if let Some(flag) = tried_flag(seen).filter(|flag| is_asked(flag)) {
            builder.observe();
            if is_unknown_flag(evidence, seen, &flag.spelling()) {
                let (flag, called) = (flag.spelling(), seen.called());
                let message = format!("the help of {called} lists {flag}, and it is refused");
                builder.report(refused(seen, message));
            }
        }
    }
    builder.verdict("no help lists a command or a flag that could be tried", None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::placeholder::NO_COMMAND;
    use crate::plan::usual::help;
    use crate::testing::{judge_with, run_of, surface};

    #[test]
    fn a_flag_that_help_lists_is_taken() {
        let mut surface = surface();
        let sort = Flag { long: Some("sort".to_owned()), in_help: true, ..Flag::default() };
        surface.commands[1].flags = vec![sort];
        let probes = flags_to_try(&surface, is_asked);
        let mut others = surface.clone();
        others.commands[1].flags[0].is_of_one_usage = true;
        assert_eq!(flags_to_try(&others, is_asked), [], "the sample may be of another usage");
        let verdict = |stdout: &str| {
            let to_unknown = "unknown flag --manila-no-such-flag";
            let runs =
                [run_of(probes[0].clone(), stdout, 2), run_of(probes[1].clone(), to_unknown, 2)];
            judge_with(&RULE, &surface, &runs).as_str()
        };
        assert_eq!(verdict("unknown flag --sort"), "failed");
        assert_eq!(verdict("no notes to --sort"), "passed");
    }

    #[test]
    fn a_flag_that_is_refused_for_its_place_is_known() {
        let mut surface = surface();
        let depth = Flag {
            long: Some("depth".to_owned()),
            value: Some("N".to_owned()),
            in_help: true,
            ..Flag::default()
        };
        surface.commands[1].flags = vec![depth];
        surface.commands[1].sample = Some(vec!["a".to_owned()]);
        let probes = flags_to_try(&surface, is_asked);
        assert_eq!(probes.len(), 3);
        let verdict = |first: &str| {
            let late = |flag: &str| format!("option {flag} must come before arguments");
            let runs = [
                run_of(probes[0].clone(), late("--depth"), 128),
                run_of(probes[1].clone(), late("--manila-no-such-flag"), 128),
                run_of(probes[2].clone(), first, 129),
            ];
            judge_with(&RULE, &surface, &runs).as_str()
        };
        assert_eq!(verdict("error: unknown option `manila-no-such-flag'"), "passed");
        assert_eq!(verdict("option --manila-no-such-flag must come before arguments"), "failed");
    }

    #[test]
    fn a_command_that_gets_the_page_of_any_word_may_exist() {
        let mut surface = surface();
        surface.commands[1].known_from.help = true;
        let mut other = surface.commands[1].clone();
        other.path = vec!["show".to_owned()];
        surface.commands.push(other);
        let unknown = help_of_no_command(&surface).next().expect("a call");
        let page = "Usage: notes <COMMAND>";
        let runs = [
            run_of(unknown, page, 0),
            run_of(help(&surface.commands[1]), page, 0),
            run_of(help(&surface.commands[2]), "Usage: notes show", 0),
        ];
        assert_eq!(judge_with(&RULE, &surface, &runs).as_str(), "passed");
    }

    #[test]
    fn so_is_a_command() {
        let mut surface = surface();
        surface.commands[1].known_from.help = true;
        let unknown = help_of_no_command(&surface).next().expect("a call");
        let to_unknown = format!("unknown command {NO_COMMAND}");
        let runs = [
            run_of(unknown, to_unknown, 2),
            run_of(help(&surface.commands[1]), "unknown command list", 2),
        ];
        assert_eq!(judge_with(&RULE, &surface, &runs).as_str(), "failed");
    }
}
