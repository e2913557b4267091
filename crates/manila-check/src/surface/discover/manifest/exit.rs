//! The exit statuses and error codes that a description names.

use super::entry::{elements, first};
use serde_json::{Map, Value};

const STATUSES: &[&str] =
    &["exit_codes", "exitCodes", "exits", "exit_statuses", "exitStatuses", "exit_status", "exit"];
const ERRORS: &[&str] =
    &["errors", "error_codes", "errorCodes", "failures", "error_kinds", "errorKinds"];
const NUMBERS: &[&str] =
    &["exit_code", "exitCode", "exit", "exit_status", "number", "code", "value", "status"];
const NAMES: &[&str] = &["code", "kind", "error_code", "errorCode", "name", "id", "error", "type"];

/// What ends a command, as far as it is said.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Exits {
    pub statuses: Vec<i32>,
    pub codes: Vec<String>,
}

impl Exits {
    /// What this object says.
    pub(super) fn of(object: &Map<String, Value>) -> Exits {
        let mut exits = Exits::default();
        for (key, one) in first(object, STATUSES).map(elements).unwrap_or_default() {
            let inner = one.as_object().and_then(|it| first(it, NUMBERS)).and_then(number);
            let of_key = key.and_then(|key| key.parse().ok());
            exits.statuses.extend(of_key.or_else(|| number(one)).or(inner));
            let codes =
                one.as_object().and_then(|it| first(it, &["codes", "errors", "error_codes"]));
            exits.codes.extend(
                codes
                    .map(elements)
                    .unwrap_or_default()
                    .iter()
                    .filter_map(|(_, code)| Some(code.as_str()?.to_owned())),
            );
        }
        for (key, one) in first(object, ERRORS).map(elements).unwrap_or_default() {
            let name =
                one.as_object().and_then(|it| NAMES.iter().find_map(|key| it.get(*key)?.as_str()));
            exits.codes.extend(name.or(key).or_else(|| one.as_str()).map(str::to_owned));
            let status =
                one.as_object().and_then(|it| NUMBERS.iter().find_map(|key| number(it.get(*key)?)));
            exits.statuses.extend(status.or_else(|| key.and_then(|_| number(one))));
        }
        exits.settle();
        exits
    }

    /// With what another object says too.
    pub(super) fn and(mut self, other: &Exits) -> Exits {
        self.statuses.extend(&other.statuses);
        self.codes.extend(other.codes.iter().cloned());
        self.settle();
        self
    }

    /// Success needs no declaration.
    fn settle(&mut self) {
        if !self.statuses.is_empty() {
            self.statuses.push(0);
        }
        self.statuses.sort_unstable();
        self.statuses.dedup();
        self.codes.sort();
        self.codes.dedup();
    }
}

fn number(value: &Value) -> Option<i32> {
    let number = value.as_i64().or_else(|| value.as_str()?.parse().ok())?;
    i32::try_from(number).ok().filter(|it| (0..256).contains(it))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn every_way_to_say_it() {
        for (value, statuses, codes) in [
            (
                json!({"exit_codes": {"0": {"name": "SUCCESS"}, "5": {"codes": ["NOT_FOUND"]}}}),
                &[0, 5][..],
                &["NOT_FOUND"][..],
            ),
            (json!({"exitCodes": [{"code": 2, "description": "x"}]}), &[0, 2], &[]),
            (json!({"exit_codes": {"usage": 2, "missing": {"code": 4}}}), &[0, 2, 4], &[]),
            (json!({"exit_codes": [0, 1]}), &[0, 1], &[]),
            (json!({"errors": [{"kind": "not_found", "exit_code": 4}]}), &[0, 4], &["not_found"]),
            (json!({"errors": {"not_found": {"exit_code": 4}}}), &[0, 4], &["not_found"]),
            (json!({"error_codes": ["A", "B"]}), &[], &["A", "B"]),
            (json!({"exit_codes": "all of them", "errors": 7}), &[], &[]),
        ] {
            let exits = value.as_object().map(Exits::of).unwrap_or_default();
            assert_eq!(exits.statuses, statuses, "{value}");
            assert_eq!(exits.codes, codes, "{value}");
        }
    }
}
