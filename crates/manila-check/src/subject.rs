//! The program under test: how it is started, and how people write that.

mod cargo;
mod fixture;

use crate::declaration::Declaration;
use crate::error::{Error, ErrorKind};
use std::env;
use std::ffi::OsString;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

/// The program under test.
///
/// ```
/// use manila_check::{Declaration, Subject};
/// use std::path::Path;
///
/// let subject = Subject::resolve(&["sh".to_owned()], &Declaration::default(), Path::new("."))?;
/// assert_eq!(subject.shown, ["sh"]);
/// assert!(Path::new(&subject.argv[0]).is_absolute());
/// # Ok::<(), manila_check::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Subject {
    /// The program and the arguments that come before each call's own; the paths in it are absolute.
    pub argv: Vec<OsString>,
    /// The same as the user wrote it.
    pub shown: Vec<String>,
    /// Variables that it gets beside the few that every program gets.
    pub variables: Vec<(OsString, OsString)>,
    /// A directory whose files each run finds in its working directory.
    pub fixture: Option<PathBuf>,
}

/// Programs whose first argument with a path is the program that is meant.
const INTERPRETERS: &[&str] = &[
    "bash", "bun", "dash", "deno", "java", "node", "perl", "php", "python", "python3", "ruby", "sh",
];

impl Subject {
    /// Finds the program that these words start, or those that are declared. Runs are made in other
    /// directories, so every file that is named in them gets an absolute path. `cargo run` is not
    /// run for each call: the program is built once, here.
    pub fn resolve(
        words: &[String],
        declaration: &Declaration,
        directory: &Path,
    ) -> Result<Subject, Error> {
        let shown = if words.is_empty() { &declaration.program } else { words };
        let Some(program) = shown.first().filter(|program| !program.is_empty()) else {
            return Err(Error::new(ErrorKind::NotFound, "no program given")
                .suggest("name it after `--`, or as `command` below `[program]` in manila.toml"));
        };
        let argv = if let Some(call) = cargo::Call::of(shown) {
            call.build(directory)?
        } else {
            let rest = shown[1..].iter().map(|word| absolute_if_file(word, directory));
            std::iter::once(find(program, directory)?.into_os_string()).chain(rest).collect()
        };
        let fixture = declaration.fixture.as_ref().map(|fixture| directory.join(fixture));
        if let Some(fixture) = &fixture {
            fixture::examine(fixture)?;
        }
        let variables = declaration.variables.iter();
        let variables = variables.map(|(name, value)| (name.into(), value.into())).collect();
        Ok(Subject { argv, shown: shown.to_vec(), variables, fixture })
    }

    /// The program's own name: that of the script, if an interpreter runs one.
    pub fn name(&self) -> String {
        let name =
            |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let program = name(self.program());
        let script = self.argv.iter().skip(1).map(Path::new).find(|path| path.is_absolute());
        match script.filter(|_| INTERPRETERS.contains(&program.as_str())) {
            Some(script) => script.file_stem().unwrap_or_default().to_string_lossy().into_owned(),
            None => program,
        }
    }

    /// The file that is started.
    pub fn program(&self) -> &Path {
        Path::new(self.argv.first().map_or("".as_ref(), OsString::as_os_str))
    }
}

/// The file of a program: by its path, or found in `PATH`.
fn find(program: &str, directory: &Path) -> Result<PathBuf, Error> {
    if program.contains('/') {
        let path = directory.join(program);
        return match is_executable(&path) {
            Some(true) => Ok(absolute(&path)),
            Some(false) => Err(not_executable(&path)),
            None => {
                let message = format!("no such program: {}", absolute(&path).display());
                Err(Error::new(ErrorKind::NotFound, message).suggest("check the path"))
            }
        };
    }
    let directories = env::var_os("PATH").unwrap_or_default();
    let found: Vec<(PathBuf, bool)> = env::split_paths(&directories)
        .map(|it| directory.join(it).join(program))
        .filter_map(|path| Some((path.clone(), is_executable(&path)?)))
        .collect();
    match (found.iter().find(|(_, is)| *is), found.first()) {
        (Some((path, _)), _) => Ok(absolute(path)),
        (None, Some((path, _))) => Err(not_executable(path)),
        (None, None) => {
            let here = directory.join(program).is_file();
            let suggestion = if here {
                format!("there is one in this directory: write ./{program}")
            } else {
                "check the spelling, or whether it is installed and in PATH".to_owned()
            };
            Err(Error::new(ErrorKind::NotFound, format!("no such program: {program:?}"))
                .suggest(suggestion))
        }
    }
}

