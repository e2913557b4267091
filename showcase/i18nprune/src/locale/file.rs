//! One file of texts: nested or flat, kept in its order, its indentation and its line endings.

use super::Leaf;
use super::unique::Unique;
use serde::Serialize as _;
use serde_json::ser::{PrettyFormatter, Serializer};
use serde_json::{Map, Value};
use showcase_store::{Error, Lock, Operation};
use std::collections::HashSet;
use std::io;
use std::path::{Path, PathBuf};

/// No key has more parts, unless something is wrong with it.
pub(super) const DEEPEST: usize = 32;

/// How a new file is indented.
const INDENT: &str = "  ";

/// What some editors put before a text.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// How a file is laid out, beside what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Layout {
    has_mark: bool,
    indent: String,
    line_end: &'static [u8],
    /// Whether the last of several lines ends too.
    is_ended: bool,
}

/// How a new file is laid out.
impl Default for Layout {
    fn default() -> Layout {
        Layout { has_mark: false, indent: INDENT.to_owned(), line_end: b"\n", is_ended: true }
    }
}

impl Layout {
    /// The layout of a file; its lines end as the first one does.
    fn of(bytes: &[u8]) -> Layout {
        let text = without_mark(bytes);
        let first = text.iter().position(|byte| *byte == b'\n');
        let is_windows = first.is_some_and(|at| text[..at].ends_with(b"\r"));
        Layout {
            has_mark: text.len() < bytes.len(),
            indent: indent(text).unwrap_or_else(|| INDENT.to_owned()),
            line_end: if is_windows { b"\r\n" } else { b"\n" },
            is_ended: first.is_none() || text.ends_with(b"\n"),
        }
    }

    /// Texts as a file of this layout.
    fn lay_out(&self, tree: &Map<String, Value>) -> serde_json::Result<Vec<u8>> {
        let mut text = Vec::new();
        let formatter = PrettyFormatter::with_indent(self.indent.as_bytes());
        tree.serialize(&mut Serializer::with_formatter(&mut text, formatter))?;
        if self.is_ended {
            text.push(b'\n');
        }
        let mut file = if self.has_mark { BYTE_ORDER_MARK.to_vec() } else { Vec::new() };
        // Within a text a line end is spelled with letters, so these are those of the file.
        for line in text.split_inclusive(|byte| *byte == b'\n') {
            match line.strip_suffix(b"\n") {
                Some(line) => file.extend([line, self.line_end].concat()),
                None => file.extend(line),
            }
        }
        Ok(file)
    }
}

fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(BYTE_ORDER_MARK).unwrap_or(bytes)
}

/// A file of texts.
#[derive(Debug)]
pub(crate) struct File {
    path: PathBuf,
    /// The first part of all its keys, if it is one of several files of its language.
    segment: Option<String>,
    tree: Map<String, Value>,
    /// Whether its keys are not nested but spelled with dots.
    is_flat: bool,
    layout: Layout,
    /// Whether it holds something else than what is on the disk.
    is_changed: bool,
}

/// Why a key cannot be added.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Conflict {
    /// A part of it is a text, or it is a group of others.
    Taken,
    /// It is empty, or has an empty part.
    EmptyPart,
    /// It has more parts than any key.
    TooDeep,
    /// The language is in several files, and none of them is for such keys.
    NoSegment,
}

impl Conflict {
    /// It in words.
    pub(crate) fn words(self) -> &'static str {
        match self {
            Conflict::Taken => "a part of it is a text already, or it is a group",
            Conflict::EmptyPart => "a part of it is empty",
            Conflict::TooDeep => "it has too many parts",
            Conflict::NoSegment => "no file of the locale is for it",
        }
    }
}

impl File {
    /// Reads a file, if there is one.
    pub(crate) fn read(path: &Path, segment: Option<String>) -> Result<Option<File>, Error> {
        let failed = |reason: String| {
            let reason = io::Error::new(io::ErrorKind::InvalidData, reason);
            Error::new(Operation::Parse, path, reason)
        };
        let Some(bytes) = showcase_store::read(path)? else { return Ok(None) };
        let value = serde_json::from_slice(without_mark(&bytes));
        let Unique(value) = value.map_err(|it| failed(it.to_string()))?;
        let Value::Object(tree) = value else {
            return Err(failed("it is not an object of texts".to_owned()));
        };
        let layout = Layout::of(&bytes);
        Ok(Some(File { layout, ..File::new(path.to_owned(), segment, tree) }))
    }

