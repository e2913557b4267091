//! The local engine: it answers a prompt from the prompt, the inventory and what came before, the
//! same each time.
//!
//! A prompt that begins with `/NAME` runs that command or tool of the inventory with the rest of it;
//! this is also what can make a turn take long.

use crate::builtin;
use crate::error::Error;
use crate::inventory::Inventory;
use crate::router::{DEFAULT_LIMIT, Kind, Match, route};
use crate::session::{Role, StopReason, Transcript, Turn, tokens};
use crate::site::{Site, Work};
use crate::tool;
use crate::watch::{Stop, Watch};

/// What a session may use.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Limits {
    pub(crate) turns: Option<usize>,
    pub(crate) tokens: Option<u64>,
}

/// What a session has used.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Used {
    turns: usize,
    tokens: u64,
}

impl From<&Transcript> for Used {
    fn from(transcript: &Transcript) -> Used {
        let tokens = [Role::User, Role::Assistant].map(|role| transcript.tokens_of(role));
        Used { turns: transcript.prompts(), tokens: tokens[0].saturating_add(tokens[1]) }
    }
}

/// An engine in the middle of a session.
pub(crate) struct Engine<'c> {
    inventory: Inventory,
    site: Site<'c>,
    limits: Limits,
    used: Used,
}

/// A turn, what its prompt was routed to, and what stopped it from outside, if something did.
pub(crate) struct Taken {
    pub(crate) turn: Turn,
    pub(crate) matches: Vec<Match>,
    pub(crate) stopped: Option<Stop>,
}

/// What a turn ran because its prompt said so.
enum Ran {
    Nothing,
    Done(String, Work),
    Refused(String, Error),
}

impl<'c> Engine<'c> {
    /// An engine that continues a session.
    pub(crate) fn new(
        inventory: Inventory,
        watch: Watch<'c>,
        limits: Limits,
        used: Used,
    ) -> Result<Engine<'c>, Error> {
        Ok(Engine { inventory, site: Site::here(watch)?, limits, used })
    }

    /// Takes a turn.
    pub(crate) fn turn(&mut self, prompt: &str) -> Taken {
        let matches = route(prompt, &self.inventory, DEFAULT_LIMIT.into());
        let taken = |output, stop_reason, stopped: Option<Stop>| Taken {
            turn: Turn {
                prompt: prompt.to_owned(),
                output,
                stop_reason,
                cancel_observed: stopped.is_some(),
            },
            matches: matches.clone(),
            stopped,
        };
        if self.limits.turns.is_some_and(|most| self.used.turns >= most) {
            let output = format!("Max turns reached before processing prompt: {prompt}");
            return taken(output, StopReason::MaxTurnsReached, None);
        }
        let ran = match self.site.watch.check().and_then(|()| self.run(prompt)) {
            Ok(ran) => ran,
            Err(stop) => {
                let (output, reason) = last_words(stop);
                return taken(output.to_owned(), reason, Some(stop));
            }
        };
        let output = compose(prompt, &matches, self.used.turns, &ran);
        self.used.turns += 1;
        // What was used before is what a file says.
        let spent = tokens(prompt) + tokens(&output);
        self.used.tokens = self.used.tokens.saturating_add(spent);
        let is_over = self.limits.tokens.is_some_and(|most| self.used.tokens > most);
        let reason = if is_over { StopReason::MaxBudgetReached } else { StopReason::Completed };
        taken(output, reason, None)
    }

    /// Runs what the prompt names, if it does. What it cannot do is a part of the answer.
    fn run(&self, prompt: &str) -> Result<Ran, Stop> {
        let Some((name, rest)) = directive(prompt) else { return Ok(Ran::Nothing) };
        let work = match (tool::find(name), builtin::find(name)) {
            (Some(tool), _) => (tool.run)(rest, &self.site),
            (None, Some(builtin)) => (builtin.run)(rest, &self.site),
            (None, None) => {
                let entry = self.inventory.tool(name).or_else(|_| self.inventory.command(name));
                entry.map(|entry| Work::done(format!("not handled: {}", entry.instead())))
            }
        };
        match work {
            Ok(work) => Ok(Ran::Done(name.to_owned(), work)),
            Err(Error::OutOfTime(_)) => Err(Stop::OutOfTime),
            Err(Error::Interrupted(interrupted)) => Err(Stop::Cancelled(interrupted.by)),
            Err(error) => Ok(Ran::Refused(name.to_owned(), error)),
        }
    }
}

