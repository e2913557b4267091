//! What an attempt answered: its envelope, what its pack reads in it, or a truthful envelope for neither.

use crate::attempt::Execution;
use crate::capture::Keep;
use crate::code::Code;
use crate::data;
use crate::duration;
use crate::known::Known;
use crate::policy::Speaks;
use crate::sys;
use crate::usage::Stopped;
use manila::ansi::strip;
use manila::{Confidence, Envelope, ErrorObject, Exit, Opened, Options, Status, Stream};
use manila_pack::{Lookup, Reading, denies_success, is_answer, is_cut, mask, open_run, read_call};
use std::mem;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// How many of the last lines of stderr a failure quotes.
const LINES: usize = 20;
/// How many bytes of them.
const QUOTED: usize = 4 << 10;
/// The longest message of a failure, in bytes.
const MESSAGE: usize = 300;
/// How many lines of other output may stand around an envelope that counts as the answer.
const NOISE_LINES: usize = 16;

/// An answer, and what is known of how it came about.
#[derive(Debug)]
pub(crate) struct Answered {
    pub(crate) envelope: Envelope,
    pub(crate) source: Source,
    /// Whether the data are the output of a program that has no envelope.
    pub(crate) is_plain: bool,
    /// What could not be known.
    pub(crate) unknown: Vec<String>,
}

/// Where an answer comes from.
#[derive(Debug)]
pub(crate) enum Source {
    /// The program wrote an envelope.
    Envelope(Box<Opened>),
    /// A pack, or common sense, reads the streams and the status.
    Reading(Reading),
    /// The program wrote no envelope that is known, and what it wrote states a failure all the same or is truncated.
    Unopened(manila::Error),
    /// It is ours, because what the program wrote does not count.
    Ours,
}

impl Answered {
    /// What a run answered.
    pub(crate) fn of(
        execution: &mut Execution,
        limit: Option<Duration>,
        options: &Options,
        speaks: Speaks,
        known: &Known,
        packs: &dyn Lookup,
    ) -> Answered {
        match execution.usage.stopped {
            Some(Stopped::TimeLimit) => return Answered::out_of_time(execution, limit),
            Some(Stopped::Cancelled) => return Answered::cancelled(execution),
            Some(Stopped::Terminal) => return Answered::at_terminal(execution),
            Some(Stopped::HeldOpen) | None => {}
        }
        let mut unknown = Vec::new();
        if execution.usage.stopped == Some(Stopped::HeldOpen) {
            unknown.push("what others that it started would still have written".to_owned());
        }
        if execution.usage.status == Status::Unknown {
            unknown.push("how it ended: SIGCHLD is ignored here".to_owned());
        }
        unknown.extend(execution.usage.cut.iter().map(ToString::to_string));
        let answered = match speaks {
            // What is known about a program is worth more than what its output looks like.
            Speaks::Unknown if known.is_program_itself() => certain(execution, options, packs)
                .unwrap_or_else(|| Answered::by_packs(execution, packs)),
            Speaks::Nothing => Answered::by_packs(execution, packs),
            Speaks::Unknown | Speaks::Dialect => {
                Answered::opened_from(execution, options, speaks, packs)
            }
        };
        unknown.extend(answered.unknown);
        Answered { unknown, ..answered }
    }

    /// The envelope in the output, if there is one that is the answer.
    fn opened_from(
        execution: &mut Execution,
        options: &Options,
        speaks: Speaks,
        packs: &dyn Lookup,
    ) -> Answered {
        if execution.usage.is_cut(Stream::Stdout) {
            return Answered::cut(execution, packs);
        }
        // A part of a stream could look like anything, so it is put aside.
        let Execution { transcript, stdout_tail, stderr_tail, .. } = execution;
        let stdout = stdout_tail.is_some().then(|| mem::take(&mut transcript.stdout));
        let stderr = stderr_tail.is_some().then(|| mem::take(&mut transcript.stderr));
        let opened = open_run(transcript, options, packs);
        transcript.stdout.extend(stdout.unwrap_or_default());
        transcript.stderr.extend(stderr.unwrap_or_default());
        match opened {
            Ok(opened) if speaks == Speaks::Unknown && !opened.envelope.ok() => {
                let by_packs = Answered::by_packs(execution, packs);
                let exit = opened.envelope.exit();
                match by_packs.source {
                    Source::Reading(ref reading) if reading.says_more_than(exit) => by_packs,
                    _ if is_of_run(&opened, execution) => Answered::enveloped(opened),
                    _ => by_packs,
                }
            }
            Ok(opened) if speaks == Speaks::Dialect || is_of_run(&opened, execution) => {
                Answered::enveloped(opened)
            }
            // An example in a text is not an answer.
            Ok(_) => Answered::by_packs(execution, packs),
            Err(why) if why.stated_failure().is_some() => Answered::stated(execution, why),
            Err(why)
                if execution.is_whole()
                    && is_cut(Err(&why), &execution.transcript, options, packs) =>
            {
                Answered::truncated(execution, why)
            }
            Err(why) => {
                let mut answered = Answered::by_packs(execution, packs);
                answered.unknown.push(format!("whether it did what it should: {why}"));
                answered
            }
        }
    }

