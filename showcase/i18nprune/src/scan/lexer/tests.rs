//! Hard cases of the lexer.

use super::*;

/// The tokens with their kinds, but for names and marks.
fn shown(source: &str, syntax: Syntax) -> Vec<String> {
    let show = |token: &Token| match token.kind {
        Kind::Name | Kind::Mark | Kind::Attribute => token.text(source).to_owned(),
        kind => format!("{kind:?}:{}", token.text(source)),
    };
    tokens(source, 0..source.len(), syntax).iter().map(show).collect()
}

#[test]
fn a_slash_is_a_division_or_begins_a_regular_expression() {
    for (source, last) in [
        ("x = /it's/g", "Regex:/it's/g"),
        ("return /['\"`]/", "Regex:/['\"`]/"),
        ("if (x) /a\\/b/", "Regex:/a\\/b/"),
        ("a = [/[/]'/]", "]"),
        ("f(a) / 2 / 'b'", "String:'b'"),
        ("a[0] / 'b' / 2", "Number:2"),
        ("i++ / 2 / 'c'", "String:'c'"),
        ("a! / 2 / 'd'", "String:'d'"),
        ("a.default / 2 / 'e'", "String:'e'"),
        ("(!/it's/", "Regex:/it's/"),
        ("a\n!/it's/", "Regex:/it's/"),
        ("x = /never\n'd'", "String:'d'"),
        ("a /* it's */ / 'e'", "String:'e'"),
    ] {
        assert_eq!(shown(source, Syntax::Script).last().unwrap(), last, "{source}");
    }
}

#[test]
fn templates_nest() {
    let source = "`a${b + `c${'}'}`}d` + `e`";
    let expected = [
        "TemplateHead:`a${",
        "b",
        "+",
        "TemplateHead:`c${",
        "String:'}'",
        "}",
        "TemplateTail:`",
        "}",
        "TemplateTail:d`",
        "+",
        "Template:`e`",
    ];
    assert_eq!(shown(source, Syntax::Script), expected);
}

#[test]
fn text_between_tags_is_no_code() {
    let source = "x = <p a='it\"s' b={c}>don't {d /* ' */} <b/>`</p>, 'e'";
    let expected = [
        "x",
        "=",
        "<",
        "p",
        "a",
        "=",
        "AttributeValue:'it\"s'",
        "b",
        "=",
        "{",
        "c",
        "}",
        ">",
        "{",
        "d",
        "Comment:/* ' */",
        "}",
        "<",
        "b",
        "/>",
        "</",
        "p",
        ">",
        ",",
        "String:'e'",
    ];
    assert_eq!(shown(source, Syntax::Jsx), expected);
}

#[test]
fn a_comparison_or_a_generic_is_no_tag() {
    for source in ["a < b && 'c'", "f<T>('c')", "x = <T,>(y) => 'c'", "type F = <T>(y) => 'c'"] {
        assert!(shown(source, Syntax::Jsx).iter().any(|token| token == "String:'c'"), "{source}");
    }
    assert!(shown("x = <T>'c'", Syntax::Script).contains(&"String:'c'".to_owned()));
}

#[test]
fn what_is_torn_ends_with_its_line_or_the_file() {
    assert_eq!(shown("'a\n'b'", Syntax::Script), ["Torn:'a", "String:'b'"]);
    assert_eq!(shown("'a\\\r\nb'", Syntax::Script), ["String:'a\\\r\nb'"]);
    assert_eq!(shown("`a", Syntax::Script), ["Torn:`a"]);
    assert_eq!(shown("'é\\", Syntax::Script), ["Torn:'é\\"]);
    assert_eq!(shown("/* a", Syntax::Script), ["Comment:/* a"]);
}

#[test]
fn the_brace_that_closes_is_found() {
    for (source, rest) in [
        ("a}b", "}b"),
        ("{a: '}'}}b", "}b"),
        ("`}${x}`}b", "}b"),
        ("f(} b", "} b"),
        ("never", ""),
        ("", ""),
    ] {
        assert_eq!(&source[closing_brace(source, 0)..], rest, "{source}");
    }
}

#[test]
fn a_line_is_searched_for_a_regular_expression_once() {
    let source = "[/[".repeat(200_000);
    assert_eq!(tokens(&source, 0..source.len(), Syntax::Script).len(), 600_000);
}
