//! A whole check: the program is discovered, probed and judged, and what is waived of that.

use crate::declaration::Declaration;
use crate::error::{Error, ErrorKind};
use crate::observe::probe::{Form, Probe, Purpose, Setting, Stdin};
use crate::observe::run::{Ended, Run, Waiting};
use crate::options::{Options, RuleSelection};
use crate::plan::usual::{plan, representatives};
use crate::profile::Profile;
use crate::report::model::{Report, RunSummary};
use crate::report::waiver::waive;
use crate::rule::definition::Rule;
use crate::rule::evidence::Evidence;
use crate::rule::judge::{Case, judge_all};
use crate::rule::verdict::Verdict;
use crate::selection::{self, Applies, Criteria, Promises, Shown, asked};
use crate::subject::Subject;
use crate::surface::known_effects::KnownEffects;
use crate::surface::model::{Command, Json, Surface};
use crate::surface::survey::{Survey, survey_folding};
use crate::unseen::{Unjudged, lacking, left_out, unseen};
use manila::segment::is_json_so_far;
use manila::{Transcript, did_you_mean};
use manila_pack::asks_for_json;
use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

/// Makes the runs of a plan that were not made before, and puts all of them in the order of the plan.
fn complete(
    planned: &[Probe],
    before: Vec<Run>,
    make: impl FnOnce(&[Probe]) -> Vec<Option<Run>>,
) -> Vec<Option<Run>> {
    let mut known: BTreeMap<Probe, Run> = BTreeMap::new();
    for run in before {
        known.entry(run.probe.clone()).or_insert(run);
    }
    let lacking: Vec<Probe> =
        planned.iter().filter(|probe| !known.contains_key(probe)).cloned().collect();
    known.extend(make(&lacking).into_iter().flatten().map(|run| (run.probe.clone(), run)));
    planned.iter().map(|probe| known.remove(probe)).collect()
}

/// Checks a program: finds out what it offers, makes the runs that the rules ask for, and judges them.
pub fn check(
    subject: &Subject,
    declaration: &Declaration,
    options: &Options,
) -> Result<Report, Error> {
    let Survey { mut surface, notes, lab, begin, deadline, runs: before, unread } =
        survey_folding(subject, declaration, options)?;
    narrow(&mut surface, options)?;
    let chosen = options.rules.profile.or(declaration.profile);
    let (has_manifest, has_json) = (surface.manifest.is_some(), surface.json.is_known());
    // Which of the two JSON profiles it is shows in the answers.
    let most = chosen.unwrap_or(if has_json { Profile::Envelope } else { Profile::Plain });
    let criteria = Criteria { declaration, asked: &options.rules };
    let all = asked(declaration, &options.rules, options.is_quick);
    let planned_for = Promises::known(most, has_manifest);
    let is_judged = |rule: &&Rule| criteria.applies(rule, &planned_for) != Applies::No;
    let rules: Vec<&'static Rule> = all.iter().copied().filter(is_judged).collect();
    let mut planned = plan(
        &surface,
        KnownEffects::new(subject, &options.packs),
        rules.iter().map(|rule| rule.plan),
    );
    planned.retain(|probe| lab.may_run(probe));
    if let Some(command) = &options.command {
        planned.retain(|probe| probe.command == *command);
    }
    let for_judging = time_for_judging(&before, deadline);
    let runs_until = begin + deadline.saturating_sub(for_judging);
    let mut probes = before.len();
    let made = complete(&planned, before, |lacking| {
        let mut made = lab.run_until(lacking, runs_until);
        probes += made.iter().flatten().count();
        confirm_hangs(&mut made, |probe| lab.repeat_alone(probe));
        made
    });
    let mut summary = RunSummary {
        commands: surface.commands.len(),
        run: surface.commands.iter().filter(|it| it.safe_call().is_some()).count(),
        withheld: surface.commands.iter().filter(|it| !it.is_group && !it.only_reads()).count(),
        probes,
        skipped: made.iter().filter(|run| run.is_none()).count(),
        time: Duration::ZERO,
        peak_memory: lab.peak_memory(),
        containment: lab.containment(),
    };
    let left_out = left_out(&planned, &made);
    let unseen = if Instant::now() < runs_until.min(lab.deadline()) {
        BTreeSet::new()
    } else {
        unseen(&surface, &rules, &planned, &made)
    };
    let lacks_answers =
        planned.iter().zip(&made).any(|(probe, run)| lacks_answer(probe, run.as_ref()));
    let is_restricted = lab.is_restricted();
    // Nothing of the program is left from here on, however judging ends.
    drop(lab);
    let (version, mut gaps) = (surface.version.clone(), surface.gaps.clone());
    gaps.extend(left_out);
    let runs: Vec<Run> = made.into_iter().flatten().collect();
    let mut unjudged = Unjudged::of(&rules, &runs);
    let case = Case { subject: subject.clone(), surface, runs };
    let judgement = judge_all(case, &rules, begin + deadline, &options.cancel);
    unjudged.late = judgement.verdicts.iter().filter(|verdict| verdict.is_none()).count();
    unjudged.unread = judgement.unread;
    gaps.extend(unjudged.gaps());
    gaps.extend(lacking(judgement.lacking));
    let shown = Shown {
        has_json,
        may_have_json: unread.may_hide_json(),
        profile: judgement.profile,
        may_be_envelopes: lacks_answers || unjudged.is_cut_short(),
    };
    let (least, most) = chosen.map_or_else(|| shown.profiles(), |chosen| (chosen, chosen));
    let may_have_manifest = has_manifest || unread.may_hide_manifest();
    let promises = Promises { least: (least, has_manifest), most: (most, may_have_manifest) };
    let mut verdicts: BTreeMap<&str, Option<Verdict>> =
        rules.iter().map(|rule| rule.id).zip(judgement.verdicts).collect();
    let mut verdict = |rule: &Rule| match verdicts.remove(rule.id).flatten() {
        Some(Verdict::Undecided { .. }) if is_restricted => UNCONFINED,
        Some(Verdict::Passed { .. }) if unseen.contains(rule.id) => UNSEEN,
        Some(verdict) => verdict,
        None => TOO_LATE,
    };
    let judged = |rule: &&'static Rule| match criteria.applies(rule, &promises) {
        Applies::Surely(severity) => Some((*rule, severity, verdict(rule))),
        Applies::Perhaps(severity) => Some((*rule, severity, UNSETTLED)),
        Applies::No => None,
    };
    let applying: Vec<_> = all.iter().filter_map(judged).collect();
    let not_applicable = all.len() - applying.len();
    let (judged, stale_waivers) = waive(declaration, options.rules.today, applying);
    summary.time = begin.elapsed();
    Ok(Report {
        subject: subject.shown.clone(),
        version,
        profile: promises.profile(),
        not_applicable,
        notes,
        judged,
        summary,
        gaps,
        stale_waivers,
        threshold: options.rules.threshold,
    })
}

