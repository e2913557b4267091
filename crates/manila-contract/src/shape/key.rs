//! Decides whether the keys of an object are data or field names.

use super::Format;

/// Whether a key looks like data: a number, an id, a digest, a path, a host, a moment, an address.
pub(crate) fn looks_like_data(key: &str) -> bool {
    let is_number = !key.is_empty() && key.bytes().all(|it| it.is_ascii_digit());
    let has_digit = key.bytes().any(|it| it.is_ascii_digit());
    // `sess-1775777421902`, `T-7`: a number behind a hyphen.
    let is_numbered = key
        .rsplit_once('-')
        .is_some_and(|(_, last)| !last.is_empty() && last.bytes().all(|it| it.is_ascii_digit()));
    is_number
        || (has_digit && !Format::detect(key).is_empty())
        || is_numbered
        || key.contains(['/', '@', ' ', ':', '\\'])
        || is_host(key)
        || key.len() > 64
}

fn is_host(key: &str) -> bool {
    let labels: Vec<&str> = key.split('.').collect();
    let is_label = |label: &&str| {
        !label.is_empty()
            && label.bytes().all(|it| it.is_ascii_alphanumeric() || it == b'-' || it == b'_')
    };
    labels.len() > 1 && labels.iter().all(is_label)
}

#[cfg(test)]
mod tests {
    use super::looks_like_data;

    #[test]
    fn field_names_are_distinguished_from_data() {
        for key in ["7", "example.org", "a3f8c21", "/etc/hosts", "T-7", "2026-11-16", "a b", "x@y"]
        {
            assert!(looks_like_data(key), "{key}");
        }
        for key in ["id", "created_at", "dry-run", "utf8", "v2", "$schema", "sha256", "", "x-rate"]
        {
            assert!(!looks_like_data(key), "{key}");
        }
    }
}
