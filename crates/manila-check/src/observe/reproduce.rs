//! What a person types into bash to see what a run showed.

use crate::observe::lab::{SeenCanary, below_home, seen_canaries};
use crate::observe::probe::{Home, Purpose, Signal, Stdin, Stdout};
use crate::observe::run::{Ended, Run};
use crate::observe::sample_input;
use crate::subject::Subject;
use manila::visible::is_unseen;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

/// How long a program may take to be under way, and then to react, in seconds.
const UNDER_WAY: u32 = 1;
const GRACE: u32 = 5;
/// Words that mean something else to a shell than the program of that name.
const BUILTINS: &[&str] = &[
    "[", "alias", "bind", "builtin", "cd", "command", "declare", "dirs", "echo", "enable", "eval",
    "exec", "exit", "export", "false", "fc", "fg", "hash", "help", "history", "jobs", "kill",
    "let", "local", "logout", "printf", "pwd", "read", "set", "shift", "source", "suspend", "test",
    "time", "times", "trap", "true", "type", "ulimit", "umask", "unset", "wait",
];

/// A line for bash that does what the probe of a run did; for a program that reads its input, with none.
pub fn reproduce(subject: &Subject, run: &Run, reads_input: bool) -> String {
    let (probe, setting) = (&run.probe, &run.probe.setting);
    if probe.purpose == Purpose::Recorded {
        return joined(run.transcript.argv.iter().map(String::as_str));
    }
    let reads_input = reads_input || matches!(run.ended, Ended::AtLimit(_));
    let preparation = preparation(subject, run);
    let program = program(subject, preparation.is_elsewhere);
    let mut words = variables(subject, run, &preparation);
    let is_builtin = program.first().is_some_and(|name| BUILTINS.contains(&name.as_str()));
    if !words.is_empty() || is_builtin {
        words.insert(0, "env".to_owned());
    }
    words.extend(program);
    words.extend(probe.args.iter().map(|word| quoted_bytes(word)));
    let mut line = words.join(" ");
    if let Some(signal) = setting.signal {
        let name = signal_name(signal);
        line = format!("timeout --preserve-status -k {GRACE} -s {name} {UNDER_WAY} {line}");
    }
    line = with_terminal(line, setting.stdout);
    line += match (setting.stdin, setting.stdout) {
        (Stdin::Empty, Stdout::Terminal { .. }) => " < /dev/null",
        (Stdin::Empty, _) if reads_input => " < /dev/null",
        (Stdin::Empty, _) | (Stdin::Silent, Stdout::Terminal { .. }) => "",
        (Stdin::Silent, _) => " < <(sleep 60)",
        (Stdin::Closed, _) => " <&-",
    };
    line = match setting.stdout {
        Stdout::Pipe | Stdout::Terminal { .. } => line,
        Stdout::File => format!("{line} > out 2> err"),
        Stdout::SlowPipe => format!("{line} | (sleep 1; cat)"),
        Stdout::ClosedPipe { after: 0 } => format!("(sleep 1; {line}) | true"),
        Stdout::ClosedPipe { after } => format!("{line} | head -c {after}"),
    };
    let mut steps = preparation.steps;
    if setting.home == Home::Used {
        steps.push(format!("{line} > /dev/null 2>&1"));
    }
    if steps.is_empty() {
        return line;
    }
    steps.push(line);
    format!("({})", steps.join("; "))
}

/// The words that start the program: as they were typed, or so that they are found from any directory.
fn program(subject: &Subject, is_elsewhere: bool) -> Vec<String> {
    let shown = subject.shown.iter().map(|word| quoted(word));
    if !is_elsewhere {
        return shown.collect();
    }
    // A name is looked for in `PATH`.
    let is_name = subject.shown.first().is_some_and(|word| !word.contains('/'));
    let is_same = subject.shown.len() == subject.argv.len();
    let named = shown.take(usize::from(is_name && is_same));
    let skipped = named.len();
    named.chain(subject.argv.iter().skip(skipped).map(|word| quoted_bytes(word))).collect()
}

fn signal_name(signal: Signal) -> &'static str {
    match signal {
        Signal::Interrupt => "INT",
        Signal::Terminate => "TERM",
    }
}

/// The line in a terminal of its own.
fn with_terminal(line: String, stdout: Stdout) -> String {
    let Stdout::Terminal { columns } = stdout else { return line };
    // The shell that reads it is the user's, and some do not know all quotes of bash.
    let shell = if line.contains("$'") { "SHELL=/bin/bash " } else { "" };
    format!("{shell}script -qec {} /dev/null", quoted(&format!("stty cols {columns}; {line}")))
}

/// What has to be done before the call.
#[derive(Debug, Default)]
struct Preparation {
    steps: Vec<String>,
    /// Whether that leads to another directory.
    is_elsewhere: bool,
    /// Whether the home is another one.
    has_home: bool,
}

