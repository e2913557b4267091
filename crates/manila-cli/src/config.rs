//! The configuration of a call: the user's file, and over it the project's.

use crate::place;
use crate::refusal::Refusal;
use manila_run::Config;
use std::env;

/// What is written down about programs, for a call that is made here.
pub(crate) fn load() -> Result<Config, Refusal> {
    let directory = env::current_dir().unwrap_or_default();
    Config::load(place::config().as_deref(), &directory).map_err(|error| Refusal::InvalidValue {
        message: error.to_string(),
        suggestion: "docs/run.md lists what [program.NAME] may say".to_owned(),
    })
}
