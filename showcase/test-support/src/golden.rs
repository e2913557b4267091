//! Golden files, which `MANILA_BLESS=1` writes anew.

use std::fs;
use std::path::Path;

/// Compares with the golden file, or writes it when `MANILA_BLESS` is set.
#[track_caller]
pub fn assert_golden(path: &Path, actual: &str) {
    if std::env::var_os("MANILA_BLESS").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
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
