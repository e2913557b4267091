//! The real program: started as callers start it, and compared with its own declarations.

use super::VARIABLE;
use super::called::{Called, Known, Promise};
use super::promise::{Contract, Stated};
use crate::mode::Mode;
use crate::output::Output;
use manila::{DialectWriter, Stream};
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, OnceLock};

/// What a process cannot do without, or what makes it find its files.
#[rustfmt::skip]
const INHERITED: &[&str] = &[
    "PATH", "HOME", "TMPDIR", "TEMP", "TMP", "USERPROFILE", "SYSTEMROOT",
    "LD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH", "LLVM_PROFILE_FILE",
];

/// What makes a call one that the boundary answers, whichever command it names.
#[rustfmt::skip]
const QUESTIONS: &[&str] =
    &["help", "--help", "-h", "--version", "-V", "--schema", "--print-schema", "--manifest"];

/// A program that is called as the process it is.
///
/// ```no_run
/// # const BINARY: &str = "note";
/// use manila_clap::testing::Program;
///
/// // In a test of the package that has the program: env!("CARGO_BIN_EXE_note").
/// let note = Program::new(BINARY);
/// let called = note.call(["show", "1"]);
/// called.assert_contract();
/// ```
///
/// What it promises is what it answers to `--schema`. A program without that is only compared with
/// the dialect that [`Program::speaks`] names. There is no shell, stdin is empty, and the
/// environment has only what a process needs. The program is asked to [check
/// itself](crate::testing), which it does if it was built with this feature.
#[derive(Clone, Debug)]
pub struct Program {
    path: PathBuf,
    dialect: Option<&'static dyn DialectWriter>,
    piped: Mode,
    is_legacy: bool,
    text_only: Vec<&'static str>,
    json_commands: Option<Vec<&'static str>>,
    variables: Vec<(OsString, OsString)>,
    directory: Option<PathBuf>,
    contract: OnceLock<Arc<Contract>>,
}

impl Program {
    /// The program of this file.
    pub fn new(path: impl AsRef<Path>) -> Program {
        Program {
            path: path.as_ref().to_owned(),
            dialect: None,
            piped: Mode::Json,
            is_legacy: false,
            text_only: Vec::new(),
            json_commands: None,
            variables: vec![(VARIABLE.into(), "1".into())],
            directory: None,
            contract: OnceLock::new(),
        }
    }

    /// The dialect that it answers in, whatever it says itself.
    #[must_use]
    pub fn speaks(self, dialect: &'static dyn DialectWriter) -> Program {
        Program { dialect: Some(dialect), contract: OnceLock::new(), ..self }
    }

    /// How it answers when no argument says: JSON, unless this says otherwise. A command that has no
    /// JSON form answers in [`Mode::Plain`].
    #[must_use]
    pub fn piped(self, mode: Mode) -> Program {
        Program { piped: mode, ..self }
    }

    /// Its payloads are those of before a [migration](crate::Migration), whether or not an argument
    /// says so.
    #[must_use]
    pub fn legacy(self) -> Program {
        Program { is_legacy: true, ..self }
    }

