//! Format strings with names of fields in them, made into format strings with positions.
//!
//! Positions rather than names: a name in the string would be resolved where the string is, which
//! is not where the field is when a macro wrote one of the two, and a field that is called `r#type`
//! has no name there at all. A name that is not a field is found out on the way.

/// A format string whose arguments are fields, by their number.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Template {
    /// The string for `format!`; without arguments, the text itself.
    pub(crate) text: String,
    /// The fields it takes, in the order of its positions.
    pub(crate) fields: Vec<usize>,
}

impl Template {
    /// Reads a format string. `field` finds a field by the name that is in it.
    pub(crate) fn read(
        source: &str,
        field: &dyn Fn(&str) -> Option<usize>,
    ) -> Result<Template, String> {
        let mut fields = Fields { find: field, used: Vec::new() };
        let mut text = String::new();
        let mut rest = source;
        while let Some(at) = rest.find(['{', '}']) {
            let (before, brace) = rest.split_at(at);
            text.push_str(before);
            rest = if let Some(behind) = brace.strip_prefix("{{") {
                text.push_str("{{");
                behind
            } else if let Some(behind) = brace.strip_prefix("}}") {
                text.push_str("}}");
                behind
            } else if let Some(behind) = brace.strip_prefix('{') {
                let (inside, behind) =
                    behind.split_once('}').ok_or_else(|| "a `{` is never closed".to_owned())?;
                text.push_str(&fields.placeholder(inside)?);
                behind
            } else {
                return Err("a `}` closes nothing".to_owned());
            };
        }
        text.push_str(rest);
        if fields.used.is_empty() {
            text = text.replace("{{", "{").replace("}}", "}");
        }
        Ok(Template { text, fields: fields.used })
    }
}

/// Whether a format string has a placeholder of that name, be the rest of it as it may.
pub(crate) fn mentions(source: &str, name: &str) -> bool {
    let text = source.replace("{{", "");
    text.split('{').skip(1).filter_map(|rest| rest.split(['}', ':']).next()).any(|it| it == name)
}

/// The fields that were met so far.
struct Fields<'a> {
    find: &'a dyn Fn(&str) -> Option<usize>,
    used: Vec<usize>,
}

impl Fields<'_> {
    /// `id:>width$` as `{0:>1$}`.
    fn placeholder(&mut self, inside: &str) -> Result<String, String> {
        let (name, spec) = match inside.split_once(':') {
            Some((name, spec)) => (name, Some(spec)),
            None => (inside, None),
        };
        let position = self.position(name.trim(), inside)?;
        Ok(match spec {
            Some(spec) => format!("{{{position}:{}}}", self.spec(spec, inside)?),
            None => format!("{{{position}}}"),
        })
    }

    /// A format specification, in which width and precision may be fields too: `width$`.
    fn spec(&mut self, spec: &str, inside: &str) -> Result<String, String> {
        // Any character may be the filling, if an alignment follows.
        let mut letters = spec.chars();
        let filling = letters.next().map_or(0, char::len_utf8);
        let aligned = letters.next().is_some_and(|align| matches!(align, '<' | '^' | '>'));
        let (filling, rest) = spec.split_at(if aligned { filling } else { 0 });

        let mut text = filling.to_owned();
        let mut word = String::new();
        for letter in rest.chars() {
            match letter {
                '$' => {
                    // A zero in front of a number is the flag that pads with zeros.
                    let flagged = word.len() > 1 && word.bytes().all(|byte| byte.is_ascii_digit());
                    let name = match word.strip_prefix('0') {
                        Some(name) if flagged => {
                            text.push('0');
                            name
                        }
                        _ => &word,
                    };
                    text.push_str(&self.position(name, inside)?.to_string());
                    text.push('$');
                    word.clear();
                }
                '*' => {
                    return Err(format!("`{{{inside}}}` has a precision without a name"));
                }
                letter if letter.is_alphanumeric() || letter == '_' => word.push(letter),
                letter => {
                    text.push_str(&word);
                    text.push(letter);
                    word.clear();
                }
            }
        }
        text.push_str(&word);
        Ok(text)
    }

    fn position(&mut self, name: &str, inside: &str) -> Result<usize, String> {
        let field = (self.find)(name).ok_or_else(|| format!("`{{{inside}}}` names no field"))?;
        Ok(self.used.iter().position(|&used| used == field).unwrap_or_else(|| {
            self.used.push(field);
            self.used.len() - 1
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads a template over the fields `id`, `path` and `width`, or 0, 1 and 2.
    fn read(source: &str) -> Result<(String, Vec<usize>), String> {
        let names = [["id", "0"], ["path", "1"], ["width", "2"]];
        let find = |name: &str| names.iter().position(|field| field.contains(&name));
        Template::read(source, &find).map(|template| (template.text, template.fields))
    }

    #[test]
    fn names_become_positions() {
        for (source, text, fields) in [
            ("no note {id}", "no note {0}", vec![0]),
            ("{path:?} of {id}", "{0:?} of {1}", vec![1, 0]),
            ("{id} and {id:>4}", "{0} and {0:>4}", vec![0]),
            ("{1:?}, then {0}", "{0:?}, then {1}", vec![1, 0]),
            ("{{{id}}}", "{{{0}}}", vec![0]),
            ("{id:>width$}", "{0:>1$}", vec![0, 2]),
            ("{id:$>width$.path$}", "{0:$>1$.2$}", vec![0, 2, 1]),
            ("{id:*^9}", "{0:*^9}", vec![0]),
            ("{0:02$}", "{0:01$}", vec![0, 2]),
            ("{0:2$}", "{0:1$}", vec![0, 2]),
            ("{id:+#010.3}", "{0:+#010.3}", vec![0]),
            ("{ id }", "{0}", vec![0]),
            ("{id:é<3}", "{0:é<3}", vec![0]),
        ] {
            assert_eq!(read(source), Ok((text.to_owned(), fields)), "{source}");
        }
    }

    #[test]
    fn text_without_fields_is_itself() {
        for (source, text) in [("", ""), ("plain", "plain"), ("{{}} {{{{x}}", "{} {{x}")] {
            assert_eq!(read(source), Ok((text.to_owned(), Vec::new())), "{source}");
        }
    }

    #[test]
    fn what_is_no_template() {
        for (source, why) in [
            ("{idd}", "`{idd}` names no field"),
            ("{}", "`{}` names no field"),
            ("{:?}", "`{:?}` names no field"),
            ("{id.name}", "`{id.name}` names no field"),
            ("{id:>size$}", "`{id:>size$}` names no field"),
            ("{id:.*}", "`{id:.*}` has a precision without a name"),
            ("{id", "a `{` is never closed"),
            ("id}", "a `}` closes nothing"),
        ] {
            assert_eq!(read(source), Err(why.to_owned()), "{source}");
        }
    }

    #[test]
    fn names_in_strings_of_others() {
        assert!(mentions("because {source}", "source"));
        assert!(mentions("because {} {source:?}", "source"));
        assert!(!mentions("because {{source}}", "source"));
        assert!(!mentions("because source", "source"));
    }
}
