//! `manila open`: recognise what a program wrote, show its normal form, or convert it.

use crate::answer::Reply;
use crate::code::{Code, Refusal};
use crate::human::Page;
use crate::input::{Input, dialect_ids, known_dialect};
use clap::Args;
use manila::json::{Layout, Raw, Style, Writer};
use manila::{Conversion, Defaults, Fate, Loss, Opened, Stream, open};
use serde::Serialize;

/// How many losses are told one by one.
const MOST_TOLD: usize = 50;
/// The longest payload that is shown to people in full, in bytes.
const LONGEST_SHOWN: usize = 64 << 10;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  td --json ls | manila open
  manila open --run recorded/run --json
  manila open answer.json --exit-code 1 --to animus/1")]
pub(crate) struct Arguments {
    #[command(flatten)]
    input: Input,

    /// Write it in this dialect instead; what it cannot say goes to standard error
    #[arg(long, value_name = "ID", value_parser = dialect_ids())]
    to: Option<String>,

    /// Refuse a conversion that loses something
    #[arg(long, requires = "to")]
    strict: bool,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Reply, Refusal> {
    let transcript = arguments.input.transcript()?;
    let opened = open(&transcript, &arguments.input.options()?)?;
    let Some(target) = &arguments.to else {
        return Ok(Reply::new(opened, show));
    };
    let defaults = Defaults { timestamp: now().into(), ..Defaults::default() };
    let Conversion { written, losses } = opened.convert(known_dialect(target)?, &defaults)?;
    if arguments.strict && !losses.is_empty() {
        let fields: Vec<_> = losses.iter().map(|loss| loss.field.as_str()).collect();
        let message = format!("{target} cannot say {}", fields.join(", "));
        let mut refusal = Refusal::new(Code::LossyConversion, message)
            .suggest("leave --strict out to accept the losses, or choose a dialect that says more");
        refusal.details = Some(Raw::of(&Losses { losses: &losses })?);
        return Err(refusal);
    }
    let mut warnings: Vec<_> =
        losses.iter().take(MOST_TOLD).map(|loss| describe(loss, target)).collect();
    if losses.len() > MOST_TOLD {
        warnings.push(format!("{} more losses; --json lists them", losses.len() - MOST_TOLD));
    }
    let converted = Converted {
        dialect: target.clone(),
        stream: written.stream,
        status: written.status,
        document: String::from_utf8_lossy(&written.document).into_owned(),
        losses,
    };
    let document = written.document;
    let both = OpenedAndConverted { opened, converted };
    Ok(Reply::verbatim(both, document).warn(warnings))
}

/// The time, to the second, as the dialects write it.
fn now() -> String {
    jiff::Timestamp::from_second(jiff::Timestamp::now().as_second())
        .map_or_else(|_| Defaults::default().timestamp.into_owned(), |now| now.to_string())
}

#[derive(Serialize)]
struct OpenedAndConverted {
    #[serde(flatten)]
    opened: Opened,
    converted: Converted,
}

#[derive(Serialize)]
struct Converted {
    dialect: String,
    stream: Stream,
    status: i32,
    document: String,
    losses: Vec<Loss>,
}

#[derive(Serialize)]
struct Losses<'a> {
    losses: &'a [Loss],
}

fn describe(loss: &Loss, target: &str) -> String {
    let place = match &loss.place {
        Some(place) => format!(" (bytes {}..{})", place.start, place.end),
        None => String::new(),
    };
    let field = &loss.field;
    match &loss.fate {
        Fate::Dropped => format!("{target} cannot say {field}{place}: {}", short(&loss.value)),
        Fate::Changed(now) => {
            format!("{target} says {field}{place} as {}: {}", short(now), short(&loss.value))
        }
        Fate::Invented(now) => {
            format!("{target} requires {field}, which is not known: {}", short(now))
        }
    }
}

