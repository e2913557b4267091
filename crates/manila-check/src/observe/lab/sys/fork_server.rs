//! Our side of the process that starts programs: it is forked, let into its namespaces, asked, and
//! seen off.
#![expect(unsafe_code, reason = "forking, and passing descriptors to another process")]

use super::child::{self, DENIED, ENTERED, Event, MAPPED, MOST, Order, PREPARE, READY};
use super::message::{PASSED, pass, receive};
use super::rules::{Namespaces, Rules};
use super::shared_page::{self, Call, SharedPage, SharedPages};
use super::step::Steps;
use manila::Status;
use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, FromRawFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::sync::atomic::Ordering;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long the fork server may take for a step. Its end is noticed at once; this is for a system that never answers, and
/// far more than a busy machine takes.
const PATIENCE: Duration = Duration::from_secs(120);
/// The largest file that a program may write.
const FILE_SIZE: u64 = 1 << 30;
/// How many processes and threads a run may have, where its namespace has a limit of its own.
const PROCESS_NUMBERS: &[u8] = b"1024";
/// The same for all runs together, where only users have one.
const PROCESSES: u64 = 4096;
/// The first Linux whose pid namespaces have a limit of their own. Before that, writing it changes
/// the limit of the whole system.
const OWN_LIMIT_SINCE: (u32, u32) = (6, 14);

/// What is asked of the fork server.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    /// Nothing may be reached over a network.
    NoNetwork,
    /// The network stays as it is.
    Network,
}

/// What the runs of a slot write outside their own directories.
#[derive(Debug)]
pub(crate) struct FileSystem {
    /// The directory that holds all of it.
    pub(crate) top: OwnedFd,
    /// How many files were there before the first run.
    files: u64,
}

impl FileSystem {
    fn new(top: OwnedFd) -> FileSystem {
        let files = files(&top);
        FileSystem { top, files }
    }

    /// Whether there is nothing new, as far as the number of files shows: each that is written is
    /// new here.
    pub(crate) fn is_clean(&self) -> bool {
        files(&self.top) == self.files
    }
}

/// How many files there are in the file system of a directory.
fn files(top: &OwnedFd) -> u64 {
    rustix::fs::fstatvfs(top).map_or(0, |about| about.f_files.saturating_sub(about.f_ffree))
}

/// A process that starts programs for us.
#[derive(Debug)]
pub(crate) struct ForkServer {
    socket: Option<UnixStream>,
    process: libc::pid_t,
    pages: SharedPages,
    /// The unused pages.
    free: Mutex<Vec<u8>>,
    /// For each page what its runs write outside their own directories.
    file_systems: Vec<Mutex<Option<FileSystem>>>,
    is_confined: bool,
}

impl ForkServer {
    /// Starts one that serves so many runs at a time and confines each of them; an error says at which step
    /// the system does not let it.
    pub(crate) fn confined(
        slots: u8,
        wanted: Wanted,
        steps: &Steps,
    ) -> Result<ForkServer, (io::Error, Option<usize>)> {
        let namespaces = match wanted {
            Wanted::NoNetwork => Namespaces::ConfinedWithoutNetwork,
            Wanted::Network => Namespaces::Confined,
        };
        let fork_server =
            ForkServer::with(slots, namespaces, steps).map_err(|error| (error, None))?;
        // That it can be done is known once it is done.
        let mut slot = fork_server.slot().ok_or((ErrorKind::WouldBlock.into(), None))?;
        slot.prepare()?;
        drop(slot);
        Ok(fork_server)
    }

    /// Starts one where programs are not confined: they run in sessions of their own.
    pub(crate) fn in_sessions(slots: u8) -> io::Result<ForkServer> {
        ForkServer::with(slots, Namespaces::None, &Steps::default())
    }

    fn with(slots: u8, namespaces: Namespaces, steps: &Steps) -> io::Result<ForkServer> {
        let slots = slots.clamp(1, u8::try_from(MOST - 1).unwrap_or(u8::MAX));
        let pages = SharedPages::new(usize::from(slots))?;
        let (ours, theirs) = UnixStream::pair()?;
        let has_own_limit = namespaces != Namespaces::None && has_own_limit();
        let is_root = rustix::process::geteuid().is_root();
        let is_counted = namespaces != Namespaces::None && !has_own_limit && !is_root;
        let allocated = child::allocated();
        let rules = Rules {
            pages: &pages,
            containment: namespaces,
            file_size: FILE_SIZE,
            processes: is_counted.then_some(PROCESSES),
            process_numbers: has_own_limit.then_some(PROCESS_NUMBERS),
            steps,
            allocated: &allocated,
        };
        // SAFETY: the new process makes calls of the system and nothing else until it ends.
        let process = unsafe { libc::fork() };
        match process {
            -1 => return Err(io::Error::last_os_error()),
            // SAFETY: this is the new process, and the socket is open.
            0 => unsafe { child::start_programs(theirs.as_raw_fd(), &rules) },
            _ => {}
        }
        drop(theirs);
        let is_confined = namespaces != Namespaces::None;
        let free = Mutex::new((0..slots).rev().collect());
        let file_systems = (0..slots).map(|_| Mutex::default()).collect();
        // From here on it is seen off if anything goes wrong.
        let fork_server =
            ForkServer { socket: Some(ours), process, pages, free, file_systems, is_confined };
        fork_server.settle_in()?;
        Ok(fork_server)
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

    pub(crate) fn is_confined(&self) -> bool {
        self.is_confined
    }

    /// The right to make one run at a time; nothing if all slots are taken.
    pub(crate) fn slot(&self) -> Option<Slot<'_>> {
        let number = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop()?;
        Some(Slot { fork_server: self, number, is_given_up: false })
    }
}

