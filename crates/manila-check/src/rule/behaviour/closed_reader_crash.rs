//! A reader that closes the pipe makes the program crash or complain.

use super::{DECLARE_SAMPLE, NO_SAMPLE};
use crate::observe::probe::{Form, Stdout};
use crate::observe::run::Ended;
use crate::observe::text_kind::pattern;
use crate::plan::collection::Plan;
use crate::plan::usual::{help, samples};
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule};
use crate::rule::evidence::{Evidence, ObservedRun};
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use crate::surface::model::Surface;
use manila::{Status, Stream};
use regex::bytes::Regex;
use std::ops::Range;
use std::sync::LazyLock;

pub(crate) static RULE: Rule = Rule {
    id: "closed-reader-crash",
    family: Family::Behaviour,
    severity: Severity::Error,
    scope: Scope::PLAIN,
    flaw: "A reader that closes the pipe makes the program crash or complain.",
    fix: "Exit quietly when the reader closes the pipe.",
    page: include_str!("closed_reader_crash.md"),
    modes: &[16],
    requirements: &["F-014"],
    plan,
    judge,
};

/// What programs print when they notice.
static COMPLAINT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r"(?i:broken ?pipe|EPIPE|panicked at|traceback \(most recent|write error|failed printing)",
    )
});

fn plan(surface: &Surface, plan: &mut Plan) {
    for after in [0, 1] {
        let closed = Stdout::ClosedPipe { after };
        for form in [Form::Json, Form::Text] {
            plan.ask_each(samples(surface, form).map(|it| it.with_stdout(closed)));
        }
        let root = surface.commands.iter().filter(|command| command.is_root());
        plan.ask_each(root.map(|root| help(root).with_stdout(closed)));
    }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    for seen in &evidence.runs {
        if !matches!(seen.run.probe.setting.stdout, Stdout::ClosedPipe { .. }) {
            continue;
        }
        // What crashes and complains anyway is not the reader's doing.
        if evidence.plain_twin(seen).is_some_and(|twin| complaint(twin).is_some()) {
            continue;
        }
        builder.observe();
        if let Some((message, span)) = complaint(seen) {
            let finding = Finding::new(seen, format!("{} {message}", seen.called()));
            builder.report_once(match span {
                Some(span) => finding.at(seen, Stream::Stderr, span),
                None => finding,
            });
        }
    }
    builder.verdict(NO_SAMPLE, DECLARE_SAMPLE)
}

/// What is wrong with how it took it.
fn complaint(seen: &ObservedRun<'_>) -> Option<(&'static str, Option<Range<usize>>)> {
    let found = COMPLAINT.find(&seen.run.transcript.stderr);
    if let Some(found) = found {
        return Some(("complains when its reader hangs up", Some(found.range())));
    }
    match (seen.run.transcript.status, seen.run.ended) {
        (_, Ended::AtLimit(_) | Ended::Flooding) => {
            Some(("keeps running when its reader has closed the pipe", None))
        }
        (Status::Exited(101), _) => Some(("panics when its reader hangs up", None)),
        (Status::Signaled(libc::SIGABRT | libc::SIGSEGV), _) => {
            Some(("crashes when its reader hangs up", None))
        }
        _ => None,
    }
}
