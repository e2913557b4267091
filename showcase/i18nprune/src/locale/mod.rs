//! The texts of a language: one file or a directory of them, read and changed as keys.

mod file;
mod leaf;
mod plural;
mod unique;

pub(crate) use file::{Conflict, File};
pub(crate) use leaf::{PLACEHOLDER, placeholders};
pub(crate) use plural::{base, is_plural};

use file::DEEPEST;
use showcase_store::{Error, Operation};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// The texts of one language.
#[derive(Debug)]
pub(crate) struct Locale {
    /// The code of the language.
    pub(crate) code: String,
    /// The files they are in.
    pub(crate) files: Vec<File>,
}

/// A text, or whatever else is found where one is expected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Leaf<'l> {
    /// What it says, if it is a text.
    pub(crate) text: Option<&'l str>,
    /// The file it is in.
    pub(crate) file: &'l Path,
}

/// Whether it is the code of a language, such as `en` or `pt-BR`.
pub(crate) fn is_code(code: &str) -> bool {
    let mut parts = code.split(['-', '_']);
    let first = parts.next().unwrap_or_default();
    let is_first = matches!(first.len(), 2 | 3) && first.bytes().all(|it| it.is_ascii_alphabetic());
    let is_part = |part: &str| {
        matches!(part.len(), 2..=8) && part.bytes().all(|it| it.is_ascii_alphanumeric())
    };
    is_first && parts.all(is_part)
}

/// The languages that a directory has texts of, in the order of their codes.
pub(crate) fn codes(directory: &Path) -> Result<Vec<String>, Error> {
    let failed = |error| Error::new(Operation::Read, directory, error);
    let mut codes = Vec::new();
    for entry in fs::read_dir(directory).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        let is_json = path.extension().is_some_and(|extension| extension == "json");
        let is_locale = path.is_dir() || is_json;
        let stem = if path.is_dir() { path.file_name() } else { path.file_stem() };
        let code = stem.and_then(|stem| stem.to_str()).filter(|code| is_locale && is_code(code));
        codes.extend(code.map(str::to_owned));
    }
    codes.sort_unstable();
    codes.dedup();
    Ok(codes)
}

/// The file of a language that is in one file.
pub(crate) fn single_file(directory: &Path, code: &str) -> PathBuf {
    directory.join(format!("{code}.json"))
}

impl Locale {
    /// Reads the texts of a language: `en.json`, and the segments `en/*.json`.
    pub(crate) fn read(directory: &Path, code: &str) -> Result<Locale, Error> {
        let single = single_file(directory, code);
        let mut files: Vec<File> = File::read(&single, None)?.into_iter().collect();
        let directory = directory.join(code);
        for (path, segment) in segments(&directory)? {
            files.extend(File::read(&path, Some(segment))?);
        }
        if files.is_empty() {
            let reason = io::Error::new(io::ErrorKind::NotFound, "there is no such file");
            return Err(Error::new(Operation::Open, &single, reason));
        }
        Ok(Locale { code: code.to_owned(), files })
    }

    /// Every key with its text, in the order of the files.
    pub(crate) fn leaves(&self) -> Vec<(String, Leaf<'_>)> {
        self.files.iter().flat_map(File::leaves).collect()
    }

    /// The same, to look keys up.
    pub(crate) fn index(&self) -> BTreeMap<String, Leaf<'_>> {
        self.leaves().into_iter().collect()
    }

    /// Every key that a call may name: texts, those of which there are only plural forms, and groups.
    pub(crate) fn known(&self) -> HashSet<String> {
        let mut known = HashSet::new();
        for (key, _) in self.leaves() {
            known.insert(base(&key).to_owned());
            let dots = key.match_indices('.').take(DEEPEST);
            known.extend(dots.map(|(at, _)| key[..at].to_owned()));
            known.insert(key);
        }
        known
    }

    /// A key as the files have it: `common:title` is `title` in the segment `common`.
    pub(crate) fn resolve<'k>(&self, key: &'k str) -> Cow<'k, str> {
        let is_segment = |name: &str| self.files.iter().any(|file| file.segment() == Some(name));
        match key.split_once(':') {
            Some((name, rest)) if is_segment(name) => format!("{name}.{rest}").into(),
            _ => key.into(),
        }
    }

    /// Adds a text under a key that is not there: in the file of its segment, or the only one.
    pub(crate) fn insert(&mut self, key: &str, text: &str) -> Result<(), Conflict> {
        let is_home = |file: &&mut File| file.holds(key);
        let segment = self.files.iter_mut().filter(|file| file.segment().is_some()).find(is_home);
        match segment {
            Some(file) => file.insert(key, text),
            None => match self.files.iter_mut().find(|file| file.segment().is_none()) {
                Some(file) => file.insert(key, text),
                None => Err(Conflict::NoSegment),
            },
        }
    }

    /// Removes keys, wherever they are.
    pub(crate) fn remove(&mut self, keys: &[String]) {
        let keys = keys.iter().map(String::as_str).collect();
        self.files.iter_mut().for_each(|file| file.remove(&keys));
    }

    /// Gives it the segments that another language has and it lacks.
    pub(crate) fn add_segments_of(&mut self, other: &Locale, directory: &Path) {
        for segment in other.files.iter().filter_map(File::segment) {
            if self.files.iter().all(|file| file.segment() != Some(segment)) {
                let path = directory.join(&self.code).join(format!("{segment}.json"));
                self.files.push(File::empty(path, segment));
            }
        }
    }
}

/// The files in the directory of a language, with the names of their segments.
fn segments(directory: &Path) -> Result<Vec<(PathBuf, String)>, Error> {
    let failed = |error| Error::new(Operation::Read, directory, error);
    let entries = match fs::read_dir(directory) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries.map_err(failed)?,
    };
    let mut segments = Vec::new();
    for entry in entries {
        let path = entry.map_err(failed)?.path();
        let name = path.file_stem().and_then(|stem| stem.to_str()).map(str::to_owned);
        if let Some(name) = name.filter(|name| is_segment(&path, name)) {
            segments.push((path, name));
        }
    }
    segments.sort_unstable();
    Ok(segments)
}

fn is_segment(path: &Path, name: &str) -> bool {
    let is_json = path.extension().is_some_and(|extension| extension == "json");
    is_json && path.is_file() && !name.starts_with('.')
}

#[cfg(test)]
mod tests {
    use super::is_code;

    #[test]
    fn a_language_is_no_path() {
        for code in ["en", "pt-BR", "zh_Hant_TW", "fil"] {
            assert!(is_code(code), "{code}");
        }
        for code in ["", "e", "..", "../en", "en/", "en-", "en.json", "english", "e1"] {
            assert!(!is_code(code), "{code}");
        }
    }
}
