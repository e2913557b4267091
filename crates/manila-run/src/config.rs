//! What a caller has written down about the programs it calls: `[program.NAME]` in a configuration file.

use crate::invocation::Invocation;
use crate::policy::Policy;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;
use std::fs;
use std::io::{self, ErrorKind};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The name of a project's file.
const PROJECT_FILE: &str = "manila.toml";
/// A file that is longer was not written by a person.
const LONGEST: u64 = 1 << 20;

/// What is written down about one program.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProgramConfig {
    /// Beginnings of command lines that only read, such as `pr view`.
    pub reads: Vec<String>,
    /// The command that renews its credentials.
    pub refresh: Vec<String>,
    /// How long one attempt may take.
    #[serde(with = "time")]
    pub timeout: Option<Duration>,
    /// How long the whole call may take.
    #[serde(with = "time")]
    pub deadline: Option<Duration>,
    /// How many attempts there may be.
    pub attempts: Option<usize>,
    /// Exit codes that are a success too.
    pub accept: Vec<i32>,
}

impl ProgramConfig {
    /// A policy with what is written down here, where the caller has not said otherwise.
    pub fn apply(&self, policy: &mut Policy) {
        policy.attempt_limit = policy.attempt_limit.or(self.timeout);
        policy.deadline = policy.deadline.or(self.deadline);
        if let Some(attempts) = self.attempts {
            policy.max_attempts = policy.max_attempts.min(attempts.max(1));
        }
        if let (None, [program, arguments @ ..]) = (&policy.refresh, self.refresh.as_slice()) {
            policy.refresh = Some(Invocation::new(program).args(arguments));
        }
        policy.accept.extend(&self.accept);
        policy.reads.extend(self.reads.iter().cloned());
    }
}

/// All that is written down, by the names of programs.
#[derive(Clone, Debug, Default)]
pub struct Config {
    programs: BTreeMap<String, ProgramConfig>,
}

/// A configuration file that cannot be used.
#[derive(Debug)]
pub struct ConfigError {
    file: PathBuf,
    message: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file.display(), self.message)
    }
}

impl std::error::Error for ConfigError {}

#[derive(Deserialize)]
struct File {
    #[serde(default)]
    program: BTreeMap<String, toml::Value>,
}

impl Config {
    /// The user's file, and over it the file of the project that a directory belongs to.
    pub fn load(user: Option<&Path>, directory: &Path) -> Result<Config, ConfigError> {
        let mut config = Config::default();
        if let Some(user) = user {
            config.add(user)?;
        }
        let project =
            directory.ancestors().map(|above| above.join(PROJECT_FILE)).find(|file| is_ours(file));
        if let Some(project) = project {
            config.add(&project)?;
        }
        Ok(config)
    }

    /// What is written down about a program, by the file name it is called by.
    pub fn program(&self, program: &str) -> Option<&ProgramConfig> {
        let name = program.rsplit('/').next().unwrap_or(program);
        self.programs.get(name)
    }

    fn add(&mut self, file: &Path) -> Result<(), ConfigError> {
        let error = |message: String| ConfigError { file: file.to_owned(), message };
        let text = match read(file) {
            Ok(text) => text,
            Err(missing) if missing.kind() == ErrorKind::NotFound => return Ok(()),
            Err(unreadable) => return Err(error(unreadable.to_string())),
        };
        self.add_text(&text).map_err(error)
    }

    fn add_text(&mut self, text: &str) -> Result<(), String> {
        let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
        // `[program]` itself is what `manila check` reads; the tables in it are about other programs.
        for (name, value) in
            file.program.into_iter().filter(|(name, value)| value.is_table() && name != "env")
        {
            let program = value.try_into().map_err(|error| format!("[program.{name}]: {error}"))?;
            self.programs.insert(name, program);
        }
        Ok(())
    }
}

fn read(file: &Path) -> io::Result<String> {
    let length = fs::metadata(file)?.len();
    if length > LONGEST {
        return Err(io::Error::other(format!(
            "it has {length} bytes, which is more than {LONGEST}"
        )));
    }
    fs::read_to_string(file)
}

/// Whether a file exists and belongs to this user or to root. One that somebody else left in a directory
/// must not say which commands are run.
fn is_ours(file: &Path) -> bool {
    let user = rustix::process::geteuid().as_raw();
    fs::metadata(file).is_ok_and(|file| file.is_file() && (file.uid() == user || file.uid() == 0))
}

/// Times as people write them: `30s`, `5m`.
mod time {
    use super::{Deserialize, Deserializer, Duration, Serializer};
    use serde::de::Error;

    #[expect(clippy::ref_option, reason = "serde passes the field by reference")]
    pub(super) fn serialize<S: Serializer>(
        time: &Option<Duration>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        match time {
            Some(time) => serializer.serialize_str(&humantime::format_duration(*time).to_string()),
            None => serializer.serialize_none(),
        }
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<Duration>, D::Error> {
        let text = Option::<String>::deserialize(deserializer)?;
        let parse = |text: String| {
            humantime::parse_duration(&text).map_err(|_| {
                D::Error::custom(format!("{text:?} is not a time such as 500ms, 30s or 5m"))
            })
        };
        text.map(parse).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(text: &str) -> Result<Config, String> {
        let mut config = Config::default();
        config.add_text(text).map(|()| config)
    }

    #[test]
    fn a_program_has_its_own_limits() {
        let text = "[program.gh]\nreads = ['pr view']\nrefresh = ['gh', 'auth', 'refresh']\n\
                    timeout = '30s'\nattempts = 2\naccept = [8]";
        let config = config(text).unwrap();
        let gh = config.program("/usr/bin/gh").unwrap();
        let mut policy = Policy::default();
        gh.apply(&mut policy);
        assert_eq!(policy.attempt_limit, Some(Duration::from_secs(30)));
        assert_eq!((policy.max_attempts, policy.accept.as_slice()), (2, &[8][..]));
        assert!(policy.refresh.is_some());
        assert!(config.program("git").is_none());
    }

    #[test]
    fn what_the_caller_says_wins() {
        let config = config("[program.gh]\ntimeout = '30s'").unwrap();
        let said = Some(Duration::from_secs(1));
        let mut policy = Policy { attempt_limit: said, ..Policy::default() };
        config.program("gh").unwrap().apply(&mut policy);
        assert_eq!(policy.attempt_limit, said);
    }

    #[test]
    fn mistakes_name_the_program_and_the_key() {
        let error = config("[program.gh]\nreed = ['x']").unwrap_err();
        assert!(error.contains("program.gh") && error.contains("reed"), "{error}");
        let error = config("[program.gh]\ntimeout = 'soon'").unwrap_err();
        assert!(error.contains("soon"), "{error}");
        assert!(config("[program]\ncommand = 'x'\nenv = { A = 'b' }").is_ok());
    }

    #[test]
    fn the_nearest_project_is_read_over_the_users_file() {
        let home = tempfile::tempdir().unwrap();
        let inner = home.path().join("a/b");
        fs::create_dir_all(&inner).unwrap();
        let user = home.path().join("config.toml");
        fs::write(&user, "[program.x]\nattempts = 1\n[program.y]\nattempts = 1").unwrap();
        fs::write(home.path().join("a/manila.toml"), "[program.x]\nattempts = 5").unwrap();
        let config = Config::load(Some(&user), &inner).unwrap();
        assert_eq!(config.program("x").unwrap().attempts, Some(5));
        assert_eq!(config.program("y").unwrap().attempts, Some(1));
    }
}
