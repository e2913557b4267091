//! Stdin and other pipes: made large, read in large pieces, and never waited for longer than
//! allowed.

use super::Over;
use crate::input::abandoned;
use std::fs::File;
use std::io::{self, Read};

/// A pipe as large as the system allows every user.
#[cfg(target_os = "linux")]
const LARGE: usize = 1 << 20;

/// Our stdin, without the small buffer that the standard library puts before it.
#[cfg(unix)]
pub(crate) fn standard_input() -> io::Result<File> {
    use std::os::fd::AsFd;
    io::stdin().as_fd().try_clone_to_owned().map(File::from)
}

#[cfg(windows)]
pub(crate) fn standard_input() -> io::Result<File> {
    use std::os::windows::io::AsHandle;
    io::stdin().as_handle().try_clone_to_owned().map(File::from)
}

/// A stream that may have nothing to give for a long time.
pub(crate) struct Pipe {
    file: File,
    over: Over,
}

impl Pipe {
    pub(crate) fn new(file: File, over: Over) -> Pipe {
        // What is not a pipe, or belongs to a user with too many, stays as it is.
        #[cfg(target_os = "linux")]
        let _ = rustix::pipe::fcntl_setpipe_size(&file, LARGE);
        Pipe { file, over }
    }

    /// Waits until there is something to read; says whether it is worth waiting for.
    #[cfg(unix)]
    fn wait(&self) -> io::Result<bool> {
        use rustix::event::{PollFd, PollFlags, Timespec, poll};
        const MOMENT: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };
        loop {
            if (self.over)() {
                return Ok(false);
            }
            match poll(&mut [PollFd::new(&self.file, PollFlags::IN)], Some(&MOMENT)) {
                Ok(0) | Err(rustix::io::Errno::INTR) => {}
                Ok(_) => return Ok(true),
                Err(error) => return Err(error.into()),
            }
        }
    }

    #[cfg(not(unix))]
    fn wait(&self) -> io::Result<bool> {
        Ok(!(self.over)())
    }
}

impl Read for Pipe {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        if self.wait()? { self.file.read(into) } else { Err(abandoned()) }
    }
}
