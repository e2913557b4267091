//! Parses the attributes of a failure, and reports every mistake in them.

use super::compare::{compare_codes, compare_sources};
use super::{Field, Item, Kind, Own, Variant, Words, label, thiserror};
use crate::attribute::{
    Keys, Known, Mistakes, Text, documentation, mark, milliseconds, screaming_snake, stray,
};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::{Attribute, Data, DeriveInput, Fields, Ident, LitStr, parse_quote};

/// The keys of the whole type.
const TYPE_KEYS: &[&str] = &["crate", "no_error"];

/// The keys of a variant.
const VARIANT_KEYS: &[&str] = &[
    "exit",
    "status",
    "code",
    "message",
    "suggestion",
    "retryable",
    "wait",
    "phase",
    "detail",
    "details",
    "operation",
    "target",
    "missing",
    "fix",
    "fix_command",
    "redirect",
    "data",
    "show",
    "silent",
    "transparent",
];

/// The variants of `Exit` that a failure can have: all but `Success`.
const EXITS: &[&str] = &[
    "General",
    "PartialFailure",
    "ArgError",
    "Precondition",
    "NotFound",
    "Conflict",
    "PermissionDenied",
    "AuthRequired",
    "PaymentRequired",
    "Timeout",
    "RateLimited",
    "Unavailable",
    "Redirected",
];

/// The one that says where to.
const REDIRECTED: &str = "Redirected";

/// The variants of `Phase`.
const PHASES: &[&str] = &["Validation", "Execution", "Cleanup"];

/// The keys that are text and nothing more, each a method of `Error`.
const TEXTS: &[&str] = &["operation", "target", "missing", "fix", "fix_command", "show"];

