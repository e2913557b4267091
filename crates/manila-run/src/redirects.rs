//! The store of permanent redirects: which commands have moved where, in a journal that
//! many processes may use at once.

use crate::journal;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::{Path, PathBuf};

/// A store larger than this was not written by us.
const LARGEST: u64 = 4 << 20;
/// How large moves may make it: what is remembered can always be forgotten too.
const FULL: u64 = LARGEST / 2;
/// A program that moves more commands than this is making them up.
const MOST: usize = 1000;

/// Chains of moves longer than this are taken for endless.
const HOPS: usize = 16;

/// The store in one file. Forgetting adds a line too, so that a file is never written anew.
///
/// ```
/// use manila_run::RedirectStore;
///
/// let directory = tempfile::tempdir()?;
/// let store = RedirectStore::at(directory.path().join("redirects"));
/// let argv = |line: &str| line.split(' ').map(str::to_owned).collect::<Vec<_>>();
/// store.remember(&argv("tool ls 7"), &argv("tool list 7"))?;
/// assert_eq!(store.list()?[0].to, argv("tool list"));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct RedirectStore {
    path: PathBuf,
}

/// A command that has moved for good.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Move {
    /// The program and the first arguments of the call, as they were.
    pub from: Vec<String>,
    /// What is to be called instead.
    pub to: Vec<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    Moved(Move),
    Forgotten(Vec<String>),
}

impl RedirectStore {
    /// The store in this file, which need not exist.
    pub fn at(path: impl Into<PathBuf>) -> RedirectStore {
        RedirectStore { path: path.into() }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Everything that is remembered, the oldest first. Lines that cannot be parsed are skipped.
    pub fn list(&self) -> io::Result<Vec<Move>> {
        let mut moves: Vec<Move> = Vec::new();
        for line in journal::lines(&self.path, LARGEST)? {
            match serde_json::from_str(&line) {
                Ok(Line::Moved(moved)) => {
                    moves.retain(|known| known.from != moved.from);
                    moves.push(moved);
                }
                Ok(Line::Forgotten(from)) => moves.retain(|known| known.from != from),
                Err(_) => {}
            }
        }
        Ok(moves)
    }

    /// Remembers that a call has moved. The arguments that both calls end with are not part of it,
    /// so that the same command with other arguments has moved too.
    pub fn remember(&self, from: &[String], to: &[String]) -> io::Result<()> {
        let (from, to) = (&identified(from), &identified(to));
        let same = from.iter().rev().zip(to.iter().rev()).take_while(|(a, b)| a == b).count();
        // A program cannot be moved as a whole.
        let same = same.min(from.len().saturating_sub(2)).min(to.len().saturating_sub(1));
        let moved =
            Move { from: from[..from.len() - same].to_vec(), to: to[..to.len() - same].to_vec() };
        let known = self.list()?;
        if moved.from == moved.to || known.contains(&moved) {
            return Ok(());
        }
        if known.len() >= MOST {
            return Err(io::Error::other(format!("{MOST} moves are remembered already")));
        }
        self.add(&Line::Moved(moved), FULL)
    }

    /// Forgets all that begins with these arguments, and returns it.
    pub fn forget(&self, prefix: &[String]) -> io::Result<Vec<Move>> {
        let prefix = identified(prefix);
        let mut moves = self.list()?;
        moves.retain(|known| known.from.starts_with(&prefix));
        for Move { from, .. } in &moves {
            self.add(&Line::Forgotten(from.clone()), LARGEST)?;
        }
        Ok(moves)
    }

    /// Where a call leads now; nothing if it is where it was. Moves that lead in a circle lead
    /// nowhere.
    pub fn follow(&self, argv: &[String]) -> io::Result<Option<Vec<String>>> {
        let moves = self.list()?;
        let begin = identified(argv);
        let mut now = begin.clone();
        let mut left = HOPS;
        // The longest beginning is the most exact.
        let next = |argv: &[String]| {
            let fits = moves.iter().filter(|known| argv.starts_with(&known.from));
            fits.max_by_key(|known| known.from.len())
        };
        while let Some(Move { from, to }) = next(&now) {
            now = to.iter().chain(&now[from.len()..]).cloned().collect();
            left -= 1;
            if left == 0 {
                return Ok(None);
            }
        }
        if now == begin {
            return Ok(None);
        }
        if now.first() == begin.first() {
            // It is still the program that the caller named, in the caller's words.
            now.splice(..1, argv.first().cloned());
        }
        Ok(Some(now))
    }

    fn add(&self, line: &Line, most: u64) -> io::Result<()> {
        let line = serde_json::to_string(line).map_err(io::Error::from)?;
        journal::append_within(&self.path, &line, most)
    }
}

/// The call with the path of its program spelled out: `./tool` is another one in every directory.
fn identified(argv: &[String]) -> Vec<String> {
    let mut argv = argv.to_vec();
    if let Some(program) = argv.first_mut().filter(|program| program.contains('/'))
        && let Ok(path) = std::fs::canonicalize(&*program)
    {
        *program = path.to_string_lossy().into_owned();
    }
    argv
}

#[cfg(test)]
mod tests {
    use super::*;

