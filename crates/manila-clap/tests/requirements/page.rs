//! `REQUIREMENTS.md` itself: a person writes `met` and `how` of each row; the words of the specification,
//! the tests and the counts are generated. A test names what it proves in a comment above its
//! attributes, `// proves: F-001, C-002`.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use showcase_test_support::assert_golden;

/// The requirements that no library can meet: they are about documents, installation and proxies.
const ELSEWHERE: &[&str] = &["F-036", "F-049", "O-019", "O-043", "O-044", "O-045", "O-046"];
const MARKER: &str = "// proves: ";

struct Row<'p> {
    id: &'p str,
    priority: &'p str,
    met: &'p str,
    how: &'p str,
}

impl<'p> Row<'p> {
    fn read(line: &'p str) -> Option<Self> {
        let cells: Vec<&str> = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ").collect();
        let [id, priority, _, met, how, _] = cells[..] else { return None };
        let is_id = id.len() == 5 && id[2..].bytes().all(|byte| byte.is_ascii_digit());
        is_id.then_some(Self { id, priority, met, how })
    }
}

/// The tests that prove a requirement, by its id.
type Proofs = BTreeMap<String, Vec<String>>;

fn directory() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The page as it was before one of these tests may have written it anew.
static PAGE: LazyLock<String> =
    LazyLock::new(|| fs::read_to_string(directory().join("REQUIREMENTS.md")).expect("the page"));

/// The requirements of the specification, id and words, from their one home.
fn specification() -> Vec<(String, String)> {
    let path = directory().join("../manila-check/src/spec/requirements.tsv");
    let text = fs::read_to_string(path).expect("the requirements");
    let pairs = text.lines().map(|line| line.split_once('\t').expect("id and words"));
    pairs.map(|(id, words)| (id.to_owned(), words.to_owned())).collect()
}

fn sources(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(directory).expect("a directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|it| it == "rs") {
            found.push(path);
        }
    }
}

fn proofs() -> Proofs {
    let mut files = Vec::new();
    sources(&directory().join("src"), &mut files);
    sources(&directory().join("tests"), &mut files);
    files.sort();
    let mut proofs = Proofs::new();
    for path in files {
        let text = fs::read_to_string(&path).expect("a source file");
        let name = path.strip_prefix(directory()).expect("a path of the crate").display();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for (number, line) in lines.iter().enumerate() {
            let Some(ids) = line.strip_prefix(MARKER) else { continue };
            let test = test_below(&lines[number + 1..]);
            assert!(test.is_some(), "{name}:{}: no test below", number + 1);
            let test = test.unwrap_or_default();
            for id in ids.split(", ") {
                proofs.entry(id.to_owned()).or_default().push(format!("`{name}::{test}`"));
            }
        }
    }
    proofs
}

/// The name of the test that begins with these lines.
fn test_below<'l>(lines: &[&'l str]) -> Option<&'l str> {
    let attributes = lines.iter().take_while(|line| line.starts_with("#[")).count();
    let is_test = lines[..attributes].contains(&"#[test]");
    let name = lines.get(attributes)?.strip_prefix("fn ")?.split_once('(')?.0;
    is_test.then_some(name)
}

/// Words with what is no plain word marked as code, for a cell of a table.
fn cell(words: &str) -> String {
    let marked = words.split(' ').map(|word| {
        let core = word.trim_matches(|it: char| ",;:.()".contains(it));
        let is_code = core.starts_with("--")
            || core.contains(['_', '*', '|', '[', '{'])
            || core.contains('=') && core.len() > 1;
        let code = format!("`{}`", core.replace('|', "\\|"));
        if is_code { word.replacen(core, &code, 1) } else { word.to_owned() }
    });
    marked.collect::<Vec<_>>().join(" ")
}

/// The page, with what is generated written anew.
fn generated(page: &str, proofs: &Proofs) -> String {
    let words: BTreeMap<_, _> = specification().into_iter().collect();
    let mut text = String::new();
    for section in page.split_inclusive("\n## ") {
        let rows: Vec<_> = section.lines().filter_map(Row::read).collect();
        let count = |met: &str| rows.iter().filter(|row| row.met == met).count();
        for line in section.split_inclusive('\n') {
            if let Some(row) = Row::read(line.trim_end()) {
                let essence = words.get(row.id).map(|it| cell(it)).unwrap_or_default();
                let tests = proofs.get(row.id).map_or("–".to_owned(), |tests| tests.join(", "));
                let Row { id, priority, met, how } = row;
                text += &format!("| {id} | {priority} | {essence} | {met} | {how} | {tests} |\n");
            } else if line.contains(" yes, ") && line.ends_with(" no.\n") {
                let counts =
                    ["yes", "partly", "author", "no"].map(|it| format!("{} {it}", count(it)));
                text += &format!("{}.\n", counts.join(", "));
            } else {
                text += line;
            }
        }
    }
    text
}

#[test]
fn every_requirement_has_one_row_below_its_priority() {
    let specification = specification();
    let (first, rest) = PAGE.split_once("\n## Priority P2 and P3").expect("two tables");
    let (first, rest) = (first.lines().filter_map(Row::read), rest.lines().filter_map(Row::read));
    let rows: Vec<(Row<'_>, &[&str])> = first
        .map(|row| (row, ["P0", "P1"].as_slice()))
        .chain(rest.map(|row| (row, ["P2", "P3"].as_slice())))
        .collect();
    for (row, priorities) in &rows {
        assert!(priorities.contains(&row.priority), "{} in the table of others", row.id);
    }
    for (id, _) in &specification {
        let expected = usize::from(!ELSEWHERE.contains(&id.as_str()));
        assert_eq!(rows.iter().filter(|(row, _)| row.id == id).count(), expected, "{id}");
    }
    let numbers =
        format!("has {} requirements. These are the {} ", specification.len(), rows.len());
    assert!(PAGE.contains(&numbers), "the first paragraph has not {numbers:?}");
}

#[test]
fn whatever_is_met_is_proved_and_what_is_not_met_is_not() {
    let mut proofs = proofs();
    for row in PAGE.lines().filter_map(Row::read) {
        let is_met = matches!(row.met, "yes" | "partly");
        assert!(is_met || matches!(row.met, "author" | "no"), "{}: {}", row.id, row.met);
        let tests = proofs.remove(row.id).unwrap_or_default();
        assert!(!is_met || !tests.is_empty(), "{} is proved by no test", row.id);
        assert!(row.met != "no" || tests.is_empty(), "{} is not met; tests: {tests:?}", row.id);
    }
    assert!(proofs.is_empty(), "no requirement of the page: {proofs:?}");
}

#[test]
fn the_page_has_the_words_tests_and_counts_of_their_sources() {
    assert_golden(&directory().join("REQUIREMENTS.md"), &generated(&PAGE, &proofs()));
}

#[test]
fn a_marker_counts_only_directly_above_a_test() {
    assert_eq!(test_below(&["#[cfg(unix)]", "#[test]", "fn it_works() {"]), Some("it_works"));
    assert_eq!(test_below(&["#[cfg(unix)]", "fn helper() {"]), None);
    assert_eq!(test_below(&["", "#[test]", "fn it_works() {"]), None);
}
