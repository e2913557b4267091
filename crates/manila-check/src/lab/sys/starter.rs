//! Our side of the process that starts programs: it is forked, let into its namespaces, asked, and
//! seen off.
#![expect(unsafe_code, reason = "forking, and passing descriptors to another process")]

use super::inside::{
    self, DENIED, ENTERED, MAPPED, Namespaces, Order, PASSED, READY, ROOM, Rules, Told,
};
use super::sheet::{self, Call, Sheet, Sheets};
use manila::Status;
use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// How long the starter may take to enter its namespaces.
const PATIENCE: Duration = Duration::from_secs(5);
/// The largest file that a program may write.
const FILE_SIZE: u64 = 1 << 30;
/// How many processes and threads a run may have, where its namespace has a limit of its own.
const PROCESS_NUMBERS: &[u8] = b"1024";
/// The same for all runs together, where only users have one.
const PROCESSES: u64 = 4096;
/// The first Linux whose namespaces of processes have a limit of their own. Before that, whoever
/// writes it changes that of the whole system.
const OWN_LIMIT_SINCE: (u32, u32) = (6, 14);

/// What is asked of the starter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Nothing may be reached over a network.
    NoNetwork,
    /// The network stays as it is.
    Network,
}

/// How programs are kept from doing harm.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Contained {
    /// In namespaces of their own, without a network if that was asked for.
    InNamespaces,
    /// In sessions of their own: the system denies namespaces, or has none.
    InSessions,
}

/// A process that starts programs for us.
#[derive(Debug)]
pub(crate) struct Starter {
    socket: Option<UnixStream>,
    process: libc::pid_t,
    sheets: Sheets,
    /// The sheets that nobody uses.
    free: Mutex<Vec<u8>>,
    contained: Contained,
}

impl Starter {
    /// Starts one that serves so many runs at a time, in namespaces if the system lets it.
    pub(crate) fn new(seats: u8, wanted: Wanted) -> io::Result<Starter> {
        let namespaces = match wanted {
            Wanted::NoNetwork => Namespaces::ProcessesAndNetwork,
            Wanted::Network => Namespaces::Processes,
        };
        match Starter::with(seats, namespaces) {
            Ok(starter) => Ok(starter),
            Err(_) => Starter::in_sessions(seats),
        }
    }

    /// Starts one where the system allows no namespaces.
    pub(crate) fn in_sessions(seats: u8) -> io::Result<Starter> {
        Starter::with(seats, Namespaces::None)
    }

    fn with(seats: u8, namespaces: Namespaces) -> io::Result<Starter> {
        let sheets = Sheets::new(usize::from(seats.max(1)))?;
        let (ours, theirs) = UnixStream::pair()?;
        let has_own_limit = namespaces != Namespaces::None && has_own_limit();
        let is_root = rustix::process::geteuid().is_root();
        let is_counted = namespaces != Namespaces::None && !has_own_limit && !is_root;
        let rules = Rules {
            sheets: &sheets,
            containment: namespaces,
            file_size: FILE_SIZE,
            processes: is_counted.then_some(PROCESSES),
            process_numbers: has_own_limit.then_some(PROCESS_NUMBERS),
        };
        // SAFETY: the new process makes calls of the system and nothing else until it ends.
        let process = unsafe { libc::fork() };
        match process {
            -1 => return Err(io::Error::last_os_error()),
            // SAFETY: this is the new process, and the socket is open.
            0 => unsafe { inside::start_programs(theirs.as_raw_fd(), &rules) },
            _ => {}
        }
        drop(theirs);
        let contained = match namespaces {
            Namespaces::None => Contained::InSessions,
            _ => Contained::InNamespaces,
        };
        let free = Mutex::new((0..seats.max(1)).rev().collect());
        // From here on it is seen off if anything goes wrong.
        let starter = Starter { socket: Some(ours), process, sheets, free, contained };
        starter.settle_in()?;
        Ok(starter)
    }

    /// Until it is ready, in its namespaces if it has any.
    fn settle_in(&self) -> io::Result<()> {
        let mut socket = self.socket.as_ref().ok_or(ErrorKind::NotConnected)?;
        socket.set_read_timeout(Some(PATIENCE))?;
        let mut byte = [0];
        loop {
            socket.read_exact(&mut byte)?;
            match byte[0] {
                ENTERED => {
                    map_user(self.process)?;
                    socket.write_all(&[MAPPED])?;
                }
                READY => return Ok(()),
                DENIED => return Err(ErrorKind::PermissionDenied.into()),
                _ => return Err(ErrorKind::InvalidData.into()),
            }
        }
    }

