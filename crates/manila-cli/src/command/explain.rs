//! `manila explain`: reference that needs no browser.

use crate::answer::Reply;
use crate::code::{Code, Refusal};
use crate::human::Page;
use crate::likeness::did_you_mean;
use clap::Args;
use manila::exit::RESPONSE_ENVELOPE_1_0;
use manila::json::FactKind;
use manila::{Confidence, DIALECTS, Dialect, Exit, ROWS, Row};
use serde_json::json;

#[derive(Debug, Args)]
#[command(after_help = "Examples:
  manila explain animus/1
  manila explain REDIRECTED
  manila explain 2
  manila explain TOKEN_EXPIRED
  manila explain row-15
  manila explain duplicate-key")]
pub(crate) struct Arguments {
    /// A dialect, an exit class or status, an error code, a row of the table or a fact
    #[arg(value_name = "NAME")]
    name: String,
}

/// Something that has an explanation.
struct Topic {
    what: &'static str,
    text: String,
}

pub(crate) fn run(arguments: &Arguments) -> Result<Reply, Refusal> {
    let name = arguments.name.as_str();
    let sought = [
        dialect(name),
        exit(name),
        status(name),
        code(name),
        row(name),
        fact(name),
        confidence(name),
    ];
    let topics: Vec<Topic> = sought.into_iter().flatten().collect();
    if topics.is_empty() {
        let refusal = Refusal::new(Code::UnknownName, format!("nothing explains {name:?}"));
        return Err(refusal.suggest(closest(name)));
    }
    let text = topics.iter().map(|topic| topic.text.as_str()).collect::<Vec<_>>().join("\n");
    let list: Vec<_> = topics
        .iter()
        .map(|topic| json!({ "what": topic.what, "text": plain(&topic.text) }))
        .collect();
    Ok(Reply::new(json!({ "name": name, "explanations": list }), |_| text))
}

/// The words alone: a program has no use for colour.
fn plain(text: &str) -> String {
    anstream::adapter::strip_str(text).to_string()
}

fn dialect(name: &str) -> Option<Topic> {
    let dialect = manila::dialect(name)?;
    Some(Topic { what: "dialect", text: dialect.about().page.to_owned() })
}

fn exit(name: &str) -> Option<Topic> {
    let exit = Exit::from_name(&name.to_uppercase())?;
    let mut page = Page::default();
    page.title(&format!("{}, an exit class", exit.name())).line(exit.meaning());
    let number = |dialect: &&dyn Dialect| {
        let status = dialect.status(exit);
        let own = dialect.about().exits.row(status).is_some_and(|row| row.exit == exit);
        format!("{status} {}{}", dialect.id(), if own { "" } else { " (has no number of its own)" })
    };
    let numbers: Vec<_> = DIALECTS.iter().map(number).collect();
    page.field("status", &numbers.join("\n"));
    if let Some(row) = RESPONSE_ENVELOPE_1_0.rows.iter().find(|row| row.exit == exit) {
        page.field("retry", &format!("{} (response-envelope/1.0)", row.retry.word()));
        page.field("effects", &format!("{} (response-envelope/1.0)", row.effects.word()));
    }
    let codes: Vec<_> = DIALECTS
        .iter()
        .flat_map(|dialect| {
            dialect.about().codes.iter().map(move |(code, class)| (dialect, code, class))
        })
        .filter(|(_, _, class)| **class == exit)
        .map(|(dialect, code, _)| format!("{code} ({})", dialect.id()))
        .collect();
    page.field_if("codes", (!codes.is_empty()).then(|| codes.join("\n")).as_deref());
    let rows: Vec<_> = ROWS
        .iter()
        .filter(|row| row.signal.contains(exit.name()) || row.conclusion.contains(exit.name()))
        .map(|row| format!("{} {}: {}", row.number, row.id, row.conclusion))
        .collect();
    page.field_if("rows", (!rows.is_empty()).then(|| rows.join("\n")).as_deref());
    Some(Topic { what: "exit class", text: page.finish() })
}

