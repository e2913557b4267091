//! A call of a program, from the words and the options of a caller in another language.

use crate::error::Error;
use manila_pack::Packs;
use manila_run::{Input, Invocation, PackLookup, Policy};
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::LazyLock;

/// What to call, and what is allowed.
#[derive(Clone, Debug)]
pub struct Call {
    /// The program and what it gets.
    pub invocation: Invocation,
    /// What is allowed.
    pub policy: Policy,
}

/// The options that are about the program's surroundings; all others are about the policy.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Surroundings {
    cwd: Option<PathBuf>,
    /// Variables that are set, or removed.
    extra_env: BTreeMap<String, Option<String>>,
    non_interactive: bool,
}

const SURROUNDINGS: [&str; 3] = ["cwd", "extra_env", "non_interactive"];
/// The names that the command line has for fields of the policy.
const RENAMED: [(&str, &str); 1] = [("timeout", "attempt_limit")];

impl Call {
    /// A call with these words; the options are a JSON object.
    pub fn new(argv: Vec<OsString>, options: &str, input: Option<Vec<u8>>) -> Result<Call, Error> {
        let mut words = argv.into_iter();
        let Some(program) = words.next().filter(|program| !program.is_empty()) else {
            return Err(Error::option("argv has no program"));
        };
        let mut policy: Map<String, Value> = object(options)?;
        let mut surroundings = Map::new();
        for name in SURROUNDINGS {
            surroundings.extend(policy.remove(name).map(|value| (name.to_owned(), value)));
        }
        let surroundings: Surroundings = read(surroundings)?;
        let mut invocation = Invocation::new(program).args(words);
        if let Some(bytes) = input {
            invocation = invocation.stdin(Input::Bytes(bytes.into()));
        }
        if let Some(directory) = surroundings.cwd {
            invocation = invocation.directory(directory);
        }
        if surroundings.non_interactive {
            invocation = invocation.non_interactive();
        }
        for (name, value) in surroundings.extra_env {
            if name.is_empty() || name.contains(['=', '\0']) {
                return Err(Error::option(format!("{name:?} is not a name of a variable")));
            }
            invocation = match value {
                Some(value) => invocation.variable(name, value),
                None => invocation.without_variable(name),
            };
        }
        let policy: Policy = read(policy)?;
        let packs = packs()?;
        let policy = Policy { packs, max_attempts: policy.max_attempts.max(1), ..policy };
        Ok(Call { invocation, policy })
    }
}

/// The packs of the environment. Built-in ones are parsed once in the life of the process.
fn packs() -> Result<PackLookup, Error> {
    static BUILTIN: LazyLock<PackLookup> = LazyLock::new(PackLookup::default);
    let packs = Packs::from_environment()?;
    Ok(if packs.is_only_builtin() { BUILTIN.clone() } else { PackLookup::new(packs) })
}

fn object(options: &str) -> Result<Map<String, Value>, Error> {
    serde_json::from_str(options).map_err(|error| Error::option(format!("options: {error}")))
}

/// Reads options into what they are about. An error names its option.
fn read<T: for<'de> Deserialize<'de>>(mut options: Map<String, Value>) -> Result<T, Error> {
    for (name, field) in RENAMED {
        options = options
            .into_iter()
            .map(|(key, value)| (if key == name { field.to_owned() } else { key }, value))
            .collect();
    }
    serde_json::from_value(Value::Object(options.clone())).map_err(|error| {
        let is_wrong = |(key, value): &(String, Value)| {
            let alone = Map::from_iter([(key.clone(), value.clone())]);
            serde_json::from_value::<T>(Value::Object(alone)).is_err()
        };
        let shown = |field: String| {
            let name = RENAMED.iter().find(|(_, inner)| *inner == field).map(|(name, _)| *name);
            name.map_or(field, str::to_owned)
        };
        match options.into_iter().find(is_wrong) {
            Some((key, _)) => Error::option(format!("{}: {error}", shown(key))),
            None => Error::option(error.to_string()),
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn call(options: &str) -> Result<Call, Error> {
        Call::new(vec!["true".into()], options, None)
    }

    #[test]
    fn options_are_those_of_the_policy_with_the_names_of_the_command_line() {
        let call =
            call(r#"{"timeout":"30s","retries":1,"cwd":"/tmp","extra_env":{"A":"b","C":null}}"#);
        let policy = call.expect("a call").policy;
        assert_eq!(policy.attempt_limit, Some(Duration::from_secs(30)));
        assert_eq!(policy.retries, 1);
    }

    #[test]
    fn a_mistake_names_its_option() {
        let refused = |options: &str| call(options).expect_err("a mistake");
        for (options, name) in [
            (r#"{"retries":-1}"#, "retries: "),
            (r#"{"timeout":"soon","retries":2}"#, "timeout: \"soon\" is not a time"),
            (r#"{"dialect":"tt/1"}"#, "dialect: "),
            (r#"{"extra_env":{"A=B":"c"}}"#, "\"A=B\" is not a name"),
            (r#"{"nope":1}"#, "nope: unknown field"),
            ("[]", "options: "),
        ] {
            let error = refused(options);
            assert!(error.message().starts_with(name), "{error}");
            assert_eq!(error.kind(), Error::INVALID_OPTION);
        }
        let nothing = Call::new(Vec::new(), "{}", None).expect_err("no program");
        assert_eq!(nothing.message(), "argv has no program");
    }
}
