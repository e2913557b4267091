//! `#[derive(Failure)]`: `read`, `words` and `thiserror` parse each variant, `compare` checks them
//! against each other, `write` generates the code.

mod compare;
mod read;
mod thiserror;
mod words;
mod write;

use crate::attribute::Mistakes;
use proc_macro2::TokenStream;
use quote::format_ident;
use syn::ext::IdentExt;
use syn::{
    DeriveInput, Expr, GenericArgument, Ident, LitInt, LitStr, Member, Path, PathArguments, Type,
};

/// The implementations for a type.
pub(crate) fn expand(input: &DeriveInput) -> syn::Result<TokenStream> {
    let mut mistakes = Mistakes::default();
    let item = Item::read(input, &mut mistakes);
    mistakes.finish()?;
    Ok(item.expand(input))
}

/// A type that derives it.
struct Item<'a> {
    /// Where `manila_clap` is.
    home: Path,
    /// Whether `Display` and `Error` are ours to write.
    error: bool,
    /// Whether `From` is.
    from: bool,
    /// The variants, without those that could not be read.
    variants: Vec<Variant<'a>>,
}

/// A variant, or the whole of a struct.
struct Variant<'a> {
    name: &'a Ident,
    /// How patterns and constructors begin.
    path: TokenStream,
    fields: Vec<Field<'a>>,
    /// The field that caused it.
    source: Option<usize>,
    /// Whether it is made `From` that field.
    from: bool,
    kind: Kind,
}

/// A field, which expressions see by reference under the name of its binding.
struct Field<'a> {
    member: Member,
    binding: Ident,
    ty: &'a Type,
}

/// Where the error of a variant comes from.
enum Kind {
    /// From its only field, which is a failure.
    Transparent,
    /// From its attributes.
    Own(Box<Own>),
}

/// The attributes of a variant.
struct Own {
    code: LitStr,
    exit: Ident,
    message: Words,
    /// What it means before anything is filled in; without it, what its class means.
    meaning: Option<String>,
    /// The suggestion before anything is filled in, if it is a literal.
    suggestion: Option<String>,
    retryable: Option<bool>,
    status: Option<LitInt>,
    phase: Option<Ident>,
    /// The further methods of `Error` that are called, with their argument.
    calls: Vec<(&'static str, TokenStream)>,
    /// The field that is moved into the error last.
    data: Option<usize>,
}

/// Text with fields in it.
enum Words {
    /// A string for `format!` and its arguments; without any, the text itself.
    Template { text: LitStr, arguments: Vec<Ident> },
    /// An expression of the author's.
    Expr(Expr),
}

impl<'a> Field<'a> {
    fn new((index, field): (usize, &'a syn::Field)) -> Field<'a> {
        let (member, binding) = match &field.ident {
            Some(name) => (Member::Named(name.clone()), name.clone()),
            None => (Member::Unnamed(index.into()), format_ident!("_{index}")),
        };
        Field { member, binding, ty: &field.ty }
    }

    fn label(&self) -> String {
        label(&self.member)
    }
}

/// What people call a field.
fn label(member: &Member) -> String {
    match member {
        Member::Named(name) => name.unraw().to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}

/// `T` of `Option<T>`, for any of these names of types.
fn argument_of<'t>(ty: &'t Type, names: &[&str]) -> Option<&'t Type> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    let PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first() {
        Some(GenericArgument::Type(argument)) if names.iter().any(|name| last.ident == name) => {
            Some(argument)
        }
        _ => None,
    }
}
