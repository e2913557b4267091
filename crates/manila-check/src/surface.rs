//! What a program offers, as far as it is known: its commands, their arguments, and what was declared
//! about them. It is found by `discover`, and what `manila.toml` declares is laid over it.

use serde::Serialize;

/// What a program offers.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Surface {
    /// How it calls itself.
    pub name: String,
    /// What it says when asked for its version.
    pub version: Option<String>,
    /// The root first, then each command before its subcommands.
    pub commands: Vec<Command>,
    /// How JSON is asked for.
    pub json: Json,
    /// The words that print the program's own manifest or schema, if it has one.
    pub manifest: Option<Manifest>,
    /// What of the program could not be found out, and why.
    pub gaps: Vec<String>,
}

/// Where the program describes itself.
#[derive(Clone, Debug, Serialize)]
pub struct Manifest {
    /// The arguments that print it.
    pub args: Vec<String>,
    /// Which format it is in, in a word.
    pub format: &'static str,
    /// Whether it says that it names every command.
    pub is_whole: bool,
}

/// How JSON is asked for.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Json {
    /// With these words, after the command.
    Asked(Vec<String>),
    /// It answers in JSON without being asked, when it writes to a pipe.
    Always,
    /// It has no such mode, as far as anybody can see.
    #[default]
    Unknown,
}

impl Json {
    /// The words to add to a call.
    pub fn words(&self) -> &[String] {
        match self {
            Json::Asked(words) => words,
            Json::Always | Json::Unknown => &[],
        }
    }

    /// Whether there is a way to get JSON at all.
    pub fn is_known(&self) -> bool {
        *self != Json::Unknown
    }
}

/// One command; the root is the one with an empty path.
#[derive(Clone, Debug, Default, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Command {
    /// Its words, without the program.
    pub path: Vec<String>,
    /// What it says that it does.
    pub about: String,
    /// Other words for it.
    pub aliases: Vec<String>,
    /// What it takes, flags and positional arguments.
    pub flags: Vec<Flag>,
    /// In their order.
    pub positionals: Vec<Positional>,
    /// Whether it only leads to commands below it.
    pub is_group: bool,
    /// What running it may do.
    pub effects: Effects,
    /// Why that is believed, such as "the manifest says so".
    pub effects_because: String,
    /// Whether its name contradicts a manifest that calls it safe. Such a command is never run.
    #[serde(skip)]
    pub is_doubted: bool,
    /// Whether a command of its own follows it, by its own description.
    #[serde(skip)]
    pub subcommand: Subcommand,
    /// Arguments that make it a complete, harmless call, if it needs any: from an example in its
    /// manifest or from `manila.toml`. Empty if it needs none; nothing if none are known.
    pub sample: Option<Vec<String>>,
    /// Arguments of a call that asks for something which does not exist.
    pub missing: Option<Vec<String>>,
    /// Whether it answers with a list, if that is known.
    pub lists: Option<bool>,
    /// Arguments of a call that lists nothing, if they are known.
    pub empty: Option<Vec<String>>,
    /// Arguments of a call that runs long enough to be interrupted, if they are known.
    pub slow: Option<Vec<String>>,
    /// Whether it answers with many documents, one per line.
    pub streams: bool,
    /// The exit statuses that it declares, if it declares any.
    pub exit_codes: Option<Vec<i32>>,
    /// The error codes that it declares, if it declares any.
    pub error_codes: Option<Vec<String>>,
    /// The JSON Schema of its `data`, or of its whole answer, if it declares one.
    pub output_schema: Option<serde_json::Value>,
    /// Whether it never answers in JSON, by its own word.
    pub is_text_only: bool,
    /// Whether nothing says which arguments it needs.
    #[serde(skip)]
    pub is_untold: bool,
    /// Its help, as plain text.
    #[serde(skip)]
    pub help: String,
    /// Where it was found.
    pub known_from: KnownFrom,
}

impl Command {
    /// Its words in one, empty for the root.
    pub fn name(&self) -> String {
        self.path.join(" ")
    }

    /// Whether it is the program without a command.
    pub fn is_root(&self) -> bool {
        self.path.is_empty()
    }

    /// Whether it only reads, as far as anything says. A group that does may still have nothing to run.
    pub fn only_reads(&self) -> bool {
        self.effects == Effects::None && !self.is_doubted
    }

    /// Whether it may be run as it is. A group has nothing to run.
    pub fn is_safe(&self) -> bool {
        self.only_reads() && !self.is_group
    }

    /// Its words and the arguments of its sample call, if it may be run and one is known.
    pub fn safe_call(&self) -> Option<Vec<String>> {
        let sample = self.sample.as_ref().filter(|_| self.is_safe())?;
        Some(self.path.iter().chain(sample).cloned().collect())
    }

    /// The flag of that long name, without dashes.
    pub fn flag(&self, long: &str) -> Option<&Flag> {
        self.flags.iter().find(|flag| flag.long.as_deref() == Some(long))
    }
}

/// Whether a command of its own follows a command, by the usages of its help or by its manifest.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Subcommand {
    /// Nothing proves it: an unknown word may be an argument that it acts on.
    #[default]
    Unproven,
    /// One may follow, and nothing else: an unknown word cannot be an argument.
    Optional,
    /// One must follow, and nothing else: without one there is nothing to run.
    Required,
}

/// What running a command may do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Effects {
    /// Nothing: it only reads.
    None,
    /// It changes something.
    Writes,
    /// It takes something away.
    Destroys,
    /// Nobody said.
    #[default]
    Unknown,
}

/// Where a command was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct KnownFrom {
    /// Its parent's help lists it.
    pub help: bool,
    /// The program's manifest names it.
    pub manifest: bool,
    /// `manila.toml` names it.
    pub declaration: bool,
}

/// A flag or an option.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub struct Flag {
    /// Without its dashes.
    pub long: Option<String>,
    /// Without its dash.
    pub short: Option<char>,
    /// The word for its value, if it takes one.
    pub value: Option<String>,
    /// The only values it takes, if they are known.
    pub choices: Vec<String>,
    /// Whether its value is a number.
    pub is_number: bool,
    /// Whether the command needs it.
    pub is_required: bool,
    /// What it says that it does.
    pub about: String,
    /// Found in the command's help.
    pub in_help: bool,
    /// Found in the manifest.
    pub in_manifest: bool,
}

impl Flag {
    /// As it is written, long if it can be.
    pub fn word(&self) -> String {
        match (&self.long, self.short) {
            (Some(long), _) => format!("--{long}"),
            (None, Some(short)) => format!("-{short}"),
            (None, None) => String::new(),
        }
    }
}

/// A positional argument.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Positional {
    /// The word for it.
    pub name: String,
    /// Whether the command needs it.
    pub is_required: bool,
    /// Whether there may be many.
    pub is_many: bool,
    /// The only values it takes, if they are known.
    pub choices: Vec<String>,
}
