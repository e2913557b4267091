//! A reader that hangs up makes the program crash or complain.

use super::{DECLARE_SAMPLE, NO_SAMPLE};
use crate::evidence::{Evidence, Seen};
use crate::plan::{help, samples};
use crate::probe::{Form, Outlet, Plan};
use crate::rule::{Family, Rule, Severity};
use crate::run::Ended;
use crate::surface::Surface;
use crate::verdict::{Finding, Judging, Verdict};
use manila::{Status, Stream};
use regex::bytes::Regex;
use std::ops::Range;
use std::sync::LazyLock;

pub(crate) static RULE: Rule = Rule {
    id: "closed-reader-crash",
    family: Family::Behaviour,
    severity: Severity::Error,
    flaw: "A reader that hangs up makes the program crash or complain.",
    fix: "End quietly when nobody reads any more.",
    page: include_str!("closed_reader_crash.md"),
    modes: &[16],
    requirements: &["F-014"],
    plan,
    judge,
};

/// What programs print when they notice.
static COMPLAINT: LazyLock<Option<Regex>> = LazyLock::new(|| {
    Regex::new(
        r"(?i:broken ?pipe|EPIPE|panicked at|traceback \(most recent|write error|failed printing)",
    )
    .ok()
});

fn plan(surface: &Surface, plan: &mut Plan) {
    for after in [0, 1] {
        let closed = Outlet::ClosedPipe { after };
        for form in [Form::Json, Form::Text] {
            plan.ask_each(samples(surface, form).map(|it| it.to(closed)));
        }
        let root = surface.commands.iter().filter(|command| command.is_root());
        plan.ask_each(root.map(|root| help(root).to(closed)));
    }
}

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    for seen in &evidence.runs {
        if !matches!(seen.run.probe.setting.outlet, Outlet::ClosedPipe { .. }) {
            continue;
        }
        // What crashes and complains anyway is not the reader's doing.
        if evidence.plain_twin(seen).is_some_and(|twin| complaint(twin).is_some()) {
            continue;
        }
        judging.look();
        if let Some((message, span)) = complaint(seen) {
            let finding = Finding::new(seen, format!("{} {message}", seen.called()));
            judging.find_once(match span {
                Some(span) => finding.at(seen, Stream::Stderr, span),
                None => finding,
            });
        }
    }
    judging.verdict(NO_SAMPLE, DECLARE_SAMPLE)
}

/// What is wrong with how it took it.
fn complaint(seen: &Seen<'_>) -> Option<(&'static str, Option<Range<usize>>)> {
    let found = COMPLAINT.as_ref().and_then(|it| it.find(&seen.run.transcript.stderr));
    if let Some(found) = found {
        return Some(("complains when its reader hangs up", Some(found.range())));
    }
    match (seen.run.transcript.status, seen.run.ended) {
        (_, Ended::AtLimit(_) | Ended::Flooding) => {
            Some(("goes on when its reader has hung up", None))
        }
        (Status::Exited(101), _) => Some(("panics when its reader hangs up", None)),
        (Status::Signaled(libc::SIGABRT | libc::SIGSEGV), _) => {
            Some(("crashes when its reader hangs up", None))
        }
        _ => None,
    }
}
