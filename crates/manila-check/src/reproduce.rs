//! What a person types to see what a run showed.

use crate::probe::{Disturbance, Home, Inlet, Outlet, Probe, Purpose};
use crate::subject::Subject;
use manila::Transcript;

/// A line for a shell that does what the probe did.
pub(crate) fn reproduce(subject: &Subject, probe: &Probe, transcript: &Transcript) -> String {
    if probe.purpose == Purpose::Recorded {
        return joined(transcript.argv.iter().map(String::as_str));
    }
    let args = probe.args.iter().map(|word| word.to_string_lossy());
    let words: Vec<String> =
        subject.shown.iter().cloned().chain(args.map(std::borrow::Cow::into_owned)).collect();
    let mut line = joined(words.iter().map(String::as_str));
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
        Home::Unset => variables.insert(0, "-u HOME".to_owned()),
        Home::Elsewhere => variables.push("HOME=$(mktemp -d)".to_owned()),
        Home::Fresh | Home::Used => {}
    }
    variables.sort_by_key(|word| !word.starts_with("-u"));
    if !variables.is_empty() {
        line = format!("env {} {line}", variables.join(" "));
    }
    line = match setting.disturbance {
        Some(Disturbance::Interrupt) => format!("timeout -s INT 1 {line}"),
        Some(Disturbance::Terminate) => format!("timeout -s TERM 1 {line}"),
        None => line,
    };
    line = match setting.inlet {
        Inlet::Empty => line,
        Inlet::Silent => format!("sleep 60 | {line}"),
        Inlet::Closed => format!("{line} <&-"),
    };
    match setting.outlet {
        Outlet::Pipe => line,
        Outlet::Terminal { columns } => {
            let line = if columns == 80 { line } else { format!("stty cols {columns}; {line}") };
            format!("script -qec {} /dev/null", quoted(&line))
        }
        Outlet::File => format!("{line} > out 2> err"),
        Outlet::SlowPipe => format!("{line} | (sleep 1; cat)"),
        Outlet::ClosedPipe { after } => format!("{line} | head -c {after}"),
    }
}

/// Words as a shell takes them.
pub(crate) fn joined<'w>(words: impl Iterator<Item = &'w str>) -> String {
    words.map(quoted).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    shlex::try_quote(word).map_or_else(|_| format!("{word:?}"), std::borrow::Cow::into_owned)
}
