//! `cargo run`: the program is built once, and the file that was built is what the check runs.

use crate::error::{Error, ErrorKind};
use serde_json::Value;
use std::ffi::OsString;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// A call of `cargo run`, taken apart.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Call {
    /// `cargo`, as it was written.
    cargo: String,
    /// What comes before `run`, such as `+nightly`.
    before: Vec<String>,
    /// What says which program is built, and how.
    selection: Vec<String>,
    /// The program's own first arguments.
    args: Vec<String>,
}

/// Flags of `cargo run` whose value is the next word.
const WITH_VALUE: &[&str] = &[
    "-p",
    "--package",
    "--bin",
    "--example",
    "-F",
    "--features",
    "--target",
    "--profile",
    "--manifest-path",
    "--target-dir",
    "--config",
    "-Z",
    "--color",
    "-j",
    "--jobs",
    "--message-format",
    "--lockfile-path",
    "-C",
];
/// How many of cargo's last lines an error shows.
const LINES: usize = 30;

impl Call {
    /// These words as such a call, if they are one.
    pub(super) fn of(words: &[String]) -> Option<Call> {
        let (cargo, rest) = words.split_first()?;
        let is_cargo = Path::new(cargo).file_name().is_some_and(|name| name == "cargo");
        let at = flags(rest);
        let is_run = rest.get(at).is_some_and(|word| word == "run" || word == "r");
        if !is_cargo || !is_run {
            return None;
        }
        let after = &rest[at + 1..];
        let end = flags(after);
        let args = after[end..].strip_prefix(&["--".to_owned()]).unwrap_or(&after[end..]);
        Some(Call {
            cargo: cargo.clone(),
            before: rest[..at].to_vec(),
            selection: without_format(&after[..end]),
            args: args.to_vec(),
        })
    }

    /// Builds, in the user's own directory and environment, and says how to start what was built.
    pub(super) fn build(&self, directory: &Path) -> Result<Vec<OsString>, Error> {
        let format = ["--message-format=json-render-diagnostics".to_owned()];
        let output = self.cargo(directory, "build", self.selection.iter().chain(&format))?;
        if !output.status.success() {
            let words = String::from_utf8_lossy(&output.stderr);
            let lines: Vec<&str> = words.lines().collect();
            let last = lines[lines.len().saturating_sub(LINES)..].join("\n");
            let message = format!("cargo could not build the program:\n{last}");
            return Err(
                Error::new(ErrorKind::Build, message).suggest("see what `cargo build` says")
            );
        }
        let built = built(&output.stdout);
        let program = self.choose(&built, directory)?;
        Ok(std::iter::once(program.into()).chain(self.args.iter().map(Into::into)).collect())
    }

    fn cargo<'w>(
        &self,
        directory: &Path,
        word: &str,
        args: impl Iterator<Item = &'w String>,
    ) -> Result<Output, Error> {
        let mut command = Command::new(&self.cargo);
        command.args(&self.before).arg(word).args(args).current_dir(directory).stdin(Stdio::null());
        command.output().map_err(|error| {
            Error::new(ErrorKind::Build, format!("{} could not be started: {error}", self.cargo))
                .suggest("check whether cargo is installed and in PATH")
        })
    }

    /// The one that `cargo run` would run.
    fn choose(&self, built: &[Built], directory: &Path) -> Result<String, Error> {
        let named = ["--bin", "--example"].iter().find_map(|flag| value(&self.selection, flag));
        let is_meant = |one: &&Built| match &named {
            Some(name) => one.name == *name,
            None => one.kind == "bin",
        };
        let meant: Vec<&Built> = built.iter().filter(is_meant).collect();
        match meant.as_slice() {
            [one] => return Ok(one.executable.clone()),
            [] => {
                return Err(Error::new(ErrorKind::Build, "cargo built no program to run")
                    .suggest("name a package with a program: cargo run -p NAME --"));
            }
            _ => {}
        }
        let usual = self.usual(directory);
        let chosen = meant.iter().find(|one| usual.contains(&one.name));
        chosen.map(|one| one.executable.clone()).ok_or_else(|| {
            let names: Vec<&str> = meant.iter().map(|one| one.name.as_str()).collect();
            let message = format!("cargo built several programs: {}", names.join(", "));
            Error::new(ErrorKind::Build, message)
                .suggest("name one of them: cargo run --bin NAME --")
        })
    }

    /// The names that packages declare as `default-run`.
    fn usual(&self, directory: &Path) -> Vec<String> {
        let args: Vec<String> = ["--no-deps", "--format-version=1"].map(str::to_owned).to_vec();
        let manifest =
            value(&self.selection, "--manifest-path").map(|path| format!("--manifest-path={path}"));
        let output = self.cargo(directory, "metadata", args.iter().chain(&manifest));
        let about: Value =
            output.ok().and_then(|it| serde_json::from_slice(&it.stdout).ok()).unwrap_or_default();
        let packages = about["packages"].as_array().cloned().unwrap_or_default();
        packages.iter().filter_map(|it| it["default_run"].as_str().map(str::to_owned)).collect()
    }
}

