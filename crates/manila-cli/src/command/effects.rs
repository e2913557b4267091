//! `manila effects`: what a call would change, by which rule, and on what evidence.

use crate::error::CliError;
use crate::help::examples;
use crate::human::{field_if, verdict};
use clap::{Args, ValueEnum};
use manila_clap::{Call, Mode, Reply, Screen};
use manila_pack::{CallEffect, Effect, Packs};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::io::{self, BufRead, Read, Write};
use std::path::PathBuf;

pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    ("manila effects -- git diff --output=x", "what a call would change"),
    ("manila effects -- sh -c 'rm -rf build'", "a plain line of a shell is looked through"),
    ("manila effects --hook claude", "answer a permission hook of Claude Code"),
];

pub(crate) const FAILS: &[&str] = &["INVALID_VALUE", "BAD_PACK", "FILE_UNREADABLE"];

/// The longest request that is read, in bytes.
const LONGEST_REQUEST: u64 = 1 << 20;

#[derive(Debug, Args)]
#[command(after_help = examples(EXAMPLES))]
pub(crate) struct Arguments {
    /// The program and its arguments. Nothing is run
    #[arg(last = true, value_name = "COMMAND", value_hint = clap::ValueHint::CommandName, required_unless_present_any = ["stdin", "hook"])]
    command: Vec<String>,

    /// Read JSON lines {"argv":[…]} or {"command":"…"} from stdin and answer each with one line
    #[arg(long, conflicts_with_all = ["command", "hook"])]
    stdin: bool,

    /// Read the JSON of an agent's permission hook from stdin and answer it on stdout
    #[arg(long, value_name = "AGENT", conflicts_with = "command")]
    hook: Option<Agent>,
}

/// An agent whose hooks are known.
#[derive(Clone, Copy, Debug, ValueEnum)]
enum Agent {
    /// Claude Code, before a tool is used
    Claude,
}

pub(crate) fn run(arguments: &Arguments, call: &Call) -> Result<Answer, CliError> {
    let packs = Packs::from_environment()?;
    if arguments.hook.is_some() {
        let request = read_request()?;
        return Ok(Answer::Hook(Document(hook(&request, &packs))));
    }
    if arguments.stdin {
        let mut answers = Vec::new();
        let streams = call.mode() != Mode::Json;
        answer_lines(&packs, |answer| {
            if streams {
                return writeln!(io::stdout().lock(), "{answer}")
                    .and_then(|()| io::stdout().flush());
            }
            answers.push(answer);
            Ok(())
        })?;
        return Ok(Answer::Lines(Answers { answers }));
    }
    let effect = manila_pack::effects(&arguments.command, &packs);
    // A pack that cannot be read makes its program unknown; that is worth a word.
    if let Some(program) = arguments.command.first()
        && let Err(error) = packs.load(program.rsplit('/').next().unwrap_or(program))
    {
        call.warn(error.to_string());
    }
    Ok(Answer::Effect(CallAnswer::of(effect)))
}

/// The effect of a call.
#[derive(Serialize, JsonSchema, Reply)]
#[schemars(rename = "CallEffect")]
#[reply(kind = "effects", show = show)]
pub(crate) struct CallAnswer {
    /// none, idempotent, writes, destroys or unknown.
    #[schemars(with = "String")]
    effect: Effect,
    /// The pack that says so.
    pack: Option<String>,
    /// The rule that says so.
    rule: String,
    /// Why, in one clause.
    why: String,
    /// Where that was seen or read.
    evidence: Vec<String>,
    /// The part of the call that decided, if it has several.
    part: Option<String>,
}

