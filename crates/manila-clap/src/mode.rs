//! How an answer is given: mode and colour, from flags, environment and terminals alone.

use crate::screen::Layout;
use std::ffi::OsString;

/// How a program answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// For people: tables, headings, colour.
    Rich,
    /// For grep: flat lines with tabs.
    Plain,
    /// For programs: one document.
    Json,
    /// For programs that do not wait: a line per frame, closed by one document.
    Jsonl,
}

impl Mode {
    /// Its name, as in `--output`.
    pub fn as_str(self) -> &'static str {
        match self {
            Mode::Rich => "rich",
            Mode::Plain => "plain",
            Mode::Json => "json",
            Mode::Jsonl => "jsonl",
        }
    }

    /// The mode of a name; `tsv` is what a plain table is.
    pub(crate) fn from_name(name: &str) -> Option<Mode> {
        match name {
            "rich" | "text" => Some(Mode::Rich),
            "plain" | "tsv" => Some(Mode::Plain),
            "json" => Some(Mode::Json),
            "jsonl" => Some(Mode::Jsonl),
            _ => None,
        }
    }

    /// Whether it is for programs.
    pub fn is_json(self) -> bool {
        matches!(self, Mode::Json | Mode::Jsonl)
    }

    pub(crate) fn layout(self) -> Layout {
        if self == Mode::Rich { Layout::Rich } else { Layout::Plain }
    }
}

/// How a variable is looked up.
type Lookup = Box<dyn Fn(&str) -> Option<OsString> + Send + Sync>;

/// What a run can see of its environment.
pub(crate) struct Environment {
    /// Whether a stream is a terminal: 0 is stdin, 1 output, 2 error.
    pub(crate) is_terminal: Box<dyn Fn(usize) -> bool + Send + Sync>,
    /// How many columns the terminal has that stdout is, if it is one and says so.
    pub(crate) terminal_width: Box<dyn Fn() -> Option<usize> + Send + Sync>,
    /// A variable of the environment.
    pub(crate) variable: Lookup,
}

impl Environment {
    /// A variable that is set to something.
    #[inline(never)]
    pub(crate) fn text(&self, name: &str) -> Option<String> {
        let value = (self.variable)(name)?;
        Some(value.to_string_lossy().into_owned()).filter(|value| !value.is_empty())
    }

    #[inline(never)]
    fn is_set(&self, name: &str) -> bool {
        (self.variable)(name).is_some_and(|value| !value.is_empty())
    }

    /// How wide a page on stdout may be: what `COLUMNS` says, else the terminal; any width elsewhere.
    #[inline(never)]
    pub(crate) fn width(&self) -> Option<usize> {
        let said = self.text("COLUMNS").and_then(|columns| columns.parse().ok());
        said.filter(|columns| *columns > 0).or_else(|| (self.terminal_width)())
    }

    /// Whether it runs unattended, although there may be a terminal.
    #[inline(never)]
    pub(crate) fn is_automatic(&self) -> bool {
        let is_said = |value: String| !matches!(value.as_str(), "0" | "false");
        let names = ["CI", "GITHUB_ACTIONS", "JENKINS_URL"];
        names.iter().any(|name| self.text(name).is_some_and(is_said))
    }

    /// The mode when no flag says it: the program's variable, then the terminal.
    #[inline(never)]
    pub(crate) fn mode(&self, named: Option<Mode>, piped: Mode) -> Mode {
        if let Some(mode) = named {
            return mode;
        }
        if !(self.is_terminal)(1) || self.is_automatic() {
            return piped;
        }
        if self.text("TERM").is_some_and(|term| term == "dumb") { Mode::Plain } else { Mode::Rich }
    }

    /// Whether a stream is coloured: 1 is stdout, 2 stderr.
    #[inline(never)]
    pub(crate) fn colour(&self, when: ColorChoice, stream: usize) -> bool {
        match when {
            ColorChoice::Always => true,
            ColorChoice::Never => false,
            ColorChoice::Auto if self.is_set("NO_COLOR") => false,
            ColorChoice::Auto if self.text("CLICOLOR_FORCE").is_some_and(|force| force != "0") => {
                true
            }
            ColorChoice::Auto => {
                let is_dumb = || self.text("TERM").is_none_or(|term| term == "dumb");
                let is_declined = || self.text("CLICOLOR").is_some_and(|colour| colour == "0");
                (self.is_terminal)(stream) && !is_dumb() && !is_declined() && !self.is_automatic()
            }
        }
    }
}

