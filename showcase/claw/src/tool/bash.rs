//! `BashTool`: one of a few programs, with its words as they are and no shell between.

use crate::error::Error;
use crate::process::{self, Halt};
use crate::site::{Site, Work, words};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;

/// A program that may be run.
struct Allowed {
    program: &'static str,
    /// The arguments it accepts; any, if it has nothing to do with files.
    limits: Option<Limits>,
}

/// The arguments a program accepts. Others may write elsewhere or run something else, and
/// paths must stay below the directory.
struct Limits {
    /// What its first word must be one of; any if there is none.
    first: &'static [&'static str],
    /// The letters of its short options.
    letters: &'static str,
    /// Its long options.
    options: &'static [&'static str],
}

const fn plain(program: &'static str) -> Allowed {
    Allowed { program, limits: None }
}

const ALLOWED: &[Allowed] = &[
    Allowed {
        program: "cargo",
        limits: Some(Limits {
            first: &["build", "check", "test", "clippy", "--version"],
            letters: "Fpqrv",
            options: &[
                "--all-features",
                "--all-targets",
                "--features",
                "--lib",
                "--no-default-features",
                "--no-run",
                "--offline",
                "--package",
                "--release",
                "--workspace",
            ],
        }),
    },
    Allowed {
        program: "git",
        limits: Some(Limits {
            first: &["status", "log", "diff", "--version"],
            letters: "0123456789bnps",
            options: &[
                "--",
                "--all",
                "--branch",
                "--cached",
                "--graph",
                "--name-only",
                "--oneline",
                "--patch",
                "--short",
                "--staged",
                "--stat",
            ],
        }),
    },
    plain("echo"),
    plain("false"),
    Allowed {
        program: "ls",
        limits: Some(Limits { first: &[], letters: "1AFRSadhlrt", options: &[] }),
    },
    plain("pwd"),
    plain("sleep"),
    plain("true"),
    plain("uname"),
];

pub(super) fn run(payload: &str, site: &Site<'_>) -> Result<Work, Error> {
    let words = words(payload)?;
    let (rule, arguments) = allowed(&words)?;
    if rule.limits.is_some() {
        for word in arguments {
            // What does not exist leads nowhere, and may be a name of another sort.
            if let Err(outside @ Error::Policy { .. }) = site.existing(word) {
                return Err(outside);
            }
        }
    }
    let mut command = site.watch.child(rule.program);
    command.args(arguments).current_dir(site.root());
    let ended = process::run(command, &site.watch).map_err(|halt| match halt {
        Halt::System(error) => Error::system("exec", Path::new(rule.program), &error),
        Halt::Stopped(stop) => stop.while_doing("exec", payload),
    })?;
    let message = match (ended.status.code(), ended.status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (None, signal) => format!("killed by signal {}", signal.unwrap_or_default()),
    };
    Ok(Work { message, output: Some(ended.said) })
}

/// The rule for a program and its arguments, if its arguments are accepted.
fn allowed(words: &[String]) -> Result<(&'static Allowed, &[String]), Error> {
    let (program, arguments) = words.split_first().ok_or_else(|| Error::Usage {
        target: String::new(),
        message: "the payload names no program".to_owned(),
        hint: "for instance 'cargo build'".to_owned(),
    })?;
    let refused = |message, hint| {
        let target = program.clone();
        Err(Error::Policy { operation: "exec", target, message, hint })
    };
    let Some(rule) = ALLOWED.iter().find(|rule| rule.program == program) else {
        let names: Vec<&str> = ALLOWED.iter().map(|rule| rule.program).collect();
        let hint = format!("one of: {}", names.join(", "));
        return refused(format!("'{program}' is not a program that BashTool runs"), hint);
    };
    let Some(limits) = &rule.limits else { return Ok((rule, arguments)) };
    let first = arguments.first().map_or("", String::as_str);
    if !limits.first.is_empty() && !limits.first.contains(&first) {
        let hint = format!("'{program}' with one of: {}", limits.first.join(", "));
        return refused(format!("BashTool does not run '{program} {first}'"), hint);
    }
    let is_reported = |word: &&String| limits.first.contains(&word.as_str()) || limits.allow(word);
    if let Some(word) = arguments.iter().find(|word| !is_reported(word)) {
        return refused(
            format!("BashTool does not pass '{word}' to '{program}'"),
            format!("leave '{word}' out"),
        );
    }
    Ok((rule, arguments))
}

impl Limits {
    /// Whether a word is not an option, or is one of these, spelled out.
    fn allow(&self, word: &str) -> bool {
        match word.strip_prefix('-') {
            None => true,
            Some(long) if long.starts_with('-') => {
                self.options.contains(&word.split('=').next().unwrap_or_default())
            }
            Some(letters) => letters.chars().all(|letter| self.letters.contains(letter)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_refused(payload: &str) -> bool {
        matches!(allowed(&words(payload).unwrap()), Err(Error::Policy { .. }))
    }

    #[test]
    fn only_what_is_listed_runs() {
        for payload in [
            "rm -rf /",
            "sh -c true",
            "/bin/ls",
            "./cargo build",
            "env ls",
            "cargo run",
            "cargo +nightly build",
            "cargo build --manifest-path /x",
            "git push",
            "git -c core.pager=x log",
            "git log --output=x",
            "git diff --ext-diff",
            "git diff --outpu=x",
            "git diff --no-index a b",
            "git log -O/x",
            "cargo test -- --logfile=x",
            "cargo clippy --fix",
            "ls --hyperlink",
            "git",
            "''",
        ] {
            assert!(is_refused(payload), "{payload}");
        }
        for payload in ["cargo build", "git status", "git log -3 --oneline", "ls -la", "sleep -1"] {
            assert!(!is_refused(payload), "{payload}");
        }
    }

    #[test]
    fn words_are_no_shell() {
        let words = words("echo '$(id)' a\\ b ; ls").unwrap();
        let (rule, arguments) = allowed(&words).unwrap();
        assert_eq!((rule.program, arguments), ("echo", &words[1..]));
        assert_eq!(words[1..], ["$(id)", "a b", ";", "ls"]);
    }
}
