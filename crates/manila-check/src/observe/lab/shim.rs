//! Programs for people that only note that they were called: pagers, editors and browsers.

use crate::observe::run::{Started, Tool};
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

/// The directory of a run that leads to them, and the file in which they note their calls.
pub(super) const DIRECTORY: &str = "bin";
const NOTES: &str = "started";

/// Their names, by what they are for. The first of each is what variables name.
const NAMES: &[(Tool, &[&str])] = &[
    (Tool::Pager, &["pager", "less", "more", "most", "lv", "bat", "batcat", "sensible-pager"]),
    (
        Tool::Editor,
        &[
            "editor",
            "vi",
            "vim",
            "nvim",
            "view",
            "nano",
            "pico",
            "emacs",
            "emacsclient",
            "ed",
            "code",
            "subl",
            "micro",
            "hx",
            "joe",
            "sensible-editor",
            "select-editor",
        ],
    ),
    (
        Tool::Browser,
        &[
            "www-browser",
            "xdg-open",
            "open",
            "gio",
            "gnome-open",
            "kde-open",
            "wslview",
            "x-www-browser",
            "sensible-browser",
            "firefox",
            "chromium",
            "chromium-browser",
            "google-chrome",
            "w3m",
            "lynx",
            "links",
        ],
    ),
];

/// The variables that name them.
#[rustfmt::skip]
pub(super) const VARIABLES: &[(&str, Tool)] = &[
    ("PAGER", Tool::Pager), ("GIT_PAGER", Tool::Pager), ("MANPAGER", Tool::Pager),
    ("EDITOR", Tool::Editor), ("VISUAL", Tool::Editor), ("GIT_EDITOR", Tool::Editor),
    ("BROWSER", Tool::Browser),
];

/// One script for all. It finds the file of its run by the name under which it was called; a pager
/// hands on what it gets, unless that would come from a terminal.
const SCRIPT: &str = r#"#!/bin/sh
directory=${0%/*}
{
    printf '%s\0' "${0##*/}" "$@"
    printf '\n\0'
} >>"${directory%/*}/started"
case ${0##*/} in PAGERS)
    for word do
        if [ -f "$word" ]; then cat "$word" && found=1; fi
    done
    if [ -z "$found" ] && [ ! -t 0 ]; then exec cat; fi
esac
"#;

/// What ends the note of one call.
const END: &str = "\n";

/// Makes all of them in a directory.
pub(super) fn make(directory: &Path) -> io::Result<()> {
    let script = directory.join(".shim");
    let pagers = NAMES.iter().filter(|(tool, _)| *tool == Tool::Pager);
    let pagers: Vec<&str> = pagers.flat_map(|(_, names)| names.iter().copied()).collect();
    fs::write(&script, SCRIPT.replace("PAGERS", &pagers.join(" | ")))?;
    fs::set_permissions(&script, Permissions::from_mode(0o755))?;
    NAMES
        .iter()
        .flat_map(|(_, names)| names.iter())
        .try_for_each(|name| symlink(".shim", directory.join(name)))
}

/// What a variable of that tool names, in the directory of a run.
pub(super) fn name(tool: Tool) -> &'static str {
    let names = NAMES.iter().find(|(it, _)| *it == tool);
    names.and_then(|(_, names)| names.first().copied()).unwrap_or_default()
}

/// The calls that were noted in the directory of a run, in their order.
pub(super) fn started(directory: &Path) -> Vec<Started> {
    let Ok(notes) = fs::read(directory.join(NOTES)) else { return Vec::new() };
    let words: Vec<String> = notes
        .split(|byte| *byte == 0)
        .map(|word| String::from_utf8_lossy(word).into_owned())
        .collect();
    words
        .split(|word| word == END)
        .filter_map(|argv| {
            let name = argv.first()?;
            let is_it = |(_, names): &&(Tool, &[&str])| names.contains(&name.as_str());
            let (tool, _) = NAMES.iter().find(is_it)?;
            Some(Started { tool: *tool, argv: argv.to_vec() })
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_noted_word_by_word() {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join(NOTES), b"less\0-R\0a b\0\n\0xdg-open\0http://x\0\n\0")
            .unwrap();
        let started = started(directory.path());
        let found: Vec<_> = started.iter().map(|it| (it.tool, it.argv.join("|"))).collect();
        let expected = [(Tool::Pager, "less|-R|a b"), (Tool::Browser, "xdg-open|http://x")];
        assert_eq!(found, expected.map(|(tool, words)| (tool, words.to_owned())));
    }

    #[test]
    fn each_variable_names_one_that_is_made() {
        let directory = tempfile::tempdir().unwrap();
        make(directory.path()).unwrap();
        for (_, tool) in VARIABLES {
            assert!(directory.path().join(name(*tool)).is_file());
        }
    }
}
