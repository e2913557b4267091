//! The manifest of a program: every command with its arguments, its answers and its exit codes.
//!
//! This is the only reader and the only writer of the format. Programs built with manila-clap write it;
//! whatever generates code or classifies calls reads it. Only `commands` must be there to read one.

#[cfg(feature = "serde_json")]
use crate::error::{Error, ErrorKind};
use crate::exit::Effects;
#[cfg(feature = "serde_json")]
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
#[cfg(feature = "serde_json")]
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::ops::Not;

/// Everything about a program that a caller must know.
#[cfg(feature = "serde_json")]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Manifest {
    /// The version of this description's own shape.
    pub schema_version: String,
    /// The version of the library that made it.
    pub framework_version: String,
    /// The program.
    pub tool: Tool,
    /// The envelope that answers come in.
    pub dialect: String,
    /// Changes whenever anything here does; with `--etag` it spares the rest.
    pub etag: String,
    /// What `--output` takes.
    pub output_modes: Vec<String>,
    /// What every command takes.
    pub global_flags: Vec<Argument>,
    /// What comes before the command, where the program does nothing without one.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub root_arguments: Vec<Argument>,
    /// By dotted path, such as `task.list`; the program itself, if it can be called, is "".
    pub commands: BTreeMap<String, Entry>,
}

/// The program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// Its version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<String>,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub about: Option<String>,
}

/// A command.
#[cfg(feature = "serde_json")]
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own, and named in the JSON"
)]
pub struct Entry {
    /// What it does.
    pub description: String,
    /// Its other names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// Whether it can be called without one of its subcommands.
    pub runnable: bool,
    /// safe, mutating or destructive; absent if the program does not say.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub danger_level: Option<String>,
    /// Whether something else is to be called.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub deprecated: Option<Deprecated>,
    /// Whether it answers in an envelope when asked to.
    pub json: bool,
    /// Whether its answers carry a tag that `--etag` takes.
    pub cacheable: bool,
    /// The arguments without a name, in their order.
    pub positionals: Vec<Argument>,
    /// The arguments with a name.
    pub flags: Vec<Argument>,
    /// Of each of these at least one must be given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub require_one_of: Vec<Vec<String>>,
    /// Whether it takes the name of any other program as its subcommand.
    #[serde(skip_serializing_if = "Not::not")]
    pub external_subcommands: bool,
    /// The numbers that it may end with.
    #[serde(deserialize_with = "exit_codes")]
    pub exit_codes: ExitCodes,
    /// The types of its answers.
    pub output_kinds: Vec<String>,
    /// The schema of its data; absent if the program does not say which of its types it answers
    /// with, or answers in an older shape of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schemars", schemars(with = "Option<schemars::Schema>"))]
    pub output_schema: Option<Value>,
    /// Whole calls.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub examples: Vec<Example>,
    /// The names of the commands below it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub subcommands: Vec<String>,
}

/// Since when, and what to call instead.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Deprecated {
    /// The version since which it is deprecated.
    pub since: String,
    /// What to call instead.
    pub instead: String,
}

/// A call, and what it does.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Example {
    /// The call.
    pub call: String,
    /// What it does.
    pub what: String,
}

/// An argument of a command: enough to spell it, and to know what it takes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default)]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a fact of its own, and named in the JSON"
)]
pub struct Argument {
    /// What other entries call it.
    pub name: String,
    /// Its long name, without the dashes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub long: Option<String>,
    /// Its short name, without the dash.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub short: Option<char>,
    /// Other long names.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub aliases: Vec<String>,
    /// What stands for its value in the help.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value_name: Option<String>,
    /// What sort of value it takes.
    #[serde(rename = "type")]
    pub kind: Type,
    /// Whether a call must have it.
    pub required: bool,
    /// Its value when it is not given.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub default: Vec<String>,
    /// What it may be, if that is a list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub choices: Vec<Choice>,
    /// How many values it takes, if that is not exactly one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub multiple: Option<Multiple>,
    /// The variable that gives it when no argument does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub env: Option<String>,
    /// What it is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
    /// Whether the commands below take it too.
    #[serde(skip_serializing_if = "Not::not")]
    pub global: bool,
    /// The arguments that cannot be given with it.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<String>,
    /// Whether it must be given alone.
    #[serde(skip_serializing_if = "Not::not")]
    pub exclusive: bool,
    /// Whether its value must be joined to it: `--name=value`.
    #[serde(skip_serializing_if = "Not::not")]
    pub requires_equals: bool,
    /// Whether it comes after `--`.
    #[serde(skip_serializing_if = "Not::not")]
    pub last: bool,
}

