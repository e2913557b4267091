//! The time at which a limit ends, where a program names one instead of a wait.

use crate::read::Streams;
use crate::read::stream::pointed;
use serde_json::Value;

const MINUTE_MS: u64 = 60_000;
const DAY_MS: u64 = 24 * 60 * MINUTE_MS;
const DAYS_OF_400_YEARS: u64 = 146_097;
/// From the first of March of the year 0, counted from 1.
const DAYS_TO_1970: u64 = 719_469;
const MONTHS: &[&str] =
    &["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// When a limit ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reset {
    /// So many seconds after 1970.
    Epoch(u64),
    /// At this minute of a day in UTC, the next time the clock shows it.
    UtcMinute(u64),
    /// At this minute of a day of a month (from 1) in UTC, the next time it comes.
    UtcDate {
        /// The month, from 1.
        month: u64,
        /// The day, from 1.
        day: u64,
        /// The minute of the day.
        minute: u64,
    },
}

impl Reset {
    /// How long that is from now, in milliseconds after 1970; `None` if it is over.
    pub fn wait_ms(self, now_ms: u64) -> Option<u64> {
        match self {
            Reset::Epoch(seconds) => seconds.checked_mul(1000)?.checked_sub(now_ms),
            Reset::UtcMinute(minute) => {
                Some((minute % (24 * 60) * MINUTE_MS + DAY_MS - now_ms % DAY_MS) % DAY_MS)
            }
            Reset::UtcDate { month, day, minute } => {
                let year = 1970 + now_ms / DAY_MS * 400 / DAYS_OF_400_YEARS;
                // A date that has just passed is over, one of the year before is not meant.
                let at = |year| days(year, month, day) * DAY_MS + minute * MINUTE_MS;
                let next = [year - 1, year, year + 1]
                    .map(at)
                    .into_iter()
                    .find(|at| *at + DAY_MS > now_ms)?;
                next.checked_sub(now_ms)
            }
        }
    }
}

/// The days from 1970 to a date.
fn days(year: u64, month: u64, day: u64) -> u64 {
    // Years that begin in March have their leap day at the end.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let leap_days = year / 4 - year / 100 + year / 400;
    (year * 365 + leap_days + (month * 153 + 2) / 5 + day).saturating_sub(DAYS_TO_1970)
}

/// The time that a run names, in a document or in its message.
pub(crate) fn stated(message: Option<&str>, streams: &Streams) -> Option<Reset> {
    let documents = || streams.stdout.documents().iter().rev();
    let in_document = documents().find_map(|document| {
        let values = pointed(document, "/rate_limit_info/resetsAt");
        values.into_iter().find_map(Value::as_u64).map(Reset::Epoch)
    });
    in_document.or_else(|| in_text(message?))
}

/// `… limit reached|1763424000`, `… · resets 11:19pm (UTC)`, or `… · resets Nov 20 at 3pm (UTC)`. A time without a zone is the program's
/// own, which is not known.
fn in_text(text: &str) -> Option<Reset> {
    if let Some((_, digits)) = text.rsplit_once('|')
        && digits.len() == 10
    {
        return digits.parse().ok().map(Reset::Epoch);
    }
    let (_, rest) = text.split_once("resets ")?;
    let (time, _) = rest.split_once(" (UTC)")?;
    let Some((month, rest)) = MONTHS
        .iter()
        .zip(1..)
        .find_map(|(name, month)| Some((month, time.strip_prefix(name)?.strip_prefix(' ')?)))
    else {
        return minute_of_day(time.strip_prefix("at ").unwrap_or(time)).map(Reset::UtcMinute);
    };
    let (day, time) = rest.split_once(" at ").or_else(|| rest.split_once(", "))?;
    let day = day.parse().ok().filter(|day| (1..=31).contains(day))?;
    Some(Reset::UtcDate { month, day, minute: minute_of_day(time)? })
}

/// `11:19pm`, `3am`.
fn minute_of_day(time: &str) -> Option<u64> {
    let (clock, is_afternoon) = match time.strip_suffix("pm") {
        Some(clock) => (clock, true),
        None => (time.strip_suffix("am")?, false),
    };
    let (hour, minute) = clock.split_once(':').unwrap_or((clock, "0"));
    let (hour, minute): (u64, u64) = (hour.parse().ok()?, minute.parse().ok()?);
    let is_time = (1..=12).contains(&hour) && minute < 60;
    is_time.then(|| (hour % 12 + if is_afternoon { 12 } else { 0 }) * 60 + minute)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_where_their_zone_is_known() {
        for (text, reset) in [
            ("Claude AI usage limit reached|1763424000", Some(Reset::Epoch(1_763_424_000))),
            ("You've hit your limit · resets 11:19pm (UTC)", Some(Reset::UtcMinute(23 * 60 + 19))),
            ("You've hit your limit · resets 12am (UTC)", Some(Reset::UtcMinute(0))),
            ("You've hit your limit · resets 1pm (Europe/Lisbon)", None),
            ("try again at May 18th, 2033 3:33 AM.", None),
            ("resets 25:99pm (UTC)", None),
            (
                "You've hit your weekly limit · resets Nov 20 at 3pm (UTC)",
                Some(Reset::UtcDate { month: 11, day: 20, minute: 15 * 60 }),
            ),
            (
                "limit · resets Jan 2, 12:30am (UTC)",
                Some(Reset::UtcDate { month: 1, day: 2, minute: 30 }),
            ),
            ("limit · resets Nov 32 at 3pm (UTC)", None),
        ] {
            assert_eq!(in_text(text), reset, "{text}");
        }
    }

    #[test]
    fn a_wait_ends_at_the_next_such_time() {
        let noon = 10 * DAY_MS + 12 * 60 * MINUTE_MS;
        assert_eq!(Reset::UtcMinute(13 * 60).wait_ms(noon), Some(60 * MINUTE_MS));
        assert_eq!(Reset::UtcMinute(11 * 60).wait_ms(noon), Some(23 * 60 * MINUTE_MS));
        assert_eq!(Reset::Epoch(noon / 1000 + 5).wait_ms(noon), Some(5000));
        assert_eq!(Reset::Epoch(noon / 1000 - 5).wait_ms(noon), None);
        // 2026-11-18T12:00:00Z
        let now = 1_795_003_200_000;
        let date = |month, day| Reset::UtcDate { month, day, minute: 15 * 60 }.wait_ms(now);
        assert_eq!(date(11, 20), Some(2 * DAY_MS + 3 * 60 * MINUTE_MS));
        assert_eq!(date(1, 2), Some(45 * DAY_MS + 3 * 60 * MINUTE_MS));
        assert_eq!(date(3, 1), Some(103 * DAY_MS + 3 * 60 * MINUTE_MS));
        assert_eq!(Reset::UtcDate { month: 11, day: 18, minute: 0 }.wait_ms(now), None);
    }
}
