//! The contents of a lock: for each command its surface, its calls and their outcomes, its answers and its
//! failures.

use crate::join::Join;
use crate::shape::Shape;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

/// A program's contract.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lock {
    /// By their words; the program itself has no words.
    pub(crate) commands: BTreeMap<Vec<String>, Command>,
}

impl Lock {
    /// How many commands it describes.
    pub fn command_count(&self) -> usize {
        self.commands.len()
    }

    /// How many calls it is based on.
    pub fn call_count(&self) -> usize {
        self.commands.values().map(|command| command.calls.len()).sum()
    }

    /// The calls that lead to different outcomes each time, each as the words of its command and its name.
    pub fn flaky_calls(&self) -> Vec<String> {
        let calls = self.commands.iter().flat_map(|(words, command)| {
            let flaky = command.calls.iter().filter(|(_, outcomes)| outcomes.len() > 1);
            flaky.map(|(name, _)| format!("{} {name}", words.join(" ")).trim_start().to_owned())
        });
        calls.collect()
    }
}

/// What one command promises.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Command {
    /// Whether it only has subcommands.
    pub(crate) is_group: bool,
    /// Other names for it.
    pub(crate) aliases: BTreeSet<String>,
    /// Facts about the command itself.
    pub(crate) facts: Facts,
    /// By how they are written: `--limit`, or `-n` if there is no long name.
    pub(crate) flags: Arc<BTreeMap<String, Arc<Flag>>>,
    /// By their place, from 1.
    pub(crate) arguments: BTreeMap<u16, Argument>,
    /// The outcome of each call; several if equal calls differ.
    pub(crate) calls: BTreeMap<String, Arc<BTreeSet<Outcome>>>,
    /// What its answers have in common.
    pub(crate) answers: BTreeMap<Group, Arc<Answer>>,
    /// The facts about each failure.
    pub(crate) failures: BTreeMap<Failure, Arc<Facts>>,
}

/// Values by attribute; several where samples differ.
pub(crate) type Facts = BTreeMap<Attribute, BTreeSet<String>>;

/// No attribute has that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct UnknownAttribute;

macro_rules! attributes {
    ($($(#[doc = $about:literal])* $variant:ident = $word:literal,)*) => {
        /// A property that has values.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub(crate) enum Attribute { $($(#[doc = $about])* $variant,)* }

        impl Attribute {
            /// Its name in a lock.
            pub(crate) fn as_str(self) -> &'static str {
                match self { $(Attribute::$variant => $word,)* }
            }
        }

        impl FromStr for Attribute {
            type Err = UnknownAttribute;

            fn from_str(name: &str) -> Result<Attribute, UnknownAttribute> {
                match name { $($word => Ok(Attribute::$variant),)* _ => Err(UnknownAttribute) }
            }
        }
    };
}

attributes! {
    /// The class of the outcome.
    Class = "class",
    /// An error code that the command declares.
    DeclaresError = "declares-error",
    /// An exit status that the command declares.
    DeclaresStatus = "declares-status",
    /// The dialect of the envelope.
    Dialect = "dialect",
    /// What calling the command may do.
    Effects = "effects",
    /// The streams that contain terminal escapes.
    Escapes = "escapes",
    /// Whether it waits for input that never comes.
    Input = "input",
    /// How JSON is asked for.
    Json = "json",
    /// What the answer calls itself.
    Kind = "kind",
    /// The type of the last record of a stream of documents.
    Last = "last",
    /// How the lines of text are laid out, where a program has nothing but text.
    Layout = "layout",
    /// How the program describes itself.
    Manifest = "manifest",
    /// How the answer says that there are more pages.
    Paging = "paging",
    /// The phase in which a call failed.
    Phase = "phase",
    /// The type of a record of a stream of documents.
    Record = "record",
    /// Whether the failure names the call that replaces this one.
    Redirect = "redirect",
    /// The unit of the wait that the failure states.
    RetryAfter = "retry-after",
    /// Whether a retry may succeed.
    Retryable = "retryable",
    /// The interactive programs that it starts.
    Starts = "starts",
    /// The exit status.
    Status = "status",
    /// What is on stderr.
    Stderr = "stderr",
    /// What is on stdout.
    Stdout = "stdout",
    /// The stream that has the answer.
    Stream = "stream",
    /// Whether the failure says what to do.
    Suggestion = "suggestion",
    /// The version of the envelope that the answer states.
    Version = "version",
    /// Where it leaves files behind.
    Writes = "writes",
}

/// A flag or an option.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Flag {
    /// `switch`, `value` or `number`.
    pub(crate) takes: BTreeSet<String>,
    /// Short names.
    pub(crate) shorts: BTreeSet<String>,
    /// The default.
    pub(crate) defaults: BTreeSet<String>,
    /// The only values, if they are declared.
    pub(crate) choices: BTreeSet<String>,
    /// The variables that set it.
    pub(crate) variables: BTreeSet<String>,
    /// Whether the command needs it.
    pub(crate) is_required: bool,
}

