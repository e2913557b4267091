//! `#[derive(Reply)]`: a struct that is one kind of payload, or an enum of several.

use crate::attribute::{Entry, Keys, Known, Mistakes, snake, stray};
use crate::implement;
use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{
    Data, DataEnum, DataStruct, DeriveInput, Fields, Ident, LitStr, Member, Path, Type, parse_quote,
};

/// The keys of a struct.
const STRUCT_KEYS: &[&str] = &["kind", "show", "legacy", "page", "crate"];

/// The keys of an enum, which says nothing itself.
const ENUM_KEYS: &[&str] = &["crate"];

/// The implementation for a type.
pub(crate) fn expand(input: &DeriveInput) -> syn::Result<TokenStream> {
    let mut mistakes = Mistakes::default();
    let mut keys = Keys::read(&input.attrs, "reply", &mut mistakes);
    let home = keys.take("crate").and_then(|key| mistakes.keep(key.path("path::to::it")));
    let home = home.unwrap_or_else(|| parse_quote!(::manila_clap));
    let body = match &input.data {
        Data::Struct(data) => Payload::read(input, data, keys, &mut mistakes).body(&home),
        Data::Enum(data) => {
            let place = "on the types that the variants hold";
            let known = Known { here: ENUM_KEYS, elsewhere: (STRUCT_KEYS, place) };
            keys.finish(&known, &mut mistakes);
            choice(&read_choice(data, &mut mistakes), &home)
        }
        Data::Union(data) => {
            let message = "`Reply` is derived on structs and enums, not on unions";
            mistakes.at(data.union_token, message);
            TokenStream::new()
        }
    };
    mistakes.finish()?;
    Ok(implement(input, &quote!(#home::Reply), &body))
}

/// A struct that is the payload.
struct Payload {
    kind: LitStr,
    show: Option<Path>,
    legacy: Option<Path>,
    /// The field that is a page.
    page: Option<Member>,
}

/// Whether a type is a page, judged by its name.
fn is_page(ty: &syn::Type) -> bool {
    let syn::Type::Path(path) = ty else { return false };
    path.path.segments.last().is_some_and(|last| last.ident == "Page" && !last.arguments.is_none())
}

impl Payload {
    fn read(
        input: &DeriveInput,
        data: &DataStruct,
        mut keys: Keys,
        mistakes: &mut Mistakes,
    ) -> Payload {
        for field in &data.fields {
            stray(&field.attrs, "reply", "on the struct", mistakes);
        }
        let kind = keys.take("kind").and_then(|key| mistakes.keep(key.string()));
        let name = input.ident.unraw().to_string();
        let kind = kind.unwrap_or_else(|| LitStr::new(&snake(&name), input.ident.span()));
        let show = keys.take("show").and_then(|key| mistakes.keep(key.path("function")));
        let legacy = keys.take("legacy").and_then(|key| mistakes.keep(key.path("function")));
        let page_key = keys.take("page");
        if page_key.is_none()
            && let Some(field) = data.fields.iter().find(|field| is_page(&field.ty))
        {
            let message = "this is a `Page`: write `page` in `#[reply(…)]`, so that the answer says \
                           whether there are more";
            mistakes.at(field, message);
        }
        let page = page_key.and_then(|key| page(&key, &data.fields, mistakes));
        keys.finish(&Known { here: STRUCT_KEYS, elsewhere: (&[], "") }, mistakes);
        Payload { kind, show, legacy, page }
    }

    fn body(&self, home: &Path) -> TokenStream {
        let Payload { kind, .. } = self;
        let payload = |function: &str, memory: Option<TokenStream>| {
            let function = Ident::new(function, Span::call_site());
            let current = quote!(#home::derive::#function(self, #memory));
            match &self.legacy {
                None => current,
                Some(legacy) => quote! {
                    match shape {
                        #home::Shape::Current => #current,
                        #home::Shape::Legacy => #home::derive::#function(&#legacy(self), #memory),
                    }
                },
            }
        };
        let data = payload("data_of", None);
        let append = payload("append", Some(quote!(line)));
        let show = self.show.as_ref().map(|show| quote!(#show(self, screen);));
        let show = show.unwrap_or_else(|| {
            quote! {
                let data = #home::Reply::data(self, #home::Shape::Current);
                if let ::core::result::Result::Ok(data) = data {
                    screen.payload(&data);
                }
            }
        });
        let page = self.page.as_ref().map(|page| {
            quote! {
                fn page(&self) -> ::core::option::Option<&dyn #home::Paged> {
                    ::core::option::Option::Some(&self.#page)
                }
            }
        });
        let with_legacy = self.legacy.as_ref().map(|_| quote!(.with_legacy()));
        let methods = Methods { kind: kind.to_token_stream(), data, append, show }.quote(home);
        quote! {
            #methods

            #page

            fn kinds(list: &mut ::std::vec::Vec<#home::Kind>) {
                #[allow(unused_imports)]
                use #home::derive::{KindWithSchema as _, KindWithoutSchema as _};
                list.push((&#home::derive::PayloadOf::<Self>::NEW).kind(#kind) #with_legacy);
            }
        }
    }
}

/// The bodies of the methods that every reply has.
struct Methods {
    kind: TokenStream,
    data: TokenStream,
    append: TokenStream,
    show: TokenStream,
}

impl Methods {
    fn quote(&self, home: &Path) -> TokenStream {
        let Methods { kind, data, append, show } = self;
        quote! {
            fn kind(&self) -> &'static str {
                #kind
            }

            fn data(&self, shape: #home::Shape) -> #home::derive::Result<#home::derive::Raw> {
                #data
            }

            fn append_data(
                &self,
                shape: #home::Shape,
                line: &mut ::std::vec::Vec<u8>,
            ) -> #home::derive::Result<()> {
                #append
            }

            fn show(&self, screen: &mut #home::Screen) {
                #show
            }
        }
    }
}

/// The field that is a page. The key alone stands for the only field of a newtype.
fn page(key: &Entry, fields: &Fields, mistakes: &mut Mistakes) -> Option<Member> {
    let member = if key.flag().is_ok() {
        Some(Member::from(0)).filter(|_| fields.len() == 1)
    } else {
        Some(mistakes.keep(key.member())?)
    };
    let member = member.filter(|member| fields.members().any(|field| field == *member));
    if member.is_none() {
        let message = "is a field: write `page` on a struct around one page and nothing else, or \
                       `page = field`";
        key.refuse(message, mistakes);
    }
    member
}

/// The variants of an enum, each with the reply that it holds.
fn read_choice<'a>(data: &'a DataEnum, mistakes: &mut Mistakes) -> Vec<(&'a Ident, &'a Type)> {
    let mut variants = Vec::new();
    for variant in &data.variants {
        let name = &variant.ident;
        stray(&variant.attrs, "reply", "on the type that the variant holds", mistakes);
        for field in &variant.fields {
            stray(&field.attrs, "reply", "on the type of the field", mistakes);
        }
        match &variant.fields {
            Fields::Unnamed(fields) if fields.unnamed.len() == 1 => {
                variants.extend(fields.unnamed.iter().map(|field| (name, &field.ty)));
            }
            Fields::Unit => {
                let message = format!(
                    "`{name}` holds no reply: let it hold an acknowledgement, \
                     `{name}(manila_clap::Done)`"
                );
                mistakes.at(variant, message);
            }
            _ => {
                let message = format!(
                    "`{name}` must hold one reply and nothing else: put its fields into a struct \
                     that derives `Reply`, and write `{name}(ThatStruct)`"
                );
                mistakes.at(variant, message);
            }
        }
    }
    variants
}

/// The body for an enum: whatever the held reply says.
fn choice(variants: &[(&Ident, &Type)], home: &Path) -> TokenStream {
    let ask = |method: &str, argument: Option<TokenStream>| {
        let method = Ident::new(method, Span::call_site());
        let arms = variants.iter().map(
            |(name, _)| quote!(Self::#name(ref reply) => #home::Reply::#method(reply, #argument),),
        );
        quote!(match *self { #(#arms)* })
    };
    let methods = Methods {
        kind: ask("kind", None),
        data: ask("data", Some(quote!(shape))),
        append: ask("append_data", Some(quote!(shape, line))),
        show: ask("show", Some(quote!(screen))),
    };
    let methods = methods.quote(home);
    let page = ask("page", None);
    let relayed = ask("relayed", None);
    let types = || variants.iter().map(|(_, ty)| ty.to_token_stream());
    let (types, relaying) = (types(), types());
    quote! {
        #methods

        fn page(&self) -> ::core::option::Option<&dyn #home::Paged> {
            #page
        }

        fn relayed(&self) -> ::core::option::Option<#home::Relayed<'_>> {
            #relayed
        }

        fn relays() -> bool {
            false #(|| <#relaying as #home::Reply>::relays())*
        }

        fn kinds(list: &mut ::std::vec::Vec<#home::Kind>) {
            #(<#types as #home::Reply>::kinds(list);)*
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
    fn the_function_for_people_is_called_with_the_screen() {
        let shown = code("#[reply(show = view::task)] struct Task {}");
        assert!(shown.contains("{view::task(self,screen);}"), "{shown}");
        let shown = code("struct Task {}");
        assert!(shown.contains("screen.payload(&data)"), "{shown}");
    }

    #[test]
    fn a_page_without_its_key_is_a_mistake() {
        let message = mistakes("struct Notes(Page<Note>);");
        assert!(message.starts_with("this is a `Page`: write `page`"), "{message}");
        assert!(code("#[reply(page)] struct Notes(Page<Note>);").contains("fnpage"));
    }

    #[test]
    fn the_crate_may_be_elsewhere() {
        let code = code("#[reply(crate = crate::kit::manila)] struct Task {}");
        assert!(code.contains("implcrate::kit::manila::ReplyforTask"), "{code}");
        assert!(!code.contains("manila_clap"), "{code}");
    }

    #[test]
    fn keys_are_checked_all_at_once() {
        let item =
            r#"#[reply(kind = "", shwo = f, legacy = "f", page, page)] struct Task { id: u8 }"#;
        let expected = [
            "`page` is written twice",
            "`kind` is empty: leave it out or write a name",
            "`legacy` is a path: write `legacy = function`",
            "`page` is a field: write `page` on a struct around one page and nothing else, or \
             `page = field`",
            "unknown key `shwo` (known: kind, show, legacy, page, crate)",
        ];
        assert_eq!(mistakes(item), expected.join("\n"));
    }

    #[test]
    fn a_page_is_a_field() {
        for item in [
            "#[reply(page)] struct Tasks { page: u8 }",
            "#[reply(page)] struct Tasks(u8, u8);",
            "#[reply(page)] struct Tasks;",
            "#[reply(page = other)] struct Tasks { page: u8 }",
            "#[reply(page = 1)] struct Tasks(u8);",
        ] {
            assert!(mistakes(item).starts_with("`page` is a field: write"), "{item}");
        }
        let item = "#[reply(page = \"page\")] struct Tasks { page: u8 }";
        assert_eq!(mistakes(item), "`page` is the name of a field");
    }

    #[test]
    fn keys_need_values_of_their_sort() {
        for (keys, expected) in [
            ("kind", "`kind` needs a value: `kind = \"…\"`"),
            ("kind = task", "`kind` must be a string literal"),
            ("show", "`show` needs a value: `show = function`"),
            ("show = |task, screen| {}", "`show` is a path: write `show = function`"),
            ("kind(task)", "expected `kind` or `kind = …`, followed by a comma"),
        ] {
            assert_eq!(mistakes(&format!("#[reply({keys})] struct Task {{}}")), expected);
        }
    }

    #[test]
    fn every_variant_holds_one_reply() {
        let item = r#"
            #[reply(kind = "either", rename = x)]
            enum Either { Nothing, Two(A, B), Named { a: A }, #[reply(kind = "c")] C(C) }
        "#;
        let mistakes = mistakes(item);
        let mut lines = mistakes.lines();
        let mut next = || lines.next().unwrap_or_default();
        assert_eq!(next(), "`kind` belongs on the types that the variants hold");
        assert_eq!(next(), "unknown key `rename` (known: crate)");
        assert!(next().ends_with("`Nothing(manila_clap::Done)`"), "{mistakes}");
        assert!(next().starts_with("`Two` must hold one reply and nothing else"), "{mistakes}");
        assert!(next().ends_with("and write `Named(ThatStruct)`"), "{mistakes}");
        assert_eq!(next(), "`#[reply]` belongs on the type that the variant holds");
        assert_eq!(next(), "");
    }

    #[test]
    fn attributes_stand_where_they_are_read() {
        assert_eq!(
            mistakes("struct Task { #[reply(kind = \"id\")] id: u8 }"),
            "`#[reply]` belongs on the struct"
        );
        assert!(mistakes("union Task { id: u8 }").contains("not on unions"));
    }
}
