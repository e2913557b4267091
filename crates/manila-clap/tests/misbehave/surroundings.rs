//! Odd directories, values, limits and variables.

use crate::everywhere;
use crate::support::{misbehave, speaking};
use manila::Exit;
use manila::dialects::WRITTEN;
use std::ffi::OsString;
use std::os::unix::ffi::OsStringExt;

#[test]
fn a_call_in_a_deleted_directory_is_answered() {
    for dialect in WRITTEN {
        let name = format!("gone-{}", dialect.id().replace('/', "-"));
        let directory = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&directory).expect("a directory");
        let run = speaking(*dialect, "ok").inside(&directory);
        // Between fork and exec the directory is the current one already.
        let gone = || {
            let here = std::env::current_dir();
            let _ = here.and_then(std::fs::remove_dir);
        };
        run.first(gone).run().succeeds_quietly();
    }
}

// proves: F-016
#[test]
fn a_value_that_is_no_text_belongs_to_its_own_flag() {
    let odd = |flag: &[u8]| OsString::from_vec([flag, b"=\xff"].concat());
    for flag in [b"--output", b"--timeout" as &[u8], b"--color"] {
        let ran = misbehave("").arg(odd(flag)).arg("ok").run();
        let message = ran.fails(Exit::ArgError).error().expect("an error").message.clone();
        assert!(!message.contains("'ok'"), "{message}");
    }
}

#[test]
fn without_descriptors_to_spare_there_is_still_an_answer() {
    fn limit() {
        let few = libc::rlimit { rlim_cur: 4, rlim_max: 4 };
        // SAFETY: plain calls.
        #[expect(unsafe_code, reason = "limits have no safe interface here")]
        unsafe {
            // A descriptor that the caller of the tests left open would take the one that the loader needs.
            for inherited in 3..256 {
                libc::fcntl(inherited, libc::F_SETFD, libc::FD_CLOEXEC);
            }
            libc::setrlimit(libc::RLIMIT_NOFILE, &raw const few);
        }
    }
    for dialect in WRITTEN {
        // In some dialects the warning about it goes to stderr.
        speaking(*dialect, "ok").first(limit).run().succeeds();
    }
}

#[test]
fn names_for_the_call_from_outside_are_no_danger_to_the_document() {
    for trace in ["\u{1b}[31mred", "\"quoted\"", "two\nlines", "\u{202e}turned"] {
        for run in everywhere("ok") {
            run.env("MISBEHAVE_TRACE_ID", trace).run().succeeds();
        }
    }
}
