//! Where a program of the system looks for its libraries, as its own header says: a build of a project names
//! directories of that project.

use std::ffi::OsStr;
use std::fs::File;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// The largest table that is read, and the longest text.
const MOST: u64 = 1 << 16;
const LONGEST: usize = 1 << 12;
/// Kinds of segments: what is loaded, and what the loader must know.
const LOAD: u32 = 1;
const DYNAMIC: u32 = 2;
/// Kinds of entries for the loader: the place of its texts, and two lists of directories.
const TEXTS: u64 = 5;
const LISTS: [u64; 2] = [15, 29];

/// A segment: its kind, where it is in the file, where in memory, and how long it is.
struct Segment {
    kind: u32,
    offset: u64,
    address: u64,
    size: u64,
}

/// The directories that a program names, without those of the system. Nothing for a file that is
/// not a little-endian 64-bit program.
pub(super) fn library_directories(program: &Path) -> Vec<PathBuf> {
    let is_file = program.is_file();
    let file = is_file.then(|| File::open(program).ok()).flatten();
    file.and_then(|file| listed(&file, program)).unwrap_or_default()
}

fn listed(file: &File, program: &Path) -> Option<Vec<PathBuf>> {
    let segments = segments(file)?;
    let dynamic = segments.iter().find(|it| it.kind == DYNAMIC)?;
    let table = read(file, dynamic.offset, usize::try_from(dynamic.size.min(MOST)).ok()?)?;
    let entries: Vec<(u64, u64)> = table
        .chunks_exact(16)
        .filter_map(|it| Some((number(it, 0)?, number(it, 8)?)))
        .take_while(|(kind, _)| *kind != 0)
        .collect();
    let texts = entries.iter().find(|(kind, _)| *kind == TEXTS)?.1;
    let loaded = segments.iter().filter(|it| it.kind == LOAD);
    let mut places = loaded.filter_map(|it| {
        let within = texts.checked_sub(it.address).filter(|within| *within < it.size)?;
        it.offset.checked_add(within)
    });
    let place = places.next_back()?;
    let origin = program.parent()?;
    let lists = entries.iter().filter(|(kind, _)| LISTS.contains(kind));
    let texts = lists.filter_map(|(_, at)| text(file, place.checked_add(*at)?));
    Some(texts.flat_map(|list| directories(&list, origin)).collect())
}

/// The directories of a list, where `$ORIGIN` is that of the program.
fn directories(list: &[u8], origin: &Path) -> Vec<PathBuf> {
    let named = list.split(|byte| *byte == b':').filter(|part| !part.is_empty());
    let directory = |part: &[u8]| {
        for start in [&b"$ORIGIN"[..], b"${ORIGIN}"] {
            if let Some(rest) = part.strip_prefix(start) {
                let rest = rest.strip_prefix(b"/").unwrap_or(rest);
                return origin.join(OsStr::from_bytes(rest));
            }
        }
        PathBuf::from(OsStr::from_bytes(part))
    };
    named.map(directory).filter(|it| it.is_absolute()).collect()
}

fn segments(file: &File) -> Option<Vec<Segment>> {
    let header = read(file, 0, 64)?;
    // Sixty-four bits, and the smallest byte first.
    if !header.starts_with(b"\x7fELF\x02\x01") {
        return None;
    }
    let [size, count] = [54, 56].map(|at| {
        let bytes: [u8; 2] = header.get(at..at + 2)?.try_into().ok()?;
        Some(usize::from(u16::from_le_bytes(bytes)))
    });
    let (size, count) = (size.filter(|size| *size >= 56)?, count?);
    let table = read(file, number(&header, 32)?, size.checked_mul(count)?)?;
    let segment = |it: &[u8]| {
        Some(Segment {
            kind: u32::from_le_bytes(it.get(..4)?.try_into().ok()?),
            offset: number(it, 8)?,
            address: number(it, 16)?,
            size: number(it, 32)?,
        })
    };
    table.chunks_exact(size).map(segment).collect()
}

fn read(file: &File, at: u64, length: usize) -> Option<Vec<u8>> {
    let mut bytes = vec![0; length.min(usize::try_from(MOST).unwrap_or(usize::MAX))];
    let read = file.read_at(&mut bytes, at).ok()?;
    bytes.truncate(read);
    Some(bytes)
}

fn text(file: &File, at: u64) -> Option<Vec<u8>> {
    let bytes = read(file, at, LONGEST)?;
    let end = bytes.iter().position(|byte| *byte == 0)?;
    Some(bytes[..end].to_vec())
}

fn number(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at.checked_add(8)?)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program with one segment that is loaded, and these lists of directories.
    fn program(lists: &str) -> Vec<u8> {
        let mut bytes = b"\x7fELF\x02\x01\x01".to_vec();
        bytes.resize(64, 0);
        bytes[32] = 64;
        (bytes[54], bytes[56]) = (56, 2);
        for (kind, offset, size) in [(LOAD, 0_u64, 4096_u64), (DYNAMIC, 512, 48)] {
            bytes.extend(kind.to_le_bytes());
            bytes.extend([0; 4]);
            for number in [offset, 0x1000 + offset, 0, size, size, 8] {
                bytes.extend(number.to_le_bytes());
            }
        }
        bytes.resize(512, 0);
        for (kind, value) in [(LISTS[1], 1_u64), (TEXTS, 0x1000 + 1024), (0, 0)] {
            bytes.extend(kind.to_le_bytes());
            bytes.extend(value.to_le_bytes());
        }
        bytes.resize(1024, 0);
        bytes.push(0);
        bytes.extend(lists.as_bytes());
        bytes.push(0);
        bytes
    }

    fn listed_in(bytes: &[u8]) -> Vec<String> {
        let directory = tempfile::tempdir().expect("a directory");
        let file = directory.path().join("tool");
        std::fs::write(&file, bytes).expect("a file");
        let top = directory.path().display().to_string();
        let found = library_directories(&file).into_iter();
        found.map(|it| it.display().to_string().replace(&top, "HERE")).collect()
    }

    #[test]
    fn directories_are_found_with_that_of_the_program_in_them() {
        let bytes = program("/home/ada/build/lib:$ORIGIN/../lib:${ORIGIN}:lib");
        assert_eq!(listed_in(&bytes), ["/home/ada/build/lib", "HERE/../lib", "HERE/"]);
    }

    #[test]
    fn what_is_no_program_or_is_cut_names_none() {
        let bytes = program("/home/ada/lib");
        for length in [0, 3, 63, 64, 100, 200, 520, 540, 1024, 1030] {
            assert_eq!(listed_in(&bytes[..length]), [""; 0], "{length}");
        }
        assert_eq!(listed_in(b"#!/bin/sh\n"), [""; 0]);
    }
}
