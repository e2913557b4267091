//! The git repository around the sample inputs: one commit with all of them, and an index that agrees with the files,
//! so that a program that looks at a repository has one and need not write its index.

use std::fs::{self, Metadata};
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

const COMMIT: &str = "c5565ca8218c201f2db281b671aed648b44419eb";
const TREE: &str = "727e5eb2e0c339a2d340ae01572f4e25bceeaef4";
const SUBTREE: &str = "cc2ee81bf7d0a4bce166ed405d146622b745ee3f";
const JSON: &str = "11f53e5f18a574dc574e7ca920f8b01dca254fdc";
const TEXT: &str = "cd3bbaac724af21c45cba13c2df85eb97de6484d";
const NOTES: &str = "4a58007052a65fbc2fc3f910f2855f45a4058e74";
/// The files of the index in its order, with their objects.
const TRACKED: &[(&str, &str)] =
    &[("sample.json", JSON), ("sample.txt", TEXT), ("sample/notes.txt", NOTES)];
const AUTHOR: &str = "Ann <ann@example.com> 1767225600 +0000";
/// Only size and time of a file say whether it changed: its inode may look different in the confined view.
const CONFIG: &str = "\
[core]\n\trepositoryformatversion = 0\n\tfilemode = true\n\tbare = false\n\tlogallrefupdates = true\n\tcheckstat = minimal\n";

/// Makes the repository in a directory that has these files.
pub(crate) fn write(directory: &Path, files: &[(&str, &str)]) -> io::Result<()> {
    let git = directory.join(".git");
    for name in ["objects", "refs/heads"] {
        fs::create_dir_all(git.join(name))?;
    }
    fs::write(git.join("HEAD"), "ref: refs/heads/main\n")?;
    fs::write(git.join("config"), CONFIG)?;
    fs::write(git.join("refs/heads/main"), format!("{COMMIT}\n"))?;
    for (name, id) in TRACKED {
        let content = files.iter().find(|(known, _)| known == name).map_or("", |(_, it)| it);
        object(&git, id, "blob", content.as_bytes())?;
    }
    object(&git, SUBTREE, "tree", &entry("100644 notes.txt", NOTES))?;
    let tree =
        [("100644 sample.json", JSON), ("100644 sample.txt", TEXT), ("40000 sample", SUBTREE)];
    object(&git, TREE, "tree", &tree.map(|(name, id)| entry(name, id)).concat())?;
    let commit = format!("tree {TREE}\nauthor {AUTHOR}\ncommitter {AUTHOR}\n\nAdd the samples\n");
    object(&git, COMMIT, "commit", commit.as_bytes())?;
    fs::write(git.join("index"), index(directory)?)
}

/// An entry of a tree.
fn entry(name: &str, id: &str) -> Vec<u8> {
    [name.as_bytes(), &[0], &bytes(id)].concat()
}

/// The bytes that hexadecimal digits stand for.
fn bytes(digits: &str) -> Vec<u8> {
    let byte = |at: usize| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    (0..digits.len()).step_by(2).filter_map(byte).collect()
}

/// Writes an object as git keeps it, except that it is not compressed.
fn object(git: &Path, id: &str, kind: &str, content: &[u8]) -> io::Result<()> {
    let (directory, name) = id.split_at(2);
    let directory = git.join("objects").join(directory);
    fs::create_dir_all(&directory)?;
    let whole = [format!("{kind} {}\0", content.len()).as_bytes(), content].concat();
    // Each is far shorter than what a stored block of zlib can hold.
    let length = u16::try_from(whole.len()).map_err(io::Error::other)?;
    let mut stored = vec![0x78, 0x01, 0x01];
    stored.extend(length.to_le_bytes());
    stored.extend((!length).to_le_bytes());
    stored.extend(&whole);
    stored.extend(adler32(&whole).to_be_bytes());
    fs::write(directory.join(name), stored)
}

fn adler32(bytes: &[u8]) -> u32 {
    const MODULUS: u32 = 65521;
    let sums = bytes.iter().fold((1, 0), |(low, high), byte| {
        let low = (low + u32::from(*byte)) % MODULUS;
        (low, (high + low) % MODULUS)
    });
    (sums.1 << 16) | sums.0
}

/// The index, version 2. Its checksum is left out, as `index.skipHash` does.
fn index(directory: &Path) -> io::Result<Vec<u8>> {
    let mut index = b"DIRC\0\0\0\x02".to_vec();
    index.extend(u32::try_from(TRACKED.len()).map_err(io::Error::other)?.to_be_bytes());
    for (name, id) in TRACKED {
        let begin = index.len();
        for number in stat(&fs::symlink_metadata(directory.join(name))?) {
            index.extend(number.to_be_bytes());
        }
        index.extend(bytes(id));
        index.extend(u16::try_from(name.len()).map_err(io::Error::other)?.to_be_bytes());
        index.extend(name.as_bytes());
        // At least one zero, to a multiple of eight.
        let length = index.len() - begin;
        index.resize(begin + length / 8 * 8 + 8, 0);
    }
    index.extend([0; 20]);
    Ok(index)
}

/// What the index keeps of a file: the lower half of each number.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "the format has 32 bits"
)]
fn stat(of: &Metadata) -> [u32; 10] {
    const MODE: u32 = 0o100_644;
    [
        of.ctime() as u32,
        of.ctime_nsec() as u32,
        of.mtime() as u32,
        of.mtime_nsec() as u32,
        of.dev() as u32,
        of.ino() as u32,
        MODE,
        of.uid(),
        of.gid(),
        of.size() as u32,
    ]
}

#[cfg(test)]
mod tests {
    use crate::observe::sample_input;
    use std::path::Path;
    use std::process::Command;

    fn git(directory: &Path, args: &[&str]) -> Option<(bool, String)> {
        let mut command = Command::new("git");
        command.args(args).current_dir(directory).env_clear();
        command.env("PATH", std::env::var_os("PATH")?).env("HOME", directory.join("home"));
        let done = command.output().ok()?;
        let said = [done.stdout, done.stderr].concat();
        Some((done.status.success(), String::from_utf8_lossy(&said).into_owned()))
    }

    #[test]
    fn git_finds_a_whole_repository_in_which_nothing_is_changed() {
        let directory = tempfile::tempdir().unwrap();
        sample_input::write(directory.path()).unwrap();
        let Some((is_whole, said)) = git(directory.path(), &["fsck", "--strict"]) else {
            use std::io::Write;
            let _ = std::io::stderr().write_all(b"SKIPPED: there is no git\n");
            return;
        };
        assert!(is_whole, "{said}");
        let index = directory.path().join(".git/index");
        let before = std::fs::read(&index).unwrap();
        for (args, expected) in [
            (&["status", "--porcelain"][..], ""),
            (&["log", "--format=%an %s"], "Ann Add the samples\n"),
            (&["grep", "-c", "alpha"], "sample.json:1\nsample.txt:1\nsample/notes.txt:1\n"),
            (&["diff", "HEAD"], ""),
        ] {
            assert_eq!(git(directory.path(), args), Some((true, expected.to_owned())), "{args:?}");
        }
        assert_eq!(std::fs::read(&index).unwrap(), before, "git had no reason to write it");
    }
}