/// Whether a call that would have shown an answer in JSON was not made.
fn lacks_answer(probe: &Probe, run: Option<&Run>) -> bool {
    probe.form == Form::Json && probe.purpose == Purpose::Sample && run.is_none()
}

/// The time in which no run begins any more. Huge answers take long to write, to fold and to read, and what is not
/// judged in the end was made in vain.
fn time_for_judging(runs: &[Run], deadline: Duration) -> Duration {
    let is_huge = |run: &Run| run.written.iter().sum::<u64>() > HUGE;
    if runs.iter().any(is_huge) { deadline / 3 } else { Duration::ZERO }
}

/// How much a huge answer has at least, in bytes.
const HUGE: u64 = 4 << 20;

/// How many commands are checked in a quick check, beside the program itself.
const MOST_QUICK: usize = 2;

/// Leaves out the commands that these options do not ask for.
fn narrow(surface: &mut Surface, options: &Options) -> Result<(), Error> {
    if let Some(chosen) = &options.command {
        if !surface.commands.iter().any(|command| command.path == *chosen) {
            let names: Vec<String> = surface.commands.iter().map(Command::name).collect();
            let name = chosen.join(" ");
            let error = Error::new(
                ErrorKind::BadCommand,
                format!("{} has no command {name:?} that discovery finds", surface.name),
            );
            let closest = did_you_mean(&name, names.iter().map(String::as_str));
            return Err(error.suggest(closest.unwrap_or_else(|| {
                "declare it in manila.toml, or name one that its help lists".to_owned()
            })));
        }
        surface.commands.retain(|it| it.path.starts_with(chosen) || chosen.starts_with(&it.path));
    } else if options.is_quick {
        let kept: Vec<Vec<String>> =
            representatives(surface, MOST_QUICK).into_iter().map(<[String]>::to_vec).collect();
        // A group is left, so that an unknown command can be asked for.
        let first = surface.commands.iter().find(|it| it.path.len() == 1).map(|it| it.path.clone());
        surface.commands.retain(|it| {
            it.is_root()
                || kept.contains(&it.path)
                || (kept.is_empty() && Some(&it.path) == first.as_ref())
        });
    }
    Ok(())
}

