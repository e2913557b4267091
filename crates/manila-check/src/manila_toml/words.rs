//! Values of `manila.toml` that several of its tables have: words, dates, and what is said of bad ones.

use crate::error::{Error, ErrorKind};
use jiff::civil::Date;
use serde::Deserialize;

/// A list of words, or one text that is cut as a shell cuts it.
#[derive(Debug, Deserialize)]
#[serde(untagged, expecting = "a list of words, or one text")]
pub(super) enum Words {
    List(Vec<String>),
    Text(String),
}

/// What is said of a file that is not as it should be.
pub(super) fn bad(message: impl Into<String>) -> Error {
    Error::new(ErrorKind::BadDeclaration, message)
}

/// The words of a list or a text.
pub(super) fn words(words: Option<Words>) -> Result<Option<Vec<String>>, Error> {
    match words {
        None => Ok(None),
        Some(Words::List(list)) => Ok(Some(list)),
        Some(Words::Text(text)) => match shlex::split(&text) {
            Some(list) => Ok(Some(list)),
            None => Err(bad(format!("{text:?} has a quote that is not closed"))),
        },
    }
}

/// A date of TOML, or a text that is one.
pub(super) fn date(value: &toml::Value) -> Result<Date, Error> {
    let text = match value {
        toml::Value::Datetime(date) => date.to_string(),
        toml::Value::String(text) => text.clone(),
        _ => String::new(),
    };
    text.parse().map_err(|_| {
        bad(format!("`expires = {value}` is not a date")).suggest("write it as 2027-01-31")
    })
}
