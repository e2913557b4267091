//! The texts of a failure: the fields that they name, and what else says the same.

use super::read::Reader;
use super::{Field, Words, argument_of, thiserror};
use crate::attribute::{Keys, Text};
use crate::template::{self, Template};
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Ident, LitStr};

impl Reader<'_, '_> {
    /// A key whose value is text, and the literal if it is one.
    pub(super) fn text(&mut self, key: &str, keys: &mut Keys) -> Option<(Words, Option<LitStr>)> {
        let text = keys.take(key).and_then(|key| self.mistakes.keep(key.text()))?;
        let literal = text.literal();
        self.words(text, "").map(|words| (words, literal))
    }

    /// Finds the fields in a text. A mistake in it is noted with a remark behind it.
    pub(super) fn words(&mut self, text: Text, remark: &str) -> Option<Words> {
        let literal = match text {
            Text::Literal(literal) => literal,
            Text::Expr(expr) => return Some(Words::Expr(expr)),
        };
        let span = literal.span();
        match Template::read(&literal.value(), &|name| self.field(name)) {
            Ok(Template { text, fields }) => {
                let fields = fields.iter().filter_map(|&field| self.fields.get(field));
                // What is wrong with an argument is shown in the text, which is where it was named.
                let arguments = fields.map(|field| {
                    let mut name = field.binding.clone();
                    name.set_span(span.resolved_at(name.span()));
                    name
                });
                let arguments = arguments.collect();
                Some(Words::Template { text: LitStr::new(&text, span), arguments })
            }
            Err(why) => {
                let has = self.inventory();
                let braces = "a brace itself is written `{{` or `}}`";
                self.mistakes.add(syn::Error::new(span, format!("{why}: {has}; {braces}{remark}")));
                None
            }
        }
    }

    /// The fields by name, for people.
    pub(super) fn inventory(&self) -> String {
        let labels: Vec<String> =
            self.fields.iter().map(|field| format!("`{}`", field.label())).collect();
        let labels = if labels.is_empty() { "no fields".to_owned() } else { labels.join(", ") };
        format!("`{}` has {labels}", self.name)
    }

    /// The field of that name or number. One without a name is also found by its binding.
    pub(super) fn field(&self, name: &str) -> Option<usize> {
        self.fields.iter().position(|field| field.label() == name || field.binding == name)
    }

    /// What the source says, unless the message says it already.
    pub(super) fn upstream(&self, message: &Words) -> Option<TokenStream> {
        let field = self.fields.get(self.source?)?;
        let Field { binding, ty, .. } = field;
        if self.thiserror && thiserror::repeats(self.attributes, &field.label()) {
            return None;
        }
        let text = if argument_of(ty, &["Option"]).is_some() {
            quote!(#binding.as_ref().map(::std::string::ToString::to_string))
        } else {
            quote!(::std::string::ToString::to_string(#binding))
        };
        (!message.mentions(binding)).then_some(text)
    }
}

impl Words {
    /// Whether a field is said in it.
    fn mentions(&self, binding: &Ident) -> bool {
        match self {
            Words::Template { arguments, .. } => arguments.contains(binding),
            Words::Expr(expr) => appears(expr.to_token_stream(), binding),
        }
    }
}

/// Whether a name occurs in code, be it in a format string.
fn appears(code: TokenStream, name: &Ident) -> bool {
    code.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => ident == *name,
        TokenTree::Group(group) => appears(group.stream(), name),
        TokenTree::Literal(literal) => syn::parse2::<LitStr>(literal.into_token_stream())
            .is_ok_and(|text| template::mentions(&text.value(), &name.unraw().to_string())),
        TokenTree::Punct(_) => false,
    })
}

#[cfg(test)]
mod tests {
    use crate::failure::expand;

    /// The mistakes in an item, one per line.
    fn mistakes(item: &str) -> String {
        let mistakes = expand(&syn::parse_str(item).unwrap()).unwrap_err();
        mistakes.into_iter().map(|mistake| mistake.to_string()).collect::<Vec<_>>().join("\n")
    }

    /// The mistakes in the keys of a variant that is right apart from them.
    fn mistakes_in(keys: &str) -> String {
        mistakes(&format!(
            "enum E {{ /** D */ #[failure(exit = General, {keys})] V {{ id: u8 }} }}"
        ))
    }

    #[test]
    fn a_placeholder_is_a_field() {
        let braces = "a brace itself is written `{{` or `}}`";
        assert_eq!(
            mistakes_in(r#"message = "no {ids}""#),
            format!("`{{ids}}` names no field: `V` has `id`; {braces}")
        );
        assert_eq!(
            mistakes_in(r#"suggestion = "{} {""#),
            format!("`{{}}` names no field: `V` has `id`; {braces}")
        );
        assert_eq!(
            mistakes("/** no {id} */ #[failure(exit = General)] struct E;"),
            format!(
                "`{{id}}` names no field: `E` has no fields; {braces}; this doc comment is the \
                 message as long as there is no `message = \"…\"`"
            )
        );
    }
}