    /// A file that does not exist yet.
    pub(crate) fn empty(path: PathBuf, segment: &str) -> File {
        File::new(path, Some(segment.to_owned()), Map::new())
    }

    fn new(path: PathBuf, segment: Option<String>, tree: Map<String, Value>) -> File {
        let has_groups = tree.values().any(Value::is_object);
        let is_flat = !has_groups && tree.keys().any(|name| name.contains('.'));
        File { path, segment, tree, is_flat, layout: Layout::default(), is_changed: false }
    }

    /// Where it is.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The first part of its keys, if it is one of several files.
    pub(crate) fn segment(&self) -> Option<&str> {
        self.segment.as_deref()
    }

    /// Whether a key, if there is one, is in this file.
    pub(crate) fn holds(&self, key: &str) -> bool {
        self.inner(key).is_some()
    }

    /// The key as the file has it: without the name of its segment.
    fn inner<'k>(&self, key: &'k str) -> Option<&'k str> {
        match &self.segment {
            Some(segment) => key.strip_prefix(segment.as_str())?.strip_prefix('.'),
            None => Some(key),
        }
    }

    /// Every key with its text.
    pub(crate) fn leaves(&self) -> Vec<(String, Leaf<'_>)> {
        let mut leaves = Vec::new();
        let prefix = self.segment.clone().unwrap_or_default();
        self.collect(&self.tree, &prefix, &mut leaves);
        leaves
    }

    fn collect<'f>(
        &'f self,
        tree: &'f Map<String, Value>,
        prefix: &str,
        leaves: &mut Vec<(String, Leaf<'f>)>,
    ) {
        for (name, value) in tree {
            let key = joined(prefix, name);
            match value {
                Value::Object(group) => self.collect(group, &key, leaves),
                other => leaves.push((key, Leaf { text: other.as_str(), file: &self.path })),
            }
        }
    }

    /// Adds a text under a key that is not there.
    pub(crate) fn insert(&mut self, key: &str, text: &str) -> Result<(), Conflict> {
        let key = self.inner(key).ok_or(Conflict::NoSegment)?;
        let mut parts: Vec<&str> = if self.is_flat { vec![key] } else { key.split('.').collect() };
        if parts.len() > DEEPEST {
            return Err(Conflict::TooDeep);
        }
        let last = parts.pop().unwrap_or_default();
        if last.is_empty() || parts.iter().any(|part| part.is_empty()) {
            return Err(Conflict::EmptyPart);
        }
        if !has_room(&self.tree, &parts, last) {
            return Err(Conflict::Taken);
        }
        let mut group = &mut self.tree;
        for part in parts {
            let below = group.entry(part).or_insert_with(|| Value::Object(Map::new()));
            group = below.as_object_mut().ok_or(Conflict::Taken)?;
        }
        group.insert(last.to_owned(), text.into());
        self.is_changed = true;
        Ok(())
    }

    /// Removes keys, and the groups that are empty without them.
    pub(crate) fn remove(&mut self, keys: &HashSet<&str>) {
        let prefix = self.segment.as_deref().unwrap_or_default();
        self.is_changed |= remove(&mut self.tree, prefix, keys);
    }

    /// Whether it holds something else than what is on the disk.
    pub(crate) fn is_changed(&self) -> bool {
        self.is_changed
    }

    /// Puts it on the disk.
    pub(crate) fn write(&self, lock: &Lock) -> Result<(), Error> {
        let failed = |error: io::Error| Error::new(Operation::Write, &self.path, error);
        let text = self.layout.lay_out(&self.tree).map_err(|error| failed(error.into()))?;
        if let Some(directory) = self.path.parent() {
            std::fs::create_dir_all(directory).map_err(failed)?;
        }
        lock.replace(&self.path, &text)
    }
}

/// The whitespace before the first key.
fn indent(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?;
    let line = text.lines().nth(1)?;
    let indent = &line[..line.len() - line.trim_start().len()];
    (!indent.is_empty()).then(|| indent.to_owned())
}

/// Whether a text can be put there: no text is in the way, and no group in its place.
fn has_room(tree: &Map<String, Value>, groups: &[&str], last: &str) -> bool {
    let mut group = tree;
    for name in groups {
        match group.get(*name) {
            Some(Value::Object(below)) => group = below,
            other => return other.is_none(),
        }
    }
    !group.get(last).is_some_and(Value::is_object)
}