/// A program that was built.
#[derive(Debug, PartialEq, Eq)]
struct Built {
    name: String,
    kind: String,
    executable: String,
}

/// The programs in cargo's messages.
fn built(messages: &[u8]) -> Vec<Built> {
    let lines = messages.split(|byte| *byte == b'\n');
    let messages = lines.filter_map(|line| serde_json::from_slice::<Value>(line).ok());
    let program = |message: Value| {
        Some(Built {
            executable: message["executable"].as_str()?.to_owned(),
            name: message["target"]["name"].as_str()?.to_owned(),
            kind: message["target"]["kind"][0].as_str()?.to_owned(),
        })
    };
    messages.filter(|it| it["reason"] == "compiler-artifact").filter_map(program).collect()
}

/// How many words from the first are flags and their values.
fn flags(words: &[String]) -> usize {
    let mut at = 0;
    while let Some(word) = words
        .get(at)
        .filter(|word| (word.starts_with('-') && *word != "--") || word.starts_with('+'))
    {
        at += if WITH_VALUE.contains(&word.as_str()) { 2 } else { 1 };
    }
    at.min(words.len())
}

/// The value of a flag, written as one word or as two.
fn value(words: &[String], flag: &str) -> Option<String> {
    let joined = words.iter().find_map(|word| word.strip_prefix(flag)?.strip_prefix('='));
    let apart = || {
        words
            .iter()
            .position(|word| word == flag)
            .and_then(|at| words.get(at + 1))
            .map(String::as_str)
    };
    joined.or_else(apart).map(str::to_owned)
}

/// The flags without a format of messages, which is ours to choose.
fn without_format(words: &[String]) -> Vec<String> {
    let mut kept = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        if word == "--message-format" {
            words.next();
        } else if !word.starts_with("--message-format=") {
            kept.push(word.clone());
        }
    }
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<Call> {
        Call::of(&text.split(' ').map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn a_call_is_taken_apart() {
        let call = of("cargo +nightly run -q -p td --message-format short --bin=x -- --file y")
            .expect("a call");
        assert_eq!(call.before, ["+nightly"]);
        assert_eq!(call.selection, ["-q", "-p", "td", "--bin=x"]);
        assert_eq!(call.args, ["--file", "y"]);
        assert_eq!(of("cargo run list all").expect("a call").args, ["list", "all"]);
        assert!(of("cargo run").is_some());
        assert!(of("cargo build").is_none() && of("tool run").is_none());
    }

    #[test]
    fn the_program_is_in_the_messages() {
        let messages = br#"{"reason":"compiler-artifact","target":{"kind":["lib"],"name":"a"},"executable":null}
{"reason":"compiler-artifact","target":{"kind":["bin"],"name":"a"},"executable":"/t/a"}
not json
{"reason":"build-finished","success":true}"#;
        let found = built(messages);
        assert_eq!(
            found,
            [Built { name: "a".into(), kind: "bin".into(), executable: "/t/a".into() }]
        );
        let call = of("cargo run").expect("a call");
        assert_eq!(call.choose(&found, Path::new("/")).ok().as_deref(), Some("/t/a"));
        assert_eq!(call.choose(&[], Path::new("/")).map_err(|it| it.kind()), Err(ErrorKind::Build));
    }
}
