//! The context of a command: the file of the store and the time.

use crate::error::Error;
use crate::store::Store;
use jiff::civil::Date;
use jiff::{Timestamp, Zoned};
use showcase_store::{Error as StoreError, JsonFile, Operation};
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};

/// What a command works with.
#[derive(Debug)]
pub(crate) struct Context {
    file: JsonFile<Store>,
    pub(crate) now: Timestamp,
    pub(crate) today: Date,
}

impl Context {
    /// The store that the environment names, now.
    pub(crate) fn from_env() -> Result<Context, Error> {
        let path = file(|name| std::env::var_os(name)).ok_or(Error::NoDataDirectory)?;
        Ok(Context::at(path, &Zoned::now()))
    }

    /// The store in this file, at this time.
    pub(crate) fn at(path: impl Into<PathBuf>, time: &Zoned) -> Context {
        let seconds = time.timestamp().as_second();
        let now = Timestamp::from_second(seconds).unwrap_or_else(|_| time.timestamp());
        Context { file: JsonFile::at(path), now, today: time.date() }
    }

    pub(crate) fn read(&self) -> Result<Store, Error> {
        let store = self.file.read()?;
        self.check(&store)?;
        Ok(store)
    }

    /// Changes the store under its lock. Work that fails changes nothing.
    pub(crate) fn change<R>(
        &self,
        work: impl FnOnce(&mut Store) -> Result<R, Error>,
    ) -> Result<R, Error> {
        self.file.change(|store| {
            self.check(store)?;
            work(store)
        })
    }

    fn check(&self, store: &Store) -> Result<(), StoreError> {
        let Some(flaw) = store.flaw() else { return Ok(()) };
        let reason = io::Error::new(io::ErrorKind::InvalidData, flaw);
        Err(StoreError::new(Operation::Parse, self.file.path(), reason))
    }
}

/// The file that the environment names, if it names one.
fn file(variable: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let named = |name| variable(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    named("TD_FILE").or_else(|| {
        // The convention for such directories says to ignore a relative one.
        let data = named("XDG_DATA_HOME").filter(|data| data.is_absolute());
        let data = data.or_else(|| named("HOME").map(|home| home.join(".local/share")))?;
        Some(data.join(Path::new("showcase-td/td.json")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file_with(variables: &[(&str, &str)]) -> Option<String> {
        let variable = |name: &str| {
            let found = variables.iter().find(|(key, _)| *key == name);
            found.map(|(_, value)| OsString::from(value))
        };
        file(variable).map(|path| path.display().to_string())
    }

    #[test]
    fn the_nearest_variable_names_the_file() {
        let all = [("TD_FILE", "my.json"), ("XDG_DATA_HOME", "/data"), ("HOME", "/home/me")];
        assert_eq!(file_with(&all).as_deref(), Some("my.json"));
        assert_eq!(file_with(&all[1..]).as_deref(), Some("/data/showcase-td/td.json"));
        let home = Some("/home/me/.local/share/showcase-td/td.json");
        assert_eq!(file_with(&all[2..]).as_deref(), home);
        let odd = [("TD_FILE", ""), ("XDG_DATA_HOME", "data"), ("HOME", "/home/me")];
        assert_eq!(file_with(&odd).as_deref(), home);
        assert_eq!(file_with(&[]), None);
    }
}
