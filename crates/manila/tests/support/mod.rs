//! What the tests share: recorded runs, and golden files that `MANILA_BLESS=1` writes anew.
#![allow(dead_code, reason = "not every test uses everything")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test may stop at the first surprise")]
#![allow(clippy::disallowed_methods, reason = "tests read recorded runs")]

use manila::Transcript;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

/// The recorded runs below a folder, by name.
pub(crate) fn recorded_runs(folder: &Path) -> Vec<(String, Transcript)> {
    let mut runs: Vec<_> = fs::read_dir(folder)
        .unwrap_or_else(|error| panic!("{}: {error}", folder.display()))
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

/// The recorded runs of real programs, if they lie beside the project; says so if they do not.
pub(crate) fn corpus() -> Option<PathBuf> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/corpus");
    let folder = std::env::var_os("MANILA_CORPUS").map_or(beside, PathBuf::from);
    if folder.is_dir() {
        return Some(folder);
    }
    // Not a macro: what those print is only shown when a test fails.
    let place = folder.display();
    let _ = writeln!(std::io::stderr(), "SKIPPED: no recorded runs at {place} (set MANILA_CORPUS)");
    None
}

/// Compares with the golden file, or writes it when `MANILA_BLESS` is set.
pub(crate) fn assert_golden(path: &Path, actual: &str) {
    if std::env::var_os("MANILA_BLESS").is_some() {
        fs::write(path, actual).unwrap();
        return;
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    assert!(
        expected == actual,
        "{} differs (MANILA_BLESS=1 writes it anew)\n--- expected\n{expected}\n--- actual\n{actual}",
        path.display()
    );
}
