//! One byte on a socket, with descriptors beside it. Nothing here allocates or takes a lock, so both sides
//! of a fork may use it.
#![expect(unsafe_code, reason = "passing descriptors to another process has no safe form")]

use super::errno::last_error;
use libc::c_int;
use std::io::{self, ErrorKind};
use std::os::fd::RawFd;

/// How many descriptors come with a byte at most: control, stdout, error and, unless it is
/// closed, input.
pub(super) const PASSED: usize = 4;
/// Room for so many descriptors beside a message, in words so that it begins where it must.
const ROOM: usize = 8;

/// Sends a byte with descriptors beside it.
pub(super) fn pass(socket: RawFd, byte: u8, fds: &[RawFd]) -> io::Result<()> {
    let fds = &fds[..fds.len().min(PASSED)];
    let mut room = [0_u64; ROOM];
    let mut part = libc::iovec { iov_base: (&raw const byte).cast_mut().cast(), iov_len: 1 };
    let length = u32::try_from(size_of_val(fds)).unwrap_or(u32::MAX);
    // SAFETY: a struct of numbers and places, for which zero is a value.
    let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
    message.msg_iov = &raw mut part;
    message.msg_iovlen = 1;
    if !fds.is_empty() {
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
    }
    #[cfg(target_os = "linux")]
    let quietly = libc::MSG_NOSIGNAL;
    #[cfg(not(target_os = "linux"))]
    let quietly = 0;
    loop {
        // SAFETY: all that the message leads to lives as long as the call.
        match unsafe { libc::sendmsg(socket, &raw const message, quietly) } {
            1 => return Ok(()),
            _ => match io::Error::last_os_error() {
                error if error.kind() == ErrorKind::Interrupted => {}
                error => return Err(error),
            },
        }
    }
}

/// The next byte, and the descriptors that come with it, which belong to the caller; nothing at the end.
pub(super) fn receive(from: RawFd, passed: &mut [c_int; PASSED]) -> Option<u8> {
    #[cfg(target_os = "linux")]
    let flags = libc::MSG_CMSG_CLOEXEC;
    #[cfg(not(target_os = "linux"))]
    let flags = 0;
    // SAFETY: every pointer leads to a variable here, and the room is larger than so many descriptors
    // need.
    unsafe {
        loop {
            let mut byte = 0_u8;
            let mut part = libc::iovec { iov_base: (&raw mut byte).cast(), iov_len: 1 };
            let mut room = [0_u64; ROOM];
            let mut message: libc::msghdr = std::mem::zeroed();
            message.msg_iov = &raw mut part;
            message.msg_iovlen = 1;
            message.msg_control = room.as_mut_ptr().cast();
            message.msg_controllen = size_of_val(&room) as _;
            match libc::recvmsg(from, &raw mut message, flags) {
                1 => {}
                -1 if last_error() == libc::EINTR => continue,
                _ => return None,
            }
            let beside = libc::CMSG_FIRSTHDR(&raw const message);
            if !beside.is_null() && (*beside).cmsg_type == libc::SCM_RIGHTS {
                let length = (*beside).cmsg_len as usize - libc::CMSG_LEN(0) as usize;
                let count = (length / size_of::<c_int>()).min(PASSED);
                let fds: *const c_int = libc::CMSG_DATA(beside).cast();
                for (at, fd) in passed.iter_mut().enumerate().take(count) {
                    *fd = fds.add(at).read_unaligned();
                }
            }
            return Some(byte);
        }
    }
}
