//! What a probe left behind: the transcript, and everything around it that a rule may ask about.

use crate::observe::fold::fold;
use crate::observe::probe::Probe;
use manila::Transcript;

/// One run of a probe. For a recorded run everything but the transcript is unknown, and empty.
#[derive(Clone, Debug)]
pub struct Run {
    /// What was asked for.
    pub probe: Probe,
    /// What it wrote and how it ended. What depends on the run's own directory is still in it.
    pub transcript: Transcript,
    /// How it came to its end.
    pub ended: Ended,
    /// The files that it left in its home, in its directory for temporary files, in its working
    /// directory and, where runs are confined, anywhere else, and those that it changed or took
    /// away.
    pub wrote: Vec<Written>,
    /// The programs for people that it started.
    pub started: Vec<Started>,
    /// How many processes it left running.
    pub left: u32,
    /// Whether the terminal was left in another mode than it was in.
    pub is_terminal_changed: bool,
    /// How many bytes it wrote to each stream in all; more than are kept if it wrote too much.
    pub written: [u64; 2],
    /// The directory that was its own in this run, whose name appears in no answer worth comparing.
    pub directory: String,
    /// Whether a huge answer was made small: its lists are not as long as they were.
    pub is_folded: bool,
}

/// How a run came to its end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ended {
    /// By itself, or by the signal that the probe sent.
    #[default]
    ByItself,
    /// It was still running at its limit, and what it was doing then.
    AtLimit(Waiting),
    /// It wrote more than is kept, and nothing shows that it would not have ended.
    Oversized,
    /// It wrote more than is kept, and was still writing at its limit.
    Flooding,
    /// It ended, but what it started kept its output open until the limit.
    HeldOpen,
    /// It ignores SIGTERM or SIGINT and was killed.
    Deaf,
    /// By itself, before the signal of the probe was sent.
    BeforeSignal,
}

/// What a run was doing when its time was over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// Reading its stdin.
    ForInput,
    /// Reading from the terminal.
    ForTerminal,
    /// Connections, or answers on one: it has an internet socket.
    ForNetwork,
    /// Something else, or nothing shows what.
    ForSomething,
}

/// A file that a run left, changed or took away.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Written {
    /// Below which of its directories.
    pub place: Place,
    /// Its path below that.
    pub path: String,
    /// What became of it.
    pub fate: Fate,
    /// Its first bytes, to look for canaries in.
    pub head: Vec<u8>,
}

/// A directory of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// Its home.
    Home,
    /// Where temporary files go.
    Temporary,
    /// Where it runs.
    Working,
    /// Anywhere else: the path is that on the host, where nothing of it arrives.
    Host,
}

impl Place {
    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Place::Home => "home",
            Place::Temporary => "the temporary directory",
            Place::Working => "the working directory",
            Place::Host => "the file system of the host",
        }
    }
}

/// What became of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// It is new.
    Made,
    /// It is not as it was.
    Changed,
    /// It is gone.
    Removed,
}

/// A program for people that a run started, or tried to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Started {
    /// What it is for.
    pub tool: Tool,
    /// Its name and arguments.
    pub argv: Vec<String>,
}

/// What a program for people is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tool {
    /// less, more, most, `PAGER` and similar programs.
    Pager,
    /// vi, nano, `EDITOR` and similar programs.
    Editor,
    /// xdg-open, open, `BROWSER` and similar programs.
    Browser,
}

impl Run {
    /// A run that was recorded elsewhere.
    pub fn recorded(probe: Probe, transcript: Transcript) -> Run {
        let written = [transcript.stdout.len() as u64, transcript.stderr.len() as u64];
        Run {
            probe,
            transcript,
            ended: Ended::ByItself,
            wrote: Vec::new(),
            started: Vec::new(),
            left: 0,
            is_terminal_changed: false,
            written,
            directory: String::new(),
            is_folded: false,
        }
    }

    /// The same with a huge answer made small, so that many of them can be kept.
    #[must_use]
    pub(crate) fn folded(mut self) -> Run {
        if self.ended_by_itself()
            && let Some(folded) = fold(&self.transcript.stdout, &self.directory)
        {
            self.transcript.stdout = folded;
            self.is_folded = true;
        }
        self
    }

    /// Whether it ended without help.
    pub(crate) fn ended_by_itself(&self) -> bool {
        self.ended == Ended::ByItself
    }
}