impl Drop for ForkServer {
    fn drop(&mut self) {
        // It ends when there are no more orders.
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
pub(crate) struct Slot<'s> {
    fork_server: &'s ForkServer,
    number: u8,
    is_given_up: bool,
}

impl Slot<'_> {
    /// Has a new file system put together for the runs of this slot; an error says at which step that failed.
    pub(crate) fn prepare(&mut self) -> Result<(), (io::Error, Option<usize>)> {
        let plain = |error: io::Error| (error, None);
        let mut file_system = self.file_system();
        *file_system = None;
        let (ours, theirs) = UnixStream::pair().map_err(plain)?;
        ours.set_read_timeout(Some(PATIENCE)).map_err(plain)?;
        let gone = || plain(ErrorKind::NotConnected.into());
        let socket = self.fork_server.socket.as_ref().ok_or_else(gone)?;
        pass(socket.as_raw_fd(), self.number + PREPARE, &[theirs.as_raw_fd()]).map_err(plain)?;
        drop(theirs);
        let mut passed = [-1; PASSED];
        let reply = receive(ours.as_raw_fd(), &mut passed);
        // SAFETY: it was passed to us just now, and nothing else owns it.
        let mut top = (passed[0] >= 0).then(|| unsafe { OwnedFd::from_raw_fd(passed[0]) });
        *file_system = top.take_if(|_| reply == Some(READY)).map(FileSystem::new);
        if file_system.is_some() {
            return Ok(());
        }
        let page = self.page();
        let error = io::Error::from_raw_os_error(page.refusal.load(Ordering::Acquire));
        match reply {
            Some(DENIED) => Err((error, usize::try_from(page.step.load(Ordering::Acquire)).ok())),
            _ => Err(gone()),
        }
    }

    /// What runs of this slot write outside their own directories, once there is a place for it.
    pub(crate) fn file_system(&self) -> MutexGuard<'_, Option<FileSystem>> {
        // There are as many as there are slots.
        let file_system = &self.fork_server.file_systems
            [usize::from(self.number) % self.fork_server.file_systems.len()];
        file_system.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Has a program started, and its descriptors closed on our side.
    pub(crate) fn start(&mut self, call: &Call, given: Given) -> io::Result<Control> {
        if self.fork_server.is_confined && self.file_system().is_none() {
            self.prepare().map_err(|(error, _)| error)?;
        }
        shared_page::write(self.fork_server.pages.at(self.number), call)?;
        let (ours, theirs) = UnixStream::pair()?;
        ours.set_nonblocking(true)?;
        let mut fds = vec![theirs.as_raw_fd(), given.stdout.as_raw_fd(), given.stderr.as_raw_fd()];
        fds.extend(given.stdin.as_ref().map(AsRawFd::as_raw_fd));
        let socket = self.fork_server.socket.as_ref().ok_or(ErrorKind::NotConnected)?;
        pass(socket.as_raw_fd(), self.number, &fds)?;
        // Only the program has them now, so that we see when it closes them.
        drop(given);
        Ok(Control(ours))
    }

    fn page(&self) -> &SharedPage {
        shared_page::read(&self.fork_server.pages, self.number)
    }

    /// The number of the process that keeps the run, as we see it.
    pub(crate) fn init(&self) -> Option<u32> {
        let init = self.page().init.load(Ordering::Acquire);
        u32::try_from(init).ok().filter(|init| *init > 0)
    }

    /// Why the program could not be started, if it could not.
    pub(crate) fn refusal(&self) -> Option<io::Error> {
        let refusal = self.page().refusal.load(Ordering::Acquire);
        (refusal != 0).then(|| io::Error::from_raw_os_error(refusal))
    }

    /// How the program ended; known once the init has reported it.
    pub(crate) fn status(&self) -> Status {
        let status = self.page().status.load(Ordering::Acquire);
        if libc::WIFSIGNALED(status) {
            Status::Signaled(libc::WTERMSIG(status))
        } else {
            Status::Exited(libc::WEXITSTATUS(status))
        }
    }

    /// The largest that the program, or one it waited for, ever was, in bytes.
    pub(crate) fn peak_memory(&self) -> u64 {
        let unit = if cfg!(target_vendor = "apple") { 1 } else { 1024 };
        self.page().peak.load(Ordering::Acquire) * unit
    }

    /// Never uses this page again: a process that could not be ended may still write to it.
    pub(crate) fn give_up(&mut self) {
        self.is_given_up = true;
    }

    /// Whether a process of its last run could not be ended.
    pub(crate) fn is_given_up(&self) -> bool {
        self.is_given_up
    }
}

impl Drop for Slot<'_> {
    fn drop(&mut self) {
        if !self.is_given_up {
            let mut free = self.fork_server.free.lock().unwrap_or_else(PoisonError::into_inner);
            free.push(self.number);
        }
    }
}

/// The connection to the init of a run. When it is dropped, all processes of the run are ended.
#[derive(Debug)]
pub(crate) struct Control(UnixStream);

/// What an init reported.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Received {
    Nothing,
    Event(Event),
    /// It is gone.
    Gone,
}

impl Control {
    pub(crate) fn receive(&self) -> Received {
        let mut byte = [0];
        match (&self.0).read(&mut byte) {
            Ok(0) => Received::Gone,
            Ok(_) => Event::from_byte(byte[0]).map_or(Received::Gone, Received::Event),
            Err(error) => match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::Interrupted => Received::Nothing,
                _ => Received::Gone,
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
        let fork_server = ForkServer::in_sessions(1).unwrap();
        let mut slot = fork_server.slot().unwrap();
        assert!(fork_server.slot().is_none());
        slot.give_up();
        drop(slot);
        assert!(fork_server.slot().is_none());
    }
}
