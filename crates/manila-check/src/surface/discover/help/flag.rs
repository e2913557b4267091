//! One flag as help writes it: `-o, --output <FORMAT>`, `--[no-]color[=WHEN]`, `-n int`, and what its
//! description says about its values.

use crate::surface::model::Flag;
use regex::Regex;
use std::sync::LazyLock;

/// Reads the words of a flag and its description.
pub(super) fn read(spec: &str, about: &str) -> Option<Flag> {
    let mut flag = Flag { about: about.to_owned(), in_help: true, ..Flag::default() };
    for word in words(spec).iter().filter(|word| *word != "-?") {
        if let Some(name) = word.strip_prefix("--") {
            let name = name.strip_prefix("[no-]").unwrap_or(name);
            let (name, value) = name_and_value(name);
            let is_opposite =
                name.strip_prefix("no-").is_some_and(|it| flag.long.as_deref() == Some(it));
            if !name.is_empty() && flag.long.is_none() && !is_opposite {
                flag.long = Some(name.to_owned());
            }
            take_value(&mut flag, value);
        } else if let Some(name) = word.strip_prefix('-') {
            let (name, value) = name_and_value(name);
            let mut letters = name.chars();
            match (letters.next(), letters.next()) {
                (Some(short), None) => flag.short = flag.short.or(Some(short)),
                (Some(_), Some(_)) if is_cluster(name) || is_metavar(name) => {}
                // Go's own package writes long names with one dash.
                (Some(_), Some(_)) => flag.long = flag.long.or_else(|| Some(name.to_owned())),
                _ => return None,
            }
            take_value(&mut flag, value);
        } else if flag.long.is_some() || flag.short.is_some() {
            take_value(&mut flag, word);
        }
    }
    if flag.long.is_none() && flag.short.is_none() {
        return None;
    }
    flag.is_required = REQUIRED.is_match(spec);
    describe(&mut flag);
    Some(flag)
}

