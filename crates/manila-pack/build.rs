//! Turns each `packs/*/pack.toml` into compact JSON, and writes the table of programs.

#![expect(
    clippy::disallowed_macros,
    clippy::disallowed_methods,
    reason = "a build script reads files and speaks to cargo"
)]

use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// What is only looked at after a failure.
const ANSWERS: &[&str] = &["status", "error", "cause"];

type Failed = Box<dyn std::error::Error>;

fn main() -> Result<(), Failed> {
    let root = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?).join("packs");
    println!("cargo::rerun-if-changed={}", root.display());
    let mut packs = BTreeMap::new();
    for entry in fs::read_dir(&root)? {
        let file = entry?.path().join("pack.toml");
        if file.exists() {
            println!("cargo::rerun-if-changed={}", file.display());
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
    calls: String,
    answers: String,
    reads_success: bool,
}

fn read(file: &Path) -> Result<Pack, Failed> {
    let table: toml::Table = toml::from_str(&fs::read_to_string(file)?)?;
    let Value::Object(whole) = serde_json::to_value(table)? else { return Err("no table".into()) };
    let text = |key: &str| whole.get(key).and_then(Value::as_str).unwrap_or_default().to_owned();
    let texts = |key: &str| -> Vec<String> {
        let list = whole.get(key).and_then(Value::as_array).into_iter().flatten();
        list.filter_map(Value::as_str).map(str::to_owned).collect()
    };
    let (name, programs) = (text("name"), texts("programs"));
    let looks_at_zero = |rule: &Value| {
        let statuses = rule.get("status").and_then(Value::as_array).into_iter().flatten();
        statuses.filter_map(Value::as_i64).any(|status| status == 0)
    };
    let rules = whole.get("error").and_then(Value::as_array);
    let reads_success = rules.is_some_and(|rules| rules.iter().any(looks_at_zero));
    let (answers, calls): (Map<_, _>, Map<_, _>) =
        whole.into_iter().partition(|(key, _)| ANSWERS.contains(&key.as_str()));
    Ok(Pack {
        name,
        programs,
        calls: serde_json::to_string(&calls)?,
        answers: serde_json::to_string(&answers)?,
        reads_success,
    })
}

fn table(packs: &BTreeMap<String, Pack>) -> Result<String, Failed> {
    let mut programs = BTreeMap::new();
    let mut text = format!("static PACKS: [Entry; {}] = [\n", packs.len());
    for (index, pack) in packs.values().enumerate() {
        let Pack { name, calls, answers, reads_success, .. } = pack;
        writeln!(
            text,
            "Entry {{ name: {name:?}, calls: {calls:?}, answers: {answers:?}, reads_success: {reads_success} }},"
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