/// The beginning of a value, on one line.
fn short(value: &Raw) -> String {
    let text = laid_out(value, Layout::Compact);
    match text.char_indices().nth(60) {
        Some((cut, _)) => format!("{}…", &text[..cut]),
        None => text,
    }
}

fn show(opened: &Opened) -> String {
    let (detection, envelope) = (&opened.detection, &opened.envelope);
    let content = envelope.content();
    let mut page = Page::default();
    page.title(&format!(
        "{} on {}, bytes {}..{} ({}, {})",
        detection.dialect.id(),
        detection.stream,
        detection.span.start,
        detection.span.end,
        detection.shape,
        detection.confidence.word(),
    ));
    let status = envelope.status().map_or_else(String::new, |code| format!(", exit status {code}"));
    page.verdict(envelope.ok(), &format!("{}{status}", envelope.exit().name()));
    page.field_if("kind", content.kind.as_deref());
    if let Some(error) = envelope.error() {
        page.field("code", &error.code).field("message", &error.message);
        page.field_if("detail", error.detail.as_deref());
        page.field_if("suggestion", error.suggestion.as_deref());
        page.field_if("retryable", error.retryable.map(|it| if it { "yes" } else { "no" }));
        page.field_if("wait", error.wait_ms.map(|wait| format!("{wait} ms")).as_deref());
        page.field_if("phase", error.phase.map(manila::Phase::word));
        page.field_if("redirect", error.redirect.as_ref().map(|to| to.command.as_str()));
        page.field_if("operation", error.operation.as_deref());
        page.field_if("target", error.target.as_deref());
        page.field_if("fix", error.fix.required.as_deref());
        page.field_if("fix command", error.fix.command.as_deref());
        page.field_if("details", error.details.as_ref().map(pretty).as_deref());
    }
    page.field_if("missing", content.missing.as_deref());
    page.field_if("data", content.data.as_ref().map(pretty).as_deref());
    for issue in &content.issues {
        let words = issue.message.as_deref().unwrap_or_default();
        page.field(issue.severity.word(), &format!("{} {words}", issue.code));
    }
    for warning in &content.warnings {
        page.field("warning", warning.text());
    }
    let meta = &content.meta;
    page.field_if("duration", meta.duration_ms.map(|it| format!("{it} ms")).as_deref());
    page.field_if("request id", meta.request_id.as_deref());
    page.field_if("timestamp", meta.timestamp.as_deref());
    page.field_if("cursor", meta.cursor.as_deref());
    page.field_if("cwd", meta.cwd.as_deref());
    for (name, stated) in [("truncated", meta.truncated), ("not modified", meta.not_modified)] {
        page.field_if(name, stated.then_some("yes"));
    }
    for (key, value) in meta.extra.iter().chain(content.extra.iter()) {
        page.field(key, value.as_str());
    }
    for noise in &detection.noise {
        let kind = noise.kind.word();
        let place =
            format!("{kind} on {}, bytes {}..{}", noise.stream, noise.span.start, noise.span.end);
        page.field("noise", &place);
    }
    for fact in &opened.facts {
        page.field("fact", &fact.to_string());
    }
    if opened.facts.more() > 0 {
        page.field("fact", &format!("and {} more", opened.facts.more()));
    }
    page.finish()
}

/// A payload, a member per line, or the beginning of one that nobody would read to its end.
fn pretty(raw: &Raw) -> String {
    let text = raw.as_str();
    if text.len() <= LONGEST_SHOWN {
        return laid_out(raw, Layout::Pretty);
    }
    let cut = (0..=LONGEST_SHOWN).rev().find(|&at| text.is_char_boundary(at)).unwrap_or(0);
    format!("{}\n… {} bytes in all; --json shows them", &text[..cut], text.len())
}

fn laid_out(raw: &Raw, layout: Layout) -> String {
    let bytes = Writer::new(Style { layout, ascii: false }).value(raw);
    String::from_utf8_lossy(&bytes).into_owned()
}
