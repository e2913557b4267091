//! Parses the names of rules and families.

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};
use manila::did_you_mean;
use std::ffi::OsStr;

/// The rules and families. There are too many of them to list all where one is mistyped.
#[derive(Clone)]
pub(super) struct KnownRule;

impl KnownRule {
    fn names() -> impl Iterator<Item = &'static str> {
        let rules = manila_check::RULES.iter().map(|rule| rule.id);
        manila_check::Family::ALL.iter().map(|family| family.as_str()).chain(rules)
    }

    fn find(name: String) -> Result<String, String> {
        if KnownRule::names().any(|known| known == name) {
            return Ok(name);
        }
        let closest = did_you_mean(&name, KnownRule::names());
        let closest = closest.map_or_else(String::new, |closest| format!("; {closest}"));
        Err(format!("there is no such rule or family{closest} (manila check --list has all)"))
    }
}

impl TypedValueParser for KnownRule {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().try_map(KnownRule::find).parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(KnownRule::names().map(PossibleValue::new)))
    }
}
