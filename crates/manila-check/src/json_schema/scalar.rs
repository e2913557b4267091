//! Texts and numbers held against the keywords about them.

use super::Kind;
use super::judge::{Found, Judging};
use super::value::{compared, is_multiple};
use serde_json::{Map, Number, Value};
use std::cmp::Ordering;

impl<'v> Judging<'v> {
    pub(super) fn text(
        &self,
        keyword: &str,
        wanted: &'v Value,
        (value, text): (&'v Value, &str),
        found: &mut Found<'v>,
    ) {
        let limit = || wanted.as_u64().unwrap_or_default();
        let length = || u64::try_from(text.chars().count()).unwrap_or(u64::MAX);
        let characters = || if limit() == 1 { "character" } else { "characters" };
        match keyword {
            "pattern" => {
                let pattern = wanted.as_str().unwrap_or_default();
                let regex = self.validator.patterns.get(pattern);
                if regex.is_some_and(|regex| !regex.is_match(text)) {
                    let message = format!("it does not match \"{pattern}\"");
                    self.add(found, value, Kind::Pattern, message);
                }
            }
            "minLength" if length() < limit() => {
                self.other(
                    found,
                    value,
                    format!("it is shorter than {} {}", limit(), characters()),
                );
            }
            "maxLength" if length() > limit() => {
                self.other(found, value, format!("it is longer than {} {}", limit(), characters()));
            }
            _ => {}
        }
    }

    pub(super) fn number(
        &self,
        keyword: &str,
        wanted: &'v Value,
        beside: &Map<String, Value>,
        (value, number): (&'v Value, &Number),
        found: &mut Found<'v>,
    ) {
        let Value::Number(limit) = wanted else { return };
        let order = compared(number, limit);
        // Once `true` beside a limit said that the limit itself is too much.
        let is_exclusive = |keyword: &str| beside.get(keyword) == Some(&Value::Bool(true));
        let keyword = match keyword {
            "minimum" if is_exclusive("exclusiveMinimum") => "exclusiveMinimum",
            "maximum" if is_exclusive("exclusiveMaximum") => "exclusiveMaximum",
            keyword => keyword,
        };
        match keyword {
            "minimum" if order == Ordering::Less => {
                let message = format!("it is less than the minimum of {limit}");
                self.add(found, value, Kind::Minimum, message);
            }
            "maximum" if order == Ordering::Greater => {
                self.other(found, value, format!("it is greater than the maximum of {limit}"));
            }
            "exclusiveMinimum" if order != Ordering::Greater => {
                let message = format!("it is less than or equal to the minimum of {limit}");
                self.other(found, value, message);
            }
            "exclusiveMaximum" if order != Ordering::Less => {
                let message = format!("it is greater than or equal to the maximum of {limit}");
                self.other(found, value, message);
            }
            "multipleOf" if !is_multiple(number, limit) => {
                self.other(found, value, format!("it is not a multiple of {limit}"));
            }
            _ => {}
        }
    }
}