    /// The envelope that a program wrote.
    fn enveloped(opened: Opened) -> Answered {
        Answered {
            envelope: opened.envelope.clone(),
            source: Source::Envelope(Box::new(opened)),
            is_plain: false,
            unknown: Vec::new(),
        }
    }

    /// What packs, and phrases that many programs share, say about a run.
    fn by_packs(execution: &Execution, packs: &dyn Lookup) -> Answered {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        let now_ms = u64::try_from(now.as_millis()).unwrap_or(u64::MAX);
        Answered::read(execution, read_call(&execution.ends(), packs).at(now_ms))
    }

    /// An answer for a run that is read so.
    pub(crate) fn read(execution: &Execution, reading: Reading) -> Answered {
        let status = execution.usage.status;
        let (data, is_plain) = data::of(execution);
        let is_success = reading.class.is_some_and(Exit::is_success);
        let has_data = execution.keep == Keep::All && !execution.transcript.stdout.is_empty();
        let data = (is_success || has_data).then_some(data);
        let envelope = if reading.class.is_some() {
            reading.envelope(status, data)
        } else {
            // The class is not known, so the last output is all there is beside its cause.
            let unexplained = unexplained(execution);
            let cause = reading.message.as_deref();
            let cause = cause.map(|cause| short(&mask(cause, None), MESSAGE));
            let message = cause.unwrap_or(unexplained.message);
            let failure = ErrorObject { message, retryable: Some(false), ..unexplained };
            let envelope = Envelope::failure(Exit::General, failure).with_status(status.code());
            data.into_iter().fold(envelope, Envelope::with_data)
        };
        let mut unknown = Vec::new();
        if let (None, Some(why)) = (reading.class, &reading.why) {
            unknown.push(why.clone());
        }
        Answered {
            envelope: with_cut(envelope, execution),
            source: Source::Reading(reading),
            is_plain,
            unknown,
        }
    }

    /// The same as a success, because the caller accepts the exit code.
    pub(crate) fn accepted(self, execution: &Execution) -> Answered {
        let (data, is_plain) = data::of(execution);
        let envelope = Envelope::success(data).with_status(execution.usage.status.code());
        let reading = Reading::accepted();
        Answered { envelope, source: Source::Reading(reading), is_plain, ..self }
    }

