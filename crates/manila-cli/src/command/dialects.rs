//! `manila dialects`: the dialects, one line each.

use crate::answer::Reply;
use crate::code::Refusal;
use crate::human::Page;
use clap::Args;
use manila::{DIALECTS, commands};
use serde_json::json;

#[derive(Debug, Args)]
pub(crate) struct Arguments {}

#[expect(clippy::unnecessary_wraps, reason = "every command may refuse")]
pub(crate) fn run(_: &Arguments) -> Result<Reply, Refusal> {
    let list: Vec<_> = DIALECTS
        .iter()
        .map(|dialect| {
            let failed = dialect.form(false).style;
            json!({
                "id": dialect.id(),
                "summary": dialect.about().summary,
                "success_stream": dialect.form(true).stream,
                "failure_stream": dialect.form(false).stream,
                "layout": failed.layout.word(),
                "commands": commands(*dialect),
                "exits": dialect.about().exits.rows.iter().map(|row| json!({
                    "status": row.status,
                    "exit": row.exit,
                    "retry": row.retry,
                    "effects": row.effects,
                })).collect::<Vec<_>>(),
            })
        })
        .collect();
    Ok(Reply::new(json!({ "dialects": list }), |_| show()))
}

fn show() -> String {
    let mut page = Page::default();
    for dialect in DIALECTS {
        page.line(&format!("{:<22} {}", dialect.id(), dialect.about().summary));
    }
    page.finish()
}
