//! The format of a pack as types: what a `pack.toml` may say, and nothing else.

use crate::text::{Pairs, Text, Texts};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What is known about a program, or about several that belong together.
#[expect(clippy::struct_excessive_bools, reason = "each is a key of the format")]
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Model<'a> {
    /// The name of the pack: that of its directory.
    #[serde(borrow)]
    pub name: Text<'a>,
    /// What the program is, in one line.
    #[serde(borrow)]
    pub title: Text<'a>,
    /// The file names it is called by.
    #[serde(borrow)]
    pub programs: Texts<'a>,
    /// The versions it was seen with.
    #[serde(borrow)]
    pub versions: Texts<'a>,
    /// The dialect of its documents, where their marks are those of others too.
    #[serde(borrow)]
    pub dialect: Option<Text<'a>>,
    /// In a user's pack: replace the built-in pack instead of extending it.
    pub r#override: bool,
    /// Long options may be abbreviated.
    pub abbreviates: bool,
    /// Long options have one dash: `-detailed-exitcode`.
    pub single_dash_long: bool,
    /// Command words compare without case.
    pub ignore_case: bool,
    /// Options may follow `--`, because the program does not give it a meaning.
    pub dash_dash_is_a_word: bool,
    /// The environment that makes it behave.
    #[serde(borrow)]
    pub environment: Environment<'a>,
    /// Global options.
    #[serde(borrow)]
    pub options: Options<'a>,
    /// Options of some commands, so that their values are not taken for arguments.
    #[serde(borrow)]
    pub option: Vec<OptionRule<'a>>,
    /// Statuses, the benign ones included.
    #[serde(borrow)]
    pub status: Vec<StatusRule<'a>>,
    /// Errors.
    #[serde(borrow)]
    pub error: Vec<ErrorRule<'a>>,
    /// The effects of calls.
    #[serde(borrow)]
    pub effect: Vec<EffectRule<'a>>,
    /// Commands that start another program.
    #[serde(borrow)]
    pub wraps: Vec<Wraps<'a>>,
    /// Where the cause stands.
    #[serde(borrow)]
    pub cause: Cause<'a>,
    /// The JSON switches.
    #[serde(borrow)]
    pub json: Vec<JsonSwitch<'a>>,
    /// Paging.
    #[serde(borrow)]
    pub page: Vec<Page<'a>>,
    /// What renews credentials.
    #[serde(borrow)]
    pub refresh: Option<Refresh<'a>>,
}

/// The environment that makes a program behave.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Environment<'a> {
    /// Variables to set.
    #[serde(borrow)]
    pub set: Pairs<'a>,
    /// Variables to remove.
    #[serde(borrow)]
    pub unset: Texts<'a>,
    /// Variables, as `NAME` or `NAME=value` patterns, that cannot change what is executed or written.
    #[serde(borrow)]
    pub harmless: Texts<'a>,
}

/// Options that may come before the subcommand.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Options<'a> {
    /// Those that take the next word as their value.
    #[serde(borrow)]
    pub values: Texts<'a>,
    /// Those that take none.
    #[serde(borrow)]
    pub flags: Texts<'a>,
    /// They may come after the subcommand too.
    pub anywhere: bool,
}

/// Options of some commands.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct OptionRule<'a> {
    /// The programs of the pack that have them.
    #[serde(borrow)]
    pub program: Texts<'a>,
    /// The commands that have them.
    #[serde(borrow)]
    pub command: Texts<'a>,
    /// Those that take the next word as their value.
    #[serde(borrow)]
    pub values: Texts<'a>,
    /// Those that take none.
    #[serde(borrow)]
    pub flags: Texts<'a>,
}

/// Where an option stands, seen from the subcommand.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Position {
    /// Before or after it.
    #[default]
    Any,
    /// Before it.
    Before,
    /// After it.
    After,
}

/// What a call may change.
///
/// The order is that of caution: of several, the greatest counts.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize, Serialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Effect {
    /// Nothing: it only reads.
    None,
    /// It writes, and a second call changes nothing more.
    Idempotent,
    /// It writes, and a second call may write again.
    Writes,
    /// Not known.
    #[default]
    Unknown,
    /// It removes or overwrites what cannot be had back.
    Destroys,
}

impl Effect {
    /// Every effect, the least first.
    pub const ALL: &'static [Effect] =
        &[Effect::None, Effect::Idempotent, Effect::Writes, Effect::Unknown, Effect::Destroys];

