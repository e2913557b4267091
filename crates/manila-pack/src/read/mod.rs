//! What a run means: class, code, cause, wait, and whether calling again can help.

mod by_pack;
mod generic;
mod reset;
pub(crate) mod stream;

use manila::exit::Effects;
use manila::{Confidence, Exit, Status, Transcript};
use serde::{Serialize, Serializer};

use crate::pack::{Lookup, Pack};
use crate::subject::{Subject, subjects};
pub use reset::{Day, Reset};
use stream::Text;

/// The longest message, in bytes.
pub(crate) const LONGEST_MESSAGE: usize = 300;

/// The code of credentials that were good and are old, whatever the program calls it.
const EXPIRED: &str = "TOKEN_EXPIRED";

/// What a run means.
///
/// ```
/// use manila::{Exit, Status, Transcript};
/// use manila_pack::{BUILTIN, read_call};
///
/// let run = Transcript {
///     argv: ["kubectl", "get", "pods"].map(String::from).to_vec(),
///     stderr: b"Error from server (TooManyRequests): the server is busy\n".to_vec(),
///     status: Status::Exited(1),
///     ..Transcript::default()
/// };
/// let reading = read_call(&run, &BUILTIN);
/// assert_eq!(reading.class, Some(Exit::RateLimited));
/// assert!(reading.retry);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Reading {
    /// The class, or `None` if nothing in the run shows it.
    #[serde(serialize_with = "class_name")]
    pub class: Option<Exit>,
    /// A stable code for callers.
    pub code: Option<String>,
    /// The cause, in the program's words.
    pub message: Option<String>,
    /// How long to wait before calling again.
    pub wait_ms: Option<u64>,
    /// When the limit ends, if the program names a time: see [`Reading::at`].
    #[serde(skip)]
    pub resets: Option<Reset>,
    /// Whether calling again can help.
    pub retry: bool,
    /// What the failed call may have done.
    pub effects: Effects,
    /// It lasts for hours, so that waiting does not help.
    pub quota: bool,
    /// The rule that says so.
    pub rule: String,
    /// Why the class is what it is, or why it is not known.
    pub why: Option<String>,
    /// How sure that is.
    pub confidence: Confidence,
}

#[expect(
    clippy::ref_option,
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes the field so"
)]
fn class_name<S: Serializer>(class: &Option<Exit>, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(class.map_or("UNKNOWN", Exit::name))
}

impl Reading {
    /// The name of the class, or `UNKNOWN`.
    pub fn class_name(&self) -> &'static str {
        self.class.map_or("UNKNOWN", Exit::name)
    }

    /// Whether a pack is certain which failure it is.
    fn names_failure(&self) -> bool {
        let is_named = |class: Exit| !class.is_success() && class != Exit::General;
        self.confidence == Confidence::Certain && self.class.is_some_and(is_named)
    }

    /// Whether this says more than an envelope of that class: which failure it is, or that a limit which
    /// the envelope takes for a throttle lasts for hours.
    pub fn says_more_than(&self, envelope: Exit) -> bool {
        let is_lasting = self.quota && self.class == Some(envelope);
        self.names_failure() && (envelope == Exit::General || is_lasting)
    }

    /// This reading with the wait until its limit ends, for a caller that has a clock: `now_ms` is in
    /// milliseconds after 1970.
    #[must_use]
    pub fn at(mut self, now_ms: u64) -> Reading {
        let until = self.resets.as_ref().and_then(|reset| reset.wait_ms(now_ms));
        self.wait_ms = self.wait_ms.or(until);
        self
    }

    pub(crate) fn success(rule: &str) -> Reading {
        Reading {
            class: Some(Exit::Success),
            code: None,
            message: None,
            wait_ms: None,
            resets: None,
            retry: false,
            effects: Effects::Complete,
            quota: false,
            rule: rule.to_owned(),
            why: None,
            confidence: Confidence::Certain,
        }
    }

    pub(crate) fn unknown(rule: &str, why: impl Into<String>) -> Reading {
        Reading {
            class: None,
            effects: Effects::Unknown,
            why: Some(why.into()),
            ..Reading::success(rule)
        }
    }
}

/// Both streams of a run.
pub(crate) struct Streams {
    pub(crate) stdout: Text,
    pub(crate) stderr: Text,
}

impl Streams {
    pub(crate) fn of(transcript: &Transcript) -> Streams {
        Streams { stdout: Text::new(&transcript.stdout), stderr: Text::new(&transcript.stderr) }
    }
}

