//! The code of a failure: `Failure`, `Display`, `Error` and `From`.
//!
//! What is bound beside expressions of the author's has a name that they cannot mean
//! (`Span::mixed_site`), or a field of the same name would hide it.

use super::{Field, Item, Kind, Own, Variant, Words, argument_of};
use crate::implement;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, format_ident, quote, quote_spanned};
use syn::{DeriveInput, Ident, Member, Path, parse_quote};

impl Item<'_> {
    pub(super) fn expand(&self, input: &DeriveInput) -> TokenStream {
        let mut tokens = self.failure(input);
        if self.error {
            tokens.extend(self.display(input));
            tokens.extend(self.error(input));
        }
        if self.from {
            tokens.extend(self.variants.iter().filter_map(|variant| variant.from(input)));
        }
        tokens
    }

    fn failure(&self, input: &DeriveInput) -> TokenStream {
        let home = &self.home;
        let list = Ident::new("list", Span::mixed_site());
        let errors = self.variants.iter().map(|variant| variant.error(home));
        let declared = self.variants.iter().map(|variant| variant.declared(home, &list));
        implement(
            input,
            &quote!(#home::Failure),
            &quote! {
                fn into_error(self) -> #home::Error {
                    match self { #(#errors)* }
                }

                fn declared(#list: &mut ::std::vec::Vec<#home::Declared>) {
                    #(#declared)*
                }
            },
        )
    }

    fn display(&self, input: &DeriveInput) -> TokenStream {
        let formatter = Ident::new("formatter", Span::mixed_site());
        let arms = self.variants.iter().map(|variant| {
            let pattern = variant.borrowed();
            let display = match &variant.kind {
                Kind::Own(own) => own.message.display(&formatter),
                Kind::Transparent => {
                    let field = variant.fields.iter().map(|field| &field.binding);
                    quote!(::core::fmt::Display::fmt(#(#field,)* #formatter))
                }
            };
            quote!(#pattern => #display,)
        });
        implement(
            input,
            &quote!(::core::fmt::Display),
            &quote! {
                fn fmt(&self, #formatter: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                    match *self { #(#arms)* }
                }
            },
        )
    }

    fn error(&self, input: &DeriveInput) -> TokenStream {
        let arms: Vec<TokenStream> =
            self.variants.iter().filter_map(|variant| variant.cause(&self.home)).collect();
        let rest =
            (arms.len() < self.variants.len()).then(|| quote!(_ => ::core::option::Option::None,));
        let source = (!arms.is_empty()).then(|| {
            quote! {
                fn source(&self) -> ::core::option::Option<&(dyn ::std::error::Error + 'static)> {
                    match *self { #(#arms)* #rest }
                }
            }
        });
        let mut input = input.clone();
        if input.generics.type_params().next().is_some() {
            // `derive(Debug)` asks it of every parameter, so that not every such type has it.
            let debug = parse_quote!(Self: ::core::fmt::Debug);
            input.generics.make_where_clause().predicates.push(debug);
        }
        implement(&input, &quote!(::std::error::Error), &source.unwrap_or_default())
    }
}

impl Variant<'_> {
    /// The pattern that binds the fields by reference, for expressions, and moves nothing.
    fn borrowed(&self) -> TokenStream {
        let path = &self.path;
        let fields = self.fields.iter().map(|Field { member, binding, .. }| match member {
            Member::Named(_) => quote!(ref #binding),
            Member::Unnamed(index) => quote!(#index: ref #binding),
        });
        quote!(#path { #(#fields),* })
    }

    /// The pattern that takes the fields out, and what it binds them to.
    fn owned(&self) -> (TokenStream, Vec<Ident>) {
        let path = &self.path;
        let members = self.fields.iter().map(|field| &field.member);
        let name = |index| format_ident!("field_{index}", span = Span::mixed_site());
        let names: Vec<Ident> = (0..self.fields.len()).map(name).collect();
        (quote!(#path { #(#members: #names),* }), names)
    }

    /// The arm that makes an error of it.
    fn error(&self, home: &Path) -> TokenStream {
        let Kind::Own(own) = &self.kind else {
            let (owned, names) = self.owned();
            return quote!(#owned => #home::Failure::into_error(#(#names),*),);
        };
        let error = own.error(home);
        let Some(data) = own.data else {
            let borrowed = self.borrowed();
            return quote!(#borrowed => #error,);
        };
        // The expressions see references here too, and the field is moved when they are done.
        let (owned, names) = self.owned();
        let bindings = self.fields.iter().map(|field| &field.binding);
        let data = names.get(data);
        let made = Ident::new("error", Span::mixed_site());
        quote! {
            #owned => {
                let #made = {
                    let (#(#bindings,)*) = (#(&#names,)*);
                    #error
                };
                #made.data(#data)
            }
        }
    }

    /// The statement that lists it.
    fn declared(&self, home: &Path, list: &Ident) -> TokenStream {
        let Kind::Own(own) = &self.kind else {
            let types = self.fields.iter().map(|field| field.ty);
            return quote!(#(<#types as #home::Failure>::declared(#list);)*);
        };
        let Own { code, exit, .. } = &**own;
        let exit = quote!(#home::Exit::#exit);
        let meaning = own.meaning.as_ref().map(ToTokens::to_token_stream);
        let meaning = meaning.unwrap_or_else(|| quote!(#exit.meaning()));
        let retryable = option(own.retryable.as_ref());
        let suggestion = option(own.suggestion.as_ref());
        let status = option(own.status.as_ref());
        quote! {
            #list.push(#home::Declared {
                code: #code,
                exit: #exit,
                meaning: #meaning,
                retryable: #retryable,
                suggestion: #suggestion,
                status: #status,
            });
        }
    }

    /// The arm that names its source; a transparent variant has that of its field.
    fn cause(&self, home: &Path) -> Option<TokenStream> {
        let pattern = self.borrowed();
        if matches!(self.kind, Kind::Transparent) {
            let Field { binding, .. } = self.fields.first()?;
            let error = as_error(&quote!(#binding), home);
            return Some(quote!(#pattern => ::std::error::Error::source(#error),));
        }
        let Field { binding, ty, .. } = self.fields.get(self.source?)?;
        let source = if argument_of(ty, &["Option"]).is_some() {
            let error = as_error(&quote!(source), home);
            quote!(#binding.as_ref().map(|source| #error))
        } else {
            let error = as_error(&quote!(#binding), home);
            quote!(::core::option::Option::Some(#error))
        };
        Some(quote!(#pattern => #source,))
    }

    /// The conversion from its only field.
    fn from(&self, input: &DeriveInput) -> Option<TokenStream> {
        let Field { member, ty, .. } = self.fields.get(self.source.filter(|_| self.from)?)?;
        let path = &self.path;
        Some(implement(
            input,
            &quote!(::core::convert::From<#ty>),
            &quote! {
                fn from(source: #ty) -> Self {
                    #path { #member: source }
                }
            },
        ))
    }
}

impl Own {
    /// The error, without data.
    fn error(&self, home: &Path) -> TokenStream {
        let Own { code, exit, message, .. } = self;
        let calls = self.calls.iter().map(|(method, argument)| {
            let method = Ident::new(method, Span::call_site());
            quote!(.#method(#argument))
        });
        let phase = self.phase.as_ref().map(|phase| quote!(.phase(#home::Phase::#phase)));
        quote!(#home::Error::new(#code, #home::Exit::#exit, #message) #(#calls)* #phase)
    }
}

/// A reference to a field as one to an error: it may be one, or dereference to one.
fn as_error(field: &TokenStream, home: &Path) -> TokenStream {
    quote!({
        use #home::derive::AsError as _;
        #field.as_dyn_error()
    })
}

/// An option, as an expression.
fn option<T: ToTokens>(value: Option<&T>) -> TokenStream {
    let some = value.map(|value| quote!(::core::option::Option::Some(#value)));
    some.unwrap_or_else(|| quote!(::core::option::Option::None))
}

impl Words {
    /// The text, written to a formatter.
    fn display(&self, formatter: &Ident) -> TokenStream {
        match self {
            Words::Template { text, arguments } if arguments.is_empty() => {
                quote!(#formatter.write_str(#text))
            }
            Words::Template { text, arguments } => {
                let arguments = arguments.iter().map(place);
                quote!(::core::write!(#formatter, #text, #(#arguments),*))
            }
            Words::Expr(expr) => quote! {
                #formatter.write_str(&::core::convert::Into::<::std::string::String>::into(#expr))
            },
        }
    }
}

/// The text, as an expression.
impl ToTokens for Words {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        tokens.extend(match self {
            Words::Template { text, arguments } if arguments.is_empty() => quote!(#text),
            Words::Template { text, arguments } => {
                let arguments = arguments.iter().map(place);
                quote!(::std::format!(#text, #(#arguments),*))
            }
            Words::Expr(expr) => quote!(#expr),
        });
    }
}

/// The field that a reference leads to: a width must be a number and not a reference to one.
fn place(binding: &Ident) -> TokenStream {
    quote_spanned!(binding.span()=> *#binding)
}
