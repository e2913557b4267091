//! Owns: whatever happens to the inputs and outputs of a scan, its findings are kept, the error is
//! reported with its file, and the exit code says so.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]
#![cfg(unix)]

mod support;

use flate2::Compression;
use flate2::write::GzEncoder;
use serde_json::json;
use std::fs::{self, File, OpenOptions};
use std::io::{PipeWriter, Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;
use support::{Call, Ran, empty_dir, hung_up, manila, skipped, unprivileged};

const GOOD: &str = r#"{"ok":true,"type":"task","data":{"id":7}}"#;
const BAD: &str = r#"{"ok":true,"type":"task","data":null}"#;

fn scan(dir: &Path, line: &str) -> Call {
    let mut call = manila(["scan"].into_iter().chain(line.split_whitespace()));
    call.0.current_dir(dir);
    call
}

/// A shell that does something before it becomes manila.
fn shell(dir: &Path, before: &str, line: &str) -> Call {
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{before} exec \"$0\" scan {line}")]);
    command.arg(env!("CARGO_BIN_EXE_manila")).current_dir(dir);
    Call::of(command)
}

fn gzip(text: &str) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(text.as_bytes()).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}

fn lines(record: &str, count: usize) -> String {
    format!("{record}\n").repeat(count)
}

#[test]
fn a_gzip_file_that_stops_early_keeps_what_came_before() {
    let dir = empty_dir("scan_truncated");
    let whole = gzip(&lines(GOOD, 5000));
    fs::write(dir.join("cut.gz"), &whole[..whole.len() - 4]).expect("writes");
    fs::write(dir.join("next"), lines(BAD, 1)).expect("writes");
    let ran = scan(&dir, "cut.gz next --format json").run();
    let (report, message) = ran.failed_report(2, "INPUT_INCOMPLETE");
    assert!(message.starts_with("cut.gz: at byte 210000: the gzip data stop"), "{message}");
    assert_eq!((&report["records"], &report["bad"]), (&5001.into(), &1.into()));
    assert_eq!(report["unread"][0]["file"], "cut.gz");
    // People are shown the same.
    let ran = scan(&dir, "cut.gz next").run();
    assert!(ran.out().contains("5,001 records, 1 bad"), "{}", ran.out());
    assert!(
        ran.err().starts_with("error[INPUT_INCOMPLETE]: cut.gz: at byte 210000"),
        "{}",
        ran.err()
    );
}

#[test]
fn what_is_not_there_does_not_hide_what_is() {
    let dir = empty_dir("scan_missing");
    fs::write(dir.join("a"), lines(GOOD, 2)).expect("writes");
    let ran = scan(&dir, "no-1 a no-2 *.gz --format json").run();
    let (report, message) = ran.failed_report(2, "INPUT_INCOMPLETE");
    assert!(message.starts_with("no-1: there is no such file and 2 others"), "{message}");
    assert_eq!((&report["records"], &report["inputs"]), (&2.into(), &1.into()));
    let warnings = ran.err();
    assert!(warnings.contains("no-2") && warnings.contains("*.gz: no file matches"), "{warnings}");
    for line in ["no-1 --json", "no-1 no-2 --json"] {
        scan(&dir, line).run().error(5, "FILE_NOT_FOUND");
    }
    let message = scan(&dir, "no-1").run().refusal(5, "FILE_NOT_FOUND");
    assert!(message.contains("no-1"), "{message}");
}

#[test]
fn what_may_not_be_read_is_reported() {
    let dir = empty_dir("scan_forbidden");
    fs::create_dir(dir.join("closed")).expect("a directory");
    fs::write(dir.join("open"), lines(GOOD, 1)).expect("writes");
    fs::set_permissions(dir.join("closed"), fs::Permissions::from_mode(0o000)).expect("closes");
    let Some(account) = unprivileged(&dir) else {
        return skipped("no unprivileged account can run the program here");
    };
    let run = |line: &str| {
        let mut call = scan(&dir, line);
        account.apply(&mut call.0);
        call.run()
    };
    let (report, message) = run(". --format json").failed_report(2, "INPUT_INCOMPLETE");
    run("closed --json").error(7, "FILE_FORBIDDEN");
    fs::set_permissions(dir.join("closed"), fs::Permissions::from_mode(0o700)).expect("opens");
    assert!(message.contains("closed: it may not be read"), "{message}");
    assert_eq!(report["records"], 1);
}

