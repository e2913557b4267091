//! What is known about a program, for people: `manila packs show` and `manila explain`.

use crate::page::Page;
use manila_pack::{Effect, EffectRule, Pack, Text};

/// How many rules of one kind a page shows.
const MOST_SHOWN: usize = 40;

/// The page of a pack.
pub(crate) fn of(pack: &Pack) -> Page {
    let model = pack.whole();
    let mut page = Page::titled(format!("{}: {}", model.name, model.title));
    page.field("programs", joined(&model.programs));
    if !model.versions.is_empty() {
        page.field("seen with", joined(&model.versions));
    }
    let set = model.environment.set.0.iter().map(|(name, value)| format!("{name}={value}"));
    let mut environment: Vec<String> = set.collect();
    environment.extend(model.environment.unset.iter().map(|name| format!("without {name}")));
    page.list("environment", &environment);
    for effect in
        [Effect::None, Effect::Idempotent, Effect::Writes, Effect::Destroys, Effect::Unknown]
    {
        let rules = model.effect.iter().filter(|rule| rule.effect == effect);
        let lines: Vec<String> = rules.map(described).collect();
        page.list(effect.as_str(), &shortened(lines));
    }
    let statuses = model.status.iter().map(|rule| {
        let numbers: Vec<String> = rule.status.iter().map(ToString::to_string).collect();
        let call = [joined(&rule.program), joined(&rule.command), joined(&rule.flag)].join(" ");
        let call = call.split_whitespace().collect::<Vec<_>>().join(" ");
        let call = if call.is_empty() { String::new() } else { format!(" of {call}") };
        format!("{}{call}: {} ({})", numbers.join(", "), rule.class, rule.meaning)
    });
    page.list("statuses", &shortened(statuses.collect()));
    let errors = model.error.iter().map(|rule| {
        let pattern = rule.line.first().map(ToString::to_string);
        let pointer = rule.json.0.first().map(|(pointer, value)| format!("{pointer} = {value}"));
        let pattern = pattern.or(pointer).unwrap_or_default();
        let again = if rule.quota { ", lasts hours" } else { "" };
        format!("{}{again}: {pattern}", rule.class)
    });
    page.list("errors", &shortened(errors.collect()));
    let causes: Vec<String> =
        model.cause.json.iter().chain(&model.cause.line).map(ToString::to_string).collect();
    page.list("cause", &causes);
    let switches = model
        .json
        .iter()
        .map(|rule| format!("{} {}", joined(&rule.command), joined(&rule.add)).trim().to_owned());
    page.list("JSON", &switches.collect::<Vec<_>>());
    let pages = model.page.iter().map(|rule| {
        let mut parts = Vec::new();
        parts.extend(rule.flag.as_ref().map(|flag| format!("{flag} asks for more")));
        parts.extend(rule.cut_by.as_ref().map(|flag| format!("{flag} cuts the list")));
        format!("{}: {}", joined(&rule.command), parts.join(", "))
    });
    page.list("pages", &pages.collect::<Vec<_>>());
    if let Some(refresh) = &model.refresh {
        let words: Vec<&str> = refresh.argv.iter().map(|word| &**word).collect();
        let asks = if refresh.interactive { " (asks a person)" } else { "" };
        page.field("login", format!("{}{asks}", words.join(" ")));
    }
    page
}

/// The page of one rule of a pack, by its name there: what `meta.run.rule` names.
pub(crate) fn of_rule(pack: &Pack, name: &str) -> Option<Page> {
    let model = pack.whole();
    let mut page =
        Page::titled(format!("{}/{name}, a rule of the pack of {}", model.name, model.title));
    let error = model.error.iter().find(|rule| rule.id() == name);
    let status = model.status.iter().find(|rule| rule.id() == name);
    let effect = model.effect.iter().find(|rule| rule.id() == name);
    let evidence = match (error, status, effect) {
        (Some(rule), ..) => {
            page.field("class", &*rule.class);
            let pointers =
                rule.json.0.iter().map(|(pointer, value)| format!("{pointer} = {value}"));
            let patterns = rule.line.iter().map(ToString::to_string).chain(pointers);
            page.list("pattern", &patterns.collect::<Vec<_>>());
            page.list("command", &rule.command.iter().map(ToString::to_string).collect::<Vec<_>>());
            if let Some(code) = &rule.code {
                page.field("code", &**code);
            }
            if let Some(why) = &rule.why {
                page.field("why", &**why);
            }
            &rule.evidence
        }
        (None, Some(rule), _) => {
            let numbers: Vec<String> = rule.status.iter().map(ToString::to_string).collect();
            page.field("class", &*rule.class).field("status", numbers.join(", "));
            page.list("command", &rule.command.iter().map(ToString::to_string).collect::<Vec<_>>());
            page.field("meaning", &*rule.meaning);
            &rule.evidence
        }
        (None, None, Some(rule)) => {
            page.field("effect", rule.effect.as_str()).field("call", described(rule));
            &rule.evidence
        }
        (None, None, None) => return None,
    };
    page.list("evidence", &evidence.iter().map(ToString::to_string).collect::<Vec<_>>());
    Some(page)
}

fn joined(texts: &[Text<'_>]) -> String {
    texts.iter().map(|text| &**text).collect::<Vec<&str>>().join(", ")
}

fn described(rule: &EffectRule<'_>) -> String {
    let summary = rule.summary();
    let summary = if summary.is_empty() { "any call".to_owned() } else { summary };
    match &rule.why {
        Some(why) => format!("{summary}: {why}"),
        None => summary,
    }
}

/// The first of many, and how many there are.
fn shortened(mut lines: Vec<String>) -> Vec<String> {
    let count = lines.len();
    if count > MOST_SHOWN {
        lines.truncate(MOST_SHOWN);
        lines.push(format!(
            "and {} more (manila packs show NAME --json has all)",
            count - MOST_SHOWN
        ));
    }
    lines
}
