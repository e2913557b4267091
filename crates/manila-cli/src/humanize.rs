//! Numbers as people read them: counts, sizes, shares and times.

use std::time::Duration;

/// A number with its thousands apart.
pub(crate) fn count(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.char_indices() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A number of things, in words: `1 record`, `2 records`.
pub(crate) fn things(number: u64, one: &str, many: &str) -> String {
    format!("{} {}", count(number), if number == 1 { one } else { many })
}

/// A size in the unit that suits it.
pub(crate) fn size(bytes: u64) -> String {
    const UNITS: [&str; 5] = ["kB", "MB", "GB", "TB", "PB"];
    if bytes < 1000 {
        return things(bytes, "byte", "bytes");
    }
    let (mut whole, mut tenths, mut unit) = (bytes / 1000, bytes % 1000 / 100, 0);
    while whole >= 1000 && unit + 1 < UNITS.len() {
        (whole, tenths, unit) = (whole / 1000, whole % 1000 / 100, unit + 1);
    }
    if whole < 100 {
        format!("{whole}.{tenths} {}", UNITS[unit])
    } else {
        format!("{} {}", count(whole), UNITS[unit])
    }
}

/// How much there would be in a second.
pub(crate) fn rate(amount: u64, time: Duration) -> u64 {
    let nanos = time.as_nanos().max(1);
    u64::try_from(u128::from(amount) * 1_000_000_000 / nanos).unwrap_or(u64::MAX)
}

/// A time as precise as anyone wants to know it.
pub(crate) fn time(time: Duration) -> String {
    match time.as_secs() {
        0 => format!("{} ms", time.as_millis()),
        seconds @ 1..10 => format!("{seconds}.{} s", time.subsec_millis() / 100),
        seconds @ 10..60 => format!("{seconds} s"),
        seconds @ 60..3600 => format!("{} min {} s", seconds / 60, seconds % 60),
        seconds => format!("{} h {} min", seconds / 3600, seconds % 3600 / 60),
    }
}

/// A part of a whole, in percent; what is not nothing is never shown as nothing.
pub(crate) fn share(part: u64, whole: u64) -> String {
    if part == 0 || whole == 0 {
        return "0 %".to_owned();
    }
    let tenths = u128::from(part) * 1000 / u128::from(whole);
    match tenths {
        0 => "< 0.1 %".to_owned(),
        1..100 => format!("{}.{} %", tenths / 10, tenths % 10),
        _ => format!("{} %", tenths / 10),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_for_people() {
        assert_eq!([0, 999, 1000, 1_070_136].map(count), ["0", "999", "1,000", "1,070,136"]);
        assert_eq!(
            [1, 999, 1000, 99_949, 100_000, 1_073_741_824, u64::MAX].map(size),
            ["1 byte", "999 bytes", "1.0 kB", "99.9 kB", "100 kB", "1.0 GB", "18,446 PB"]
        );
        assert_eq!(rate(500, Duration::from_millis(250)), 2000);
        assert_eq!(rate(u64::MAX, Duration::ZERO), u64::MAX);
        assert_eq!(
            [0, 1, 65, 500, 1000].map(|part| share(part, 10_000)),
            ["0 %", "< 0.1 %", "0.6 %", "5.0 %", "10 %"]
        );
        let times = [12, 1250, 12_500, 125_000, 7_500_000].map(Duration::from_millis);
        assert_eq!(times.map(time), ["12 ms", "1.2 s", "12 s", "2 min 5 s", "2 h 5 min"]);
    }
}
