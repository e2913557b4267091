//! The tool `find`: the commands of all served programs that fit a query, with what each may change.

use crate::catalog::{Catalog, Entry};
use crate::output_store::floor;
use crate::program::Program;
use crate::proof;
use crate::settings::Settings;
use manila::Envelope;
use manila::json::Raw;
use serde_json::{Value, json};
use std::cmp::Reverse;

/// How many commands a search returns.
const FOUND: usize = 10;
/// How much of a command's help a search returns, in bytes.
const HELP: usize = 6000;

/// Waits for the catalog, then searches.
pub(crate) async fn find(settings: &Settings, query: &str) -> Envelope {
    let mut catalogs = Vec::new();
    for program in &settings.programs {
        catalogs.push((program, program.catalog().await));
    }
    // A query may begin with the name of a program.
    let (first, rest) = query.trim().split_once(' ').unwrap_or((query.trim(), ""));
    let is_named = settings.program(first).is_some();
    let query = if is_named { rest } else { query };
    let mut found = Vec::new();
    let mut gaps = Vec::new();
    for (program, catalog) in &catalogs {
        if is_named && program.name != first {
            continue;
        }
        let entries = catalog.find(query, FOUND).into_iter();
        found.extend(entries.map(|entry| (&***program, &**catalog, entry)));
        gaps.extend(catalog.gaps.iter().map(|gap| format!("{}: {gap}", program.name)));
    }
    found.sort_by_key(|(_, _, entry)| Reverse(entry.score()));
    found.truncate(FOUND);
    let mut commands: Vec<Value> = found.iter().map(described).collect();
    if let (Some((_, _, entry)), Some(first)) = (found.first(), commands.first_mut()) {
        let help = entry.command.help.trim();
        if entry.is_exact() && !help.is_empty() {
            first["help"] = json!(&help[..floor(help, HELP)]);
        }
    }
    let data = Raw::from_serialize(&json!({"commands": commands}));
    let envelope = Envelope::success(data.unwrap_or_else(|_| Raw::null()));
    gaps.into_iter().fold(envelope, Envelope::with_warning)
}

fn described((program, catalog, entry): &(&Program, &Catalog, Entry<'_>)) -> Value {
    let path = &entry.command.path;
    let mut described = json!({
        "argv": program.client_call(path),
        "effect": proof::prove(program, path, catalog).effect.as_str(),
        "usage": entry.usage(&program.name, catalog),
    });
    let about = entry.about();
    if !about.is_empty() {
        described["about"] = json!(about);
    }
    described
}
