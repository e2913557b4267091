//! What a caller allows: how long, how often, how much, and whom to believe. A value; nothing reads
//! it from anywhere.

use crate::cancel::Cancel;
use crate::deliver::Delivery;
use crate::event::Event;
use crate::invocation::Invocation;
use manila::{Dialect, Redirects, Transcript};
use manila_pack::{BUILTIN, Lookup, Reading};
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// What a caller allows in one call.
#[derive(Clone, Debug)]
pub struct Policy {
    /// How long one attempt may take.
    pub attempt_limit: Option<Duration>,
    /// How long the whole call may take, with all attempts and waits. A program that still runs then
    /// is told to end, for which it has its grace.
    pub deadline: Option<Duration>,
    /// How long a program that is told to end may take to do so, before it is killed.
    pub grace: Duration,
    /// How long others may hold a program's output open when it has ended itself.
    pub linger: Duration,
    /// How many bytes of each stream are kept.
    pub max_output: u64,
    /// How often to retry on one error code without a change of state.
    pub retries: usize,
    /// How many attempts there may be in all, for each page.
    pub max_attempts: usize,
    /// How many pages are fetched.
    pub max_pages: usize,
    /// The argument that asks for the page at a cursor.
    pub cursor_flag: String,
    /// The call may be made twice without harm, whatever is known about its effects.
    pub idempotent: bool,
    /// Beginnings of command lines that only read, such as `pr view`.
    pub reads: Vec<String>,
    /// Exit codes that are a success too.
    pub accept: Vec<i32>,
    /// What the caller itself reads in a run, before anything else does.
    pub classifier: Classifier,
    /// What is known about programs.
    pub packs: PackLookup,
    /// The longest wait; a longer one is handed back to the caller.
    pub max_wait: Duration,
    /// How long after the beginning of the call another attempt may begin.
    pub retry_window: Duration,
    /// Whose redirects are followed.
    pub trust: Trust,
    /// How many redirects are followed.
    pub hops: usize,
    /// Words that no command of a stranger may bring in.
    pub denied_args: Vec<String>,
    /// Commands that errors state as fixes may be run.
    pub fixes: bool,
    /// What renews the credentials.
    pub refresh: Option<Invocation>,
    /// The dialect, if the caller knows it.
    pub dialect: Option<&'static dyn Dialect>,
    /// Whether the program answers in an envelope, if the caller knows that.
    pub speaks: Speaks,
    /// Where permanent redirects are remembered.
    pub redirect_store: Option<PathBuf>,
    /// The folder of answers that may still hold.
    pub cache: Option<PathBuf>,
    /// The folder in which each attempt is left as a recorded run.
    pub record: Option<PathBuf>,
    /// The file that gets one line for the call.
    pub log: Option<PathBuf>,
    /// The file that gets one line of OpenTelemetry spans for the call.
    pub spans: Option<PathBuf>,
    /// Where the program's own bytes go while it runs; the outcome has them in any case, up to
    /// `max_output`.
    pub delivery: Option<Delivery>,
    /// Who may end the call.
    pub cancel: Cancel,
    /// Who hears of each step as it is taken.
    pub observer: Observer,
}

impl Default for Policy {
    fn default() -> Policy {
        let table = manila::Policy::default();
        Policy {
            attempt_limit: None,
            deadline: None,
            grace: Duration::from_millis(1500),
            linger: Duration::from_secs(1),
            max_output: 64 << 20,
            retries: table.retries,
            max_attempts: 20,
            max_pages: 1000,
            cursor_flag: "--cursor".to_owned(),
            idempotent: false,
            reads: Vec::new(),
            accept: Vec::new(),
            classifier: Classifier::default(),
            packs: PackLookup::default(),
            max_wait: Duration::from_secs(120),
            retry_window: Duration::from_secs(600),
            trust: Trust::SameProgram,
            hops: table.hops,
            denied_args: Vec::new(),
            fixes: false,
            refresh: None,
            dialect: None,
            speaks: Speaks::Unknown,
            redirect_store: None,
            cache: None,
            record: None,
            log: None,
            spans: None,
            delivery: None,
            cancel: Cancel::never(),
            observer: Observer::default(),
        }
    }
}

/// Whether a program answers in an envelope.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Speaks {
    /// Its pack knows, or its output shows.
    #[default]
    Unknown,
    /// It does, and the last document of its output is the answer.
    Dialect,
    /// It does not: whatever its output looks like, it is its output.
    Nothing,
}

/// What a caller itself reads in a run; nothing, unless it is said otherwise.
#[derive(Clone, Default)]
pub struct Classifier(Option<Arc<Classify>>);

type Classify = dyn Fn(&Transcript) -> Option<Reading> + Send + Sync;

impl Classifier {
    /// This is asked about each run; `None` leaves it to envelopes and packs.
    pub fn new(
        classify: impl Fn(&Transcript) -> Option<Reading> + Send + Sync + 'static,
    ) -> Classifier {
        Classifier(Some(Arc::new(classify)))
    }

    pub(crate) fn read(&self, transcript: &Transcript) -> Option<Reading> {
        self.0.as_ref().and_then(|classify| classify(transcript))
    }
}

impl fmt::Debug for Classifier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Classifier(…)" } else { "Classifier(none)" })
    }
}

/// Where packs are found; the built-in ones, unless it is said otherwise.
#[derive(Clone)]
pub struct PackLookup(Arc<dyn Lookup + Send + Sync>);

impl PackLookup {
    /// Packs from here, which may include the built-in ones.
    pub fn new(lookup: impl Lookup + Send + Sync + 'static) -> PackLookup {
        PackLookup(Arc::new(lookup))
    }

    pub(crate) fn lookup(&self) -> &dyn Lookup {
        &*self.0
    }
}

impl Default for PackLookup {
    fn default() -> PackLookup {
        PackLookup(Arc::new(BUILTIN))
    }
}

impl fmt::Debug for PackLookup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PackLookup(…)")
    }
}

/// Somebody who agrees to run these words, or not.
pub type Agree = Arc<dyn Fn(&[String]) -> bool + Send + Sync>;

/// Whose redirects are followed. A command that a program printed is data from a stranger.
#[derive(Clone, Default)]
pub enum Trust {
    /// Nobody's.
    Never,
    /// Those that name the program that was called.
    #[default]
    SameProgram,
    /// Everybody's.
    Any,
    /// Those that somebody agrees to, who is shown the words.
    Ask(Agree),
}

impl Trust {
    /// As the decision table knows it. Whoever is asked is asked about any program.
    pub(crate) fn redirects(&self) -> Redirects {
        match self {
            Trust::Never => Redirects::Never,
            Trust::SameProgram => Redirects::SameProgram,
            Trust::Any | Trust::Ask(_) => Redirects::Any,
        }
    }
}

impl fmt::Debug for Trust {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Trust::Never => "Never",
            Trust::SameProgram => "SameProgram",
            Trust::Any => "Any",
            Trust::Ask(_) => "Ask(…)",
        })
    }
}

/// Somebody who hears of each step as it is taken.
#[derive(Clone, Default)]
pub struct Observer(Option<Arc<Tell>>);

type Tell = dyn Fn(&Event<'_>) + Send + Sync;

impl Observer {
    /// This is told of each step.
    pub fn new(tell: impl Fn(&Event<'_>) + Send + Sync + 'static) -> Observer {
        Observer(Some(Arc::new(tell)))
    }

    pub(crate) fn tell(&self, event: &Event<'_>) {
        event.trace();
        if let Some(tell) = &self.0 {
            tell(event);
        }
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Observer(…)" } else { "Observer(nobody)" })
    }
}
