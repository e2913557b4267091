//! What differs in every run of a program: keys whose values are of one run, and moments.

/// Keys whose values are moments, durations and names of a single run.
const OWN: &[&str] = &[
    "duration",
    "duration_ms",
    "durationMs",
    "elapsed",
    "elapsed_ms",
    "took",
    "took_ms",
    "timestamp",
    "time",
    "date",
    "now",
    "request_id",
    "requestId",
    "trace_id",
    "traceId",
    "run_id",
    "pid",
    "uptime",
    "cwd",
    "etag",
];

/// Words in a longer that mean the same: `uptime_seconds`, `elapsedMillis`.
const OWN_WORDS: &[&str] = &["duration", "elapsed", "uptime"];

/// Whether the value of this key is of one run alone.
pub(crate) fn is_own_key(key: &str) -> bool {
    let lower = key.to_ascii_lowercase();
    OWN.contains(&key)
        || OWN_WORDS.iter().any(|word| lower.contains(word))
        || key.ends_with("_at")
        || key.ends_with("At")
        || key.ends_with("_ms")
}

/// Words in the keys of amounts that the system changes all the time.
const MEASURED: &[&str] = &["free", "used", "avail", "available", "usage"];

/// Whether a number under this key is such an amount: `free`, `inodes_used`.
pub(crate) fn is_measured(key: &str) -> bool {
    let lower = key.to_ascii_lowercase();
    lower.split(['_', '-']).any(|word| MEASURED.contains(&word))
}

/// Whether a text begins as a moment does: `2026-11-16T09:30`.
pub(crate) fn is_moment(text: &str) -> bool {
    let mut form = text.bytes().zip(b"dddd-dd-ddTdd:dd");
    let fits = |(byte, form): (u8, &u8)| match form {
        b'd' => byte.is_ascii_digit(),
        b'T' => byte == b'T' || byte == b' ',
        _ => byte == *form,
    };
    text.len() >= 16 && form.all(fits)
}
