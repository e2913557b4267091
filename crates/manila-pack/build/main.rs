//! Turns each `packs/*/pack.toml` into the compact form that `src/compact.rs` reads, and writes the table of programs.

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "a build script reads files and speaks to cargo"
)]

mod compact;
#[allow(
    dead_code,
    unreachable_pub,
    reason = "the library's own types, of which only the format is used here"
)]
#[path = "../src/model.rs"]
mod model;
#[allow(
    dead_code,
    unreachable_pub,
    reason = "the library's own types, of which only the format is used here"
)]
#[path = "../src/text.rs"]
mod text;

use compact::Compact;
use model::Model;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

type Failed = Box<dyn std::error::Error>;

fn main() -> Result<(), Failed> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    for source in ["build", "packs", "src/model.rs", "src/text.rs"] {
        println!("cargo::rerun-if-changed={}", root.join(source).display());
    }
    let mut packs = BTreeMap::new();
    for entry in fs::read_dir(root.join("packs"))? {
        let file = entry?.path().join("pack.toml");
        if file.exists() {
            let pack = read(&file).map_err(|error| format!("{}: {error}", file.display()))?;
            packs.insert(pack.name.clone(), pack);
        }
    }
    let out = PathBuf::from(env::var("OUT_DIR")?).join("packs.rs");
    fs::write(out, table(&packs)?)?;
    Ok(())
}

struct Pack {
    name: String,
    programs: Vec<String>,
    calls: Compact,
    answers: Compact,
    reads_success: bool,
}

fn read(file: &Path) -> Result<Pack, Failed> {
    let mut calls = Model::from_toml(&fs::read_to_string(file)?)?;
    let answers = Model {
        status: std::mem::take(&mut calls.status),
        error: std::mem::take(&mut calls.error),
        cause: std::mem::take(&mut calls.cause),
        ..Model::default()
    };
    Ok(Pack {
        name: calls.name.to_string(),
        programs: calls.programs.iter().map(ToString::to_string).collect(),
        calls: Compact::of(&calls)?,
        reads_success: answers.error.iter().any(|rule| rule.status.contains(&0)),
        answers: Compact::of(&answers)?,
    })
}

fn table(packs: &BTreeMap<String, Pack>) -> Result<String, Failed> {
    let mut programs = BTreeMap::new();
    let mut text = format!("static PACKS: [Entry; {}] = [\n", packs.len());
    for (index, pack) in packs.values().enumerate() {
        let Pack { name, calls, answers, reads_success, .. } = pack;
        writeln!(
            text,
            "Entry {{ name: {name:?}, calls: {calls}, answers: {answers}, reads_success: {reads_success} }},"
        )?;
        for program in &pack.programs {
            if let Some(other) = programs.insert(program.clone(), index) {
                let other = packs.keys().nth(other).map_or("", String::as_str);
                return Err(format!("{program} is in the packs {other} and {name}").into());
            }
        }
    }
    writeln!(text, "];\nstatic PROGRAMS: [(&str, usize); {}] = [", programs.len())?;
    for (program, index) in programs {
        writeln!(text, "({program:?}, {index}),")?;
    }
    text.push_str("];\n");
    Ok(text)
}