/// What sort of value it takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Type {
    /// Text.
    #[default]
    String,
    /// A whole number.
    Integer,
    /// Any number.
    Number,
    /// Yes or no; without a value if it is a flag.
    Boolean,
    /// A file or a directory.
    Path,
    /// One of the choices.
    Enum,
    /// Text that the program never shows.
    Secret,
}

/// A value that it may have.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Choice {
    /// The value.
    pub name: String,
    /// What it means.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub help: Option<String>,
}

/// How many values an argument takes.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct Multiple {
    /// Whether it may be given more than once.
    pub repeat: bool,
    /// The fewest values each time.
    pub min: usize,
    /// The most values each time; no limit if this is absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<usize>,
    /// What may separate values in one argument.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delimiter: Option<char>,
}

/// An exit code, and what a caller may conclude from it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schemars", derive(schemars::JsonSchema))]
#[serde(default)]
pub struct ExitCode {
    /// The class that the number stands for.
    pub name: String,
    /// Whether the same call may work, whichever of the codes it was, and can do no harm.
    pub retryable: bool,
    /// What may have changed: complete, none, partial or unknown.
    #[cfg_attr(feature = "schemars", schemars(with = "String"))]
    #[serde(deserialize_with = "effects")]
    pub effects: Effects,
    /// The error codes that end with this number.
    pub codes: Vec<String>,
}

/// By number, so that the order is that of the numbers.
pub type ExitCodes = BTreeMap<i32, ExitCode>;

#[cfg(feature = "serde_json")]
impl Manifest {
    /// Reads a manifest: bare, or as the data of an envelope.
    pub fn from_json(bytes: &[u8]) -> Result<Manifest, Error> {
        let bad = |message: String| Error::new(ErrorKind::BadManifest, message);
        let whole: Value = serde_json::from_slice(bytes)
            .map_err(|error| bad(format!("the manifest is not JSON: {error}")))?;
        Manifest::from_value(whole)
    }

    /// The same from a document that is read already.
    pub fn from_value(mut whole: Value) -> Result<Manifest, Error> {
        let bad = |message: String| Error::new(ErrorKind::BadManifest, message);
        let data = whole.get_mut("data").filter(|data| data.get("commands").is_some());
        let mut stated = match data {
            Some(data) => data.take(),
            None => whole,
        };
        // Each command is read by itself, so that an error names it.
        let commands = stated.get_mut("commands").map(Value::take);
        let Some(Value::Object(commands)) = commands else {
            return Err(bad("the manifest has no object `commands`".to_owned()));
        };
        if let Some(stated) = stated.as_object_mut() {
            stated.insert("commands".to_owned(), Value::Object(Map::new()));
        }
        let mut manifest = Manifest::deserialize(stated)
            .map_err(|error| bad(format!("the manifest has another shape: {error}")))?;
        for (path, command) in commands {
            let entry = Entry::deserialize(command)
                .map_err(|error| bad(format!("command {path:?} in the manifest: {error}")))?;
            manifest.commands.insert(path, entry);
        }
        Ok(manifest)
    }

    /// The most exact command that the first words of a call name, without the program's. An option may
    /// have a value that looks like a command, so nothing after one is looked at.
    pub fn called<'w>(&self, words: impl IntoIterator<Item = &'w str>) -> Option<&Entry> {
        let words: Vec<&str> =
            words.into_iter().take_while(|word| !word.starts_with('-')).collect();
        (1..=words.len()).rev().find_map(|end| self.commands.get(&words[..end].join(".")))
    }
}

