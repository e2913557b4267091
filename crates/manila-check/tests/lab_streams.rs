//! Owns: every kind of output and input that a run can have.

mod lab_support;

use lab_support::{
    assert_exited, hasty, patient, plain, program, run, run_of, skipped, stderr, stdout,
};
use manila::Status;
use manila_check::internal::{Ended, Stdin, Stdout, Waiting};

const BOTH: &str = "printf out; printf err >&2; exit 3";

#[test]
fn pipes_keep_the_streams_apart() {
    let run = run(BOTH, plain(), patient());
    assert_exited(&run, 3);
    assert_eq!((stdout(&run), stderr(&run)), ("out".to_owned(), "err".to_owned()));
    assert_eq!(run.written, [3, 3]);
    assert!(run.wrote.is_empty() && run.started.is_empty() && run.left == 0, "{run:?}");
}

#[test]
fn files_hold_what_pipes_do() {
    let run = run(BOTH, plain().with_stdout(Stdout::File), patient());
    assert_exited(&run, 3);
    assert_eq!((stdout(&run), stderr(&run)), ("out".to_owned(), "err".to_owned()));
    assert!(run.wrote.is_empty(), "the files are not the program's: {:?}", run.wrote);
}

#[test]
fn terminals_alter_nothing_and_are_two() {
    let text = r"[ -t 0 ] && [ -t 1 ] && [ -t 2 ] || exit 9
        printf 'a\nb\tc\r\n'; printf err >&2; stty size; : >/dev/tty";
    let run = run(text, plain().with_stdout(Stdout::Terminal { columns: 44 }), patient());
    assert_exited(&run, 0);
    assert_eq!((stdout(&run).as_str(), stderr(&run).as_str()), ("a\nb\tc\r\n24 44\n", "err"));
    assert!(!run.is_terminal_changed);
}

#[test]
fn a_large_answer_arrives_whole_on_every_kind_of_stdout() {
    let text = "head -c 300000 /dev/zero | tr '\\0' x; echo end";
    let kinds = [Stdout::Pipe, Stdout::File, Stdout::SlowPipe, Stdout::Terminal { columns: 80 }];
    for stdout in kinds {
        let run = run(text, plain().with_stdout(stdout), patient());
        assert_exited(&run, 0);
        assert_eq!(run.transcript.stdout.len(), 300_004, "{stdout:?}");
        assert!(run.transcript.stdout.ends_with(b"xend\n"), "{stdout:?}");
    }
}

#[test]
fn a_slow_reader_lets_the_pipe_fill() {
    // It ends with whatever fits into a pipe without a reader.
    let fills = "import os,sys
os.set_blocking(1, False)
try:
    while True: os.write(1, b'x' * 4096)
except BlockingIOError: sys.exit(7)";
    let Some(python) = python() else {
        return skipped("there is no python3, which can write to a pipe without waiting");
    };
    let run =
        run_of(program([&python, "-c", fills]), plain().with_stdout(Stdout::SlowPipe), patient());
    assert_exited(&run, 7);
    assert!(run.written[0] >= 64 << 10, "{}", run.written[0]);
}

fn python() -> Option<String> {
    let found = ["/usr/bin/python3", "/usr/local/bin/python3"];
    found.into_iter().find(|path| std::path::Path::new(path).exists()).map(str::to_owned)
}

#[test]
fn a_reader_that_leaves_is_noticed_by_the_writer() {
    let text = "printf 0123456789; while echo more; do :; done";
    let run = run(text, plain().with_stdout(Stdout::ClosedPipe { after: 4 }), patient());
    assert_eq!(stdout(&run), "0123");
    assert_eq!(run.ended, Ended::ByItself);
    assert_eq!(run.transcript.status, Status::Signaled(libc::SIGPIPE));
}

#[test]
fn a_reader_that_was_never_there_is_noticed_at_once() {
    let run =
        run("echo x; echo y >&2", plain().with_stdout(Stdout::ClosedPipe { after: 0 }), patient());
    assert_eq!(run.transcript.status, Status::Signaled(libc::SIGPIPE));
    assert_eq!((stdout(&run).as_str(), run.written), ("", [0, 0]));
}

#[test]
fn an_empty_input_is_at_its_end() {
    for kind in [Stdout::Pipe, Stdout::Terminal { columns: 80 }] {
        let run = run("cat; echo done", plain().with_stdout(kind), patient());
        assert_exited(&run, 0);
        assert_eq!(stdout(&run), "done\n");
    }
}

#[test]
fn a_silent_input_makes_a_reader_wait_for_it() {
    let run = run("cat", plain().with_stdin(Stdin::Silent), hasty());
    assert_eq!(run.ended, Ended::AtLimit(Waiting::ForInput));
}

#[test]
fn a_silent_input_does_not_delay_a_program_that_reads_none() {
    assert_exited(&run("exit 4", plain().with_stdin(Stdin::Silent), patient()), 4);
}

#[test]
fn a_program_that_prompts_waits_for_the_terminal() {
    for text in ["read answer", "read answer </dev/tty"] {
        let probe = plain().with_stdout(Stdout::Terminal { columns: 80 }).with_stdin(Stdin::Silent);
        let run = run(text, probe, hasty());
        assert_eq!(run.ended, Ended::AtLimit(Waiting::ForTerminal), "{text}");
    }
}

#[test]
fn a_closed_input_is_no_descriptor() {
    let run =
        run("[ -e /dev/fd/0 ] && exit 1; exit 0", plain().with_stdin(Stdin::Closed), patient());
    assert_exited(&run, 0);
}

#[test]
fn no_pipe_has_a_terminal_behind_it() {
    let text = "[ -t 0 ] || [ -t 1 ] || [ -t 2 ] || (: </dev/tty) 2>/dev/null || exit 5";
    assert_exited(&run(text, plain(), patient()), 5);
}

#[test]
fn a_terminal_in_another_mode_is_reported() {
    let changes =
        run("stty -echo -icanon", plain().with_stdout(Stdout::Terminal { columns: 80 }), patient());
    assert_exited(&changes, 0);
    assert!(changes.is_terminal_changed);
    let text = "mode=$(stty -g); stty raw -echo; stty \"$mode\"";
    let restores = run(text, plain().with_stdout(Stdout::Terminal { columns: 80 }), patient());
    assert_exited(&restores, 0);
    assert!(!restores.is_terminal_changed);
}

#[test]
fn no_descriptor_of_ours_reaches_the_program() {
    let run = run("ls /proc/self/fd", plain(), patient());
    // The last one is the listing itself.
    assert_eq!(stdout(&run).split_whitespace().collect::<Vec<_>>(), ["0", "1", "2", "3"]);
}

#[test]
fn random_bytes_come_as_they_are() {
    let text = "head -c 100000 /dev/urandom | tee \"$HOME/copy\"";
    let run = run(text, plain(), patient());
    assert_exited(&run, 0);
    assert_eq!(run.transcript.stdout.len(), 100_000);
    let copy = &run.wrote[0].head;
    assert_eq!(copy.len(), 64 << 10);
    assert!(run.transcript.stdout.starts_with(copy));
}
