//! The time at which a limit ends, where a program names one instead of a wait.

use crate::read::Streams;
use crate::read::stream::pointed;
use jiff::civil::{Date, DateTime, Time};
use jiff::tz::TimeZone;
use jiff::{Timestamp, ToSpan};
use serde_json::Value;

const MONTHS: &[&str] =
    &["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/// What stands before the time at which a limit ends.
const BEFORE: &[&str] =
    &["resets ", "reset at ", "reset on ", "try again at ", "retry at ", "available at "];

/// When a limit ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reset {
    /// So many seconds after 1970.
    Epoch(i64),
    /// When a clock shows this time, on this day if one is named.
    Clock {
        /// The day.
        day: Option<Day>,
        /// The time of day.
        time: Time,
        /// The time zone by its name; `None` for that of this machine, where the program ran too.
        zone: Option<String>,
    },
}

/// A day as programs name it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Day {
    /// The year, if it is named.
    pub year: Option<i16>,
    /// The month, from 1.
    pub month: i8,
    /// The day of the month, from 1.
    pub day: i8,
}

impl Reset {
    /// How long that is from `now_ms`, in milliseconds after 1970; `None` if it is over or the zone is not known.
    pub fn wait_ms(&self, now_ms: u64) -> Option<u64> {
        let now = Timestamp::from_millisecond(i64::try_from(now_ms).ok()?).ok()?;
        let end = match self {
            Reset::Epoch(seconds) => Timestamp::from_second(*seconds).ok()?,
            Reset::Clock { day, time, zone } => {
                let zone = match zone.as_deref() {
                    None => TimeZone::system(),
                    Some("UTC" | "GMT") => TimeZone::UTC,
                    Some(name) => TimeZone::get(name).ok()?,
                };
                let local = zone.to_datetime(now);
                let end = match day {
                    None => next_time(local, *time)?,
                    Some(day) => next_day(local, *day)?.to_datetime(*time),
                };
                // The clock shows no seconds, so the minute that has begun is not over.
                let is_now = end <= local && local.date() == end.date() && is_minute(local, end);
                if is_now { now } else { zone.to_timestamp(end).ok()? }
            }
        };
        u64::try_from(end.as_millisecond() - now.as_millisecond()).ok()
    }
}

fn is_minute(one: DateTime, other: DateTime) -> bool {
    (one.hour(), one.minute()) == (other.hour(), other.minute())
}

/// The next moment at which the clock shows a time.
fn next_time(now: DateTime, time: Time) -> Option<DateTime> {
    let today = now.date().to_datetime(time);
    if today >= now || is_minute(now, today) {
        return Some(today);
    }
    today.checked_add(1.day()).ok()
}

/// The day that is meant: one that has just passed is over, and one of the year before is not meant.
fn next_day(now: DateTime, Day { year, month, day }: Day) -> Option<Date> {
    if let Some(year) = year {
        return Date::new(year, month, day).ok();
    }
    let years = [now.year() - 1, now.year(), now.year() + 1];
    let yesterday = now.date().yesterday().ok()?;
    years
        .into_iter()
        .filter_map(|year| Date::new(year, month, day).ok())
        .find(|date| *date >= yesterday)
}

/// The time that a run names, in a document or in its message.
pub(crate) fn stated(message: Option<&str>, streams: &Streams) -> Option<Reset> {
    let documents = || streams.stdout.documents().iter().rev();
    let in_document = documents().find_map(|document| {
        let values = pointed(document, "/rate_limit_info/resetsAt");
        values.into_iter().find_map(Value::as_i64).map(Reset::Epoch)
    });
    in_document.or_else(|| in_text(message?))
}

/// `… limit reached|1763424000`, `… resets 11:19pm (UTC)`, `… resets Nov 20 at 3pm (Europe/Berlin)`,
/// `… try again at May 18th, 2033 3:33 AM.`, or `… reset at 2026-11-18T15:00:00Z`.
fn in_text(text: &str) -> Option<Reset> {
    if let Some((_, digits)) = text.rsplit_once('|')
        && digits.len() == 10
    {
        return digits.parse().ok().map(Reset::Epoch);
    }
    let rest = BEFORE.iter().find_map(|before| Some(text.split_once(before)?.1))?;
    let rest = rest.strip_prefix("at ").or_else(|| rest.strip_prefix("on ")).unwrap_or(rest);
    let token = rest.split_whitespace().next()?.trim_end_matches(['.', ',', ';', ')']);
    if let Ok(moment) = token.parse::<Timestamp>() {
        return Some(Reset::Epoch(moment.as_second()));
    }
    let (day, rest) = match named_day(rest) {
        Some((day, rest)) => (Some(day), rest),
        None => (None, rest),
    };
    let (time, rest) = time_of_day(rest)?;
    Some(Reset::Clock { day, time, zone: zone_after(rest)? })
}

