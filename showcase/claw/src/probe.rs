//! The environment that a session starts in, as it is.

use crate::process;
use crate::watch::Watch;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::Path;
use std::time::Duration;

/// An interpreter that takes longer to say its version is as good as none.
const PATIENCE: Duration = Duration::from_secs(5);

/// A file that shows how the tests of its directory are run.
const TEST_COMMANDS: &[(&str, &str)] = &[
    ("Cargo.toml", "cargo test"),
    ("package.json", "npm test"),
    ("pyproject.toml", "pytest"),
    ("pytest.ini", "pytest"),
    ("setup.py", "pytest"),
    ("go.mod", "go test ./..."),
    ("Makefile", "make test"),
];

/// The environment. What is not there is empty.
#[derive(Debug, Serialize, JsonSchema)]
pub(crate) struct Setup {
    /// The version of the interpreter.
    pub(crate) python_version: String,
    /// Its name.
    pub(crate) implementation: String,
    /// The platform.
    pub(crate) platform_name: String,
    /// How the tests are run.
    pub(crate) test_command: String,
}

impl Setup {
    /// Looks around.
    pub(crate) fn probe(watch: &Watch<'_>, directory: &Path) -> Setup {
        let (python_version, implementation) = python(watch).unwrap_or_default();
        Setup {
            python_version,
            implementation,
            platform_name: std::env::consts::OS.to_owned(),
            test_command: test_command(directory).to_owned(),
        }
    }
}

fn python(watch: &Watch<'_>) -> Option<(String, String)> {
    let mut python = watch.child("python3");
    // Nothing of the directory is imported: it may be untrusted.
    python
        .args(["-I", "-c"])
        .arg("import platform; print(platform.python_version(), platform.python_implementation())");
    let ended = process::run(python, &watch.within(PATIENCE)).ok()?;
    let (version, implementation) = ended.said.trim().split_once(' ')?;
    ended.status.success().then(|| (version.to_owned(), implementation.to_owned()))
}

fn test_command(directory: &Path) -> &'static str {
    let found = TEST_COMMANDS.iter().find(|(file, _)| directory.join(file).is_file());
    found.map_or("", |(_, command)| command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_directory_tells_how_its_tests_are_run() {
        let directory = tempfile::tempdir().unwrap();
        assert_eq!(test_command(directory.path()), "");
        std::fs::write(directory.path().join("package.json"), "{}").unwrap();
        assert_eq!(test_command(directory.path()), "npm test");
        std::fs::write(directory.path().join("Cargo.toml"), "").unwrap();
        assert_eq!(test_command(directory.path()), "cargo test");
    }
}
