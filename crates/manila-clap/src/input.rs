//! Questions to a person, and the failure of a call that cannot ask.

use crate::call::Call;
use crate::code::Code;
use crate::declared::Declared;
use crate::error::Error;
use crate::failure::Failure;
use crate::flag::Flag;
use crate::sys;
use manila::Stream;
use std::io::{self, BufRead, Write};
use std::process::Command;

/// The command has to ask, and the call is not interactive.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct InputRequired {
    question: String,
    flag: String,
}

impl InputRequired {
    fn new(question: impl Into<String>, flag: &str) -> InputRequired {
        InputRequired { question: question.into(), flag: flag.to_owned() }
    }
}

impl Failure for InputRequired {
    fn into_error(self) -> Error {
        Error::new(Code::InputRequired.name(), Code::InputRequired.exit(), self.to_string())
            .suggestion(format!("pass {}", self.flag))
            .fix(format!("the answer is passed with {}", self.flag))
    }

    fn declared(list: &mut Vec<Declared>) {
        list.push(Code::InputRequired.declared(Code::InputRequired.name()));
    }
}

impl std::fmt::Display for InputRequired {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the call is not interactive and cannot ask: {}", self.question)
    }
}

impl std::error::Error for InputRequired {}

impl Call {
    /// Asks a question if the call is interactive; otherwise `flag` answers it.
    pub fn ask(&self, question: &str, flag: &str) -> Result<String, InputRequired> {
        let required = || InputRequired::new(question, flag);
        if !self.is_interactive() {
            return Err(required());
        }
        let asked = sys::write(Stream::Stderr, None, format!("{question} ").as_bytes());
        let mut line = String::new();
        let read = asked.and_then(|()| io::stdin().lock().read_line(&mut line));
        match read {
            Ok(bytes) if bytes > 0 => Ok(line.trim_end_matches(['\n', '\r']).to_owned()),
            _ => Err(required()),
        }
    }

    /// Asks whether to continue if the call is interactive. Only `y` and `yes` mean yes.
    pub fn confirm(&self, question: &str, flag: &str) -> Result<bool, InputRequired> {
        if flag == "--yes" && self.flags.has(Flag::Yes) {
            return Ok(true);
        }
        let answer = self.ask(&format!("{question} [y/N]"), flag)?;
        Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
    }

    /// Opens a text in the user's editor if the call is interactive.
    pub fn edit(&self, text: &str, flag: &str) -> Result<String, InputRequired> {
        let required = || InputRequired::new("a text is to be edited", flag);
        if !self.is_interactive() {
            return Err(required());
        }
        let named = |name| self.environment.text(name);
        let editor = named("VISUAL").or_else(|| named("EDITOR")).unwrap_or_else(|| "vi".to_owned());
        let words = shlex::split(&editor).filter(|words| !words.is_empty()).ok_or_else(required)?;
        let file = Scratch::new(text).map_err(|_| required())?;
        let status = Command::new(&words[0]).args(&words[1..]).arg(&file.0).status();
        if !status.is_ok_and(|status| status.success()) {
            return Err(required());
        }
        std::fs::read_to_string(&file.0).map_err(|_| required())
    }

    /// Opens a page in the browser if the call is interactive. Otherwise the failure names the page.
    pub fn browse(&self, url: &str, flag: &str) -> Result<(), InputRequired> {
        let required = || InputRequired::new(format!("{url} is to be opened"), flag);
        if !self.is_interactive() {
            return Err(required());
        }
        let usual = if cfg!(target_os = "macos") { "open" } else { "xdg-open" };
        let browser = self.environment.text("BROWSER").unwrap_or_else(|| usual.to_owned());
        let words =
            shlex::split(&browser).filter(|words| !words.is_empty()).ok_or_else(required)?;
        let status = Command::new(&words[0]).args(&words[1..]).arg(url).status();
        if status.is_ok_and(|status| status.success()) { Ok(()) } else { Err(required()) }
    }
}

/// Asks before a destructive command; the failure of one that is not confirmed.
pub(crate) fn confirm(call: &Call) -> Result<(), Error> {
    let name = if call.path.is_empty() { &call.program.name } else { &call.path };
    let question = format!("`{name}` cannot be undone. Go on?");
    if call.confirm(&question, "--yes").unwrap_or(false) {
        return Ok(());
    }
    let message = format!("`{name}` cannot be undone and was not confirmed");
    let error = call.error(Code::ConfirmationRequired, message);
    Err(error.suggestion("pass --yes").fix("it is confirmed with --yes"))
}

/// A file that only its owner can read and that is gone afterwards.
struct Scratch(std::path::PathBuf);

impl Scratch {
    fn new(text: &str) -> io::Result<Scratch> {
        let name = format!("manila-{}.txt", crate::call::request_id());
        let path = std::env::temp_dir().join(name);
        let mut options = std::fs::OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        options.open(&path)?.write_all(text.as_bytes())?;
        Ok(Scratch(path))
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_file(&self.0);
    }
}
