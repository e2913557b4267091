//! What a run wrote outside its own directories, as the layers and private directories of its file system
//! show it.

use super::layout::{Area, Sandbox};
use crate::observe::run::{Fate, Place, Written};
use std::collections::BTreeMap;
use std::fs::{self, File, Metadata};
use std::io::Read;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::os::unix::fs::{FileTypeExt, MetadataExt};
use std::path::{Path, PathBuf};

/// How many files are looked at, and how deep.
const MOST: usize = 10_000;
const DEEPEST: usize = 32;
/// How much is kept of each file.
const HEAD: u64 = 64 << 10;
/// Directories of temporary files, wherever a program looks for one.
const TEMPORARY: &[&str] = &["/tmp", "/var/tmp", "/dev/shm"];

/// What there is that the steps did not put there, by its path on the host.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Listing(BTreeMap<PathBuf, Entry>);

/// Where something is below the top, and what changes when it does.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Entry {
    here: PathBuf,
    mark: (u64, u64, i64, i64),
}

impl Sandbox {
    /// Everything that was written so far to the file system below this directory.
    pub(crate) fn list(&self, top: BorrowedFd<'_>) -> Listing {
        let mut seen = Listing::default();
        let top = place(top);
        for (at, area) in &self.areas {
            self.see(&top, at, area, Path::new(""), 0, &mut seen);
        }
        seen
    }

    fn see(
        &self,
        top: &Path,
        at: &Path,
        area: &Area,
        below: &Path,
        depth: usize,
        seen: &mut Listing,
    ) {
        let Ok(entries) = fs::read_dir(top.join(at).join(below)) else { return };
        for entry in entries.flatten() {
            if seen.0.len() >= MOST {
                return;
            }
            let below = below.join(entry.file_name());
            let here = at.join(&below);
            let Ok(about) = fs::symlink_metadata(top.join(&here)) else { continue };
            let is_ours = self.skeleton.contains(&here);
            if about.is_dir() && depth < DEEPEST {
                self.see(top, at, area, &below, depth + 1, seen);
            }
            let real = area.real.join(&below);
            // A layer repeats the directories that lead to what was written.
            let is_way = about.is_dir() && area.is_layer && real.is_dir();
            if !is_ours && !is_way {
                seen.0.insert(real, Entry { here, mark: mark(&about) });
            }
        }
    }
}

impl Listing {
    /// What was written since an earlier listing of the same directory, in the words of a report.
    pub(crate) fn since(&self, before: &Listing, top: BorrowedFd<'_>) -> Vec<Written> {
        let top = place(top);
        let is_new = |(real, entry): &(&PathBuf, &Entry)| before.0.get(*real) != Some(entry);
        let holds_more = |real: &Path| {
            let mut next = self.0.range(real.to_owned()..).skip(1).map(|(other, _)| other);
            next.next().is_some_and(|other| other.starts_with(real))
        };
        let new = self.0.iter().filter(is_new).filter_map(|(real, entry)| {
            let full = top.join(&entry.here);
            let about = fs::symlink_metadata(&full).ok()?;
            let is_reported = !about.is_dir() || !holds_more(real);
            is_reported.then(|| written_since(real, &full, &about))
        });
        let gone = before.0.keys().filter(|real| !self.0.contains_key(*real));
        let gone = gone.map(|real| written(real, Fate::Removed, Vec::new(), false));
        new.chain(gone).collect()
    }
}

/// The directory of a descriptor, by a path that only we have.
fn place(top: BorrowedFd<'_>) -> PathBuf {
    PathBuf::from(format!("/proc/self/fd/{}", top.as_raw_fd()))
}

fn mark(about: &Metadata) -> (u64, u64, i64, i64) {
    (about.ino(), about.size(), about.ctime(), about.ctime_nsec())
}

fn written_since(real: &Path, full: &Path, about: &Metadata) -> Written {
    // A layer notes what is gone as a device that there is not.
    if about.file_type().is_char_device() && about.rdev() == 0 {
        return written(real, Fate::Removed, Vec::new(), false);
    }
    let fate = if fs::symlink_metadata(real).is_ok() { Fate::Changed } else { Fate::Made };
    let mut head = Vec::new();
    if about.is_file()
        && let Ok(file) = File::open(full)
    {
        let _ = file.take(HEAD).read_to_end(&mut head);
    }
    written(real, fate, head, about.is_dir())
}

fn written(real: &Path, fate: Fate, head: Vec<u8>, is_directory: bool) -> Written {
    let is_temporary = TEMPORARY.iter().any(|it| real.starts_with(it));
    let place = if is_temporary { Place::Temporary } else { Place::Host };
    let end = if is_directory { "/" } else { "" };
    Written { place, path: format!("{}{end}", real.to_string_lossy()), fate, head }
}
