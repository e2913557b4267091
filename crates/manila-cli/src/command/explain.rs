//! `manila explain`: reference that needs no browser.

use crate::error::{CliError, all};
use crate::help::examples;
use crate::known;
use crate::page::Page;
use crate::program_page;
use clap::Args;
use manila::dialects::WRITTEN;
use manila::exit::RESPONSE_ENVELOPE_1_0;
use manila::json::FactKind;
use manila::{Confidence, Dialect, Exit, ROWS, Row, did_you_mean, every_dialect};
use manila_clap::{Call, Reply, Screen};
use manila_log::Rule;
use manila_pack::{BUILTIN, Packs};
use schemars::JsonSchema;
use serde::Serialize;

pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    ("manila explain animus/1", "explain a dialect"),
    ("manila explain REDIRECTED", "explain an exit class"),
    ("manila explain 2", "explain an exit status"),
    ("manila explain TOKEN_EXPIRED", "explain an error code"),
    ("manila explain row-15", "explain a row of the decision table"),
    ("manila explain duplicate-key", "explain a fact"),
    ("manila explain failure-with-exit-zero", "explain a rule of manila check"),
    ("manila explain missing-field", "explain a rule that records of logs can break"),
    ("manila explain field-removed", "explain a rule of manila diff"),
    ("manila explain git", "explain what is known about a program"),
    ("manila explain git/directory-not-found-vpbj", "explain the rule that classified a failure"),
];

pub(crate) const FAILS: &[&str] = &["UNKNOWN_NAME", "BAD_DIALECT"];

#[derive(Debug, Args)]
#[command(after_help = examples(EXAMPLES))]
pub(crate) struct Arguments {
    /// What to explain: a dialect, exit class or code, error code, rule, decision, fact or program
    #[arg(value_name = "NAME")]
    name: String,
}

/// Everything that has this name.
#[derive(Serialize, JsonSchema, Reply)]
#[schemars(rename = "Explanations")]
#[reply(kind = "explain", show = show)]
pub(crate) struct Answer {
    name: String,
    explanations: Vec<Topic>,
}

/// Something that has an explanation.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "Explanation")]
struct Topic {
    what: &'static str,
    text: String,
    #[serde(skip)]
    page: Page,
}

impl Topic {
    fn new(what: &'static str, page: Page) -> Topic {
        Topic { what, text: page.text(), page }
    }
}

pub(crate) fn run(arguments: &Arguments, _: &Call) -> Result<Answer, CliError> {
    known::install(None)?;
    let name = arguments.name.clone();
    let sought = [
        dialect,
        exit,
        status,
        code,
        rule,
        change,
        row,
        fact,
        record_rule,
        confidence,
        program,
        pack_rule,
    ];
    let explanations: Vec<Topic> = sought.iter().filter_map(|seek| seek(&name)).collect();
    if explanations.is_empty() {
        let closest = closest(&name);
        return Err(CliError::UnknownName { name, closest });
    }
    Ok(Answer { name, explanations })
}

fn show(answer: &Answer, screen: &mut Screen) {
    for (number, topic) in answer.explanations.iter().enumerate() {
        if number > 0 {
            screen.line("");
        }
        topic.page.show(screen);
    }
}

fn dialect(name: &str) -> Option<Topic> {
    let dialect = manila::dialect(name)?;
    let mut page = Page::default();
    page.line(dialect.table().page.trim_end());
    Some(Topic::new("dialect", page))
}

fn exit(name: &str) -> Option<Topic> {
    let exit = Exit::from_name(&name.to_uppercase())?;
    let mut page = Page::titled(format!("{}, an exit class", exit.name()));
    page.line(exit.meaning());
    let number = |dialect: &&dyn Dialect| {
        let status = dialect.status(exit);
        let own = dialect.table().exits.row(status).is_some_and(|row| row.exit == exit);
        format!("{status} {}{}", dialect.id(), if own { "" } else { " (has no number of its own)" })
    };
    let numbers: Vec<_> = WRITTEN.iter().map(number).collect();
    page.list("status", &numbers);
    if let Some(row) = RESPONSE_ENVELOPE_1_0.rows.iter().find(|row| row.exit == exit) {
        page.field("retry", format!("{} (response-envelope/1.0)", row.retry.as_str()));
        page.field("effects", format!("{} (response-envelope/1.0)", row.effects.as_str()));
    }
    let codes: Vec<_> = WRITTEN
        .iter()
        .flat_map(|dialect| {
            dialect.table().codes.iter().map(move |(code, class)| (dialect, code, class))
        })
        .filter(|(_, _, class)| **class == exit)
        .map(|(dialect, code, _)| format!("{code} ({})", dialect.id()))
        .collect();
    page.list("codes", &codes);
    let rows: Vec<_> = ROWS
        .iter()
        .filter(|row| row.signal.contains(exit.name()) || row.conclusion.contains(exit.name()))
        .map(|row| format!("{} {}: {}", row.number, row.id, row.conclusion))
        .collect();
    page.list("rows", &rows);
    Some(Topic::new("exit class", page))
}

fn status(name: &str) -> Option<Topic> {
    let status: i32 = name.parse().ok()?;
    let mut page = Page::titled(format!("exit status {status}"));
    for dialect in WRITTEN {
        let meaning =
            dialect.table().exits.row(status).map_or("not in its table", |row| row.exit.name());
        page.line(format!("{:<22} {meaning}", dialect.id()));
    }
    if matches!(status, 2 | 3) {
        page.line("A response envelope that does not say which revision it follows is read as the");
        page.line("unsafe one: some of the work may be done.");
    }
    if !(0..=13).contains(&status) {
        for row in ROWS.iter().filter(|row| row.id == "outside-the-table") {
            page.field("row", row.conclusion);
        }
    }
    Some(Topic::new("exit status", page))
}

