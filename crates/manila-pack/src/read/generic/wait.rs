//! How long a line says to wait.

const BEFORE: &[&str] = &[
    "retry after",
    "retry-after",
    "retry_after",
    "retry in",
    "retrying in",
    "try again in",
    "try again after",
    "please wait",
    "wait",
    "resets in",
    "reset in",
    "reset after",
    "available in",
    "expires in",
];

/// The wait in milliseconds that a line in lower case states.
pub(super) fn stated_in(line: &str) -> Option<u64> {
    let text = BEFORE.iter().find_map(|words| Some(&line[line.find(words)? + words.len()..]))?;
    let mut rest = text.trim_start_matches([':', '=', ' ', '"', '\'']);
    for filler in ["about ", "approximately ", "at least ", "another ", "for "] {
        rest = rest.strip_prefix(filler).unwrap_or(rest);
    }
    let mut total: Option<f64> = None;
    // `1h2m`, `2 minutes 5 seconds`: numbers with units, one after another.
    loop {
        let digits = rest.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
        let Ok(number) = rest[..digits].parse::<f64>() else { break };
        rest = rest[digits..].trim_start();
        let letters = rest.bytes().take_while(u8::is_ascii_alphabetic).count();
        let unit = match &rest[..letters] {
            "ms" | "millisecond" | "milliseconds" | "msec" => 1.0,
            "m" | "min" | "mins" | "minute" | "minutes" => 60_000.0,
            "h" | "hr" | "hrs" | "hour" | "hours" => 3_600_000.0,
            "d" | "day" | "days" => 86_400_000.0,
            "s" | "sec" | "secs" | "second" | "seconds" => 1_000.0,
            // A bare number is seconds, as in the header.
            _ if total.is_none() => {
                total = Some(number * 1_000.0);
                break;
            }
            _ => break,
        };
        total = Some(total.unwrap_or(0.0) + number * unit);
        rest = rest[letters..].trim_start_matches([' ', ',']);
        rest = rest.strip_prefix("and ").unwrap_or(rest);
    }
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
    total.map(|total| total.ceil() as u64)
}

#[cfg(test)]
mod tests {
    use super::stated_in;

    #[test]
    fn waits_have_units() {
        for (line, wait) in [
            ("retry after 30 seconds", Some(30_000)),
            ("retry-after: 30", Some(30_000)),
            ("please try again in 1m30s", Some(90_000)),
            ("try again in 2 minutes and 5 seconds.", Some(125_000)),
            ("wait 500ms", Some(500)),
            ("resets in 3h", Some(10_800_000)),
            ("your quota will reset after 2h24m55s.", Some(8_695_000)),
            ("try again later", None),
            ("please wait", None),
        ] {
            assert_eq!(stated_in(line), wait, "{line}");
        }
    }
}
