//! What runs in the processes that start programs: the fork server, the init of a run, and the program
//! until it is loaded. No call here allocates or takes a lock; each is one of the system's own.
#![expect(unsafe_code, reason = "all of it runs between a fork and the end of the process")]

use super::errno::last_error;
#[cfg(not(target_os = "linux"))]
pub(super) use super::fallback::allocated;
#[cfg(not(target_os = "linux"))]
use super::fallback::{
    FileSystem, base, be_watched, build, drop_rights, enter_file_system, kill_children, leave_out,
    loopback, new_process, prepare_init, unshare, wait_for_child_or,
};
#[cfg(target_os = "linux")]
pub(super) use super::linux::allocated;
#[cfg(target_os = "linux")]
use super::linux::{
    FileSystem, base, be_watched, build, drop_rights, enter_file_system, kill_children, leave_out,
    loopback, new_process, prepare_init, unshare, wait_for_child_or,
};
use super::message::{PASSED, pass, receive};
use super::rules::{Namespaces, Rules};
use super::shared_page::SharedPage;
use libc::{c_int, c_uint};
use std::ptr;
use std::sync::atomic::Ordering;

/// What an init reports, one byte each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// The program has ended; its status is on the page.
    Ended,
    /// No process is left that the init knows.
    AllEnded,
}

impl Event {
    const fn byte(self) -> u8 {
        match self {
            Event::Ended => b'p',
            Event::AllEnded => b'e',
        }
    }

    pub(super) fn from_byte(byte: u8) -> Option<Event> {
        [Event::Ended, Event::AllEnded].into_iter().find(|event| event.byte() == byte)
    }
}

/// The orders to an init, one byte each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Send this signal to the program and its group.
    Signal(i32),
    /// End all processes.
    EndAll,
}

impl Order {
    pub(super) fn byte(self) -> u8 {
        match self {
            Order::Signal(number) => u8::try_from(number).unwrap_or(0),
            Order::EndAll => ALL,
        }
    }
}

/// No signal has this number.
const ALL: u8 = 255;
/// The descriptors of the fork server: what is asked of it comes from here, and those that are passed to it
/// have higher numbers.
pub(super) const ASKED: c_int = 3;
/// Added to the number of a page, this asks for a new file system for its runs.
pub(super) const PREPARE: u8 = 128;
/// How many pages there may be.
pub(super) const MOST: usize = 128;
/// How often, and after how many milliseconds, to look for processes that left the group.
const ROUNDS: u32 = 200;
const ROUND_MS: c_int = 5;
/// Higher than any number that a descriptor is given here.
const HIGH: c_int = 16;

/// What the fork server reports when it has tried to enter them, and receives when its user is
/// known there.
pub(super) const ENTERED: u8 = b'n';
pub(super) const MAPPED: u8 = b'm';
pub(super) const READY: u8 = b'r';
pub(super) const DENIED: u8 = b'd';

/// The whole life of the fork server.
///
/// # Safety
/// It is called in a new process that has nothing else to do; `socket` is open and the pages are
/// shared memory.
pub(super) unsafe fn start_programs(socket: c_int, rules: &Rules<'_>) -> ! {
    // SAFETY: every call is one of the system's own, and every pointer leads to a variable here.
    unsafe {
        // Not in the session of our terminal: Ctrl-C is for us.
        libc::setsid();
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
        // Descriptors of the forked process would keep a pipe open.
        let socket = libc::fcntl(socket, libc::F_DUPFD, HIGH);
        for standard in 0..ASKED {
            libc::dup2(null, standard);
        }
        libc::dup2(socket, ASKED);
        close_from(ASKED + 1);
        reset_signals();
        // What the processes of a run read is on this stack, in the program itself and on the pages.
        leave_out(rules.allocated);
        // An init that has ended is reaped by the system.
        libc::signal(libc::SIGCHLD, libc::SIG_IGN);
        libc::signal(libc::SIGPIPE, libc::SIG_IGN);
        let way_back = enter(rules);
        say(ASKED, if way_back.is_some() { READY } else { DENIED });
        let way_back = way_back.unwrap_or(-1);
        // The namespace of mounts for the runs of each page.
        let mut file_systems = [-1; MOST];
        loop {
            let mut passed = [-1; PASSED];
            let Some(number) = receive(ASKED, &mut passed) else { libc::_exit(0) };
            let page = rules.pages.at(number % PREPARE);
            let file_system = &mut file_systems[usize::from(number % PREPARE)];
            if number >= PREPARE {
                libc::close(*file_system);
                *file_system = prepare(page, way_back, passed[0], rules);
                libc::close(passed[0]);
                continue;
            }
            let init = new_process(rules.containment);
            if init == 0 {
                keep(page, *file_system, passed, rules);
            }
            if init < 0 {
                // The end of the control pipe is all that is reported.
                (*page).refusal.store(last_error(), Ordering::Release);
            }
            (*page).init.store(init, Ordering::Release);
            for fd in passed {
                libc::close(fd);
            }
        }
    }
}