/// What a run of the pack's program means; where no rule of the pack matches, by words that many
/// programs share.
///
/// ```
/// use manila::{Exit, Status, Transcript};
/// use manila_pack::{BUILTIN, Lookup, read};
///
/// let run = Transcript {
///     argv: vec!["git".to_owned(), "fetch".to_owned()],
///     stderr: b"fatal: unable to access 'http://x/': The requested URL returned error: 429\n".to_vec(),
///     status: Status::Exited(128),
///     ..Transcript::default()
/// };
/// let git = BUILTIN.find("git").ok_or("there is a pack of git")?;
/// let reading = read(&run, &git);
/// assert_eq!(reading.class, Some(Exit::RateLimited));
/// assert!(reading.retry);
/// # Ok::<(), &str>(())
/// ```
pub fn read(transcript: &Transcript, pack: &Pack) -> Reading {
    let subject = Subject {
        pack: pack.clone(),
        program: program_of(transcript).to_owned(),
        arguments: transcript.argv.iter().skip(1).cloned().collect(),
        owns_status: true,
    };
    of_subjects(transcript, &[subject])
}

/// What a run means by the packs of the programs that its call comes to: of `timeout 5 git fetch` by
/// that of git first.
pub fn read_call(transcript: &Transcript, packs: &dyn Lookup) -> Reading {
    of_subjects(transcript, &subjects(&transcript.argv, packs))
}

/// What a run of a program without a pack means, by words that many programs share.
pub fn read_any(transcript: &Transcript) -> Reading {
    of_subjects(transcript, &[])
}

fn of_subjects(transcript: &Transcript, subjects: &[Subject]) -> Reading {
    let status = transcript.status;
    if status == Status::Exited(0) && !subjects.iter().any(|subject| subject.pack.reads_success()) {
        return Reading::success("exit-0");
    }
    let streams = Streams::of(transcript);
    // The innermost program is the one that has something to say.
    let runs: Vec<_> = subjects
        .iter()
        .rev()
        .map(|subject| {
            let arguments = subject.arguments.iter().map(String::as_str).collect();
            let run = by_pack::Run { program: &subject.program, arguments, status };
            (run, subject.pack.model(), subject.pack.answers(), subject.owns_status)
        })
        .collect();
    let by_error = || {
        runs.iter()
            .find_map(|(run, calls, answers, _)| by_pack::by_error(run, &streams, calls, answers))
    };
    let by_status = || {
        let owners = runs.iter().filter(|(.., owns_status)| *owns_status);
        owners
            .into_iter()
            .find_map(|(run, calls, answers, _)| by_pack::by_status(run, &streams, calls, answers))
    };
    let innermost = runs.first().map_or(program_of(transcript), |(run, ..)| run.program);
    let mut reading = by_error()
        .or_else(by_status)
        .or_else(|| generic::read(innermost, status, &streams))
        .unwrap_or_else(|| ended(status));
    if reading.class == Some(Exit::RateLimited) && reading.wait_ms.is_none() {
        reading.resets = reset::stated(reading.message.as_deref(), &streams);
    }
    with_expiry(reading)
}

/// What a caller does about credentials that were good once differs from what it does about missing ones.
fn with_expiry(reading: Reading) -> Reading {
    let is_old = reading.class == Some(Exit::AuthRequired)
        && reading.message.as_deref().is_some_and(generic::says_expired);
    if is_old { Reading { code: Some(EXPIRED.to_owned()), ..reading } } else { reading }
}

fn program_of(transcript: &Transcript) -> &str {
    let program = transcript.argv.first().map_or("", String::as_str);
    program.rsplit(['/', '\\']).next().unwrap_or(program)
}

/// What is left to say when no rule matches.
fn ended(status: Status) -> Reading {
    match status {
        Status::Exited(0) => Reading::success("exit-0"),
        Status::Signaled(signal) => {
            Reading::unknown("signal", format!("killed by signal {signal}, at whatever it did"))
        }
        _ => Reading::unknown("unlisted", "no rule describes what it wrote"),
    }
}

/// A message that fits.
pub(crate) fn shortened(text: &str) -> String {
    let text = text.trim();
    if text.len() <= LONGEST_MESSAGE {
        return text.to_owned();
    }
    let room = LONGEST_MESSAGE - '…'.len_utf8();
    let end = (0..=room).rev().find(|end| text.is_char_boundary(*end)).unwrap_or(0);
    format!("{}…", &text[..end])
}

/// The class of a status of HTTP.
pub(crate) fn class_of_http(status: u16) -> Option<Exit> {
    Some(match status {
        400 | 405 | 406 | 411 | 413..=417 | 422 => Exit::ArgError,
        401 | 407 => Exit::AuthRequired,
        402 => Exit::PaymentRequired,
        403 | 451 => Exit::PermissionDenied,
        404 | 410 => Exit::NotFound,
        409 | 412 | 423 => Exit::Conflict,
        424 | 426 | 428 => Exit::Precondition,
        429 => Exit::RateLimited,
        408 | 425 | 500 | 502..=504 | 507..=599 => Exit::Unavailable,
        _ => return None,
    })
}

/// Whether calling again can help with a class, unless a rule says otherwise.
pub(crate) fn is_transient(class: Option<Exit>) -> bool {
    matches!(class, Some(Exit::RateLimited | Exit::Unavailable | Exit::Timeout))
}
