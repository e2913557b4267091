//! Finding translation keys in source files: `Language` → pieces of code → tokens → calls.

mod calls;
mod lexer;
mod markup;
mod piece;
mod place;
mod svelte;
mod token;
mod tree;
mod vue;

pub(crate) use calls::{Functions, Key};
pub(crate) use place::Place;
pub(crate) use tree::{Call, Dynamic, Observation, Scan, Skipped, patterns, scan};

use calls::Site;
use lexer::Syntax;
use piece::{Meaning, Piece};
use std::ops::Range;
use std::path::Path;
use token::{Kind, Token};

/// The languages that are understood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Language {
    /// JavaScript and TypeScript, with tags or without.
    Code(Syntax),
    /// Vue's components.
    Vue,
    /// Svelte's components.
    Svelte,
}

/// How files are named that are written in a language.
const LANGUAGES: &[(&str, Language)] = &[
    ("js", Language::Code(Syntax::Jsx)),
    ("mjs", Language::Code(Syntax::Jsx)),
    ("cjs", Language::Code(Syntax::Jsx)),
    ("jsx", Language::Code(Syntax::Jsx)),
    ("tsx", Language::Code(Syntax::Jsx)),
    ("ts", Language::Code(Syntax::Script)),
    ("mts", Language::Code(Syntax::Script)),
    ("cts", Language::Code(Syntax::Script)),
    ("vue", Language::Vue),
    ("svelte", Language::Svelte),
];

impl Language {
    /// The language of a file of that name, if it is one of them.
    pub(crate) fn of(path: &Path) -> Option<Language> {
        let extension = path.extension()?.to_str()?;
        LANGUAGES.iter().find(|(name, _)| *name == extension).map(|(_, language)| *language)
    }

    fn pieces(self, source: &str) -> Vec<Piece> {
        match self {
            Language::Code(syntax) => vec![Piece::new(0..source.len(), syntax, Meaning::Code)],
            Language::Vue => vue::pieces(source),
            Language::Svelte => svelte::pieces(source),
        }
    }
}

/// A call, and whether it is only in a comment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) site: Site,
    pub(crate) is_commented: bool,
}

/// Every call in a file, in its order.
pub(crate) fn find(source: &str, language: Language, functions: &Functions) -> Vec<Found> {
    let mut search = Search { source, functions, found: Vec::new() };
    for piece in language.pieces(source) {
        search.piece(piece);
    }
    search.found.sort_by_key(|found| found.site.span.start);
    search.found
}

struct Search<'s> {
    source: &'s str,
    functions: &'s Functions,
    found: Vec<Found>,
}

