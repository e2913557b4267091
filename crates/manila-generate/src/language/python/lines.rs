//! Types and calls in Python on as many lines as ruff and black give them.

use super::super::spell::width;
use super::{WIDTH, python};
use crate::types::Type;

/// A name, with what is in the brackets behind it.
pub(super) struct Spelled {
    name: String,
    inner: Vec<Spelled>,
}

impl Spelled {
    pub(super) fn new(name: impl Into<String>, inner: Vec<Spelled>) -> Spelled {
        Spelled { name: name.into(), inner }
    }

    /// A type in an annotation.
    pub(super) fn of(of: &Type) -> Spelled {
        let one = |name: &str, of: &Type| Spelled::new(name, vec![Spelled::of(of)]);
        match of {
            Type::List(of) => one("list", of),
            Type::Map(of) => Spelled::new("dict", vec![Spelled::of(&Type::Text), Spelled::of(of)]),
            Type::Union(all) => match of.split_null() {
                (rest, true) => one("Optional", &rest),
                (_, false) => Spelled::new("Union", all.iter().map(Spelled::of).collect()),
            },
            plain => Spelled::new(python(plain), Vec::new()),
        }
    }

    /// On one line.
    pub(super) fn flat(&self) -> String {
        if self.inner.is_empty() {
            return self.name.clone();
        }
        let inner: Vec<String> = self.inner.iter().map(Spelled::flat).collect();
        format!("{}[{}]", self.name, inner.join(", "))
    }

    /// Between two texts, the first of which has an indent.
    pub(super) fn lines(&self, head: &str, tail: &str) -> String {
        let line = format!("{head}{}{tail}", self.flat());
        if width(&line) <= WIDTH || self.inner.is_empty() {
            return line;
        }
        let indent = &head[..head.len() - head.trim_start().len()];
        let deeper = format!("{indent}    ");
        let inner: Vec<String> = self.inner.iter().map(Spelled::flat).collect();
        let together = format!("{deeper}{}", inner.join(", "));
        let inner = match &self.inner[..] {
            [one] => one.lines(&deeper, ""),
            _ if width(&together) <= WIDTH => together,
            all => all.iter().map(|it| it.lines(&deeper, ",")).collect::<Vec<_>>().join("\n"),
        };
        format!("{head}{}[\n{inner}\n{indent}]{tail}", self.name)
    }
}

/// A call behind a text that has an indent.
pub(super) fn call(head: &str, arguments: &[&str]) -> String {
    let inner = arguments.join(", ");
    let line = format!("{head}({inner})");
    if width(&line) <= WIDTH {
        return line;
    }
    let indent = &head[..head.len() - head.trim_start().len()];
    if indent.len() + 4 + width(&inner) <= WIDTH {
        return format!("{head}(\n{indent}    {inner}\n{indent})");
    }
    let lines: String = arguments.iter().map(|one| format!("{indent}    {one},\n")).collect();
    format!("{head}(\n{lines}{indent})")
}
