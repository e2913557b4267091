//! Times as text: durations such as `1m 30s`, and the timestamps of answers.

use std::fmt::Write;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

const DAY: u64 = 24 * 60 * 60;

/// The units of a duration, largest first: how it is written, how else it is read, its nanoseconds.
const UNITS: [(&str, &[&str], u128); 8] = [
    ("w", &["week", "weeks"], 7 * DAY as u128 * 1_000_000_000),
    ("d", &["day", "days"], DAY as u128 * 1_000_000_000),
    ("h", &["hr", "hrs", "hour", "hours"], 3_600_000_000_000),
    ("m", &["min", "mins", "minute", "minutes"], 60_000_000_000),
    ("s", &["sec", "secs", "second", "seconds"], 1_000_000_000),
    ("ms", &["msec", "millis"], 1_000_000),
    ("us", &["usec", "micros", "µs"], 1_000),
    ("ns", &["nsec", "nanos"], 1),
];

/// Reads numbers with their units, such as `90s` and `1m 30s`.
fn parse_duration(text: &str) -> Option<Duration> {
    let mut rest = text.trim();
    let mut nanos = 0_u128;
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let digits = rest.find(|it: char| !it.is_ascii_digit())?;
        let number: u64 = rest[..digits].parse().ok()?;
        rest = rest[digits..].trim_start();
        let length = rest.find(|it: char| !it.is_alphabetic()).unwrap_or(rest.len());
        let (unit, after) = rest.split_at(length);
        let is_it =
            |(name, others, _): &&(&str, &[&str], u128)| *name == unit || others.contains(&unit);
        let (_, _, of_unit) = UNITS.iter().find(is_it)?;
        nanos = nanos.checked_add(u128::from(number).checked_mul(*of_unit)?)?;
        rest = after.trim_start();
    }
    let seconds = u64::try_from(nanos / 1_000_000_000).ok()?;
    Some(Duration::new(seconds, u32::try_from(nanos % 1_000_000_000).ok()?))
}

/// The value of a flag: a time such as `30s`; a bare number is seconds.
pub(crate) fn flag_duration(text: &str) -> Option<Duration> {
    const TEN_YEARS: Duration = Duration::from_secs(10 * 365 * DAY);
    let seconds = text.parse().ok().map(Duration::from_secs);
    let time = seconds.or_else(|| parse_duration(text))?;
    Some(time.min(TEN_YEARS))
}

/// Writes a duration as [`parse_duration`] reads it.
pub(crate) fn format_duration(time: Duration) -> String {
    let mut nanos = time.as_nanos();
    let mut text = String::new();
    for (name, _, of_unit) in UNITS {
        let number = nanos / of_unit;
        nanos %= of_unit;
        if number > 0 {
            let space = if text.is_empty() { "" } else { " " };
            let _ = write!(text, "{space}{number}{name}");
        }
    }
    if text.is_empty() { "0s".to_owned() } else { text }
}

/// The time now as RFC 3339 has it, in UTC and whole seconds.
pub(crate) fn now() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    timestamp(now.as_secs())
}

fn timestamp(seconds: u64) -> String {
    let (days, time) = (seconds / DAY, seconds % DAY);
    // A year that begins in March has its leap day at the end; 400 of them have 146 097 days.
    let days = days + 719_468;
    let (era, day) = (days / 146_097, days % 146_097);
    let year = (day - day / 1_460 + day / 36_524 - day / 146_096) / 365;
    let day = day - (365 * year + year / 4 - year / 100);
    let month = (5 * day + 2) / 153;
    let day = day - (153 * month + 2) / 5 + 1;
    let month = if month < 10 { month + 3 } else { month - 9 };
    let year = era * 400 + year + u64::from(month <= 2);
    let (hour, minute, second) = (time / 3600, time / 60 % 60, time % 60);
    format!("{year:04}-{month:02}-{day:02}T{hour:02}:{minute:02}:{second:02}Z")
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn durations_have_units() {
        let read = |text: &str| parse_duration(text).map(|time| time.as_millis());
        assert_eq!(read("30s"), Some(30_000));
        assert_eq!(read(" 1m 30s "), Some(90_000));
        assert_eq!(read("1h30min"), Some(5_400_000));
        assert_eq!(read("2 weeks"), Some(14 * 24 * 3_600_000));
        assert_eq!(read("250ms"), Some(250));
        for wrong in ["", " ", "s", "5", "5x", "-5s", "1.5s", "5s!", "99999999999999999999s", "٣s"]
        {
            assert_eq!(read(wrong), None, "{wrong}");
        }
        assert_eq!(parse_duration(&format!("{}w {}w", u64::MAX, u64::MAX)), None);
    }

    #[test]
    fn timestamps_know_leap_years() {
        for (seconds, text) in [
            (0, "1970-01-01T00:00:00Z"),
            (951_782_399, "2000-02-28T23:59:59Z"),
            (951_782_400, "2000-02-29T00:00:00Z"),
            (1_709_251_199, "2024-02-29T23:59:59Z"),
            (1_735_689_599, "2024-12-31T23:59:59Z"),
            (4_107_542_400, "2100-03-01T00:00:00Z"),
        ] {
            assert_eq!(timestamp(seconds), text);
        }
    }

    proptest! {
        #[test]
        fn a_duration_reads_as_it_is_written(seconds in 0..u64::MAX / 2, nanos in 0..1_000_000_000_u32) {
            let time = Duration::new(seconds, nanos);
            prop_assert_eq!(parse_duration(&format_duration(time)), Some(time));
        }

        #[test]
        fn no_text_breaks_it(text in ".{0,20}") {
            let _ = parse_duration(&text);
        }
    }
}
