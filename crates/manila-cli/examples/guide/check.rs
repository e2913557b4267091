//! Checks that whatever the documents and the book point at is there.

use crate::book::Guide;
use crate::links;
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

/// Directories whose documents are checked, and how deep.
const PLACES: &[(&str, usize)] = &[
    ("", 0),
    ("docs", 0),
    ("guide/src", 2),
    ("showcase", 0),
    ("crates", 1),
    ("fuzz", 0),
    (".github", 2),
];

pub(crate) fn check(root: &Path) -> io::Result<ExitCode> {
    let guide = Guide::read(root)?;
    let mut problems = Vec::new();
    let mut files = Vec::new();
    for (place, depth) in PLACES {
        documents(root, place, *depth, &mut files)?;
    }
    let mut count = 0;
    for file in &files {
        count += in_repository(root, file, &mut problems)?;
    }
    for file in files.iter().filter_map(|file| file.strip_prefix("guide/src/")) {
        if file != "SUMMARY.md" && !guide.listed.iter().any(|(_, path)| path == file) {
            problems.push(format!("guide/src/{file}: SUMMARY.md does not list it"));
        }
    }
    let chapters = guide.chapters()?;
    let pages: BTreeMap<&str, &str> =
        chapters.iter().map(|it| (it.path.as_str(), it.content.as_str())).collect();
    if pages.len() != chapters.len() {
        problems.push("two chapters of the guide have one path".to_owned());
    }
    for chapter in &chapters {
        count += in_book(&chapter.path, &chapter.content, &pages, &mut problems);
    }
    let mut out = io::stdout().lock();
    for problem in &problems {
        writeln!(out, "{problem}")?;
    }
    let found = problems.len();
    writeln!(
        out,
        "{count} links in {} documents and {} chapters: {found} lead nowhere",
        files.len(),
        chapters.len()
    )?;
    Ok(if problems.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn documents(root: &Path, place: &str, depth: usize, files: &mut Vec<String>) -> io::Result<()> {
    let Ok(entries) = fs::read_dir(root.join(place)) else { return Ok(()) };
    let mut names = Vec::new();
    for entry in entries {
        names.push(entry?.file_name().to_string_lossy().into_owned());
    }
    names.sort();
    for name in names {
        let path = if place.is_empty() { name.clone() } else { format!("{place}/{name}") };
        if root.join(&path).is_dir() {
            if depth > 0 {
                documents(root, &path, depth - 1, files)?;
            }
        } else if name.ends_with(".md") {
            files.push(path);
        }
    }
    Ok(())
}

fn in_repository(root: &Path, file: &str, problems: &mut Vec<String>) -> io::Result<usize> {
    let text = fs::read_to_string(root.join(file))?;
    let found = links::find(&text);
    for link in found.iter().filter(|link| !link.is_outside()) {
        let target = if link.path().is_empty() {
            file.to_owned()
        } else {
            links::resolve(file, link.path())
        };
        let place = format!("{file}:{}", link.line);
        if !root.join(&target).exists() {
            problems.push(format!("{place}: there is no {target}"));
        } else if !link.anchor().is_empty()
            && target.ends_with(".md")
            && !file.starts_with("guide/")
        {
            let page = fs::read_to_string(root.join(&target))?;
            anchor(&page, link.anchor(), &place, &target, problems);
        }
    }
    Ok(found.len())
}

fn in_book(
    path: &str,
    text: &str,
    pages: &BTreeMap<&str, &str>,
    problems: &mut Vec<String>,
) -> usize {
    let found = links::find(text);
    for link in found.iter().filter(|link| !link.is_outside()) {
        let target = if link.path().is_empty() {
            path.to_owned()
        } else {
            links::resolve(path, link.path())
        };
        let place = format!("chapter {path}");
        match pages.get(target.as_str()) {
            None => problems.push(format!("{place}: there is no chapter {target}")),
            Some(page) => anchor(page, link.anchor(), &place, &target, problems),
        }
    }
    found.len()
}

fn anchor(page: &str, anchor: &str, place: &str, target: &str, problems: &mut Vec<String>) {
    let Some(name) = anchor.strip_prefix('#') else { return };
    if !links::anchors(page).iter().any(|known| known == name) {
        problems.push(format!("{place}: {target} has no heading #{name}"));
    }
}
