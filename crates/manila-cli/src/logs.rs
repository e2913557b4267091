//! Which logs are read, and how: the arguments that `scan` and `stats` share.

use crate::error::CliError;
use crate::humanize;
use crate::known::{self, known_dialect};
use clap::Args;
use manila::Dialect;
use manila::json::Limits;
use manila_clap::Call;
use manila_log::source::{Hidden, Sources};
use manila_log::{InputError, Options, Progress};
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread::available_parallelism;
use std::time::Duration;

/// How often a followed file is checked: often enough for a person who watches, and seldom enough
/// to cost nothing.
const LOOK: Duration = Duration::from_millis(100);

/// How many errors with inputs are listed one by one.
const LISTED: usize = 20;

/// Why nothing at all could be read, where that is one of the usual reasons; the first input's counts.
/// Whatever else is wrong is an incomplete reading, of which nothing came.
pub(crate) fn nothing_read(inputs: u64, input_errors: &mut Vec<InputError>) -> Option<CliError> {
    let first = input_errors.first().filter(|_| inputs == 0)?;
    let is_usual = matches!(
        first.error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::PermissionDenied | io::ErrorKind::UnexpectedEof
    );
    if !is_usual {
        return None;
    }
    let InputError { name, error, .. } = input_errors.remove(0);
    Some(match error.kind() {
        io::ErrorKind::UnexpectedEof => {
            let name = if &*name == "-" { "stdin" } else { &*name };
            nothing_came(format!("{name}: {error}"))
        }
        _ => CliError::unreadable(PathBuf::from(&*name), error),
    })
}

fn nothing_came(message: String) -> CliError {
    let hint = "name files, directories or globs, or pass a log on stdin";
    CliError::EmptyInput { message, hint }
}

/// Reports a record that was incomplete when a signal came: how it would have ended is not known.
pub(crate) fn tell_unfinished(call: &Call, unfinished: u64) {
    if unfinished > 0 {
        let bytes = humanize::things(unfinished, "byte", "bytes");
        call.warn(format!("interrupted, {bytes} of an unfinished record not judged"));
    }
}

/// What could not be read, in words: the first, and how many others.
pub(crate) fn first_of(input_errors: &[InputError]) -> Option<String> {
    let (first, others) = input_errors.split_first()?;
    let others = match others.len() {
        0 => String::new(),
        others => format!(" and {}", humanize::things(others as u64, "other", "others")),
    };
    Some(format!("{first}{others}"))
}

/// Reports what went wrong with inputs, one by one as long as they are few. The first is in the
/// message.
pub(crate) fn tell(call: &Call, input_errors: &[InputError]) {
    for input_error in input_errors.iter().skip(1).take(LISTED) {
        call.warn(input_error.to_string());
    }
    if let Some(more) = input_errors.len().checked_sub(LISTED + 1).filter(|more| *more > 0) {
        let inputs = humanize::things(more as u64, "more input", "more inputs");
        call.warn(format!("{inputs} could not be read"));
    }
}

/// Which logs to read, and how.
#[derive(Debug, Args)]
pub(crate) struct Logs {
    /// Files, directories with all below them, or globs; - or nothing is stdin. gzip and zstd
    /// are known by their content
    #[arg(value_name = "FILES")]
    files: Vec<PathBuf>,

    /// The dialect that records are of where they have the marks of several: its id, or a file that
    /// describes it
    #[arg(long, value_name = "DIALECT", value_parser = known_dialect(), help_heading = "Input")]
    #[arg(hide_possible_values = true)]
    dialect: Option<&'static dyn Dialect>,

    /// Continue with the last file as it grows, is rotated or truncated, until a signal ends it
    #[arg(long, short = 'F', help_heading = "Input")]
    follow: bool,

    /// In directories and globs, read names that begin with a dot too
    #[arg(long, help_heading = "Input")]
    hidden: bool,

    /// On how many threads; one for each processor unless this says otherwise
    #[arg(long, short = 'j', value_name = "N", help_heading = "Input")]
    threads: Option<NonZeroUsize>,

    /// The largest record to read, in bytes; a larger one is skipped and reported
    #[arg(long, value_name = "N", default_value_t = Limits::default().bytes, help_heading = "Input")]
    max_record: usize,

    /// The deepest nesting to read
    #[arg(long, value_name = "N", default_value_t = Limits::default().depth, help_heading = "Input")]
    max_depth: usize,
}

impl Logs {
    /// Everything to read. What was named twice is reported as a warning, and read once.
    pub(crate) fn sources(&self, call: &Call) -> Result<Sources, CliError> {
        known::install(self.dialect)?;
        if self.files.is_empty() && io::stdin().is_terminal() {
            return Err(nothing_came("stdin is a terminal".to_owned()));
        }
        let standard_input = [PathBuf::from("-")];
        let words = if self.files.is_empty() { &standard_input[..] } else { &self.files[..] };
        let hidden = if self.hidden { Hidden::Read } else { Hidden::Skip };
        let sources = Sources::find(words, hidden);
        for name in sources.repeated() {
            call.warn(format!("{name} is reached more than once and read once"));
        }
        let cancelled = call.cancellation();
        let sources = sources.until(move || cancelled().is_some());
        Ok(if self.follow { sources.follow(LOOK) } else { sources })
    }

    /// The files as they were named.
    pub(crate) fn files(&self) -> &[PathBuf] {
        &self.files
    }

    /// Whether a signal is how it ends.
    pub(crate) fn is_followed(&self) -> bool {
        self.follow
    }

    /// How much one record may ask for.
    pub(crate) fn limits(&self) -> Limits {
        Limits { bytes: self.max_record, depth: self.max_depth }
    }

    /// How to scan.
    pub(crate) fn options<'a>(&self, progress: &'a Progress) -> Options<'a> {
        let all = || available_parallelism().unwrap_or(NonZeroUsize::MIN);
        let threads = self.threads.unwrap_or_else(all);
        Options { threads, limits: self.limits(), progress: Some(progress) }
    }
}
