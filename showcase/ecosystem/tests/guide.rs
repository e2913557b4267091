//! The migration guide: its programs are the files of this package, and its transcripts are executed.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The programs, by the names that the guide gives them.
const PROGRAMS: &[(&str, &str)] = &[
    ("derive-before", env!("CARGO_BIN_EXE_derive-before")),
    ("derive-after", env!("CARGO_BIN_EXE_derive-after")),
    ("builder-before", env!("CARGO_BIN_EXE_builder-before")),
    ("builder-after", env!("CARGO_BIN_EXE_builder-after")),
    ("async-before", env!("CARGO_BIN_EXE_async-before")),
    ("async-after", env!("CARGO_BIN_EXE_async-after")),
    ("stream-before", env!("CARGO_BIN_EXE_stream-before")),
    ("stream-after", env!("CARGO_BIN_EXE_stream-after")),
];

fn here() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

fn guide() -> String {
    fs::read_to_string(here().join("../../docs/migrate.md")).unwrap()
}

/// The blocks of a language: the line before each, and its text.
fn blocks<'g>(guide: &'g str, language: &str) -> Vec<(&'g str, &'g str)> {
    let fence = format!("\n```{language}\n");
    let starts = guide.match_indices(&fence).map(|(at, _)| at);
    starts
        .map(|at| {
            let before = guide[..at].lines().next_back().unwrap_or_default();
            let rest = &guide[at + fence.len()..];
            (before, &rest[..=rest.find("\n```").unwrap()])
        })
        .collect()
}

#[test]
fn the_programs_of_the_guide_are_those_that_are_compiled() {
    let guide = guide();
    let blocks = blocks(&guide, "rust");
    assert_eq!(blocks.len(), PROGRAMS.len());
    for (before, code) in blocks {
        let file = before.trim_start_matches('`').split('`').next().unwrap();
        let text = fs::read_to_string(here().join("src/bin").join(file)).unwrap();
        // The first lines say what the file is, which the guide says itself.
        let (_, text) = text.split_once("\n\n").unwrap();
        assert_eq!(text, code, "{file}");
    }
}

fn run(program: &str, words: &[String], directory: &Path) -> Output {
    let (_, file) = PROGRAMS.iter().find(|(name, _)| *name == program).unwrap();
    Command::new(file).args(words).current_dir(directory).env_clear().output().unwrap()
}

/// What a shell would show, without what differs from call to call.
fn shown(output: &Output) -> String {
    let mut text = String::from_utf8([&*output.stdout, &*output.stderr].concat()).unwrap();
    if let Some(at) = text.find(",\"meta\":{") {
        let end = text.trim_end().len();
        text.replace_range(at..end, ",\"meta\":{…}}");
    }
    text
}

fn directory(name: &str) -> PathBuf {
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&directory).unwrap();
    fs::write(directory.join("note.txt"), "buy milk and bread\n").unwrap();
    directory
}

#[test]
fn the_transcripts_of_the_guide_are_true() {
    let directory = directory("transcripts");
    let guide = guide();
    let mut actual = guide.clone();
    for (_, transcript) in blocks(&guide, "console") {
        let mut now = String::new();
        for line in transcript.lines().filter_map(|line| line.strip_prefix("$ ")) {
            let (line_of_program, _) = line.split_once("; echo $?").unwrap_or((line, ""));
            let words: Vec<String> =
                line_of_program.split(' ').map(|word| word.trim_matches('\'').to_owned()).collect();
            let output = run(&words[0], &words[1..], &directory);
            now.extend(["$ ", line, "\n", &shown(&output)]);
            if line.ends_with("; echo $?") {
                now.extend([&*output.status.code().unwrap().to_string(), "\n"]);
            }
        }
        actual = actual.replace(transcript, &now);
    }
    if std::env::var_os("MANILA_BLESS").is_some() {
        return fs::write(here().join("../../docs/migrate.md"), actual).unwrap();
    }
    assert_eq!(actual, guide, "MANILA_BLESS=1 writes the transcripts anew");
}

#[test]
fn for_people_nothing_changes() {
    let directory = directory("people");
    for (program, line) in [
        ("derive", "note.txt"),
        ("derive", "absent.txt"),
        ("builder", "1 2 3"),
        ("builder", ""),
        ("builder", "1 x"),
        ("async", "example.org example.invalid"),
        ("stream", "3"),
        ("stream", "11"),
        ("stream", "3 --up-to 12"),
    ] {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let before = run(&format!("{program}-before"), &words, &directory);
        let after = run(&format!("{program}-after"), &words, &directory);
        assert_eq!(before, after, "{program} {line}");
    }
}