impl<'a> Item<'a> {
    pub(super) fn read(input: &'a DeriveInput, mistakes: &mut Mistakes) -> Item<'a> {
        let mut keys = Keys::read(&input.attrs, "failure", mistakes);
        let home = keys.take("crate").and_then(|key| mistakes.keep(key.path("path::to::it")));
        let home = home.unwrap_or_else(|| parse_quote!(::manila_clap));
        let by_hand = keys.take("no_error").map(|key| mistakes.keep(key.flag())).is_some();
        let thiserror = thiserror::is_used(input);
        stray(&input.attrs, "from", "on a field", mistakes);
        stray(&input.attrs, "source", "on a field", mistakes);

        let mut variants = Vec::new();
        match &input.data {
            Data::Struct(data) => {
                let here = [VARIANT_KEYS, TYPE_KEYS].concat();
                let known = Known { here: &here, elsewhere: (&[], "") };
                let reader =
                    Reader::new(&input.ident, &input.attrs, &data.fields, thiserror, mistakes);
                variants.extend(reader.read(quote!(Self), keys, &known));
            }
            Data::Enum(data) => {
                let known = Known { here: TYPE_KEYS, elsewhere: (VARIANT_KEYS, "on a variant") };
                keys.finish(&known, mistakes);
                let known = Known { here: VARIANT_KEYS, elsewhere: (TYPE_KEYS, "on the enum") };
                for syn::Variant { ident, attrs, fields, .. } in &data.variants {
                    stray(attrs, "from", "on the field", mistakes);
                    stray(attrs, "source", "on the field", mistakes);
                    let keys = Keys::read(attrs, "failure", mistakes);
                    let reader = Reader::new(ident, attrs, fields, thiserror, mistakes);
                    variants.extend(reader.read(quote!(Self::#ident), keys, &known));
                }
            }
            Data::Union(data) => {
                let message = "`Failure` is derived on enums and structs, not on unions";
                mistakes.at(data.union_token, message);
            }
        }
        compare_codes(&variants, mistakes);
        compare_sources(&variants, mistakes);
        Item { home, error: !by_hand && !thiserror, from: !thiserror, variants }
    }
}

/// Reads one variant, or a struct.
pub(super) struct Reader<'a, 'm> {
    pub(super) name: &'a Ident,
    pub(super) attributes: &'a [Attribute],
    /// Whether thiserror writes `Display`; then the attributes are optional.
    pub(super) thiserror: bool,
    pub(super) fields: Vec<Field<'a>>,
    pub(super) source: Option<usize>,
    from: bool,
    pub(super) mistakes: &'m mut Mistakes,
}

impl<'a, 'm> Reader<'a, 'm> {
    /// Reads the fields.
    fn new(
        name: &'a Ident,
        attributes: &'a [Attribute],
        fields: &'a Fields,
        thiserror: bool,
        mistakes: &'m mut Mistakes,
    ) -> Self {
        let (mut source, mut made) = (None, false);
        for (index, field) in fields.iter().enumerate() {
            stray(&field.attrs, "failure", "on the type or on a variant", mistakes);
            let from = mark(&field.attrs, "from", mistakes);
            if from && fields.len() > 1 {
                let message = "`#[from]` makes a value of this field alone, and there are others: \
                               write `#[source]`";
                mistakes.at(field, message);
            }
            // The rule of `thiserror`.
            let is_named = field.ident.as_ref().is_some_and(|ident| ident == "source");
            if mark(&field.attrs, "source", mistakes) || from || is_named {
                if source.is_some() {
                    mistakes.at(field, format!("`{name}` has another source already"));
                }
                source = Some(index);
                made |= from;
            }
        }
        let fields = fields.iter().enumerate().map(Field::new).collect();
        Reader { name, attributes, thiserror, fields, source, from: made, mistakes }
    }

    /// Reads the keys.
    fn read(mut self, path: TokenStream, mut keys: Keys, known: &Known<'_>) -> Option<Variant<'a>> {
        if !keys.are_legible() {
            return None;
        }
        let kind = match keys.take("transparent") {
            Some(key) => {
                self.mistakes.keep(key.flag());
                self.refuse_all(&mut keys);
                Some(Kind::Transparent)
            }
            None => self.own(&mut keys).map(Box::new).map(Kind::Own),
        };
        keys.finish(known, self.mistakes);
        let Reader { name, fields, source, from, .. } = self;
        Some(Variant { name, path, fields, source, from, kind: kind? })
    }

    /// A transparent variant says nothing of its own.
    fn refuse_all(&mut self, keys: &mut Keys) {
        if self.fields.len() != 1 {
            let message =
                format!("`{}` is transparent: give it one field, which is a failure", self.name);
            self.mistakes.at(self.name, message);
        }
        for key in VARIANT_KEYS.iter().filter_map(|key| keys.take(key)) {
            key.refuse("has no use beside `transparent`: the field says it", self.mistakes);
        }
    }

    /// What there is to say about any other variant.
    fn own(&mut self, keys: &mut Keys) -> Option<Own> {
        let code = self.code(keys);
        let exit = self.exit(keys);
        let (message, meaning) = self.message(keys);
        let mut calls = Vec::new();

        let suggestion = self.text("suggestion", keys);
        if let Some((words, _)) = &suggestion {
            calls.push(("suggestion", words.to_token_stream()));
        }
        let detail = self.text("detail", keys).map(|(words, _)| words.to_token_stream());
        let detail = detail.or_else(|| self.upstream(message.as_ref()?));
        calls.extend(detail.map(|detail| ("detail", detail)));
        for &key in TEXTS {
            let words = self.text(key, keys);
            calls.extend(words.map(|(words, _)| (key, words.to_token_stream())));
        }
        let details = keys.take("details").and_then(|key| self.mistakes.keep(key.expr()));
        calls.extend(details.map(|details| ("details", quote!(&(#details)))));

        let redirect = self.redirect(keys, exit.as_ref());
        calls.extend(redirect.map(|redirect| ("redirect", redirect)));
        let phase = keys.take("phase").and_then(|key| self.mistakes.keep(key.word(PHASES)));
        let status = keys.take("status").and_then(|key| self.mistakes.keep(key.status()));
        calls.extend(status.as_ref().map(|status| ("status", quote!(#status))));
        let mut retryable =
            keys.take("retryable").and_then(|key| self.mistakes.keep(key.boolean()));
        if let Some(retryable) = retryable {
            calls.push(("retryable", quote!(#retryable)));
        }
        if let Some((wait, always)) = self.wait(keys) {
            calls.push(("wait", wait));
            // A wait says that calling again may work, and this one is always there.
            retryable = retryable.or(always.then_some(true));
        }
        if let Some(key) = keys.take("silent") {
            self.mistakes.keep(key.flag());
            calls.push(("silent", TokenStream::new()));
        }
        let data = self.data(keys);
        let suggestion = suggestion.and_then(|(_, literal)| literal).map(|it| it.value());
        let meaning = meaning.map(|it| it.value());
        let (code, exit, message) = (code?, exit?, message?);
        Some(Own {
            code,
            exit,
            message,
            meaning,
            suggestion,
            retryable,
            status,
            phase,
            calls,
            data,
        })
    }

    fn code(&mut self, keys: &mut Keys) -> Option<LitStr> {
        let default =
            || LitStr::new(&screaming_snake(&self.name.unraw().to_string()), self.name.span());
        match keys.take("code") {
            Some(key) => self.mistakes.keep(key.string()),
            None => Some(default()),
        }
    }

    fn exit(&mut self, keys: &mut Keys) -> Option<Ident> {
        let Some(key) = keys.take("exit") else {
            if self.thiserror {
                return Some(Ident::new("General", self.name.span()));
            }
            let message =
                format!("`{}` has no `exit`: write one of {}", self.name, EXITS.join(", "));
            self.mistakes.at(self.name, message);
            return None;
        };
        self.mistakes.keep(key.word(EXITS))
    }

    /// The call to make instead: a failure has one exactly when that is its class.
    fn redirect(&mut self, keys: &mut Keys, exit: Option<&Ident>) -> Option<TokenStream> {
        let is_redirected = exit.is_some_and(|exit| exit == REDIRECTED);
        match keys.take("redirect") {
            Some(key) if is_redirected || exit.is_none() => {
                self.mistakes.keep(key.expr()).map(ToTokens::into_token_stream)
            }
            Some(key) => {
                key.refuse("goes with `exit = Redirected`", self.mistakes);
                None
            }
            None if is_redirected => {
                let message = format!(
                    "`{}` does not say where to: write `redirect = Redirect::permanent(…)` or \
                     `redirect = Redirect::temporary(…)`",
                    self.name
                );
                self.mistakes.at(exit, message);
                None
            }
            None => None,
        }
    }

    /// The message, and what the variant means without anything filled in.
    fn message(&mut self, keys: &mut Keys) -> (Option<Words>, Option<LitStr>) {
        let documentation = documentation(self.attributes);
        if let Some(key) = keys.take("message") {
            let text = self.mistakes.keep(key.text());
            let literal = text.as_ref().and_then(Text::literal);
            if let Some(empty) = literal.as_ref().filter(|it| it.value().trim().is_empty()) {
                self.mistakes.at(empty, "`message` is empty: say what went wrong");
            }
            let meaning = documentation.or(literal);
            return (text.and_then(|text| self.words(text, "")), meaning);
        }
        if self.thiserror {
            let words = Words::Expr(parse_quote!(::std::string::ToString::to_string(&self)));
            return (Some(words), documentation.or_else(|| thiserror::format(self.attributes)));
        }
        let Some(line) = documentation else {
            let message =
                format!("`{}` has no message: write a doc comment or `message = \"…\"`", self.name);
            self.mistakes.at(self.name, message);
            return (None, None);
        };
        let words = self.words(
            Text::Literal(line.clone()),
            "; this doc comment is the message as long as there is no `message = \"…\"`",
        );
        (words, Some(line))
    }

    /// How long to wait, and whether that is known before.
    fn wait(&mut self, keys: &mut Keys) -> Option<(TokenStream, bool)> {
        let text = keys.take("wait").and_then(|key| self.mistakes.keep(key.text()))?;
        let literal = match text {
            Text::Expr(expr) => return Some((expr.to_token_stream(), false)),
            Text::Literal(literal) => literal,
        };
        let Some(milliseconds) = milliseconds(&literal.value()) else {
            let message = "not a duration: write a number and its unit, such as \"500ms\", \
                           \"30s\", \"5m\" or \"1h\"";
            self.mistakes.at(literal, message);
            return None;
        };
        Some((quote!(::core::time::Duration::from_millis(#milliseconds)), true))
    }

    fn data(&mut self, keys: &mut Keys) -> Option<usize> {
        let member = keys.take("data").and_then(|key| self.mistakes.keep(key.member()))?;
        let field = self.field(&label(&member));
        if field.is_none() {
            let message = format!("`data` is a field that is a reply: {}", self.inventory());
            self.mistakes.at(member, message);
        }
        field
    }
}

#[cfg(test)]
mod tests {
    use super::*;
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

    /// The code of an item, without spaces.
    fn code(item: &str) -> String {
        expand(&syn::parse_str(item).unwrap()).unwrap().to_string().replace(' ', "")
    }

    #[test]
    fn the_words_are_those_of_manila() {
        let exits: Vec<String> = manila_clap::Exit::ALL
            .iter()
            .map(|exit| format!("{exit:?}"))
            .filter(|exit| exit != "Success")
            .collect();
        assert_eq!(exits, EXITS);
        let phases = manila_clap::Phase::ALL.iter().map(|phase| format!("{phase:?}"));
        assert_eq!(phases.collect::<Vec<_>>(), PHASES);
    }

    #[test]
    fn all_mistakes_of_an_item_are_reported() {
        let item = r#"
            #[failure(exit = General, colour)]
            enum E {
                #[failure(exit = Missing, code = "", wait = "soon", exti = General)]
                A,
                B,
            }
        "#;
        let classes = EXITS.join(", ");
        let expected = [
            "`exit` belongs on a variant".to_owned(),
            "unknown key `colour` (known: crate, no_error)".to_owned(),
            "`code` is empty: leave it out or write a name".to_owned(),
            format!("`exit` is one of {classes}"),
            "`A` has no message: write a doc comment or `message = \"…\"`".to_owned(),
            "not a duration: write a number and its unit, such as \"500ms\", \"30s\", \"5m\" or \
             \"1h\""
                .to_owned(),
            format!("unknown key `exti` (known: {})", VARIANT_KEYS.join(", ")),
            format!("`B` has no `exit`: write one of {classes}"),
            "`B` has no message: write a doc comment or `message = \"…\"`".to_owned(),
        ];
        assert_eq!(mistakes(item), expected.join("\n"));
    }

    #[test]
    fn a_class_is_a_bare_word_that_is_not_success() {
        let expected = format!("`exit` is one of {}", EXITS.join(", "));
        for exit in ["= Success", "= Exit::NotFound", "= \"NotFound\"", "= 4", "= Missing", ""] {
            let item = format!("#[failure(exit {exit}, message = \"m\")] struct E;");
            assert_eq!(mistakes(&item), expected, "{exit}");
        }
    }

    #[test]
    fn keys_need_values_of_their_sort() {
        for (keys, expected) in [
            ("message", "`message` needs a value: `message = \"…\"`"),
            ("details", "`details` needs a value: `details = expression`"),
            ("code = id", "`code` must be a string literal"),
            ("status = 0", "`status` is a number from 1 to 255"),
            ("status = \"a\"", "`status` is a number from 1 to 255"),
            ("retryable = 1", "write `retryable` or `retryable = false`"),
            ("phase = Later", "`phase` is one of Validation, Execution, Cleanup"),
            ("data = report", "`data` is a field that is a reply: `V` has `id`"),
            ("data = \"id\"", "`data` is the name of a field"),
            ("message = \" \"", "`message` is empty: say what went wrong"),
            ("redirect = elsewhere()", "`redirect` goes with `exit = Redirected`"),
            ("retryable, retryable", "`retryable` is written twice"),
            ("no_error", "`no_error` belongs on the enum"),
            ("fix(id)", "expected `fix` or `fix = …`, followed by a comma"),
        ] {
            assert_eq!(mistakes_in(keys), expected, "{keys}");
        }
        assert_eq!(
            mistakes("#[failure(no_error = true, crate = \"manila\")] enum E {}"),
            "`crate` is a path: write `crate = path::to::it`\n\
             `no_error` takes no value"
        );
    }

    #[test]
    fn a_redirect_says_where_to() {
        let item =
            |more: &str| format!("#[failure(exit = Redirected, message = \"m\"{more})] struct E;");
        assert!(mistakes(&item("")).starts_with("`E` does not say where to"));
        assert_eq!(
            mistakes(&item(", redirect")),
            "`redirect` needs a value: `redirect = expression`"
        );
        let code = code(&item(", redirect = elsewhere()"));
        assert!(code.contains(".redirect(elsewhere())"), "{code}");
    }

    #[test]
    fn a_transparent_variant_says_nothing_itself() {
        let item = r#"enum E {
            #[failure(transparent, exit = General, suggestion = "s")] A(Inner),
            #[failure(transparent)] B,
            #[failure(transparent = true)] C(Inner),
        }"#;
        let expected = [
            "`exit` has no use beside `transparent`: the field says it",
            "`suggestion` has no use beside `transparent`: the field says it",
            "`B` is transparent: give it one field, which is a failure",
            "`transparent` takes no value",
        ];
        assert_eq!(mistakes(item), expected.join("\n"));
    }

    #[test]
    fn a_union_is_no_failure() {
        assert!(mistakes("union E { id: u8 }").contains("not on unions"));
    }

    #[test]
    fn the_crate_may_be_elsewhere() {
        let item = r#"
            #[failure(crate = crate::kit, exit = General, message = "m", phase = Cleanup)]
            struct E;
        "#;
        let code = code(item);
        assert!(code.contains("implcrate::kit::FailureforE"), "{code}");
        assert!(code.contains("crate::kit::Phase::Cleanup"), "{code}");
        assert!(!code.contains("manila_clap"), "{code}");
    }
}
