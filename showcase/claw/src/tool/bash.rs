//! `BashTool`: one of a few programs, with its words as they are and no shell between.

use crate::process::{self, Halt};
use crate::site::{Site, Work, words};
use crate::trouble::Trouble;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;

/// A program that may be run.
struct Allowed {
    program: &'static str,
    /// What its first word must be one of; any if there is none.
    first: &'static [&'static str],
    /// How no word of it may begin: these write elsewhere or run something else.
    never: &'static [&'static str],
}

const fn plain(program: &'static str) -> Allowed {
    Allowed { program, first: &[], never: &[] }
}

const ALLOWED: &[Allowed] = &[
    Allowed {
        program: "cargo",
        first: &["build", "check", "test", "clippy", "--version"],
        never: &["--config", "--manifest-path", "--target-dir", "--artifact-dir", "-C", "-Z"],
    },
    Allowed {
        program: "git",
        first: &["status", "log", "diff", "--version"],
        never: &["--output", "--ext-diff", "--textconv"],
    },
    plain("echo"),
    plain("false"),
    plain("ls"),
    plain("pwd"),
    plain("sleep"),
    plain("true"),
    plain("uname"),
];

pub(super) fn run(payload: &str, site: &Site<'_>) -> Result<Work, Trouble> {
    let words = words(payload)?;
    let (program, arguments) = allowed(&words)?;
    let mut command = site.watch.child(program);
    command.args(arguments).current_dir(site.root());
    let ended = process::run(command, &site.watch).map_err(|halt| match halt {
        Halt::System(error) => Trouble::system("exec", Path::new(program), &error),
        Halt::Stopped(stop) => stop.while_doing("exec", payload),
    })?;
    let message = match (ended.status.code(), ended.status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (None, signal) => format!("killed by signal {}", signal.unwrap_or_default()),
    };
    Ok(Work { message, output: Some(ended.said) })
}

/// The program and its arguments, if it may be run with them.
fn allowed(words: &[String]) -> Result<(&str, &[String]), Trouble> {
    let (program, arguments) = words.split_first().ok_or_else(|| Trouble::Usage {
        target: String::new(),
        message: "the payload names no program".to_owned(),
        hint: "for instance 'cargo build'".to_owned(),
    })?;
    let refused = |message, hint| {
        let target = program.clone();
        Err(Trouble::Policy { operation: "exec", target, message, hint })
    };
    let Some(rule) = ALLOWED.iter().find(|rule| rule.program == program) else {
        let names: Vec<&str> = ALLOWED.iter().map(|rule| rule.program).collect();
        let hint = format!("one of: {}", names.join(", "));
        return refused(format!("'{program}' is not a program that BashTool runs"), hint);
    };
    let first = arguments.first().map_or("", String::as_str);
    if !rule.first.is_empty() && !rule.first.contains(&first) {
        let hint = format!("'{program}' with one of: {}", rule.first.join(", "));
        return refused(format!("BashTool does not run '{program} {first}'"), hint);
    }
    let is_never = |word: &&String| rule.never.iter().any(|start| word.starts_with(start));
    if let Some(word) = arguments.iter().find(is_never) {
        return refused(
            format!("BashTool does not pass '{word}' to '{program}'"),
            format!("leave '{word}' out"),
        );
    }
    Ok((program, arguments))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_refused(payload: &str) -> bool {
        matches!(allowed(&words(payload).unwrap()), Err(Trouble::Policy { .. }))
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
            "git",
            "''",
        ] {
            assert!(is_refused(payload), "{payload}");
        }
        for payload in ["cargo build", "git status", "git log -3 --oneline", "ls -la", "sleep 1"] {
            assert!(!is_refused(payload), "{payload}");
        }
    }

    #[test]
    fn words_are_no_shell() {
        let words = words("echo '$(id)' a\\ b ; ls").unwrap();
        let (program, arguments) = allowed(&words).unwrap();
        assert_eq!((program, arguments), ("echo", &words[1..]));
        assert_eq!(words[1..], ["$(id)", "a b", ";", "ls"]);
    }
}
