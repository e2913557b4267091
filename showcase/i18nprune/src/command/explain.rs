//! `explain`: what a code means and what to do about it, for people.

use crate::code::{BOUNDARY, CODES, Code, Entry};
use crate::finding::{Finding, Outcome};
use manila_clap::{Reply, Screen};
use schemars::JsonSchema;
use serde::Serialize;

/// The codes that were asked for.
#[derive(Debug, Default, Serialize, JsonSchema, Reply)]
#[reply(kind = "explain", show = show)]
pub(crate) struct Explained {
    codes: Vec<Explanation>,
}

#[derive(Debug, Serialize, JsonSchema)]
struct Explanation {
    code: &'static str,
    severity: &'static str,
    meaning: &'static str,
    remedy: &'static str,
    /// Its page, if it has one.
    link: Option<String>,
}

/// Explains one code, with or without its `i18nprune.`, or all of them.
pub(crate) fn run(code: Option<&str>) -> Result<Outcome<Explained>, Finding> {
    let mut codes: Vec<Explanation> =
        CODES.iter().map(own).chain(BOUNDARY.iter().map(boundary)).collect();
    if let Some(code) = code {
        codes.retain(|known| {
            known.code == code || known.code.strip_prefix("i18nprune.") == Some(code)
        });
        if codes.is_empty() {
            return Err(Finding::new(Code::Unexplained, format!("there is no code {code:?}")));
        }
    }
    Ok(Outcome::new(Explained { codes }, Vec::new()))
}

fn own(entry: &Entry) -> Explanation {
    Explanation {
        code: entry.name,
        severity: entry.severity.as_str(),
        meaning: entry.meaning,
        remedy: entry.remedy,
        link: Some(entry.link()),
    }
}

fn boundary((code, name): &(manila_clap::Code, &'static str)) -> Explanation {
    Explanation {
        code: name,
        severity: "error",
        meaning: code.meaning(),
        remedy: "`i18nprune --help` shows what can be called, and how",
        link: None,
    }
}

fn show(explained: &Explained, screen: &mut Screen) {
    if let [one] = explained.codes.as_slice() {
        screen.field("code", one.code);
        screen.field("severity", one.severity);
        screen.field("meaning", one.meaning);
        screen.field("remedy", one.remedy);
        if let Some(link) = &one.link {
            screen.field("more", link);
        }
        return;
    }
    let row = |one: &Explanation| [one.code, one.severity, one.meaning].map(str::to_owned);
    screen.table(["CODE", "SEVERITY", "MEANING"], explained.codes.iter().map(row));
}
