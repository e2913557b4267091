//! What a caller allows: how long, how often, how much, and whom to believe. A value that can be written
//! down; nothing reads it from anywhere by itself.
#![expect(clippy::ref_option_ref, reason = "what serde derives passes the dialect by reference")]

pub(crate) mod written;

use crate::cancel::Cancel;
use crate::deliver::Delivery;
use crate::event::Event;
use crate::invocation::Invocation;
use manila::{Dialect, Redirects, Transcript};
use manila_pack::{BUILTIN, Lookup, Pack, Reading};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

/// What a caller allows in one call.
///
/// It can be written down with serde: times as `30s`, the dialect by its id, the refresh command as a list of
/// arguments. Hooks are not written down and keep their defaults.
///
/// ```
/// use manila_run::Policy;
///
/// let policy: Policy = serde_json::from_str(
///     r#"{"attempt_limit":"30s","max_attempts":3,"reads":["pr view"],"trust":"never"}"#,
/// )?;
/// assert_eq!(policy.attempt_limit, Some(std::time::Duration::from_secs(30)));
/// assert_eq!(policy.max_pages, Policy::default().max_pages);
/// assert!(serde_json::from_str::<Policy>(r#"{"attempts":3}"#).is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(default, deny_unknown_fields)]
pub struct Policy {
    /// How long one attempt may take.
    #[serde(with = "written::time_limit")]
    pub attempt_limit: Option<Duration>,
    /// How long the whole call may take, with all attempts and waits. A program that still runs
    /// then is asked to end, for which it has its grace period.
    #[serde(with = "written::time_limit")]
    pub deadline: Option<Duration>,
    /// How long a program that was asked to end may take before it is killed.
    #[serde(with = "written::time")]
    pub grace: Duration,
    /// How long to wait for inherited pipes to close after the program exits.
    #[serde(with = "written::time")]
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
    #[serde(skip)]
    pub classifier: Classifier,
    /// What is known about programs.
    #[serde(skip)]
    pub packs: PackLookup,
    /// The longest wait; a longer one is handed back to the caller.
    #[serde(with = "written::time")]
    pub max_wait: Duration,
    /// How long after the beginning of the call another attempt may begin.
    #[serde(with = "written::time")]
    pub retry_window: Duration,
    /// Whose redirects are followed.
    #[serde(with = "written::trust")]
    pub trust: Trust,
    /// How many redirects are followed.
    pub hops: usize,
    /// Reject redirects and fixes that add one of these arguments.
    pub denied_args: Vec<String>,
    /// Commands that errors state as fixes may be run.
    pub fixes: bool,
    /// What renews the credentials.
    #[serde(with = "written::command")]
    pub refresh: Option<Invocation>,
    /// Where the caller names no command that renews the credentials, the one of the program's pack may be
    /// run, unless it asks a person.
    pub refresh_from_packs: bool,
    /// The dialect, if the caller knows it.
    #[serde(with = "written::dialect")]
    pub dialect: Option<&'static dyn Dialect>,
    /// Whether the program answers in an envelope, if the caller knows that.
    pub speaks: Speaks,
    /// Where permanent redirects are remembered.
    pub redirect_store: Option<PathBuf>,
    /// The directory of answers that may still hold.
    pub cache: Option<PathBuf>,
    /// The directory in which each attempt is left as a recorded run.
    pub record: Option<PathBuf>,
    /// The file that gets one line for the call.
    pub log: Option<PathBuf>,
    /// The file that gets one line of OpenTelemetry spans for the call.
    pub spans: Option<PathBuf>,
    /// Where the program's own bytes go while it runs; the outcome has them in any case, up to
    /// `max_output`.
    #[serde(skip)]
    pub delivery: Option<Delivery>,
    /// Ends the call early.
    #[serde(skip)]
    pub cancel: Cancel,
    /// Called for each step as it is taken.
    #[serde(skip)]
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
            refresh_from_packs: false,
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
///
/// ```
/// use manila_run::{Invocation, Policy, Speaks, run};
///
/// // A file that quotes an envelope is text, not an answer.
/// let quoted = r#"{"ok":false,"error":{"code":"GONE","message":"an example"}}"#;
/// let policy = Policy { speaks: Speaks::Nothing, ..Policy::default() };
/// assert!(run(&Invocation::new("echo").arg(quoted), &policy).envelope.ok());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Speaks {
    /// Its pack knows, or its output shows.
    #[default]
    Unknown,
    /// It does, and the last document of its output is the answer.
    Dialect,
    /// It does not: whatever its output looks like, it is its output.
    Nothing,
}

