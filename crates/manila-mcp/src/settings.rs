//! The operator's settings, checked before serving.

use crate::arguments::{Allow, Arguments};
use crate::error::{Error, ErrorKind};
use crate::program::{Program, Surroundings, base_name};
use manila_check::Declaration;
use manila_pack::{Packs, user_directory};
use manila_run::{Config, PackLookup, Policy, Trust};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How long a program may take to end after SIGTERM. The server itself has two seconds.
const GRACE: Duration = Duration::from_secs(1);

/// What is served, and what is allowed.
#[derive(Debug)]
pub struct Settings {
    pub(crate) programs: Vec<Arc<Program>>,
    pub(crate) allow: Allow,
    pub(crate) directory: PathBuf,
}

impl Settings {
    /// What the arguments say, and `manila.toml` where they say nothing. `user` is the user's configuration.
    pub fn new(arguments: &Arguments, user: Option<&Path>) -> Result<Settings, Error> {
        let directory = directory(arguments)?;
        let bad = |message: String| {
            Error::new(ErrorKind::BadDeclaration, message, "correct the file, or remove it")
        };
        let packs = Packs::new(user_directory(), &directory).map_err(|it| bad(it.to_string()))?;
        let config = Config::load(user, &directory).map_err(|it| bad(it.to_string()))?;
        let project = Config::project_file(&directory);
        let declaration = match &project {
            Some(file) => Declaration::read(file).map_err(|it| bad(it.to_string()))?,
            None => Declaration::default(),
        };
        let mut commands = arguments.commands()?;
        if commands.is_empty() {
            commands = declared(&declaration, &directory).map_err(|it| bad(it.to_string()))?;
        }
        check(&commands)?;
        let programs = commands.into_iter().map(|command| {
            let name = command.first().map_or("", String::as_str);
            let is_declared = command == declaration.program
                || (declaration.program.is_empty() && arguments.command == command);
            let mut policy = policy(arguments, &packs);
            if let Some(written) = config.program(name) {
                written.apply(&mut policy);
            }
            let declaration =
                if is_declared { declaration.clone() } else { Declaration::default() };
            let directory = directory.clone();
            let surroundings =
                Surroundings { directory, packs: packs.clone(), declaration, policy };
            Arc::new(Program::new(command, surroundings))
        });
        Ok(Settings { programs: programs.collect(), allow: arguments.allow, directory })
    }

    /// The served program of this name.
    pub(crate) fn program(&self, name: &str) -> Option<&Arc<Program>> {
        self.programs.iter().find(|program| program.name == name)
    }

    /// The names of the served programs.
    pub(crate) fn names(&self) -> Vec<&str> {
        self.programs.iter().map(|program| program.name.as_str()).collect()
    }
}

fn directory(arguments: &Arguments) -> Result<PathBuf, Error> {
    let directory = arguments.directory()?;
    directory.canonicalize().ok().filter(|path| path.is_dir()).ok_or_else(|| {
        Error::new(
            ErrorKind::NoDirectory,
            format!("{} is not a directory", directory.display()),
            "name an existing directory with --cwd",
        )
    })
}

/// The programs that `manila.toml` names: the one that is checked, and those with a table of their own.
fn declared(
    declaration: &Declaration,
    directory: &Path,
) -> Result<Vec<Vec<String>>, manila_run::ConfigError> {
    let project = Config::load(None, directory)?;
    let own = Some(declaration.program.clone()).filter(|command| !command.is_empty());
    Ok(own.into_iter().chain(project.names().map(|name| vec![name.to_owned()])).collect())
}

/// Every program needs a name of its own, by which clients call it.
fn check(commands: &[Vec<String>]) -> Result<(), Error> {
    let invalid = |message: String, suggestion: &str| {
        Err(Error::new(ErrorKind::InvalidArgument, message, suggestion))
    };
    if commands.is_empty() {
        let suggestion = "name one after `--`, several with --program, or in manila.toml";
        return invalid("there is no program to serve".to_owned(), suggestion);
    }
    let mut names = BTreeSet::new();
    for command in commands {
        let name = base_name(command.first().map_or("", String::as_str));
        if name.is_empty() {
            return invalid("a program has no name".to_owned(), "name it by its file");
        }
        if !names.insert(name) {
            return invalid(format!("two programs are called {name}"), "serve them apart");
        }
    }
    Ok(())
}

/// Within which limits every call runs. Nothing runs that the call does not name: no redirect, no fix, no
/// further page. Credentials are refreshed only by a command that the operator configured.
fn policy(arguments: &Arguments, packs: &Packs) -> Policy {
    Policy {
        attempt_limit: Some(arguments.timeout),
        deadline: Some(arguments.timeout),
        grace: GRACE,
        trust: Trust::Never,
        fixes: false,
        refresh_from_packs: false,
        max_pages: 1,
        redirect_store: None,
        cache: None,
        packs: PackLookup::new(packs.clone()),
        log: arguments.log.clone(),
        ..Policy::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;
    use std::fs;

    #[derive(Parser)]
    struct Cli {
        #[command(flatten)]
        arguments: Arguments,
    }

    fn settings(directory: &Path, line: &[&str]) -> Result<Settings, Error> {
        let cwd = directory.to_str().unwrap();
        let words = ["manila-mcp", "--cwd", cwd].into_iter().chain(line.iter().copied());
        Settings::new(&Cli::parse_from(words).arguments, None)
    }

    #[test]
    fn manila_toml_names_programs_where_the_arguments_name_none() {
        let dir = tempfile::tempdir().unwrap();
        let text = "[program]\ncommand = ['sh', 'tool.sh']\n[program.git]\nreads = ['x']\n";
        fs::write(dir.path().join("manila.toml"), text).unwrap();
        assert_eq!(settings(dir.path(), &[]).unwrap().names(), ["sh", "git"]);
        assert_eq!(settings(dir.path(), &["--", "ls"]).unwrap().names(), ["ls"]);
        let several = settings(dir.path(), &["--program", "ls -l", "--program", "git"]).unwrap();
        assert_eq!(several.programs[0].shown, ["ls", "-l"]);
        assert_eq!(several.program("git").unwrap().policy.reads, ["x"]);
    }

    #[test]
    fn what_cannot_be_served_is_said_before_anything_is() {
        let dir = tempfile::tempdir().unwrap();
        let kind = |line: &[&str]| settings(dir.path(), line).unwrap_err().kind();
        assert_eq!(kind(&[]), ErrorKind::InvalidArgument);
        assert_eq!(kind(&["--program", "a'"]), ErrorKind::InvalidArgument);
        let twice = ["--program", "/bin/ls", "--program", "ls"];
        assert_eq!(kind(&twice), ErrorKind::InvalidArgument);
        assert_eq!(kind(&["--", ""]), ErrorKind::InvalidArgument);
        let none = settings(&dir.path().join("none"), &["--", "ls"]).unwrap_err();
        assert_eq!(none.kind(), ErrorKind::NoDirectory);
        fs::write(dir.path().join("manila.toml"), "[program").unwrap();
        assert_eq!(kind(&["--", "ls"]), ErrorKind::BadDeclaration);
    }

    #[test]
    fn nothing_runs_that_the_call_does_not_name() {
        let dir = tempfile::tempdir().unwrap();
        let settings = settings(dir.path(), &["--", "git"]).unwrap();
        let policy = &settings.programs[0].policy;
        assert!(matches!(policy.trust, Trust::Never));
        assert!(!policy.fixes && !policy.refresh_from_packs && policy.refresh.is_none());
        assert!(policy.redirect_store.is_none() && policy.max_pages == 1);
    }
}
