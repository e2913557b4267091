//! A failure can be written where nothing may be allocated, such as in a signal handler.
#![expect(unsafe_code, reason = "an allocator that counts is an allocator")]
#![expect(clippy::expect_used, reason = "a test that cannot go on fails")]

use manila::{
    Content, DIALECTS, Defaults, Envelope, ErrorObject, Exit, Lines, Meta, Phase, write_into,
};
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<usize> = const { Cell::new(0) };
}

// SAFETY: it is the system's allocator, and counting needs no memory.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: passed on as it came.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: passed on as it came.
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: passed on as it came.
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn failure(exit: Exit) -> Envelope {
    let error = ErrorObject {
        phase: Some(Phase::Execution),
        retryable: Some(false),
        ..ErrorObject::new("CANCELLED", "a signal ended the run")
    };
    let meta = Meta {
        duration_ms: Some(u64::MAX),
        request_id: Some("req_1".to_owned()),
        timestamp: Some("2026-04-22T10:10:00Z".to_owned()),
        cwd: Some("/a \"b\"/\u{e9}".to_owned()),
        ..Meta::default()
    };
    let content = Content { error: Some(error), meta, ..Content::default() };
    Envelope::new(exit, content).expect("a failure")
}

#[test]
fn no_dialect_allocates_while_it_writes_a_failure() {
    for dialect in DIALECTS {
        for exit in [Exit::General, Exit::Timeout] {
            for lines in [Lines::AsUsual, Lines::One] {
                let (envelope, memory) = (failure(exit), Vec::with_capacity(4096));
                let defaults = Defaults::default();
                let before = ALLOCATIONS.get();
                let written = write_into(memory, &envelope, *dialect, &defaults, lines);
                let after = ALLOCATIONS.get();
                assert_eq!(after - before, 0, "{dialect:?} {exit:?} {lines:?}");
                assert!(written.document.ends_with(b"}\n"));
                let breaks = written.document.split(|byte| *byte == b'\n').count() - 1;
                assert!(lines == Lines::AsUsual || breaks == 1, "{dialect:?}");
            }
        }
    }
}
