//! What the processes of a run are doing, as far as `/proc` shows: which there are, whether they do
//! anything, and what they wait for.

use super::fair_timer::Activity;
use crate::observe::run::Waiting;
use std::fs::{self, File};
use std::os::unix::fs::FileExt;
use std::time::Duration;

/// How many processes are looked at.
const MOST: usize = 2048;
/// How many descriptors a process may wait for at once, as far as we look.
const MOST_WAITED_FOR: u64 = 1024;

/// The children of a process, theirs, and so on. One that has ended is none.
pub(super) fn descendants(process: u32) -> Vec<u32> {
    let mut found = Vec::new();
    let mut next = vec![process];
    while let Some(process) = next.pop() {
        for thread in threads(process) {
            let path = format!("/proc/{process}/task/{thread}/children");
            let children = fs::read_to_string(path).unwrap_or_default();
            next.extend(children.split_whitespace().filter_map(|it| it.parse::<u32>().ok()));
        }
        if found.len() >= MOST {
            break;
        }
        found.push(process);
    }
    // The first is the one that was asked about.
    found.drain(..found.len().min(1));
    found.retain(|process| stat(*process, *process).is_some_and(|stat| stat.state != b'Z'));
    found
}

fn threads(process: u32) -> Vec<u32> {
    let entries = fs::read_dir(format!("/proc/{process}/task"));
    let names = entries.into_iter().flatten().flatten().map(|entry| entry.file_name());
    names.filter_map(|name| name.to_str()?.parse().ok()).collect()
}

struct Stat {
    state: u8,
    /// The time that it had a processor, in ticks.
    ticks: u64,
}

fn stat(process: u32, thread: u32) -> Option<Stat> {
    let text = fs::read_to_string(format!("/proc/{process}/task/{thread}/stat")).ok()?;
    // Its name may have blanks and parentheses in it, and nothing behind it has.
    let mut fields = text.rsplit_once(')')?.1.split_whitespace();
    let state = fields.next()?.bytes().next()?;
    let user: u64 = fields.nth(10)?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    Some(Stat { state, ticks: user + system })
}

/// The time that the processes below this one had a processor, if all of them wait for something.
pub(super) fn idle_since(init: u32) -> Option<u64> {
    let processes = descendants(init);
    let mut ticks = 0;
    for process in &processes {
        for thread in threads(*process) {
            let stat = stat(*process, thread)?;
            if stat.state != b'S' {
                return None;
            }
            ticks += stat.ticks;
        }
    }
    (!processes.is_empty()).then_some(ticks)
}

/// What this process and those below it are doing; nothing without `/proc`.
pub(super) fn activity(init: u32) -> Option<Activity> {
    /// The kernel counts for programs in hundredths of a second, whatever its own clock is.
    const TICK: Duration = Duration::from_millis(10);
    fs::metadata("/proc/self/stat").ok()?;
    let mut activity = Activity { is_runnable: false, used: Duration::ZERO };
    for process in descendants(init).into_iter().chain([init]) {
        for thread in threads(process) {
            // One that waits for a disk is kept from its work as well.
            activity.is_runnable |=
                stat(process, thread).is_some_and(|it| matches!(it.state, b'R' | b'D'));
        }
        if process != init {
            let text = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
            let ticks = ticks(&text).unwrap_or(0).try_into().unwrap_or(u32::MAX);
            activity.used += TICK * ticks;
        }
    }
    Some(activity)
}

/// The time that a process had a processor, and those that it waited for, in ticks.
fn ticks(stat: &str) -> Option<u64> {
    let fields = stat.rsplit_once(')')?.1.split_whitespace();
    fields.skip(11).take(4).map(|field| field.parse::<u64>().ok()).sum()
}

/// What any of the processes below this one waits for; the input is the pipe of that number.
pub(super) fn waiting(init: u32, input: Option<u64>) -> Waiting {
    let input = input.map(|number| format!("pipe:[{number}]"));
    let mut found = Waiting::ForSomething;
    for process in descendants(init) {
        for fd in threads(process).into_iter().flat_map(|thread| waited_for(process, thread)) {
            let Ok(name) = fs::read_link(format!("/proc/{process}/fd/{fd}")) else { continue };
            let name = name.to_string_lossy();
            if name.starts_with("/dev/pts/") || name == "/dev/tty" {
                return Waiting::ForTerminal;
            }
            if input.as_deref() == Some(&*name) {
                found = Waiting::ForInput;
            }
        }
        if found == Waiting::ForSomething && has_internet_socket(process) {
            found = Waiting::ForNetwork;
        }
    }
    found
}

/// Whether a process has a socket of the internet protocols open, as a client or as a server.
fn has_internet_socket(process: u32) -> bool {
    let Ok(open) = fs::read_dir(format!("/proc/{process}/fd")) else { return false };
    let links = open.filter_map(|entry| fs::read_link(entry.ok()?.path()).ok());
    let inode = |link: std::path::PathBuf| {
        let name = link.to_string_lossy().into_owned();
        Some(name.strip_prefix("socket:[")?.strip_suffix(']')?.to_owned())
    };
    let inodes: Vec<String> = links.filter_map(inode).collect();
    // The tenth column of these tables is the inode.
    const INODE: usize = 9;
    !inodes.is_empty()
        && ["tcp", "tcp6", "udp", "udp6"].iter().any(|table| {
            let text = fs::read_to_string(format!("/proc/{process}/net/{table}"));
            text.unwrap_or_default().lines().skip(1).any(|line| {
                let inode = line.split_whitespace().nth(INODE);
                inode.is_some_and(|inode| inodes.iter().any(|own| own == inode))
            })
        })
}