impl Preparation {
    /// Goes to a new directory.
    fn go(&mut self, below: &str) {
        if !self.is_elsewhere {
            self.is_elsewhere = true;
            self.steps.push("cd \"$(mktemp -d)\"".to_owned());
            if !below.is_empty() {
                self.steps.push(format!("mkdir -p {below}; cd {below}"));
            }
        }
    }

    /// Has a new home, where no variable leads out of it.
    fn settle(&mut self) {
        if !self.has_home {
            self.has_home = true;
            let names: Vec<&str> = below_home().collect();
            self.steps.push(format!("unset {}", names.join(" ")));
            self.steps.push("export HOME=\"$(mktemp -d)\"".to_owned());
        }
    }
}

fn preparation(subject: &Subject, run: &Run) -> Preparation {
    let mut preparation = Preparation::default();
    let home = run.probe.setting.home;
    if home == Home::Elsewhere {
        preparation.go("'some where/else'");
    }
    if matches!(home, Home::Elsewhere | Home::Used) {
        preparation.settle();
    }
    match &subject.fixture {
        Some(fixture) => {
            preparation.go("");
            preparation.steps.push(format!("cp -r {}/. .", quoted_bytes(fixture.as_os_str())));
        }
        None => {
            for (path, content) in sample_input::named_by(&run.probe.args) {
                preparation.go("");
                if let Some((directory, _)) = path.rsplit_once('/') {
                    preparation.steps.push(format!("mkdir -p {directory}"));
                }
                // It has no sign that means something to `printf`.
                let content = content.replace('\n', "\\n");
                preparation.steps.push(format!("printf '{content}' > {path}"));
            }
        }
    }
    for canary in seen_canaries(run, &subject.name()) {
        if let SeenCanary::File { path, content } = canary {
            preparation.settle();
            if let Some((directory, _)) = path.rsplit_once('/') {
                preparation.steps.push(format!("mkdir -p ~/{}", quoted(directory)));
            }
            let content = quoted(content.trim_end());
            preparation.steps.push(format!("echo {content} > ~/{}", quoted(&path)));
        }
    }
    preparation
}

/// The words for `env`: what is taken away, then what is set.
fn variables(subject: &Subject, run: &Run, preparation: &Preparation) -> Vec<String> {
    let setting = &run.probe.setting;
    let mut unset: Vec<String> = Vec::new();
    let mut set: Vec<String> = Vec::new();
    if setting.home == Home::Unset && !preparation.has_home {
        unset.push("HOME".to_owned());
        unset.extend(below_home().map(str::to_owned));
    }
    for (name, value) in &subject.variables {
        let name = name.to_string_lossy();
        if setting.variables.contains_key(name.as_ref()) {
            continue;
        }
        // A secret stays where it is.
        let is_secret = SECRETS.iter().any(|word| name.to_uppercase().contains(word));
        let value = if is_secret { format!("\"${name}\"") } else { quoted_bytes(value) };
        set.push(format!("{name}={value}"));
    }
    for canary in seen_canaries(run, &subject.name()) {
        if let SeenCanary::Variable { name, value } = canary {
            set.push(format!("{name}={}", quoted(&value)));
        }
    }
    for (name, value) in &setting.variables {
        match value {
            Some(value) => set.push(format!("{name}={}", quoted(value))),
            None => unset.push(name.clone()),
        }
    }
    unset.into_iter().map(|name| format!("-u {name}")).chain(set).collect()
}

/// Parts of the names of variables whose values are not shown.
const SECRETS: &[&str] = &["TOKEN", "SECRET", "PASS", "KEY", "CREDENTIAL", "AUTH"];

/// Words as a shell takes them.
pub fn joined<'w>(words: impl Iterator<Item = &'w str>) -> String {
    words.map(quoted).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    quoted_bytes(OsStr::new(word))
}

/// A word for a shell. One that cannot be shown as it is, or is not UTF-8, is in the quotes of bash.
fn quoted_bytes(word: &OsStr) -> String {
    let shown = word.to_str().filter(|word| !word.chars().any(is_unseen));
    if let Some(quoted) = shown.and_then(|word| shlex::try_quote(word).ok()) {
        return quoted.into_owned();
    }
    let mut text = String::from("$'");
    for byte in word.as_bytes() {
        match byte {
            b'\'' | b'\\' => text.extend(['\\', char::from(*byte)]),
            0x20..=0x7e => text.push(char::from(*byte)),
            _ => text.push_str(&format!("\\x{byte:02x}")),
        }
    }
    text + "'"
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_shown_is_spelled_for_bash() {
        let spelled = |bytes| quoted_bytes(OsStr::from_bytes(bytes));
        assert_eq!(spelled(b"a b"), "'a b'");
        assert_eq!(spelled(b"it's \xff"), "$'it\\'s \\xff'");
        assert_eq!(spelled(b"a\nb\x1b"), "$'a\\x0ab\\x1b'");
    }
}
