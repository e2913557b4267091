//! How urgent a task is: 4 is urgent for programs, p1 for people.

use anstyle::{AnsiColor, Style};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How urgent a task is.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(try_from = "u8")]
pub(crate) struct Priority(#[schemars(range(min = 1, max = 4))] u8);

const ALLOWED: &str = "p1 (urgent) to p4, or as in JSON: 4 (urgent) to 1";

impl Default for Priority {
    fn default() -> Priority {
        Priority(1)
    }
}

impl TryFrom<u8> for Priority {
    type Error = String;

    fn try_from(number: u8) -> Result<Priority, String> {
        let is_one = (1..=4).contains(&number);
        is_one.then_some(Priority(number)).ok_or_else(|| format!("a priority is {ALLOWED}"))
    }
}

impl FromStr for Priority {
    type Err = String;

    fn from_str(word: &str) -> Result<Priority, String> {
        let (turned, digits) = match word.strip_prefix(['p', 'P']) {
            Some(digits) => (true, digits),
            None => (false, word),
        };
        let number: u8 = digits.parse().map_err(|_| format!("a priority is {ALLOWED}"))?;
        let priority = Priority::try_from(number)?;
        Ok(if turned { Priority(5 - number) } else { priority })
    }
}

impl Priority {
    /// How it looks beside others.
    pub(crate) fn style(self) -> Style {
        match self.0 {
            4 => AnsiColor::Red.on_default().bold(),
            3 => AnsiColor::Yellow.on_default(),
            2 => AnsiColor::Blue.on_default(),
            _ => Style::new(),
        }
    }
}

/// As people say it.
impl fmt::Display for Priority {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "p{}", 5 - self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_and_programs_count_in_opposite_directions() {
        for (word, number, shown) in
            [("p1", 4, "p1"), ("4", 4, "p1"), ("P4", 1, "p4"), ("1", 1, "p4"), ("2", 2, "p3")]
        {
            let priority: Priority = word.parse().unwrap();
            assert_eq!((priority.0, &*priority.to_string()), (number, shown), "{word}");
        }
    }

    #[test]
    fn there_are_four() {
        for word in ["", "p", "0", "5", "p0", "p5", "-1", "256", "pp1", "high"] {
            assert!(word.parse::<Priority>().is_err(), "{word:?}");
        }
        assert!(serde_json::from_str::<Priority>("5").is_err());
    }
}
