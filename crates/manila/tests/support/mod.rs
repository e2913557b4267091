//! What the tests share: recorded runs.
#![allow(dead_code, reason = "not every test uses everything")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at the first surprise")]
#![allow(clippy::disallowed_methods, reason = "tests read recorded runs")]

use manila::Transcript;
use std::fmt;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The recorded runs below a directory, by name.
pub(crate) fn recorded_runs(dir: &Path) -> Vec<(String, Transcript)> {
    let mut runs: Vec<_> = fs::read_dir(dir)
        .unwrap_or_else(|error| panic!("{}: {error}", dir.display()))
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.join("run.json").is_file())
        .map(|path| {
            let read = |name: &str| fs::read(path.join(name)).unwrap_or_default();
            let run = Transcript::from_recorded(&read("run.json"), read("stdout"), read("stderr"));
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, run.unwrap())
        })
        .collect();
    runs.sort_by(|a, b| a.0.cmp(&b.0));
    runs
}

/// A recorded run, and of which program it is.
pub(crate) struct Recorded {
    pub(crate) program: String,
    pub(crate) name: String,
    pub(crate) transcript: Transcript,
    /// Whether it is one of the repository.
    pub(crate) is_ours: bool,
}

impl fmt::Display for Recorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.program, self.name)
    }
}

/// Our own recorded runs, and those of real programs if they are at hand; says so if they are not.
pub(crate) fn corpus() -> Vec<Recorded> {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut runs = below(&manifest.join("tests/recorded"), true);
    assert!(runs.len() >= 50, "only {} recorded runs of our own", runs.len());
    let beside = manifest.join("../../../shared/corpus");
    let dir = std::env::var_os("MANILA_CORPUS").map_or(beside, PathBuf::from);
    if dir.is_dir() {
        runs.extend(below(&dir, false));
    } else {
        // Not a macro: what those print is only shown when a test fails.
        let place = dir.display();
        let _ =
            writeln!(std::io::stderr(), "SKIPPED: no recorded runs at {place} (set MANILA_CORPUS)");
    }
    runs
}

/// The recorded runs of the programs of the seeds below a directory, and of ours.
fn below(dir: &Path, is_ours: bool) -> Vec<Recorded> {
    let programs = ["animus", "broken", "claw", "i18nprune", "notes", "td"];
    let dirs = programs.iter().map(|program| dir.join(program)).zip(programs);
    dirs.filter(|(dir, _)| dir.is_dir())
        .flat_map(|(dir, program)| {
            recorded_runs(&dir).into_iter().map(move |(name, transcript)| Recorded {
                program: program.to_owned(),
                name,
                transcript,
                is_ours,
            })
        })
        .collect()
}
