//! The process boundary: whatever happens inside, one answer on the right stream and one status.
//!
//! The verdict is fixed before the first byte is written. A reader that hangs up is no failure of
//! ours, and it does not turn a failure into a success either.

use crate::answer::{Answer, Audience, Face, Reply, Text, envelope};
use crate::cli::{Cli, Colour, command_name};
use crate::code::{Code, Refusal};
use crate::human;
use anstream::{AutoStream, ColorChoice};
use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory, Parser};
use manila::exit::RESPONSE_ENVELOPE_1_0;
use manila::json::Raw;
use manila::{Defaults, Exit, dialect, write};
use std::ffi::OsString;
use std::io::{self, Write};
use std::panic::{self, AssertUnwindSafe};
use std::process::ExitCode;
use std::time::Instant;

/// Runs the program.
pub fn main(arguments: impl IntoIterator<Item = OsString>) -> ExitCode {
    let start = Instant::now();
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    let (command, manner, answer) = match Cli::try_parse_from(&arguments) {
        Ok(cli) => {
            let manner = Manner::new(cli.json, cli.quiet, cli.color);
            let answer = guarded(|| cli.command.run()?.face(manner.audience));
            (Some(cli.command.name()), manner, answer)
        }
        Err(error) => {
            let (command, manner) = (asked_command(&arguments), Manner::asked(&arguments));
            (command, manner, from_clap(&error, command).and_then(|r| r.face(manner.audience)))
        }
    };
    let elapsed = u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX);
    manner.show(command, answer, elapsed)
}

/// How the answer is to be shown.
#[derive(Clone, Copy)]
struct Manner {
    audience: Audience,
    quiet: bool,
    colour: ColorChoice,
}

impl Manner {
    fn new(json: bool, quiet: bool, colour: Colour) -> Manner {
        let audience = if json { Audience::Programs } else { Audience::People };
        let colour = match colour {
            Colour::Auto => ColorChoice::Auto,
            Colour::Always => ColorChoice::Always,
            Colour::Never => ColorChoice::Never,
        };
        Manner { audience, quiet, colour }
    }

    /// What arguments ask for although they do not make sense.
    fn asked(arguments: &[OsString]) -> Manner {
        let own = arguments.iter().skip(1).take_while(|word| *word != "--");
        let words: Vec<&str> = own.filter_map(|word| word.to_str()).collect();
        let says = |colour: &str| {
            words.contains(&format!("--color={colour}").as_str())
                || words.windows(2).any(|pair| pair == ["--color", colour])
        };
        let colour = match (says("never"), says("always")) {
            (true, _) => Colour::Never,
            (false, true) => Colour::Always,
            (false, false) => Colour::Auto,
        };
        Manner::new(words.contains(&"--json"), false, colour)
    }

    fn show(
        self,
        command: Option<&str>,
        answer: Result<Answer, Refusal>,
        elapsed: u64,
    ) -> ExitCode {
        let exit = answer.as_ref().map_or_else(|refusal| refusal.code.exit(), |_| Exit::Success);
        let shown = match (self.audience, answer) {
            (_, Ok(Answer { face: Face::Data(data), warnings })) => {
                write_json(command, Ok((data, &warnings)), elapsed)
            }
            (_, Ok(Answer { face: Face::Text(text), warnings })) => {
                self.write_text(&text, &warnings)
            }
            (Audience::Programs, Err(refusal)) => write_json(command, Err(&refusal), elapsed),
            (Audience::People, Err(refusal)) => {
                let mut stderr = AutoStream::new(io::stderr(), self.colour);
                stderr.write_all(human::refusal(&refusal).as_bytes())
            }
        };
        match shown {
            Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
                // The last resort: if this cannot be written either, the status still says it.
                let _ = writeln!(io::stderr(), "manila: the answer could not be written: {error}");
                status(Code::OutputFailed.exit())
            }
            _ => status(exit),
        }
    }

    fn write_text(self, text: &Text, warnings: &[String]) -> io::Result<()> {
        let mut stderr = AutoStream::new(io::stderr(), self.colour);
        for warning in warnings.iter().filter(|_| !self.quiet) {
            // Nobody need read the warnings; the answer must still be given.
            let _ = writeln!(stderr, "{}", human::warning(warning));
        }
        match text {
            Text::Styled(text) => {
                let mut stdout = AutoStream::new(io::stdout(), self.colour);
                stdout.write_all(text.as_bytes())?;
                stdout.flush()
            }
            Text::Verbatim(bytes) => {
                let mut stdout = io::stdout().lock();
                stdout.write_all(bytes)?;
                stdout.flush()
            }
        }
    }
}

