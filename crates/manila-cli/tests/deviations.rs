//! Owns: the page of deviations is linked where the documents are named, and each entry is complete.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

use manila::ROWS;
use std::fs;
use std::path::Path;

fn read(name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(name);
    fs::read_to_string(path).expect("a document")
}

#[test]
fn the_design_names_the_page_and_claims_no_more() {
    for name in ["DESIGN.md", "README.md"] {
        let text = read(name);
        assert!(text.contains("](docs/deviations.md)"), "{name}");
        let claims = text.split("\n\n").filter(|part| part.contains("to the letter"));
        assert_eq!(claims.filter(|part| !part.contains("docs/deviations.md")).count(), 0, "{name}");
    }
}

#[test]
fn every_entry_quotes_says_what_is_done_and_why() {
    let page = read("docs/deviations.md");
    let entries: Vec<Vec<String>> = page
        .lines()
        .filter(|line| line.starts_with("| ") && !line.starts_with("| #"))
        .map(|line| {
            let line = line.replace("\\|", "\u{1}");
            line.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()
        })
        .collect();
    assert!(entries.len() >= 20, "{}", entries.len());
    for (number, entry) in (1..).zip(&entries) {
        let [at, sentence, does, why] = &entry[..] else { panic!("{entry:?}") };
        assert_eq!(at, &number.to_string());
        assert!([sentence, does, why].iter().all(|cell| cell.len() > 5), "{entry:?}");
        for word in does.split("(row ").skip(1) {
            let row = word.split(')').next().and_then(|number| number.parse().ok());
            let row: u8 = row.expect("the number of a row");
            assert!(ROWS.iter().any(|known| known.number == row), "row {row}");
        }
    }
    for seed in ["000", "001", "002", "003", "004"] {
        assert!(page.contains(&format!("\n## {seed}, ")), "{seed}");
    }
}