    /// The name of the class, or `UNKNOWN`.
    pub(crate) fn class(&self) -> &'static str {
        match &self.source {
            Source::Reading(reading) => reading.class_name(),
            Source::Unopened(_) => "UNKNOWN",
            _ => self.envelope.exit().name(),
        }
    }

    /// The rule of a pack that determined the class.
    pub(crate) fn rule(&self) -> Option<&str> {
        match &self.source {
            Source::Reading(reading) => Some(&reading.rule),
            _ => None,
        }
    }

    /// How the envelope was found, if the program wrote one that counts.
    pub(crate) fn opened(&self) -> Option<&Opened> {
        match &self.source {
            Source::Envelope(opened) => Some(opened),
            _ => None,
        }
    }

    /// Our own failure for a run whose output does not count.
    fn ours(code: Code, execution: &Execution, failure: ErrorObject, unknown: &str) -> Answered {
        let failure = ErrorObject { detail: last_output(execution), ..failure };
        let mut answered = Answered::failed(code.exit(), failure);
        answered.envelope = answered.envelope.with_status(execution.usage.status.code());
        answered.unknown.push(unknown.to_owned());
        if execution.usage.status == Status::Unknown {
            answered.unknown.push("whether it has ended".to_owned());
        }
        answered
    }

    /// A failure that is ours to report.
    pub(crate) fn failed(exit: Exit, failure: ErrorObject) -> Answered {
        let envelope = Envelope::failure(exit, failure);
        let unknown = Vec::new();
        Answered { envelope, source: Source::Ours, is_plain: false, unknown }
    }

    fn out_of_time(execution: &Execution, limit: Option<Duration>) -> Answered {
        let limit = duration::format(limit.unwrap_or_default());
        let failure = ErrorObject {
            suggestion: Some(
                "check what it has done before you run it again, or allow more time".to_owned(),
            ),
            ..Code::Timeout
                .failure(format!("the program was still running after {limit} and was ended"))
        };
        Answered::ours(Code::Timeout, execution, failure, "how much of its work is done")
    }

    fn cancelled(execution: &Execution) -> Answered {
        let failure = Code::Cancelled.failure("the call was cancelled");
        Answered::ours(Code::Cancelled, execution, failure, "how much of its work is done")
    }

    fn at_terminal(execution: &Execution) -> Answered {
        let failure = ErrorObject {
            suggestion: Some("pass what it asks for in its arguments or in a file".to_owned()),
            ..Code::NeedsTerminal.failure("the program asked for the terminal and was ended")
        };
        Answered::ours(Code::NeedsTerminal, execution, failure, "how much of its work is done")
    }

    /// Too much for an envelope to be read in it: a success of a program that has none, or not known.
    fn cut(execution: &Execution, packs: &dyn Lookup) -> Answered {
        let is_document = execution.transcript.stdout.trim_ascii_start().starts_with(b"{");
        if execution.usage.status == Status::Exited(0) && !is_document {
            return Answered::by_packs(execution, packs);
        }
        let cut: Vec<String> = execution.usage.cut.iter().map(ToString::to_string).collect();
        let failure = ErrorObject {
            retryable: Some(false),
            suggestion: Some("narrow the query, or allow more output".to_owned()),
            ..Code::OutputTooLarge.failure(cut.join("; "))
        };
        Answered::ours(Code::OutputTooLarge, execution, failure, "what it answered")
    }

    /// A document that ends before its end: what it would have said is not known, whatever the exit status.
    fn truncated(execution: &Execution, why: manila::Error) -> Answered {
        let failure = ErrorObject {
            retryable: Some(false),
            detail: last_output(execution),
            suggestion: Some("look at what the program wrote before acting on it".to_owned()),
            ..Code::UntrustedAnswer.failure(format!("the answer is truncated: {why}"))
        };
        let envelope = Envelope::failure(Code::UntrustedAnswer.exit(), failure);
        let envelope = envelope.with_status(execution.usage.status.code());
        let unknown = vec!["what it answered".to_owned()];
        Answered { envelope, source: Source::Unopened(why), is_plain: false, unknown }
    }

    /// A document of no known dialect that states a failure: worth more than the last line, and than the
    /// exit status.
    fn stated(execution: &Execution, why: manila::Error) -> Answered {
        let (data, is_plain) = data::of(execution);
        let error = why.stated_failure().map(|stated| stated.error.clone()).unwrap_or_default();
        let envelope = Envelope::failure(Exit::General, error).with_data(data);
        let envelope = envelope.with_status(execution.usage.status.code());
        Answered { envelope, source: Source::Unopened(why), is_plain, unknown: Vec::new() }
    }
}

