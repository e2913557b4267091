//! What a program's three descriptors are, and our ends of them.

use super::sys::{self, Given};
use crate::observe::probe::{Setting, Stdin, Stdout};
use rustix::fs::{Mode, OFlags};
use rustix::pty::OpenptFlags;
use rustix::termios::{
    InputModes, OptionalActions, OutputModes, Termios, Winsize, tcgetattr, tcsetattr, tcsetwinsize,
};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::{Path, PathBuf};

/// How high terminals are.
const ROWS: u16 = 24;
/// What ends the input of a terminal when it is typed.
const END_OF_INPUT: &[u8] = b"\x04";

/// Our ends.
#[derive(Debug)]
pub(super) struct Ours {
    /// Stdout and stderr.
    pub(super) sources: [Source; 2],
    /// The number of the pipe that a silent input comes from, and its other end, which is held open
    /// so that it never ends.
    pub(super) silent: Option<(u64, OwnedFd)>,
}

/// Where a stream comes from.
#[derive(Debug)]
pub(super) enum Source {
    Pipe(OwnedFd),
    Terminal(Terminal),
    File(PathBuf),
    /// Its reader is gone, or it is at its end.
    Closed,
}

impl Source {
    /// What can be waited for and read, unless it is a file.
    pub(super) fn fd(&self) -> Option<BorrowedFd<'_>> {
        match self {
            Source::Pipe(fd) => Some(fd.as_fd()),
            Source::Terminal(terminal) => Some(terminal.ours.as_fd()),
            Source::File(_) | Source::Closed => None,
        }
    }

    /// Whether a terminal is in another mode than it was in.
    pub(super) fn is_changed(&self) -> bool {
        match self {
            Source::Terminal(terminal) => terminal.is_changed(),
            Source::Pipe(_) | Source::File(_) | Source::Closed => false,
        }
    }
}

/// A terminal without a user.
#[derive(Debug)]
pub(super) struct Terminal {
    ours: OwnedFd,
    /// Held open, so that its mode can be asked for when the program is gone.
    theirs: OwnedFd,
    mode: Termios,
}

impl Terminal {
    fn new(columns: u16) -> io::Result<Terminal> {
        let ours = rustix::pty::openpt(open_flags())?;
        rustix::pty::grantpt(&ours)?;
        rustix::pty::unlockpt(&ours)?;
        let name = rustix::pty::ptsname(&ours, Vec::new())?;
        let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
        let theirs = rustix::fs::open(name.as_c_str(), flags, Mode::empty())?;
        let size = Winsize { ws_row: ROWS, ws_col: columns, ws_xpixel: 0, ws_ypixel: 0 };
        tcsetwinsize(&theirs, size)?;
        let mut mode = tcgetattr(&theirs)?;
        // Bytes arrive as they were written.
        mode.output_modes.remove(OutputModes::OPOST);
        tcsetattr(&theirs, OptionalActions::Now, &mode)?;
        sys::unblock(&ours)?;
        let mode = tcgetattr(&theirs)?;
        Ok(Terminal { ours, theirs, mode })
    }

    /// What a person at it would notice. Its way with output is not what programs find elsewhere, so
    /// one that sets it right is not to blame.
    fn is_changed(&self) -> bool {
        let typed = InputModes::ICRNL | InputModes::INLCR | InputModes::IGNCR | InputModes::IXON;
        tcgetattr(&self.theirs).is_ok_and(|now| {
            now.local_modes != self.mode.local_modes
                || now.input_modes & typed != self.mode.input_modes & typed
        })
    }
}

#[cfg(target_os = "linux")]
fn open_flags() -> OpenptFlags {
    OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC
}

#[cfg(not(target_os = "linux"))]
fn open_flags() -> OpenptFlags {
    OpenptFlags::RDWR | OpenptFlags::NOCTTY
}

/// Makes both ends of all three. Files are made in this directory.
pub(super) fn open(setting: &Setting, directory: &Path) -> io::Result<(Given, Ours)> {
    let (stdout, stderr, sources) = match setting.stdout {
        Stdout::Pipe | Stdout::SlowPipe => {
            let ((out, to_out), (err, to_err)) = (pipe()?, pipe()?);
            (to_out, to_err, [Source::Pipe(out), Source::Pipe(err)])
        }
        Stdout::ClosedPipe { after } => {
            let ((out, to_out), (err, to_err)) = (pipe()?, pipe()?);
            let out = if after == 0 { Source::Closed } else { Source::Pipe(out) };
            (to_out, to_err, [out, Source::Pipe(err)])
        }
        Stdout::Terminal { columns } => {
            let (out, err) = (Terminal::new(columns)?, Terminal::new(columns)?);
            let (to_out, to_err) = (out.theirs.try_clone()?, err.theirs.try_clone()?);
            (to_out, to_err, [Source::Terminal(out), Source::Terminal(err)])
        }
        Stdout::File => {
            let paths = [directory.join("stdout"), directory.join("stderr")];
            let (to_out, to_err) = (File::create(&paths[0])?, File::create(&paths[1])?);
            (to_out.into(), to_err.into(), paths.map(Source::File))
        }
    };
    let mut ours = Ours { sources, silent: None };
    let stdin = match (setting.stdin, &ours.sources[0]) {
        (Stdin::Closed, _) => None,
        (stdin, Source::Terminal(terminal)) => {
            if stdin == Stdin::Empty {
                rustix::io::write(&terminal.ours, END_OF_INPUT)?;
            }
            Some(terminal.theirs.try_clone()?)
        }
        (Stdin::Empty, _) => Some(File::open("/dev/null")?.into()),
        (Stdin::Silent, _) => {
            let (reader, writer) = io::pipe()?;
            let reader: OwnedFd = reader.into();
            ours.silent = Some((rustix::fs::fstat(&reader)?.st_ino, writer.into()));
            Some(reader)
        }
    };
    Ok((Given { stdin, stdout, stderr }, ours))
}

/// A pipe whose reading end never waits, as large as pipes are by default: what is cut at that size
/// should be seen to be.
fn pipe() -> io::Result<(OwnedFd, OwnedFd)> {
    let (reader, writer) = io::pipe()?;
    sys::unblock(&reader)?;
    Ok((reader.into(), writer.into()))
}