/// Enters the namespaces and sees that they work; a way back to the namespace of mounts, if there is one.
unsafe fn enter(rules: &Rules<'_>) -> Option<c_int> {
    if rules.containment == Namespaces::None {
        return Some(-1);
    }
    // SAFETY: as in `start_programs`.
    unsafe {
        let is_cut = rules.containment == Namespaces::ConfinedWithoutNetwork;
        if !unshare(is_cut) {
            return None;
        }
        say(ASKED, ENTERED);
        if receive(ASKED, &mut [-1; PASSED]) != Some(MAPPED) {
            libc::_exit(0);
        }
        if is_cut {
            loopback();
        }
        let trial = new_process(rules.containment);
        if trial == 0 {
            libc::_exit(0);
        }
        let way_back = base();
        (trial > 0 && way_back >= 0).then_some(way_back)
    }
}

/// Sets up a new file system and reports that to the caller; the namespace in which it is.
unsafe fn prepare(
    page: *mut SharedPage,
    way_back: c_int,
    asker: c_int,
    rules: &Rules<'_>,
) -> c_int {
    // SAFETY: as in `start_programs`; the page is shared memory.
    unsafe {
        match build(rules.steps, way_back) {
            Ok(FileSystem { namespace, top }) => {
                // A caller that is gone asks again.
                let _ = pass(asker, READY, &[top]);
                libc::close(top);
                namespace
            }
            Err(failure) => {
                (*page).step.store(failure.step, Ordering::Release);
                (*page).refusal.store(failure.error, Ordering::Release);
                say(asker, DENIED);
                -1
            }
        }
    }
}

/// A process of its own for one run: it starts the program, obeys, and reports. In a namespace of
/// processes it is the first one, whose end ends all others.
unsafe fn keep(
    page: *mut SharedPage,
    file_system: c_int,
    passed: [c_int; PASSED],
    rules: &Rules<'_>,
) -> ! {
    let [control, stdout, stderr, stdin] = passed;
    // SAFETY: as in `start_programs`; the page is shared memory.
    unsafe {
        reset_sigchld();
        prepare_init(rules);
        // Nothing is run outside the file system that was made for it.
        if rules.containment != Namespaces::None && !enter_file_system(file_system) {
            (*page).refusal.store(last_error(), Ordering::Release);
            libc::_exit(1);
        }
        use_up_ids((*page).used_ids);
        let program = new_process(Namespaces::None);
        if program == 0 {
            become_program(page, [stdin, stdout, stderr], rules);
        }
        if program < 0 {
            (*page).refusal.store(last_error(), Ordering::Release);
            libc::_exit(1);
        }
        for fd in [stdin, stdout, stderr, ASKED] {
            libc::close(fd);
        }
        let mut knows = Knowledge { has_ended: false, is_alone: false, is_ending: false };
        loop {
            reap(page, program, control, &mut knows);
            match obeyed(control) {
                Obeyed::Order(ALL) => knows.is_ending = true,
                Obeyed::Order(signal) if !knows.has_ended => {
                    libc::kill(-program, c_int::from(signal));
                    // A stopped process would not receive it.
                    libc::kill(-program, libc::SIGCONT);
                }
                Obeyed::Nothing | Obeyed::Order(_) => {}
                Obeyed::Left => {
                    for _ in 0..ROUNDS {
                        end_all(program, &knows, rules);
                        reap(page, program, control, &mut knows);
                        if knows.is_alone {
                            break;
                        }
                        libc::poll(ptr::null_mut(), 0, ROUND_MS);
                    }
                    libc::_exit(0);
                }
            }
            if knows.is_ending {
                end_all(program, &knows, rules);
            }
        }
    }
}

/// Has as many processes come and go, so that the next one has another id in its namespace.
unsafe fn use_up_ids(count: u8) {
    for _ in 0..count {
        // SAFETY: as in `start_programs`; the copy ends at once.
        unsafe {
            let process = new_process(Namespaces::None);
            if process == 0 {
                libc::_exit(0);
            }
            libc::waitpid(process, ptr::null_mut(), 0);
        }
    }
}

/// What a init knows of its run.
struct Knowledge {
    has_ended: bool,
    /// No process is left.
    is_alone: bool,
    /// All processes are to be ended. Each end may make others our children, so it continues until
    /// all have ended.
    is_ending: bool,
}

/// Reaps all processes that have ended, and reports it.
unsafe fn reap(page: *mut SharedPage, program: c_int, control: c_int, knows: &mut Knowledge) {
    loop {
        let mut status = 0;
        // SAFETY: as in `start_programs`; zero is a value of a struct of numbers.
        unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            let ended = libc::wait4(-1, &raw mut status, libc::WNOHANG, &raw mut usage);
            if ended == program && libc::WIFSTOPPED(status) {
                // A trial: it is loaded and has not done anything yet.
                libc::kill(program, libc::SIGKILL);
            } else if ended == program {
                (*page).status.store(status, Ordering::Release);
                let peak = u64::try_from(usage.ru_maxrss).unwrap_or(0);
                (*page).peak.store(peak, Ordering::Release);
                knows.has_ended = true;
                say(control, Event::Ended.byte());
            } else if ended == 0 {
                return;
            } else if ended < 0 && last_error() != libc::EINTR {
                if !knows.is_alone {
                    knows.is_alone = true;
                    say(control, Event::AllEnded.byte());
                }
                return;
            }
        }
    }
}