/// What the output of a program that has no envelope says all the same: a certain envelope, a failure although it
/// ended with 0, or an answer that is truncated.
fn certain(execution: &Execution, options: &Options, packs: &dyn Lookup) -> Option<Answered> {
    let transcript = &execution.transcript;
    let is_document =
        is_answer(transcript, Stream::Stdout) || is_answer(transcript, Stream::Stderr);
    if !is_document || !execution.is_whole() {
        return None;
    }
    let read = open_run(transcript, options, packs);
    let is_denied = denies_success(read.as_ref(), transcript);
    let opened = match read {
        Ok(opened) if is_denied => return Some(Answered::enveloped(opened)),
        Err(why) if is_denied => return Some(Answered::stated(execution, why)),
        Err(why) if is_cut(Err(&why), transcript, options, packs) => {
            return Some(Answered::truncated(execution, why));
        }
        read => read.ok()?,
    };
    let is_certain = opened.detection.confidence == Confidence::Certain
        && opened.detection.stream == Stream::Stdout;
    // Several documents of a program that has no envelope are its data: a log, or a list.
    let is_one_of_many = opened.detection.other_documents().next().is_some();
    (is_certain && !is_one_of_many && is_of_run(&opened, execution))
        .then(|| Answered::enveloped(opened))
}

/// Says that data are not whole, and where the rest is.
fn with_cut(envelope: Envelope, execution: &Execution) -> Envelope {
    let is_cut = execution.usage.is_cut(Stream::Stdout);
    if !is_cut || !envelope.ok() {
        return envelope;
    }
    let file = execution.overflow.as_ref().and_then(|file| sys::name_file(file).ok());
    let file = file.map(|file| format!("more of stdout is in {}", file.display()));
    let cut = execution.usage.cut.iter().map(ToString::to_string).chain(file);
    cut.fold(envelope.with_rest(Some(String::new())), Envelope::with_warning)
}

/// Whether an envelope is the answer of the run: its stream has nothing else but a few lines, and
/// it has lines of its own. A failure that a success was expected in place of is one at the end of any text.
fn is_of_run(opened: &Opened, execution: &Execution) -> bool {
    let detection = &opened.detection;
    let bytes = execution.transcript.stream(detection.stream);
    let before = bytes.get(..detection.span.start).unwrap_or_default();
    let after = bytes.get(detection.span.end..).unwrap_or_default();
    let line = before.rsplit(|byte| *byte == b'\n').next().unwrap_or_default();
    let noise = detection.noise.iter().filter(|noise| noise.stream == detection.stream);
    let lines = noise.map(|noise| {
        let bytes = bytes.get(noise.span.clone()).unwrap_or_default();
        bytes.split(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty()).count()
    });
    let is_fenced =
        before.trim_ascii_end().ends_with(b"```") || before.windows(3).any(|it| it == b"```");
    let is_last = strip(after).bytes().trim_ascii().is_empty();
    let contradicts = execution.usage.status == Status::Exited(0) && !opened.envelope.ok();
    strip(line).bytes().iter().all(|byte| !byte.is_ascii_alphanumeric())
        && (lines.sum::<usize>() <= NOISE_LINES || (contradicts && is_last))
        && !is_fenced
}

/// The error of a failure that says nothing about itself.
fn unexplained(execution: &Execution) -> ErrorObject {
    let status = execution.usage.status;
    let code = match status {
        Status::Signaled(_) => Code::Killed,
        _ => Code::FailedWithoutEnvelope,
    };
    let last = last_output(execution);
    let line = last.as_deref().and_then(|lines| lines.lines().next_back());
    let message = line.map_or_else(|| status.to_string(), |line| format!("{status}: {line}"));
    // One cause, once: the detail only where it says more than the message.
    let detail = last.filter(|last| last.lines().count() > 1);
    ErrorObject { detail, ..code.failure(short(&mask(&message, None), MESSAGE)) }
}

/// A text that is no longer than it may be, cut at a character.
fn short(text: &str, most: usize) -> String {
    if text.len() <= most {
        return text.to_owned();
    }
    let mut end = most - '…'.len_utf8();
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    format!("{}…", &text[..end])
}

/// The end of the output: of stderr, or else of stdout.
fn last_output(execution: &Execution) -> Option<String> {
    last_lines(execution.stderr_end()).or_else(|| last_lines(execution.stdout_end()))
}

fn last_lines(bytes: &[u8]) -> Option<String> {
    let end = &bytes[bytes.len().saturating_sub(QUOTED)..];
    let text = String::from_utf8_lossy(end);
    let text = mask(text.trim_end(), None);
    let skipped = text.lines().count().saturating_sub(LINES);
    let lines: Vec<&str> = text.lines().skip(skipped).collect();
    Some(lines.join("\n")).filter(|lines| !lines.is_empty())
}