#[test]
fn standard_input_that_gives_nothing_is_no_good_log() {
    let dir = empty_dir("scan_empty_stdin");
    scan(&dir, "--json").run().error(5, "EMPTY_INPUT");
    shell(&dir, "", "--json <&-").run().error(5, "EMPTY_INPUT");
    scan(&dir, "").input("").refusal(5, "EMPTY_INPUT");
    assert_eq!(scan(&dir, "--json").input("\n").data()["records"], 0);
}

#[test]
fn a_device_that_is_full_is_reported() {
    if !Path::new("/dev/full").exists() {
        return skipped("there is no /dev/full");
    }
    let dir = empty_dir("scan_full");
    fs::write(dir.join("log"), lines(GOOD, 3) + &lines(BAD, 2)).expect("writes");
    for line in ["--quarantine /dev/full", "--to td/1 -o /dev/full"] {
        let ran = scan(&dir, &format!("log --format json {line}")).run();
        let (report, message) = ran.failed_report(2, "OUTPUT_INCOMPLETE");
        assert!(message.starts_with("/dev/full: No space left on device"), "{message}");
        assert_eq!(report["records"], 5, "{line}");
    }
    let full = || OpenOptions::new().write(true).open("/dev/full").expect("opens");
    let ran = scan(&dir, "log --to td/1").stdout(full()).run();
    assert_eq!(ran.code(), 2, "{}", ran.err());
    assert!(ran.err().contains("stdout: No space left"), "{}", ran.err());
    let ran = scan(&dir, "log --format jsonl").stdout(full()).run();
    assert_eq!(ran.code(), 2, "{}", ran.err());
    let ran = scan(&dir, "log").stdout(full()).run();
    assert_ne!(ran.code(), 0, "{}", ran.err());
}

#[test]
fn a_file_that_cannot_grow_holds_whole_records_and_no_more_than_is_reported() {
    let dir = empty_dir("scan_file_limit");
    fs::write(dir.join("log"), lines(BAD, 1000)).expect("writes");
    // Blocks of 512 or 1024 bytes, as the shell has it; neither is a multiple of a record.
    let limit = "trap '' XFSZ; ulimit -f 8;";
    let ran = shell(&dir, limit, "log --format json --quarantine bad").run();
    let (report, message) = ran.failed_report(2, "OUTPUT_INCOMPLETE");
    assert!(message.starts_with("bad: File too large"), "{message}");
    let bad = fs::read_to_string(dir.join("bad")).expect("it is there");
    let kept = bad.len() / (BAD.len() + 1);
    assert!(kept > 0 && bad == lines(BAD, kept), "{} bytes", bad.len());
    let expected = json!({ "file": "bad", "records": kept, "bytes": bad.len(), "left_out": 0 });
    assert_eq!(report["quarantine"], expected);
}

#[test]
fn files_that_cannot_be_written_are_refused_before_anything_is_read() {
    let dir = empty_dir("scan_unwritable");
    fs::write(dir.join("log"), lines(GOOD, 1)).expect("writes");
    scan(&dir, "log --json --quarantine no/such/directory/bad").run().error(5, "FILE_NOT_FOUND");
    scan(&dir, "log --json --quarantine .").run().error(4, "FILE_UNWRITABLE");
}

#[test]
fn a_reader_that_hangs_up_ends_it_without_a_word() {
    let dir = empty_dir("scan_hung_up");
    fs::write(dir.join("good"), lines(GOOD, 50_000)).expect("writes");
    fs::write(dir.join("bad"), lines(BAD, 50_000)).expect("writes");
    let ran = scan(&dir, "good --to td/1").stdout(hung_up()).run();
    assert_eq!((ran.code(), ran.err().as_str()), (0, ""));
    for line in
        ["bad --limit all", "bad --limit all --format jsonl", "bad --limit all --output jsonl"]
    {
        let ran = scan(&dir, line).stdout(hung_up()).run();
        assert_eq!(ran.code(), 100, "{line}: {}", ran.err());
    }
}

