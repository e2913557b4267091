//! The laws of deciding what to do next.

use super::input;
use manila::{
    Action, Answer, Attempt, Decision, Exit, History, Opened, Options, Phase, Policy, ROWS,
    Redirects, Status, Transcript,
};

/// How many bytes choose the history and the policy; the transcript follows them.
pub const KNOBS: usize = 5;

/// Decides on a transcript, with a history and a policy from the first bytes.
///
/// # Panics
///
/// When a law is broken.
pub fn decide(bytes: &[u8]) {
    let Some((&knobs, bytes)) = bytes.split_first_chunk::<KNOBS>() else { return };
    let mut transcript = input::transcript(bytes);
    let read = manila::open(&transcript, &Options::default());
    let opened = read.as_ref().ok();
    transcript.argv = argv(knobs, opened);
    let (history, policy) = (history(knobs, opened), policy(knobs));
    let decision = manila::decide(&Answer::new(&transcript, read.as_ref()), &history, &policy);
    let again = manila::decide(&Answer::new(&transcript, read.as_ref()), &history, &policy);
    assert_eq!(format!("{decision:?}"), format!("{again:?}"));
    assert!(!decision.reason.is_empty());
    assert!(ROWS.iter().any(|row| row.id == decision.row.id));
    nothing_is_done_twice(&transcript, opened, &policy, &decision);
    only_success_is_used(&transcript, opened, &decision);
    the_caller_is_obeyed(&transcript, &history, &policy, &decision);
    retries_are_bounded(opened, &history, &policy, &decision);
}

fn bit(knobs: [u8; KNOBS], number: usize) -> bool {
    knobs[number / 8] & (1 << (number % 8)) != 0
}

fn policy(knobs: [u8; KNOBS]) -> Policy {
    let jitter = [0.0, 0.5, 1.0, -1.0, f64::NAN, f64::INFINITY];
    Policy {
        retries: usize::from(knobs[2] % 5),
        hops: usize::from(knobs[2] / 5 % 4),
        jitter: jitter[usize::from(knobs[2] / 20) % jitter.len()],
        remaining_ms: bit(knobs, 0).then(|| 1 << (knobs[3] % 64)),
        idempotent: bit(knobs, 1),
        cached: bit(knobs, 2),
        fixes: bit(knobs, 3),
        refresh: bit(knobs, 11),
        redirects: match knobs[3] / 64 {
            0 => Redirects::Never,
            1 => Redirects::Any,
            _ => Redirects::SameProgram,
        },
    }
}

/// What has happened so far, often the very thing that the answer asks for.
fn history(knobs: [u8; KNOBS], opened: Option<&Opened>) -> History {
    let error = opened.and_then(|opened| opened.envelope.error());
    let alike = Attempt { code: error.map_or_else(String::new, |error| error.code.clone()) };
    let other = Attempt { code: "OTHER".to_owned() };
    let cursor = opened.and_then(|opened| opened.envelope.meta().cursor.clone());
    let moved = error.and_then(|error| error.redirect.as_ref()).map(|to| to.command.clone());
    let mut redirects = vec!["tool elsewhere".to_owned(); usize::from(knobs[4] / 16 % 4)];
    redirects.extend(moved.filter(|_| bit(knobs, 4)));
    History {
        attempts: [vec![alike; usize::from(knobs[4] % 16)], vec![other]].concat(),
        cursors: cursor.filter(|_| bit(knobs, 5)).into_iter().collect(),
        redirects,
        refreshed: bit(knobs, 6),
        fixed: bit(knobs, 7),
        reissued: bit(knobs, 8),
    }
}

/// The call: unknown, of another program, of the one that a redirect names, or that redirect.
fn argv(knobs: [u8; KNOBS], opened: Option<&Opened>) -> Vec<String> {
    let error = opened.and_then(|opened| opened.envelope.error());
    let moved = error.and_then(|error| error.redirect.as_ref());
    let words = moved.map(|to| to.command.split(' ').map(str::to_owned).collect::<Vec<_>>());
    match (bit(knobs, 9), bit(knobs, 10), words) {
        (false, false, _) => Vec::new(),
        (true, false, Some(words)) => words,
        (false, true, Some(words)) => vec![format!("/usr/bin/{}", words[0]), "x".to_owned()],
        _ => vec!["tool".to_owned(), "x".to_owned()],
    }
}

fn nothing_is_done_twice(
    transcript: &Transcript,
    opened: Option<&Opened>,
    policy: &Policy,
    decision: &Decision,
) {
    let calls_again = matches!(
        decision.action,
        Action::Retry { .. }
            | Action::CorrectArguments { .. }
            | Action::RefreshCredentials
            | Action::ApplyFix { .. }
    );
    let partly_done = ended_violently(transcript.status) || opened.is_some_and(is_partial);
    assert!(!calls_again || !partly_done || policy.idempotent, "{decision:?}");
}

fn ended_violently(status: Status) -> bool {
    match status {
        Status::Signaled(_) => true,
        Status::Exited(code) => code == 101 || code == 124 || code >= 128,
        Status::Unknown => false,
    }
}

/// Whether the class says that some of the work is done, and the phase does not object.
fn is_partial(opened: &Opened) -> bool {
    let phase = opened.envelope.error().and_then(|error| error.phase);
    matches!(opened.envelope.exit(), Exit::PartialFailure | Exit::Timeout)
        && phase != Some(Phase::Validation)
}

fn only_success_is_used(transcript: &Transcript, opened: Option<&Opened>, decision: &Decision) {
    let uses =
        matches!(decision.action, Action::Accept | Action::UseCache | Action::NextPage { .. });
    let succeeded = matches!(transcript.status, Status::Exited(0) | Status::Unknown)
        && opened.is_some_and(|opened| {
            opened.envelope.ok()
                && !opened.detection.contested
                && !opened.claims.unknown_revision
                && opened.claims.ok != Some(false)
                && opened.claims.failure_mark.is_none()
        });
    assert!(!uses || succeeded, "{decision:?}");
}

fn the_caller_is_obeyed(
    transcript: &Transcript,
    history: &History,
    policy: &Policy,
    decision: &Decision,
) {
    match &decision.action {
        Action::UseCache => assert!(policy.cached),
        Action::NextPage { cursor } => assert!(!history.cursors.contains(cursor)),
        Action::RefreshCredentials => assert!(!history.refreshed),
        Action::ApplyFix { argv, .. } => {
            assert!(policy.fixes && !history.fixed && !argv.is_empty());
        }
        Action::Redirect { command, argv, .. } => {
            assert!(history.redirects.len() < policy.hops && !history.redirects.contains(command));
            assert!(!argv.is_empty() && *argv != transcript.argv);
            let same = transcript.argv.first().is_none_or(|called| called.ends_with(&argv[0]));
            assert!(match policy.redirects {
                Redirects::Never => false,
                Redirects::SameProgram => same,
                Redirects::Any => true,
            });
        }
        _ => {}
    }
}

fn retries_are_bounded(
    opened: Option<&Opened>,
    history: &History,
    policy: &Policy,
    decision: &Decision,
) {
    let Some(wait_ms) = decision.action.wait_ms() else { return };
    assert!(policy.remaining_ms.is_none_or(|left| wait_ms <= left), "{decision:?}");
    let error = opened.and_then(|opened| opened.envelope.error());
    let code = error.map_or("", |error| error.code.as_str());
    let alike = history.attempts.iter().filter(|attempt| attempt.code == code).count();
    assert!(alike < policy.retries, "{decision:?}");
}
