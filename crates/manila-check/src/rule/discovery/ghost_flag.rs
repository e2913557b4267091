//! The manifest names a flag that the command refuses as unknown.

use super::refused;
use crate::evidence::Evidence;
use crate::probe::Plan;
use crate::refusal::{flags_to_try, is_unknown_flag, tried_flag};
use crate::rule::{Family, Rule, Severity};
use crate::surface::{Flag, Surface};
use crate::verdict::{Judging, Verdict};

pub(crate) static RULE: Rule = Rule {
    id: "ghost-flag",
    family: Family::Discovery,
    severity: Severity::Warning,
    flaw: "The manifest names a flag that the command does not know.",
    fix: "Make the manifest from the same table that the arguments are read with.",
    page: include_str!("ghost_flag.md"),
    modes: &[52, 73],
    requirements: &["O-041"],
    plan,
    judge,
};

fn plan(surface: &Surface, plan: &mut Plan) {
    plan.ask_each(flags_to_try(surface, is_asked));
}

/// What help lists too is help's lie as well, and is told there.
fn is_asked(flag: &Flag) -> bool {
    flag.in_manifest && !flag.in_help
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    let is_named = |flag: &Flag| flag.in_manifest;
    let has_named = evidence.surface.commands.iter().any(|it| it.flags.iter().any(is_named));
    if has_named {
        judging.look();
    }
    for seen in &evidence.runs {
        let Some(flag) = tried_flag(seen).filter(|flag| is_asked(flag)) else { continue };
        judging.look();
        if is_unknown_flag(evidence, seen, &flag.word()) {
            let (flag, called) = (flag.word(), seen.called());
            let message = format!("the manifest names {flag}, and {called} does not know it");
            judging.find(refused(seen, message));
        }
    }
    judging.verdict("no manifest names a flag", Some("program.manifest: the words that print it"))
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
        let [sort, unknown] = asked.into_probes().try_into().expect("two calls");
        assert_eq!(sort.args, ["list", "--sort"]);
        let verdict = |stdout: &str, status| {
            let to_unknown = "unknown flag --manila-no-such-flag";
            let runs =
                [run_of(sort.clone(), stdout, status), run_of(unknown.clone(), to_unknown, 2)];
            judge_with(&RULE, &surface, &runs).word()
        };
        assert_eq!(verdict("unknown flag --sort", 2), "violated");
        assert_eq!(verdict("--sort needs --all", 2), "holds");
        assert_eq!(verdict("a list", 0), "holds");
    }
}
