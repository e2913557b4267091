//! Checks across the variants of a failure: one class per code, one variant per `#[from]` type.

use super::{Kind, Variant};
use crate::attribute::Mistakes;
use quote::ToTokens;
use std::collections::BTreeMap;

/// A code stands for one class.
pub(super) fn compare_codes(variants: &[Variant<'_>], mistakes: &mut Mistakes) {
    let mut seen = BTreeMap::new();
    for variant in variants {
        let Kind::Own(own) = &variant.kind else { continue };
        let code = own.code.value();
        let (exit, other) = seen.entry(code.clone()).or_insert((&own.exit, variant.name));
        if **exit != own.exit {
            let message = format!(
                "`{code}` is {exit} in `{other}`: write the same `exit`, or another `code`"
            );
            mistakes.at(&own.code, message);
        }
    }
}

/// A value is made into one variant.
pub(super) fn compare_sources(variants: &[Variant<'_>], mistakes: &mut Mistakes) {
    let mut seen = BTreeMap::new();
    for variant in variants.iter().filter(|variant| variant.from) {
        let Some(field) = variant.source.and_then(|source| variant.fields.get(source)) else {
            continue;
        };
        let ty = field.ty.to_token_stream().to_string();
        if let Some(other) = seen.get(&ty) {
            let message = format!("`{other}` is `#[from]` the same already: write `#[source]`");
            mistakes.at(field.ty, message);
        } else {
            seen.insert(ty, variant.name);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::failure::expand;

    /// The mistakes in an item, one per line.
    fn mistakes(item: &str) -> String {
        let mistakes = expand(&syn::parse_str(item).unwrap()).unwrap_err();
        mistakes.into_iter().map(|mistake| mistake.to_string()).collect::<Vec<_>>().join("\n")
    }

    /// The code of an item, without spaces.
    fn code(item: &str) -> String {
        expand(&syn::parse_str(item).unwrap()).unwrap().to_string().replace(' ', "")
    }

    #[test]
    fn a_code_stands_for_one_class() {
        let item = |exit: &str| {
            format!(
                "enum E {{
                    /** A */ #[failure(exit = General)] NotFound,
                    /** B */ #[failure(exit = {exit}, code = \"NOT_FOUND\")] Gone,
                }}"
            )
        };
        let expected =
            "`NOT_FOUND` is General in `NotFound`: write the same `exit`, or another `code`";
        assert_eq!(mistakes(&item("Conflict")), expected);
        assert!(expand(&syn::parse_str(&item("General")).unwrap()).is_ok());
    }

    #[test]
    fn there_is_one_source() {
        let item = r#"enum E {
            /** A */ #[failure(exit = General)] A { #[from] a: Io, b: u8 },
            /** B */ #[failure(exit = General)] B(#[source] Io, #[source] Io),
            /** C */ #[failure(exit = General)] #[from] C(Io),
            /** D */ #[failure(exit = General)] D(#[failure(code = "D")] Io),
            /** F */ #[failure(exit = General)] F(#[source(io)] Io),
            /** G */ #[failure(exit = General)] G(#[from] Net),
            /** H */ #[failure(exit = General)] H(#[from] Net),
        }"#;
        let mistakes = mistakes(item);
        let mut lines = mistakes.lines();
        let mut next = || lines.next().unwrap_or_default();
        assert!(next().ends_with("and there are others: write `#[source]`"), "{mistakes}");
        assert_eq!(next(), "`B` has another source already");
        assert_eq!(next(), "`#[from]` belongs on the field");
        assert_eq!(next(), "`#[failure]` belongs on the type or on a variant");
        assert!(next().starts_with("unexpected token in attribute"), "{mistakes}");
        assert_eq!(next(), "`G` is `#[from]` the same already: write `#[source]`");
        assert_eq!(next(), "");
    }

    #[test]
    fn thiserror_keeps_its_own_implementations() {
        let variant = "#[failure(exit = General, message = \"m\")] A(#[from] Io)";
        let own = code(&format!("enum E {{ {variant} }}"));
        assert!(own.contains("convert::From<Io>") && own.contains("Display"), "{own}");
        let by_hand = code(&format!("#[failure(no_error)] enum E {{ {variant} }}"));
        assert!(by_hand.contains("convert::From<Io>") && !by_hand.contains("Display"), "{by_hand}");
        let theirs = code(&format!("enum E {{ #[error(\"m\")] {variant} }}"));
        assert!(!theirs.contains("convert::From<Io>") && !theirs.contains("Display"), "{theirs}");
    }

    #[test]
    fn thiserror_makes_the_attributes_optional() {
        let bare = code(
            "enum E { #[error(\"no {0}\")] NoNote(u8), #[error(transparent)] Io(#[from] Io) }",
        );
        assert!(bare.contains("\"NO_NOTE\"") && bare.contains("Exit::General"), "{bare}");
        assert!(bare.contains("to_string(&self)") && !bare.contains(".detail("), "{bare}");
        let classed = code("enum E { #[error(\"no\")] #[failure(exit = NotFound)] NoNote(u8) }");
        assert!(classed.contains("Exit::NotFound"), "{classed}");
        let missing = mistakes("enum E { /** No */ NoNote(u8) }");
        assert!(missing.starts_with("`NoNote` has no `exit`"), "{missing}");
    }
}
