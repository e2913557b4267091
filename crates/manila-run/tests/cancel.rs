//! Owns: a caller that cancels a call ends it, with its own signal, wherever the call is.
#![expect(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

mod support;

use manila::Status;
use manila_run::{Cancel, Event, Observer, Outcome, Policy, Stopped, run_async};
use std::future::Future;
use std::pin::pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering::SeqCst};
use std::task::{Context, Poll, Wake};
use std::thread::Thread;
use support::{LONG, Meeting, SHORT, SUCCESS, acting, code, only, settled, stopped, within};

/// A caller that may cancel a call.
#[derive(Clone, Default)]
struct Canceller(Arc<AtomicI32>);

impl Canceller {
    fn cancel(&self, signal: i32) {
        self.0.store(signal, SeqCst);
    }

    fn policy(&self) -> Policy {
        let asked = Arc::clone(&self.0);
        let cancel = Cancel::when(move || Some(asked.load(SeqCst)).filter(|signal| *signal != 0));
        Policy { cancel, grace: LONG, linger: LONG, ..Policy::default() }
    }
}

/// Waits for a future as the smallest of all runtimes.
fn block_on<F: Future>(future: F) -> F::Output {
    struct Unpark(Thread);
    impl Wake for Unpark {
        fn wake(self: Arc<Self>) {
            self.0.unpark();
        }
    }
    let waker = Arc::new(Unpark(std::thread::current())).into();
    let mut future = pin!(future);
    loop {
        match future.as_mut().poll(&mut Context::from_waker(&waker)) {
            Poll::Ready(output) => return output,
            Poll::Pending => std::thread::park(),
        }
    }
}

fn ended_by(signal: i32, steps: &[&str]) -> Outcome {
    let (meeting, canceller) = (Meeting::new(), Canceller::default());
    let step = meeting.step();
    let steps: Vec<&str> = steps.iter().copied().chain([step.as_str(), "hang"]).collect();
    let (call, policy) = (acting(&steps), canceller.policy());
    let running = std::thread::spawn(move || settled(&call, &policy));
    let met = meeting.next();
    canceller.cancel(signal);
    let outcome = running.join().unwrap();
    met.ends();
    outcome
}

#[test]
fn the_program_gets_the_very_signal() {
    for signal in [libc::SIGINT, libc::SIGTERM, libc::SIGHUP] {
        let outcome = ended_by(signal, &[SUCCESS]);
        assert_eq!((code(&outcome), stopped(&outcome)), ("CANCELLED", Some(Stopped::Cancelled)));
        assert_eq!(only(&outcome).usage.as_ref().unwrap().status, Status::Signaled(signal));
    }
}

#[test]
fn a_program_that_does_not_listen_is_killed() {
    let (meeting, canceller) = (Meeting::new(), Canceller::default());
    let call = acting(&["ignore-term", &meeting.step(), "hang"]);
    let policy = Policy { grace: SHORT, ..canceller.policy() };
    let running = std::thread::spawn(move || settled(&call, &policy));
    let met = meeting.next();
    canceller.cancel(libc::SIGTERM);
    let outcome = running.join().unwrap();
    met.ends();
    assert_eq!(only(&outcome).usage.as_ref().unwrap().status, Status::Signaled(9));
    assert_eq!(code(&outcome), "CANCELLED");
}

#[test]
fn grandchildren_end_with_it() {
    let (meeting, canceller) = (Meeting::new(), Canceller::default());
    let call = acting(&[&format!("grandchild {} & hang", meeting.step()), "hang"]);
    let policy = canceller.policy();
    let running = std::thread::spawn(move || settled(&call, &policy));
    let met = meeting.next();
    canceller.cancel(libc::SIGTERM);
    assert_eq!(code(&running.join().unwrap()), "CANCELLED");
    met.ends();
}

#[test]
fn a_cancelled_call_is_not_begun() {
    let canceller = Canceller::default();
    canceller.cancel(libc::SIGTERM);
    let dir = tempfile::tempdir().unwrap();
    let trace = dir.path().join("trace");
    let call = acting(&[&format!("append {}", trace.display())]);
    let outcome = settled(&call, &canceller.policy());
    assert_eq!((code(&outcome), outcome.trace.steps.len()), ("CANCELLED", 0));
    assert!(!trace.exists());
}

#[test]
fn a_wait_is_broken_off() {
    const BUSY: &str = r#"out {"ok":false,"data":null,"error":{"code":"BUSY","message":"busy","retryable":true,"retry_after":3600},"warnings":[],"meta":{}}"#;
    let canceller = Canceller::default();
    let wanting = canceller.clone();
    let observer = Observer::new(move |event| {
        if matches!(event, Event::Waiting(_)) {
            wanting.cancel(libc::SIGINT);
        }
    });
    let policy = Policy { observer, ..canceller.policy() };
    let outcome = settled(&acting(&[BUSY, "exit 11"]), &policy);
    // What is known is reported: that it is busy, and that it was called once.
    assert_eq!(outcome.trace.steps.len(), 1);
    assert!(!outcome.envelope.ok());
}

#[test]
fn a_call_can_be_awaited() {
    let outcome = within(|| block_on(run_async(acting(&[SUCCESS]), Policy::default())));
    assert!(outcome.envelope.ok());
    let failed = within(|| block_on(run_async(acting(&["exit 1"]), Policy::default())));
    assert_eq!(code(&failed), "FAILED_WITHOUT_ENVELOPE");
}

#[test]
fn a_panic_in_a_call_reaches_its_future() {
    let observer = Observer::new(|_| panic!("an observer's own"));
    let policy = Policy { observer, ..Policy::default() };
    let running = run_async(acting(&[SUCCESS]), policy);
    let heard = within(|| std::thread::spawn(|| block_on(running)).join());
    assert_eq!(heard.unwrap_err().downcast_ref(), Some(&"an observer's own"));
}

#[test]
fn many_calls_can_be_awaited_at_once() {
    // None of them ends before all of them have begun.
    let meeting = Meeting::new();
    let call = acting(&[&meeting.step(), "obey", SUCCESS]);
    let running: Vec<_> = (0..8).map(|_| run_async(call.clone(), Policy::default())).collect();
    let met: Vec<_> = running.iter().map(|_| meeting.next()).collect();
    drop(met);
    for one in running {
        assert!(within(|| block_on(one)).envelope.ok());
    }
}

#[test]
fn dropping_a_call_ends_its_program() {
    let meeting = Meeting::new();
    let grandchild = format!("grandchild {} & hang", meeting.step());
    let running = run_async(acting(&[&grandchild, &meeting.step(), "hang"]), Policy::default());
    let met = [meeting.next(), meeting.next()];
    drop(running);
    met.into_iter().for_each(support::Met::ends);
}

#[test]
fn dropping_a_call_kills_a_program_that_ignores_signals() {
    let meeting = Meeting::new();
    let policy = Policy { grace: SHORT, ..Policy::default() };
    let running = run_async(acting(&["ignore-term", &meeting.step(), "hang"]), policy);
    let met = meeting.next();
    drop(running);
    met.ends();
}

#[test]
fn the_caller_of_an_awaited_call_can_still_cancel_it() {
    let (meeting, canceller) = (Meeting::new(), Canceller::default());
    let running = run_async(acting(&[&meeting.step(), "hang"]), canceller.policy());
    let met = meeting.next();
    canceller.cancel(libc::SIGINT);
    let outcome = within(|| block_on(running));
    assert_eq!(only(&outcome).usage.as_ref().unwrap().status, Status::Signaled(2));
    met.ends();
}
