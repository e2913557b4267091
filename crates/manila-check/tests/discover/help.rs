//! Recorded help of many programs and frameworks, and what is made of each.

use crate::program::{Scripted, page};
use manila_check::Declaration;
use std::fs;
use std::path::Path;

#[test]
fn every_recorded_help_has_its_surface() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/help");
    let bless = std::env::var_os("MANILA_BLESS").is_some();
    let mut seen = 0;
    for entry in fs::read_dir(&folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|it| it != "txt") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a text");
        let found = page(&Scripted::recorded(&text).discover(&Declaration::default()));
        let golden = path.with_extension("surface");
        if bless {
            fs::write(&golden, &found).expect("a golden file");
        }
        let expected = fs::read_to_string(&golden).unwrap_or_default();
        assert_eq!(found, expected, "{} (MANILA_BLESS=1 accepts it)", path.display());
        seen += 1;
    }
    assert!(seen >= 12, "only {seen} texts in {}", folder.display());
}
