//! Configuration of the programs that are called: `[program.NAME]` in a configuration file.

use crate::invocation::Invocation;
use crate::policy::Policy;
use crate::policy::written;
use serde::de::value::MapAccessDeserializer;
use serde::de::{IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::collections::BTreeMap;
use std::env;
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

/// The configuration of one program: a table `[program.NAME]`.
///
/// ```
/// use manila_run::{Policy, ProgramConfig};
///
/// let config = ProgramConfig { accept: vec![8], attempts: Some(3), ..ProgramConfig::default() };
/// let mut policy = Policy::default();
/// config.apply(&mut policy);
/// assert_eq!(policy.accept, [8]);
/// assert_eq!(policy.max_attempts, 3);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct ProgramConfig {
    /// Beginnings of command lines that only read, such as `pr view`.
    pub reads: Vec<String>,
    /// The command that renews its credentials.
    pub refresh: Vec<String>,
    /// How long one attempt may take.
    #[serde(with = "written::time_limit")]
    pub timeout: Option<Duration>,
    /// How long the whole call may take.
    #[serde(with = "written::time_limit")]
    pub deadline: Option<Duration>,
    /// How many attempts there may be.
    pub attempts: Option<usize>,
    /// Exit codes that are a success too.
    pub accept: Vec<i32>,
}

impl ProgramConfig {
    /// Adds this configuration to a policy, where the caller has set nothing else.
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

/// The configuration of all programs, by name.
///
/// ```
/// use manila_run::Config;
/// use std::path::Path;
///
/// let config = Config::load(None, Path::new("/"))?;
/// assert_eq!(config.names().count(), 0);
/// assert!(config.program("/usr/bin/gh").is_none());
/// # Ok::<(), manila_run::ConfigError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Config {
    programs: BTreeMap<String, ProgramConfig>,
}

/// A configuration file that cannot be used.
#[derive(Debug)]
pub struct ConfigError {
    file: PathBuf,
    /// The line and the column of what is wrong, from 1.
    place: Option<(usize, usize)>,
    message: String,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.place {
            Some((line, column)) => {
                write!(f, "{}:{line}:{column}: {}", self.file.display(), self.message)
            }
            None => write!(f, "{}: {}", self.file.display(), self.message),
        }
    }
}

impl std::error::Error for ConfigError {}

/// The part of a file that is ours; what else it says is for `manila check`.
#[derive(Deserialize)]
struct File {
    #[serde(default)]
    program: Programs,
}

/// The tables of `[program]`, but for its environment. Its other keys are for `manila check` too.
#[derive(Default)]
struct Programs(BTreeMap<String, ProgramConfig>);

/// A table is about a program; nothing else is.
struct Entry(Option<ProgramConfig>);

impl<'de> Deserialize<'de> for Programs {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Programs, D::Error> {
        struct Tables;
        impl<'de> Visitor<'de> for Tables {
            type Value = Programs;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Programs, A::Error> {
                let mut programs = Programs::default();
                while let Some(name) = map.next_key::<String>()? {
                    if name == "env" {
                        map.next_value::<IgnoredAny>()?;
                    } else if let Entry(Some(program)) = map.next_value()? {
                        programs.0.insert(name, program);
                    }
                }
                Ok(programs)
            }
        }
        from.deserialize_map(Tables)
    }
}

impl<'de> Deserialize<'de> for Entry {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Entry, D::Error> {
        struct Table;
        impl<'de> Visitor<'de> for Table {
            type Value = Entry;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a table")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Entry, A::Error> {
                let program = ProgramConfig::deserialize(MapAccessDeserializer::new(map))?;
                Ok(Entry(Some(program)))
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<Entry, A::Error> {
                while seq.next_element::<IgnoredAny>()?.is_some() {}
                Ok(Entry(None))
            }

            fn visit_str<E>(self, _: &str) -> Result<Entry, E> {
                Ok(Entry(None))
            }

            fn visit_bool<E>(self, _: bool) -> Result<Entry, E> {
                Ok(Entry(None))
            }

            fn visit_i64<E>(self, _: i64) -> Result<Entry, E> {
                Ok(Entry(None))
            }

            fn visit_f64<E>(self, _: f64) -> Result<Entry, E> {
                Ok(Entry(None))
            }
        }
        from.deserialize_any(Table)
    }
}

/// The part of a file that names dialects.
#[derive(Deserialize)]
struct WithDialects {
    #[serde(default)]
    dialects: Dialects,
}

/// `[dialects]`.
#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Dialects {
    files: Vec<PathBuf>,
}

/// The files of dialects that `[dialects]` names, in the user's file and in the file of the project that
/// a directory belongs to.
pub fn dialect_files(user: Option<&Path>, directory: &Path) -> Result<Vec<PathBuf>, ConfigError> {
    let mut files = Vec::new();
    for file in user.map(Path::to_owned).into_iter().chain(Config::project_file(directory)) {
        files.extend(dialect_files_in(&file)?);
    }
    Ok(files)
}

