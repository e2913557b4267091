//! One session: commands are run, and what they print is shown line by line as it comes.

use std::fs;
use std::io::{self, BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use tempfile::TempDir;

const WIDTH: usize = 80;

/// How a line is shown.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Tone {
    /// A command.
    Typed,
    /// What failed.
    Bad,
    /// What was decided.
    Decided,
    /// What worked.
    Good,
    /// What a program wrote.
    Quiet,
}

impl Tone {
    fn escape(self) -> &'static str {
        match self {
            Tone::Typed => "\u{1b}[1m",
            Tone::Bad => "\u{1b}[31m",
            Tone::Decided => "\u{1b}[36m",
            Tone::Good => "\u{1b}[32m",
            Tone::Quiet => "\u{1b}[2m",
        }
    }
}

/// One line of the session.
pub(crate) struct Line {
    pub(crate) tone: Tone,
    pub(crate) text: String,
    /// What a command is there to show.
    pub(crate) comment: &'static str,
}

pub(crate) struct Session {
    directory: TempDir,
    path: std::ffi::OsString,
    coloured: bool,
    lines: Vec<Line>,
}

impl Session {
    /// A directory in which this executable is also called `manila` and `orders`.
    pub(crate) fn begin(coloured: bool) -> io::Result<Session> {
        let directory = tempfile::Builder::new().prefix("manila-demo-").tempdir()?;
        let programs = directory.path().join("bin");
        fs::create_dir(&programs)?;
        let ourselves = std::env::current_exe()?;
        for name in ["manila", "orders"] {
            std::os::unix::fs::symlink(&ourselves, programs.join(name))?;
        }
        fs::write(directory.path().join("calls"), "")?;
        let old = std::env::var_os("PATH").unwrap_or_default();
        let all = std::iter::once(programs).chain(std::env::split_paths(&old));
        let path = std::env::join_paths(all).map_err(io::Error::other)?;
        Ok(Session { directory, path, coloured, lines: Vec::new() })
    }

    pub(crate) fn lines(&self) -> &[Line] {
        &self.lines
    }

    /// A repository whose index is locked, as by another git that is at work.
    pub(crate) fn locked_repository(&self) -> io::Result<()> {
        let shop = self.directory.path().join("shop");
        let git = |words: &[&str]| {
            let done = self.command("git").arg("init").arg("-q").args(words).status()?;
            if done.success() { Ok(()) } else { Err(io::Error::other("git init failed")) }
        };
        git(&[&shop.to_string_lossy()])?;
        fs::write(shop.join("orders"), "7\n")?;
        let staged = self.command("git").args(["-C", "shop", "add", "orders"]).status()?;
        if !staged.success() {
            return Err(io::Error::other("git add failed"));
        }
        fs::write(self.lock(), "")
    }

    fn lock(&self) -> PathBuf {
        self.directory.path().join("shop/.git/index.lock")
    }

    /// Runs a command of `manila run --explain` and shows attempts, decisions and the first line of what else is said.
    pub(crate) fn run(&mut self, typed: &str, comment: &'static str) -> io::Result<()> {
        let mut child = self.start(typed, comment)?;
        let stderr = child.stderr.take().map(BufReader::new);
        let mut attempt = 0;
        let mut is_shown = false;
        for line in stderr.into_iter().flat_map(BufRead::lines) {
            let line = line?;
            if line.starts_with("attempt ") {
                attempt += 1;
                is_shown = false;
            } else if line.starts_with("  waiting ") {
                // The other git is done.
                let _ = fs::remove_file(self.lock());
            } else if let Some(answer) = line.strip_prefix("  ").and_then(without_usage) {
                let tone = if answer.starts_with("SUCCESS") { Tone::Good } else { Tone::Bad };
                self.show(tone, &format!("attempt {attempt}: {answer}"));
            } else if line.ends_with(')') && line.contains(" (row ") {
                if !line.contains("(row 0 ") {
                    self.show(Tone::Decided, &line);
                }
            } else if !is_shown && !line.starts_with("  ") && !line.starts_with("manila: ") {
                is_shown = true;
                let directory = self.directory.path().display().to_string();
                self.show(Tone::Quiet, &line.replace(&directory, "…"));
            }
        }
        let output = child.wait_with_output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        for line in text.lines().take(1) {
            self.show(Tone::Quiet, line);
        }
        Ok(())
    }