/// When colour is wanted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum ColorChoice {
    #[default]
    Auto,
    Always,
    Never,
}

impl ColorChoice {
    pub(crate) fn from_name(name: &str) -> Option<ColorChoice> {
        match name {
            "auto" => Some(ColorChoice::Auto),
            "always" => Some(ColorChoice::Always),
            "never" => Some(ColorChoice::Never),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(
        terminals: [bool; 3],
        variables: &[(&'static str, &'static str)],
    ) -> Environment {
        let variables = variables.to_vec();
        let variable = move |name: &str| {
            let found = variables.iter().find(|(key, _)| *key == name);
            found.map(|(_, value)| OsString::from(value))
        };
        Environment {
            is_terminal: Box::new(move |stream| terminals[stream]),
            terminal_width: Box::new(move || terminals[1].then_some(120)),
            variable: Box::new(variable),
        }
    }

    const TERMINAL: [bool; 3] = [true; 3];
    const PIPE: [bool; 3] = [true, false, true];

    #[test]
    fn a_pipe_gets_what_the_program_chose_for_pipes() {
        let pipe = environment(PIPE, &[("TERM", "xterm")]);
        assert_eq!(pipe.mode(None, Mode::Json), Mode::Json);
        assert_eq!(pipe.mode(None, Mode::Plain), Mode::Plain);
        assert_eq!(pipe.mode(Some(Mode::Rich), Mode::Json), Mode::Rich);
    }

    #[test]
    fn a_terminal_in_ci_is_a_pipe_and_a_dumb_one_is_plain() {
        let mode = |variables| environment(TERMINAL, variables).mode(None, Mode::Json);
        assert_eq!(mode(&[("TERM", "xterm")]), Mode::Rich);
        assert_eq!(mode(&[("TERM", "xterm"), ("CI", "true")]), Mode::Json);
        assert_eq!(mode(&[("TERM", "dumb")]), Mode::Plain);
        assert_eq!(mode(&[("TERM", "xterm"), ("NO_COLOR", "1")]), Mode::Rich);
    }

    #[test]
    fn a_page_is_as_wide_as_columns_says_and_else_as_the_terminal() {
        assert_eq!(environment(TERMINAL, &[]).width(), Some(120));
        assert_eq!(environment(TERMINAL, &[("COLUMNS", "0")]).width(), Some(120));
        assert_eq!(environment(TERMINAL, &[("COLUMNS", "80")]).width(), Some(80));
        assert_eq!(environment(PIPE, &[("COLUMNS", "80")]).width(), Some(80));
        assert_eq!(environment(PIPE, &[("COLUMNS", "wide")]).width(), None);
    }

    // proves: F-008
    #[test]
    fn every_variable_that_declines_colour_is_heard() {
        let coloured = |variables: &[_]| {
            let mut all = vec![("TERM", "xterm")];
            all.extend(variables);
            environment(TERMINAL, &all).colour(ColorChoice::Auto, 1)
        };
        assert!(coloured(&[]));
        assert!(coloured(&[("NO_COLOR", "")]));
        for declined in [
            ("NO_COLOR", "1"),
            ("CI", "1"),
            ("GITHUB_ACTIONS", "true"),
            ("JENKINS_URL", "x"),
            ("CLICOLOR", "0"),
        ] {
            assert!(!coloured(&[declined]), "{declined:?}");
        }
        assert!(!environment(TERMINAL, &[("TERM", "dumb")]).colour(ColorChoice::Auto, 1));
        assert!(!environment(PIPE, &[("TERM", "xterm")]).colour(ColorChoice::Auto, 1));
        assert!(environment(PIPE, &[("CLICOLOR_FORCE", "1")]).colour(ColorChoice::Auto, 1));
        assert!(
            !environment(PIPE, &[("CLICOLOR_FORCE", "1"), ("NO_COLOR", "1")])
                .colour(ColorChoice::Auto, 1)
        );
        assert!(!environment(TERMINAL, &[("TERM", "xterm")]).colour(ColorChoice::Never, 1));
    }
}
