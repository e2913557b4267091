//! When a task is due: from words to a date, and from a date to words.

use jiff::civil::{Date, Weekday};
use jiff::{Span, ToSpan};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What can be said of a due date.
pub(crate) const ALLOWED: &str =
    "today, tomorrow, a weekday such as friday, or a date such as 2026-12-31";

const WEEKDAYS: [(&str, Weekday); 7] = [
    ("monday", Weekday::Monday),
    ("tuesday", Weekday::Tuesday),
    ("wednesday", Weekday::Wednesday),
    ("thursday", Weekday::Thursday),
    ("friday", Weekday::Friday),
    ("saturday", Weekday::Saturday),
    ("sunday", Weekday::Sunday),
];

/// The day on which a task is due.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Due {
    /// The day, as 2026-12-31
    #[schemars(with = "String")]
    pub(crate) date: Date,
    /// What was typed
    pub(crate) string: String,
}

impl Due {
    /// The day that a text names, if it names one.
    pub(crate) fn parse(text: &str, today: Date) -> Option<Due> {
        let word = text.trim().to_lowercase();
        let date = match word.as_str() {
            "today" => today,
            "tomorrow" => after(today, 1.day())?,
            word => match weekday(word) {
                // Today has a word of its own, so its weekday is the one to come.
                Some(weekday) => today.nth_weekday(1, weekday).ok()?,
                None => Date::strptime("%Y-%m-%d", word).ok()?,
            },
        };
        Some(Due { date, string: text.trim().to_owned() })
    }

    pub(crate) fn is_overdue(&self, today: Date) -> bool {
        self.date < today
    }

    /// The day as people say it.
    pub(crate) fn in_words(&self, today: Date) -> String {
        let date = self.date;
        if self.is_overdue(today) {
            return format!("{date} overdue");
        }
        if date == today {
            return "today".to_owned();
        }
        if Some(date) == after(today, 1.day()) {
            return "tomorrow".to_owned();
        }
        match after(today, 7.days()) {
            Some(week) if date < week => date.strftime("%A").to_string(),
            _ => date.to_string(),
        }
    }
}

fn after(today: Date, span: Span) -> Option<Date> {
    today.checked_add(span).ok()
}

/// The weekday that a word names; its first three letters will do.
fn weekday(word: &str) -> Option<Weekday> {
    let is_named = |name: &str| word.len() >= 3 && name.starts_with(word);
    WEEKDAYS.into_iter().find(|(name, _)| is_named(name)).map(|(_, weekday)| weekday)
}

#[cfg(test)]
mod tests {
    use super::*;
    use jiff::civil::date;

    const MONDAY: Date = date(2026, 11, 16);

    fn day(text: &str) -> Option<Date> {
        Due::parse(text, MONDAY).map(|due| due.date)
    }

    #[test]
    fn words_name_days() {
        assert_eq!(day("today"), Some(MONDAY));
        assert_eq!(day(" Tomorrow "), Some(date(2026, 11, 17)));
        assert_eq!(day("wed"), Some(date(2026, 11, 18)));
        assert_eq!(day("Sunday"), Some(date(2026, 11, 22)));
        assert_eq!(day("monday"), Some(date(2026, 11, 23)));
        assert_eq!(day("2027-02-28"), Some(date(2027, 2, 28)));
    }

    #[test]
    fn other_words_do_not() {
        for text in ["", "t", "mo", "mondays", "2026-02-30", "2026-13-01", "16.11.2026", "1"] {
            assert_eq!(day(text), None, "{text:?}");
        }
        assert_eq!(Due::parse("tomorrow", Date::MAX), None);
        assert_eq!(Due::parse("friday", Date::MAX), None);
    }

    #[test]
    fn days_have_words() {
        let words = |day: Date| Due { date: day, string: String::new() }.in_words(MONDAY);
        assert_eq!(words(date(2026, 11, 15)), "2026-11-15 overdue");
        assert_eq!(words(MONDAY), "today");
        assert_eq!(words(date(2026, 11, 17)), "tomorrow");
        assert_eq!(words(date(2026, 11, 22)), "Sunday");
        assert_eq!(words(date(2026, 11, 23)), "2026-11-23");
        assert_eq!(Due { date: Date::MAX, string: String::new() }.in_words(Date::MAX), "today");
    }
}
