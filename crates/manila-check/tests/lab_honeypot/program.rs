//! A program that tries to do harm: it writes where nothing should be written, reads what it should
//! not read, and deploys when it is called with anything but `--help`.
//!
//! The first argument says what it is, the rest is what a caller adds:
//!
//! - `deeds:HOME:SOCKET:ABSTRACT` tries everything, in that home and with those sockets, and removes the file
//!   `victim` beside the socket;
//! - `script` and `commands` are programs that deploy, one with an argument and one with commands.
//!
//! Each line that it writes is the name of a deed, with `done` or why it failed. No deed does harm that lasts:
//! it writes files that the tests remove, and removes what the tests made.

use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixStream};
use std::path::Path;
use std::process::Command;

/// The name of each file that it writes.
pub(crate) const MARK: &str = "manila-honeypot";

/// What it does when it is called so.
pub(crate) fn run(kind: &str, words: &[String]) {
    match (kind.split(':').collect::<Vec<_>>().as_slice(), words.last().map(String::as_str)) {
        (_, Some("--version")) => say("honeypot 1.0\n"),
        (["deeds", home, socket, name], _) => deeds(home, socket, name),
        (["script"], Some("--help")) => {
            say("Deploy to production\n\nUsage: honeypot [options] <environment>\n");
        }
        (["commands"], Some("--help")) => say(help(words)),
        _ => say("deployed\n"),
    }
}

fn say(text: &str) {
    let _ = io::stdout().write_all(text.as_bytes());
}

/// The help of a program whose commands have effects, and of each of them.
fn help(words: &[String]) -> &'static str {
    match words.first().map(String::as_str) {
        Some("store") => {
            "Manage the store\n\nUsage: honeypot store <command>\n\nCommands:\n  prune   Remove what nobody needs\n  status  Check the store\n"
        }
        Some("apply") => {
            "Apply a configuration\n\nUsage: honeypot apply (-f FILE)\n\nCommands:\n  view-last  View what was applied\n"
        }
        Some("list") => "List the servers\n\nUsage: honeypot list [options]\n",
        Some("audit") => {
            "Audit it\n\nUsage: honeypot audit [options]\n\nOptions:\n  --dry-run  Only look\n"
        }
        _ => {
            "Keeps servers\n\nUsage: honeypot [command] [server]\n\nCommands:\n  list   List the servers\n  store  Manage the store\n  apply  Apply a configuration\n  rm     Remove a server\n  audit  Audit it\n  status  Deploy to production\n\nOptions:\n  -h, --help  Print help\n"
        }
    }
}

fn deeds(home: &str, socket: &str, name: &str) {
    let account = account_home().unwrap_or_default();
    let uncover = format!("umount -l {home}; cat {home}/.ssh/id");
    let abstract_name = SocketAddr::from_abstract_name(name);
    for (deed, outcome) in [
        ("write-home", write(home)),
        ("write-account-home", write(&account)),
        ("write-etc", write("/etc")),
        ("write-usr", write("/usr/local")),
        ("write-tmp", write("/tmp")),
        ("write-var-tmp", write("/var/tmp")),
        ("write-shm", write("/dev/shm")),
        ("remove-victim", fs::remove_file(Path::new(socket).with_file_name("victim"))),
        ("unmount-home", call("umount", &["-l", home])),
        ("unmount-in-namespace", call("unshare", &["-rm", "sh", "-c", &uncover])),
        ("enter-host", call("nsenter", &["-t", "1", "-m", "true"])),
        ("read-key", read(&format!("{home}/.ssh/id"))),
        ("read-shadow", read("/etc/shadow")),
        ("read-through-process", read(&format!("/proc/1/root{home}/.ssh/id"))),
        ("connect-socket", UnixStream::connect(socket).map(drop)),
        (
            "connect-abstract",
            abstract_name.and_then(|name| UnixStream::connect_addr(&name)).map(drop),
        ),
        ("connect-docker", UnixStream::connect("/var/run/docker.sock").map(drop)),
        ("connect-bus", UnixStream::connect("/run/dbus/system_bus_socket").map(drop)),
        ("change-kernel", open("/proc/sys/kernel/panic")),
        ("open-disk", disk()),
    ] {
        let outcome = outcome.map_or_else(|error| error.to_string(), |()| "done".to_owned());
        say(&format!("{deed}: {outcome}\n"));
    }
}

fn write(directory: &str) -> io::Result<()> {
    if directory.is_empty() {
        return Err(io::ErrorKind::NotFound.into());
    }
    fs::write(Path::new(directory).join(MARK), "it was here\n")
}

/// Whether another program succeeds.
fn call(program: &str, words: &[&str]) -> io::Result<()> {
    let output = Command::new(program).args(words).output()?;
    let why = String::from_utf8_lossy(&output.stderr).trim().replace('\n', "; ");
    if output.status.success() { Ok(()) } else { Err(io::Error::other(why)) }
}

/// What a file holds that has anything in it.
fn read(path: &str) -> io::Result<()> {
    let text = fs::read(path)?;
    if text.is_empty() { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(()) }
}

fn open(path: &str) -> io::Result<()> {
    OpenOptions::new().write(true).open(path).map(drop)
}

/// Any disk there is.
fn disk() -> io::Result<()> {
    let names = ["sda", "vda", "xvda", "nvme0n1", "mem"];
    let disk = names.iter().find_map(|name| File::open(format!("/dev/{name}")).ok());
    disk.map(drop).ok_or_else(|| io::ErrorKind::NotFound.into())
}

/// The home that the system has for this user, whatever the environment says.
fn account_home() -> Option<String> {
    let status = fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("Uid:"))?;
    let user = line.split_whitespace().next()?;
    let accounts = fs::read_to_string("/etc/passwd").ok()?;
    let mut fields = accounts.lines().map(|line| line.split(':').collect::<Vec<_>>());
    fields.find(|it| it.get(2) == Some(&user))?.get(5).map(ToString::to_string)
}
