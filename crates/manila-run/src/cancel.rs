//! Cancellation of a call from outside.

use std::sync::Arc;

/// Whether a call should end, and which signal to send to its program.
///
/// It is polled after every event, and ten times a second while nothing happens.
///
/// ```
/// use manila_run::{Cancel, Invocation, Policy, run};
/// use std::sync::Arc;
/// use std::sync::atomic::{AtomicBool, Ordering};
///
/// let stop = Arc::new(AtomicBool::new(true));
/// let asked = Arc::clone(&stop);
/// let cancel = Cancel::when(move || asked.load(Ordering::Relaxed).then_some(15));
/// let outcome = run(&Invocation::new("sleep").arg("60"), &Policy { cancel, ..Policy::default() });
/// assert!(!outcome.envelope.ok());
/// ```
#[derive(Clone, Default)]
pub struct Cancel(Option<Arc<dyn Fn() -> Option<i32> + Send + Sync>>);

impl Cancel {
    /// The call is never cancelled.
    pub fn never() -> Cancel {
        Cancel(None)
    }

    /// The call is cancelled as soon as this returns a signal.
    pub fn when(asked: impl Fn() -> Option<i32> + Send + Sync + 'static) -> Cancel {
        Cancel(Some(Arc::new(asked)))
    }

    /// Whether the call can be cancelled.
    pub fn is_possible(&self) -> bool {
        self.0.is_some()
    }

    /// The signal to send to the program, as soon as the call should end.
    pub fn signal(&self) -> Option<i32> {
        self.0.as_ref().and_then(|asked| asked())
    }
}

impl std::fmt::Debug for Cancel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(if self.is_possible() { "Cancel::when(…)" } else { "Cancel::never()" })
    }
}