    /// Its name, as in the JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Effect::None => "none",
            Effect::Idempotent => "idempotent",
            Effect::Writes => "writes",
            Effect::Unknown => "unknown",
            Effect::Destroys => "destroys",
        }
    }

    /// Whether the call may be made twice.
    pub fn is_repeatable(self) -> bool {
        matches!(self, Effect::None | Effect::Idempotent)
    }
}

impl fmt::Display for Effect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The effect of the calls that it describes; the first that matches counts.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct EffectRule<'a> {
    /// Only when called by one of these names.
    #[serde(borrow)]
    pub program: Texts<'a>,
    /// Any of these commands: words separated by blanks, `*` within a word.
    #[serde(borrow)]
    pub command: Texts<'a>,
    /// Any of these options is present.
    #[serde(borrow)]
    pub flag: Texts<'a>,
    /// And the value of each matches one of these.
    #[serde(borrow)]
    pub flag_value: Texts<'a>,
    /// And the value of one of them matches none of these.
    #[serde(borrow)]
    pub flag_value_except: Texts<'a>,
    /// Where the option stands.
    pub position: Position,
    /// None of these options is present.
    #[serde(borrow)]
    pub without: Texts<'a>,
    /// No option is present but these.
    #[serde(borrow)]
    pub only: Option<Texts<'a>>,
    /// How many words follow the command: `0`, `1`, `2+`, `0-1`.
    #[serde(borrow)]
    pub arguments: Option<Text<'a>>,
    /// One of the words that follow matches one of these.
    #[serde(borrow)]
    pub argument: Texts<'a>,
    /// The script on the command line is one of this language that does nothing but print.
    pub script: Option<Script>,
    /// The effect.
    pub effect: Effect,
    /// Why, in one clause.
    #[serde(borrow)]
    pub why: Option<Text<'a>>,
    /// Where this was seen or read.
    #[serde(borrow)]
    pub evidence: Texts<'a>,
}

/// A language whose scripts are given on command lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Script {
    /// `sed`: the values of `-e`, or the first word.
    Sed,
    /// `awk`: the first word.
    Awk,
    /// A statement of SQL: the word after the first if the rule counts words, else the value of its options.
    Sql,
}

/// A command that starts another program, whose effect it then has.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Wraps<'a> {
    /// Only when called by one of these names.
    #[serde(borrow)]
    pub program: Texts<'a>,
    /// The subcommand that starts it.
    #[serde(borrow)]
    pub command: Texts<'a>,
    /// How many words come before the other program.
    pub skip: usize,
    /// `NAME=value` words are skipped.
    pub assignments: bool,
    /// The other program gets further arguments, which are not known.
    pub appends: bool,
    /// With one of these options it starts nothing.
    #[serde(borrow)]
    pub unless: Texts<'a>,
    /// The other program comes after one of these options.
    #[serde(borrow)]
    pub after: Texts<'a>,
    /// And ends before one of these words.
    #[serde(borrow)]
    pub until: Texts<'a>,
    /// This option takes a command line of a shell.
    #[serde(borrow)]
    pub shell: Option<Text<'a>>,
    /// Where this was seen or read.
    #[serde(borrow)]
    pub evidence: Texts<'a>,
}

/// The stream in which a rule looks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Where {
    /// Only stderr.
    #[default]
    Stderr,
    /// Only stdout.
    Stdout,
    /// Both, stderr first.
    Either,
}

/// What a failed call may have done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Done {
    /// Nothing.
    None,
    /// Some of it.
    Partial,
    /// Not known.
    #[default]
    Unknown,
}

/// Whether calling again can help.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Again {
    /// It can.
    Yes,
    /// It cannot.
    No,
}

/// What a status of some commands means; tried after all errors, and the first that matches counts.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct StatusRule<'a> {
    /// Only when called by one of these names.
    #[serde(borrow)]
    pub program: Texts<'a>,
    /// Any of these commands.
    #[serde(borrow)]
    pub command: Texts<'a>,
    /// Any of these options is present.
    #[serde(borrow)]
    pub flag: Texts<'a>,
    /// The statuses.
    pub status: Vec<i32>,
    /// The class.
    #[serde(borrow)]
    pub class: Text<'a>,
    /// A stable code for callers.
    #[serde(borrow)]
    pub code: Option<Text<'a>>,
    /// What the status means.
    #[serde(borrow)]
    pub meaning: Text<'a>,
    /// What may have been done.
    pub effects: Done,
    /// Whether calling again can help.
    pub retry: Option<Again>,
    /// Where this was seen or read.
    #[serde(borrow)]
    pub evidence: Texts<'a>,
}

