//! What to call: the program, its arguments, and everything that it gets from us.

use crate::sys::{self, Launch, Place, StdinKind};
use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::{self, Seek, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::FileTypeExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What keeps a program from asking, paging, colouring and opening windows.
#[rustfmt::skip]
const QUIETING: &[(&str, &str)] = &[
    ("NO_COLOR", "1"), ("CLICOLOR", "0"), ("TERM", "dumb"),
    ("PAGER", "cat"), ("GIT_PAGER", "cat"), ("MANPAGER", "cat"), ("SYSTEMD_PAGER", "cat"),
    ("EDITOR", "false"), ("VISUAL", "false"), ("GIT_EDITOR", "false"), ("BROWSER", "false"),
    ("GIT_TERMINAL_PROMPT", "0"), ("SSH_ASKPASS_REQUIRE", "never"), ("NO_UPDATE_NOTIFIER", "1"),
];
/// What would undo it.
const LOUD: &[&str] = &["CLICOLOR_FORCE", "FORCE_COLOR"];

/// A program to call, and what it gets.
///
/// ```
/// use manila_run::{Input, Invocation, Policy, run};
///
/// let call = Invocation::new("cat").stdin(Input::Bytes(b"hello"[..].into())).non_interactive();
/// assert_eq!(run(&call, &Policy::default()).output.stdout, b"hello");
/// ```
#[derive(Clone, Debug)]
pub struct Invocation {
    pub(crate) argv: Vec<OsString>,
    pub(crate) stdin: Input,
    non_interactive: bool,
    /// Variables that are set, or removed.
    variables: Vec<(OsString, Option<OsString>)>,
    directory: Option<PathBuf>,
    pub(crate) place: Place,
    pub(crate) inherits_stdout: bool,
    pub(crate) is_guarded_at_once: bool,
}

/// What a program reads from its stdin.
///
/// ```
/// use manila_run::{Input, Invocation, Policy, run};
///
/// let call = Invocation::new("wc").arg("-c").stdin(Input::Bytes(b"12345"[..].into()));
/// assert_eq!(run(&call, &Policy::default()).data::<u32>().ok(), Some(5));
/// ```
#[derive(Clone, Debug, Default)]
pub enum Input {
    /// Nothing: it is at its end from the start.
    #[default]
    Nothing,
    /// This file, from its beginning in every attempt.
    File(PathBuf),
    /// These bytes, in every attempt.
    Bytes(Arc<[u8]>),
    /// Our own. It can be read once, so there is one attempt only.
    Ours,
    /// Our own, of which another attempt misses nothing: a terminal, a device, or a file that is read
    /// from the same byte again.
    Shared {
        /// The byte of the file at which each attempt begins.
        offset: Option<u64>,
    },
}

impl Input {
    /// Our own stdin as it is: shared where another attempt could read the same again, else ours.
    pub fn inherited() -> Input {
        match sys::stdin_kind() {
            StdinKind::File(offset) => Input::Shared { offset: Some(offset) },
            StdinKind::Device | StdinKind::Ended => Input::Shared { offset: None },
            StdinKind::Pipe => Input::Ours,
        }
    }
}

impl Invocation {
    /// This program, found as the system finds programs, without arguments.
    pub fn new(program: impl Into<OsString>) -> Invocation {
        Invocation {
            argv: vec![program.into()],
            stdin: Input::default(),
            non_interactive: false,
            variables: Vec::new(),
            directory: None,
            place: Place::default(),
            inherits_stdout: false,
            is_guarded_at_once: false,
        }
    }

    /// With one more argument.
    #[must_use]
    pub fn arg(mut self, argument: impl Into<OsString>) -> Invocation {
        self.argv.push(argument.into());
        self
    }

    /// With more arguments.
    #[must_use]
    pub fn args(mut self, arguments: impl IntoIterator<Item = impl Into<OsString>>) -> Invocation {
        self.argv.extend(arguments.into_iter().map(Into::into));
        self
    }

    /// With something to read; otherwise there is nothing.
    #[must_use]
    pub fn stdin(self, stdin: Input) -> Invocation {
        Invocation { stdin, ..self }
    }

    /// With an environment that keeps it from asking, paging, colouring and opening windows.
    #[must_use]
    pub fn non_interactive(self) -> Invocation {
        Invocation { non_interactive: true, ..self }
    }

    /// With a variable in its environment.
    #[must_use]
    pub fn variable(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Invocation {
        self.variables.push((name.into(), Some(value.into())));
        self
    }

    /// With a variable that its pack asks for, unless the caller names it.
    pub(crate) fn pack_sets(mut self, name: &str, value: &str) -> Invocation {
        self.variables.insert(0, (name.into(), Some(value.into())));
        self
    }

    /// Without a variable that its pack removes, unless the caller names it.
    pub(crate) fn pack_removes(mut self, name: &str) -> Invocation {
        self.variables.insert(0, (name.into(), None));
        self
    }

    /// Without a variable in its environment.
    #[must_use]
    pub fn without_variable(mut self, name: impl Into<OsString>) -> Invocation {
        self.variables.push((name.into(), None));
        self
    }

    /// In our own process group, where it may use the terminal. Only the program itself is ended then,
    /// not what it started, and what is typed to interrupt is for the program alone while it runs.
    #[must_use]
    pub fn foreground(self) -> Invocation {
        Invocation { place: Place::Foreground, ..self }
    }

    /// With our own stdout instead of a pipe, as a terminal is: it may colour, page and draw as it does without
    /// us. What it writes there is not seen, so its answer is read from stderr and the exit code alone.
    #[must_use]
    pub fn inherit_stdout(self) -> Invocation {
        Invocation { inherits_stdout: true, ..self }
    }

    /// Guarded from its beginning: should we be killed, whatever it has started is killed too. Otherwise that begins
    /// after 50 ms, because it costs a process, and only the program itself is killed before.
    #[must_use]
    pub fn guarded_at_once(self) -> Invocation {
        Invocation { is_guarded_at_once: true, ..self }
    }

    /// In another directory than ours.
    #[must_use]
    pub fn directory(self, directory: impl Into<PathBuf>) -> Invocation {
        Invocation { directory: Some(directory.into()), ..self }
    }

    /// The same surroundings, another program with other arguments.
    pub(crate) fn with_argv(&self, argv: Vec<OsString>) -> Invocation {
        Invocation { argv, ..self.clone() }
    }

    pub(crate) fn program(&self) -> &OsStr {
        self.argv.first().map_or(OsStr::new(""), OsString::as_os_str)
    }

    /// The arguments as text; bytes that are not UTF-8 become U+FFFD.
    pub(crate) fn argv_lossy(&self) -> Vec<String> {
        self.argv.iter().map(|word| word.to_string_lossy().into_owned()).collect()
    }

    pub(crate) fn working_directory(&self) -> Option<&Path> {
        self.directory.as_deref()
    }

    /// What it reads, opened anew for each attempt; `None` passes our own stdin on.
    pub(crate) fn open_stdin(&self) -> io::Result<Option<OwnedFd>> {
        Ok(match &self.stdin {
            Input::Nothing => Some(File::open("/dev/null")?.into()),
            Input::File(path) => Some(open(path)?.into()),
            Input::Bytes(bytes) => Some(spool(bytes)?.into()),
            Input::Ours | Input::Shared { offset: None } => None,
            Input::Shared { offset: Some(offset) } => {
                sys::rewind_stdin(*offset)?;
                None
            }
        })
    }

    /// Every variable that it gets; `None` if they are ours.
    fn environment(&self) -> Option<Vec<(OsString, OsString)>> {
        if self.variables.is_empty() && !self.non_interactive {
            return None;
        }
        let mut all: BTreeMap<OsString, OsString> = env::vars_os().collect();
        if self.non_interactive {
            for name in LOUD {
                all.remove(OsStr::new(name));
            }
            all.extend(QUIETING.iter().map(|(name, value)| (name.into(), value.into())));
        }
        for (name, value) in &self.variables {
            match value {
                Some(value) => drop(all.insert(name.clone(), value.clone())),
                None => drop(all.remove(name)),
            }
        }
        Some(all.into_iter().collect())
    }

    /// All that the system needs to start it.
    pub(crate) fn launch(
        &self,
        stdin: Option<OwnedFd>,
        stdout: Option<OwnedFd>,
        stderr: impl Into<OwnedFd>,
    ) -> Launch {
        Launch {
            argv: self.argv.clone(),
            environment: self.environment(),
            directory: self.directory.clone(),
            stdin,
            stdout,
            stderr: stderr.into(),
            place: self.place,
            group: None,
        }
    }
}

/// A file without a name that holds these bytes: a pipe would need a writer.
fn spool(bytes: &[u8]) -> io::Result<File> {
    let mut file = tempfile::tempfile()?;
    file.write_all(bytes)?;
    file.rewind()?;
    Ok(file)
}

/// A file that can be read from its beginning again and again.
fn open(path: &Path) -> io::Result<File> {
    let kind = fs::metadata(path)?.file_type();
    if kind.is_fifo() {
        // Opening one blocks until there is a writer, which may never come.
        return Err(io::Error::other("it is a pipe, which can be read only once"));
    }
    if kind.is_dir() {
        return Err(io::ErrorKind::IsADirectory.into());
    }
    File::open(path)
}