fn write_json(
    command: Option<&str>,
    answer: Result<(Raw, &[String]), &Refusal>,
    elapsed: u64,
) -> io::Result<()> {
    let own = dialect("response-envelope/1.0").ok_or(io::ErrorKind::NotFound)?;
    let envelope = envelope(command, answer, elapsed).map_err(io::Error::other)?;
    let mut stdout = io::stdout().lock();
    stdout.write_all(&write(&envelope, own, &Defaults::default()).document)?;
    stdout.flush()
}

fn status(exit: Exit) -> ExitCode {
    ExitCode::from(u8::try_from(RESPONSE_ENVELOPE_1_0.status(exit)).unwrap_or(1))
}

/// Runs a command and makes its answer; a panic is a refusal like any other.
fn guarded(work: impl FnOnce() -> Result<Answer, Refusal>) -> Result<Answer, Refusal> {
    panic::set_hook(Box::new(|_| {}));
    panic::catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
        let text = payload.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("no words");
        Err(Refusal::new(Code::Internal, format!("manila panicked: {text}"))
            .suggest("this is a bug in manila: please report the command and its input"))
    })
}

/// The command that arguments name although they do not make sense.
fn asked_command(arguments: &[OsString]) -> Option<&'static str> {
    arguments.iter().skip(1).filter_map(|word| word.to_str()).find_map(command_name)
}

/// What clap has to say: help and version are answers, everything else is a refusal.
fn from_clap(error: &clap::Error, command: Option<&str>) -> Result<Reply, Refusal> {
    let code = match error.kind() {
        ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => {
            return Ok(Reply::of_text(error.render().to_string()));
        }
        // A bare call is a question, not a mistake.
        ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand => {
            return Ok(Reply::of_text(Cli::command().render_long_help().to_string()));
        }
        ErrorKind::UnknownArgument => Code::UnknownArgument,
        ErrorKind::InvalidSubcommand => Code::UnknownCommand,
        ErrorKind::MissingRequiredArgument => Code::MissingArgument,
        ErrorKind::ArgumentConflict => Code::ConflictingArguments,
        _ => Code::InvalidValue,
    };
    let rendered = error.render().to_string();
    let mut lines = rendered.lines().take_while(|line| !line.trim().is_empty());
    let first = lines.next().unwrap_or_default();
    let message = lines.fold(first.trim_start_matches("error: ").to_owned(), |message, line| {
        format!("{message} {}", line.trim())
    });
    let suggestion = suggested(error).unwrap_or_else(|| match command {
        Some(command) => format!("`manila {command} --help` shows what it takes"),
        None => "`manila --help` lists what there is".to_owned(),
    });
    Err(Refusal::new(code, message).suggest(suggestion))
}

/// The closest match that clap found, or the values that it would have taken.
fn suggested(error: &clap::Error) -> Option<String> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(one)) => Some(one.clone()),
        Some(ContextValue::Strings(many)) if !many.is_empty() => Some(many.join(", ")),
        _ => None,
    };
    let closest =
        [ContextKind::SuggestedArg, ContextKind::SuggestedSubcommand, ContextKind::SuggestedValue];
    let closest = closest.into_iter().find_map(text).map(|it| format!("did you mean {it}?"));
    closest.or_else(|| text(ContextKind::ValidValue).map(|values| format!("one of: {values}")))
}