#[test]
fn a_record_larger_than_the_limit_is_skipped_and_reported() {
    let dir = empty_dir("scan_large");
    let large =
        format!("{{\"ok\":true,\"type\":\"t\",\"data\":{{\"x\":\"{}\"}}}}", "y".repeat(100_000));
    fs::write(dir.join("log"), format!("{GOOD}\n{large}\n{BAD}\n{GOOD}\n")).expect("writes");
    let ran = scan(&dir, "log --format json --max-record 1000 --quarantine bad").run();
    let (report, message) = ran.failed_report(2, "OUTPUT_INCOMPLETE");
    assert!(message.starts_with("1 record could not be written"), "{message}");
    assert_eq!((&report["records"], &report["bad"]), (&4.into(), &2.into()));
    assert_eq!(report["violations"][0]["rule"], "record-too-large");
    assert_eq!(
        (&report["violations"][1]["line"], &report["quarantine"]["left_out"]),
        (&3.into(), &1.into())
    );
    assert_eq!(fs::read_to_string(dir.join("bad")).expect("reads"), lines(BAD, 1));
    scan(&dir, "log --format json --max-record 1000").run().failed_report(100, "VIOLATIONS_FOUND");
    scan(&dir, "log --format json").run().failed_report(100, "VIOLATIONS_FOUND");
}

#[test]
fn a_signal_ends_it_with_what_was_found() {
    let dir = empty_dir("scan_signal");
    let made = Command::new("mkfifo").arg(dir.join("pipe")).status();
    if !made.is_ok_and(|made| made.success()) {
        return skipped("there is no mkfifo");
    }
    fs::write(dir.join("log"), lines(GOOD, 2) + &lines(BAD, 1)).expect("writes");
    let child = scan(&dir, "log pipe --format json").0.spawn().expect("manila starts");
    // Opens once the other end is open: from then on manila waits for what never comes.
    let writer = OpenOptions::new().write(true).open(dir.join("pipe")).expect("opens");
    let kill = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(kill.is_ok_and(|kill| kill.success()));
    let (report, _) = Ran::of(child).failed_report(130, "CANCELLED");
    drop(writer);
    assert_eq!((&report["records"], &report["bad"]), (&3.into(), &1.into()), "{report}");
}

#[test]
fn a_record_that_was_begun_when_a_signal_came_is_not_judged() {
    let whole = lines(GOOD, 2);
    let begun = &GOOD[..20];
    let packed = gzip(&(whole.clone() + GOOD));
    let cut = &packed[..packed.len() - 12];
    for (command, what, bytes, unfinished) in [
        ("scan", "half a line", format!("{whole}{begun}").as_bytes(), Some(20)),
        ("stats", "half a line", format!("{whole}{begun}").as_bytes(), Some(20)),
        ("scan", "a record without its line break", (whole.clone() + GOOD).as_bytes(), Some(41)),
        ("scan", "an open bracket", format!("{whole}{{\n\"ok\":true,\n").as_bytes(), Some(13)),
        ("scan", "packed", cut, None),
    ] {
        let (reader, mut writer) = std::io::pipe().expect("a pipe");
        writer.write_all(bytes).expect("writes");
        let pipe = reader.try_clone().expect("another name of it");
        let mut call = manila([command, "--format", "json", "-"]);
        let child = call.0.stdin(reader).spawn().expect("manila starts");
        // Everything was read, and it waits for more.
        while rustix::io::ioctl_fionread(&pipe).expect("a number") > 0 {
            std::thread::yield_now();
        }
        let kill = Command::new("kill").args(["-TERM", &child.id().to_string()]).status();
        assert!(kill.is_ok_and(|kill| kill.success()));
        let ran = Ran::of(child);
        drop(writer);
        let (report, _) = ran.failed_report(143, "CANCELLED");
        assert_eq!(report["unread"], json!([]), "{what}: {report}");
        if let Some(unfinished) = unfinished {
            assert_eq!(report["unfinished"], unfinished, "{what}: {report}");
            assert_eq!(report["records"], 2, "{what}: {report}");
            let warning =
                format!("interrupted, {unfinished} bytes of an unfinished record not judged");
            assert!(ran.err().contains(&warning), "{what}: {}", ran.err());
        }
        if command == "scan" {
            assert_eq!(report["bad"], 0, "{what}: {report}");
        }
    }
}

