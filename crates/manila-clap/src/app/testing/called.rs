//! What a call left behind, and whether it kept the contract.

use super::promise::Contract;
use crate::call::Call;
use crate::code::Code;
use crate::error::Outcome;
use crate::mode::Mode;
use crate::output::Output;
use crate::reply::{Reply, Shape};
use crate::text::{Text, Valid, Version};
use manila::{Exit, Opened, Options, Status, Transcript};
use serde::de::DeserializeOwned;
use serde_json::Value;
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
use std::sync::Arc;

/// How much of a stream a failed assertion shows.
const SHOWN: usize = 2000;

/// What a call left behind.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Called {
    /// Everything it wrote to stdout, the frames of a stream included.
    pub stdout: Vec<u8>,
    /// Everything it wrote to stderr.
    pub stderr: Vec<u8>,
    /// The number it ended with; of a process that a signal killed, 128 and the signal's.
    pub status: i32,
    pub(super) signal: Option<i32>,
    pub(super) contract: Arc<Contract>,
    pub(super) known: Arc<Known>,
}

/// What is known of a call beside what it left behind.
#[derive(Debug)]
pub(super) struct Known {
    /// The program and its arguments, to be shown.
    pub(super) words: Vec<String>,
    pub(super) mode: Mode,
    /// Whether stdout and stderr are coloured.
    pub(super) colour: [bool; 2],
    /// How many frames went out before what is checked begins.
    pub(super) gone: u64,
    /// Whether it is a payload of the older envelope, whose schema is not declared.
    pub(super) is_legacy: bool,
    /// Whether data that are too large may be left out.
    pub(super) is_limited: bool,
    /// What the handler answered, if it ran where that can be seen.
    pub(super) meant: Option<Meant>,
    /// What is declared of the command alone.
    pub(super) command: Promise,
}

/// What a handler answered, before a dialect put it in its own words.
#[derive(Clone, Debug)]
pub(super) enum Meant {
    Reply { kind: &'static str },
    Error { code: String, exit: Exit, signal: Option<i32>, is_silent: bool },
}

/// What is declared of one command.
#[derive(Debug, Default)]
pub(super) struct Promise {
    pub(super) name: String,
    /// The kinds that it answers with, the boundary's own included; `None` if it lists none.
    pub(super) kinds: Option<Vec<&'static str>>,
    /// The codes that it fails with, the boundary's own included; `None` if it lists none.
    pub(super) codes: Option<Vec<&'static str>>,
}

impl Meant {
    pub(super) fn new(outcome: &Outcome) -> Meant {
        match outcome {
            Ok(reply) => Meant::Reply { kind: reply.kind() },
            Err(error) => Meant::Error {
                code: error.parts.failure.code.clone(),
                exit: error.parts.exit,
                signal: error.parts.signal,
                is_silent: error.parts.shown.as_deref() == Some(""),
            },
        }
    }
}

impl Promise {
    fn new(call: &Call) -> Promise {
        let Some(spec) = call.spec() else { return Promise::default() };
        let kinds = (!spec.kinds.is_empty()).then(|| {
            let mut kinds = spec.kinds.clone();
            if call.command().is_empty() {
                // The flags of built-in commands belong to no other.
                call.setup.built_ins.iter().for_each(|built_in| (built_in.kinds)(&mut kinds));
            }
            Text::kinds(&mut kinds);
            Version::kinds(&mut kinds);
            Valid::kinds(&mut kinds);
            kinds.iter().map(|kind| kind.name).collect()
        });
        let codes = spec.codes.map(|codes| {
            let own = Code::ALL.iter().flat_map(|code| [code.name(), call.setup.name_of(*code)]);
            codes.iter().copied().chain(own).collect()
        });
        let command = Some(call.command()).filter(|command| !command.is_empty());
        Promise { name: command.unwrap_or(&call.program.name).to_owned(), kinds, codes }
    }
}

impl Known {
    pub(super) fn new(call: &Call, meant: Meant, arguments: &[String], gone: u64) -> Known {
        Known {
            words: [std::slice::from_ref(&call.program.name), arguments].concat(),
            mode: call.mode,
            colour: [call.colour[1], call.colour[2]],
            gone,
            is_legacy: call.shape == Shape::Legacy,
            is_limited: call.max_bytes.is_some(),
            meant: Some(meant),
            command: Promise::new(call),
        }
    }
}

impl Called {
    pub(super) fn new(output: Output, contract: Arc<Contract>, known: Known) -> Called {
        let Output { stdout, stderr, status, answer: _ } = output;
        Called { stdout, stderr, status, signal: None, contract, known: Arc::new(known) }
    }

