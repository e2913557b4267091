//! A whole source tree: which files are read, which are not and why, and what was found in them.

use super::place::Places;
use super::{Found, Functions, Key, Language, Place, find};
use ignore::WalkBuilder;
use ignore::overrides::{Override, OverrideBuilder};
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// A larger file is generated, not source.
const LARGEST: u64 = 4 << 20;

/// Directories that hold other people's code.
const FOREIGN: &[&str] = &["node_modules", "bower_components"];

/// How many characters of a call are shown.
const PREVIEW: usize = 80;

/// What was found in a source tree.
#[derive(Debug, Default)]
pub(crate) struct Scan {
    /// Every key that the code names.
    pub(crate) observations: Vec<Observation>,
    /// Every call whose key only a run knows.
    pub(crate) dynamic: Vec<Dynamic>,
    /// How many files were read.
    pub(crate) files: usize,
    /// The files that were not.
    pub(crate) skipped: Vec<(PathBuf, Skipped)>,
}

/// A key that the code names.
#[derive(Clone, Debug)]
pub(crate) struct Observation {
    pub(crate) key: String,
    pub(crate) call: Call,
}

/// A call whose key only a run knows.
#[derive(Clone, Debug)]
pub(crate) struct Dynamic {
    pub(crate) kind: Key,
    pub(crate) call: Call,
    pub(crate) preview: String,
    pub(crate) is_commented: bool,
}

/// A call in a file.
#[derive(Clone, Debug)]
pub(crate) struct Call {
    /// The function.
    pub(crate) function: String,
    /// The file, from the root of the sources.
    pub(crate) file: String,
    /// Where it begins.
    pub(crate) place: Place,
    /// Whether it has several lines.
    pub(crate) is_multiline: bool,
}

/// Why a file was not read.
#[derive(Debug)]
pub(crate) enum Skipped {
    /// It is not UTF-8.
    NotText,
    /// It is larger than any source.
    TooLarge,
    /// The system says no.
    Unreadable(io::Error),
}

/// Scans the tree below a directory, telling after each file how many of how many are done.
pub(crate) fn scan(
    root: &Path,
    exclude: &Override,
    functions: &Functions,
    mut tell: impl FnMut(usize, usize),
) -> Scan {
    let mut scan = Scan::default();
    let files = files(root, exclude, &mut scan.skipped);
    for (index, (path, language)) in files.iter().enumerate() {
        match read(path) {
            Ok(source) => {
                let name = path.strip_prefix(root).unwrap_or(path).to_string_lossy();
                scan.add(&source, &name, find(&source, *language, functions));
            }
            Err(why) => scan.skipped.push((path.clone(), why)),
        }
        tell(index + 1, files.len());
    }
    scan
}

/// The patterns of files that are left out, as in `.gitignore`.
pub(crate) fn patterns(root: &Path, exclude: &[String]) -> Result<Override, ignore::Error> {
    let mut patterns = OverrideBuilder::new(root);
    for pattern in exclude {
        patterns.add(&format!("!{pattern}"))?;
    }
    patterns.build()
}

/// The files of a tree that are written in a language we know, in the order of their names.
fn files(
    root: &Path,
    exclude: &Override,
    skipped: &mut Vec<(PathBuf, Skipped)>,
) -> Vec<(PathBuf, Language)> {
    let mut walk = WalkBuilder::new(root);
    walk.overrides(exclude.clone()).git_global(false).git_exclude(false);
    walk.sort_by_file_path(Ord::cmp);
    walk.filter_entry(|entry| !FOREIGN.iter().any(|name| entry.file_name() == *name));
    let mut files = Vec::new();
    for entry in walk.build() {
        match entry {
            Ok(entry) if entry.file_type().is_some_and(|kind| kind.is_file()) => {
                let language = Language::of(entry.path());
                files.extend(language.map(|language| (entry.into_path(), language)));
            }
            Ok(_) => {}
            Err(error) => {
                let path = path_of(&error).unwrap_or(root).to_owned();
                let why = error.into_io_error().unwrap_or_else(|| io::ErrorKind::Other.into());
                skipped.push((path, Skipped::Unreadable(why)));
            }
        }
    }
    files
}

fn path_of(error: &ignore::Error) -> Option<&Path> {
    match error {
        ignore::Error::WithPath { path, .. } => Some(path),
        ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
            path_of(err)
        }
        _ => None,
    }
}

fn read(path: &Path) -> Result<String, Skipped> {
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(Skipped::Unreadable)?;
    file.take(LARGEST + 1).read_to_end(&mut bytes).map_err(Skipped::Unreadable)?;
    if bytes.len() as u64 > LARGEST {
        return Err(Skipped::TooLarge);
    }
    String::from_utf8(bytes).map_err(|_| Skipped::NotText)
}

impl Scan {
    /// How many calls with a computed key run, and how many are in comments.
    pub(crate) fn dynamic_counts(&self) -> (usize, usize) {
        let commented = self.dynamic.iter().filter(|site| site.is_commented).count();
        (self.dynamic.len() - commented, commented)
    }

    fn add(&mut self, source: &str, file: &str, found: Vec<Found>) {
        self.files += 1;
        let mut places = Places::of(source);
        for Found { site, is_commented } in found {
            let text = source.get(site.span.clone()).unwrap_or_default();
            let (function, file) = (site.function, file.to_owned());
            let place = places.at(site.span.start);
            let call = Call { function, file, place, is_multiline: text.contains('\n') };
            match site.key {
                // A key that only a comment names is not used.
                Key::Literal(_) if is_commented => {}
                Key::Literal(keys) => {
                    let observed = |key| Observation { key, call: call.clone() };
                    self.observations.extend(keys.into_iter().map(observed));
                }
                kind => {
                    let preview = preview(text);
                    self.dynamic.push(Dynamic { kind, call, preview, is_commented });
                }
            }
        }
    }
}

/// The beginning of a call on one line.
fn preview(text: &str) -> String {
    // Enough of it to fill a preview, however much of it is whitespace.
    let beginning: String = text.chars().take(4 * PREVIEW).collect();
    let line = beginning.split_whitespace().collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(PREVIEW) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line,
    }
}
