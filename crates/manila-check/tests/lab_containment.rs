//! Owns: what a program does stays in the lab, and nothing of it is left.

mod lab_support;

use lab_support::{
    assert_exited, hasty, inner, is_confined, patient, plain, run, script, stdout, within,
};
use manila::Status;
use manila_check::Network;
use manila_check::internal::{Conditions, Ended, Lab, Place, Stdout};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

/// Whether a process has this among its arguments.
fn is_running(mark: &str) -> bool {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let lines = entries.filter_map(|entry| fs::read(entry.path().join("cmdline")).ok());
    lines.into_iter().any(|line| line.split(|byte| *byte == 0).any(|it| it == mark.as_bytes()))
}

#[test]
fn a_child_that_is_left_is_counted_and_ended() {
    let mark = "86001.5";
    let run =
        run(&format!("sleep {mark} >/dev/null 2>&1 </dev/null & echo done"), plain(), patient());
    assert_exited(&run, 0);
    assert_eq!((run.left, stdout(&run).as_str()), (1, "done\n"));
    assert!(!is_running(mark));
}

#[test]
fn a_daemon_is_counted_and_ended() {
    let mark = "86002.5";
    let text = format!("(setsid setsid sleep {mark} >/dev/null 2>&1 </dev/null &) ; exit 0");
    let run = run(&text, plain(), patient());
    assert_exited(&run, 0);
    assert_eq!(run.left, 1);
    assert!(!is_running(mark));
}

#[test]
fn a_child_that_ends_soon_is_not_left() {
    let quick = run("(exit 0) & exit 0", plain(), patient());
    assert_exited(&quick, 0);
    assert_eq!(quick.left, 0);
}

#[test]
fn a_child_that_keeps_the_output_open_is_reported() {
    let mark = "86003.5";
    let run = run(&format!("echo out; sleep {mark} & exit 0"), plain(), patient());
    assert_eq!((run.ended, run.left), (Ended::HeldOpen, 1));
    assert_eq!((run.transcript.status, stdout(&run).as_str()), (Status::Exited(0), "out\n"));
    assert!(!is_running(mark));
}

#[test]
fn a_bomb_of_processes_is_bounded_and_ended() {
    if !is_confined() {
        return;
    }
    let mark = "86004.5";
    // It would be four thousand; no system that runs tests is troubled by that many.
    let text = format!(
        "bomb() {{ [ $1 -gt 0 ] && {{ bomb $(($1 - 1)) & bomb $(($1 - 1)) & }}; exec sleep {mark}; }}
        bomb 12 2>/dev/null"
    );
    let run = run(&text, plain(), hasty());
    assert!(matches!(run.ended, Ended::AtLimit(_)), "{:?}", run.ended);
    assert!(!is_running(mark));
}

#[test]
fn the_program_is_not_the_first_process_and_sees_few() {
    if !is_confined() {
        return;
    }
    let run = run("echo $$", plain(), patient());
    assert_eq!(stdout(&run), "2\n");
}

#[test]
fn the_user_is_the_same() {
    let ours = Command::new("id").stdin(Stdio::null()).output().map(|it| it.stdout);
    let run = run("id -u; id -g", plain(), patient());
    let ours = String::from_utf8(ours.unwrap_or_default()).unwrap_or_default();
    let mut theirs = stdout(&run);
    theirs.truncate(theirs.trim_end().len());
    let (user, group) = theirs.split_once('\n').unwrap_or_default();
    assert!(ours.contains(&format!("uid={user}")) && ours.contains(&format!("gid={group}")));
}

#[test]
fn nothing_but_itself_can_be_reached() {
    if !is_confined() {
        return;
    }
    let cut = run("cat /proc/net/dev", plain(), patient());
    let names = |text: &str| -> Vec<String> {
        let lines = text.lines().filter_map(|line| line.split_once(':'));
        lines.map(|(name, _)| name.trim().to_owned()).collect()
    };
    assert_eq!(names(&stdout(&cut)), ["lo"]);
    let kept =
        run("cat /proc/net/dev", plain(), Conditions { network: Network::Host, ..patient() });
    let ours = fs::read_to_string("/proc/net/dev").unwrap_or_default();
    assert_eq!(names(&stdout(&kept)), names(&ours));
}

#[test]
fn what_it_writes_is_reported() {
    let text = "echo h >\"$HOME/.state\"; echo t >\"$TMPDIR/t\"; mkdir -p a/b; echo w >a/b/w";
    let run = run(text, plain(), patient());
    let wrote: Vec<_> = run.wrote.iter().map(|it| (it.place, it.path.as_str())).collect();
    assert_eq!(
        wrote,
        [(Place::Home, ".state"), (Place::Temporary, "t"), (Place::Working, "a/b/w")]
    );
    assert_eq!(run.wrote[2].head, b"w\n");
}