/// `Nov 20 at `, `Jan 2, `, `May 18th, 2033 `: the day, and what follows.
fn named_day(text: &str) -> Option<(Day, &str)> {
    let month = MONTHS.iter().position(|name| text.starts_with(name))?;
    let rest = text.trim_start_matches(|c: char| c.is_ascii_alphabetic() || c == '.');
    let (day, rest) = number(rest.trim_start())?;
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_alphabetic());
    let rest = rest.trim_start_matches([',', ' ']);
    let (year, rest) = match number(rest) {
        Some((year, after)) if (1970..=9999).contains(&year) => (Some(year), after),
        _ => (None, rest),
    };
    let rest = rest.trim_start_matches([',', ' ']);
    let rest = rest.strip_prefix("at ").unwrap_or(rest);
    let (month, day) = (i8::try_from(month + 1).ok()?, i8::try_from(day).ok()?);
    (1..=31).contains(&day).then_some((Day { year, month, day }, rest))
}

/// `11:19pm`, `3 AM`, `15:04`, `15:04:05`: the time, and what follows.
fn time_of_day(text: &str) -> Option<(Time, &str)> {
    let (hour, rest) = number(text)?;
    let (minute, rest) = match rest.strip_prefix(':').and_then(number) {
        Some((minute, rest)) => (Some(minute), rest),
        None => (None, rest),
    };
    let (second, rest) = rest.strip_prefix(':').and_then(number).unwrap_or((0, rest));
    let (half, after) = rest.trim_start().split_at_checked(2).unwrap_or_default();
    let (hour, rest) = match half.to_ascii_lowercase().as_str() {
        "am" if (1..=12).contains(&hour) => (hour % 12, after),
        "pm" if (1..=12).contains(&hour) => (hour % 12 + 12, after),
        "am" | "pm" => return None,
        // A bare number is not a time.
        _ => minute.map(|_| (hour, rest))?,
    };
    let part = |number: i16| i8::try_from(number).ok();
    let time = Time::new(part(hour)?, part(minute.unwrap_or(0))?, part(second)?, 0).ok()?;
    Some((time, rest))
}

/// The zone after a time. Without one it is that of this machine; `PST` and the like could be several, so that
/// nothing is known.
#[expect(clippy::option_option, reason = "no zone is not an unknown zone")]
fn zone_after(text: &str) -> Option<Option<String>> {
    let text = text.trim_start();
    if let Some(rest) = text.strip_prefix('(') {
        let name = rest.split_once(')')?.0.trim();
        let is_name = |c: char| c.is_ascii_alphanumeric() || "/_+-".contains(c);
        let is_known = name.contains('/') || matches!(name, "UTC" | "GMT");
        return (is_known && name.chars().all(is_name)).then(|| Some(name.to_owned()));
    }
    let word: String = text.chars().take_while(char::is_ascii_alphabetic).collect();
    match word.as_str() {
        "UTC" | "GMT" => Some(Some(word)),
        _ if word.len() > 1 && word.chars().all(|c| c.is_ascii_uppercase()) => None,
        _ => Some(None),
    }
}