/// A hook that classifies runs before envelopes and packs do. The default classifies nothing.
///
/// ```
/// use manila::Exit;
/// use manila_pack::Reading;
/// use manila_run::{Classifier, Invocation, Policy, run};
///
/// let classifier = Classifier::new(|transcript| {
///     let is_busy = transcript.stderr.starts_with(b"busy:");
///     is_busy.then(|| Reading { class: Some(Exit::RateLimited), ..Reading::accepted() })
/// });
/// let policy = Policy { classifier, max_attempts: 1, ..Policy::default() };
/// let outcome = run(&Invocation::new("sh").args(["-c", "echo busy: later >&2; exit 9"]), &policy);
/// assert_eq!(outcome.envelope.exit(), Exit::RateLimited);
/// ```
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

    pub(crate) fn is_some(&self) -> bool {
        self.0.is_some()
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

/// Where packs are found. The default is the built-in set.
///
/// ```
/// use manila_pack::Packs;
/// use manila_run::{PackLookup, Policy};
///
/// let packs = Packs::new(None, std::path::Path::new("."))?;
/// let policy = Policy { packs: PackLookup::new(packs), ..Policy::default() };
/// # Ok::<(), manila_pack::LoadError>(())
/// ```
#[derive(Clone)]
pub struct PackLookup(Arc<Parsed>);

/// A pack is asked for several times in a call, and parsed once.
struct Parsed {
    lookup: Box<dyn Lookup + Send + Sync>,
    packs: Mutex<BTreeMap<String, Option<Pack>>>,
}

impl Lookup for Parsed {
    fn find(&self, program: &str) -> Option<Pack> {
        let mut packs = self.packs.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(pack) = packs.get(program) {
            return pack.clone();
        }
        let pack = self.lookup.find(program);
        packs.insert(program.to_owned(), pack.clone());
        pack
    }
}

impl PackLookup {
    /// Packs from here, which may include the built-in ones.
    pub fn new(lookup: impl Lookup + Send + Sync + 'static) -> PackLookup {
        PackLookup(Arc::new(Parsed { lookup: Box::new(lookup), packs: Mutex::default() }))
    }

    pub(crate) fn lookup(&self) -> &dyn Lookup {
        &*self.0
    }
}

impl Default for PackLookup {
    fn default() -> PackLookup {
        PackLookup::new(BUILTIN)
    }
}

impl fmt::Debug for PackLookup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PackLookup(…)")
    }
}

/// A callback that agrees to run this argv, or not.
pub type Agree = Arc<dyn Fn(&[String]) -> bool + Send + Sync>;

/// Whose redirects are followed. A command that a program printed is untrusted data.
///
/// ```
/// use manila_run::{Policy, Trust};
/// use std::sync::Arc;
///
/// let ask = Trust::Ask(Arc::new(|argv: &[String]| argv.first().is_some_and(|program| program == "gh")));
/// let policy = Policy { trust: ask, ..Policy::default() };
/// ```
#[derive(Clone, Default)]
pub enum Trust {
    /// None.
    Never,
    /// Those that name the program that was called.
    #[default]
    SameProgram,
    /// All.
    Any,
    /// Those that a callback agrees to, which gets the argv.
    Ask(Agree),
}

impl Trust {
    /// As the decision table knows it. With `Ask`, the question is put for any program.
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

/// A callback for each step as it is taken.
///
/// ```
/// use manila_run::{Event, Invocation, Observer, Policy, run};
/// use std::sync::atomic::{AtomicU32, Ordering};
/// use std::sync::Arc;
///
/// let attempts = Arc::new(AtomicU32::new(0));
/// let seen = Arc::clone(&attempts);
/// let observer = Observer::new(move |event| {
///     if let Event::Attempt { .. } = event {
///         seen.fetch_add(1, Ordering::Relaxed);
///     }
/// });
/// run(&Invocation::new("true"), &Policy { observer, ..Policy::default() });
/// assert_eq!(attempts.load(Ordering::Relaxed), 1);
/// ```
#[derive(Clone, Default)]
pub struct Observer(Option<Arc<Notify>>);

type Notify = dyn Fn(&Event<'_>) + Send + Sync;

impl Observer {
    /// The observer of each step.
    pub fn new(notify: impl Fn(&Event<'_>) + Send + Sync + 'static) -> Observer {
        Observer(Some(Arc::new(notify)))
    }

    pub(crate) fn notify(&self, event: &Event<'_>) {
        event.trace();
        if let Some(notify) = &self.0 {
            notify(event);
        }
    }
}

impl fmt::Debug for Observer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.is_some() { "Observer(…)" } else { "Observer(none)" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_down_is_read_back() {
        let policy = Policy {
            attempt_limit: Some(Duration::from_secs(90)),
            accept: vec![8],
            trust: Trust::Any,
            refresh: Some(Invocation::new("gh").args(["auth", "refresh"])),
            dialect: manila::dialect("td/1"),
            speaks: Speaks::Dialect,
            cache: Some(PathBuf::from("/tmp/c")),
            ..Policy::default()
        };
        let text = serde_json::to_string(&policy).unwrap();
        assert!(text.contains(r#""attempt_limit":"1m 30s""#), "{text}");
        assert!(text.contains(r#""refresh":["gh","auth","refresh"]"#), "{text}");
        let again: Policy = serde_json::from_str(&text).unwrap();
        assert_eq!(serde_json::to_string(&again).unwrap(), text);
        assert_eq!(again.dialect.map(<dyn Dialect>::id), Some("td/1"));
    }

    #[test]
    fn mistakes_say_what_would_be_right() {
        let refused = |text: &str| serde_json::from_str::<Policy>(text).unwrap_err().to_string();
        assert!(refused(r#"{"grace":"soon"}"#).contains("30s"));
        assert!(refused(r#"{"dialect":"tt/1"}"#).contains("td/1"));
        assert!(refused(r#"{"trust":"all"}"#).contains("same-program"));
        assert!(refused(r#"{"refresh":[]}"#).contains("one word"));
        assert!(refused(r#"{"graces":"1s"}"#).contains("grace"));
    }
}