    fn argv(line: &str) -> Vec<String> {
        line.split(' ').map(str::to_owned).collect()
    }

    fn store(moves: &[(&str, &str)]) -> (tempfile::TempDir, RedirectStore) {
        let dir = tempfile::tempdir().unwrap();
        let store = RedirectStore::at(dir.path().join("moves"));
        for (from, to) in moves {
            store.remember(&argv(from), &argv(to)).unwrap();
        }
        (dir, store)
    }

    fn followed(store: &RedirectStore, line: &str) -> Option<String> {
        store.follow(&argv(line)).unwrap().map(|argv| argv.join(" "))
    }

    #[test]
    fn a_command_has_moved_whatever_its_arguments() {
        let (_dir, store) = store(&[("t user add --name a", "t users add --name a")]);
        let known = store.list().unwrap();
        assert_eq!(known, [Move { from: argv("t user"), to: argv("t users") }]);
        assert_eq!(followed(&store, "t user add -n b").as_deref(), Some("t users add -n b"));
        assert_eq!(followed(&store, "t users add"), None);
        assert_eq!(followed(&store, "u user add"), None);
    }

    #[test]
    fn a_path_is_the_same_program_however_it_is_spelled() {
        let (dir, store) = store(&[]);
        let program = dir.path().join("t");
        std::fs::write(&program, "").unwrap();
        let plain = program.to_string_lossy();
        let odd = format!("{}/./t", dir.path().display());
        store.remember(&argv(&format!("{odd} a")), &argv(&format!("{odd} b"))).unwrap();
        assert_eq!(followed(&store, &format!("{plain} a")), Some(format!("{plain} b")));
        assert_eq!(followed(&store, &format!("{odd} a")), Some(format!("{odd} b")));
        assert_eq!(followed(&store, "t a"), None);
    }

    #[test]
    fn the_program_alone_never_moves() {
        let (_dir, store) = store(&[("a x", "b x")]);
        assert_eq!(store.list().unwrap(), [Move { from: argv("a x"), to: argv("b x") }]);
        assert_eq!(followed(&store, "a y"), None);
    }

    #[test]
    fn moves_are_followed_to_their_end_and_never_in_a_circle() {
        let (_dir, chain) = store(&[("t a", "t b"), ("t b", "t c")]);
        assert_eq!(followed(&chain, "t a 1").as_deref(), Some("t c 1"));
        let (_dir, circle) = store(&[("t a", "t b"), ("t b", "t a")]);
        assert_eq!(followed(&circle, "t a 1"), None);
        let (_dir, growing) = store(&[("t a", "t a a")]);
        assert_eq!(followed(&growing, "t a"), None);
    }

    #[test]
    fn what_is_forgotten_is_gone_until_it_is_learned_again() {
        let (_dir, store) = store(&[("t a", "t b"), ("u a", "u b")]);
        assert_eq!(store.forget(&argv("t")).unwrap().len(), 1);
        assert_eq!(followed(&store, "t a"), None);
        assert_eq!(followed(&store, "u a").as_deref(), Some("u b"));
        store.remember(&argv("t a"), &argv("t c")).unwrap();
        assert_eq!(followed(&store, "t a").as_deref(), Some("t c"));
        assert!(store.forget(&argv("nothing")).unwrap().is_empty());
    }

    #[test]
    fn unreadable_lines_are_skipped() {
        let (_dir, store) = store(&[("t a", "t b")]);
        journal::append(store.path(), "{\"moved\":").unwrap();
        journal::append(store.path(), "").unwrap();
        assert_eq!(store.list().unwrap().len(), 1);
    }

    #[test]
    fn moves_that_are_too_long_make_no_store_unreadable() {
        let (_dir, store) = store(&[("t a", "t b")]);
        let long =
            |word: &str| vec!["t".to_owned(), word.repeat(usize::try_from(FULL / 3).unwrap())];
        store.remember(&long("c"), &argv("t d")).unwrap();
        store.remember(&long("e"), &long("f")).unwrap_err();
        assert_eq!(store.forget(&argv("t")).unwrap().len(), 2);
        assert!(store.list().unwrap().is_empty());
    }

    #[test]
    fn there_is_an_end_to_what_is_remembered() {
        let (_dir, store) = store(&[]);
        for number in 0..MOST {
            let line = Move { from: argv(&format!("t {number}")), to: argv("t x") };
            store.add(&Line::Moved(line), FULL).unwrap();
        }
        assert!(store.remember(&argv("t one more"), &argv("t x")).is_err());
    }
}
