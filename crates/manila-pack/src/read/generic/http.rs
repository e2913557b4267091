//! A status of HTTP in a line of text.

/// Words after which a number is a status.
const BEFORE: &[&str] = &[
    "http",
    "https",
    "status",
    "code",
    "statuscode",
    "error",
    "response",
    "returned",
    "received",
    "got",
    "http/1",
    "http/1.0",
    "http/1.1",
    "http/2",
    "http/2.0",
    "http/3",
    "status_code",
    "httperror",
    "responded",
    "with",
    "npm",
    "occurred",
];

/// The words of statuses after their number.
const AFTER: &[&str] = &[
    "bad request",
    "unauthorized",
    "payment required",
    "forbidden",
    "not found",
    "method not allowed",
    "not acceptable",
    "request timeout",
    "conflict",
    "gone",
    "precondition failed",
    "payload too large",
    "request entity too large",
    "unprocessable",
    "too many requests",
    "internal server error",
    "not implemented",
    "bad gateway",
    "service unavailable",
    "service temporarily unavailable",
    "gateway timeout",
    "gateway time-out",
    "client error",
    "server error",
    "locked",
    "unavailable",
];

/// The status of a failure that a line names, the last if there are several.
pub(super) fn status_in(line: &str) -> Option<u16> {
    let lower = line.to_lowercase();
    let bytes = lower.as_bytes();
    let mut found = None;
    for (at, _) in lower.match_indices(|character: char| character.is_ascii_digit()) {
        let starts = at == 0 || !(bytes[at - 1].is_ascii_alphanumeric() || bytes[at - 1] == b'.');
        let digits = bytes[at..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        // `E429`, as node programs write it.
        let is_code =
            at > 0 && bytes[at - 1] == b'e' && (at == 1 || !bytes[at - 2].is_ascii_alphanumeric());
        if digits != 3 || !(starts || is_code) {
            continue;
        }
        let after = &lower[at + 3..];
        let goes_on = after.starts_with(|c: char| c.is_ascii_alphanumeric());
        let is_version = after
            .strip_prefix('.')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
        if goes_on || is_version {
            continue;
        }
        let Ok(number @ 400..=599) = lower[at..at + 3].parse::<u16>() else { continue };
        // `GET https://host/path: 401 …`, `GET https://host/path - 404`
        let head = lower[..at].trim_end();
        let address = head.strip_suffix(':').or_else(|| head.strip_suffix(" -"));
        let after_address = address.is_some_and(|text| {
            text.rsplit(char::is_whitespace).next().is_some_and(|word| word.contains("://"))
        });
        let after_failed = head.ends_with(" failed:");
        let before = lower[..at].trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        let before = before
            .rsplit(|c: char| {
                c.is_whitespace() || matches!(c, '"' | '\'' | '(' | '[' | '{' | ':' | '=' | ',')
            })
            .next()
            .unwrap_or("");
        let text = after.trim_start_matches(|c: char| !c.is_ascii_alphanumeric());
        let in_parentheses = lower[..at].ends_with(" (") && after.starts_with(')');
        let is_status = is_code
            || in_parentheses
            || after_address
            || after_failed
            || BEFORE.contains(&before)
            || AFTER.iter().any(|words| text.starts_with(words));
        if is_status {
            found = Some(number);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::status_in;

    #[test]
    fn a_number_is_a_status_only_in_company() {
        for (line, status) in [
            ("HTTP 429: slow down", Some(429)),
            ("the server answered HTTP/1.1 503 Service Unavailable", Some(503)),
            ("The requested URL returned error: 404", Some(404)),
            ("Request failed with status code 401", Some(401)),
            ("npm error code E403", Some(403)),
            ("error: 502 Bad Gateway", Some(502)),
            ("status=500", Some(500)),
            ("{\"statusCode\": 409}", Some(409)),
            ("(HTTP 422)", Some(422)),
            ("Error: x (503)", Some(503)),
            ("error: GET https://host/path - 404", Some(404)),
            ("Request failed: 401", Some(401)),
            ("tests failed 404", None),
            ("at main.c(503) [sender]", None),
            ("wrote 404 bytes", None),
            ("port 5432 refused", None),
            ("line 500, column 3", None),
            ("version 4.0.403", None),
            ("status code 200", None),
            ("in 503ms", None),
        ] {
            assert_eq!(status_in(line), status, "{line}");
        }
    }
}
