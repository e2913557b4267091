//! What runs in the processes that start programs: the starter, the keeper of a run, and the program
//! until it is loaded. No call here allocates or takes a lock; each is one of the system's own.
#![expect(unsafe_code, reason = "all of it runs between a fork and the end of the process")]

use super::message::{PASSED, hear, pass};
use super::sheet::{Sheet, Sheets};
use super::special::{
    World, base, be_watched, build, drop_rights, enter_world, kill_children, last_error, loopback,
    new_process, prepare_keeper, unshare, wait_for_child_or,
};
use super::step::Steps;
use libc::{c_int, c_uint};
use std::ptr;
use std::sync::atomic::Ordering;

/// What a keeper tells us, one byte each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Told {
    /// The program has ended; how stands on the sheet.
    Ended,
    /// Nobody is left of whom the keeper knows.
    AllEnded,
}

impl Told {
    const fn byte(self) -> u8 {
        match self {
            Told::Ended => b'p',
            Told::AllEnded => b'e',
        }
    }

    pub(super) fn from_byte(byte: u8) -> Option<Told> {
        [Told::Ended, Told::AllEnded].into_iter().find(|told| told.byte() == byte)
    }
}

/// What we tell a keeper, one byte each.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Order {
    /// Send this signal to the program and its group.
    Signal(i32),
    /// End everybody.
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
/// The starter's descriptors: what is asked of it comes from here, and those that are passed to it
/// have higher numbers.
pub(super) const ASKED: c_int = 3;
/// Added to the number of a sheet, this asks for a new file system for its runs.
pub(super) const PREPARE: u8 = 128;
/// How many sheets there may be.
pub(super) const MOST: usize = 128;
/// How often, and after how many milliseconds, somebody is looked for who left the group.
const ROUNDS: u32 = 200;
const ROUND_MS: c_int = 5;
/// Higher than any number that a descriptor is given here.
const HIGH: c_int = 16;

/// What the starter works with.
#[derive(Clone, Copy)]
pub(super) struct Rules<'r> {
    pub(super) sheets: &'r Sheets,
    pub(super) containment: Namespaces,
    /// The largest file that a program may write.
    pub(super) file_size: u64,
    /// How many processes the user may have, where that counts for the namespace alone.
    pub(super) processes: Option<u64>,
    /// The same as a text for the namespace of processes, where it has a limit of its own.
    pub(super) process_numbers: Option<&'static [u8]>,
    /// How the file system of a run is put together.
    pub(super) steps: &'r Steps,
}

/// Which namespaces are entered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Namespaces {
    /// A new user namespace, mount namespaces, and one of processes for each run.
    Confined,
    /// The same, and one without a network.
    ConfinedWithoutNetwork,
    /// None.
    None,
}

/// What the starter says when it has tried to enter them, and hears when its user is known there.
pub(super) const ENTERED: u8 = b'n';
pub(super) const MAPPED: u8 = b'm';
pub(super) const READY: u8 = b'r';
pub(super) const DENIED: u8 = b'd';