    /// The envelope, and how it was found.
    ///
    /// # Panics
    ///
    /// If there is none; the message says why.
    #[track_caller]
    #[expect(clippy::panic, reason = "it is an assertion of the author's tests")]
    pub fn opened(&self) -> Opened {
        match manila::open(&self.transcript(), &Options::default()) {
            Ok(opened) => opened,
            Err(error) => panic!("{} gave no envelope: {error}\n{}", self.title(), self.streams()),
        }
    }

    /// The payload.
    ///
    /// # Panics
    ///
    /// If there is none or it is not of that type; the message says why.
    #[track_caller]
    #[expect(clippy::panic, reason = "it is an assertion of the author's tests")]
    pub fn data<T: DeserializeOwned>(&self) -> T {
        let opened = self.opened();
        let Some(data) = &opened.envelope.content().data else {
            panic!("{} answered without data\n{}", self.title(), self.streams())
        };
        let read = |data: Value| serde_json::from_value(data);
        let whole: Value = serde_json::from_str(data.as_str()).unwrap_or_default();
        let first = read(whole.clone());
        match first
            .or_else(|error| meanings(&whole).skip(1).find_map(|it| read(it).ok()).ok_or(error))
        {
            Ok(data) => data,
            Err(error) => panic!(
                "{} answered with data that are not what is expected: {error}\n{}",
                self.title(),
                self.streams()
            ),
        }
    }

    /// What is opened: everything but the frames, which stay as blanks so that places stay true.
    pub(super) fn transcript(&self) -> Transcript {
        let mut stdout = self.stdout.clone();
        for frame in self.frames() {
            stdout[frame.span].fill(b' ');
        }
        let status = self.signal.map_or(Status::Exited(self.status), Status::Signaled);
        let stderr = self.stderr.clone();
        Transcript { stdout, stderr, status, ..Transcript::default() }
    }

    /// The frames of a stream, in their order.
    pub(super) fn frames(&self) -> Vec<Frame> {
        if self.known.mode != Mode::Jsonl {
            return Vec::new();
        }
        let mut start = 0;
        let lines = self.stdout.split_inclusive(|byte| *byte == b'\n').map(|line| {
            let span = start..start + line.len();
            start = span.end;
            (span, line)
        });
        lines.filter_map(|(span, line)| Frame::read(span, line)).collect()
    }

    pub(super) fn title(&self) -> String {
        let words = self.known.words.join(" ");
        format!("`{words}` ({}, status {})", self.contract.dialect.id(), self.status)
    }

    pub(super) fn streams(&self) -> String {
        format!("stdout: {}\nstderr: {}", beginning(&self.stdout), beginning(&self.stderr))
    }
}

/// What a payload may have been before it was written: dialects that take only objects put anything
/// else into one.
pub(super) fn meanings(data: &Value) -> impl Iterator<Item = Value> + use<> {
    let inside = match data {
        Value::Object(members) if members.is_empty() => Some(Value::Null),
        Value::Object(members) if members.len() == 1 => {
            ["value", "data"].iter().find_map(|key| members.get(*key)).cloned()
        }
        _ => None,
    };
    std::iter::once(data.clone()).chain(inside)
}

fn beginning(stream: &[u8]) -> Cow<'_, str> {
    match stream.get(..SHOWN) {
        None => String::from_utf8_lossy(stream),
        Some(start) => format!("{}…", String::from_utf8_lossy(start)).into(),
    }
}

/// One line of a stream that is not an answer.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) span: Range<usize>,
    pub(super) number: u64,
    pub(super) kind: Option<String>,
    pub(super) data: Option<Value>,
}

impl Frame {
    fn read(span: Range<usize>, line: &[u8]) -> Option<Frame> {
        let mut frame: Value = serde_json::from_slice(line).ok()?;
        // In a flat envelope a member of the payload may have the same name; it is never the first.
        let (first, _) = frame.as_object()?.iter().next()?;
        (first == "frame").then_some(())?;
        let number = frame.get("seq")?.as_u64()?;
        let kind = frame.get("kind").and_then(Value::as_str).map(str::to_owned);
        let data = frame.get_mut("data").map(Value::take);
        Some(Frame { span, number, kind, data })
    }
}

/// One way in which an answer breaks the contract.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    pub(super) check: &'static str,
    pub(super) place: String,
    pub(super) what: String,
    pub(super) remedy: String,
}

impl Violation {
    /// The name of the check that found it, such as `code-declared`.
    pub fn check(&self) -> &'static str {
        self.check
    }

    /// Where it is: a stream, a field, or a place in the data.
    pub fn place(&self) -> &str {
        &self.place
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at {}: {} ({})", self.check, self.place, self.what, self.remedy)
    }
}
