//! The manifest of a program, as far as it says which of its commands change nothing.

use crate::error::CliError;
use manila::manifest::Manifest;
use manila_run::{Invocation, Policy, run};
use std::ffi::OsString;
use std::fs;
use std::path::Path;

/// The word of a command that changes nothing.
const SAFE: &str = "safe";

/// Whether a program says that a call of it changes nothing: in this file, or when it is asked.
pub(crate) fn is_safe(
    manifest: &Path,
    call: &[OsString],
    policy: &Policy,
) -> Result<bool, CliError> {
    let manifest = if manifest.as_os_str() == "ask" {
        ask(call, policy)?
    } else {
        let bytes =
            fs::read(manifest).map_err(|error| CliError::unreadable(manifest.to_owned(), error))?;
        Manifest::from_json(&bytes)
            .map_err(|error| bad(&format!("{}: {error}", manifest.display())))?
    };
    let words = call.iter().skip(1).map_while(|word| word.to_str());
    let danger = manifest.called(words).and_then(|entry| entry.danger_level.as_deref());
    Ok(danger == Some(SAFE))
}

fn ask(call: &[OsString], policy: &Policy) -> Result<Manifest, CliError> {
    let program = call.first().cloned().unwrap_or_default();
    let asked = Invocation::new(program).args(["--manifest", "--json"]);
    // It is asked for itself alone: nothing is kept, recorded or logged of it.
    let policy = Policy {
        redirect_store: None,
        cache: None,
        record: None,
        log: None,
        spans: None,
        ..policy.clone()
    };
    let data = run(&asked, &policy).data().map_err(|error| bad(&error.to_string()))?;
    Manifest::from_value(data).map_err(|error| bad(&error.to_string()))
}

fn bad(why: &str) -> CliError {
    CliError::InvalidValue {
        message: format!("there is no manifest: {why}"),
        suggestion: "pass what the program answers to --manifest, or leave it out".to_owned(),
    }
}