fn code(name: &str) -> Option<Topic> {
    let mut page = Page::titled(format!("{name}, an error code"));
    let mut known = false;
    if let Some(own) = all().iter().find(|declared| declared.code == name) {
        known = true;
        let (class, status) = (own.exit.name(), RESPONSE_ENVELOPE_1_0.status(own.exit));
        page.line(own.meaning).field("manila", format!("{class} (status {status})"));
    }
    if name == manila::MALFORMED {
        known = true;
        page.line("The document breaks the shape of its own dialect; manila made this error.");
    }
    for dialect in every_dialect() {
        for (code, class) in dialect.table().codes.iter().filter(|(code, _)| *code == name) {
            known = true;
            page.field(dialect.id(), format!("{code} is {}: {}", class.name(), class.meaning()));
        }
    }
    for row in ROWS.iter().filter(|row| codes_in(row.signal).any(|code| code == name)) {
        known = true;
        page.field("row", format!("{} {}: {}", row.number, row.id, row.conclusion));
    }
    let is_class = Exit::from_name(name).is_some();
    (known && !is_class).then(|| Topic::new("error code", page))
}

fn rule(name: &str) -> Option<Topic> {
    let rule = manila_check::rule(name)?;
    let mut page = Page::default();
    page.line(rule.page.trim_end()).line("");
    page.field("family", rule.family.as_str()).field("severity", rule.severity.as_str());
    let modes = rule.modes.iter().filter_map(|number| manila_check::spec::mode_of(*number));
    let modes: Vec<_> = modes.map(|mode| format!("{} {}", mode.number, mode.title)).collect();
    page.list("modes", &modes);
    let essence = |id: &&str| Some(format!("{id} {}", manila_check::spec::requirement(id)?));
    let requirements: Vec<_> = rule.requirements.iter().filter_map(essence).collect();
    page.list("requirements", &requirements);
    Some(Topic::new("rule", page))
}

fn change(name: &str) -> Option<Topic> {
    let rule = manila_contract::rule(name)?;
    let mut page = Page::default();
    page.line(rule.page.trim_end()).line("");
    page.field("family", rule.family.as_str());
    Some(Topic::new("rule of contracts", page))
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
    let mut page = Page::titled(format!("row {} of the decision table: {}", row.number, row.id));
    page.field("when", row.signal).field("then", row.conclusion);
    Some(Topic::new("row of the table", page))
}

fn fact(name: &str) -> Option<Topic> {
    let fact = FactKind::ALL.iter().find(|fact| fact.id() == name)?;
    let mut page = Page::titled(format!("{}, a fact", fact.id()));
    page.line(fact.meaning());
    Some(Topic::new("fact", page))
}

fn record_rule(name: &str) -> Option<Topic> {
    let rule = Rule::from_id(name)?;
    let mut page = Page::titled(format!("{}, a rule that a record of a log can break", rule.id()));
    page.line(rule.meaning());
    page.field("look for it", format!("manila scan --select {} FILES", rule.id()));
    Some(Topic::new("rule of logs", page))
}

fn confidence(name: &str) -> Option<Topic> {
    let confidence = Confidence::ALL.iter().find(|confidence| confidence.as_str() == name)?;
    let mut page = Page::titled(format!("{}, how sure a match is", confidence.as_str()));
    page.line(confidence.meaning());
    Some(Topic::new("confidence", page))
}

fn program(name: &str) -> Option<Topic> {
    let packs = Packs::from_environment().ok()?;
    let pack = packs.load(name).ok()?.or_else(|| packs.pack(name).ok()?)?;
    Some(Topic::new("program", program_page::of(&pack)))
}

fn pack_rule(name: &str) -> Option<Topic> {
    let (pack, rule) = name.rsplit_once('/')?;
    let pack = Packs::from_environment().ok()?.pack(pack).ok()??;
    Some(Topic::new("rule of a pack", program_page::of_rule(&pack, rule)?))
}

/// Every name that has an explanation.
pub(crate) fn names() -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    names.extend(every_dialect().map(<dyn manila::Dialect>::id));
    names.extend(Exit::ALL.iter().map(|exit| exit.name()));
    names.extend(all().iter().map(|declared| declared.code));
    names.extend(every_dialect().flat_map(|dialect| dialect.table().codes).map(|(code, _)| *code));
    names.extend(ROWS.iter().flat_map(|row| codes_in(row.signal)));
    names.extend(ROWS.iter().map(|row| row.id));
    names.extend(FactKind::ALL.iter().map(|fact| fact.id()));
    names.extend(manila_check::RULES.iter().map(|rule| rule.id));
    names.extend(manila_log::RULES.iter().map(|rule| rule.id()));
    names.extend(manila_contract::rules().map(|rule| rule.id));
    names.extend(BUILTIN.names());
    names
}

/// The closest known name, or a list of what can be explained.
fn closest(name: &str) -> String {
    did_you_mean(name, names()).unwrap_or_else(|| {
        "a dialect (`manila dialects`), a class such as NOT_FOUND, a status, an error code that a \
         dialect knows, a rule (`manila check --list`), a fact such as duplicate-key, or row-15"
            .to_owned()
    })
}