#[test]
fn a_file_that_is_no_log_is_a_log_of_bad_records() {
    let dir = empty_dir("scan_garbage");
    let garbage: Vec<u8> =
        (0..100_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    for bytes in [&garbage[..], &[0; 5000], &[0xff; 5000], &[b'{'; 5000], &[b'\n'; 5000]] {
        fs::write(dir.join("log"), bytes).expect("writes");
        let ran = scan(&dir, "log --json --limit 2").run();
        let is_blank = bytes == [b'\n'; 5000];
        assert_eq!(ran.code(), if is_blank { 0 } else { 100 });
        // Nothing steers a terminal.
        let ran = scan(&dir, "log").run();
        assert!(support::strange_escapes(&ran.stdout).is_empty());
    }
}

/// A terminal: the end that the test reads, and the one that programs write to.
fn terminal() -> (File, File) {
    use rustix::fs::{Mode, OFlags};
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    let ours = openpt(flags).expect("a terminal");
    grantpt(&ours).and_then(|()| unlockpt(&ours)).expect("it is opened");
    let name = ptsname(&ours, Vec::new()).expect("its name");
    // A test without a terminal of its own shall not get this one.
    let flags = OFlags::RDWR | OFlags::NOCTTY | OFlags::CLOEXEC;
    let theirs = rustix::fs::open(name, flags, Mode::empty()).expect("its other end");
    (File::from(ours), File::from(theirs))
}

/// A scan that has read a record and waits for more; it ends when the writer is dropped.
fn waiting(stderr: impl Into<Stdio>) -> (Child, PipeWriter) {
    let (reader, mut writer) = std::io::pipe().expect("a pipe");
    let pipe = reader.try_clone().expect("another name of it");
    let mut call = manila(["scan", "-"]).env("TERM", "xterm").stderr(stderr);
    for name in ["CI", "GITHUB_ACTIONS", "JENKINS_URL"] {
        call.0.env_remove(name);
    }
    let child = call.0.stdin(reader).spawn().expect("manila starts");
    writer.write_all(lines(GOOD, 1).as_bytes()).expect("writes");
    while rustix::io::ioctl_fionread(&pipe).expect("a number") > 0 {
        std::thread::yield_now();
    }
    (child, writer)
}

/// Whatever takes longer will never come.
const FOREVER: Duration = Duration::from_secs(60);

#[test]
fn progress_is_shown_on_a_terminal_and_nowhere_else() {
    // Whatever shows that a line is due to the second, shows that it was due to the first.
    let (silent, until) = waiting(Stdio::piped());
    let (mut ours, theirs) = terminal();
    let (watched, until_too) = waiting(theirs);
    let (send, receive) = channel();
    std::thread::spawn(move || {
        let (mut seen, mut chunk) = (String::new(), [0; 1024]);
        while seen.matches("/s").count() < 3 {
            let read = ours.read(&mut chunk).expect("it is shown");
            seen.push_str(&String::from_utf8_lossy(&chunk[..read]));
        }
        send.send(seen)
    });
    let seen = receive.recv_timeout(FOREVER).expect("lines of progress");
    assert!(seen.starts_with("\r\u{1b}[K"), "{seen:?}");
    drop((until, until_too));
    for child in [silent, watched] {
        let ran = Ran::of(child);
        assert_eq!((ran.code(), ran.err().as_str()), (0, ""));
        assert!(ran.out().contains("1 record, all good"), "{}", ran.out());
    }
}