/// The number that a text begins with, and what follows.
fn number(text: &str) -> Option<(i16, &str)> {
    let digits = text.bytes().take_while(u8::is_ascii_digit).count();
    Some((text[..digits].parse().ok()?, &text[digits..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE_MS: u64 = 60_000;
    const HOUR_MS: u64 = 60 * MINUTE_MS;
    const DAY_MS: u64 = 24 * HOUR_MS;
    /// 2026-11-18T12:00:00Z
    const NOW: u64 = 1_795_003_200_000;

    fn clock(hour: i8, minute: i8, zone: Option<&str>) -> Option<Reset> {
        let time = Time::new(hour, minute, 0, 0).unwrap();
        Some(Reset::Clock { day: None, time, zone: zone.map(str::to_owned) })
    }

    fn on(year: Option<i16>, month: i8, day: i8, reset: Option<Reset>) -> Option<Reset> {
        match reset? {
            Reset::Clock { time, zone, .. } => {
                Some(Reset::Clock { day: Some(Day { year, month, day }), time, zone })
            }
            Reset::Epoch(_) => None,
        }
    }

    #[test]
    fn times_are_read_with_their_day_and_zone() {
        for (text, reset) in [
            ("Claude AI usage limit reached|1763424000", Some(Reset::Epoch(1_763_424_000))),
            ("You've hit your limit · resets 11:19pm (UTC)", clock(23, 19, Some("UTC"))),
            ("You've hit your limit · resets 12am (UTC)", clock(0, 0, Some("UTC"))),
            ("limit · resets 1pm (Europe/Lisbon)", clock(13, 0, Some("Europe/Lisbon"))),
            ("5-hour limit reached ∙ resets 5pm", clock(17, 0, None)),
            ("or try again at 12:16 PM.", clock(12, 16, None)),
            ("try again at 3:33 AM or upgrade", clock(3, 33, None)),
            ("try again at May 18th, 2033 3:33 AM.", on(Some(2033), 5, 18, clock(3, 33, None))),
            ("resets Nov 20 at 3pm (UTC)", on(None, 11, 20, clock(15, 0, Some("UTC")))),
            ("resets Jan 2, 12:30am (UTC)", on(None, 1, 2, clock(0, 30, Some("UTC")))),
            ("will reset at 15:04 UTC", clock(15, 4, Some("UTC"))),
            ("will reset at 2026-11-18T15:00:00Z.", Some(Reset::Epoch(1_795_014_000))),
            ("will reset at 15:04 PST", None),
            ("resets 25:99pm (UTC)", None),
            ("resets 5", None),
            ("resets 5pm (soon)", None),
            ("resets Nov 32 at 3pm (UTC)", None),
            ("resets daily", None),
            ("resets ", None),
        ] {
            assert_eq!(in_text(text), reset, "{text}");
        }
    }

    #[test]
    fn a_wait_ends_at_the_next_such_time() {
        let wait = |text: &str| in_text(text).and_then(|reset| reset.wait_ms(NOW));
        assert_eq!(wait("resets 1pm (UTC)"), Some(HOUR_MS));
        assert_eq!(wait("resets 11am (UTC)"), Some(23 * HOUR_MS));
        assert_eq!(wait("resets 12pm (UTC)"), Some(0));
        assert_eq!(in_text("resets 12pm (UTC)").unwrap().wait_ms(NOW + 30_000), Some(0));
        assert_eq!(wait("limit|1795003205"), Some(5000));
        assert_eq!(wait("limit|1795003195"), None);
        assert_eq!(wait("resets Nov 20 at 3pm (UTC)"), Some(2 * DAY_MS + 3 * HOUR_MS));
        assert_eq!(wait("resets Jan 2 at 3pm (UTC)"), Some(45 * DAY_MS + 3 * HOUR_MS));
        assert_eq!(wait("resets Mar 1 at 3pm (UTC)"), Some(103 * DAY_MS + 3 * HOUR_MS));
        assert_eq!(wait("resets Nov 18 at 1am (UTC)"), None);
        assert_eq!(wait("resets Feb 30 at 1am (UTC)"), None);
    }

    #[test]
    fn a_named_zone_has_its_own_clock() {
        if TimeZone::get("Europe/Berlin").is_err() {
            let _ = std::io::Write::write_all(
                &mut std::io::stderr(),
                b"SKIPPED: this system has no time zones\n",
            );
            return;
        }
        let wait = |text: &str| in_text(text).and_then(|reset| reset.wait_ms(NOW));
        // Noon in UTC is one o'clock in Berlin, and seven in the morning in New York.
        assert_eq!(wait("resets 5pm (Europe/Berlin)"), Some(4 * HOUR_MS));
        assert_eq!(wait("resets 6am (America/New_York)"), Some(23 * HOUR_MS));
        assert_eq!(wait("resets 5pm (Europe/Atlantis)"), None);
    }
}