/// The files of dialects that one file names. Other errors in the file are reported by the code
/// that reads the rest of it.
pub fn dialect_files_in(file: &Path) -> Result<Vec<PathBuf>, ConfigError> {
    let text = read(file).unwrap_or_default();
    if toml::from_str::<toml::Table>(&text).is_err() {
        return Ok(Vec::new());
    }
    let named = toml::from_str::<WithDialects>(&text).map_err(|wrong| {
        let place = wrong.span().map(|span| place(&text, span.start));
        ConfigError { file: file.to_owned(), place, message: wrong.message().to_owned() }
    })?;
    let directory = file.parent().unwrap_or(Path::new(""));
    Ok(named.dialects.files.iter().map(|file| directory.join(file)).collect())
}

impl Config {
    /// The user's file, and over it the file of the project that a directory belongs to.
    pub fn load(user: Option<&Path>, directory: &Path) -> Result<Config, ConfigError> {
        let mut config = Config::default();
        if let Some(user) = user {
            config.add(user)?;
        }
        if let Some(project) = Config::project_file(directory) {
            config.add(&project)?;
        }
        Ok(config)
    }

    /// The user's file, whether it exists or not: below `XDG_CONFIG_HOME`, or the usual directory in `HOME`.
    pub fn user_file() -> Option<PathBuf> {
        let named =
            |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let base = named("XDG_CONFIG_HOME").or_else(|| Some(named("HOME")?.join(".config")))?;
        Some(base.join("manila/config.toml"))
    }

    /// The file of the project that a directory belongs to.
    pub fn project_file(directory: &Path) -> Option<PathBuf> {
        directory.ancestors().map(|above| above.join(PROJECT_FILE)).find(|file| is_ours(file))
    }

    /// The names of the configured programs, sorted.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.programs.keys().map(String::as_str)
    }

    /// The configuration of a program, by the file name it is called by.
    pub fn program(&self, program: &str) -> Option<&ProgramConfig> {
        let name = program.rsplit('/').next().unwrap_or(program);
        self.programs.get(name)
    }

    fn add(&mut self, file: &Path) -> Result<(), ConfigError> {
        let error = |place, message| ConfigError { file: file.to_owned(), place, message };
        let text = match read(file) {
            Ok(text) => text,
            Err(missing) if missing.kind() == ErrorKind::NotFound => return Ok(()),
            Err(unreadable) => return Err(error(None, unreadable.to_string())),
        };
        self.add_text(&text).map_err(|wrong| {
            let place = wrong.span().map(|span| place(&text, span.start));
            error(place, wrong.message().to_owned())
        })
    }

    fn add_text(&mut self, text: &str) -> Result<(), toml::de::Error> {
        let file: File = toml::from_str(text)?;
        self.programs.extend(file.program.0);
        Ok(())
    }
}

/// The line and the column of a byte, from 1.
fn place(text: &str, at: usize) -> (usize, usize) {
    let before = text.get(..at).unwrap_or(text);
    let line = before.rsplit('\n').next().unwrap_or_default();
    (before.matches('\n').count() + 1, line.chars().count() + 1)
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

/// Whether a file exists and belongs to this user or to root. A file that another user left in a
/// directory must not say which commands are run.
fn is_ours(file: &Path) -> bool {
    let user = rustix::process::geteuid().as_raw();
    fs::metadata(file).is_ok_and(|file| file.is_file() && (file.uid() == user || file.uid() == 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn config(text: &str) -> Result<Config, toml::de::Error> {
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
    fn dialects_are_named_beside_their_file() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join(PROJECT_FILE);
        let below = home.path().join("src");
        fs::create_dir(&below).unwrap();
        let found = |text: &str| {
            fs::write(&file, text).unwrap();
            dialect_files(None, &below)
        };
        let named = found("[dialects]\nfiles = ['acme.toml']\n[program.gh]\nreed = 1\n").unwrap();
        assert_eq!(named, [home.path().join("acme.toml")]);
        assert_eq!(
            found("[program").unwrap(),
            [] as [PathBuf; 0],
            "reported by the caller that reads programs"
        );
        let wrong = found("[dialects]\nfile = ['acme.toml']\n").unwrap_err().to_string();
        assert!(wrong.contains("manila.toml:2:1: unknown field `file`"), "{wrong}");
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
    fn mistakes_name_their_line_and_what_would_be_right() {
        let home = tempfile::tempdir().unwrap();
        let file = home.path().join("config.toml");
        let refused = |text: &str| {
            fs::write(&file, text).unwrap();
            let error = Config::load(Some(&file), Path::new("/")).unwrap_err().to_string();
            error.replace(&*file.to_string_lossy(), "config.toml")
        };
        let unknown = refused("[program.gh]\nreed = ['x']");
        assert!(unknown.starts_with("config.toml:2:1: unknown field `reed`"), "{unknown}");
        assert!(unknown.contains("`reads`"), "{unknown}");
        let soon = refused("# times\n[program.gh]\ntimeout = 'soon'\n");
        assert!(soon.starts_with("config.toml:3:11: \"soon\" is not a time"), "{soon}");
        let kind = refused("[program.gh]\nattempts = 'three'");
        assert!(kind.starts_with("config.toml:2:12: invalid type"), "{kind}");
        assert!(refused("[program").starts_with("config.toml:1:"));
    }

    #[test]
    fn what_is_for_the_checker_is_left_to_it() {
        let text = "[program]\ncommand = 'x'\ntimes = 3\nlist = ['a']\nis = true\n\
                    env = { A = 'b' }\n[program.gh]\nattempts = 2";
        assert_eq!(config(text).unwrap().program("gh").unwrap().attempts, Some(2));
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