    pub(crate) fn contained(&self) -> Contained {
        self.contained
    }

    /// The right to make one run at a time; nothing if all seats are taken.
    pub(crate) fn seat(&self) -> Option<Seat<'_>> {
        let number = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop()?;
        Some(Seat { starter: self, number, is_given_up: false })
    }
}

impl Drop for Starter {
    fn drop(&mut self) {
        // It ends when nobody can ask any more.
        self.socket = None;
        // SAFETY: it is our child; where SIGCHLD is ignored it is gone already, which is as good.
        while unsafe { libc::waitpid(self.process, std::ptr::null_mut(), 0) } < 0
            && io::Error::last_os_error().kind() == ErrorKind::Interrupted
        {}
    }
}

/// What a program gets as its descriptors.
#[derive(Debug)]
pub(crate) struct Given {
    /// Nothing if it is closed.
    pub(crate) stdin: Option<OwnedFd>,
    pub(crate) stdout: OwnedFd,
    pub(crate) stderr: OwnedFd,
}

/// The right to make one run at a time.
#[derive(Debug)]
pub(crate) struct Seat<'s> {
    starter: &'s Starter,
    number: u8,
    is_given_up: bool,
}

impl Seat<'_> {
    /// Has a program started, and its descriptors closed on our side.
    pub(crate) fn start(&mut self, call: &Call, given: Given) -> io::Result<Control> {
        sheet::write(self.starter.sheets.at(self.number), call)?;
        let (ours, theirs) = UnixStream::pair()?;
        ours.set_nonblocking(true)?;
        let mut fds = vec![theirs.as_raw_fd(), given.stdout.as_raw_fd(), given.stderr.as_raw_fd()];
        fds.extend(given.stdin.as_ref().map(AsRawFd::as_raw_fd));
        let socket = self.starter.socket.as_ref().ok_or(ErrorKind::NotConnected)?;
        pass(socket, self.number, &fds)?;
        // Only the program has them now, so that we see when it closes them.
        drop(given);
        Ok(Control(ours))
    }

    fn sheet(&self) -> &Sheet {
        sheet::read(&self.starter.sheets, self.number)
    }

    /// The number of the process that keeps the run, as we see it.
    pub(crate) fn keeper(&self) -> Option<u32> {
        let keeper = self.sheet().keeper.load(Ordering::Acquire);
        u32::try_from(keeper).ok().filter(|keeper| *keeper > 0)
    }

    /// Why the program could not be started, if it could not.
    pub(crate) fn refusal(&self) -> Option<io::Error> {
        let refusal = self.sheet().refusal.load(Ordering::Acquire);
        (refusal != 0).then(|| io::Error::from_raw_os_error(refusal))
    }

    /// How the program ended; known once the keeper has told that it did.
    pub(crate) fn status(&self) -> Status {
        let status = self.sheet().status.load(Ordering::Acquire);
        if libc::WIFSIGNALED(status) {
            Status::Signaled(libc::WTERMSIG(status))
        } else {
            Status::Exited(libc::WEXITSTATUS(status))
        }
    }

    /// The largest that the program, or one it waited for, ever was, in bytes.
    pub(crate) fn peak_memory(&self) -> u64 {
        let unit = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
        self.sheet().peak.load(Ordering::Acquire) * unit
    }

    /// Never uses this sheet again: somebody who could not be ended may still write to it.
    pub(crate) fn give_up(&mut self) {
        self.is_given_up = true;
    }
}

impl Drop for Seat<'_> {
    fn drop(&mut self) {
        if !self.is_given_up {
            let mut free = self.starter.free.lock().unwrap_or_else(PoisonError::into_inner);
            free.push(self.number);
        }
    }
}

/// The way to the keeper of a run. When it is dropped, everybody of the run is ended.
#[derive(Debug)]
pub(crate) struct Control(UnixStream);

/// What was heard of a keeper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Heard {
    Nothing,
    Told(Told),
    /// It is gone.
    Gone,
}

