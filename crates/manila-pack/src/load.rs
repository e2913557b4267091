//! Packs from files: those of the user and those of the project, before the built-in ones.
//!
//! Only files that can be about the called program are read: `<program>/pack.toml`, `<program>.toml`,
//! and those that are named as the built-in pack of the program is.
#![expect(clippy::disallowed_methods, reason = "the loader owns the files of packs")]

use crate::builtin::BUILTIN;
use crate::model::Model;
use crate::pack::{Lookup, Origin, Pack};
use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::{env, fmt, fs, io};

/// A pack that is there and cannot be used.
#[derive(Debug)]
pub struct LoadError {
    /// The file.
    pub file: PathBuf,
    /// What is wrong with it.
    pub message: String,
    /// How it could not be read, if that is what is wrong.
    pub kind: Option<io::ErrorKind>,
}

impl fmt::Display for LoadError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.file.display(), self.message)
    }
}

impl std::error::Error for LoadError {}

/// The packs of a user and a project, and the built-in ones.
///
/// ```
/// use manila_pack::{Lookup, Packs};
/// use std::path::Path;
///
/// let packs = Packs::new(None, Path::new("/"))?;
/// assert!(packs.is_only_builtin());
/// assert!(packs.find("git").is_some());
/// # Ok::<(), manila_pack::LoadError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Packs {
    /// Directories with `<name>/pack.toml` or `<name>.toml`, the first before the others.
    directories: Vec<PathBuf>,
    /// Files that a project names.
    files: Vec<PathBuf>,
}

/// The part of `manila.toml` that is about packs.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Project {
    packs: Vec<PathBuf>,
}

impl Packs {
    /// The packs of the user and of the project in this directory.
    pub fn new(user: Option<PathBuf>, project: &Path) -> Result<Packs, LoadError> {
        let file = project.join("manila.toml");
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => String::new(),
            Err(error) => return Err(unreadable(file, &error)),
        };
        // Most projects name no packs, and the rest of the file is not ours to judge.
        let named = if text.contains("packs") {
            toml::from_str::<Project>(&text).unwrap_or_default().packs
        } else {
            Vec::new()
        };
        let files = named.into_iter().map(|pack| project.join(pack)).collect();
        Ok(Packs { directories: user.into_iter().collect(), files })
    }

    /// Those of the environment: `$XDG_CONFIG_HOME/manila/packs`, and `manila.toml` in the working
    /// directory.
    pub fn from_environment() -> Result<Packs, LoadError> {
        Packs::new(user_directory(), Path::new("."))
    }

    /// These and the pack in one more file, which comes before all others.
    #[must_use]
    pub fn and_file(mut self, file: PathBuf) -> Packs {
        self.files.push(file);
        self
    }

    /// Whether there are none but the built-in ones, which never change while a process lives.
    pub fn is_only_builtin(&self) -> bool {
        self.files.is_empty() && !self.directories.iter().any(|directory| directory.is_dir())
    }

    /// The pack of the program of this name.
    pub fn load(&self, program: &str) -> Result<Option<Pack>, LoadError> {
        let built = BUILTIN.find(program);
        let mut names = BTreeSet::from([program.to_owned()]);
        names.extend(built.as_ref().map(|pack| pack.name().to_owned()));
        self.with_own(built, &names, |model| model.programs.iter().any(|name| **name == *program))
    }

    /// The pack of this name.
    pub fn pack(&self, name: &str) -> Result<Option<Pack>, LoadError> {
        let names = BTreeSet::from([name.to_owned()]);
        self.with_own(BUILTIN.pack(name), &names, |model| *model.name == *name)
    }

    /// The names of all packs, in order.
    pub fn names(&self) -> Result<BTreeSet<String>, LoadError> {
        let mut names: BTreeSet<String> = BUILTIN.names().map(str::to_owned).collect();
        for directory in &self.directories {
            let entries = match fs::read_dir(directory) {
                Ok(entries) => entries,
                Err(error) if is_absent(&error) => continue,
                Err(error) => return Err(unreadable(directory.clone(), &error)),
            };
            for entry in entries.flatten() {
                let path = entry.path();
                if path.join("pack.toml").is_file() {
                    names.extend(path.file_name().map(|name| name.to_string_lossy().into_owned()));
                } else if path.extension().is_some_and(|extension| extension == "toml") {
                    names.extend(path.file_stem().map(|name| name.to_string_lossy().into_owned()));
                }
            }
        }
        for file in &self.files {
            names.insert(read(file)?.name.to_string());
        }
        Ok(names)
    }

    /// A built-in pack behind those files of these names that say they are meant.
    fn with_own(
        &self,
        built: Option<Pack>,
        names: &BTreeSet<String>,
        is_meant: impl Fn(&Model<'static>) -> bool,
    ) -> Result<Option<Pack>, LoadError> {
        let mut pack = built;
        let in_directories = self.directories.iter().flat_map(|directory| {
            names.iter().flat_map(move |name| {
                [directory.join(name).join("pack.toml"), directory.join(format!("{name}.toml"))]
            })
        });
        let own = in_directories.filter(|file| file.is_file()).chain(self.files.iter().cloned());
        // The project's come last, so that they take precedence over the user's.
        for file in own {
            let model = read(&file)?;
            let extends = pack.as_ref().is_some_and(|pack| pack.name() == &*model.name);
            if !is_meant(&model) && !extends {
                continue;
            }
            pack = Some(match pack {
                Some(built) => built.extended_by(model, file),
                None => Pack::new(model, Origin::File(file)),
            });
        }
        Ok(pack)
    }
}