/// An error that is recognised by what a stream says; the first that matches counts.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct ErrorRule<'a> {
    /// Only when called by one of these names.
    #[serde(borrow)]
    pub program: Texts<'a>,
    /// Any of these commands.
    #[serde(borrow)]
    pub command: Texts<'a>,
    /// Any of these options is present.
    #[serde(borrow)]
    pub flag: Texts<'a>,
    /// Patterns of whole lines; one of them must match.
    #[serde(borrow)]
    pub line: Texts<'a>,
    /// Pointers into a JSON document and patterns of the values there; all must match.
    #[serde(borrow)]
    pub json: Pairs<'a>,
    /// The stream.
    pub stream: Where,
    /// Only with these statuses; any but 0 if there are none.
    pub status: Vec<i32>,
    /// With status 0, the line must be the first of its stream, and an empty one must follow: what else
    /// the stream says is data, which may contain any line.
    pub then_blank: bool,
    /// Why a pattern may begin with any text.
    #[serde(borrow)]
    pub unanchored_because: Option<Text<'a>>,
    /// The class, `UNKNOWN`, `HTTP` for that of the captured status, or `WORDS` for that of words that
    /// many programs share, which is likely at most.
    #[serde(borrow)]
    pub class: Text<'a>,
    /// A stable code for callers.
    #[serde(borrow)]
    pub code: Option<Text<'a>>,
    /// What went wrong.
    #[serde(borrow)]
    pub message: Option<Text<'a>>,
    /// What may have been done.
    pub effects: Done,
    /// Whether calling again can help.
    pub retry: Option<Again>,
    /// It lasts for hours.
    pub quota: bool,
    /// How long to wait if the program does not say.
    pub wait_seconds: Option<u64>,
    /// Why the class is not known.
    #[serde(borrow)]
    pub why: Option<Text<'a>>,
    /// Where this was seen or read.
    #[serde(borrow)]
    pub evidence: Texts<'a>,
}

/// Which of several matching lines is the cause.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Pick {
    /// The first.
    #[default]
    First,
    /// The last.
    Last,
}

/// Where the cause of a failure stands.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Cause<'a> {
    /// Patterns of whole lines.
    #[serde(borrow)]
    pub line: Texts<'a>,
    /// The stream.
    pub stream: Where,
    /// Why a pattern may begin with any text.
    #[serde(borrow)]
    pub unanchored_because: Option<Text<'a>>,
    /// Which line, if several match.
    pub pick: Pick,
    /// Pointers into a JSON document, tried before lines.
    #[serde(borrow)]
    pub json: Texts<'a>,
}

/// What to add for an answer in JSON.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct JsonSwitch<'a> {
    /// Only when called by one of these names.
    #[serde(borrow)]
    pub program: Texts<'a>,
    /// Any of these commands.
    #[serde(borrow)]
    pub command: Texts<'a>,
    /// The words to add.
    #[serde(borrow)]
    pub add: Texts<'a>,
    /// Where this was seen or read.
    #[serde(borrow)]
    pub evidence: Texts<'a>,
}

/// How to get the rest of a list.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Page<'a> {
    /// Any of these commands.
    #[serde(borrow)]
    pub command: Texts<'a>,
    /// The option that takes the cursor, or asks for everything.
    #[serde(borrow)]
    pub flag: Option<Text<'a>>,
    /// A pointer to the cursor in the answer.
    #[serde(borrow)]
    pub cursor: Option<Text<'a>>,
    /// The option whose default cuts the list.
    #[serde(borrow)]
    pub cut_by: Option<Text<'a>>,
    /// Where this was seen or read.
    #[serde(borrow)]
    pub evidence: Texts<'a>,
}

/// What renews credentials.
#[derive(Clone, Debug, Default, PartialEq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case", default)]
pub struct Refresh<'a> {
    /// The command.
    #[serde(borrow)]
    pub argv: Texts<'a>,
    /// It asks a person.
    pub interactive: bool,
    /// Where this was seen or read.
    #[serde(borrow)]
    pub evidence: Texts<'a>,
}

impl Model<'static> {
    /// A pack from the text of its `pack.toml`.
    pub fn from_toml(text: &str) -> Result<Model<'static>, toml::de::Error> {
        let value: toml::Table = toml::from_str(text)?;
        // A value lends nothing, so that the pack owns its texts; but only the text has lines.
        Model::deserialize(value)
            .map_err(|plain| toml::from_str::<Model<'_>>(text).err().unwrap_or(plain))
    }
}