#[cfg(feature = "serde_json")]
impl Default for Entry {
    /// A command of which nothing is said can be called, and answers in JSON.
    fn default() -> Entry {
        Entry {
            description: String::new(),
            aliases: Vec::new(),
            runnable: true,
            danger_level: None,
            deprecated: None,
            json: true,
            cacheable: false,
            positionals: Vec::new(),
            flags: Vec::new(),
            require_one_of: Vec::new(),
            external_subcommands: false,
            exit_codes: ExitCodes::new(),
            output_kinds: Vec::new(),
            output_schema: None,
            examples: Vec::new(),
            subcommands: Vec::new(),
        }
    }
}

impl Default for ExitCode {
    fn default() -> ExitCode {
        ExitCode {
            name: String::new(),
            retryable: false,
            effects: Effects::Unknown,
            codes: Vec::new(),
        }
    }
}

/// The keys are numbers that a program can end with.
#[cfg(feature = "serde_json")]
fn exit_codes<'d, D: Deserializer<'d>>(deserializer: D) -> Result<ExitCodes, D::Error> {
    let stated = BTreeMap::<String, ExitCode>::deserialize(deserializer)?;
    let number = |(key, code): (String, ExitCode)| match key.parse::<u8>() {
        Ok(status) => Ok((status.into(), code)),
        Err(_) => Err(D::Error::custom(format!("{key:?} is not an exit code"))),
    };
    stated.into_iter().map(number).collect()
}

/// A word that is not known says nothing.
fn effects<'d, D: Deserializer<'d>>(deserializer: D) -> Result<Effects, D::Error> {
    let word = String::deserialize(deserializer)?;
    Ok(word.parse().unwrap_or(Effects::Unknown))
}

#[cfg(all(test, feature = "serde_json"))]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Manifest, String> {
        Manifest::from_json(text.as_bytes()).map_err(|error| error.to_string())
    }

    #[test]
    fn a_manifest_is_read_bare_or_in_an_envelope_and_written_again() {
        let text = r#"{"tool":{"name":"t"},"commands":{"ls":{"danger_level":"safe","exit_codes":
            {"0":{"name":"SUCCESS","effects":"complete"},"5":{"name":"NOT_FOUND","effects":"odd"}}}}}"#;
        let bare = read(text).expect("a manifest");
        assert_eq!(read(&format!(r#"{{"ok":true,"data":{text}}}"#)), Ok(bare.clone()));
        let entry = &bare.commands["ls"];
        assert!(entry.runnable && entry.json);
        let effects: Vec<Effects> = entry.exit_codes.values().map(|code| code.effects).collect();
        assert_eq!(effects, [Effects::Complete, Effects::Unknown]);
        let written = serde_json::to_vec(&bare).expect("serialises");
        assert_eq!(Manifest::from_json(&written), Ok(bare));
    }

    #[test]
    fn what_is_wrong_is_named_with_its_place() {
        for (text, expected) in [
            ("{", "the manifest is not JSON: EOF while parsing an object at line 1 column 1"),
            ("[]", "the manifest has no object `commands`"),
            (r#"{"commands":[]}"#, "the manifest has no object `commands`"),
            (
                r#"{"commands":{"ls":{"runnable":1}}}"#,
                "command \"ls\" in the manifest: invalid type: integer `1`, expected a boolean",
            ),
            (
                r#"{"commands":{"ls":{"exit_codes":{"256":{}}}}}"#,
                "command \"ls\" in the manifest: \"256\" is not an exit code",
            ),
            (
                r#"{"tool":"t","commands":{"ls":{}}}"#,
                "the manifest has another shape: invalid type: string \"t\", expected struct Tool",
            ),
        ] {
            assert_eq!(read(text), Err(expected.to_owned()), "{text}");
        }
    }

    #[test]
    fn the_most_exact_command_is_called() {
        let manifest = read(
            r#"{"commands":{"ls":{"danger_level":"safe"},"ls.all":{"danger_level":"mutating"}}}"#,
        )
        .expect("a manifest");
        let danger = |line: &str| {
            manifest.called(line.split(' ')).and_then(|entry| entry.danger_level.as_deref())
        };
        assert_eq!((danger("ls"), danger("ls x --all")), (Some("safe"), Some("safe")));
        assert_eq!(danger("ls all"), Some("mutating"));
        assert_eq!((danger("rm"), danger("--color ls")), (None, None));
    }
}
