//! Times as people write them, such as `500ms`, `30s` or `5m`, and moments as logs write them.

use jiff::fmt::friendly::SpanPrinter;
use jiff::{SignedDuration, Span, SpanRelativeTo, Timestamp};
use std::time::{Duration, SystemTime};

/// What a text that is not a time should have been.
pub const EXPECTED: &str = "a time such as 500ms, 30s or 5m";

/// Reads a time: a number with its unit, or several of them. A day has 24 hours.
pub fn parse(text: &str) -> Option<Duration> {
    // Days are not part of a duration to jiff, and a span is shorter than a duration can be.
    let days = || {
        let span: Span = text.parse().ok()?;
        span.to_duration(SpanRelativeTo::days_are_24_hours()).ok()
    };
    text.parse::<SignedDuration>().ok().or_else(days)?.try_into().ok()
}

/// Writes a time as [`parse`] reads it.
pub fn format(duration: Duration) -> String {
    // Longer than the universe is old.
    let duration = SignedDuration::try_from(duration).unwrap_or(SignedDuration::MAX);
    SpanPrinter::new().duration_to_string(&duration)
}

/// A moment in UTC, to the millisecond.
pub(crate) fn moment(time: SystemTime) -> String {
    Timestamp::try_from(time).map_or_else(|_| String::new(), |time| format!("{time:.3}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_read_and_written_as_people_write_them() {
        for (text, millis) in [
            ("500ms", 500),
            ("30s", 30_000),
            ("5m", 300_000),
            ("1h 30m", 5_400_000),
            ("1m30s", 90_000),
            ("7d", 604_800_000),
            ("1.5s", 1_500),
            ("0s", 0),
            ("9007199254740s", 9_007_199_254_740_000),
        ] {
            let read = parse(text);
            assert_eq!(read, Some(Duration::from_millis(millis)), "{text}");
            assert_eq!(parse(&format(read.unwrap_or_default())), read, "{text}");
        }
        for text in ["", "5", "m", "5 parsecs", "-5s", "5s later", "1e9s", "18446744073709551615s"]
        {
            assert_eq!(parse(text), None, "{text}");
        }
        assert_eq!(format(Duration::from_secs(125)), "2m 5s");
        assert_eq!(format(Duration::from_millis(1_500)), "1s 500ms");
        assert!(!format(Duration::MAX).is_empty());
    }

    #[test]
    fn a_moment_has_milliseconds() {
        assert_eq!(moment(SystemTime::UNIX_EPOCH), "1970-01-01T00:00:00.000Z");
    }
}
