//! The variables of a run: few, the same everywhere, and none of ours.

use super::run_directory::RunDirectory;
use super::{canary, shim};
use crate::observe::probe::{Home, Setting};
use crate::observe::run::Place;
use crate::subject::Subject;
use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// Where programs are looked for by default.
const USUAL_PATH: &str = "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin";
/// What depends on nothing. Agents call through pipes with the terminal's name in the environment,
/// so a pipe has it too.
const FIXED: &[(&str, &str)] = &[
    ("LANG", "C.UTF-8"),
    ("LOGNAME", "user"),
    ("SHELL", "/bin/sh"),
    ("TERM", "xterm-256color"),
    ("TZ", "UTC"),
    ("USER", "user"),
];
/// The directories below a home that have variables.
const BELOW_HOME: &[(&str, &str)] = &[
    ("XDG_CACHE_HOME", ".cache"),
    ("XDG_CONFIG_HOME", ".config"),
    ("XDG_DATA_HOME", ".local/share"),
    ("XDG_STATE_HOME", ".local/state"),
];

/// The variables of directories below a home.
pub(crate) fn below_home() -> impl Iterator<Item = &'static str> + use<> {
    BELOW_HOME.iter().map(|(name, _)| *name)
}

/// Where version managers keep the tools behind the small programs that they put into `PATH`, and
/// the directory below a home where that is if no variable says so. Under another home those
/// programs find nothing. None of these directories holds credentials; `CARGO_HOME` does, and is
/// not among them.
const TOOLS: &[(&str, &str)] = &[
    ("ASDF_DATA_DIR", ".asdf"),
    ("FNM_DIR", ".local/share/fnm"),
    ("GOENV_ROOT", ".goenv"),
    ("JENV_ROOT", ".jenv"),
    ("MISE_DATA_DIR", ".local/share/mise"),
    ("NODENV_ROOT", ".nodenv"),
    ("NVM_DIR", ".nvm"),
    ("PYENV_ROOT", ".pyenv"),
    ("RBENV_ROOT", ".rbenv"),
    ("RUSTUP_HOME", ".rustup"),
    ("SDKMAN_DIR", ".sdkman"),
    ("VOLTA_HOME", ".volta"),
];

/// The variables of [`TOOLS`] for the directories that are there.
fn tools(variable: impl Fn(&str) -> Option<OsString>) -> Vec<(&'static str, PathBuf)> {
    let home = variable("HOME").map(PathBuf::from).filter(|home| home.is_absolute());
    let place = |(name, below): &(&'static str, &str)| {
        let own = variable(name).filter(|own| !own.is_empty()).map(PathBuf::from);
        let place = own.or_else(|| Some(home.as_ref()?.join(below)))?;
        (place.is_absolute() && place.is_dir()).then_some((*name, place))
    };
    TOOLS.iter().filter_map(place).collect()
}

/// Where a package manager keeps everything, by the variable that says so or by the usual place.
const PACKAGES: (&str, &str) = ("HOMEBREW_PREFIX", "/home/linuxbrew/.linuxbrew");

/// The directories of tools that the programs in `PATH` need, wherever they are.
pub(super) fn tool_directories() -> Vec<PathBuf> {
    let packages = env::var_os(PACKAGES.0).map_or_else(|| PACKAGES.1.into(), PathBuf::from);
    let tools = tools(|name| env::var_os(name)).into_iter().map(|(_, place)| place);
    tools.chain([packages]).filter(|it| it.is_absolute() && it.is_dir()).collect()
}

/// The directories in which we find programs ourselves; relative ones are left out.
pub(super) fn search_path() -> Vec<PathBuf> {
    let path = env::var_os("PATH").filter(|path| !path.is_empty());
    let path = path.unwrap_or_else(|| USUAL_PATH.into());
    env::split_paths(&path).filter(|directory| directory.is_absolute()).collect()
}

/// All variables of a run.
pub(super) fn variables(
    subject: &Subject,
    setting: &Setting,
    directory: &RunDirectory,
    search: &[PathBuf],
) -> BTreeMap<OsString, OsString> {
    let mut all: BTreeMap<OsString, OsString> =
        FIXED.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect();
    let mut set = |name: &str, value: &Path| all.insert(name.into(), value.into());
    for (name, place) in tools(|name| env::var_os(name)) {
        set(name, &place);
    }
    let shims = directory.own.join(shim::DIRECTORY);
    // By name, which is found in `PATH`: some programs print these variables, and answers are compared.
    for (name, tool) in shim::VARIABLES {
        set(name, Path::new(shim::name(*tool)));
    }
    let temporary = directory.path(Place::Temporary);
    set("TMPDIR", &temporary);
    set("XDG_RUNTIME_DIR", &temporary);
    if setting.home != Home::Unset {
        let home = directory.path(Place::Home);
        set("HOME", &home);
        for (name, below) in BELOW_HOME {
            set(name, &home.join(below));
        }
    }
    // No directory has a colon in it here: each came from such a list, or is ours.
    let path = env::join_paths(std::iter::once(&shims).chain(search)).unwrap_or_default();
    all.insert("PATH".into(), path);
    if setting.has_canaries {
        let canaries = canary::variables(&subject.name());
        all.extend(canaries.map(|(name, value)| (name.into(), value.into())));
    }
    all.extend(subject.variables.iter().cloned());
    for (name, value) in &setting.variables {
        match value {
            Some(value) => all.insert(name.into(), value.into()),
            None => all.remove(std::ffi::OsStr::new(name)),
        };
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn version_managers_find_their_tools_and_no_program_finds_credentials() {
        let home = tempfile::tempdir().expect("a directory");
        let elsewhere = tempfile::tempdir().expect("a directory");
        for directory in [".rustup", ".cargo", ".aws"] {
            std::fs::create_dir(home.path().join(directory)).expect("a directory");
        }
        let found = tools(|name| match name {
            "HOME" => Some(home.path().into()),
            "PYENV_ROOT" => Some(elsewhere.path().into()),
            "NVM_DIR" => Some("/no/such/directory".into()),
            _ => None,
        });
        let expected =
            [("PYENV_ROOT", elsewhere.path().into()), ("RUSTUP_HOME", home.path().join(".rustup"))];
        assert_eq!(found, expected);
    }
}