impl Search<'_> {
    fn piece(&mut self, piece: Piece) {
        let Piece { span, syntax, meaning } = piece;
        let tokens = || lexer::tokens(self.source, span.clone(), syntax);
        match meaning {
            Meaning::Code => {
                let tokens = tokens();
                self.add(&tokens, false);
                for comment in tokens.iter().filter(|token| token.kind == Kind::Comment) {
                    // Without its first two bytes, `//` or `/*`.
                    self.comment(comment.span.start + 2..comment.span.end);
                }
            }
            Meaning::Comment => self.comment(span),
            Meaning::Key(name) => {
                let key = calls::key(self.source, &tokens());
                self.add_key(name, span, key);
            }
            Meaning::Text(name) => {
                let text = self.source.get(span.clone()).unwrap_or_default().to_owned();
                self.add_key(name, span, Key::Literal(vec![text]));
            }
        }
    }

    fn comment(&mut self, span: Range<usize>) {
        let tokens = lexer::tokens(self.source, span, Syntax::Comment);
        self.add(&tokens, true);
    }

    fn add(&mut self, tokens: &[Token], is_commented: bool) {
        let mut sites = Vec::new();
        calls::find(self.source, tokens, self.functions, &mut sites);
        self.found.extend(sites.into_iter().map(|site| Found { site, is_commented }));
    }

    fn add_key(&mut self, name: &str, span: Range<usize>, key: Key) {
        let site = Site { span, function: name.to_owned(), key };
        self.found.push(Found { site, is_commented: false });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn functions() -> Functions {
        Functions::new(&["t", "$t", "i18n.t"].map(str::to_owned))
    }

    /// The keys in a file of that name; `*` is one that is computed, `#` one in a comment.
    fn keys(name: &str, source: &str) -> Vec<String> {
        let language = Language::of(Path::new(name)).unwrap();
        let found = find(source, language, &functions());
        let key = |found: Found| {
            let sign = if found.is_commented { "#" } else { "" };
            match found.site.key {
                Key::Literal(keys) => format!("{sign}{}", keys.join("|")),
                Key::Interpolated | Key::Computed => format!("{sign}*"),
            }
        };
        found.into_iter().map(key).collect()
    }

    #[test]
    fn calls_are_reported_from_what_looks_like_them() {
        for (source, expected) in [
            ("t('a.b')", &["a.b"][..]),
            ("t(\"a\", { count: 1 })", &["a"]),
            ("t(`a`)", &["a"]),
            ("t(`a.${b}`)", &["*"]),
            ("t('a.' + b)", &["*"]),
            ("t('a.' + 'b')", &["a.b"]),
            ("t(ok ? 'a' : 'b')", &["a|b"]),
            ("t(x ? y ? 'a' : 'b' : ('c'))", &["a|b|c"]),
            ("t(x ? 'a' : b)", &["*"]),
            ("t('a' as const)", &["a"]),
            ("t(key)", &["*"]),
            ("t?.('a')", &["a"]),
            ("t<string>('a'); t<A.B, 'c'[]>('b'); t < x > y; t < (z)", &["a", "b"]),
            ("this.$t('a')", &["a"]),
            ("i18n.t('a'); i18n?.t('b')", &["a", "b"]),
            ("obj.t('a'); attr('b'); format('c'); set(t); import('d')", &[]),
            ("foo().t('a'); a.i18n.t('b')", &[]),
            ("function t(key) { return t(key) }", &["*"]),
            ("const o = { t(key) { return key } }", &[]),
            ("class A { t(key: string): string { return '' } u(t?: T) {} }", &[]),
            ("t()", &[]),
            ("t(t('a'))", &["*", "a"]),
            ("// t(x)\n/* t('a') */ t('b')", &["#*", "#a", "b"]),
            ("const s = \"t('a')\"; const r = /t('b')/; `t('c') ${t('d')}`", &["d"]),
            ("t('it\\'s')", &["it's"]),
            ("t('torn\nt('a')", &["*", "a"]),
            ("\u{feff}t('a'); return\u{a0}t('b'); été('c')", &["a", "b"]),
        ] {
            assert_eq!(keys("x.ts", source), expected, "{source}");
        }
    }

    #[test]
    fn code_is_found_among_tags() {
        let source = r#"
            const A = () => (
              <div title={t('title')} data-x="t('no')">
                Don't call t('text') here, it's text {/* t(old) */}
                {items.map((it) => <b key={it.id}>{t(`item.${it.id}`)}</b>)}
                <Trans i18nKey="rich.text">Hello <i>you</i></Trans>
                <Trans i18nKey={cond ? 'x' : 'y'} />
                {a < b ? t('less') : null}
                <Select<Map<K, V>> label={t('generic')} />
              </div>
            );
            const after = 'it' && t('after');
        "#;
        let expected = ["title", "#*", "*", "rich.text", "x|y", "less", "generic", "after"];
        assert_eq!(keys("x.tsx", source), expected);
    }

    #[test]
    fn a_vue_component_has_code_in_three_places() {
        let source = r#"
            <!-- t(gone) -->
            <template>
              <p :title="$t('title')" @click="say($t('said'))" class="$t('no')" v-if="$t('if')">
                {{ n < 3 ? $t('few') : $t('many') }} it's {{ $t(dynamic) }}
              </p>
              <b v-t="'direct'" /><i18n-t keypath="path" tag="p" /><template #head="{ t }">x</template>
            </template>
            <script setup lang="ts">
            const a = <string>t('script'); const s = 't(no)';
            </script>
            <style>p::after { content: "t('no')" }</style>
        "#;
        let expected =
            ["#*", "title", "said", "if", "few", "many", "*", "direct", "path", "script"];
        assert_eq!(keys("x.vue", source), expected);
    }

    #[test]
    fn a_script_ends_at_its_first_closing_tag_even_in_a_string() {
        let source = "<script>const a = '</script>'; t('no')</script><p>{{ t('yes') }}</p>";
        assert_eq!(keys("x.vue", source), ["yes"]);
        assert_eq!(keys("x.vue", "<script>a = '<\\/script>'; t('b')</script>"), ["b"]);
    }

    #[test]
    fn a_svelte_component_has_code_in_braces() {
        let source = r#"
            <script>let title = $t('script'); // $t(old)
            </script>
            {#if $t('if')}<h1 class="a {$t('in.quotes')}">{@html $t('html')}</h1>
            {:else if x}{$t(`a.${x}`)}{/if}
            <b on:click={() => { say($t('clicked', { a: '}' })) }} /> {$t('last')}
            <style>b { color: red }</style> $t('text')
        "#;
        let expected = ["script", "#*", "if", "in.quotes", "html", "*", "clicked", "last"];
        assert_eq!(keys("x.svelte", source), expected);
    }

    #[test]
    fn an_attribute_of_any_depth_ends() {
        for (before, after) in [("(", ")"), ("", "!"), ("a?", ":'b'")] {
            let (before, after) = (before.repeat(20_000), after.repeat(20_000));
            let source = format!("<p v-t=\"{before}'a'{after}\" />");
            assert_eq!(keys("x.vue", &source), ["*"]);
        }
    }

    #[test]
    fn deep_nesting_ends() {
        for unit in ["t(", "`${", "<a>{", "{", "/[", "'\\", "<script>", "{{", "/*", "t(a?"] {
            let source = unit.repeat(20_000);
            for (name, language) in LANGUAGES {
                let found = find(&source, *language, &functions());
                assert!(found.len() <= 20_000, "{name}");
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]

        #[test]
        fn no_text_stops_the_search(text in r"(\PC|[\n\r'`{}<>/\\$()]|t\(|</script|\{\{|<!--){0,200}") {
            for (_, language) in LANGUAGES {
                for found in find(&text, *language, &functions()) {
                    prop_assert!(text.get(found.site.span).is_some());
                }
            }
        }

        #[test]
        fn no_bytes_stop_the_search(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let text = String::from_utf8_lossy(&bytes);
            for (_, language) in LANGUAGES {
                find(&text, *language, &functions());
            }
        }

        #[test]
        fn a_call_is_found_wherever_it_stands(
            before in r"([a-z]+\.[a-z]+\([a-z]*\);\n|// it's\n|x = /'/g;\n|y = `\$\{z\}`;\n){0,8}",
            key in "[a-z]{1,8}(\\.[a-z]{1,8}){0,3}",
        ) {
            let source = format!("{before}t('{key}');\n{before}");
            prop_assert!(keys("x.ts", &source).contains(&key));
        }
    }
}
