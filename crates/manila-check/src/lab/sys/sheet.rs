//! The memory that is shared with the processes that start programs: one sheet per run at a time, on
//! which we write the call, and they write how it went.
#![expect(unsafe_code, reason = "memory that is shared with other processes has no safe form")]

use libc::{c_char, c_void};
use std::ffi::{CStr, CString};
use std::io;
use std::ptr;
use std::sync::atomic::{AtomicI32, AtomicU64};

/// How large a sheet is; the system takes no longer arguments than half of it anyway, and gives
/// memory only for what is written.
const SIZE: usize = 4 << 20;

/// A call, as the system wants it.
#[derive(Debug)]
pub(crate) struct Call {
    pub(crate) program: CString,
    pub(crate) argv: Vec<CString>,
    pub(crate) variables: Vec<CString>,
    pub(crate) folder: CString,
    pub(crate) start: Start,
    pub(crate) has_terminal: bool,
}

/// How far a program is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Start {
    /// To its end.
    Whole,
    /// Until the system has loaded it; it does nothing at all.
    Trial,
}

/// What stands at the top of a sheet. The pointers lead into the sheet itself, which is at the same
/// place in all processes that share it.
#[repr(C)]
pub(super) struct Sheet {
    pub(super) program: *const c_char,
    pub(super) argv: *const *const c_char,
    pub(super) variables: *const *const c_char,
    pub(super) folder: *const c_char,
    pub(super) is_trial: bool,
    pub(super) has_terminal: bool,
    /// The number of the keeper, as we see it.
    pub(super) keeper: AtomicI32,
    /// Why the program could not be started, or zero.
    pub(super) refusal: AtomicI32,
    /// The step at which its file system could not be put together.
    pub(super) step: AtomicI32,
    /// What wait says about the program.
    pub(super) status: AtomicI32,
    /// The largest it ever was, as the system counts.
    pub(super) peak: AtomicU64,
}

/// All sheets.
#[derive(Debug)]
pub(super) struct Sheets {
    start: *mut c_void,
    count: usize,
}

// SAFETY: it is a place and a length; whoever writes to a sheet has the only seat at it.
unsafe impl Send for Sheets {}
// SAFETY: as above; what both sides write while the other reads is atomic.
unsafe impl Sync for Sheets {}

impl Sheets {
    pub(super) fn new(count: usize) -> io::Result<Sheets> {
        let flags = libc::MAP_SHARED | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE;
        let access = libc::PROT_READ | libc::PROT_WRITE;
        // SAFETY: new memory at a place that the system chooses.
        let start = unsafe { libc::mmap(ptr::null_mut(), count * SIZE, access, flags, -1, 0) };
        if start == libc::MAP_FAILED {
            return Err(io::Error::last_os_error());
        }
        Ok(Sheets { start, count })
    }

    /// The sheet of that number, which is less than their count.
    pub(super) fn at(&self, number: u8) -> *mut Sheet {
        let number = usize::from(number).min(self.count - 1);
        // SAFETY: it is within the memory that was made for so many, and its start is that of a page.
        unsafe { self.start.byte_add(number * SIZE).cast() }
    }
}

impl Drop for Sheets {
    fn drop(&mut self) {
        // SAFETY: it was made by `new`, and whoever has a seat has borrowed it.
        unsafe { libc::munmap(self.start, self.count * SIZE) };
    }
}

/// Writes a call down. Nothing of the last one is left.
///
/// Nobody else may use the sheet at the same time.
pub(super) fn write(sheet: *mut Sheet, call: &Call) -> io::Result<()> {
    let start: *mut u8 = sheet.cast();
    let mut pen = Pen { start, at: size_of::<Sheet>() };
    let program = pen.text(&call.program)?;
    let folder = pen.text(&call.folder)?;
    let argv = pen.texts(&call.argv)?;
    let variables = pen.texts(&call.variables)?;
    let new = Sheet {
        program,
        argv,
        variables,
        folder,
        is_trial: call.start == Start::Trial,
        has_terminal: call.has_terminal,
        keeper: AtomicI32::new(0),
        refusal: AtomicI32::new(0),
        step: AtomicI32::new(0),
        status: AtomicI32::new(0),
        peak: AtomicU64::new(0),
    };
    // SAFETY: the sheet is ours alone until the starter is asked, and larger than its top.
    unsafe { sheet.write(new) };
    Ok(())
}

/// What stands on a sheet that was written.
pub(super) fn read(sheets: &Sheets, number: u8) -> &Sheet {
    // SAFETY: nought, which is there from the start, is a value too; what others change is atomic.
    unsafe { &*sheets.at(number) }
}

/// Writes texts and lists of them behind the top of a sheet.
struct Pen {
    start: *mut u8,
    at: usize,
}

impl Pen {
    fn place(&mut self, length: usize) -> io::Result<*mut u8> {
        let end = self.at.checked_add(length).filter(|end| *end <= SIZE);
        let end = end.ok_or_else(|| io::Error::from_raw_os_error(libc::E2BIG))?;
        // SAFETY: it ends within the sheet.
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
        // SAFETY: the place is as long as the list, begins where a pointer may, and is no part of it.
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
            folder: text("/"),
            start: Start::Whole,
            has_terminal: false,
        }
    }

    #[test]
    fn what_is_written_can_be_read_in_the_form_of_the_system() {
        let sheets = Sheets::new(2).unwrap();
        write(sheets.at(1), &call("one")).unwrap();
        let sheet = read(&sheets, 1);
        // SAFETY: it was written just now.
        let words = unsafe {
            assert!((*sheet.argv.add(2)).is_null() && (*sheet.variables.add(1)).is_null());
            [*sheet.argv, *sheet.argv.add(1), *sheet.variables].map(|text| CStr::from_ptr(text))
        };
        assert_eq!(words, [c"p", c"one", c"A=1"]);
    }

    #[test]
    fn what_is_too_long_is_refused_as_the_system_would() {
        let sheets = Sheets::new(1).unwrap();
        let error = write(sheets.at(0), &call(&"x".repeat(SIZE))).unwrap_err();
        assert_eq!(error.raw_os_error(), Some(libc::E2BIG));
    }
}
