//! The manifest names a command that the program does not know.

use super::refused;
use crate::observe::probe::Purpose;
use crate::plan::collection::Plan;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::refusal::{help_of_no_command, is_unknown_command};
use crate::rule::verdict::{Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::Surface;

pub(crate) static RULE: Rule = Rule {
    id: "ghost-command",
    family: Family::Discovery,
    severity: Severity::Error,
    scope: Scope::MANIFEST,
    flaw: "The manifest names a command that the program does not know.",
    fix: "Generate the manifest from the table that the argument parser uses.",
    page: include_str!("ghost_command.md"),
    modes: &[52, 73],
    requirements: &["O-041"],
    plan,
    judge,
};

fn plan(surface: &Surface, plan: &mut Plan) {
    plan.ask_each(help_of_no_command(surface));
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let named = evidence.surface.commands.iter().filter(|it| it.known_from.manifest);
    for command in named.filter(|command| !command.is_root()) {
        let mut runs = evidence.runs.iter().filter(|seen| {
            let probe = &seen.run.probe;
            let is_own = matches!(probe.purpose, Purpose::Help | Purpose::Sample);
            is_own
                && probe.is_plain()
                && probe.command == command.path
                && seen.run.ended_by_itself()
        });
        let mut is_asked = false;
        let ghost = runs.find(|seen| {
            is_asked = true;
            is_unknown_command(evidence, seen)
        });
        if is_asked {
            builder.observe();
        }
        if let Some(seen) = ghost {
            let name = command.name();
            let message = format!("the manifest names {name}, and the program does not know it");
            builder.report(refused(seen, message));
        }
    }
    builder
        .verdict("the program has no manifest", Some("program.manifest: the words that print it"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::observe::placeholder::NO_COMMAND;
    use crate::plan::usual::help;
    use crate::testing::{judge_with, run_of, surface};

    fn verdict(
        answer: &str,
        status: i32,
        to_unknown: &str,
        status_of_unknown: i32,
    ) -> &'static str {
        let mut surface = surface();
        surface.commands[1].known_from.manifest = true;
        let mut show = surface.commands[1].clone();
        show.path = vec!["show".to_owned()];
        show.known_from.manifest = false;
        surface.commands.push(show);
        let mut asked = Plan::default();
        plan(&surface, &mut asked);
        let unknown = asked.into_parts().0.remove(0);
        let runs = [
            run_of(unknown, to_unknown, status_of_unknown),
            run_of(help(&surface.commands[1]), answer, status),
            run_of(help(&surface.commands[2]), "Usage: notes show", 0),
        ];
        judge_with(&RULE, &surface, &runs).as_str()
    }

    #[test]
    fn a_command_that_is_refused_as_unknown_is_a_ghost() {
        let to_unknown = format!("error: unknown command '{NO_COMMAND}'");
        assert_eq!(verdict("error: unknown command 'list'", 2, &to_unknown, 2), "failed");
        assert_eq!(verdict("Usage: notes list", 0, &to_unknown, 2), "passed");
        assert_eq!(verdict("error: list needs an id", 2, &to_unknown, 2), "passed");
    }

    #[test]
    fn so_is_one_that_gets_the_page_of_unknown_ones() {
        assert_eq!(verdict("Usage: notes", 0, "Usage: notes", 0), "failed");
        assert_eq!(verdict("Usage: notes list", 0, "Usage: notes", 0), "passed");
    }
}
