//! Cached answers that may still hold: one file each, replaced whole.

use crate::argv;
use crate::invocation::Invocation;
use manila::json::Raw;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A call as far as its answer depends on it: the same arguments mean something else in every directory.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Call {
    directory: String,
    argv: Vec<String>,
}

impl Call {
    /// Nothing if its arguments are not text.
    pub(crate) fn of(call: &Invocation) -> Option<Call> {
        let directory =
            std::path::absolute(call.working_directory().unwrap_or(Path::new("."))).ok()?;
        Some(Call { directory: directory.to_str()?.to_owned(), argv: argv::of(&call.argv)? })
    }
}

/// What was answered, to what, and how the program calls that version.
#[derive(Serialize, Deserialize)]
pub(crate) struct CacheEntry {
    /// Names of files may collide.
    call: Call,
    pub(crate) etag: String,
    pub(crate) kind: Option<String>,
    data: Box<RawValue>,
}

impl CacheEntry {
    /// An answer to keep.
    pub(crate) fn new(
        call: &Call,
        etag: &str,
        kind: Option<&str>,
        data: &Raw,
    ) -> io::Result<CacheEntry> {
        Ok(CacheEntry {
            call: call.clone(),
            etag: etag.to_owned(),
            kind: kind.map(str::to_owned),
            data: RawValue::from_string(data.as_str().to_owned())?,
        })
    }

    /// The data, as they were.
    pub(crate) fn data(&self) -> Option<Raw> {
        Raw::parse(self.data.get()).ok()
    }

    /// Writes it into the directory.
    pub(crate) fn save(&self, dir: &Path) -> io::Result<()> {
        fs::create_dir_all(dir)?;
        let mut file = tempfile::NamedTempFile::new_in(dir)?;
        file.write_all(&serde_json::to_vec(self)?)?;
        file.persist(place(dir, &self.call)).map_err(|error| error.error)?;
        Ok(())
    }

    /// The answer that was cached for this call. One that cannot be read is as good as none.
    pub(crate) fn load(dir: &Path, call: &Call) -> Option<CacheEntry> {
        let bytes = fs::read(place(dir, call)).ok()?;
        let cached: CacheEntry = serde_json::from_slice(&bytes).ok()?;
        (cached.call == *call).then_some(cached)
    }
}

fn place(dir: &Path, call: &Call) -> PathBuf {
    // No path and no argument has a NUL, so that different calls are different bytes.
    let parts: Vec<&str> =
        std::iter::once(&call.directory).chain(&call.argv).map(String::as_str).collect();
    dir.join(format!("{:032x}.json", manila::fingerprint(parts.join("\0").as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_comes_back_as_it_was_and_only_to_its_call() {
        let dir = tempfile::tempdir().unwrap();
        let call = |arguments: &[&str]| Invocation::new("td").args(arguments);
        let of = |call: &Invocation| Call::of(call).unwrap();
        let data = Raw::parse("[1.50, 2]").unwrap();
        let cached = CacheEntry::new(&of(&call(&["ls"])), "t1", Some("task_list"), &data).unwrap();
        cached.save(dir.path()).unwrap();
        let cached = CacheEntry::load(dir.path(), &of(&call(&["ls"]))).unwrap();
        assert_eq!((cached.etag.as_str(), cached.kind.as_deref()), ("t1", Some("task_list")));
        assert_eq!(cached.data(), Some(data));
        assert!(CacheEntry::load(dir.path(), &of(&call(&[]))).is_none());
        assert!(CacheEntry::load(dir.path(), &of(&call(&["ls"]).directory("/"))).is_none());
    }

    #[test]
    fn a_broken_file_is_as_good_as_none() {
        let dir = tempfile::tempdir().unwrap();
        let call = Call::of(&Invocation::new("td")).unwrap();
        fs::write(place(dir.path(), &call), "{").unwrap();
        assert!(CacheEntry::load(dir.path(), &call).is_none());
    }
}
