//! The system kills the program for what it did.

use crate::evidence::Evidence;
use crate::probe::Purpose;
use crate::rule::{Family, Rule, Severity, nothing_more, told_once};
use crate::talk;
use crate::verdict::{Finding, Judging, Verdict};
use manila::Status;
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule {
    id: "crash",
    family: Family::Status,
    severity: Severity::Error,
    flaw: "A call is killed by a signal that only a fault of the program sends.",
    fix: "Find the fault; a debugger or a sanitizer shows where it is.",
    page: include_str!("crash.md"),
    modes: &[18],
    requirements: &["F-001"],
    plan: nothing_more,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut judging = Judging::default();
    let mut found = BTreeSet::new();
    for seen in &evidence.runs {
        let probe = &seen.run.probe;
        // Odd arguments, readers that go away and signals of ours have rules of their own; so has a
        // crash that tells where it was.
        if probe.purpose == Purpose::OddBytes || probe.setting.is_lossy() {
            continue;
        }
        judging.look();
        let Status::Signaled(signal) = seen.run.transcript.status else { continue };
        let Some(name) = fault(signal).filter(|_| seen.run.ended_by_itself()) else { continue };
        if talk::trace_of(seen).is_none() && found.insert(told_once(seen)) {
            let message = format!("{} is killed by {name}", seen.called());
            judging.find(Finding::new(seen, message));
        }
    }
    judging.verdict("no run was made", None)
}

/// The name of a signal that a program brings on itself.
fn fault(signal: i32) -> Option<&'static str> {
    Some(match signal {
        libc::SIGSEGV => "SIGSEGV, an access to memory that is not its own",
        libc::SIGABRT => "SIGABRT, which it sent itself",
        libc::SIGBUS => "SIGBUS, an access to memory that is not there",
        libc::SIGILL => "SIGILL, an instruction that does not exist",
        libc::SIGFPE => "SIGFPE, a division by zero or the like",
        libc::SIGTRAP => "SIGTRAP, a trap of its own",
        libc::SIGSYS => "SIGSYS, a forbidden system call",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::RULE;
    use crate::probe::Purpose;
    use crate::testing::{judge, ran};
    use manila::Status;

    #[test]
    fn faults_are_found_and_other_signals_are_not() {
        let verdict = |signal, stderr: &str| {
            let mut run = ran(Purpose::Sample, "", 0);
            run.transcript.status = Status::Signaled(signal);
            run.transcript.stderr = stderr.into();
            judge(&RULE, &[run]).word()
        };
        assert_eq!(verdict(libc::SIGSEGV, ""), "violated");
        assert_eq!(verdict(libc::SIGPIPE, ""), "holds");
        assert_eq!(verdict(libc::SIGABRT, "thread 'main' panicked at x.rs:1:1:\n"), "holds");
    }
}