/// A positional argument.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Argument {
    /// What it is called.
    pub(crate) names: BTreeSet<String>,
    /// The only values, if they are declared.
    pub(crate) choices: BTreeSet<String>,
    /// Whether the command needs it.
    pub(crate) is_required: bool,
    /// Whether there may be many.
    pub(crate) is_many: bool,
}

/// What a call led to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// A success.
    Ok,
    /// A failure.
    Failed(Failure),
    /// It was killed by this signal.
    Signal(i32),
    /// It did not end.
    Hangs,
    /// It wrote without end.
    Floods,
}

/// What distinguishes failures.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Failure {
    /// The code that the answer states.
    Code(String),
    /// The exit status, where there is no code.
    Exit(i32),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Code(code) => write!(f, "error {}", crate::token::word(code)),
            Failure::Exit(status) => write!(f, "exit {status}"),
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Outcome::Ok => f.write_str("ok"),
            Outcome::Failed(failure) => failure.fmt(f),
            Outcome::Signal(signal) => write!(f, "signal {signal}"),
            Outcome::Hangs => f.write_str("hangs"),
            Outcome::Floods => f.write_str("floods"),
        }
    }
}

/// A group of answers that have facts in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Group {
    /// Successes, where JSON is asked for.
    Ok,
    /// Failures, where JSON is asked for.
    Failure,
    /// Successes, where JSON is not asked for.
    Text,
}

impl Group {
    /// All of them.
    pub(crate) const ALL: [Group; 3] = [Group::Ok, Group::Failure, Group::Text];

    /// Its name in a lock.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Group::Ok => "ok",
            Group::Failure => "failure",
            Group::Text => "text",
        }
    }
}

/// What answers have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    /// Facts about them.
    pub(crate) facts: Arc<Facts>,
    /// The shape of their documents.
    pub(crate) body: Shape,
}

impl Join for Lock {
    fn join(&mut self, other: &Lock) {
        self.commands.join(&other.commands);
    }
}

impl Join for Command {
    fn join(&mut self, other: &Command) {
        self.is_group &= other.is_group;
        self.aliases.join(&other.aliases);
        self.facts.join(&other.facts);
        self.flags.join(&other.flags);
        self.arguments.join(&other.arguments);
        self.calls.join(&other.calls);
        self.answers.join(&other.answers);
        self.failures.join(&other.failures);
    }
}

impl Join for Flag {
    fn join(&mut self, other: &Flag) {
        self.takes.join(&other.takes);
        self.shorts.join(&other.shorts);
        self.defaults.join(&other.defaults);
        self.choices.join(&other.choices);
        self.variables.join(&other.variables);
        self.is_required &= other.is_required;
    }
}

impl Join for Argument {
    fn join(&mut self, other: &Argument) {
        self.names.join(&other.names);
        self.choices.join(&other.choices);
        self.is_required &= other.is_required;
        self.is_many |= other.is_many;
    }
}

impl Join for Answer {
    fn join(&mut self, other: &Answer) {
        self.facts.join(&other.facts);
        self.body.join(&other.body);
    }
}
