//! What only Linux has, in a process after a fork.
#![expect(unsafe_code, reason = "calls of the system that have no safe form")]

use super::rules::{Namespaces, Rules};
use libc::c_int;
use std::fs;
use std::ops::Range;
use std::ptr;

pub(super) use super::mount::{FileSystem, base, build, enter as enter_file_system};

/// The rights that a program of the superuser keeps in its namespace: over files that it may see, over
/// itself, and over low ports. None of them changes what is mounted.
const KEPT_RIGHTS: [libc::c_ulong; 9] = [
    0,  // CAP_CHOWN
    1,  // CAP_DAC_OVERRIDE
    3,  // CAP_FOWNER
    4,  // CAP_FSETID
    5,  // CAP_KILL
    6,  // CAP_SETGID
    7,  // CAP_SETUID
    8,  // CAP_SETPCAP
    10, // CAP_NET_BIND_SERVICE
];
/// Memory that is smaller is copied as fast as it is left out.
const LARGE: usize = 256 << 10;
/// More rights than there are.
const MOST_RIGHTS: libc::c_ulong = 64;

/// Where the memory is that this process has allocated, but for the stack and the variables of this thread. Nothing that
/// runs between a fork and a program needs it.
pub(super) fn allocated() -> Vec<Range<usize>> {
    let local = 0_u8;
    // SAFETY: it is a place of this thread, of which only the address is taken.
    let kept = [(&raw const local).addr(), unsafe { libc::__errno_location() }.addr()];
    allocated_in(&fs::read_to_string("/proc/self/maps").unwrap_or_default(), kept)
}

/// The same of a list of mappings, without those that hold an address that is kept.
fn allocated_in(maps: &str, kept: [usize; 2]) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    let mut file_end = 0;
    for line in maps.lines() {
        let mut fields = line.split_ascii_whitespace();
        let range = fields.next().and_then(|range| range.split_once('-'));
        let address = |text: &str| usize::from_str_radix(text, 16).ok();
        let Some((Some(start), Some(end))) =
            range.map(|(start, end)| (address(start), address(end)))
        else {
            continue;
        };
        let [access, _, _, inode] = [(); 4].map(|()| fields.next().unwrap_or_default());
        if inode != "0" {
            file_end = end;
            continue;
        }
        // What follows a file are the variables of a program or a library that begin as zero.
        let is_allocated = access == "rw-p"
            && start != file_end
            && end - start >= LARGE
            && fields.next() != Some("[stack]");
        if is_allocated && !kept.iter().any(|address| (start..end).contains(address)) {
            found.push(start..end);
        }
    }
    found
}

/// Leaves this memory out of the copies of this process. Several are made for each run, and to copy the tables of a
/// large caller's memory takes longer than a small program does.
///
/// # Safety
/// No copy of this process uses the memory.
pub(super) unsafe fn leave_out(memory: &[Range<usize>]) {
    for range in memory {
        let start = ptr::with_exposed_provenance_mut(range.start);
        // SAFETY: it changes what a copy gets, and nothing here; what is no longer there is refused.
        unsafe { libc::madvise(start, range.len(), libc::MADV_DONTFORK) };
    }
}

pub(super) unsafe fn unshare(is_without_network: bool) -> bool {
    let network = if is_without_network { libc::CLONE_NEWNET } else { 0 };
    let flags = libc::CLONE_NEWUSER | libc::CLONE_NEWNS | libc::CLONE_NEWIPC | network;
    // SAFETY: it takes numbers only.
    unsafe { libc::unshare(flags) == 0 }
}

