//! Names: the words of a name, and identifiers made of them.

/// The words of a name in lower case. Whatever of ASCII is neither a letter nor a digit separates words, and so
/// does a change of case. A character outside ASCII is spelled as its number, so that two names
/// that differ stay different.
pub(crate) fn words(name: &str) -> Vec<String> {
    let mut words = Vec::new();
    let mut word = String::new();
    let mut after_lower = false;
    for character in name.chars() {
        let is_new = is_separator(character) || (character.is_ascii_uppercase() && after_lower);
        if is_new && !word.is_empty() {
            words.push(std::mem::take(&mut word));
        }
        after_lower = character.is_ascii_lowercase() || character.is_ascii_digit();
        if character.is_ascii_alphanumeric() {
            word.push(character.to_ascii_lowercase());
        } else if !character.is_ascii() {
            word.push_str(&format!("u{:04x}", u32::from(character)));
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

fn is_separator(character: char) -> bool {
    character.is_ascii() && !character.is_ascii_alphanumeric()
}

/// `TaskList`. A name without any word, such as that of the program's own command, is `Root`.
pub(crate) fn pascal(name: &str) -> String {
    let joined: String = words(name).iter().map(|word| capital(word)).collect();
    match joined.chars().next() {
        None => "Root".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("N{joined}"),
        Some(_) => joined,
    }
}

/// `task_list`.
pub(crate) fn snake(name: &str) -> String {
    let joined = words(name).join("_");
    match joined.chars().next() {
        None => "root".to_owned(),
        Some(first) if first.is_ascii_digit() => format!("n{joined}"),
        Some(_) => joined,
    }
}

fn capital(word: &str) -> String {
    let mut rest = word.chars();
    rest.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(rest).collect()
}

/// Whether a name can stand unquoted as a member of a class in Python.
pub(crate) fn is_identifier(name: &str) -> bool {
    let mut characters = name.chars();
    let is_first = |first: char| first.is_ascii_alphabetic() || first == '_' || first == '$';
    characters.next().is_some_and(is_first)
        && characters.all(|next| is_first(next) || next.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_split_where_a_reader_would() {
        for (name, pascal_case, snake_case) in [
            ("task_list", "TaskList", "task_list"),
            ("project.add", "ProjectAdd", "project_add"),
            ("bootstrap-graph", "BootstrapGraph", "bootstrap_graph"),
            ("docPath", "DocPath", "doc_path"),
            ("2fa", "N2fa", "n2fa"),
            ("", "Root", "root"),
            ("café", "Cafu00e9", "cafu00e9"),
            ("cafe\u{301}", "Cafeu0301", "cafeu0301"),
            ("→", "U2192", "u2192"),
        ] {
            assert_eq!(pascal(name), pascal_case);
            assert_eq!(snake(name), snake_case);
        }
        assert_ne!(pascal("日本"), pascal("日木"));
    }

    #[test]
    fn a_quoted_name_is_no_identifier() {
        assert!(is_identifier("a1") && is_identifier("$ref") && is_identifier("_"));
        assert!(!is_identifier("1a") && !is_identifier("a-b") && !is_identifier("é"));
    }
}
