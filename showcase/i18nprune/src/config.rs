//! The configuration of a project: where it is looked for, and what it may say.

use crate::code::Code;
use crate::finding::Finding;
use ignore::WalkBuilder;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::path::{Path, PathBuf};

/// The file that makes a directory a project.
pub(crate) const FILE: &str = "i18nprune.config.json";

/// The translation functions, unless the configuration names others.
pub(crate) const FUNCTIONS: &[&str] = &["t", "$t", "$_", "i18n.t", "i18next.t", "$i18n.t"];

/// The variable that names it, where no flag does.
const VARIABLE: &str = "I18NPRUNE_CONFIG";

/// How deep below the current directory a project is looked for, and among how many files.
const DEPTH: usize = 5;
const MOST_ENTRIES: usize = 50_000;

/// Directories that hold no project of one's own.
const FOREIGN: &[&str] = &["node_modules", "bower_components", "target", "vendor"];

/// What a project says about itself.
#[derive(Clone, Debug, Deserialize)]
#[serde(default)]
pub(crate) struct Config {
    /// Where the texts are.
    pub(crate) locales: Locales,
    /// The directory of the sources.
    pub(crate) src: PathBuf,
    /// The functions whose first argument is a key.
    pub(crate) functions: Vec<String>,
    /// Patterns of files in the directory of the sources that are not read, as in `.gitignore`.
    pub(crate) exclude: Vec<String>,
    #[serde(flatten)]
    unknown: Map<String, Value>,
}

/// Where the texts are.
#[derive(Clone, Debug, Deserialize)]
#[serde(default)]
pub(crate) struct Locales {
    /// The language that the others are translated from.
    pub(crate) source: String,
    /// The directory with a file or a directory for each language.
    pub(crate) directory: PathBuf,
    #[serde(flatten)]
    unknown: Map<String, Value>,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            locales: Locales::default(),
            src: "src".into(),
            functions: FUNCTIONS.iter().map(ToString::to_string).collect(),
            exclude: Vec::new(),
            unknown: Map::new(),
        }
    }
}

impl Default for Locales {
    fn default() -> Locales {
        Locales { source: "en".into(), directory: "locales".into(), unknown: Map::new() }
    }
}

impl Config {
    /// Reads the text of a configuration; what is wrong with it otherwise.
    pub(crate) fn parse(text: &[u8]) -> Result<Config, String> {
        let config: Config = serde_json::from_slice(text).map_err(|error| error.to_string())?;
        let below = config.locales.unknown.keys().map(|key| format!("locales.{key}"));
        let unknown: Vec<String> = config.unknown.keys().cloned().chain(below).collect();
        if !unknown.is_empty() {
            return Err(format!("unknown key(s): {}", unknown.join(", ")));
        }
        if config.functions.is_empty() {
            return Err("`functions` names none".to_owned());
        }
        match config.functions.iter().find(|name| !is_function(name)) {
            Some(name) => Err(format!("`functions` has {name:?}, which is not a name")),
            None => Ok(config),
        }
    }
}

/// Whether it is the name of a function, or several with dots between them.
fn is_function(name: &str) -> bool {
    let is_part = |part: &str| {
        let is_letter = |letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '$');
        !part.is_empty()
            && !part.starts_with(|it: char| it.is_ascii_digit())
            && part.chars().all(is_letter)
    };
    name.split('.').all(is_part)
}

/// A configuration file that was found.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Located {
    /// It was named, or it is here or above.
    Here(PathBuf),
    /// It is the only one below.
    Below(PathBuf),
}

/// Finds the configuration: the one that is named, the one here or above up to the root of the
/// repository, or else the only one below.
pub(crate) fn locate(named: Option<&Path>, from: &Path) -> Result<Located, Finding> {
    let variable = std::env::var_os(VARIABLE).filter(|value| !value.is_empty()).map(PathBuf::from);
    if let Some(path) = named.map(Path::to_owned).or(variable) {
        let path = from.join(path);
        if path.exists() {
            return Ok(Located::Here(path));
        }
        let message = format!("there is no configuration file {}", path.display());
        return Err(Finding::new(Code::ConfigMissing, message).at(&path));
    }
    for directory in from.ancestors() {
        let path = directory.join(FILE);
        if path.is_file() {
            return Ok(Located::Here(path));
        }
        if directory.join(".git").exists() {
            break;
        }
    }
    let mut below = below(from);
    match below.len() {
        0 => {
            let message = format!("there is no {FILE} here, above or below");
            Err(Finding::new(Code::ConfigFileMissing, message).at(from))
        }
        1 => Ok(Located::Below(below.remove(0))),
        count => {
            let list: Vec<String> =
                below.iter().map(|path| relative(path, from).display().to_string()).collect();
            let message = format!("{count} projects are below this directory: {}", list.join(", "));
            Err(Finding::new(Code::ResolutionFailed, message).at(from))
        }
    }
}

/// A path as seen from a directory above it.
pub(crate) fn relative<'p>(path: &'p Path, from: &Path) -> &'p Path {
    path.strip_prefix(from).unwrap_or(path)
}

/// The configurations below a directory, but for those in repositories of their own.
fn below(from: &Path) -> Vec<PathBuf> {
    let mut walk = WalkBuilder::new(from);
    walk.max_depth(Some(DEPTH)).git_global(false).git_exclude(false);
    walk.sort_by_file_path(Ord::cmp);
    walk.filter_entry(|entry| {
        let is_foreign = FOREIGN.iter().any(|name| entry.file_name() == *name);
        entry.depth() == 0 || !(is_foreign || entry.path().join(".git").exists())
    });
    let entries = walk.build().take(MOST_ENTRIES).flatten();
    let configs = entries.filter(|entry| entry.file_name() == FILE);
    configs.map(ignore::DirEntry::into_path).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_said_has_a_default() {
        let config = Config::parse(b"{\"locales\": {\"source\": \"de\"}}").unwrap();
        assert_eq!(config.locales.source, "de");
        assert_eq!(config.locales.directory, Path::new("locales"));
        assert!(config.functions.contains(&"$t".to_owned()));
    }

    #[test]
    fn every_mistake_is_named() {
        for (text, expected) in [
            (&b"{\"a\": 1, \"locales\": {\"b\": 2}}"[..], "unknown key(s): a, locales.b"),
            (b"{\"functions\": []}", "names none"),
            (b"{\"functions\": [\"t(\"]}", "\"t(\""),
            (b"{\"src\": [1]}", "line 1"),
            (b"{\"src\": \"a\", \"src\": \"b\"}", "duplicate field"),
            (b"{", "EOF"),
            (b"\xff", "expected value"),
        ] {
            let error = Config::parse(text).unwrap_err();
            assert!(error.contains(expected), "{error}");
        }
    }
}