/// The whole life of the starter.
///
/// # Safety
/// It is called in a new process that has nothing else to do; `socket` is open and the sheets are
/// shared memory.
pub(super) unsafe fn start_programs(socket: c_int, rules: &Rules<'_>) -> ! {
    // SAFETY: every call is one of the system's own, and every pointer leads to a variable here.
    unsafe {
        // Not in the session of our terminal: Ctrl-C is ours to hear.
        libc::setsid();
        let null = libc::open(c"/dev/null".as_ptr(), libc::O_RDWR);
        // Descriptors of the process that was forked would keep somebody's pipe open.
        let socket = libc::fcntl(socket, libc::F_DUPFD, HIGH);
        for standard in 0..ASKED {
            libc::dup2(null, standard);
        }
        libc::dup2(socket, ASKED);
        close_from(ASKED + 1);
        reset_signals();
        // A keeper that has ended is gone, and nobody has to wait for it.
        libc::signal(libc::SIGCHLD, libc::SIG_IGN);
        libc::signal(libc::SIGPIPE, libc::SIG_IGN);
        let way_back = enter(rules);
        say(ASKED, if way_back.is_some() { READY } else { DENIED });
        let way_back = way_back.unwrap_or(-1);
        // The namespace of mounts for the runs of each sheet.
        let mut worlds = [-1; MOST];
        loop {
            let mut passed = [-1; PASSED];
            let Some(number) = hear(ASKED, &mut passed) else { libc::_exit(0) };
            let sheet = rules.sheets.at(number % PREPARE);
            let world = &mut worlds[usize::from(number % PREPARE)];
            if number >= PREPARE {
                libc::close(*world);
                *world = prepare(sheet, way_back, passed[0], rules);
                libc::close(passed[0]);
                continue;
            }
            let keeper = new_process(rules.containment);
            if keeper == 0 {
                keep(sheet, *world, passed, rules);
            }
            if keeper < 0 {
                // The end of the control is all that anybody hears.
                (*sheet).refusal.store(last_error(), Ordering::Release);
            }
            (*sheet).keeper.store(keeper, Ordering::Release);
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
        if hear(ASKED, &mut [-1; PASSED]) != Some(MAPPED) {
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

/// Puts a new file system together and tells whoever asked for it; the namespace in which it is.
unsafe fn prepare(sheet: *mut Sheet, way_back: c_int, asker: c_int, rules: &Rules<'_>) -> c_int {
    // SAFETY: as in `start_programs`; the sheet is shared memory.
    unsafe {
        match build(rules.steps, way_back) {
            Ok(World { namespace, top }) => {
                // One who is gone asks again.
                let _ = pass(asker, READY, &[top]);
                libc::close(top);
                namespace
            }
            Err(failure) => {
                (*sheet).step.store(failure.step, Ordering::Release);
                (*sheet).refusal.store(failure.error, Ordering::Release);
                say(asker, DENIED);
                -1
            }
        }
    }
}

/// A process of its own for one run: it starts the program, obeys, and reports. In a namespace of
/// processes it is the first one, whose end ends all others.
unsafe fn keep(sheet: *mut Sheet, world: c_int, passed: [c_int; PASSED], rules: &Rules<'_>) -> ! {
    let [control, stdout, stderr, stdin] = passed;
    // SAFETY: as in `start_programs`; the sheet is shared memory.
    unsafe {
        reset_sigchld();
        prepare_keeper(rules);
        // Nothing is run outside the file system that was made for it.
        if rules.containment != Namespaces::None && !enter_world(world) {
            (*sheet).refusal.store(last_error(), Ordering::Release);
            libc::_exit(1);
        }
        let program = new_process(Namespaces::None);
        if program == 0 {
            become_program(sheet, [stdin, stdout, stderr], rules);
        }
        if program < 0 {
            (*sheet).refusal.store(last_error(), Ordering::Release);
            libc::_exit(1);
        }
        for fd in [stdin, stdout, stderr, ASKED] {
            libc::close(fd);
        }
        let mut knows = Knowledge { has_ended: false, is_alone: false, is_ending: false };
        loop {
            reap(sheet, program, control, &mut knows);
            match obeyed(control) {
                Obeyed::Order(ALL) => knows.is_ending = true,
                Obeyed::Order(signal) if !knows.has_ended => {
                    libc::kill(-program, c_int::from(signal));
                    // One that is stopped would not hear it.
                    libc::kill(-program, libc::SIGCONT);
                }
                Obeyed::Nothing | Obeyed::Order(_) => {}
                Obeyed::Left => {
                    for _ in 0..ROUNDS {
                        end_all(program, &knows, rules);
                        reap(sheet, program, control, &mut knows);
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

/// What a keeper knows of its run.
struct Knowledge {
    has_ended: bool,
    /// Nobody is left.
    is_alone: bool,
    /// Everybody is to be ended. Each end may make others our children, so it goes on until all are.
    is_ending: bool,
}

/// Takes everybody out of the table who has ended, and tells of it.
unsafe fn reap(sheet: *mut Sheet, program: c_int, control: c_int, knows: &mut Knowledge) {
    loop {
        let mut status = 0;
        // SAFETY: as in `start_programs`; nought is a value of a struct of numbers.
        unsafe {
            let mut usage: libc::rusage = std::mem::zeroed();
            let ended = libc::wait4(-1, &raw mut status, libc::WNOHANG, &raw mut usage);
            if ended == program && libc::WIFSTOPPED(status) {
                // A trial: it is loaded and has not done anything yet.
                libc::kill(program, libc::SIGKILL);
            } else if ended == program {
                (*sheet).status.store(status, Ordering::Release);
                let peak = u64::try_from(usage.ru_maxrss).unwrap_or(0);
                (*sheet).peak.store(peak, Ordering::Release);
                knows.has_ended = true;
                say(control, Told::Ended.byte());
            } else if ended == 0 {
                return;
            } else if ended < 0 && last_error() != libc::EINTR {
                if !knows.is_alone {
                    knows.is_alone = true;
                    say(control, Told::AllEnded.byte());
                }
                return;
            }
        }
    }
}

enum Obeyed {
    Nothing,
    Order(u8),
    /// Whoever gave orders is gone.
    Left,
}

/// Waits until somebody has ended or an order came.
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

/// Ends everybody who can be reached.
unsafe fn end_all(program: c_int, knows: &Knowledge, rules: &Rules<'_>) {
    // SAFETY: as in `start_programs`. The group's number is nobody else's as long as we have a child
    // that could be in it.
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
unsafe fn become_program(sheet: *mut Sheet, given: [c_int; 3], rules: &Rules<'_>) -> ! {
    // SAFETY: as in `start_programs`; what stands on the sheet was written for this.
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
        if (*sheet).has_terminal {
            libc::ioctl(1, libc::TIOCSCTTY as _, 0);
        }
        reset_signals();
        limit(rules);
        libc::umask(0o022);
        if libc::chdir((*sheet).folder) == 0 {
            if (*sheet).is_trial && !be_watched() {
                libc::_exit(0);
            }
            libc::execve((*sheet).program, (*sheet).argv, (*sheet).variables);
        }
        (*sheet).refusal.store(last_error(), Ordering::Release);
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

/// All signals as a process finds them that nobody prepared: whoever started us may ignore some, as
/// `nohup` does, or block them.
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
    // SAFETY: as in `start_programs`; what is open there is nobody's in this process.
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