#[test]
fn a_program_that_deletes_its_directories_does_no_harm() {
    let run = run("rm -rf \"$PWD\" \"$HOME\" \"$TMPDIR\"; echo gone", plain(), patient());
    assert_exited(&run, 0);
    assert_eq!(stdout(&run), "gone\n");
}

#[test]
fn nothing_is_left_of_directories_that_may_not_be_written() {
    let text = "mkdir -p locked/inner; echo x >locked/inner/f; chmod 0 locked/inner locked; pwd";
    let run = run(text, plain(), patient());
    assert_exited(&run, 0);
    let directory = stdout(&run);
    assert!(directory.starts_with(&run.directory), "{directory}");
    assert!(!Path::new(directory.trim_end()).exists());
    let root = Path::new(&run.directory).parent().map(Path::to_owned);
    assert!(root.is_some_and(|root| !root.exists()), "the lab is gone, and so is its directory");
}

#[test]
fn signals_have_their_defaults() {
    let run = run("grep -E 'Sig(Blk|Ign)' /proc/self/status", plain(), patient());
    assert_eq!(stdout(&run).lines().count(), 2);
    for line in stdout(&run).lines() {
        let set = line.split_whitespace().nth(1).and_then(|set| u64::from_str_radix(set, 16).ok());
        // Two numbers are the C library's own.
        assert_eq!(set.map(|set| set & 0x7fff_ffff), Some(0), "{line}");
    }
}

#[test]
fn a_large_file_is_cut_short() {
    let run = run("ulimit -f; ulimit -c", plain(), patient());
    assert_eq!(stdout(&run), "2097152\n0\n", "blocks of 512 bytes");
}

#[test]
fn a_caller_that_ignores_its_children_learns_how_they_end() {
    let test = std::env::current_exe().unwrap();
    let mut command = Command::new("/bin/sh");
    command.args(["-c", "trap '' CHLD HUP INT; exec \"$0\" \"$@\""]).arg(test);
    inner(command, "in_a_caller_of_an_odd_kind");
}

#[test]
#[ignore = "it is called by another test, from a process that ignores signals"]
fn in_a_caller_of_an_odd_kind() {
    let run = run("kill -INT $$; exit 3", plain(), patient());
    assert_eq!(
        (run.ended, run.transcript.status),
        (Ended::ByItself, Status::Signaled(libc::SIGINT))
    );
    assert_exited(
        &self::run("exit 3", plain().with_stdout(Stdout::Terminal { columns: 80 }), patient()),
        3,
    );
}

#[test]
fn no_process_and_no_descriptor_is_left_of_a_lab() {
    let test = std::env::current_exe().unwrap();
    // In a process of its own, where no other test has any.
    inner(Command::new(test), "in_a_caller_that_counts");
}

#[test]
#[ignore = "it is called by another test, in a process of its own"]
fn in_a_caller_that_counts() {
    let count = |what: &str| fs::read_dir(what).map_or(0, Iterator::count);
    let children = || -> String {
        let tasks = fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
        let lists = tasks.map(|task| fs::read_to_string(task.path().join("children")));
        lists.filter_map(Result::ok).collect()
    };
    let before = (count("/proc/self/fd"), children());
    let subject = script("echo out; echo err >&2; sleep 86005.5 >/dev/null 2>&1 &");
    let kinds = [Stdout::Pipe, Stdout::File, Stdout::Terminal { columns: 80 }, Stdout::SlowPipe];
    let probes: Vec<_> = kinds.iter().map(|stdout| plain().with_stdout(*stdout)).collect();
    let made = within(move || Lab::open(&subject, patient()).map(|lab| lab.run(&probes)));
    assert!(made.is_ok_and(|runs| runs.iter().all(Option::is_some)));
    assert_eq!((count("/proc/self/fd"), children()), before);
}

#[test]
fn no_process_outlives_a_check_that_is_killed() {
    let test = std::env::current_exe().unwrap();
    let directory = tempfile::tempdir().unwrap();
    let mut check = Command::new(test);
    check.args(["--exact", "--ignored", "in_a_caller_that_is_killed"]);
    check.env("TMPDIR", directory.path()).stdin(Stdio::null()).stdout(Stdio::null());
    let mut check = check.spawn().unwrap();
    // A process that ends on its own does not show that it can be killed.
    let has_ended = |check: &mut std::process::Child| check.try_wait().unwrap().is_some();
    while !is_running(KILLED) {
        assert!(!has_ended(&mut check), "it ended before it ran anything");
        std::thread::yield_now();
    }
    assert!(check.kill().is_ok() && check.wait().is_ok());
    within(|| {
        while is_running(KILLED) {
            std::thread::yield_now();
        }
    });
}

const KILLED: &str = "86006.5";

#[test]
#[ignore = "it is called by another test, which kills it"]
fn in_a_caller_that_is_killed() {
    run(&format!("setsid sleep {KILLED} & wait"), plain(), patient());
}
