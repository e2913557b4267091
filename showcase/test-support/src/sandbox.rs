//! A sandbox: one program, one empty directory, an empty environment.

use crate::{assert_golden, default_signals};
use manila_clap::testing::{Called, Program};
use regex::Regex;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::{Mutex, PoisonError};
use tempfile::TempDir;

/// A program, the directory it works in, and what of its answers changes from run to run.
pub struct Sandbox {
    /// The name that it uses for itself.
    name: &'static str,
    program: Program,
    binary: PathBuf,
    directory: TempDir,
    variables: Vec<(OsString, OsString)>,
    masks: Vec<(Regex, &'static str)>,
}

impl Sandbox {
    /// The program of this file, called by this name, in an empty directory which is its home too.
    pub fn new(name: &'static str, binary: &str) -> Sandbox {
        let directory = tempfile::Builder::new().prefix("sandbox-").tempdir().unwrap();
        let home = directory.path().as_os_str().to_owned();
        let variables = vec![("HOME".into(), home)];
        let program = asked(binary).directory(directory.path());
        let sandbox = Sandbox {
            name,
            program,
            binary: binary.into(),
            directory,
            variables,
            masks: Vec::new(),
        };
        let home = sandbox.directory().to_owned();
        sandbox
            .mask(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z", "<time>")
            .variable_of_program("HOME", home)
    }

    fn variable_of_program(mut self, name: &str, value: impl Into<OsString>) -> Sandbox {
        self.program = self.program.variable(name, value);
        self
    }

    /// With a variable in its environment.
    #[must_use]
    pub fn variable(mut self, name: &str, value: impl Into<OsString>) -> Sandbox {
        let value = value.into();
        self.variables.push((name.into(), value.clone()));
        self.variable_of_program(name, value)
    }

    /// Configures the contract, such as the dialect or what a pipe gets.
    #[must_use]
    pub fn program(mut self, change: impl FnOnce(Program) -> Program) -> Sandbox {
        self.program = change(self.program);
        self
    }

    /// Whatever fits the pattern is this in golden files. Times and the directory are masked anyway.
    #[must_use]
    pub fn mask(mut self, pattern: &str, by: &'static str) -> Sandbox {
        self.masks.push((Regex::new(pattern).unwrap(), by));
        self
    }

    /// The directory.
    pub fn directory(&self) -> &Path {
        self.directory.path()
    }

    /// Writes a file in the directory.
    #[must_use]
    pub fn file(self, path: &str, text: impl AsRef<[u8]>) -> Sandbox {
        let path = self.directory().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
        self
    }

    /// Calls it with the words of a line.
    #[track_caller]
    pub fn call(&self, line: &str) -> Called {
        self.call_words(words(line))
    }

    /// Calls it with these words, and holds the answer against the contract.
    #[track_caller]
    pub fn call_words(&self, words: impl IntoIterator<Item = impl Into<OsString>>) -> Called {
        let called = self.program.call(words);
        called.assert_contract();
        called
    }

    /// The same, and it must succeed.
    #[track_caller]
    pub fn succeeds(&self, line: &str) -> Called {
        let called = self.call(line);
        let stderr = String::from_utf8_lossy(&called.stderr);
        assert_eq!(called.status, 0, "{line}: {stderr}{}", String::from_utf8_lossy(&called.stdout));
        called
    }

    /// Calls it and compares all that is seen of it with `tests/golden/NAME.txt` of the package.
    #[track_caller]
    pub fn golden(&self, package: &str, name: &str, line: &str) -> Called {
        let called = self.call(line);
        let mut seen = format!("$ {} {line}\n", self.name);
        for (stream, bytes) in [("stdout", &called.stdout), ("stderr", &called.stderr)] {
            let text = std::str::from_utf8(bytes).unwrap();
            if !text.is_empty() {
                let end = if text.ends_with('\n') { "" } else { "\n(no newline at the end)\n" };
                let _ = write!(seen, "-- {stream}\n{text}{end}");
            }
        }
        let _ = writeln!(seen, "-- status {}", called.status);
        let path = Path::new(package).join("tests/golden").join(format!("{name}.txt"));
        assert_golden(&path, &self.masked(&seen));
        called
    }

    /// The text with all that changes from run to run masked.
    pub fn masked(&self, text: &str) -> String {
        let text = text.replace(&*self.directory().to_string_lossy(), "<directory>");
        self.masks.iter().fold(text, |text, (pattern, by)| pattern.replace_all(&text, *by).into())
    }

    /// The program as a process that the test starts, feeds and ends itself.
    pub fn command(&self, line: &str) -> Command {
        let mut command = Command::new(&self.binary);
        command.args(words(line)).current_dir(self.directory()).env_clear();
        command.env("PATH", std::env::var_os("PATH").unwrap_or_default());
        command.envs(self.variables.iter().cloned());
        default_signals(&mut command);
        command
    }
}

/// The program with its contract, for which it is asked once in a run of the tests.
fn asked(binary: &str) -> Program {
    static ASKED: Mutex<BTreeMap<String, Program>> = Mutex::new(BTreeMap::new());
    let mut all = ASKED.lock().unwrap_or_else(PoisonError::into_inner);
    let program = all.entry(binary.to_owned()).or_insert_with(|| {
        let program = Program::new(binary);
        program.call(["--version"]);
        program
    });
    program.clone()
}

/// The words of a line, as a shell would split it.
#[track_caller]
fn words(line: &str) -> Vec<String> {
    shlex::split(line).unwrap_or_else(|| panic!("{line}: a quote is not closed"))
}
