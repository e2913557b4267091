//! `REQUIREMENTS.md` itself: it has every requirement, and every test that it names is there.

use std::path::Path;

/// The requirements that a library can meet, those of priority P0 and P1 first.
const FIRST: &str = "\
    F-001 F-002 F-003 F-004 F-005 F-006 F-007 F-008 F-009 F-010 F-011 F-012 F-013 F-014 F-015 F-018 \
    F-019 F-044 F-045 F-046 F-047 F-048 F-051 F-052 F-053 F-054 F-055 F-056 F-057 F-062 F-065 F-068 \
    F-069 C-001 C-002 C-003 C-004 C-005 C-006 C-012 C-013 C-021 C-022 C-025 C-029 O-001 O-003 O-021 \
    O-033 O-047 O-048 \
    F-016 F-017 F-021 F-022 F-023 F-028 F-029 F-034 F-035 F-037 F-039 F-050 F-058 F-059 F-060 F-061 \
    F-063 F-064 F-066 F-067 F-070 F-071 F-072 F-073 F-074 F-075 F-076 C-007 C-008 C-009 C-014 C-015 \
    C-016 C-017 C-019 C-020 C-023 C-024 C-026 C-027 C-028 C-030 O-008 O-009 O-013 O-015 O-016 O-020 \
    O-022 O-024 O-026 O-031 O-032 O-036 O-038 O-039 O-040 O-041";
const REST: &str = "\
    F-020 F-024 F-025 F-026 F-027 F-030 F-031 F-032 F-033 F-038 F-040 F-041 F-042 F-043 F-077 F-078 \
    C-010 C-011 C-018 O-002 O-004 O-005 O-006 O-007 O-010 O-011 O-012 O-014 O-017 O-018 O-023 O-025 \
    O-027 O-028 O-029 O-030 O-034 O-035 O-037 O-042 O-049 O-050";

struct Row {
    id: String,
    met: String,
    tests: Vec<(String, String)>,
}

fn directory() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn rows() -> Vec<Row> {
    let page = std::fs::read_to_string(directory().join("REQUIREMENTS.md")).expect("the page");
    let rows = page.lines().filter_map(|line| {
        let cells: Vec<&str> = line.strip_prefix('|')?.split('|').map(str::trim).collect();
        let [id, _, _, met, _, tests, ..] = cells.as_slice() else { return None };
        let is_id = id.len() == 5 && id[2..].bytes().all(|byte| byte.is_ascii_digit());
        is_id.then(|| Row {
            id: (*id).to_owned(),
            met: (*met).to_owned(),
            tests: tests
                .split('`')
                .filter_map(|name| name.split_once("::"))
                .map(|(file, test)| (file.to_owned(), test.to_owned()))
                .collect(),
        })
    });
    rows.collect()
}

#[test]
fn every_requirement_has_one_row() {
    let rows = rows();
    for id in FIRST.split_whitespace().chain(REST.split_whitespace()) {
        assert_eq!(rows.iter().filter(|row| row.id == id).count(), 1, "{id}");
    }
    assert_eq!(rows.len(), 151);
}

#[test]
fn whatever_is_met_names_its_test() {
    for row in rows() {
        let is_met = matches!(row.met.as_str(), "yes" | "partly");
        assert!(is_met || matches!(row.met.as_str(), "author" | "no"), "{}: {}", row.id, row.met);
        assert!(!is_met || !row.tests.is_empty(), "{} names no test", row.id);
    }
}

#[test]
fn every_test_that_is_named_exists() {
    for row in rows() {
        for (file, test) in &row.tests {
            let text = std::fs::read_to_string(directory().join(file));
            let text = text.unwrap_or_else(|error| panic!("{}: {file}: {error}", row.id));
            let is_there = text.split("#[test]").skip(1).any(|after| {
                let first = after.lines().find(|line| line.trim_start().starts_with("fn "));
                first.is_some_and(|line| line.trim_start() == format!("fn {test}() {{"))
            });
            assert!(is_there, "{}: there is no {test} in {file}", row.id);
        }
    }
}
