//! Owns: `manila run` on a terminal: the program has the terminal, and what is typed is for the program.
#![cfg(target_os = "linux")]
#![expect(clippy::expect_used, clippy::panic, reason = "a test may stop at the first surprise")]

mod support;
#[path = "support/tool.rs"]
mod tool;

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use showcase_test_support::default_signals;
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;
use support::skipped;
use tool::Tool;

/// Whatever takes longer will never come.
const FOREVER: Duration = Duration::from_secs(60);

/// A terminal, and manila on it as the leader of its session.
struct Terminal {
    keyboard: File,
    screen: Receiver<Vec<u8>>,
    seen: String,
    manila: Child,
}

impl Terminal {
    /// Nothing if this system has no `setsid` that hands over a terminal.
    fn with(tool: &Tool, flags: &[&str]) -> Option<Terminal> {
        let help = Command::new("setsid").arg("--help").output();
        if !help.is_ok_and(|help| String::from_utf8_lossy(&help.stdout).contains("--ctty")) {
            skipped("there is no `setsid --ctty`");
            return None;
        }
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).expect("a terminal");
        grantpt(&master).expect("a terminal");
        unlockpt(&master).expect("a terminal");
        let name = ptsname(&master, Vec::new()).expect("a name").into_string().expect("UTF-8");
        let slave = || {
            let file = File::options().read(true).write(true).open(&name).expect("a terminal");
            Stdio::from(file)
        };
        let mut command = Command::new("setsid");
        command.args([
            "--ctty",
            "--wait",
            env!("CARGO_BIN_EXE_manila"),
            "run",
            "--no-redirect-store",
        ]);
        command.args(flags).args(["--", &tool.path()]).env("TERM", "xterm").env_remove("NO_COLOR");
        default_signals(&mut command);
        let manila = command.stdin(slave()).stdout(slave()).stderr(slave()).spawn();
        drop(command);
        let mut screen = File::from(master);
        let keyboard = screen.try_clone().expect("a descriptor");
        let (send, receive) = channel();
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            while let Ok(read @ 1..) = screen.read(&mut bytes) {
                if send.send(bytes[..read].to_vec()).is_err() {
                    return;
                }
            }
        });
        let manila = manila.expect("manila starts");
        Some(Terminal { keyboard, screen: receive, seen: String::new(), manila })
    }

    /// Waits until this can be read on the screen.
    #[track_caller]
    fn shows(&mut self, text: &str) {
        while !self.seen.contains(text) {
            let Ok(bytes) = self.screen.recv_timeout(FOREVER) else {
                panic!("{text:?} never came: {:?}", self.seen);
            };
            self.seen.push_str(&String::from_utf8_lossy(&bytes));
        }
    }

    fn types(&mut self, keys: &str) {
        self.keyboard.write_all(keys.as_bytes()).expect("a keyboard");
    }

    fn ends(mut self) -> (ExitStatus, String) {
        let status = self.manila.wait().expect("it ends");
        while let Ok(bytes) = self.screen.recv_timeout(Duration::from_millis(50)) {
            self.seen.push_str(&String::from_utf8_lossy(&bytes));
        }
        (status, self.seen)
    }
}

#[test]
fn the_program_has_the_terminal_itself() {
    let tool = Tool::new("terminal-itself", "[ -t 0 ] && [ -t 1 ] && echo a terminal; exit 7");
    let Some(mut terminal) = Terminal::with(&tool, &[]) else { return };
    terminal.shows("a terminal\r\n");
    assert_eq!(terminal.ends().0.code(), Some(7));
}

#[test]
fn what_is_typed_to_interrupt_is_for_the_program() {
    let body = "trap 'echo caught' INT; echo ready; read -r a; echo one; read -r b; echo \"$a $b\"; exit 5";
    let tool = Tool::new("terminal-typed", body);
    let Some(mut terminal) = Terminal::with(&tool, &[]) else { return };
    terminal.shows("ready");
    terminal.types("\u{3}");
    terminal.shows("caught");
    terminal.types("\u{3}");
    terminal.types("x\ny\n");
    let (status, seen) = terminal.ends();
    assert_eq!(status.code(), Some(5), "{seen:?}");
}

#[test]
fn a_program_that_is_interrupted_ends_both() {
    let tool = Tool::new("terminal-interrupted", "echo ready; exec sleep 100");
    let Some(mut terminal) = Terminal::with(&tool, &[]) else { return };
    terminal.shows("ready");
    terminal.types("\u{3}");
    let (status, seen) = terminal.ends();
    // `setsid` ends with 128 and the signal, or by the signal itself.
    let interrupted = status.signal() == Some(2) || status.code() == Some(130);
    assert!(interrupted, "{status:?} {seen:?}");
}

#[test]
fn the_mode_of_the_terminal_is_restored_after_a_program_that_died() {
    let tool = Tool::new("terminal-mode", "stty -echo -icanon; kill -9 $$");
    let line = "stty -a | tr ' ' '\\n' | grep -x -e echo -e icanon";
    let Some(terminal) = Terminal::with(&tool, &[]) else { return };
    let slave = rustix::pty::ptsname(&terminal.keyboard, Vec::new()).expect("a name");
    let slave = slave.into_string().expect("UTF-8");
    let kept = File::open(&slave).expect("a terminal");
    terminal.ends();
    let after = Command::new("sh").args(["-c", line]).stdin(kept).output().expect("a shell");
    let words = String::from_utf8_lossy(&after.stdout).into_owned();
    assert_eq!(words.lines().collect::<Vec<_>>().len(), 2, "{words}");
}
