//! Types in TypeScript on as many lines as prettier gives them.

use super::super::spell::width;
use super::{WIDTH, typescript};
use crate::types::Type;

/// What a name is declared as, behind `head` and one space: `readonly id: string;` or `type Id = string;`.
pub(super) fn declared(head: &str, of: &Type) -> String {
    let line = format!("{head} {};", typescript(of));
    if width(&line) <= WIDTH {
        return line;
    }
    let indent = indent_of(head);
    let Type::Union(all) = of else { return format!("{head} {};", broken(of, indent)) };
    if let Some(object) = only_object(all) {
        let one = |it: &Type| if it == object { broken(it, indent) } else { typescript(it) };
        return format!("{head} {};", all.iter().map(one).collect::<Vec<_>>().join(" | "));
    }
    let spelled: Vec<String> = all.iter().map(typescript).collect();
    alternatives(head, &spelled, |at, indent| broken(&all[at], indent))
}

/// A choice between texts.
pub(super) fn choice(head: &str, texts: &[String]) -> String {
    let line = format!("{head} {};", texts.join(" | "));
    if width(&line) <= WIDTH || texts.len() == 1 {
        return line;
    }
    alternatives(head, texts, |at, _| texts[at].clone())
}

/// Alternatives on a line of their own if they fit there, else each on its own.
fn alternatives(head: &str, spelled: &[String], long: impl Fn(usize, &str) -> String) -> String {
    let indent = indent_of(head);
    let inner = format!("{indent}  {};", spelled.join(" | "));
    if width(&inner) <= WIDTH {
        return format!("{head}\n{inner}");
    }
    let deeper = format!("{indent}    ");
    let one = |(at, flat): (usize, &String)| {
        let is_short = deeper.len() + width(flat) <= WIDTH;
        let flat = if is_short { flat.clone() } else { long(at, &deeper) };
        format!("\n{indent}  | {flat}")
    };
    let lines: Vec<String> = spelled.iter().enumerate().map(one).collect();
    format!("{head}{};", lines.concat())
}

/// A type that is too long for a line.
fn broken(of: &Type, indent: &str) -> String {
    match of {
        Type::List(of) => match &**of {
            Type::Union(all) => {
                let all: Vec<String> = all.iter().map(typescript).collect();
                let line = format!("{indent}  {}", all.join(" | "));
                if width(&line) <= WIDTH {
                    return format!("readonly (\n{line}\n{indent})[]");
                }
                let lines: Vec<String> =
                    all.iter().map(|one| format!("\n{indent}  | {one}")).collect();
                format!("readonly ({}\n{indent})[]", lines.concat())
            }
            Type::List(_) => format!("readonly ({})[]", broken(of, indent)),
            _ => format!("readonly {}[]", broken(of, indent)),
        },
        Type::Map(of) => {
            let mut member = declared(&format!("{indent}  readonly [name: string]:"), of);
            if member.lines().next().is_some_and(|first| width(first) > WIDTH) {
                let name = format!("[\n{indent}    name: string\n{indent}  ]");
                member = member.replacen("[name: string]", &name, 1);
            }
            format!("{{\n{member}\n{indent}}}")
        }
        plain => typescript(plain),
    }
}

/// The only object among alternatives that are null otherwise.
fn only_object(all: &[Type]) -> Option<&Type> {
    let others: Vec<&Type> = all.iter().filter(|it| **it != Type::Null).collect();
    match others[..] {
        [object @ Type::Map(_)] => Some(object),
        _ => None,
    }
}

fn indent_of(head: &str) -> &str {
    &head[..head.len() - head.trim_start().len()]
}
