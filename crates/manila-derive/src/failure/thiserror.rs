//! What `thiserror` says about the same type: its `#[error("…")]` is the message.

use crate::template;
use syn::parse::ParseStream;
use syn::{Attribute, Data, DeriveInput, LitStr};

/// Whether thiserror derives `Display`, `Error` and `From` on this type.
pub(super) fn is_used(input: &DeriveInput) -> bool {
    let variants = match &input.data {
        Data::Enum(data) => Some(&data.variants),
        _ => None,
    };
    let variants = variants.into_iter().flatten().flat_map(|variant| &variant.attrs);
    input.attrs.iter().chain(variants).any(is_error)
}

fn is_error(attribute: &Attribute) -> bool {
    attribute.path().is_ident("error")
}

/// The format string of `#[error("…")]`; none if it is `transparent`.
pub(super) fn format(attributes: &[Attribute]) -> Option<LitStr> {
    let attribute = attributes.iter().find(|attribute| is_error(attribute))?;
    let literal = |input: ParseStream<'_>| {
        let literal: LitStr = input.parse()?;
        // The arguments of the format string are thiserror's business.
        input.parse::<proc_macro2::TokenStream>().map(|_| literal)
    };
    attribute.parse_args_with(literal).ok()
}

/// Whether the message contains that of the source, which is the field of this name: it does if the
/// format string names it, or if the variant is `transparent`.
pub(super) fn repeats(attributes: &[Attribute], source: &str) -> bool {
    format(attributes).is_none_or(|format| template::mentions(&format.value(), source))
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    #[test]
    fn the_format_string_is_found_with_and_without_arguments() {
        let found = |attribute: Attribute| format(&[attribute]).map(|literal| literal.value());
        assert_eq!(found(parse_quote!(#[error("no {0}")])).as_deref(), Some("no {0}"));
        assert_eq!(
            found(parse_quote!(#[error("no {x}", x = .0.len())])).as_deref(),
            Some("no {x}")
        );
        assert_eq!(found(parse_quote!(#[error(transparent)])), None);
        assert!(format(&[]).is_none());
    }

    #[test]
    fn the_source_is_said_once() {
        let says = |attribute: Attribute, source| repeats(&[attribute], source);
        assert!(says(parse_quote!(#[error("cannot read: {source}")]), "source"));
        assert!(says(parse_quote!(#[error("cannot read: {0}")]), "0"));
        assert!(says(parse_quote!(#[error(transparent)]), "0"));
        assert!(!says(parse_quote!(#[error("cannot read")]), "source"));
    }
}