/// How many runs that hit their limit are made again.
const MOST_REPEATED: usize = 2;

/// Makes the first runs that hit their limit again, alone and with more time. What ends then is judged as
/// it ended; if all of them end, or there is no time left for it, nothing is said about the others.
fn confirm_hangs(runs: &mut [Option<Run>], mut again: impl FnMut(&Probe) -> Option<Run>) {
    // One that waits for input or a terminal is known to wait, and one that is meant to run long may.
    let is_doubtful = |run: &Run| {
        matches!(run.ended, Ended::AtLimit(Waiting::ForSomething) | Ended::Flooding)
            && run.probe.setting.stdin != Stdin::Silent
            && run.probe.purpose != Purpose::Slow
    };
    let mut has_hung = false;
    let mut repeated = 0;
    for run in runs.iter_mut().filter(|run| run.as_ref().is_some_and(is_doubtful)) {
        if repeated < MOST_REPEATED && !has_hung {
            repeated += 1;
            *run = run.as_ref().and_then(|run| again(&run.probe));
            has_hung = run.as_ref().is_some_and(is_doubtful);
        } else if !has_hung {
            *run = None;
        }
    }
}

/// What is said about a rule that needs more than may be run without confinement.
const UNCONFINED: Verdict = Verdict::Undecided {
    why: "the program could not be confined, so only --help and --version were called",
    declare: None,
};

/// What is said about a rule that held in the calls that were made in time.
const UNSEEN: Verdict = Verdict::Undecided {
    why: "it held so far, but the deadline passed before all calls that could break it; raise --deadline",
    declare: None,
};

/// What is said about a rule that applies only if the program promises more than was seen in time.
const UNSETTLED: Verdict = Verdict::Undecided {
    why: "the deadline passed before it was seen whether the program promises this; raise --deadline",
    declare: Some("program.profile: what the program promises"),
};

/// What is said about a rule that was not judged in time.
const TOO_LATE: Verdict = Verdict::Undecided {
    why: "the deadline passed before this was judged; raise --deadline",
    declare: None,
};

/// Judges recorded runs; nothing is run. Each has a name, such as that of its directory.
pub fn check_recorded(
    runs: Vec<(String, Transcript)>,
    declaration: &Declaration,
    asked: &RuleSelection,
) -> Report {
    let names = runs.iter().map(|(name, _)| name.clone()).collect();
    let subject = Subject {
        argv: runs
            .first()
            .and_then(|(_, run)| run.argv.first())
            .map(Into::into)
            .into_iter()
            .collect(),
        shown: Vec::new(),
        variables: Vec::new(),
        fixture: None,
    };
    let surface = Surface { name: subject.name(), json: Json::Always, ..Surface::default() };
    let runs: Vec<Run> = runs
        .into_iter()
        .map(|(name, transcript)| {
            let args = transcript.argv.iter().skip(1).map(Into::into).collect();
            let (command, purpose) = (vec![name], Purpose::Recorded);
            let (form, setting) = (form_of(&transcript), Setting::default());
            Run::recorded(Probe { command, args, purpose, form, setting }, transcript)
        })
        .collect();
    let summary = RunSummary { probes: runs.len(), ..RunSummary::default() };
    let evidence = Evidence::new(&subject, &surface, &runs);
    // Recorded runs are judged by every rule: nothing else shows what the program promises.
    let profile = asked.profile.or(declaration.profile).unwrap_or(Profile::Envelope);
    let all = selection::asked(declaration, asked, false);
    let (criteria, promises) = (Criteria { declaration, asked }, Promises::known(profile, true));
    let judged = |rule: &&'static Rule| match criteria.applies(rule, &promises) {
        Applies::Surely(severity) => Some((*rule, severity, (rule.judge)(&evidence))),
        Applies::Perhaps(_) | Applies::No => None,
    };
    let judged: Vec<_> = all.iter().filter_map(judged).collect();
    let not_applicable = all.len() - judged.len();
    let (judged, stale_waivers) = waive(declaration, asked.today, judged);
    let threshold = asked.threshold;
    Report {
        subject: names,
        profile: Some(profile),
        not_applicable,
        judged,
        stale_waivers,
        summary,
        threshold,
        ..Report::default()
    }
}

