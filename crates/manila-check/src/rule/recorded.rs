//! What the arguments of a recorded run say about it: it was not planned, so its arguments are all
//! there is.

use crate::rule::refusal::is_help;
use crate::surface::discover::is_for_people;
use manila::Transcript;

/// Whether a call asks for a text that is meant for people or shells in every program.
pub(crate) fn asks_for_text(argv: &[String]) -> bool {
    const WORDS: &[&str] = &["-h", "--help", "-V", "--version", "version"];
    argv.iter().any(|word| WORDS.contains(&word.as_str()) || is_for_people(word))
}

/// Whether a call names a command and gets a page of help for it that it did not ask for.
pub(crate) fn is_unasked_help(run: &Transcript) -> bool {
    is_help(&run.stdout) && !asks_for_text(&run.argv) && names_command(run)
}

/// Whether a word follows the program that its help names, which is neither a flag nor a format.
fn names_command(run: &Transcript) -> bool {
    let text = String::from_utf8_lossy(&run.stdout).to_lowercase();
    let usage = text.split_once("usage:").map_or("", |(_, usage)| usage);
    let Some(program) = usage.split_whitespace().next() else { return false };
    let is_program = |word: &String| {
        let mut parts = word.split(['/', '\\']);
        parts.any(|part| part.eq_ignore_ascii_case(program))
    };
    let Some(at) = run.argv.iter().rposition(is_program) else { return false };
    run.argv[at + 1..].iter().any(|word| !word.starts_with('-') && !word.contains("json"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use manila::Status;

    fn words(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn help_is_unasked_for_behind_a_command_only() {
        let run = |line: &str| Transcript {
            argv: words(line),
            ..Transcript::from_stdout("Usage: notes [options] [command]\n", Status::Exited(0))
        };
        assert!(is_unasked_help(&run("node /usr/lib/notes/cli.js --json frobnicate")));
        assert!(is_unasked_help(&run("env -i timeout 20 notes frobnicate --format json")));
        assert!(!is_unasked_help(&run("node /usr/lib/notes/cli.js --json")));
        assert!(!is_unasked_help(&run("notes --format json")));
        assert!(!is_unasked_help(&run("notes list --help")));
        assert!(!is_unasked_help(&run("other thing")));
    }
}