impl Control {
    pub(crate) fn hear(&self) -> Heard {
        let mut byte = [0];
        match (&self.0).read(&mut byte) {
            Ok(0) => Heard::Gone,
            Ok(_) => Told::from_byte(byte[0]).map_or(Heard::Gone, Heard::Told),
            Err(error) => match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::Interrupted => Heard::Nothing,
                _ => Heard::Gone,
            },
        }
    }

    /// One that is gone needs no order.
    pub(crate) fn order(&self, order: Order) {
        let _ = (&self.0).write(&[order.byte()]);
    }
}

impl AsFd for Control {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

/// Sends a byte with descriptors beside it.
fn pass(socket: &UnixStream, byte: u8, fds: &[RawFd]) -> io::Result<()> {
    let fds = &fds[..fds.len().min(PASSED)];
    let mut room = [0_u64; ROOM];
    let mut part = libc::iovec { iov_base: (&raw const byte).cast_mut().cast(), iov_len: 1 };
    let length = u32::try_from(size_of_val(fds)).unwrap_or(u32::MAX);
    // SAFETY: a struct of numbers and places, for which nought is a value.
    let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
    message.msg_iov = &raw mut part;
    message.msg_iovlen = 1;
    message.msg_control = room.as_mut_ptr().cast();
    // SAFETY: the room is larger than `PASSED` descriptors and what goes before them.
    unsafe {
        message.msg_controllen = libc::CMSG_SPACE(length) as _;
        let beside = libc::CMSG_FIRSTHDR(&raw const message);
        (*beside).cmsg_level = libc::SOL_SOCKET;
        (*beside).cmsg_type = libc::SCM_RIGHTS;
        (*beside).cmsg_len = libc::CMSG_LEN(length) as _;
        let to: *mut RawFd = libc::CMSG_DATA(beside).cast();
        for (at, fd) in fds.iter().enumerate() {
            to.add(at).write_unaligned(*fd);
        }
    }
    #[cfg(target_os = "linux")]
    let quietly = libc::MSG_NOSIGNAL;
    #[cfg(not(target_os = "linux"))]
    let quietly = 0;
    loop {
        // SAFETY: all that the message leads to lives as long as the call.
        match unsafe { libc::sendmsg(socket.as_raw_fd(), &raw const message, quietly) } {
            1 => return Ok(()),
            _ => match io::Error::last_os_error() {
                error if error.kind() == ErrorKind::Interrupted => {}
                error => return Err(error),
            },
        }
    }
}

/// Makes users and groups in the namespace of a process what they are outside: all of them if we may,
/// else ourselves.
fn map_user(process: libc::pid_t) -> io::Result<()> {
    let of = |what: &str| format!("/proc/{process}/{what}");
    let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
    if fs::write(of("uid_map"), same_as_ours("uid_map")?).is_err() {
        fs::write(of("uid_map"), format!("{0} {0} 1", user.as_raw()))?;
    }
    if fs::write(of("gid_map"), same_as_ours("gid_map")?).is_err() {
        fs::write(of("setgroups"), "deny")?;
        fs::write(of("gid_map"), format!("{0} {0} 1", group.as_raw()))?;
    }
    Ok(())
}

/// A map that changes nothing of what we see.
fn same_as_ours(name: &str) -> io::Result<String> {
    let ours = fs::read_to_string(format!("/proc/self/{name}"))?;
    let same = ours.lines().filter_map(|line| {
        let mut numbers = line.split_whitespace();
        let (first, count) = (numbers.next()?, numbers.nth(1)?);
        Some(format!("{first} {first} {count}\n"))
    });
    Ok(same.collect())
}

/// Whether a namespace of processes has a limit of its own.
fn has_own_limit() -> bool {
    let release = fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
    version(&release).is_some_and(|version| version >= OWN_LIMIT_SINCE)
}

fn version(release: &str) -> Option<(u32, u32)> {
    let mut numbers = release.split(|character: char| !character.is_ascii_digit());
    Some((numbers.next()?.parse().ok()?, numbers.next()?.parse().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_has_a_version() {
        assert_eq!(version("6.18.44-fc-v490\n"), Some((6, 18)));
        assert_eq!(version("5.15.0-91-generic"), Some((5, 15)));
        assert_eq!(version("unknown"), None);
        assert!((6, 9) < OWN_LIMIT_SINCE);
    }

    #[test]
    fn seats_come_back_unless_they_are_given_up() {
        let starter = Starter::with(1, Namespaces::None).unwrap();
        let mut seat = starter.seat().unwrap();
        assert!(starter.seat().is_none());
        seat.give_up();
        drop(seat);
        assert!(starter.seat().is_none());
    }
}
