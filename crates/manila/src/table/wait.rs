//! How long a text says to wait: a number and its unit, such as `34.07s`.

use crate::json::Value;

/// The milliseconds of a duration such as `"34.07s"` or `"500ms"`, rounded up.
pub(super) fn millis(value: Value<'_>) -> Option<u64> {
    let text = value.string()?;
    let text = text.trim();
    let digits = text.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
    let number: f64 = text[..digits].parse().ok()?;
    let unit = match text[digits..].trim_start() {
        "ms" => 1.0,
        "s" => 1_000.0,
        "m" => 60_000.0,
        "h" => 3_600_000.0,
        _ => return None,
    };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
    Some((number * unit).ceil() as u64)
}

#[cfg(test)]
mod tests {
    use super::millis;
    use crate::json::Raw;

    #[test]
    fn a_duration_has_a_unit() {
        for (text, wait) in [
            ("\"34.074824224s\"", Some(34_075)),
            ("\"7s\"", Some(7_000)),
            ("\"500ms\"", Some(500)),
            ("\"1.5m\"", Some(90_000)),
            ("\"2 h\"", Some(7_200_000)),
            ("\"7\"", None),
            ("\"s\"", None),
            ("\"-1s\"", None),
            ("\"1..2s\"", None),
            ("7", None),
        ] {
            assert_eq!(millis(Raw::parse(text).expect("JSON").value()), wait, "{text}");
        }
    }
}
