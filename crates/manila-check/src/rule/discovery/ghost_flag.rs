//! The manifest names a flag that the command refuses as unknown.

use super::refused;
use crate::plan::collection::Plan;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::Evidence;
use crate::rule::refusal::{flags_to_try, is_unknown_flag, tried_flag};
use crate::rule::verdict::{Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::{Flag, Surface};

pub(crate) static RULE: Rule = Rule {
    id: "ghost-flag",
    family: Family::Discovery,
    severity: Severity::Warning,
    scope: Scope::MANIFEST,
    flaw: "The manifest names a flag that the command does not know.",
    fix: "Generate the manifest from the table that the argument parser uses.",
    page: include_str!("ghost_flag.md"),
    modes: &[52, 73],
    requirements: &["O-041"],
    plan,
    judge,
};

fn plan(surface: &Surface, plan: &mut Plan) {
    plan.ask_each(flags_to_try(surface, is_asked));
}

/// What help lists too is a flaw of the help as well, and is reported there.
fn is_asked(flag: &Flag) -> bool {
    flag.in_manifest && !flag.in_help
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let is_named = |flag: &Flag| flag.in_manifest;
    let has_named = evidence.surface.commands.iter().any(|it| it.flags.iter().any(is_named));
    if has_named {
        builder.observe();
    }
    for seen in &evidence.runs {
        let Some(flag) = tried_flag(seen).filter(|flag| is_asked(flag)) else { continue };
        builder.observe();
        if is_unknown_flag(evidence, seen, &flag.spelling()) {
            let (flag, called) = (flag.spelling(), seen.called());
            let message = format!("the manifest names {flag}, and {called} does not know it");
            builder.report(refused(seen, message).because_of(flag));
        }
    }
    builder.verdict("no manifest names a flag", Some("program.manifest: the words that print it"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{judge_with, run_of, surface};

    #[test]
    fn a_flag_that_is_refused_like_an_unknown_one_is_a_ghost() {
        let mut surface = surface();
        let sort = Flag { long: Some("sort".to_owned()), in_manifest: true, ..Flag::default() };
        surface.commands[1].flags = vec![sort];
        let mut asked = Plan::default();
        plan(&surface, &mut asked);
        let [sort, unknown] = asked.into_parts().0.try_into().expect("two calls");
        assert_eq!(sort.args, ["list", "--sort"]);
        let verdict = |stdout: &str, status| {
            let to_unknown = "unknown flag --manila-no-such-flag";
            let runs =
                [run_of(sort.clone(), stdout, status), run_of(unknown.clone(), to_unknown, 2)];
            judge_with(&RULE, &surface, &runs).as_str()
        };
        assert_eq!(verdict("unknown flag --sort", 2), "failed");
        assert_eq!(verdict("--sort needs --all", 2), "passed");
        assert_eq!(verdict("a list", 0), "passed");
    }
}
