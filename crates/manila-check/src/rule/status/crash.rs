//! The system kills the program for what it did.

use crate::observe::probe::Purpose;
use crate::profile::Scope;
use crate::rule::definition::{Family, Rule, no_probes};
use crate::rule::evidence::Evidence;
use crate::rule::evidence::dedup_key;
use crate::rule::verdict::{Finding, Verdict, VerdictBuilder};
use crate::severity::Severity;
use manila::Status;
use std::collections::BTreeSet;

pub(crate) static RULE: Rule = Rule {
    id: "crash",
    family: Family::Status,
    severity: Severity::Error,
    scope: Scope::PLAIN,
    flaw: "A call is killed by a signal that only a fault of the program sends.",
    fix: "Find the fault with a debugger or a sanitizer.",
    page: include_str!("crash.md"),
    modes: &[18],
    requirements: &["F-001"],
    plan: no_probes,
    judge,
};

fn judge(evidence: &Evidence<'_>) -> Verdict {
    let mut builder = VerdictBuilder::default();
    let mut found = BTreeSet::new();
    for seen in &evidence.runs {
        let probe = &seen.run.probe;
        // Odd arguments, closed readers and signals of ours have rules of their own; so has a crash
        // with a stack trace.
        if probe.purpose == Purpose::OddBytes || probe.setting.is_lossy() {
            continue;
        }
        builder.observe();
        let Status::Signaled(signal) = seen.run.transcript.status else { continue };
        let Some(name) = crash_signal(signal).filter(|_| seen.run.ended_by_itself()) else {
            continue;
        };
        if seen.stack_trace().is_none() && found.insert(dedup_key(seen)) {
            let message = format!("{} is killed by {name}", seen.called());
            builder.report(Finding::new(seen, message));
        }
    }
    builder.verdict("no run was made", None)
}

/// The name of a signal that a program brings on itself.
fn crash_signal(signal: i32) -> Option<&'static str> {
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
    use crate::observe::probe::Purpose;
    use crate::testing::{judge, ran};
    use manila::Status;

    #[test]
    fn faults_are_found_and_other_signals_are_not() {
        let verdict = |signal, stderr: &str| {
            let mut run = ran(Purpose::Sample, "", 0);
            run.transcript.status = Status::Signaled(signal);
            run.transcript.stderr = stderr.into();
            judge(&RULE, &[run]).as_str()
        };
        assert_eq!(verdict(libc::SIGSEGV, ""), "failed");
        assert_eq!(verdict(libc::SIGPIPE, ""), "passed");
        assert_eq!(verdict(libc::SIGABRT, "thread 'main' panicked at x.rs:1:1:\n"), "passed");
    }
}