enum Obeyed {
    Nothing,
    Order(u8),
    /// The controlling process is gone.
    Left,
}

/// Waits until a process has ended or an order came.
unsafe fn obeyed(control: c_int) -> Obeyed {
    // SAFETY: as in `start_programs`.
    unsafe {
        let mut asked = libc::pollfd { fd: control, events: libc::POLLIN, revents: 0 };
        if wait_for_child_or(&raw mut asked) <= 0 {
            return Obeyed::Nothing;
        }
        let mut byte = 0_u8;
        match libc::read(control, (&raw mut byte).cast(), 1) {
            1 => Obeyed::Order(byte),
            -1 if last_error() == libc::EINTR => Obeyed::Nothing,
            _ => Obeyed::Left,
        }
    }
}

/// Ends all processes that can be reached.
unsafe fn end_all(program: c_int, knows: &Knowledge, rules: &Rules<'_>) {
    // SAFETY: as in `start_programs`. No other process can have the group's number as long as we
    // have a child that could be in it.
    unsafe {
        if rules.containment != Namespaces::None {
            // Everywhere but in a namespace of our own this would end the whole system.
            if libc::getpid() == 1 {
                libc::kill(-1, libc::SIGKILL);
            }
        } else if !knows.is_alone {
            libc::kill(-program, libc::SIGKILL);
            kill_children();
        }
    }
}

/// The way from a fork to the program.
unsafe fn become_program(page: *mut SharedPage, given: [c_int; 3], rules: &Rules<'_>) -> ! {
    // SAFETY: as in `start_programs`; the content of the page was written for this.
    unsafe {
        libc::setsid();
        for (standard, fd) in (0..).zip(given) {
            if fd < 0 {
                libc::close(standard);
            } else {
                libc::dup2(fd, standard);
            }
        }
        close_from(ASKED);
        if (*page).has_terminal {
            libc::ioctl(1, libc::TIOCSCTTY as _, 0);
        }
        reset_signals();
        limit(rules);
        libc::umask(0o022);
        if libc::chdir((*page).directory) == 0 {
            if (*page).is_trial && !be_watched() {
                libc::_exit(0);
            }
            libc::execve((*page).program, (*page).argv, (*page).variables);
        }
        (*page).refusal.store(last_error(), Ordering::Release);
        libc::_exit(127)
    }
}

unsafe fn limit(rules: &Rules<'_>) {
    let set = |what, most: u64| {
        let limit = libc::rlimit { rlim_cur: most as _, rlim_max: most as _ };
        // SAFETY: as in `start_programs`. A limit that is lower already stays.
        unsafe { libc::setrlimit(what, &raw const limit) };
    };
    set(libc::RLIMIT_CORE, 0);
    set(libc::RLIMIT_FSIZE, rules.file_size);
    if let Some(processes) = rules.processes {
        set(libc::RLIMIT_NPROC, processes);
    }
    // SAFETY: as in `start_programs`.
    unsafe { drop_rights(rules) };
}

/// All signals in their default state: our parent may ignore some, as `nohup` does, or block them.
unsafe fn reset_signals() {
    // SAFETY: as in `start_programs`; the default has no handler.
    unsafe {
        for number in 1..65 {
            libc::signal(number, libc::SIG_DFL);
        }
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const none, ptr::null_mut());
    }
}

extern "C" fn do_nothing(_: c_int) {}

/// Lets the end of a child end a wait, and nothing else.
unsafe fn reset_sigchld() {
    // SAFETY: as in `start_programs`; the handler does nothing.
    unsafe {
        let mut children: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut children);
        libc::sigaddset(&raw mut children, libc::SIGCHLD);
        libc::sigprocmask(libc::SIG_BLOCK, &raw const children, ptr::null_mut());
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = do_nothing as extern "C" fn(c_int) as libc::sighandler_t;
        libc::sigaction(libc::SIGCHLD, &raw const action, ptr::null_mut());
    }
}

unsafe fn say(to: c_int, byte: u8) {
    // SAFETY: as in `start_programs`.
    unsafe { libc::write(to, (&raw const byte).cast(), 1) };
}

/// Closes this descriptor and all higher ones.
unsafe fn close_from(first: c_int) {
    // SAFETY: as in `start_programs`; nothing in this process uses what is open there.
    unsafe {
        #[cfg(target_os = "linux")]
        if libc::syscall(libc::SYS_close_range, first, c_uint::MAX, 0) == 0 {
            return;
        }
        let mut limit = libc::rlimit { rlim_cur: 0, rlim_max: 0 };
        libc::getrlimit(libc::RLIMIT_NOFILE, &raw mut limit);
        for fd in first..c_int::try_from(limit.rlim_cur).unwrap_or(c_int::MAX).min(1 << 16) {
            libc::close(fd);
        }
    }
}