/// Whether a recorded run was asked for JSON: its arguments say so, or it answered in it.
fn form_of(transcript: &Transcript) -> Form {
    let asks = asks_for_json(&transcript.argv);
    let answers = [&transcript.stdout, &transcript.stderr]
        .iter()
        .any(|bytes| is_json_so_far(bytes.trim_ascii_start(), 0));
    if asks || answers { Form::Json } else { Form::Text }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::declaration::Waiver;
    use crate::severity::Severity;
    use jiff::civil::Date;
    use manila::Status;

    const LIE: &str = r#"{"ok":false,"data":null,"error":{"code":"NOT_FOUND","message":"m"},"warnings":[],"meta":{}}"#;

    fn report(declaration: &Declaration, whom: &RuleSelection) -> Report {
        let run = Transcript {
            argv: vec!["notes".to_owned(), "--json".to_owned()],
            ..Transcript::from_stdout(LIE, Status::Exited(0))
        };
        check_recorded(vec![("case".to_owned(), run)], declaration, whom)
    }

    fn waiver(expires: Option<Date>) -> Waiver {
        let rule = "failure-with-exit-zero".to_owned();
        Waiver { rule, command: None, reason: "known".to_owned(), expires }
    }

    #[test]
    fn a_recorded_lie_is_found_and_a_waiver_hides_nothing_from_the_score() {
        let whom = RuleSelection {
            select: vec!["failure-with-exit-zero".to_owned()],
            ..RuleSelection::default()
        };
        assert_eq!(report(&Declaration::default(), &whom).worst(), Some(Severity::Error));
        let waived = Declaration { waivers: vec![waiver(None)], ..Declaration::default() };
        let report = report(&waived, &whom);
        assert_eq!((report.worst(), report.score().held), (None, 0));
        assert_eq!(report.judged[0].waived.len(), 1);
    }

    #[test]
    fn an_expired_waiver_waives_nothing_and_is_reported() {
        let last = Date::constant(2026, 1, 1);
        let declared = Declaration { waivers: vec![waiver(Some(last))], ..Declaration::default() };
        let whom =
            RuleSelection { today: Some(Date::constant(2026, 1, 2)), ..RuleSelection::default() };
        let over = report(&declared, &whom);
        assert_eq!(
            over.stale_waivers,
            ["the waiver of failure-with-exit-zero expired on 2026-01-01"]
        );
        assert!(over.causes().any(|(judged, _)| judged.rule.id == "failure-with-exit-zero"));
        let whom = RuleSelection { today: Some(last), ..RuleSelection::default() };
        assert!(report(&declared, &whom).stale_waivers.is_empty());
    }

    #[test]
    fn a_hang_is_believed_when_it_hangs_again_alone() {
        let probe = Probe {
            command: Vec::new(),
            args: Vec::new(),
            purpose: Purpose::Sample,
            form: Form::Text,
            setting: Setting::default(),
        };
        let ended = |ended: Ended| {
            let run = Run::recorded(probe.clone(), Transcript::from_stdout("", Status::Exited(0)));
            Run { ended, ..run }
        };
        let hung = || Some(ended(Ended::AtLimit(Waiting::ForSomething)));
        let left = |again: Option<Run>| {
            let mut runs = vec![hung(), hung(), hung()];
            confirm_hangs(&mut runs, |_| again.clone());
            runs.iter().map(|run| run.as_ref().map(|it| it.ended)).collect::<Vec<_>>()
        };
        let limit = Some(Ended::AtLimit(Waiting::ForSomething));
        assert_eq!(left(hung()), [limit; 3], "it hangs alone too");
        let done = Some(Ended::ByItself);
        assert_eq!(left(Some(ended(Ended::ByItself))), [done, done, None], "it was slow");
        assert_eq!(left(None), [None; 3], "there was no time");
    }

    #[test]
    fn what_was_run_before_is_not_run_again() {
        let probe = |word: &str| Probe {
            command: Vec::new(),
            args: vec![word.into()],
            purpose: Purpose::Help,
            form: Form::Text,
            setting: Setting::default(),
        };
        let run = |word: &str, stdout: &str| {
            Run::recorded(probe(word), Transcript::from_stdout(stdout, Status::Exited(0)))
        };
        let planned = [probe("-a"), probe("-b"), probe("-c")];
        let before = vec![run("-z", "old"), run("-b", "old"), run("-b", "later")];
        let made = complete(&planned, before, |lacking| {
            assert_eq!(lacking, [probe("-a"), probe("-c")]);
            vec![Some(run("-a", "new")), None]
        });
        let said: Vec<_> =
            made.iter().map(|run| Some(run.as_ref()?.transcript.stdout.as_slice())).collect();
        assert_eq!(said, [Some(&b"new"[..]), Some(b"old"), None]);
    }
}
