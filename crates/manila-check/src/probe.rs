//! What to run: one call of the program, in one setting, for one purpose. A value; two rules that ask
//! for the same probe share one run.

use crate::surface::{Command, Json};
use std::collections::BTreeMap;
use std::ffi::OsString;

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
    /// Somebody else made it; nothing is known about why.
    Recorded,
}

impl Purpose {
    /// Whether nothing but a failure is a right answer.
    pub fn must_fail(self) -> bool {
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
    pub fn must_succeed(self) -> bool {
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
    pub outlet: Outlet,
    /// What its input is.
    pub inlet: Inlet,
    /// Variables that are set; without a value they are taken away.
    pub variables: BTreeMap<String, Option<String>>,
    /// What is done to it while it runs.
    pub disturbance: Option<Disturbance>,
    /// Which of several equal runs, so that they are not taken for one.
    pub round: u8,
    /// Which home it finds: all new, or one that an earlier run of the same call used.
    pub home: Home,
    /// Files of secrets and variables that hold canaries.
    pub has_canaries: bool,
}

/// The round of the equal run that is made when all others are done.
pub(crate) const LATE_ROUND: u8 = 4;

/// What the outputs of a call are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Outlet {
    /// Two pipes, read as fast as they fill.
    #[default]
    Pipe,
    /// Two terminals, so that the streams can be told apart.
    Terminal {
        /// How wide they are.
        columns: u16,
    },
    /// Two files.
    File,
    /// Two pipes, and nothing is read until they are full.
    SlowPipe,
    /// Two pipes; that of standard output is closed at the far end once this many bytes were read.
    ClosedPipe {
        /// So many bytes; none if it is closed before the start.
        after: usize,
    },
}

/// What the input of a call is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Inlet {
    /// At its end from the start.
    #[default]
    Empty,
    /// A pipe that nobody writes to and nobody closes.
    Silent,
    /// There is no descriptor 0.
    Closed,
}

/// What is done to a call while it runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Disturbance {
    /// SIGINT, as from Ctrl-C, once it is under way.
    Interrupt,
    /// SIGTERM, once it is under way.
    Terminate,
}

impl Disturbance {
    /// The name of the signal.
    pub fn name(self) -> &'static str {
        match self {
            Disturbance::Interrupt => "SIGINT",
            Disturbance::Terminate => "SIGTERM",
        }
    }

    /// Its number.
    pub fn number(self) -> i32 {
        match self {
            Disturbance::Interrupt => libc::SIGINT,
            Disturbance::Terminate => libc::SIGTERM,
        }
    }
}

/// Which home a call finds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Home {
    /// A new one that nobody used.
    #[default]
    Fresh,
    /// None: `HOME` is not set.
    Unset,
    /// The call is made twice in one home, and this is the second.
    Used,
    /// In another folder, at another depth, with a space in its name.
    Elsewhere,
}

impl Probe {
    /// A call of a command for a purpose: its words, then the arguments, then the words that ask for
    /// JSON if that is the form.
    pub fn new(
        command: &Command,
        purpose: Purpose,
        form: Form,
        args: impl IntoIterator<Item = impl Into<OsString>>,
        json: &Json,
    ) -> Probe {
        let mut words: Vec<OsString> = command.path.iter().map(OsString::from).collect();
        words.extend(args.into_iter().map(Into::into));
        if form == Form::Json {
            words.extend(json.words().iter().map(OsString::from));
        }
        Probe {
            command: command.path.clone(),
            args: words,
            purpose,
            form,
            setting: Setting::default(),
        }
    }

    /// With other outputs.
    #[must_use]
    pub fn to(mut self, outlet: Outlet) -> Probe {
        self.setting.outlet = outlet;
        self
    }

    /// With another input.
    #[must_use]
    pub fn from(mut self, inlet: Inlet) -> Probe {
        self.setting.inlet = inlet;
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

    /// With canaries where secrets are kept.
    #[must_use]
    pub fn with_canaries(mut self) -> Probe {
        self.setting.has_canaries = true;
        self
    }

    /// Disturbed while it runs.
    #[must_use]
    pub fn disturbed(mut self, by: Disturbance) -> Probe {
        self.setting.disturbance = Some(by);
        self
    }

    /// Whether nothing about its surroundings is special; of a recorded run nothing is known.
    pub fn is_plain(&self) -> bool {
        self.setting == Setting::default() || self.purpose == Purpose::Recorded
    }
}

/// The probes that rules have asked for, each once, in the order in which they were asked for.
#[derive(Debug, Default)]
pub struct Plan {
    probes: Vec<Probe>,
    last: Vec<Probe>,
    seen: std::collections::BTreeSet<Probe>,
}

impl Plan {
    /// Adds a probe, unless it is there already.
    pub fn ask(&mut self, probe: Probe) {
        if self.seen.insert(probe.clone()) {
            self.probes.push(probe);
        }
    }

    /// Adds all of these.
    pub fn ask_each(&mut self, probes: impl IntoIterator<Item = Probe>) {
        for probe in probes {
            self.ask(probe);
        }
    }

    /// Adds all of these to the end: nothing is run after them.
    pub fn ask_last(&mut self, probes: impl IntoIterator<Item = Probe>) {
        for probe in probes {
            if self.seen.insert(probe.clone()) {
                self.last.push(probe);
            }
        }
    }

    /// All of them.
    pub fn into_probes(self) -> Vec<Probe> {
        [self.probes, self.last].concat()
    }
}