/// The words of a flag's spelling, which commas, bars, slashes and blanks part outside of brackets.
fn words(spec: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut depth = 0_u32;
    let mut letters = spec.chars().peekable();
    while let Some(letter) = letters.next() {
        match letter {
            '|' | '/'
                if depth == 0 && letters.peek().is_none_or(|next| matches!(next, '-' | ' ')) =>
            {
                words.push(String::new());
                continue;
            }
            '[' | '<' | '{' | '(' => depth += 1,
            ']' | '>' | '}' | ')' => depth = depth.saturating_sub(1),
            ' ' | ',' if depth == 0 => {
                words.push(String::new());
                continue;
            }
            _ => {}
        }
        if let Some(last) = words.last_mut() {
            last.push(letter);
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

/// Whether letters after one dash are flags of one letter, as `[-abcd]` in a usage and `-Zscript`: in the order of the
/// alphabet, or with a capital that is not followed by one.
fn is_cluster(name: &str) -> bool {
    let lower: Vec<char> = name.chars().take_while(char::is_ascii_lowercase).collect();
    let is_sorted = lower.len() >= 4 && lower.windows(2).all(|two| two[0] < two[1]);
    let mut letters = name.chars();
    let begins = letters.next().is_some_and(|it| it.is_ascii_uppercase());
    is_sorted || (begins && letters.next().is_some_and(|it| it.is_ascii_lowercase()))
}

fn name_and_value(text: &str) -> (&str, &str) {
    let is_part =
        |letter: char| letter.is_ascii_alphanumeric() || matches!(letter, '-' | '_' | '.' | ':');
    let end = text.find(|letter| !is_part(letter)).unwrap_or(text.len());
    let name = text[..end].trim_end_matches(['.', ':']);
    (name, &text[end..])
}

/// Takes the word for the value, and the choices if they are in it.
fn take_value(flag: &mut Flag, text: &str) {
    let text = text.trim_end_matches(':');
    // kubectl writes the default there: one that is true or false is of a flag without a value.
    if text.is_empty()
        || text == "..."
        || matches!(text, "=true" | "=false" | "(boolean)")
        || flag.value.is_some()
    {
        return;
    }
    let brackets = ['[', ']', '<', '>', '{', '}', '=', '(', ')', '\'', '"'];
    let inner =
        text.trim_matches(|letter| brackets.contains(&letter) || letter == '.' || letter == ' ');
    flag.choices = choices(text);
    flag.is_value_optional = text.starts_with("[=");
    let word: String = inner.chars().filter(|it| !matches!(it, '<' | '>' | '(' | ')')).collect();
    flag.value = Some(if word.is_empty() { "VALUE".to_owned() } else { word });
}

/// The choices in a word like `<json|text>`, `{json,text}` or `[json|text]`.
pub(super) fn choices(text: &str) -> Vec<String> {
    let separator = match text.trim_start_matches(['=', '[', '<', '(']).chars().next() {
        Some('{') => ',',
        _ => '|',
    };
    let inner = text.trim_matches(|it: char| "[]<>{}=().".contains(it));
    let words: Vec<&str> = inner.split(separator).map(str::trim).collect();
    // `<KEY=VALUE|PATH>` names forms and no values.
    let are_values =
        words.iter().all(|word| is_value(word)) && words.iter().any(|word| !is_metavar(word));
    if words.len() > 1 && are_values {
        words.into_iter().map(str::to_owned).collect()
    } else {
        Vec::new()
    }
}

fn is_value(word: &str) -> bool {
    !word.is_empty()
        && !word.starts_with('-')
        && word.chars().all(|it| it.is_ascii_alphanumeric() || matches!(it, '-' | '_' | '.'))
}

pub(super) fn is_metavar(word: &str) -> bool {
    word.chars().any(char::is_alphabetic) && !word.chars().any(char::is_lowercase)
}

#[expect(clippy::expect_used, reason = "the patterns are constants, and a test makes them all")]
fn pattern(text: &str) -> Regex {
    Regex::new(text).expect("a pattern that can be read")
}

static CHOICES: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?i)(?:possible values|choices|options|one of|allowed values|values|valid values)\s*:?\s*[\[({<]?\s*((?:["']?[\w.-]+["']?\s*[,|]\s*)+(?:or\s+)?["']?[\w.-]+["']?)"#,
    )
});
/// A single choice needs the brackets: "values: json" may begin a sentence.
static ONLY_CHOICE: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?i)[\[(](?:possible values|choices|allowed values|valid values)\s*:\s*["']?([\w.-]+)["']?\s*[\])]"#,
    )
});
static BARS: LazyLock<Regex> = LazyLock::new(|| pattern(r"[\[({<]([\w.-]+(?:\|[\w.-]+)+)[\])}>]"));
static BULLETS: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?:^|\s)- ([\w./-]+)(?::|\s|$)"));
static DEFAULT: LazyLock<Regex> = LazyLock::new(|| {
    pattern(
        r#"(?i)[\[(,]\s*defaults?(?: is| to)?\s*[:=]?\s*(?:"([^"]+)"|'([^']+)'|([^\s\])"',]+))"#,
    )
});
static REQUIRED: LazyLock<Regex> = LazyLock::new(|| pattern(r"(?i)[\[(]required[\])]"));

/// Takes from the description what it says about values.
fn describe(flag: &mut Flag) {
    flag.is_required |= REQUIRED.is_match(&flag.about);
    flag.default = DEFAULT.captures(&flag.about).and_then(|found| {
        let value = found.iter().skip(1).flatten().next()?;
        Some(value.as_str().to_owned())
    });
    // yargs puts the type of the value after the description.
    if flag.value.is_none()
        && ["[string]", "[number]", "[array]"].iter().any(|it| flag.about.contains(it))
    {
        flag.value = Some("VALUE".to_owned());
    }
    if flag.value.is_some() && flag.choices.is_empty() {
        flag.choices = described_choices(&flag.about);
    }
    flag.is_number = flag.choices.is_empty()
        && flag
            .value
            .as_deref()
            .is_some_and(|value| is_number(value, flag.long.as_deref(), &flag.about));
}

/// The choices that a description lists.
pub(super) fn described_choices(about: &str) -> Vec<String> {
    let named = CHOICES.captures(about).map(|found| {
        let words = found[1].split([',', '|']);
        // "(choices: "a", "b", default: "a")" ends with something that is not a choice.
        let words = words.map(|it| {
            it.trim()
                .trim_start_matches("or ")
                .trim_matches(['"', '\''])
                .trim_end_matches('.')
                .to_owned()
        });
        words.filter(|it| !it.is_empty() && it != "default").collect::<Vec<_>>()
    });
    let bars = || BARS.captures(about).map(|found| choices(&found[1])).filter(|it| it.len() > 1);
    let bullets = || {
        let lower = about.to_lowercase();
        let at = lower.find("possible values:")?;
        let found = BULLETS.captures_iter(about.get(at..)?).map(|it| it[1].to_owned());
        Some(found.collect::<Vec<_>>()).filter(|it| it.len() > 1)
    };
    let only = || ONLY_CHOICE.captures(about).map(|found| vec![found[1].to_owned()]);
    bullets().or(named).or_else(only).or_else(bars).unwrap_or_default()
}

/// Words for values that are numbers, in any framework.
const NUMBERS: &[&str] = &[
    "n",
    "num",
    "number",
    "int",
    "integer",
    "integer range",
    "uint",
    "int32",
    "int64",
    "uint32",
    "uint64",
    "float",
    "float32",
    "float64",
    "count",
    "number of",
    "seconds",
    "secs",
    "port",
];
/// Flags whose value is a number when the word for it says nothing.
const COUNTED: &[&str] = &[
    "limit",
    "count",
    "depth",
    "port",
    "jobs",
    "retries",
    "width",
    "per-page",
    "page-size",
    "lines",
];

fn is_number(value: &str, long: Option<&str>, about: &str) -> bool {
    let value = value.to_lowercase();
    let says_nothing = long
        .is_some_and(|long| value == long.replace('-', "_") || value == long || value == "value");
    NUMBERS.contains(&value.as_str())
        || about.to_lowercase().contains("[number]")
        || (says_nothing && long.is_some_and(|long| COUNTED.contains(&long)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(spec: &str, about: &str) -> String {
        read(spec, about).map_or_else(
            || "none".to_owned(),
            |flag| {
                let short = flag.short.map(String::from).unwrap_or_default();
                let [number, required] = [(flag.is_number, "#"), (flag.is_required, "!")]
                    .map(|(is, mark)| if is { mark } else { "" });
                format!(
                    "{short}/{}={} {}{number}{required}",
                    flag.long.unwrap_or_default(),
                    flag.value.unwrap_or_default(),
                    flag.choices.join("|")
                )
            },
        )
    }

    #[test]
    fn the_default_is_in_the_description() {
        for (about, expected) in [
            ("At most this many [default: 20]", Some("20")),
            ("output format (default \"text\")", Some("text")),
            ("(choices: \"json\", \"text\", default: \"text\")", Some("text")),
            ("depth (default: 3)", Some("3")),
            ("the default branch", None),
        ] {
            let flag = read("--x <X>", about).expect("a flag");
            assert_eq!(flag.default.as_deref(), expected, "{about}");
        }
    }

    #[test]
    fn a_value_in_brackets_may_be_left_out() {
        let flag = |spec| read(spec, "").expect("a flag");
        assert!(flag("--[no-]color[=<when>]").is_value_optional);
        assert!(!flag("--format=<when>").is_value_optional);
        assert!(!flag("--format [json|text]").is_value_optional);
        let value = || "always".to_owned();
        assert_eq!(flag("--color[=<when>]").with_value(value()), ["--color=always"]);
        assert_eq!(flag("--color <when>").with_value(value()), ["--color", "always"]);
    }

    #[test]
    fn letters_after_one_dash_are_flags_of_one_letter() {
        assert!(read("-acdfghi", "").is_none());
        assert!(read("-Zscript", "").is_none());
        assert!(read("-NUM", "").is_none(), "a number");
        assert_eq!(read("-json", "").and_then(|flag| flag.long), Some("json".to_owned()));
    }

    #[test]
    fn flags_of_every_framework() {
        for (spec, about, expected) in [
            ("-o, --output <FORMAT>", "", "o/output=FORMAT "),
            ("-o FORMAT, --output FORMAT", "", "o/output=FORMAT "),
            ("--format <json|text>", "", "/format=json|text json|text"),
            ("--format {json,text}", "", "/format=json,text json|text"),
            ("-f, --format=<option>", "<options: json|text>", "f/format=option json|text"),
            ("--[no-]color[=<when>]", "", "/color=when "),
            ("-v, --verbose...", "", "v/verbose= "),
            ("--shout / --no-shout", "", "/shout= "),
            ("-h --help", "", "h/help= "),
            ("-?, -h, --help", "", "h/help= "),
            ("-limit int", "", "/limit=int #"),
            ("-n, --limit <N>", "", "n/limit=N #"),
            ("--limit LIMIT", "", "/limit=LIMIT #"),
            ("--name TEXT", "Whose [required]", "/name=TEXT !"),
            ("-k, --kustomize='':", "", "k/kustomize=VALUE "),
            ("--watch=false:", "", "/watch= "),
            (
                "-o, --output='':",
                "Output format. One of: (json, yaml, name).",
                "o/output=VALUE json|yaml|name",
            ),
            (
                "--color <WHEN>",
                "Coloring [possible values: auto, always, never]",
                "/color=WHEN auto|always|never",
            ),
            ("--format <FORMAT>", "As what [possible values: json]", "/format=FORMAT json"),
            (
                "-f, --format <type>",
                "(choices: \"json\", \"text\", default: \"text\")",
                "f/format=type json|text",
            ),
            ("--output string", "output format (json|yaml)", "/output=string json|yaml"),
            (
                "--mode <MODE>",
                "Possible values: - json: As JSON - text: As text",
                "/mode=MODE json|text",
            ),
            ("--config <KEY=VALUE|PATH>", "", "/config=KEY=VALUE|PATH "),
            ("--output <MODE>", "Answer as rich, plain, json or jsonl", "/output=MODE "),
            ("--owner <owner> (REQUIRED)", "", "/owner=owner !"),
            ("-R, --repo [HOST/]OWNER/REPO", "", "R/repo=HOST/]OWNER/REPO "),
            ("-n, --limit", "At most this many [number] [default: 20]", "n/limit=VALUE #"),
            ("--output (string)", "", "/output=string "),
            ("--no-paginate (boolean)", "", "/no-paginate= "),
            ("-", "", "none"),
            ("--", "", "none"),
        ] {
            assert_eq!(shown(spec, about), expected, "{spec}");
        }
    }
}
