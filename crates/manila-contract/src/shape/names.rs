//! The names of fields that mean the same in many programs.

/// Fields that lead to the next page.
pub(crate) const CURSORS: &[&str] = &[
    "next_cursor",
    "nextCursor",
    "cursor",
    "next_page_token",
    "nextPageToken",
    "NextToken",
    "next_token",
    "has_more",
    "hasMore",
    "next_page",
];

/// Fields that state the version of the envelope.
pub(crate) const VERSIONS: &[&str] = &[
    "schema_version",
    "schemaVersion",
    "apiVersion",
    "api_version",
    "schema",
    "format_version",
    "formatVersion",
    "envelope_version",
    "$schema",
];

/// Fields of a failure that say whether to retry.
pub(crate) const RETRYABLE: &[&str] = &["retryable", "is_retryable", "transient"];

/// Fields of a failure that say how long to wait.
pub(crate) const WAITS: &[&str] =
    &["retry_after", "retryAfter", "retry_after_seconds", "retry_after_ms", "retryAfterMs"];

/// Those of them that count milliseconds.
pub(crate) const MILLISECONDS: &[&str] = &["retry_after_ms", "retryAfterMs"];

/// Fields of a failure that say what to do.
pub(crate) const SUGGESTIONS: &[&str] = &["suggestion", "hint", "fix"];