    /// Runs a check and shows its first finding.
    pub(crate) fn check(&mut self, typed: &str, comment: &'static str) -> io::Result<()> {
        let output = self.start(typed, comment)?.wait_with_output()?;
        let text = String::from_utf8_lossy(&output.stdout);
        let finding = text.lines().skip_while(|line| !line.starts_with("error["));
        let directory = self.directory.path().join("bin/").display().to_string();
        let finding = finding.take_while(|line| !line.is_empty());
        // How many more calls there are depends on what is probed.
        for line in finding.filter(|line| !line.contains("= and ")) {
            let tone = match line {
                _ if line.starts_with("error[") => Tone::Bad,
                _ if line.contains("= fix") => Tone::Decided,
                _ => Tone::Quiet,
            };
            self.show(tone, &line.replace(&directory, ""));
        }
        Ok(())
    }

    fn start(&mut self, typed: &str, comment: &'static str) -> io::Result<std::process::Child> {
        self.line(Tone::Typed, format!("$ {typed}"), comment);
        let words = shlex::split(typed).unwrap_or_default();
        let (program, words) = words.split_first().ok_or_else(|| io::Error::other("no command"))?;
        let mut command = self.command(program);
        command.args(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
    }

    /// A command that starts in the directory with nothing configured.
    fn command(&self, program: &str) -> Command {
        let mut command = Command::new(program);
        command
            .current_dir(self.directory.path())
            .env("PATH", &self.path)
            .env("HOME", self.directory.path())
            .env("NO_COLOR", "1")
            .env("LC_ALL", "C")
            .envs(["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"].map(|name| (name, "demo")))
            .envs(["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"].map(|name| (name, "demo@localhost")))
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env_remove("XDG_CONFIG_HOME")
            .env_remove("XDG_DATA_HOME")
            .stdin(Stdio::null());
        for name in ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"] {
            command.env_remove(name);
        }
        command
    }

    fn show(&mut self, tone: Tone, text: &str) {
        for text in fitted(tone, text) {
            self.line(tone, text, "");
        }
    }

    fn line(&mut self, tone: Tone, text: String, comment: &'static str) {
        let mut out = io::stdout().lock();
        let (escape, quiet, reset) = if self.coloured {
            (tone.escape(), Tone::Quiet.escape(), "\u{1b}[0m")
        } else {
            ("", "", "")
        };
        // A reader that has gone away misses the rest, and the picture is still written.
        let _ = if comment.is_empty() {
            writeln!(out, "{escape}{text}{reset}")
        } else {
            writeln!(out, "{escape}{text}{reset}{quiet}  # {comment}{reset}")
        };
        self.lines.push(Line { tone, text, comment });
    }
}

/// A line in a terminal of 80 columns: what a program wrote is cut, what manila says goes on below.
fn fitted(tone: Tone, line: &str) -> Vec<String> {
    if line.chars().count() <= WIDTH {
        return vec![line.to_owned()];
    }
    let cut = line.char_indices().nth(WIDTH - 1).map_or(line.len(), |(at, _)| at);
    match line[..cut].rfind(" (").or_else(|| line[..cut].rfind(' ')) {
        Some(space) if tone != Tone::Quiet => {
            vec![line[..space].to_owned(), format!("    {}", &line[space + 1..])]
        }
        _ => vec![format!("{}…", &line[..cut])],
    }
}

/// The line on an answer without its duration and size; nothing for any other line.
fn without_usage(line: &str) -> Option<&str> {
    let (line, bytes) = line.rsplit_once(", ")?;
    let (line, time) = line.rsplit_once(", ")?;
    (bytes.ends_with(" bytes") && time.ends_with(" ms")).then_some(line)
}
