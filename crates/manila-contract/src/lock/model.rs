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
    pub commands: BTreeMap<Vec<String>, Command>,
}

/// What one command promises.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Command {
    /// Whether it only has subcommands.
    pub is_group: bool,
    /// Other names for it.
    pub aliases: BTreeSet<String>,
    /// Facts about the command itself.
    pub facts: Facts,
    /// By how they are written: `--limit`, or `-n` if there is no long name.
    pub flags: Arc<BTreeMap<String, Arc<Flag>>>,
    /// By their place, from 1.
    pub arguments: BTreeMap<u16, Argument>,
    /// The outcome of each call; several if equal calls differ.
    pub calls: BTreeMap<String, Arc<BTreeSet<Outcome>>>,
    /// What its answers have in common.
    pub answers: BTreeMap<Group, Arc<Answer>>,
    /// The facts about each failure.
    pub failures: BTreeMap<Failure, Arc<Facts>>,
}

/// Values by attribute; several where samples differ.
pub type Facts = BTreeMap<Attribute, BTreeSet<String>>;

/// No attribute has that name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownAttribute;

macro_rules! attributes {
    ($($(#[doc = $about:literal])* $variant:ident = $word:literal,)*) => {
        /// A property that has values.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Attribute { $($(#[doc = $about])* $variant,)* }

        impl Attribute {
            /// All of them.
            pub const ALL: &[Attribute] = &[$(Attribute::$variant,)*];

            /// Its name in a lock.
            pub fn as_str(self) -> &'static str {
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
pub struct Flag {
    /// `switch`, `value` or `number`.
    pub takes: BTreeSet<String>,
    /// Short names.
    pub shorts: BTreeSet<String>,
    /// The default.
    pub defaults: BTreeSet<String>,
    /// The only values, if they are declared.
    pub choices: BTreeSet<String>,
    /// The variables that set it.
    pub variables: BTreeSet<String>,
    /// Whether the command needs it.
    pub is_required: bool,
}

/// A positional argument.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Argument {
    /// What it is called.
    pub names: BTreeSet<String>,
    /// The only values, if they are declared.
    pub choices: BTreeSet<String>,
    /// Whether the command needs it.
    pub is_required: bool,
    /// Whether there may be many.
    pub is_many: bool,
}

/// What a call led to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Outcome {
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
pub enum Failure {
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
pub enum Group {
    /// Successes, where JSON is asked for.
    Ok,
    /// Failures, where JSON is asked for.
    Failure,
    /// Successes, where JSON is not asked for.
    Text,
}

impl Group {
    /// All of them.
    pub const ALL: [Group; 3] = [Group::Ok, Group::Failure, Group::Text];

    /// Its name in a lock.
    pub fn as_str(self) -> &'static str {
        match self {
            Group::Ok => "ok",
            Group::Failure => "failure",
            Group::Text => "text",
        }
    }
}

/// What answers have in common.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// Facts about them.
    pub facts: Arc<Facts>,
    /// The shape of their documents.
    pub body: Shape,
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