fn status(name: &str) -> Option<Topic> {
    let status: i32 = name.parse().ok()?;
    let mut page = Page::default();
    page.title(&format!("exit status {status}"));
    for dialect in DIALECTS {
        let meaning =
            dialect.about().exits.row(status).map_or("not in its table", |row| row.exit.name());
        page.line(&format!("{:<22} {meaning}", dialect.id()));
    }
    if matches!(status, 2 | 3) {
        page.line("A response envelope that does not say which revision it follows is read as the");
        page.line("unsafe one: some of the work may be done.");
    }
    if !(0..=13).contains(&status) {
        let row = ROWS.iter().find(|row| row.id == "outside-the-table");
        page.field_if("row", row.map(|row| row.conclusion));
    }
    Some(Topic { what: "exit status", text: page.finish() })
}

fn code(name: &str) -> Option<Topic> {
    let mut page = Page::default();
    page.title(&format!("{name}, an error code"));
    let mut known = false;
    if let Some(own) = Code::ALL.iter().find(|code| code.name() == name) {
        known = true;
        let class = own.exit();
        let status = RESPONSE_ENVELOPE_1_0.status(class);
        page.line(own.meaning()).field("manila", &format!("{} (status {status})", class.name()));
    }
    if name == manila::MALFORMED {
        known = true;
        page.line("The document breaks the shape of its own dialect; manila made this error.");
    }
    for dialect in DIALECTS {
        for (code, class) in dialect.about().codes.iter().filter(|(code, _)| *code == name) {
            known = true;
            page.field(dialect.id(), &format!("{code} is {}: {}", class.name(), class.meaning()));
        }
    }
    for row in ROWS.iter().filter(|row| codes_in(row.signal).any(|code| code == name)) {
        known = true;
        page.field("row", &format!("{} {}: {}", row.number, row.id, row.conclusion));
    }
    let is_class = Exit::from_name(name).is_some();
    (known && !is_class).then(|| Topic { what: "error code", text: page.finish() })
}

/// The words of a text that are spelled as codes are.
fn codes_in(text: &str) -> impl Iterator<Item = &str> {
    let words =
        text.split(|character: char| !character.is_ascii_alphanumeric() && character != '_');
    words.filter(|word| {
        let is_upper = word.bytes().all(|byte| !byte.is_ascii_lowercase());
        is_upper && word.len() > 3
    })
}

fn row(name: &str) -> Option<Topic> {
    let number = name.strip_prefix("row-").and_then(|number| number.parse().ok());
    let is_meant = |row: &&&Row| row.id == name || Some(row.number) == number;
    let row = ROWS.iter().find(is_meant)?;
    let mut page = Page::default();
    page.title(&format!("row {} of the decision table: {}", row.number, row.id));
    page.field("when", row.signal).field("then", row.conclusion);
    Some(Topic { what: "row of the table", text: page.finish() })
}

fn fact(name: &str) -> Option<Topic> {
    let fact = FactKind::ALL.iter().find(|fact| fact.id() == name)?;
    let mut page = Page::default();
    page.title(&format!("{}, a fact", fact.id())).line(fact.meaning());
    Some(Topic { what: "fact", text: page.finish() })
}

fn confidence(name: &str) -> Option<Topic> {
    let confidence = Confidence::ALL.iter().find(|confidence| confidence.word() == name)?;
    let mut page = Page::default();
    page.title(&format!("{}, how sure a match is", confidence.word())).line(confidence.meaning());
    Some(Topic { what: "confidence", text: page.finish() })
}

/// What somebody may have meant by a name that is not known.
fn closest(name: &str) -> String {
    let mut names: Vec<&str> = Vec::new();
    names.extend(DIALECTS.iter().map(|dialect| dialect.id()));
    names.extend(Exit::ALL.iter().map(|exit| exit.name()));
    names.extend(Code::ALL.iter().map(|code| code.name()));
    names.extend(DIALECTS.iter().flat_map(|dialect| dialect.about().codes).map(|(code, _)| *code));
    names.extend(ROWS.iter().flat_map(|row| codes_in(row.signal)));
    names.extend(ROWS.iter().map(|row| row.id));
    names.extend(FactKind::ALL.iter().map(|fact| fact.id()));
    did_you_mean(name, names).unwrap_or_else(|| {
        "a dialect (`manila dialects`), a class such as NOT_FOUND, a status, an error code that a \
         dialect knows, a fact such as duplicate-key, or row-15"
            .to_owned()
    })
}
