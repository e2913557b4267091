//! Code that a document shows, run as its reader would run it.

use crate::skipped;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Whether this machine has a tool; says so if it has not.
pub fn is_installed(tool: &str) -> bool {
    let found = Command::new(tool)
        .arg("--version")
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok();
    if !found {
        skipped(&format!("{tool} is not installed"));
    }
    found
}

/// Code for `sh` or `python3`, run where the program can be called by its own name.
pub struct Snippet<'s> {
    /// `sh` or `python3`.
    pub interpreter: &'s str,
    /// The code, as the document has it.
    pub code: &'s str,
    /// What the document calls the program, and the file that it is.
    pub program: (&'s str, &'s str),
    /// Where it runs; also its home.
    pub directory: &'s Path,
}

impl Snippet<'_> {
    /// Runs it to its end.
    pub fn run(&self) -> Output {
        let bin = self.directory.join(".bin");
        fs::create_dir_all(&bin).unwrap();
        let (name, binary) = self.program;
        let _ = symlink(binary, bin.join(name));
        let path = std::env::var("PATH").unwrap_or_default();
        Command::new(self.interpreter)
            .args(["-c", self.code])
            .current_dir(self.directory)
            .env_clear()
            .env("PATH", format!("{}:{path}", bin.display()))
            .env("HOME", self.directory)
            .env("LC_ALL", "C.UTF-8")
            .stdin(Stdio::null())
            .output()
            .unwrap()
    }
}
