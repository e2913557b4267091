//! What the arguments of a call ask for.

/// Whether a call asks for JSON, by a flag or by the value of one. The name of a file does not.
pub fn asks_for_json(argv: &[String]) -> bool {
    const FORMATS: &[&str] = &["json", "jsonl", "ndjson", "stream-json"];
    argv.iter().skip(1).any(|word| {
        let word = word.to_ascii_lowercase();
        let flag = word.trim_start_matches('-');
        let is_flag = flag.len() < word.len();
        let is_value = flag.split(['=', ':']).any(|part| FORMATS.contains(&part));
        FORMATS.contains(&word.as_str()) || (is_flag && (is_value || flag.starts_with("json")))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn json_is_asked_for_by_a_flag_or_its_value_and_not_by_a_file() {
        let asks = |line: &str| {
            let words: Vec<_> = line.split_whitespace().map(str::to_owned).collect();
            asks_for_json(&words)
        };
        for line in [
            "td --json ls",
            "td ls --json=pretty",
            "td ls --format=json",
            "td ls -o json",
            "td ls --output-format JSON",
            "claude -p x --output-format stream-json",
            "td ls --format ndjson",
            "td ls --message-format=json:short",
        ] {
            assert!(asks(line), "{line}");
        }
        for line in ["td ls", "jq . package.json", "td import tasks.json", "td ls --no-json"] {
            assert!(!asks(line), "{line}");
        }
    }
}