/// Removes keys, however they are spelled; whether there was one.
fn remove(tree: &mut Map<String, Value>, prefix: &str, keys: &HashSet<&str>) -> bool {
    let mut is_changed = false;
    tree.retain(|name, value| {
        let key = joined(prefix, name);
        let is_hit = match value {
            Value::Object(group) => remove(group, &key, keys),
            _ => keys.contains(key.as_str()),
        };
        is_changed |= is_hit;
        !is_hit || value.as_object().is_some_and(|group| !group.is_empty())
    });
    is_changed
}

fn joined(prefix: &str, name: &str) -> String {
    if prefix.is_empty() { name.to_owned() } else { format!("{prefix}.{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn file(json: &str) -> File {
        let Value::Object(tree) = serde_json::from_str(json).unwrap() else { panic!("no object") };
        File::new("en.json".into(), None, tree)
    }

    fn text(file: &File) -> String {
        Value::Object(file.tree.clone()).to_string()
    }

    #[test]
    fn a_key_is_added_as_the_others_are_spelled() {
        let mut nested = file(r#"{"a":{"b":"x"}}"#);
        nested.insert("a.c", "y").unwrap();
        nested.insert("d.e.f", "z").unwrap();
        assert_eq!(text(&nested), r#"{"a":{"b":"x","c":"y"},"d":{"e":{"f":"z"}}}"#);
        let mut flat = file(r#"{"a.b":"x"}"#);
        flat.insert("a.c", "y").unwrap();
        assert_eq!(text(&flat), r#"{"a.b":"x","a.c":"y"}"#);
    }

    #[test]
    fn a_key_that_cannot_be_added_changes_nothing() {
        let before = r#"{"a":"x","g":{"h":"y"}}"#;
        let mut file = file(before);
        let deep = vec!["d"; DEEPEST + 1].join(".");
        for (key, conflict) in [
            ("a.b", Conflict::Taken),
            ("g", Conflict::Taken),
            ("", Conflict::EmptyPart),
            ("n.", Conflict::EmptyPart),
            ("n..m", Conflict::EmptyPart),
            (&deep, Conflict::TooDeep),
        ] {
            assert_eq!(file.insert(key, "z"), Err(conflict), "{key}");
        }
        assert_eq!(text(&file), before);
    }

    #[test]
    fn a_key_is_removed_with_what_it_leaves_empty() {
        let mut file = file(r#"{"a":{"b":{"c":"x"},"d.e":"y"},"f":"z"}"#);
        file.remove(&HashSet::from(["a.b.c", "a.b", "none"]));
        assert_eq!(text(&file), r#"{"a":{"d.e":"y"},"f":"z"}"#);
        file.remove(&HashSet::from(["a.d.e"]));
        assert_eq!(text(&file), r#"{"f":"z"}"#);
    }

    #[test]
    fn a_file_keeps_its_layout() {
        for text in [
            "{\n  \"a\": \"x\\ny\"\n}\n",
            "{\r\n  \"a\": \"x\\r\\ny\"\r\n}\r\n",
            "\u{feff}{\r\n\t\"a\": \"x\"\r\n}\r\n",
            "\u{feff}{\n    \"a\": \"x\"\n}",
        ] {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("en.json");
            std::fs::write(&path, text).unwrap();
            let mut file = File::read(&path, None).unwrap().unwrap();
            let layout = file.layout.clone();
            file.insert("b", "z").unwrap();
            let lock = Lock::on(directory.path()).unwrap();
            file.write(&lock).unwrap();
            let after = File::read(&path, None).unwrap().unwrap();
            assert_eq!(after.layout, layout, "{text:?}");
            let written = std::fs::read_to_string(&path).unwrap();
            let lines = |text: &str| text.matches("\r\n").count();
            let windows = if lines(text) > 0 { lines(text) + 1 } else { 0 };
            assert_eq!(lines(&written), windows, "{written:?}");
            file.remove(&HashSet::from(["b"]));
            assert_eq!(file.layout.lay_out(&file.tree).unwrap(), text.as_bytes());
        }
    }

    #[test]
    fn the_indentation_of_a_file_is_its_own() {
        assert_eq!(indent(b"{\n\t\"a\": 1\n}").as_deref(), Some("\t"));
        assert_eq!(indent(b"{\"a\": 1}"), None);
    }
}
