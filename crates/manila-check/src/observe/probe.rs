//! What to run: one call of the program, in one setting, for one purpose. A value; two rules that ask
//! for the same probe share one run.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

/// One call to make.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Probe {
    /// The words of the command that is called, empty for the root.
    pub command: Vec<String>,
    /// All arguments, the words of the command among them.
    pub args: Vec<OsString>,
    /// What is expected of it.
    pub purpose: Purpose,
    /// Whether JSON is asked for, or given without being asked.
    pub form: Form,
    /// What surrounds it.
    pub setting: Setting,
}

/// What a call is made for, which says what its answer should be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Purpose {
    /// A complete, harmless call.
    Sample,
    /// The same for a command that lists nothing there.
    Empty,
    /// Something that does not exist is asked for.
    Missing,
    /// A flag that no program has: `--manila-no-such-flag`.
    UnknownFlag,
    /// Two of them.
    TwoUnknownFlags,
    /// A command that no program has: `manila-no-such-command`.
    UnknownCommand,
    /// A command that needs an argument gets none.
    MissingArgument,
    /// A command gets an argument more than it takes.
    ExtraArgument,
    /// A flag that takes a number or a choice gets neither.
    InvalidValue,
    /// The program without any argument.
    Bare,
    /// `--help`.
    Help,
    /// `--version`.
    Version,
    /// The words that print the manifest.
    Manifest,
    /// A value that is not UTF-8.
    OddBytes,
    /// A value that a shell would run.
    ShellWords,
    /// The id of a sample call with something behind it that no id has.
    Mangled,
    /// A command or flag that is declared is called by the name it was declared with.
    Existence,
    /// A flag other than usual is added to a sample call, such as `--quiet` or `--debug`.
    Extra,
    /// A sample call with the words that ask for JSON at another place.
    Moved,
    /// A call that runs long enough to be interrupted.
    Slow,
    /// It was recorded elsewhere; its purpose is not known.
    Recorded,
}

impl Purpose {
    /// Whether nothing but a failure is a right answer.
    pub(crate) fn must_fail(self) -> bool {
        matches!(
            self,
            Purpose::UnknownFlag
                | Purpose::TwoUnknownFlags
                | Purpose::UnknownCommand
                | Purpose::MissingArgument
                | Purpose::InvalidValue
        )
    }

    /// Whether nothing but a success is a right answer.
    pub(crate) fn must_succeed(self) -> bool {
        matches!(self, Purpose::Help | Purpose::Version | Purpose::Manifest)
    }
}

/// Which form of answer is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Form {
    /// JSON: with the words that ask for it, or where it is the default.
    Json,
    /// Whatever it answers without those words.
    Text,
}

/// What surrounds a call.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Setting {
    /// What its two outputs are.
    pub stdout: Stdout,
    /// What its input is.
    pub stdin: Stdin,
    /// Variables that are set; without a value they are taken away.
    pub variables: BTreeMap<String, Option<String>>,
    /// What is done to it while it runs.
    pub signal: Option<Signal>,
    /// Which of several equal runs, so that they are not taken for one.
    pub round: u8,
    /// Which home it finds: all new, or one that an earlier run of the same call used.
    pub home: Home,
    /// Files of secrets and variables that hold canaries.
    pub has_canaries: bool,
    /// How many process ids are used up before it, so that its own is another.
    pub used_ids: u8,
}

/// The round of the equal run that is made when all others are done.
pub(crate) const LATE_ROUND: u8 = 4;

/// What the outputs of a call are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stdout {
    /// Two pipes, read as fast as they fill.
    #[default]
    Pipe,
    /// Two terminals, so that the streams can be distinguished.
    Terminal {
        /// How wide they are.
        columns: u16,
    },
    /// Two files.
    File,
    /// Two pipes, and nothing is read until they are full.
    SlowPipe,
    /// Two pipes; that of stdout is closed at the far end once this many bytes were read.
    ClosedPipe {
        /// So many bytes; none if it is closed before the start.
        after: usize,
    },
}

/// What the input of a call is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stdin {
    /// At its end from the start.
    #[default]
    Empty,
    /// A pipe without data that stays open.
    Silent,
    /// There is no descriptor 0.
    Closed,
}

/// What is done to a call while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Signal {
    /// SIGINT, as from Ctrl-C, once it is under way.
    Interrupt,
    /// SIGTERM, once it is under way.
    Terminate,
}

impl Signal {
    /// The name of the signal.
    pub fn name(self) -> &'static str {
        match self {
            Signal::Interrupt => "SIGINT",
            Signal::Terminate => "SIGTERM",
        }
    }

    /// Its number.
    pub fn number(self) -> i32 {
        match self {
            Signal::Interrupt => libc::SIGINT,
            Signal::Terminate => libc::SIGTERM,
        }
    }
}

/// Which home a call finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Home {
    /// A new one that was never used.
    #[default]
    Fresh,
    /// None: `HOME` is not set.
    Unset,
    /// The call is made twice in one home, and this is the second.
    Used,
    /// In another directory, at another depth, with a space in its name.
    Elsewhere,
}

impl Probe {
    /// With other outputs.
    #[must_use]
    pub fn with_stdout(mut self, stdout: Stdout) -> Probe {
        self.setting.stdout = stdout;
        self
    }

    /// With another input.
    #[must_use]
    pub fn with_stdin(mut self, stdin: Stdin) -> Probe {
        self.setting.stdin = stdin;
        self
    }

    /// With a variable.
    #[must_use]
    pub fn variable(mut self, name: &str, value: &str) -> Probe {
        self.setting.variables.insert(name.to_owned(), Some(value.to_owned()));
        self
    }

    /// Once more, as a run of its own.
    #[must_use]
    pub fn round(mut self, round: u8) -> Probe {
        self.setting.round = round;
        self
    }

    /// In another home.
    #[must_use]
    pub fn home(mut self, home: Home) -> Probe {
        self.setting.home = home;
        self
    }

    /// With another process id.
    #[must_use]
    pub fn used_ids(mut self, count: u8) -> Probe {
        self.setting.used_ids = count;
        self
    }

    /// With canaries where secrets are kept.
    #[must_use]
    pub(crate) fn with_canaries(mut self) -> Probe {
        self.setting.has_canaries = true;
        self
    }

    /// Disturbed while it runs.
    #[must_use]
    pub(crate) fn with_signal(mut self, signal: Signal) -> Probe {
        self.setting.signal = Some(signal);
        self
    }

    /// Whether it is `--help` of a command or `--version` of the program, which may be asked of any
    /// program, wherever it runs.
    pub(crate) fn is_about_itself(&self) -> bool {
        let words = self.command.iter().map(OsStr::new);
        let is = |last| {
            words.clone().chain([OsStr::new(last)]).eq(self.args.iter().map(OsString::as_os_str))
        };
        match self.purpose {
            Purpose::Help => is("--help"),
            Purpose::Version => is("--version") && self.command.is_empty(),
            _ => false,
        }
    }

    /// Whether nothing about its surroundings is special; of a recorded run nothing is known.
    pub fn is_plain(&self) -> bool {
        self.setting == Setting::default() || self.purpose == Purpose::Recorded
    }
}
