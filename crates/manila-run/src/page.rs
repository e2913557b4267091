//! Pages of one list, put together: every element keeps the bytes that it had.

use manila::json::{Kind, Raw, Value};

/// The payloads of the pages so far, in their order.
#[derive(Debug, Default)]
pub(crate) struct Pages(Vec<Raw>);

impl Pages {
    pub(crate) fn push(&mut self, data: Option<Raw>) {
        self.0.extend(data);
    }

    pub(crate) fn count(&self) -> usize {
        self.0.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        self.0.iter().map(|page| page.as_str().len()).sum()
    }

    /// One payload of all pages. Pages that are not lists, or objects that hold one list each and
    /// agree in the rest, are handed on as a list of pages, and `false` says so.
    pub(crate) fn merge(self) -> (Option<Raw>, bool) {
        let mut pages = self.0;
        if pages.len() < 2 {
            return (pages.pop(), true);
        }
        let merged = merge_lists(&pages).or_else(|| merge_objects(&pages));
        let is_merged = merged.is_some();
        let text = merged.unwrap_or_else(|| list(pages.iter().map(Raw::as_str)));
        (Raw::parse(&text).ok(), is_merged)
    }
}

fn list<'t>(elements: impl Iterator<Item = &'t str>) -> String {
    let elements: Vec<&str> = elements.collect();
    format!("[{}]", elements.join(","))
}

fn merge_lists(pages: &[Raw]) -> Option<String> {
    let values: Vec<Value<'_>> = pages.iter().map(Raw::value).collect();
    let is_list = |value: &Value<'_>| value.kind() == Kind::Array;
    values
        .iter()
        .all(is_list)
        .then(|| list(values.iter().flat_map(Value::elements).map(|element| element.text())))
}

/// Objects that are equal but for one list each, which is in the same place.
fn merge_objects(pages: &[Raw]) -> Option<String> {
    let first = pages.first()?.value();
    let mut lists = first.members().filter(|member| member.value.kind() == Kind::Array);
    let key = lists.next()?.key().into_owned();
    let is_twice = first.members().filter(|member| member.key() == key).count() > 1;
    if lists.next().is_some() || is_twice {
        return None;
    }
    let mut elements = Vec::new();
    for page in pages {
        let page = page.value();
        let (a, b) = (page.members(), first.members());
        let is_alike = page.members().count() == first.members().count()
            && a.zip(b).all(|(a, b)| {
                a.key() == b.key() && (a.key() == key || a.value.text() == b.value.text())
            });
        let own = page.members().find(|member| member.key() == key)?.value;
        if !is_alike || own.kind() != Kind::Array {
            return None;
        }
        elements.extend(own.elements().map(|element| element.text()));
    }
    let members: Vec<String> = first
        .members()
        .map(|member| {
            let value = if member.key() == key {
                list(elements.iter().copied())
            } else {
                member.value.text().to_owned()
            };
            format!("{}:{value}", member.key_text())
        })
        .collect();
    Some(format!("{{{}}}", members.join(",")))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn merged(pages: &[&str]) -> (String, bool) {
        let mut all = Pages::default();
        for page in pages {
            all.push(Some(Raw::parse(page).unwrap()));
        }
        let (data, is_merged) = all.merge();
        (data.unwrap().as_str().to_owned(), is_merged)
    }

    #[test]
    fn lists_keep_the_spelling_of_their_elements() {
        let pages = ["[1.50, {\"a\" : 1, \"a\": 2}]", "[]", "[ \"\\u00e9\" ]"];
        let whole = "[1.50,{\"a\" : 1, \"a\": 2},\"\\u00e9\"]";
        assert_eq!(merged(&pages), (whole.to_owned(), true));
    }

    #[test]
    fn objects_with_one_list_each_are_one_object() {
        let pages = [r#"{"total":3,"items":[1,2]}"#, r#"{"total":3,"items":[3]}"#];
        assert_eq!(merged(&pages), (r#"{"total":3,"items":[1,2,3]}"#.to_owned(), true));
    }

    #[test]
    fn pages_that_differ_otherwise_are_handed_on_as_they_are() {
        let pages = [r#"{"page":1,"items":[1]}"#, r#"{"page":2,"items":[2]}"#];
        let whole = r#"[{"page":1,"items":[1]},{"page":2,"items":[2]}]"#;
        assert_eq!(merged(&pages), (whole.to_owned(), false));
        let pages = [r#"{"a":[1],"b":[2]}"#, r#"{"a":[3],"b":[4]}"#];
        assert!(!merged(&pages).1);
        assert!(!merged(&["[1]", r#"{"a":[2]}"#]).1);
    }

    #[test]
    fn one_page_is_itself() {
        assert_eq!(merged(&["{\"a\" : 1.0}"]), ("{\"a\" : 1.0}".to_owned(), true));
    }
}
