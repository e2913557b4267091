//! The time at which a limit ends, where a program names one instead of a wait.

use crate::read::Streams;
use crate::read::stream::pointed;
use serde_json::Value;

const MINUTE_MS: u64 = 60_000;
const DAY_MS: u64 = 24 * 60 * MINUTE_MS;

/// When a limit ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reset {
    /// So many seconds after 1970.
    Epoch(u64),
    /// At this minute of a day in UTC, the next time the clock shows it.
    UtcMinute(u64),
}

impl Reset {
    /// How long that is from now, in milliseconds after 1970; `None` if it is over.
    pub fn wait_ms(self, now_ms: u64) -> Option<u64> {
        match self {
            Reset::Epoch(seconds) => seconds.checked_mul(1000)?.checked_sub(now_ms),
            Reset::UtcMinute(minute) => {
                Some((minute % (24 * 60) * MINUTE_MS + DAY_MS - now_ms % DAY_MS) % DAY_MS)
            }
        }
    }
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

/// `… limit reached|1763424000`, or `… · resets 11:19pm (UTC)`. A time without a zone is the program's
/// own, which is not known.
fn in_text(text: &str) -> Option<Reset> {
    if let Some((_, digits)) = text.rsplit_once('|')
        && digits.len() == 10
    {
        return digits.parse().ok().map(Reset::Epoch);
    }
    let (_, rest) = text.split_once("resets ")?;
    let (time, _) = rest.split_once(" (UTC)")?;
    let time = time.strip_prefix("at ").unwrap_or(time);
    let (clock, is_afternoon) = match time.strip_suffix("pm") {
        Some(clock) => (clock, true),
        None => (time.strip_suffix("am")?, false),
    };
    let (hour, minute) = clock.split_once(':').unwrap_or((clock, "0"));
    let (hour, minute): (u64, u64) = (hour.parse().ok()?, minute.parse().ok()?);
    let is_time = (1..=12).contains(&hour) && minute < 60;
    is_time.then(|| Reset::UtcMinute((hour % 12 + if is_afternoon { 12 } else { 0 }) * 60 + minute))
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
    }
}
