//! Answers that were kept because they may still hold: one file each, replaced whole.

use crate::argv;
use crate::invocation::Invocation;
use manila::json::Raw;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A call as far as its answer depends on it: the same words mean something else in every directory.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Call {
    folder: String,
    argv: Vec<String>,
}

impl Call {
    /// Nothing if its arguments are not text.
    pub(crate) fn of(call: &Invocation) -> Option<Call> {
        let folder = std::path::absolute(call.folder().unwrap_or(Path::new("."))).ok()?;
        Some(Call { folder: folder.to_str()?.to_owned(), argv: argv::of(&call.argv)? })
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
    pub(crate) fn save(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(&serde_json::to_vec(self)?)?;
        file.persist(place(folder, &self.call)).map_err(|error| error.error)?;
        Ok(())
    }

    /// The answer that was kept for this call. One that cannot be read is as good as none.
    pub(crate) fn load(folder: &Path, call: &Call) -> Option<CacheEntry> {
        let bytes = fs::read(place(folder, call)).ok()?;
        let kept: CacheEntry = serde_json::from_slice(&bytes).ok()?;
        (kept.call == *call).then_some(kept)
    }
}

fn place(folder: &Path, call: &Call) -> PathBuf {
    // No path and no argument has a NUL, so that different calls are different bytes.
    let parts: Vec<&str> =
        std::iter::once(&call.folder).chain(&call.argv).map(String::as_str).collect();
    folder.join(format!("{:032x}.json", manila::fingerprint(parts.join("\0").as_bytes())))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_comes_back_as_it_was_and_only_to_its_call() {
        let folder = tempfile::tempdir().unwrap();
        let call = |arguments: &[&str]| Invocation::new("td").args(arguments);
        let of = |call: &Invocation| Call::of(call).unwrap();
        let data = Raw::parse("[1.50, 2]").unwrap();
        let kept = CacheEntry::new(&of(&call(&["ls"])), "t1", Some("task_list"), &data).unwrap();
        kept.save(folder.path()).unwrap();
        let kept = CacheEntry::load(folder.path(), &of(&call(&["ls"]))).unwrap();
        assert_eq!((kept.etag.as_str(), kept.kind.as_deref()), ("t1", Some("task_list")));
        assert_eq!(kept.data(), Some(data));
        assert!(CacheEntry::load(folder.path(), &of(&call(&[]))).is_none());
        assert!(CacheEntry::load(folder.path(), &of(&call(&["ls"]).directory("/"))).is_none());
    }

    #[test]
    fn a_broken_file_is_as_good_as_none() {
        let folder = tempfile::tempdir().unwrap();
        let call = Call::of(&Invocation::new("td")).unwrap();
        fs::write(place(folder.path(), &call), "{").unwrap();
        assert!(CacheEntry::load(folder.path(), &call).is_none());
    }
}