/// The descriptors that a thread waits to read from.
fn waited_for(process: u32, thread: u32) -> Vec<u64> {
    let path = format!("/proc/{process}/task/{thread}/syscall");
    let text = fs::read_to_string(path).unwrap_or_default();
    let Some((call, arguments)) = system_call(&text) else { return Vec::new() };
    let [first, second, ..] = arguments;
    match call {
        libc::SYS_read | libc::SYS_readv => vec![first],
        libc::SYS_ppoll => polled(process, first, second),
        libc::SYS_pselect6 => selected(process, first, second),
        libc::SYS_epoll_pwait | libc::SYS_epoll_pwait2 => registered(process, first),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_poll => polled(process, first, second),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_select => selected(process, first, second),
        #[cfg(target_arch = "x86_64")]
        libc::SYS_epoll_wait => registered(process, first),
        _ => Vec::new(),
    }
}

/// The number of a system call and its first arguments; nothing if there is none under way.
fn system_call(text: &str) -> Option<(i64, [u64; 3])> {
    let mut words = text.split_whitespace();
    let call = words.next()?.parse().ok()?;
    let mut next = || u64::from_str_radix(words.next()?.strip_prefix("0x")?, 16).ok();
    Some((call, [next()?, next()?, next()?]))
}

/// The descriptors of a list for `poll`: each has its number, then what is waited for.
fn polled(process: u32, list: u64, count: u64) -> Vec<u64> {
    let size = usize::try_from(count.min(MOST_WAITED_FOR) * 8).unwrap_or(0);
    let bytes = memory(process, list, size);
    let entries = bytes.chunks_exact(8);
    entries
        .filter_map(|entry| {
            let (fd, rest) = entry.split_first_chunk()?;
            let (events, _) = rest.split_first_chunk()?;
            let is_read = i16::from_ne_bytes(*events) & libc::POLLIN != 0;
            u64::try_from(i32::from_ne_bytes(*fd)).ok().filter(|_| is_read)
        })
        .collect()
}

/// The descriptors of a set for `select`: one bit each.
fn selected(process: u32, count: u64, set: u64) -> Vec<u64> {
    if set == 0 {
        return Vec::new();
    }
    let count = count.min(MOST_WAITED_FOR);
    let bytes = memory(process, set, usize::try_from(count.div_ceil(8)).unwrap_or(0));
    let is_in = |fd: &u64| {
        let byte = usize::try_from(fd / 8).ok().and_then(|at| bytes.get(at));
        byte.is_some_and(|byte| byte >> (fd % 8) & 1 == 1)
    };
    (0..count).filter(is_in).collect()
}

/// The descriptors that are registered for `epoll`.
fn registered(process: u32, fd: u64) -> Vec<u64> {
    let text = fs::read_to_string(format!("/proc/{process}/fdinfo/{fd}")).unwrap_or_default();
    let lines = text.lines().filter_map(|line| line.strip_prefix("tfd:"));
    lines.filter_map(|line| line.split_whitespace().next()?.parse().ok()).collect()
}

fn memory(process: u32, at: u64, size: usize) -> Vec<u8> {
    let mut bytes = vec![0; size];
    let read = File::open(format!("/proc/{process}/mem")).and_then(|it| it.read_at(&mut bytes, at));
    bytes.truncate(read.unwrap_or(0));
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::{Command, Stdio};

    #[test]
    fn a_call_of_the_system_has_a_number_and_arguments() {
        assert_eq!(system_call("0 0x3 0x7f 0x400 0x0"), Some((0, [3, 0x7f, 0x400])));
        assert_eq!(system_call("running\n"), None);
    }

    #[test]
    fn the_time_of_a_process_is_that_of_those_it_waited_for_too() {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194304 100 200 0 0 3 4 50 60 20 0 1 0 99 1000 10";
        assert_eq!(ticks(stat), Some(117));
        assert_eq!(ticks("7 (a"), None);
    }

    #[test]
    fn a_busy_process_is_runnable_and_its_time_is_counted() {
        let mut child = Command::new("sh").args(["-c", "while :; do :; done"]).spawn().unwrap();
        let shell = Command::new("sh").args(["-c", "exec cat"]).stdin(Stdio::piped()).spawn();
        let mut idle = shell.unwrap();
        let busy = loop {
            let busy = activity(child.id()).unwrap();
            if busy.is_runnable && ticks_of(child.id()) > 1 {
                break busy;
            }
            std::thread::yield_now();
        };
        // The time is that of those below the one that is asked about.
        assert_eq!(busy.used, Duration::ZERO);
        while waited_for(idle.id(), idle.id()) != [0] {
            std::thread::yield_now();
        }
        assert!(!activity(idle.id()).unwrap().is_runnable);
        assert!(activity(std::process::id()).unwrap().used >= Duration::from_millis(20));
        child.kill().unwrap();
        child.wait().unwrap();
        drop(idle.stdin.take());
        idle.wait().unwrap();
    }

    fn ticks_of(process: u32) -> u64 {
        ticks(&fs::read_to_string(format!("/proc/{process}/stat")).unwrap()).unwrap()
    }

    #[test]
    fn a_child_is_found_and_what_it_waits_for() {
        let mut child =
            Command::new("cat").stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let us = std::process::id();
        let link = loop {
            let link = fs::read_link(format!("/proc/{}/fd/0", child.id())).unwrap();
            if waited_for(child.id(), child.id()) == [0] {
                break link.to_string_lossy().into_owned();
            }
            std::thread::yield_now();
        };
        assert!(descendants(us).contains(&child.id()));
        let number = link.trim_start_matches("pipe:[").trim_end_matches(']').parse().ok();
        assert!(number.is_some(), "{link}");
        assert_eq!(waiting(us, number), Waiting::ForInput);
        drop(child.stdin.take());
        child.wait().unwrap();
    }
}
