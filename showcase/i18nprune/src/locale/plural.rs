//! The plural forms of a key: `items_one` and `items_other` are both `items`.

const FORMS: &[&str] = &["zero", "one", "two", "few", "many", "other"];

/// The key that a plural form belongs to; any other key is its own.
pub(crate) fn base(key: &str) -> &str {
    let form = key.rsplit_once('_').filter(|(_, form)| FORMS.contains(form));
    form.map_or(key, |(base, _)| base.strip_suffix("_ordinal").unwrap_or(base))
}

/// Whether a key is a plural form of another.
pub(crate) fn is_plural(key: &str) -> bool {
    base(key) != key
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_form_belongs_to_its_key() {
        for (key, expected) in [
            ("items_one", "items"),
            ("a.b_other", "a.b"),
            ("place_ordinal_few", "place"),
            ("no_form", "no_form"),
            ("plain", "plain"),
        ] {
            assert_eq!(base(key), expected);
        }
    }
}