    /// These commands have no JSON form.
    #[must_use]
    pub fn text_only(self, commands: &[&'static str]) -> Program {
        Program { text_only: commands.to_vec(), ..self }
    }

    /// `--json` is for these commands [alone](crate::App::json_commands).
    #[must_use]
    pub fn json_commands(self, commands: &[&'static str]) -> Program {
        Program { json_commands: Some(commands.to_vec()), ..self }
    }

    /// With a variable in its environment.
    #[must_use]
    pub fn variable(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Program {
        self.variables.push((name.into(), value.into()));
        self
    }

    /// In another directory than the test.
    #[must_use]
    pub fn directory(self, directory: impl Into<PathBuf>) -> Program {
        Program { directory: Some(directory.into()), ..self }
    }

    /// Calls it and waits for its end.
    ///
    /// # Panics
    ///
    /// If it cannot be started, or if its dialect is not known.
    #[track_caller]
    pub fn call(&self, arguments: impl IntoIterator<Item = impl Into<OsString>>) -> Called {
        let contract = if let Some(contract) = self.contract.get() {
            contract
        } else {
            let contract = Arc::new(self.ask());
            self.contract.get_or_init(|| contract)
        };
        let arguments: Vec<OsString> = arguments.into_iter().map(Into::into).collect();
        self.start(&arguments, Arc::clone(contract))
    }

    /// Asks it what it promises.
    #[track_caller]
    #[expect(clippy::panic, reason = "the documentation says so")]
    fn ask(&self) -> Contract {
        // In which dialect the answer is read is found out by reading it.
        let any = Arc::new(Contract::of_dialect(manila::dialects::RESPONSE_ENVELOPE_1_0));
        let ask = |words: &[&str]| {
            let words: Vec<OsString> = words.iter().map(Into::into).collect();
            let called = self.start(&words, Arc::clone(&any));
            let opened = manila::open(&called.transcript(), &manila::Options::default()).ok();
            opened.filter(|opened| opened.envelope.ok())
        };
        // Not every program accepts the shorter flag here.
        let opened =
            ask(&["--schema", "--json"]).or_else(|| ask(&["--schema", "--output-format", "json"]));
        let data = opened.as_ref().and_then(|opened| opened.envelope.content().data.as_ref());
        let stated: Option<Stated> = data.and_then(|data| serde_json::from_str(data.as_str()).ok());
        let named = stated.as_ref().and_then(Stated::dialect);
        match (self.dialect.or(named), stated) {
            (Some(dialect), Some(stated)) => stated.into_contract(dialect),
            (Some(dialect), None) => Contract::of_dialect(dialect),
            (None, _) => panic!(
                "{} does not say with --schema which dialect it speaks; \
                 say it with `Program::speaks`",
                self.path.display()
            ),
        }
    }

    #[track_caller]
    #[expect(clippy::panic, reason = "the documentation says so")]
    fn start(&self, arguments: &[OsString], contract: Arc<Contract>) -> Called {
        let mut command = Command::new(&self.path);
        command.args(arguments).stdin(Stdio::null()).env_clear();
        let inherited = INHERITED.iter().filter_map(|name| Some((name, std::env::var_os(name)?)));
        command.envs(inherited).envs(self.variables.iter().cloned());
        if let Some(directory) = &self.directory {
            command.current_dir(directory);
        }
        let output = match command.output() {
            Ok(output) => output,
            Err(error) => panic!("{} could not be started: {error}", self.path.display()),
        };
        let signal = signal(output.status);
        let status = output.status.code().unwrap_or_else(|| signal.map_or(1, |it| 128 + it));
        let (stdout, stderr) = (output.stdout, output.stderr);
        let output = Output { stdout, stderr, status, answer: Stream::Stdout };
        let known = self.known(arguments);
        Called { signal, ..Called::new(output, contract, known) }
    }

    /// Whether `--json` is for such a call.
    fn hears_json(&self, flags: &[&str]) -> bool {
        let is_question = |word: &&str| QUESTIONS.contains(word);
        self.json_commands.as_ref().is_none_or(|commands| {
            flags.iter().any(|word| commands.contains(word)) && !flags.iter().any(is_question)
        })
    }

    /// What the arguments say about the answer.
    fn known(&self, arguments: &[OsString]) -> Known {
        let program = self.path.file_name().unwrap_or(self.path.as_os_str());
        let words = std::iter::once(program).chain(arguments.iter().map(OsString::as_os_str));
        let words: Vec<String> = words.map(|word| word.to_string_lossy().into_owned()).collect();
        let flags: Vec<&str> =
            words.iter().skip(1).map(String::as_str).take_while(|word| *word != "--").collect();
        let output = |(at, word): (usize, &&'_ str)| {
            let next = flags.get(at + 1).copied();
            value(word, &["--output", "--output-format"], next).and_then(Mode::from_name)
        };
        let output = flags.iter().enumerate().filter_map(output).next_back();
        let mode = match output {
            Some(mode) if mode.is_json() => Some(mode),
            _ if flags.contains(&"--json") && self.hears_json(&flags) => Some(Mode::Json),
            _ if flags.contains(&"--plain") => Some(Mode::Plain),
            mode => mode,
        };
        let is_text = self.text_only.iter().any(|command| flags.contains(command));
        let mode = mode.filter(|mode| !(is_text && mode.is_json()));
        let is_coloured = flags.iter().enumerate().any(|(at, word)| {
            value(word, &["--color"], flags.get(at + 1).copied()) == Some("always")
        });
        let forced = self.variables.iter().any(|(name, _)| name == OsStr::new("CLICOLOR_FORCE"));
        Known {
            mode: mode.unwrap_or(self.piped),
            colour: [is_coloured || forced; 2],
            gone: 0,
            is_legacy: self.is_legacy || flags.contains(&"--legacy-envelope"),
            is_limited: flags.iter().any(|flag| flag.starts_with("--max-bytes")),
            meant: None,
            command: Promise::default(),
            words,
        }
    }
}

/// The value of a flag, beside it or after `=`.
fn value<'w>(word: &'w str, flags: &[&str], next: Option<&'w str>) -> Option<&'w str> {
    flags.iter().find_map(|flag| match word.strip_prefix(flag)? {
        "" => next,
        rest => rest.strip_prefix('='),
    })
}

#[cfg(unix)]
fn signal(status: std::process::ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}

#[cfg(not(unix))]
fn signal(_: std::process::ExitStatus) -> Option<i32> {
    None
}