/// Nothing that is started may become another user, use our keys, or change what is mounted.
pub(super) unsafe fn drop_rights(rules: &Rules<'_>) {
    // SAFETY: all calls take numbers only.
    unsafe {
        libc::prctl(libc::PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
        if rules.containment == Namespaces::None {
            return;
        }
        for right in (0..MOST_RIGHTS).filter(|right| !KEPT_RIGHTS.contains(right)) {
            libc::prctl(libc::PR_CAPBSET_DROP, right, 0, 0, 0);
        }
        libc::syscall(libc::SYS_keyctl, libc::KEYCTL_JOIN_SESSION_KEYRING, 0, 0, 0, 0);
    }
}

/// Lets programs talk to themselves on 127.0.0.1; one that cannot is none the worse for it.
pub(super) unsafe fn loopback() {
    // SAFETY: the request is as long as the system reads, and lives as long as the call.
    unsafe {
        let socket = libc::socket(libc::AF_INET, libc::SOCK_DGRAM, 0);
        let mut request: libc::ifreq = std::mem::zeroed();
        for (to, from) in request.ifr_name.iter_mut().zip(c"lo".to_bytes()) {
            *to = libc::c_char::from_ne_bytes([*from]);
        }
        request.ifr_ifru.ifru_flags =
            libc::c_short::try_from(libc::IFF_UP | libc::IFF_RUNNING).unwrap_or(0);
        libc::ioctl(socket, libc::SIOCSIFFLAGS as _, &raw const request);
        libc::close(socket);
    }
}

/// Makes orphans the init's own children, and bounds how many processes there may be.
pub(super) unsafe fn prepare_init(rules: &Rules<'_>) {
    // SAFETY: numbers, and a text that lives as long as the program.
    unsafe {
        libc::prctl(libc::PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
        if rules.containment == Namespaces::None {
            return;
        }
        if let Some(text) = rules.process_numbers {
            let most = libc::open(c"/proc/sys/kernel/pid_max".as_ptr(), libc::O_WRONLY);
            libc::write(most, text.as_ptr().cast(), text.len());
            libc::close(most);
        }
    }
}

/// Ends our own children, whatever group they are in. What they leave becomes ours.
pub(super) unsafe fn kill_children() {
    // SAFETY: the list is read into a place as large as is said.
    unsafe {
        let mut text = [0_u8; 4096];
        let list = libc::open(c"/proc/thread-self/children".as_ptr(), libc::O_RDONLY);
        let length = libc::read(list, text.as_mut_ptr().cast(), text.len());
        libc::close(list);
        let mut number: c_int = 0;
        for byte in text.iter().take(usize::try_from(length).unwrap_or(0)) {
            if byte.is_ascii_digit() {
                number = number.wrapping_mul(10).wrapping_add(c_int::from(byte - b'0'));
                continue;
            }
            // A number that is cut at the end is none.
            if number > 1 {
                libc::kill(number, libc::SIGKILL);
            }
            number = 0;
        }
    }
}

/// Has the system stop this process as soon as another program is loaded into it.
pub(super) unsafe fn be_watched() -> bool {
    // SAFETY: it takes numbers only.
    unsafe { libc::ptrace(libc::PTRACE_TRACEME, 0, 0, 0) == 0 }
}

/// Waits for this, or until a child has ended.
pub(super) unsafe fn wait_for_child_or(asked: *mut libc::pollfd) -> c_int {
    // SAFETY: the place is the caller's; between looking and waiting no signal is lost, as it is
    // let through by the wait alone.
    unsafe {
        let mut none: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut none);
        libc::ppoll(asked, 1, ptr::null(), &raw const none)
    }
}

/// A copy of this process, the first one of a namespace of processes if there are any; as `fork`, but
/// without whatever the C library does then, for which it may take locks.
pub(super) unsafe fn new_process(namespaces: Namespaces) -> c_int {
    let new = if namespaces == Namespaces::None { 0 } else { libc::CLONE_NEWPID };
    let flags = libc::c_long::from(new | libc::SIGCHLD);
    let [first, second] = if cfg!(target_arch = "s390x") { [0, flags] } else { [flags, 0] };
    // SAFETY: without a stack of its own the copy continues where this one is.
    let process = unsafe { libc::syscall(libc::SYS_clone, first, second, 0, 0, 0) };
    c_int::try_from(process).unwrap_or(-1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_large_memory_that_was_allocated_is_left_out() {
        let maps = "\
00400000-00900000 r-xp 00000000 08:01 7 /bin/p
00900000-00a00000 rw-p 00500000 08:01 7 /bin/p
00a00000-00f00000 rw-p 00000000 00:00 0
01000000-02000000 rw-p 00000000 00:00 0 [heap]
7f0000000000-7f0000800000 rw-p 00000000 00:00 0
7f0001000000-7f0001800000 rw-p 00000000 00:00 0
7f0002000000-7f0002001000 rw-p 00000000 00:00 0
7f0003000000-7f0003800000 r--p 00000000 00:00 0
7f0004000000-7f0004800000 rw-s 00000000 00:01 9 /dev/zero (deleted)
7f0005000000-7f0005800000 rw-p 00000000 00:00 0 [stack]
";
        let found = allocated_in(maps, [0x7f00_0100_1000, 0]);
        assert_eq!(found, [0x100_0000..0x200_0000, 0x7f00_0000_0000..0x7f00_0080_0000]);
        assert!(allocated_in("nonsense\n1-\n", [0, 0]).is_empty());
    }

    #[test]
    fn memory_of_this_process_is_found_and_its_stack_is_not() {
        let large = vec![1_u8; 64 << 20];
        let holds = |address: usize| allocated().iter().any(|range| range.contains(&address));
        assert!(holds(large.as_ptr().addr() + (32 << 20)));
        assert!(!holds((&raw const large).addr()));
    }
}
