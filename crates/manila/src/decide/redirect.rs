//! Row 9: commands that have moved. A command that a program printed is untrusted data.

use super::{Action, Case, Redirects, Row, Verdict};
use crate::envelope::Redirect;
use crate::exit::Exit;

pub(super) static REDIRECT: Row = Row {
    number: 9,
    id: "redirected",
    signal: "the class is REDIRECTED and error.redirect names a command",
    conclusion: "Run the replacement as it is spelled, without a shell, and remember it when it is \
                 permanent. It must name the same program unless the caller allows others, may not \
                 have been followed before, and there is a limit to how many are. At any other \
                 class a redirect is ignored.",
    fires: |case| {
        let redirect = case.error()?.redirect.as_ref();
        if case.exit() != Some(Exit::Redirected) {
            return None;
        }
        let escalate = |reason: &str| Some((Action::Escalate, reason.to_owned()));
        match redirect {
            None => escalate("REDIRECTED without a redirect: nothing says where to"),
            Some(redirect) => Some(follow(case, redirect)),
        }
    },
};

fn follow(case: &Case<'_>, redirect: &Redirect) -> Verdict {
    let escalate = |reason: String| (Action::Escalate, reason);
    let Some(argv) = split(&redirect.command) else {
        return escalate(format!("{:?} cannot be run without a shell", redirect.command));
    };
    let taken = case.history.redirects.len();
    if taken >= case.policy.hops {
        return (Action::GiveUp, format!("{taken} redirects were followed already"));
    }
    if case.history.redirects.contains(&redirect.command) || argv == case.answer.argv {
        return (Action::GiveUp, format!("{:?} leads back to where it began", redirect.command));
    }
    if case.policy.redirects == Redirects::Never {
        return escalate("the caller follows no redirects".to_owned());
    }
    if !may_run(case, &argv[0]) {
        return escalate(format!("{:?} is not the program that was called", argv[0]));
    }
    let why = redirect.reason.as_deref().unwrap_or("moved");
    let how_long = if redirect.permanent { "for good" } else { "for this call" };
    let action =
        Action::Redirect { command: redirect.command.clone(), argv, remember: redirect.permanent };
    (action, format!("the command was {why}, {how_long}"))
}

/// Whether the caller is willing to run a program that an error names.
pub(super) fn may_run(case: &Case<'_>, named: &str) -> bool {
    let called = case.answer.argv.first();
    case.policy.redirects == Redirects::Any || called.is_none_or(|called| is_same(called, named))
}

/// A bare name is found where the caller finds programs; a path must be the very one.
fn is_same(called: &str, named: &str) -> bool {
    called == named || called.rsplit('/').next() == Some(named)
}

/// The words of a command, or nothing if only a shell could make sense of it.
pub fn split(command: &str) -> Option<Vec<String>> {
    let argv = shlex::split(command).filter(|_| !needs_shell(command))?;
    // `NAME=value tool` sets a variable, which only a shell does.
    let is_program = |word: &String| !word.is_empty() && !word.contains('=');
    argv.first().is_some_and(is_program).then_some(argv)
}

/// Whether a character is in a place where a shell would interpret it instead of passing it on.
fn needs_shell(command: &str) -> bool {
    let mut quote = None;
    let mut starts_word = true;
    let mut characters = command.chars();
    while let Some(character) = characters.next() {
        let first = std::mem::replace(&mut starts_word, character.is_whitespace());
        match (quote, character) {
            // The rest would be a comment, or a home directory.
            (None, '#' | '~') if first => return true,
            (None | Some('"'), '\\') => {
                characters.next();
            }
            (None, '\'' | '"') => quote = Some(character),
            (Some(open), _) if open == character => quote = None,
            (None, ';' | '&' | '|' | '<' | '>' | '(' | ')' | '{' | '}' | '*' | '\n')
            | (None | Some('"'), '$' | '`') => return true,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn words_are_split_as_a_shell_would_but_by_none() {
        let argv = split("tool add --name 'a; $b' \"c d\" e\\ f").expect("words");
        assert_eq!(argv, ["tool", "add", "--name", "a; $b", "c d", "e f"]);
    }

    #[test]
    fn what_only_a_shell_understands_is_refused() {
        for command in [
            "",
            "t 'x",
            "t; rm -rf /",
            "t | sh",
            "t \"$(id)\"",
            "t `b`",
            "t\nrm",
            "t > x",
            "t ~/x",
            "t *.rs",
            "A=1 t",
            "t #5",
        ] {
            assert_eq!(split(command), None, "{command:?}");
        }
    }
}
