//! The formats of strings that their form alone decides.

use std::collections::BTreeSet;

/// A form that strings have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Format {
    /// `2026-11-16`.
    Date,
    /// `2026-11-16T09:30:00Z`.
    DateTime,
    /// Hexadecimal digits: a digest or an object id.
    Hash,
    /// A path of a file.
    Path,
    /// `1.2.3`.
    Semver,
    /// `https://…`.
    Url,
    /// `123e4567-e89b-12d3-a456-426614174000`.
    Uuid,
}

impl Format {
    /// Every format.
    pub(crate) const ALL: [Format; 7] = [
        Format::Date,
        Format::DateTime,
        Format::Hash,
        Format::Path,
        Format::Semver,
        Format::Url,
        Format::Uuid,
    ];

    /// Its word in a lock.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Format::Date => "date",
            Format::DateTime => "date-time",
            Format::Hash => "hash",
            Format::Path => "path",
            Format::Semver => "semver",
            Format::Url => "url",
            Format::Uuid => "uuid",
        }
    }

    /// The formats that a string has: one at most.
    pub(crate) fn detect(text: &str) -> BTreeSet<Format> {
        Format::ALL.into_iter().filter(|format| format.fits(text)).collect()
    }

    /// Whether a string has it.
    pub(crate) fn fits(self, text: &str) -> bool {
        match self {
            Format::Date => fits(text, "dddd-dd-dd") && text.len() == 10,
            Format::DateTime => is_date_time(text),
            Format::Hash => is_hash(text),
            Format::Path => is_path(text),
            Format::Semver => is_semver(text),
            Format::Url => text.split_once("://").is_some_and(|(scheme, rest)| {
                !rest.is_empty()
                    && (2..=10).contains(&scheme.len())
                    && scheme.bytes().all(|it| it.is_ascii_lowercase() || it == b'+')
            }),
            Format::Uuid => fits(text, "hhhhhhhh-hhhh-hhhh-hhhh-hhhhhhhhhhhh") && text.len() == 36,
        }
    }
}

/// Whether a text begins in this form: `d` is a digit, `h` a hexadecimal one.
fn fits(text: &str, form: &str) -> bool {
    let is = |(byte, form): (u8, u8)| match form {
        b'd' => byte.is_ascii_digit(),
        b'h' => byte.is_ascii_hexdigit(),
        _ => byte == form,
    };
    text.len() >= form.len() && text.bytes().zip(form.bytes()).all(is)
}

fn is_date_time(text: &str) -> bool {
    let is_start = fits(text, "dddd-dd-ddTdd:dd") || fits(text, "dddd-dd-dd dd:dd");
    is_start
        && text.len() <= 40
        && text.bytes().skip(16).all(|it| b"0123456789:.+-Z ".contains(&it))
}

fn is_hash(text: &str) -> bool {
    let is_hex = text.bytes().all(|it| matches!(it, b'0'..=b'9' | b'a'..=b'f'));
    let has_both =
        text.bytes().any(|it| it.is_ascii_digit()) && text.bytes().any(|it| !it.is_ascii_digit());
    text.len() >= 7 && text.len() <= 128 && is_hex && has_both
}

fn is_path(text: &str) -> bool {
    let begins = ["/", "./", "../", "~/"].iter().any(|it| text.starts_with(it));
    begins && text.len() > 1 && !text.contains(['\n', ' ']) && !text.starts_with("//")
}

fn is_semver(text: &str) -> bool {
    let core = text.strip_prefix('v').unwrap_or(text);
    let core = core.split(['-', '+']).next().unwrap_or_default();
    let parts: Vec<&str> = core.split('.').collect();
    let is_number = |part: &&str| {
        !part.is_empty() && part.len() < 8 && part.bytes().all(|it| it.is_ascii_digit())
    };
    parts.len() == 3 && parts.iter().all(is_number)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_decides_alone() {
        for (text, expected) in [
            ("2026-11-16", Some(Format::Date)),
            ("2026-11-16T09:30:00Z", Some(Format::DateTime)),
            ("2026-11-16 09:30:00.123 +02:00", Some(Format::DateTime)),
            ("a3f8c21", Some(Format::Hash)),
            ("deadbeef", None),
            ("1234567", None),
            ("/etc/hosts", Some(Format::Path)),
            ("./a", Some(Format::Path)),
            ("and/or", None),
            ("1.2.3", Some(Format::Semver)),
            ("v1.2.3-rc.1", Some(Format::Semver)),
            ("1.2", None),
            ("https://example.org", Some(Format::Url)),
            ("note://", None),
            ("123e4567-e89b-12d3-a456-426614174000", Some(Format::Uuid)),
            ("", None),
            ("word", None),
        ] {
            assert_eq!(
                Format::detect(text).into_iter().collect::<Vec<_>>(),
                Vec::from_iter(expected),
                "{text}"
            );
        }
    }
}