/// Whether a file may be run; nothing if there is none.
fn is_executable(path: &Path) -> Option<bool> {
    let about = path.metadata().ok()?;
    Some(about.is_file() && about.permissions().mode() & 0o111 != 0)
}

fn not_executable(path: &Path) -> Error {
    let (what, suggestion) = if path.is_dir() {
        ("is a directory", "name the program in it")
    } else {
        ("is not executable", "make it executable (chmod +x), or name its interpreter before it")
    };
    let path = absolute(path);
    Error::new(ErrorKind::NotExecutable, format!("{} {what}", path.display())).suggest(suggestion)
}

/// The absolute path without `..`: the directories that such a path passes may not be seen where the
/// program runs. A link at its end stays, because its name may say what to do.
fn absolute(path: &Path) -> PathBuf {
    let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
    if !path.components().any(|part| part == Component::ParentDir) {
        return path;
    }
    let directory = path.parent().and_then(|directory| directory.canonicalize().ok());
    match (directory, path.file_name()) {
        (Some(directory), Some(name)) => directory.join(name),
        _ => path,
    }
}

/// A word that names a file of this directory, by its absolute path. A directory is meant only if
/// it is written as a path: `npm run` says nothing about a directory `run`.
fn absolute_if_file(word: &str, directory: &Path) -> OsString {
    let path = directory.join(word);
    let is_meant = path.is_file() || (word.contains('/') && path.exists());
    if !word.is_empty() && !word.starts_with('-') && is_meant {
        absolute(&path).into()
    } else {
        word.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn words(text: &str) -> Vec<String> {
        text.split(' ').map(str::to_owned).collect()
    }

    #[test]
    fn a_path_through_another_directory_is_the_direct_one() {
        let directory = directory();
        let below = directory.path().join("below");
        fs::create_dir(&below).expect("a directory");
        let subject = resolve("sh ../tool.py", &below).expect("a subject");
        let real = directory.path().canonicalize().expect("it is there");
        assert_eq!(subject.argv[1], real.join("tool.py").into_os_string());
    }

    fn directory() -> tempfile::TempDir {
        let directory = tempfile::tempdir().expect("a directory");
        fs::write(directory.path().join("tool.py"), "").expect("a file");
        fs::write(directory.path().join("run"), "#!/bin/sh\n").expect("a file");
        fs::create_dir(directory.path().join("show")).expect("a directory");
        directory
    }

    fn resolve(text: &str, directory: &Path) -> Result<Subject, Error> {
        Subject::resolve(&words(text), &Declaration::default(), directory)
    }

    #[test]
    fn what_is_named_becomes_absolute_and_what_was_written_stays() {
        let directory = directory();
        let subject = resolve("sh ./tool.py show -x", directory.path()).expect("a subject");
        assert!(subject.program().is_absolute());
        let script = absolute(&directory.path().join("./tool.py"));
        assert_eq!(subject.argv[1..], [script.into_os_string(), "show".into(), "-x".into()]);
        assert_eq!(subject.shown, words("sh ./tool.py show -x"));
        assert_eq!(subject.name(), "tool");
    }

    #[test]
    fn what_cannot_be_started_is_said_clearly() {
        let directory = directory();
        let kind = |text: &str| resolve(text, directory.path()).expect_err("no subject").kind();
        assert_eq!(kind("./run"), ErrorKind::NotExecutable);
        assert_eq!(kind("./show"), ErrorKind::NotExecutable);
        assert_eq!(kind("./no"), ErrorKind::NotFound);
        assert_eq!(kind("manila-no-such-program"), ErrorKind::NotFound);
        let error = resolve("tool.py", directory.path()).expect_err("no subject");
        assert_eq!(error.suggestion(), Some("there is one in this directory: write ./tool.py"));
        let none = Subject::resolve(&[], &Declaration::default(), directory.path())
            .expect_err("no subject");
        assert_eq!(none.to_string(), "no program given");
        let none = resolve("", directory.path()).expect_err("no subject");
        assert_eq!(none.to_string(), "no program given");
        let error = resolve("./show", directory.path()).expect_err("no subject");
        assert!(!error.to_string().contains("/./"), "{error}");
    }

    #[test]
    fn the_declaration_names_the_program_if_the_caller_does_not() {
        let directory = directory();
        let declaration = Declaration { program: words("sh tool.py"), ..Declaration::default() };
        let subject = Subject::resolve(&[], &declaration, directory.path()).expect("a subject");
        assert_eq!(subject.name(), "tool");
        let lost = Declaration { fixture: Some("no".into()), ..declaration };
        let error = Subject::resolve(&[], &lost, directory.path()).expect_err("no fixture");
        assert_eq!(error.kind(), ErrorKind::BadDeclaration);
    }
}
