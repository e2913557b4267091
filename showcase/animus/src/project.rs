//! The project that a call is about: which directory it is, and where its files are.

use crate::daemon::Place;
use crate::subject::Subjects;
use manila_clap::Failure;
use showcase_store::JsonFile;
use std::io;
use std::path::{Path, PathBuf};

/// Where the files of this program are, below the project's directory.
const STATE: &str = ".animus";

/// A directory that exists.
#[derive(Debug)]
pub(crate) struct Project {
    root: PathBuf,
}

/// Why there is no project.
#[derive(Debug, Failure)]
pub(crate) enum RootError {
    /// Resource does not exist
    #[failure(
        exit = NotFound,
        code = "not_found",
        message = "project root not found: {path}",
        suggestion = "create the directory, or name another with --project-root",
        missing = path.as_str()
    )]
    Missing { path: String },

    /// Bad arguments or values
    #[failure(
        exit = ArgError,
        code = "invalid_input",
        message = "project root is not a directory: {path}",
        suggestion = "name the directory that the project is in"
    )]
    NotADirectory { path: String },

    /// Unclassified or unexpected error
    #[failure(
        exit = General,
        code = "internal",
        message = "cannot use the project root {path}: {source}",
        suggestion = "see that you may enter the directory"
    )]
    Unusable { path: String, source: io::Error },
}

impl Project {
    /// The directory that is named, else the one in `PROJECT_ROOT`, else the nearest around the working
    /// directory that is a project, else the working directory itself. None is ever made.
    pub(crate) fn find(named: Option<PathBuf>) -> Result<Project, RootError> {
        let variable = || std::env::var_os("PROJECT_ROOT").filter(|value| !value.is_empty());
        if let Some(named) = named.map(PathBuf::into_os_string).or_else(variable) {
            return Project::at(Path::new(&named));
        }
        let here = Project::at(Path::new("."))?;
        let around = here.root.ancestors().find(|directory| is_project(directory));
        Ok(Project { root: around.unwrap_or(&here.root).to_owned() })
    }

    fn at(path: &Path) -> Result<Project, RootError> {
        let shown = || path.display().to_string();
        let root = path.canonicalize().map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => RootError::Missing { path: shown() },
            io::ErrorKind::NotADirectory => RootError::NotADirectory { path: shown() },
            _ => RootError::Unusable { path: shown(), source },
        })?;
        if root.is_dir() {
            Ok(Project { root })
        } else {
            Err(RootError::NotADirectory { path: shown() })
        }
    }

    /// Its directory.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Its subjects.
    pub(crate) fn subjects(&self) -> JsonFile<Subjects> {
        JsonFile::at(self.root.join(STATE).join("subjects.json"))
    }

    /// Where its daemon is.
    pub(crate) fn daemon(&self) -> Place {
        Place::below(&self.root.join(STATE))
    }
}

fn is_project(directory: &Path) -> bool {
    [".git", STATE].iter().any(|mark| directory.join(mark).exists())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_directory_with_a_mark_is_a_project() {
        let directory = tempfile::tempdir().unwrap();
        assert!(!is_project(directory.path()));
        // A worktree has a file there.
        fs::write(directory.path().join(".git"), "gitdir: elsewhere").unwrap();
        assert!(is_project(directory.path()));
    }

    #[test]
    fn what_is_named_must_be_there_and_be_a_directory() {
        let directory = tempfile::tempdir().unwrap();
        let absent = directory.path().join("absent/deeper");
        assert!(matches!(Project::at(&absent), Err(RootError::Missing { .. })));
        assert!(!directory.path().join("absent").exists());
        let file = directory.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(matches!(Project::at(&file), Err(RootError::NotADirectory { .. })));
        assert!(matches!(Project::at(&file.join("below")), Err(RootError::NotADirectory { .. })));
    }

    #[test]
    fn dots_and_links_lead_to_the_directory_itself() {
        let directory = tempfile::tempdir().unwrap();
        let real = directory.path().canonicalize().unwrap().join("real");
        fs::create_dir_all(real.join("sub")).unwrap();
        std::os::unix::fs::symlink(&real, directory.path().join("link")).unwrap();
        let project = Project::at(&directory.path().join("link/sub/..")).unwrap();
        assert_eq!(project.root(), real);
    }
}
