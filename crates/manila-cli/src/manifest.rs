//! What a program says of itself, as far as it tells which of its commands change nothing.

use crate::refusal::Refusal;
use manila_run::{Invocation, Policy, run};
use serde::Deserialize;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::path::Path;

/// The word of a command that changes nothing.
const SAFE: &str = "safe";

#[derive(Deserialize)]
struct Manifest {
    commands: BTreeMap<String, Described>,
}

#[derive(Deserialize)]
struct Described {
    danger_level: Option<String>,
}

/// A manifest in a file is an envelope around it, as the program wrote it, or the bare thing.
#[derive(Deserialize)]
#[serde(untagged)]
enum File {
    Enveloped { data: Manifest },
    Bare(Manifest),
}

/// Whether a program says that a call of it changes nothing: in this file, or when it is asked.
pub(crate) fn is_safe(
    manifest: &Path,
    call: &[OsString],
    policy: &Policy,
) -> Result<bool, Refusal> {
    let manifest = if manifest.as_os_str() == "ask" {
        ask(call, policy)?
    } else {
        let bytes =
            fs::read(manifest).map_err(|error| Refusal::unreadable(manifest.to_owned(), error))?;
        match serde_json::from_slice(&bytes) {
            Ok(File::Enveloped { data } | File::Bare(data)) => data,
            Err(error) => return Err(bad(&format!("{}: {error}", manifest.display()))),
        }
    };
    Ok(manifest.calls_safe(call))
}

fn ask(call: &[OsString], policy: &Policy) -> Result<Manifest, Refusal> {
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
    run(&asked, &policy).data().map_err(|error| bad(&error.to_string()))
}

fn bad(why: &str) -> Refusal {
    Refusal::InvalidValue {
        message: format!("there is no manifest: {why}"),
        suggestion: "pass what the program answers to --manifest, or leave it out".to_owned(),
    }
}

impl Manifest {
    /// Whether the most exact command that the words of a call name is a safe one. Options before it
    /// may have values that look like words, so what stands behind one is nobody's command.
    fn calls_safe(&self, call: &[OsString]) -> bool {
        let words = call.iter().skip(1).map_while(|word| word.to_str());
        let words: Vec<&str> = words.take_while(|word| !word.starts_with('-')).collect();
        let named =
            (1..=words.len()).rev().find_map(|end| self.commands.get(&words[..end].join(".")));
        named.is_some_and(|command| command.danger_level.as_deref() == Some(SAFE))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_most_exact_command_decides() {
        let text = r#"{"commands":{"ls":{"danger_level":"safe"},"rm":{"danger_level":"destructive"},
            "ls.all":{"danger_level":"mutating"},"odd":{}}}"#;
        let manifest: Manifest = serde_json::from_str(text).unwrap();
        let is_safe = |line: &str| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            manifest.calls_safe(&words)
        };
        assert!(is_safe("t ls") && is_safe("t ls x --all"));
        for line in ["t", "t rm", "t ls all", "t odd", "t other", "t --color ls"] {
            assert!(!is_safe(line), "{line}");
        }
    }
}