impl Lookup for Packs {
    /// A pack that cannot be used says nothing, so that its program is not known. `Packs::load`
    /// says why.
    fn find(&self, program: &str) -> Option<Pack> {
        self.load(program).ok().flatten()
    }
}

fn read(file: &Path) -> Result<Model<'static>, LoadError> {
    let text = fs::read_to_string(file).map_err(|error| unreadable(file.to_owned(), &error))?;
    Model::from_toml(&text).map_err(|error| LoadError {
        file: file.to_owned(),
        message: error.to_string().trim_end().to_owned(),
        kind: None,
    })
}

fn unreadable(file: PathBuf, error: &io::Error) -> LoadError {
    LoadError { file, message: error.to_string(), kind: Some(error.kind()) }
}

fn is_absent(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory)
}

/// `$XDG_CONFIG_HOME/manila/packs`, or its usual place.
pub fn user_directory() -> Option<PathBuf> {
    let named = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let config = named("XDG_CONFIG_HOME").or_else(|| Some(named("HOME")?.join(".config")));
    config.map(|config| config.join("manila/packs"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effect::effects;
    use crate::model::Effect;

    fn packs(files: &[(&str, &str)], project: Option<&str>) -> (tempfile::TempDir, Packs) {
        let directory = tempfile::tempdir().expect("a directory");
        for (name, text) in files {
            let file = directory.path().join("user").join(name);
            fs::create_dir_all(file.parent().expect("a parent")).expect("a directory");
            fs::write(file, text).expect("a file");
        }
        if let Some(text) = project {
            fs::write(directory.path().join("manila.toml"), text).expect("a file");
        }
        let packs = Packs::new(Some(directory.path().join("user")), directory.path());
        (directory, packs.expect("packs"))
    }

    const EXTENDS: &str = "name = 'git'\nprograms = ['git']\n[[effect]]\ncommand = ['co']\n\
                           effect = 'writes'\nevidence = ['read:x']\n";

    #[test]
    fn a_users_rules_come_before_the_built_in_ones() {
        let (_directory, packs) = packs(&[("git/pack.toml", EXTENDS)], None);
        assert_eq!(effects(&["git", "co", "x"], &packs).effect, Effect::Writes);
        assert_eq!(effects(&["git", "log"], &packs).effect, Effect::None);
        assert_eq!(effects(&["git", "co", "x"], &BUILTIN).effect, Effect::Unknown);
    }

    #[test]
    fn a_user_may_replace_a_pack() {
        let text = format!("override = true\n{EXTENDS}");
        let (_directory, packs) = packs(&[("git.toml", &text)], None);
        assert_eq!(effects(&["git", "log"], &packs).effect, Effect::Unknown);
    }

    #[test]
    fn a_project_names_its_packs() {
        let text = "packs = ['tool.toml']\n[program]\ncommand = 'x'\n";
        let (directory, _) = packs(&[], Some(text));
        let pack = "name = 'tool'\nprograms = ['ourtool']\n[[effect]]\neffect = 'none'\n";
        fs::write(directory.path().join("tool.toml"), pack).expect("a file");
        let packs = Packs::new(None, directory.path()).expect("packs");
        assert_eq!(effects(&["ourtool", "x"], &packs).effect, Effect::None);
        assert!(packs.names().expect("names").contains("tool"));
    }

    #[test]
    fn a_broken_pack_says_why_and_makes_its_program_unknown() {
        let (_directory, packs) = packs(&[("git.toml", "name = 1")], None);
        let error = packs.load("git").expect_err("a broken pack");
        assert!(error.to_string().contains("git.toml"), "{error}");
        assert_eq!(effects(&["git", "log"], &packs).effect, Effect::Unknown);
    }

    #[test]
    fn a_user_extends_the_pack_of_several_programs_by_its_name() {
        let text = "name = 'coreutils'\nprograms = ['ls']\n[[effect]]\nprogram = ['ls']\n\
                    flag = ['--frob']\neffect = 'destroys'\n";
        let (_directory, packs) = packs(&[("coreutils/pack.toml", text)], None);
        assert_eq!(effects(&["ls", "--frob"], &packs).effect, Effect::Destroys);
        assert_eq!(effects(&["cat", "x"], &packs).effect, Effect::None);
    }
}
