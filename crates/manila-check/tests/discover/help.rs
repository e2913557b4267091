//! Recorded help of many programs and frameworks, and what is made of each.

use crate::program::{Scripted, page};
use manila_check::Declaration;
use std::fs;
use std::path::Path;

#[test]
fn every_recorded_help_has_its_surface() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/help");
    let mut seen = 0;
    for entry in fs::read_dir(&directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|it| it != "txt") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a text");
        let found = page(&Scripted::recorded(&text).discover(&Declaration::default()));
        showcase_test_support::assert_golden(&path.with_extension("surface"), &found);
        seen += 1;
    }
    assert!(seen >= 12, "only {seen} texts in {}", directory.display());
}
