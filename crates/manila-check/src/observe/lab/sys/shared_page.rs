//! The memory that is shared with the processes that start programs: one page per run at a time, on
//! which we write the call, and they write how it went.
#![expect(unsafe_code, reason = "memory that is shared with other processes has no safe form")]

use libc::{c_char, c_void};
use std::ffi::{CStr, CString};
use std::io;
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicU64};

/// How large a page is; the system takes no longer arguments than half of it anyway, and gives
/// memory only for what is written.
const SIZE: usize = 4 << 20;

/// A call, as the system wants it.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) program: CString,
    pub(crate) argv: Vec<CString>,
    pub(crate) variables: Vec<CString>,
    pub(crate) directory: CString,
    pub(crate) start: Start,
    pub(crate) has_terminal: bool,
    /// How many process ids are used up before that of the program.
    pub(crate) used_ids: u8,
}

/// How far a program is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// To its end.
    Whole,
    /// Until the system has loaded it; it does nothing at all.
    Trial,
}

/// The header of a page. The pointers lead into the page itself, which is at the same address in
/// all processes that share it.
#[repr(C)]
pub(super) struct SharedPage {
    pub(super) program: *const c_char,
    pub(super) argv: *const *const c_char,
    pub(super) variables: *const *const c_char,
    pub(super) directory: *const c_char,
    pub(super) is_trial: bool,
    pub(super) has_terminal: bool,
    pub(super) used_ids: u8,
    /// The number of the init, as we see it.
    pub(super) init: AtomicI32,
    /// Why the program could not be started, or zero.
    pub(super) refusal: AtomicI32,
    /// The step at which its file system could not be put together.
    pub(super) step: AtomicI32,
    /// What wait says about the program.
    pub(super) status: AtomicI32,
    /// The largest it ever was, as the system counts.
    pub(super) peak: AtomicU64,
}

/// All pages.
#[derive(Debug)]
pub(super) struct SharedPages {
    start: *mut c_void,
    count: usize,
}

// SAFETY: it is a place and a length; code that writes to a page has its only slot.
unsafe impl Send for SharedPages {}
// SAFETY: as above; what both sides write while the other reads is atomic.
unsafe impl Sync for SharedPages {}

impl SharedPages {
    pub(super) fn new(count: usize) -> io::Result<SharedPages> {
        let flags = libc::MAP_SHARED | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: new memory at a place that the system chooses.
        let start = unsafe { libc::mmap(ptr::null_mut(), count * SIZE, access, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(SharedPages { start, count })
    }

    /// The page of that number, which is less than their count.
    pub(super) fn at(&self, number: u8) -> *mut SharedPage {
        let number = usize::from(number).min(self.count - 1);
        // SAFETY: it is within the memory that was made for so many, and its start is that of a page.
        unsafe { self.start.byte_add(number * SIZE).cast() }
    }
}

impl Drop for SharedPages {
    fn drop(&mut self) {
        // SAFETY: it was made by `new`, and code that has a slot has borrowed it.
        unsafe { libc::munmap(self.start, self.count * SIZE) };
    }
}

/// Writes a call down. Nothing of the last one is left.
///
/// Nothing else may use the page at the same time.
pub(super) fn write(page: *mut SharedPage, call: &Call) -> io::Result<()> {
    let start: *mut u8 = page.cast();
    let mut pen = Pen { start, at: size_of::<SharedPage>() };
    let program = pen.text(&call.program)?;
    let directory = pen.text(&call.directory)?;
    let argv = pen.texts(&call.argv)?;
    let variables = pen.texts(&call.variables)?;
    let new = SharedPage {
        program,
        argv,
        variables,
        directory,
        is_trial: call.start == Start::Trial,
        has_terminal: call.has_terminal,
        used_ids: call.used_ids,
        init: AtomicI32::new(0),
        refusal: AtomicI32::new(0),
        step: AtomicI32::new(0),
        status: AtomicI32::new(0),
        peak: AtomicU64::new(0),
    };
    // SAFETY: the page is ours alone until the fork server is asked, and larger than its top.
    unsafe { page.write(new) };
    Ok(())
}

/// The content of a page that was written.
pub(super) fn read(pages: &SharedPages, number: u8) -> &SharedPage {
    // SAFETY: zero, which is there from the start, is a value too; what others change is atomic.
    unsafe { &*pages.at(number) }
}

/// Writes texts and lists of them behind the top of a page.
struct Pen {
    start: *mut u8,
    at: usize,
}

impl Pen {
    fn place(&mut self, length: usize) -> io::Result<*mut u8> {
        let end = self.at.checked_add(length).filter(|end| *end <= SIZE);
        let end = end.ok_or_else(|| io::Error::from_raw_os_error(libc::E2BIG))?;
        // SAFETY: it ends within the page.
        let place = unsafe { self.start.add(self.at) };
        self.at = end;
        Ok(place)
    }

    fn text(&mut self, text: &CStr) -> io::Result<*const c_char> {
        let bytes = text.to_bytes_with_nul();
        let place = self.place(bytes.len())?;
        // SAFETY: the place is as long as the text, and no part of it.
        unsafe { ptr::copy_nonoverlapping(bytes.as_ptr(), place, bytes.len()) };
        Ok(place.cast())
    }

    /// A list as the system wants it, with a null at its end.
    fn texts(&mut self, texts: &[CString]) -> io::Result<*const *const c_char> {
        let mut places = Vec::with_capacity(texts.len() + 1);
        for text in texts {
            places.push(self.text(text)?);
        }
        places.push(ptr::null());
        self.at = self.at.next_multiple_of(align_of::<*const c_char>());
        let list: *mut *const c_char = self.place(size_of_val(places.as_slice()))?.cast();
        // SAFETY: the place is as long as the list, is aligned for a pointer, and does not overlap
        // it.
        unsafe { ptr::copy_nonoverlapping(places.as_ptr(), list, places.len()) };
        Ok(list)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(argument: &str) -> Call {
        let text = |text: &str| CString::new(text).unwrap();
        Call {
            program: text("/bin/p"),
            argv: vec![text("p"), text(argument)],
            variables: vec![text("A=1")],
            directory: text("/"),
            start: Start::Whole,
            has_terminal: false,
            used_ids: 0,
        }
    }

    #[test]
    fn what_is_written_can_be_read_in_the_form_of_the_system() {
        let pages = SharedPages::new(2).unwrap();
        write(pages.at(1), &call("one")).unwrap();
        let page = read(&pages, 1);
        // SAFETY: it was written just now.
        let words = unsafe {
            assert!((*page.argv.add(2)).is_null() && (*page.variables.add(1)).is_null());
            [*page.argv, *page.argv.add(1), *page.variables].map(|text| CStr::from_ptr(text))
        };
        assert_eq!(words, [c"p", c"one", c"A=1"]);
    }

    #[test]
    fn what_is_too_long_is_refused_as_the_system_would() {
        let pages = SharedPages::new(1).unwrap();
        let error = write(pages.at(0), &call(&"x".repeat(SIZE))).unwrap_err();
        assert_eq!(error.raw_os_error(), Some(libc::E2BIG));
    }
}
