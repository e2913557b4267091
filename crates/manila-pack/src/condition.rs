//! Whether a call is one that a rule describes.

use crate::call::{Call, is_program};
use crate::model::{EffectRule, Position, Script};
use crate::pattern::any_word_matches;
use crate::script::{awk_is_pure, sed_is_pure};
use crate::sql::sql_is_pure;
use crate::text::Text;
use crate::tri::Tri;

/// Whether the call is one of those that an effect rule describes.
pub(crate) fn describes(rule: &EffectRule<'_>, call: &Call<'_, '_>) -> Tri {
    if !is_program(&rule.program, call.program) {
        return Tri::No;
    }
    let holds = command(rule, call);
    if holds == Tri::No {
        return Tri::No;
    }
    let accepts = |value: Option<&str>| accepts(rule, value);
    let flag = match rule.flag.as_slice() {
        [] => Tri::Yes,
        flags => call.has(flags, rule.position, accepts),
    };
    let without = call.has(&rule.without, Position::Any, |_| Tri::Yes).not();
    let without = if rule.without.is_empty() { Tri::Yes } else { without };
    let only = rule.only.as_ref().map_or(Tri::Yes, |allowed| call.has_only(allowed));
    let script = rule.script.map_or(Tri::Yes, |language| script(language, rule, call));
    holds.and(flag).and(without).and(only).and(script)
}

/// Whether the script of a call does nothing but print.
fn script(language: Script, rule: &EffectRule<'_>, call: &Call<'_, '_>) -> Tri {
    match language {
        Script::Awk => call.words.first().is_some_and(|word| awk_is_pure(word.text)).into(),
        Script::Sql if rule.arguments.is_some() => {
            call.words.get(1).is_some_and(|word| sql_is_pure(word.text)).into()
        }
        Script::Sql => {
            let is_pure = |value: Option<&str>| Tri::from(value.is_some_and(sql_is_pure));
            call.has(&rule.flag, Position::Any, is_pure)
        }
        Script::Sed => {
            let options = [Text::from("-e"), Text::from("--expression")];
            let is_pure = |value: Option<&str>| Tri::from(value.is_some_and(sed_is_pure));
            match call.has(&options, Position::Any, |_| Tri::Yes) {
                Tri::No => call.words.first().is_some_and(|word| sed_is_pure(word.text)).into(),
                _ => call.has(&options, Position::Any, is_pure),
            }
        }
    }
}

fn accepts(rule: &EffectRule<'_>, value: Option<&str>) -> Tri {
    let (wanted, unwanted) = (&rule.flag_value, &rule.flag_value_except);
    if wanted.is_empty() && unwanted.is_empty() {
        return Tri::Yes;
    }
    // Without a value the program reports an error, or the value is not visible.
    let Some(value) = value else { return Tri::Maybe };
    let is_wanted = wanted.is_empty() || any_word_matches(wanted, value, true);
    (is_wanted && !any_word_matches(unwanted, value, true)).into()
}

/// The command words, and what follows them.
fn command(rule: &EffectRule<'_>, call: &Call<'_, '_>) -> Tri {
    let mut found = Tri::No;
    for (is_it, count) in call.command(&rule.command) {
        if is_it == Tri::No {
            continue;
        }
        let arguments = rule.arguments.as_deref().map_or(Tri::Yes, |wanted| {
            Count::parse(wanted).map_or(Tri::No, |wanted| wanted.holds(call.arguments_after(count)))
        });
        let argument = match rule.argument.as_slice() {
            [] => Tri::Yes,
            patterns => call.has_argument(count, patterns),
        };
        found = found.or(is_it.and(arguments).and(argument));
    }
    found
}

/// Whether the call is one of these commands, or may be.
pub(crate) fn may_be(
    program: &[Text<'_>],
    command: &[Text<'_>],
    flag: &[Text<'_>],
    call: &Call<'_, '_>,
) -> bool {
    is_program(program, call.program)
        && call.command(command).any(|(tri, _)| tri != Tri::No)
        && (flag.is_empty() || call.has(flag, Position::Any, |_| Tri::Yes) != Tri::No)
}

/// A number of words: `0`, `1`, `2+`, `0-1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Count {
    least: usize,
    most: Option<usize>,
}

impl Count {
    pub(crate) fn parse(text: &str) -> Option<Count> {
        if let Some(least) = text.strip_suffix('+') {
            return Some(Count { least: least.parse().ok()?, most: None });
        }
        let (least, most) = text.split_once('-').unwrap_or((text, text));
        let (least, most) = (least.parse().ok()?, most.parse().ok()?);
        (least <= most).then_some(Count { least, most: Some(most) })
    }

    /// Whether a number between these is one.
    fn holds(self, (least, most): (usize, Option<usize>)) -> Tri {
        let is_below = self.most.is_some_and(|limit| least > limit);
        let is_above = most.is_some_and(|most| most < self.least);
        if is_below || is_above {
            return Tri::No;
        }
        let surely = least >= self.least
            && self.most.is_none_or(|limit| most.is_some_and(|most| most <= limit));
        if surely { Tri::Yes } else { Tri::Maybe }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_are_ranges() {
        let count = |text| Count::parse(text).expect("a count");
        assert_eq!(count("0").holds((0, Some(0))), Tri::Yes);
        assert_eq!(count("0").holds((0, Some(1))), Tri::Maybe);
        assert_eq!(count("2+").holds((2, None)), Tri::Yes);
        assert_eq!(count("0-1").holds((2, Some(3))), Tri::No);
        assert_eq!(count("0-1").holds((1, None)), Tri::Maybe);
        assert_eq!(Count::parse("3-1"), None);
        assert_eq!(Count::parse("some"), None);
    }
}
