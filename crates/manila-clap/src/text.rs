//! The boundary's own replies: a text such as help, and the version.

use crate::reply::{Kind, Reply, Shape, data_of};
use crate::screen::Screen;
use manila::json::{Raw, SerializeError};
use serde::Serialize;

/// An answer that is a text of its own, such as help or a manual page.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Text {
    text: String,
    #[serde(skip)]
    kind: &'static str,
}

impl Text {
    #[cfg(any(feature = "completions", feature = "man"))]
    pub(crate) fn new(kind: &'static str, text: impl Into<String>) -> Text {
        Text { text: text.into(), kind }
    }

    /// Help. For people clap shows it itself.
    pub(crate) fn help(help: &clap::builder::StyledStr) -> Text {
        Text { text: help.to_string(), kind: "help" }
    }

    /// The same as clap shows it in colour, where a call is only tried.
    #[cfg(feature = "testing")]
    pub(crate) fn coloured(help: &clap::builder::StyledStr) -> Text {
        Text { text: help.ansi().to_string(), kind: "help" }
    }
}

impl Reply for Text {
    fn kind(&self) -> &'static str {
        self.kind
    }

    fn data(&self, _: Shape) -> Result<Raw, SerializeError> {
        data_of(self)
    }

    fn show(&self, screen: &mut Screen) {
        screen.verbatim(&self.text);
    }

    fn kinds(list: &mut Vec<Kind>) {
        list.push(Kind::new::<Text>("help"));
    }
}

/// The version of the program.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Version {
    pub(crate) name: String,
    pub(crate) version: String,
}

impl Reply for Version {
    fn kind(&self) -> &'static str {
        "version"
    }

    fn data(&self, _: Shape) -> Result<Raw, SerializeError> {
        data_of(self)
    }

    fn show(&self, screen: &mut Screen) {
        screen.line(format_args!("{} {}", self.name, self.version));
    }

    fn kinds(list: &mut Vec<Kind>) {
        list.push(Kind::new::<Version>("version"));
    }
}

/// What `--validate-only` answers when the arguments are right. It is an empty object and not null:
/// a response envelope whose `data` and `error` are both null is malformed.
#[derive(Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Valid {}

impl Reply for Valid {
    fn kind(&self) -> &'static str {
        "valid"
    }

    fn data(&self, _: Shape) -> Result<Raw, SerializeError> {
        data_of(self)
    }

    fn show(&self, screen: &mut Screen) {
        screen.line("the arguments are valid");
    }

    fn kinds(list: &mut Vec<Kind>) {
        list.push(Kind::new::<Valid>("valid"));
    }
}
