//! The project that a call is about: which folder it is, and where its files are.

use crate::daemon::Place;
use crate::subject::Subjects;
use manila_clap::Failure;
use showcase_store::Store;
use std::io;
use std::path::{Path, PathBuf};

/// Where the files of this program are, below the project's folder.
const STATE: &str = ".animus";

/// A folder that exists.
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
        suggestion = "create the folder, or name another with --project-root",
        missing = path.as_str()
    )]
    Missing { path: String },

    /// Bad arguments or values
    #[failure(
        exit = ArgError,
        code = "invalid_input",
        message = "project root is not a folder: {path}",
        suggestion = "name the folder that the project is in"
    )]
    NotAFolder { path: String },

    /// Unclassified or unexpected error
    #[failure(
        exit = General,
        code = "internal",
        message = "cannot use the project root {path}: {source}",
        suggestion = "see that you may enter the folder"
    )]
    Unusable { path: String, source: io::Error },
}

impl Project {
    /// The folder that is named, else the one in `PROJECT_ROOT`, else the nearest around the working
    /// directory that is a project, else the working directory itself. None is ever made.
    pub(crate) fn find(named: Option<PathBuf>) -> Result<Project, RootError> {
        let variable = || std::env::var_os("PROJECT_ROOT").filter(|value| !value.is_empty());
        if let Some(named) = named.map(PathBuf::into_os_string).or_else(variable) {
            return Project::at(Path::new(&named));
        }
        let here = Project::at(Path::new("."))?;
        let around = here.root.ancestors().find(|folder| is_project(folder));
        Ok(Project { root: around.unwrap_or(&here.root).to_owned() })
    }

    fn at(path: &Path) -> Result<Project, RootError> {
        let shown = || path.display().to_string();
        let root = path.canonicalize().map_err(|source| match source.kind() {
            io::ErrorKind::NotFound => RootError::Missing { path: shown() },
            io::ErrorKind::NotADirectory => RootError::NotAFolder { path: shown() },
            _ => RootError::Unusable { path: shown(), source },
        })?;
        if root.is_dir() {
            Ok(Project { root })
        } else {
            Err(RootError::NotAFolder { path: shown() })
        }
    }

    /// Its folder.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Its subjects.
    pub(crate) fn subjects(&self) -> Store<Subjects> {
        Store::at(self.root.join(STATE).join("subjects.json"))
    }

    /// Where its daemon is.
    pub(crate) fn daemon(&self) -> Place {
        Place::below(&self.root.join(STATE))
    }
}

fn is_project(folder: &Path) -> bool {
    [".git", STATE].iter().any(|mark| folder.join(mark).exists())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn a_folder_with_a_mark_is_a_project() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!is_project(folder.path()));
        // A worktree has a file there.
        fs::write(folder.path().join(".git"), "gitdir: elsewhere").unwrap();
        assert!(is_project(folder.path()));
    }

    #[test]
    fn what_is_named_must_be_there_and_be_a_folder() {
        let folder = tempfile::tempdir().unwrap();
        let absent = folder.path().join("absent/deeper");
        assert!(matches!(Project::at(&absent), Err(RootError::Missing { .. })));
        assert!(!folder.path().join("absent").exists());
        let file = folder.path().join("file");
        fs::write(&file, "").unwrap();
        assert!(matches!(Project::at(&file), Err(RootError::NotAFolder { .. })));
        assert!(matches!(Project::at(&file.join("below")), Err(RootError::NotAFolder { .. })));
    }

    #[test]
    fn dots_and_links_lead_to_the_folder_itself() {
        let folder = tempfile::tempdir().unwrap();
        let real = folder.path().canonicalize().unwrap().join("real");
        fs::create_dir_all(real.join("sub")).unwrap();
        std::os::unix::fs::symlink(&real, folder.path().join("link")).unwrap();
        let project = Project::at(&folder.path().join("link/sub/..")).unwrap();
        assert_eq!(project.root(), real);
    }
}
