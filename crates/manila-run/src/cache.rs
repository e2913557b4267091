//! Answers that were kept because they may still hold: one file each, replaced whole.

use manila::json::Raw;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use std::collections::hash_map::DefaultHasher;
use std::fs;
use std::hash::{Hash, Hasher};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// What was answered, to what, and how the program calls that version.
#[derive(Serialize, Deserialize)]
pub(crate) struct Kept {
    /// The folder and the call: names of files may collide.
    folder: String,
    argv: Vec<String>,
    pub(crate) etag: String,
    pub(crate) kind: Option<String>,
    data: Box<RawValue>,
}

impl Kept {
    /// An answer to keep.
    pub(crate) fn new(
        argv: &[String],
        etag: &str,
        kind: Option<&str>,
        data: &Raw,
    ) -> io::Result<Kept> {
        Ok(Kept {
            folder: here(),
            argv: argv.to_vec(),
            etag: etag.to_owned(),
            kind: kind.map(str::to_owned),
            data: RawValue::from_string(data.as_str().to_owned())?,
        })
    }

    /// The data, as they were.
    pub(crate) fn data(&self) -> Option<Raw> {
        Raw::parse(self.data.get()).ok()
    }

    /// Writes it into the folder.
    pub(crate) fn save(&self, folder: &Path) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        let mut file = tempfile::NamedTempFile::new_in(folder)?;
        file.write_all(&serde_json::to_vec(self)?)?;
        file.persist(place(folder, &self.argv)).map_err(|error| error.error)?;
        Ok(())
    }

    /// The answer that was kept for this call. One that cannot be read is as good as none.
    pub(crate) fn load(folder: &Path, argv: &[String]) -> Option<Kept> {
        let bytes = fs::read(place(folder, argv)).ok()?;
        let kept: Kept = serde_json::from_slice(&bytes).ok()?;
        (kept.argv == argv && kept.folder == here()).then_some(kept)
    }
}

fn here() -> String {
    std::env::current_dir().map(|path| path.to_string_lossy().into_owned()).unwrap_or_default()
}

fn place(folder: &Path, argv: &[String]) -> PathBuf {
    let mut hasher = DefaultHasher::new();
    (here(), argv).hash(&mut hasher);
    folder.join(format!("{:016x}.json", hasher.finish()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_comes_back_as_it_was_and_only_to_its_call() {
        let folder = tempfile::tempdir().unwrap();
        let argv = ["td", "ls"].map(str::to_owned);
        let data = Raw::parse("[1.50, 2]").unwrap();
        Kept::new(&argv, "t1", Some("task_list"), &data).unwrap().save(folder.path()).unwrap();
        let kept = Kept::load(folder.path(), &argv).unwrap();
        assert_eq!((kept.etag.as_str(), kept.kind.as_deref()), ("t1", Some("task_list")));
        assert_eq!(kept.data(), Some(data));
        assert!(Kept::load(folder.path(), &argv[..1]).is_none());
    }

    #[test]
    fn a_broken_file_is_as_good_as_none() {
        let folder = tempfile::tempdir().unwrap();
        let argv = ["td".to_owned()];
        fs::write(place(folder.path(), &argv), "{").unwrap();
        assert!(Kept::load(folder.path(), &argv).is_none());
    }
}