/// A document of another protocol, as it is.
#[derive(Serialize, JsonSchema, Reply)]
#[schemars(rename = "HookAnswer")]
#[reply(kind = "effects-hook", show = show_document)]
pub(crate) struct Document(#[schemars(with = "serde_json::Map<String, Value>")] Value);

/// What was answered, a document for each line; none if they were written as they came.
#[derive(Serialize, JsonSchema, Reply)]
#[schemars(rename = "EffectLines")]
#[reply(kind = "effects-lines", show = show_lines)]
pub(crate) struct Answers {
    #[schemars(with = "Vec<serde_json::Map<String, Value>>")]
    answers: Vec<Value>,
}

#[derive(Reply)]
pub(crate) enum Answer {
    Effect(CallAnswer),
    Hook(Document),
    Lines(Answers),
}

impl CallAnswer {
    fn of(effect: CallEffect) -> CallAnswer {
        let CallEffect { effect, pack, rule, why, evidence, part } = effect;
        CallAnswer { effect, pack, rule, why, evidence, part }
    }
}

fn show(answer: &CallAnswer, screen: &mut Screen) {
    verdict(screen, answer.effect == Effect::None, answer.effect.as_str());
    screen.field("why", &answer.why);
    field_if(screen, "part", answer.part.as_ref());
    screen.field("rule", &answer.rule);
    for evidence in &answer.evidence {
        screen.field("evidence", evidence);
    }
}

fn show_document(document: &Document, screen: &mut Screen) {
    screen.verbatim(&format!("{}\n", document.0));
}

fn show_lines(_: &Answers, _: &mut Screen) {}

fn unreadable(error: io::Error) -> CliError {
    CliError::unreadable(PathBuf::from("stdin"), error)
}

fn read_request() -> Result<Vec<u8>, CliError> {
    let mut bytes = Vec::new();
    io::stdin().lock().take(LONGEST_REQUEST).read_to_end(&mut bytes).map_err(unreadable)?;
    Ok(bytes)
}

/// A request of an agent: a call, or a line of its shell.
#[derive(Deserialize)]
struct Request {
    argv: Option<Vec<String>>,
    command: Option<String>,
    /// Returned, so that the answer can be distinguished from others.
    id: Option<Value>,
}

fn answer_lines(
    packs: &Packs,
    mut write: impl FnMut(Value) -> io::Result<()>,
) -> Result<(), CliError> {
    let mut stdin = io::stdin().lock();
    loop {
        let mut line = Vec::new();
        let length = (&mut stdin).take(LONGEST_REQUEST).read_until(b'\n', &mut line);
        if length.map_err(unreadable)? == 0 {
            return Ok(());
        }
        if line.trim_ascii().is_empty() {
            continue;
        }
        match write(answer_line(&line, packs)) {
            // A reader that closes the pipe wants no more.
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => return Ok(()),
            other => other.map_err(unreadable)?,
        }
    }
}

/// One line in, one line out: what is not understood is unknown, and says so.
fn answer_line(line: &[u8], packs: &Packs) -> Value {
    let unknown = |why: String| json!({"effect": Effect::Unknown, "rule": "request", "why": why});
    let request: Request = match serde_json::from_slice(line) {
        Ok(request) => request,
        Err(error) => return unknown(format!("the request is not understood: {error}")),
    };
    let effect = match (&request.argv, &request.command) {
        (Some(argv), None) => manila_pack::effects(argv, packs),
        (None, Some(command)) => manila_pack::effects_of_line(command, packs),
        _ => return unknown("the request has neither argv nor command, or both".to_owned()),
    };
    let mut answer = json!(effect);
    if let (Some(id), Some(fields)) = (request.id, answer.as_object_mut()) {
        fields.insert("id".to_owned(), id);
    }
    answer
}

/// What Claude Code sends before a tool is used, as far as it matters here.
#[derive(Deserialize)]
struct PreToolUse {
    tool_name: String,
    #[serde(default)]
    tool_input: ToolInput,
}

#[derive(Default, Deserialize)]
struct ToolInput {
    command: Option<String>,
}

/// The answer to a hook: calls that only read are allowed, all others are asked about. Other tools
/// than the shell get no decision.
fn hook(request: &[u8], packs: &Packs) -> Value {
    let decision = |decision: &str, reason: String| {
        json!({"hookSpecificOutput": {
            "hookEventName": "PreToolUse",
            "permissionDecision": decision,
            "permissionDecisionReason": reason,
        }})
    };
    let request: PreToolUse = match serde_json::from_slice(request) {
        Ok(request) => request,
        Err(error) => {
            return decision("ask", format!("manila: the request is not understood: {error}"));
        }
    };
    let (true, Some(command)) = (request.tool_name == "Bash", request.tool_input.command) else {
        return json!({});
    };
    let CallEffect { effect, rule, why, part, .. } = manila_pack::effects_of_line(&command, packs);
    let part = part.map_or_else(String::new, |part| format!(" in `{part}`"));
    let reason = format!("manila: effect {effect}{part}: {why} ({rule})");
    decision(if effect == Effect::None { "allow" } else { "ask" }, reason)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decided(request: &str) -> Value {
        hook(request.as_bytes(), &Packs::default())
    }

    #[test]
    fn a_hook_allows_reads_and_asks_about_everything_else() {
        let of = |command: &str| {
            let request = json!({"tool_name": "Bash", "tool_input": {"command": command}});
            let answer = decided(&request.to_string());
            answer["hookSpecificOutput"]["permissionDecision"].as_str().map(str::to_owned)
        };
        assert_eq!(of("git status && git diff | head").as_deref(), Some("allow"));
        for command in ["git push", "rm x", "ls > x", "echo $HOME", "unheard-of", "mkdir -p x", ""]
        {
            let expected = if command.is_empty() { "allow" } else { "ask" };
            assert_eq!(of(command).as_deref(), Some(expected), "{command}");
        }
    }

    #[test]
    fn other_tools_get_no_decision_and_nonsense_is_asked_about() {
        assert_eq!(decided(r#"{"tool_name":"Write","tool_input":{"file_path":"x"}}"#), json!({}));
        let answer = decided("nonsense");
        assert_eq!(answer["hookSpecificOutput"]["permissionDecision"], "ask");
    }

    #[test]
    fn each_line_gets_an_answer() {
        let packs = Packs::default();
        let effect = |line: &str| answer_line(line.as_bytes(), &packs)["effect"].clone();
        assert_eq!(effect(r#"{"argv":["git","log"]}"#), "none");
        assert_eq!(effect(r#"{"command":"git log > x"}"#), "writes");
        assert_eq!(effect(r#"{"argv":["git"],"command":"git"}"#), "unknown");
        assert_eq!(effect("{"), "unknown");
        let answer = answer_line(br#"{"id":7,"argv":["ls"]}"#, &packs);
        assert_eq!(answer["id"], 7);
    }
}
