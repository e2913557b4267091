//! What a person types to see what a run showed.

use crate::observe::probe::{Home, Probe, Purpose, Signal, Stdin, Stdout};
use crate::observe::sample_input;
use crate::subject::Subject;
use manila::Transcript;
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

/// A line for a shell that does what the probe did.
pub(crate) fn reproduce(subject: &Subject, probe: &Probe, transcript: &Transcript) -> String {
    if probe.purpose == Purpose::Recorded {
        return joined(transcript.argv.iter().map(String::as_str));
    }
    let program = subject.shown.iter().map(|word| quoted(word));
    let words = program.chain(probe.args.iter().map(|word| quoted_bytes(word)));
    let mut line = words.collect::<Vec<_>>().join(" ");
    let setting = &probe.setting;
    let mut variables: Vec<String> = setting
        .variables
        .iter()
        .map(|(name, value)| match value {
            Some(value) => format!("{name}={}", quoted(value)),
            None => format!("-u {name}"),
        })
        .collect();
    match setting.home {
        Home::Unset => {
            let names =
                ["HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME"];
            variables.extend(names.map(|name| format!("-u {name}")));
        }
        Home::Elsewhere => variables.push("HOME=$(mktemp -d)".to_owned()),
        Home::Fresh | Home::Used => {}
    }
    variables.sort_by_key(|word| !word.starts_with("-u"));
    if !variables.is_empty() {
        line = format!("env {} {line}", variables.join(" "));
    }
    line = match setting.signal {
        Some(Signal::Interrupt) => format!("timeout -s INT 1 {line}"),
        Some(Signal::Terminate) => format!("timeout -s TERM 1 {line}"),
        None => line,
    };
    line = match setting.stdin {
        Stdin::Empty => line,
        Stdin::Silent => format!("sleep 60 | {line}"),
        Stdin::Closed => format!("{line} <&-"),
    };
    let files =
        probe.args.iter().filter_map(|word| word.to_str()).filter(|_| subject.fixture.is_none());
    for file in files.collect::<std::collections::BTreeSet<_>>() {
        if let Some(content) = sample_input::content(file) {
            // It has no sign that means something to `printf`.
            line = format!("printf '{}' > {file}; {line}", content.replace('\n', "\\n"));
        }
    }
    match setting.stdout {
        Stdout::Pipe => line,
        Stdout::Terminal { columns } => {
            let line = if columns == 80 { line } else { format!("stty cols {columns}; {line}") };
            format!("script -qec {} /dev/null", quoted(&line))
        }
        Stdout::File => format!("{line} > out 2> err"),
        Stdout::SlowPipe => format!("{line} | (sleep 1; cat)"),
        Stdout::ClosedPipe { after } => format!("{line} | head -c {after}"),
    }
}

/// Words as a shell takes them.
pub fn joined<'w>(words: impl Iterator<Item = &'w str>) -> String {
    words.map(quoted).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| format!("{word:?}"), std::borrow::Cow::into_owned)
}

/// The same for a word that need not be UTF-8, in the quotes of bash.
fn quoted_bytes(word: &OsStr) -> String {
    if let Some(word) = word.to_str() {
        return quoted(word);
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
    fn bytes_that_are_not_text_are_spelled_for_the_shell() {
        assert_eq!(quoted_bytes(OsStr::from_bytes(b"a b")), "'a b'");
        assert_eq!(quoted_bytes(OsStr::from_bytes(b"it's \xff")), "$'it\\'s \\xff'");
    }
}