/// The name that a prompt begins with, and what it gets.
fn directive(prompt: &str) -> Option<(&str, &str)> {
    let line = prompt.strip_prefix('/')?;
    let (name, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    (!name.is_empty()).then_some((name, rest))
}

/// What is left to say for a turn that was stopped from outside.
fn last_words(stop: Stop) -> (&'static str, StopReason) {
    match stop {
        Stop::OutOfTime => {
            ("Wall-clock timeout exceeded before turn completed.", StopReason::Timeout)
        }
        Stop::Cancelled(_) => ("Cancelled before turn completed.", StopReason::Cancelled),
    }
}

/// The answer of a turn.
fn compose(prompt: &str, matches: &[Match], earlier: usize, ran: &Ran) -> String {
    let denials = usize::from(matches!(ran, Ran::Refused(_, Error::Policy { .. })));
    let mut lines = vec![
        format!("Prompt: {prompt}"),
        format!("Matched commands: {}", listed(&names(matches, Kind::Command))),
        format!("Matched tools: {}", listed(&names(matches, Kind::Tool))),
        format!("Permission denials: {denials}"),
    ];
    if earlier > 0 {
        lines.push(format!("Earlier prompts: {earlier}"));
    }
    match ran {
        Ran::Nothing => {}
        Ran::Refused(name, error) => lines.push(format!("{name}: {error}")),
        Ran::Done(name, work) => {
            lines.push(format!("{name}: {}", work.message));
            let output = work.output.as_deref().map(str::trim_end);
            lines.extend(output.filter(|output| !output.is_empty()).map(str::to_owned));
        }
    }
    lines.join("\n")
}

/// The names among matches that are of a kind.
pub(crate) fn names(matches: &[Match], kind: Kind) -> Vec<String> {
    matches.iter().filter(|it| it.kind == kind).map(|it| it.name.clone()).collect()
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_says_what_was_routed_and_run() {
        let matches = [Match {
            kind: Kind::Tool,
            name: "BashTool".to_owned(),
            score: 1.0,
            source_hint: String::new(),
        }];
        let work = Work { message: "exit code 0".to_owned(), output: Some("hi\n".to_owned()) };
        let ran = Ran::Done("BashTool".to_owned(), work);
        assert_eq!(
            compose("/BashTool echo hi", &matches, 1, &ran),
            "Prompt: /BashTool echo hi\nMatched commands: none\nMatched tools: BashTool\n\
             Permission denials: 0\nEarlier prompts: 1\nBashTool: exit code 0\nhi"
        );
    }

    #[test]
    fn a_directive_has_a_name() {
        assert_eq!(directive("/BashTool echo hi"), Some(("BashTool", "echo hi")));
        assert_eq!(directive("/init"), Some(("init", "")));
        assert_eq!(["/", "/ init", "hello /init", ""].map(directive), [None; 4]);
    }

    #[test]
    fn only_what_is_forbidden_is_a_denial() {
        let refused = |error| Ran::Refused("x".to_owned(), error);
        let missing = refused(Error::CommandNotFound { name: "x".to_owned() });
        assert!(compose("/x", &[], 0, &missing).contains("Permission denials: 0\nx: command 'x'"));
        let policy = refused(Error::Policy {
            operation: "exec",
            target: "rm".to_owned(),
            message: "no".to_owned(),
            hint: String::new(),
        });
        assert!(compose("/x", &[], 0, &policy).contains("Permission denials: 1\nx: no"));
    }
}
