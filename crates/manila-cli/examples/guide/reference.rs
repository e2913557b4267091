//! The reference: pages of dialects, packs, rules and rows, made from the tables that the program uses.

use crate::picture;
use manila::{DIALECTS, ROWS};
use manila_check::{Family, RULES};
use serde_json::Value;
use std::fmt::Write;
use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

/// A chapter that is made.
pub(crate) struct Page {
    pub name: String,
    pub path: String,
    pub content: String,
}

/// An index, and the pages that it links to, which are in a directory beside it.
pub(crate) fn make(root: &Path, kind: &str, directory: &str) -> io::Result<(String, Vec<Page>)> {
    match kind {
        "decisions" => Ok((decisions(), Vec::new())),
        "dialects" => Ok(dialects(directory)),
        "rules" => Ok(rules(directory)),
        "packs" => packs(directory),
        "diff-rules" => diff_rules(root, directory),
        _ => Err(io::Error::other(format!("there is no table of {kind}"))),
    }
}

fn decisions() -> String {
    let mut out = picture::decisions(ROWS);
    out.push_str("\n\n| row | id | when | then |\n|---|---|---|---|\n");
    for row in ROWS {
        let (when, then) = (cell(row.signal), cell(row.conclusion));
        let _ = writeln!(out, "| {} | `{}` | {when} | {then} |", row.number, row.id);
    }
    out
}

fn dialects(directory: &str) -> (String, Vec<Page>) {
    let mut index = "| dialect | what it is |\n|---|---|\n".to_owned();
    let pages = DIALECTS.iter().map(|dialect| {
        let table = dialect.table();
        let file = format!("{}.md", dialect.id().replace(['/', '.'], "-"));
        let link = link(dialect.id(), directory, &file);
        let _ = writeln!(index, "| {link} | {} |", cell(table.summary));
        let mut content = format!("{}\n\n## Exit codes\n\n", table.page.trim_end());
        content.push_str("| exit code | class |\n|---|---|\n");
        for row in table.exits.rows {
            let _ = writeln!(content, "| {} | {} |", row.status, row.exit.name());
        }
        Page { name: dialect.id().to_owned(), path: format!("{directory}/{file}"), content }
    });
    let pages = pages.collect();
    (index, pages)
}

fn rules(directory: &str) -> (String, Vec<Page>) {
    let mut index = String::new();
    let mut pages = Vec::new();
    for family in Family::ALL {
        let name = serde_json::to_value(family).unwrap_or_default();
        let _ = write!(
            index,
            "\n## {}\n\n| rule | severity | flaw |\n|---|---|---|\n",
            name.as_str().unwrap_or_default()
        );
        for rule in RULES.iter().filter(|rule| rule.family == *family) {
            let file = format!("{}.md", rule.id);
            let severity = serde_json::to_value(rule.severity).unwrap_or_default();
            let severity = severity.as_str().unwrap_or_default();
            let _ = writeln!(
                index,
                "| {} | {severity} | {} |",
                link(rule.id, directory, &file),
                cell(rule.flaw)
            );
            let content = rule.page.to_owned();
            pages.push(Page {
                name: rule.id.to_owned(),
                path: format!("{directory}/{file}"),
                content,
            });
        }
    }
    (index, pages)
}

fn packs(directory: &str) -> io::Result<(String, Vec<Page>)> {
    let mut index = "| pack | what it is | programs |\n|---|---|---|\n".to_owned();
    let mut pages = Vec::new();
    let packs = ask(&["packs"])?;
    for pack in packs["packs"].as_array().into_iter().flatten() {
        let text = |name: &str| pack[name].as_str().unwrap_or_default();
        let programs: Vec<_> =
            pack["programs"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
        let name = text("name");
        let file = format!("{name}.md");
        let _ = writeln!(
            index,
            "| {} | {} | {} |",
            link(name, directory, &file),
            cell(text("title")),
            programs.join(", ")
        );
        let shown = ask(&["explain", name])?;
        let pages_of_it = shown["explanations"].as_array().into_iter().flatten();
        let page =
            pages_of_it.filter(|it| it["what"] == "program").find_map(|it| it["text"].as_str());
        let page = page.ok_or_else(|| io::Error::other(format!("nothing explains {name}")))?;
        let content = format!("# {name}\n\n````text\n{}\n````\n", page.trim_end());
        pages.push(Page { name: name.to_owned(), path: format!("{directory}/{file}"), content });
    }
    Ok((index, pages))
}

/// The pages of the rules of a diff, one file each.
fn diff_rules(root: &Path, directory: &str) -> io::Result<(String, Vec<Page>)> {
    let mut files = Vec::new();
    if let Ok(entries) = fs::read_dir(root.join("crates/manila-contract/src/diff/page")) {
        for entry in entries {
            files.push(entry?.path());
        }
    }
    files.sort();
    if files.is_empty() {
        return Ok(("This version has no such rules.\n".to_owned(), Vec::new()));
    }
    let mut index = "| rule | what changed |\n|---|---|\n".to_owned();
    let mut pages = Vec::new();
    for path in files.iter().filter(|path| path.extension() == Some("md".as_ref())) {
        let content = fs::read_to_string(path)?;
        let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let first = content.split("\n\n").map(str::trim).find(|part| !part.starts_with('#'));
        let file = format!("{name}.md");
        let _ = writeln!(
            index,
            "| {} | {} |",
            link(&name, directory, &file),
            cell(first.unwrap_or_default())
        );
        pages.push(Page { name, path: format!("{directory}/{file}"), content });
    }
    Ok((index, pages))
}

/// The data of an answer of manila.
fn ask(words: &[&str]) -> io::Result<Value> {
    let mut manila = Command::new(std::env::current_exe()?);
    let output = manila.arg0("manila").args(words).arg("--json").output()?;
    let mut answer: Value = serde_json::from_slice(&output.stdout)?;
    if answer["ok"] == true {
        Ok(answer["data"].take())
    } else {
        Err(io::Error::other(answer["error"].to_string()))
    }
}

fn link(name: &str, directory: &str, file: &str) -> String {
    let last = directory.rsplit('/').next().unwrap_or_default();
    format!("[`{name}`]({last}/{file})")
}

/// Text in a cell of a table.
fn cell(text: &str) -> String {
    text.replace('\n', " ").replace('|', "\\|").replace('<', "&lt;")
}
