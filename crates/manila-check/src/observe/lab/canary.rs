//! Values that look like secrets and are none, and the places where programs look for such.

use crate::observe::run::Run;
use crate::observe::text_kind::pattern;
use regex::bytes::Regex;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::LazyLock;

/// A value that only the program under test was given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Canary {
    /// The variable or the file that holds it; `*` stands for the program's name.
    pub(crate) place: &'static str,
    /// What must not be seen anywhere.
    pub(crate) value: &'static str,
}

const fn canary(place: &'static str, value: &'static str) -> Canary {
    Canary { place, value }
}

/// All canaries. No value is part of another.
pub(crate) const CANARIES: &[Canary] = &[
    canary("AWS_SECRET_ACCESS_KEY", "q7Vd2mXzR4tLk9WcY1sHnB6uPfJ8aEoG3iKxT5wZ"),
    canary("GITHUB_TOKEN", "Hx3bN8rQw5yTz0kVm6LsJc2Df9GpUa7EiRo4Xt1B"),
    canary("API_TOKEN", "Zp5cW1nKd8vQj3hTf7RyMb0Lx6Gs9UeAo2IiXk4C"),
    canary("API_KEY", "Jt9gY4wBm2sNz7qHc5KdVx1Pf8LrUa6EiOo3Xk0D"),
    canary("DATABASE_URL", "Rk6fM3xTb9yWn1jSz4HgQv7Cd2LpUa8EiOo5Xt0E"),
    canary("*_TOKEN", "Nw2hJ7zPc5rGk0xLt8MdYv4Bf1SqUa3EiOo9Xi6F"),
    canary("*_API_KEY", "Ys8kC0vRn6mDj2wZb5TgHx9Qf3LpUa1EiOo7Xt4G"),
    canary("*_PASSWORD", "Gm4tX6jLw1zVc8kBs0NyRh5Df7PqUa2EiOo3Xk9H"),
    canary("~/.netrc", "Bv1zQ5nTk7xHm3gYw9JcSr0Ld4FpUa6EiOo8Xt2J"),
    canary("~/.config/*/config.toml", "Dc9wK2yZh4vPs6tNm1RbGx8Jf5LqUa0EiOo7Xi3K"),
    canary("~/.config/*/config.json", "Tf0rB8mXj5zQc7kVw3HsYn6Gd1LpUa4EiOo2Xt9L"),
    canary("~/.config/*/credentials.toml", "Lh7nS1tGv9xYk4cMz2WbJr5Pd8FqUa3EiOo6Xk0M"),
    canary("~/.config/*/credentials.json", "Wx5jD3kRc0zTb8nHv6MsGy9Lf2QpUa7EiOo1Xt4N"),
];

fn contains(bytes: &[u8], value: &str) -> bool {
    bytes.windows(value.len()).any(|window| window == value.as_bytes())
}

/// Whether the value of any canary is in these bytes.
pub(crate) fn has_canary(bytes: &[u8]) -> bool {
    static ANY: LazyLock<Regex> = LazyLock::new(|| {
        let values: Vec<&str> = CANARIES.iter().map(|canary| canary.value).collect();
        pattern(&values.join("|"))
    });
    ANY.is_match(bytes)
}

/// A canary that shows in a run, with what holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum SeenCanary {
    Variable {
        name: String,
        value: String,
    },
    File {
        /// Below the home.
        path: String,
        content: String,
    },
}

/// The canaries that show in what a run wrote.
pub(crate) fn seen_canaries(run: &Run, program: &str) -> Vec<SeenCanary> {
    if !run.probe.setting.has_canaries {
        return Vec::new();
    }
    let files = run.wrote.iter().map(|written| &written.head);
    let all: Vec<&Vec<u8>> =
        [&run.transcript.stdout, &run.transcript.stderr].into_iter().chain(files).collect();
    let is_seen = |text: &str| {
        let canary = CANARIES.iter().find(|canary| text.contains(canary.value));
        canary.is_some_and(|it| all.iter().any(|bytes| contains(bytes, it.value)))
    };
    let variables = variables(program).map(|(name, value)| {
        let text = value.clone();
        (text, SeenCanary::Variable { name, value })
    });
    let files = files_of(program).map(|(path, content)| {
        let text = content.clone();
        (text, SeenCanary::File { path, content })
    });
    variables.chain(files).filter(|(text, _)| is_seen(text)).map(|(_, it)| it).collect()
}

/// The variables that hold canaries for a program of this name.
pub(super) fn variables(program: &str) -> impl Iterator<Item = (String, String)> + use<> {
    let name: String = stem(program)
        .chars()
        .map(|it| if it.is_ascii_alphanumeric() { it.to_ascii_uppercase() } else { '_' })
        .collect();
    CANARIES.iter().filter(|it| !it.place.starts_with('~')).map(move |it| {
        let value = match it.place {
            "DATABASE_URL" => format!("postgres://app:{}@localhost:5432/app", it.value),
            _ => it.value.to_owned(),
        };
        (it.place.replace('*', &name), value)
    })
}

/// Writes the files that hold canaries into a home.
pub(super) fn write_files(home: &Path, program: &str) -> io::Result<()> {
    for (path, content) in files_of(program) {
        let path = home.join(path);
        if let Some(directory) = path.parent() {
            fs::create_dir_all(directory)?;
        }
        fs::write(path, content)?;
    }
    Ok(())
}

/// The files that hold canaries, by their paths below a home, and what is in them.
fn files_of(program: &str) -> impl Iterator<Item = (String, String)> {
    CANARIES.iter().filter_map(move |canary| {
        let path = canary.place.strip_prefix("~/")?.replace('*', stem(program));
        let value = canary.value;
        let content = match Path::new(&path).extension().and_then(|it| it.to_str()) {
            Some("toml") => format!("token = \"{value}\"\n"),
            Some("json") => format!("{{\"token\": \"{value}\"}}\n"),
            _ => format!("machine api.example.com login app password {value}\n"),
        };
        Some((path, content))
    })
}

/// The name of a program without what says in which language it is.
fn stem(program: &str) -> &str {
    let stem = Path::new(program).file_stem().and_then(|it| it.to_str());
    stem.filter(|it| !it.is_empty()).unwrap_or("program")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_canary_is_part_of_another() {
        for (at, one) in CANARIES.iter().enumerate() {
            for other in &CANARIES[at + 1..] {
                assert!(!one.value.contains(other.value) && !other.value.contains(one.value));
                assert_ne!(one.value[..4], other.value[..4]);
            }
        }
    }

    #[test]
    fn each_canary_is_found_amid_other_bytes() {
        for canary in CANARIES {
            assert!(has_canary(format!("\u{1b}x{}y", canary.value).as_bytes()));
            assert!(!has_canary(&canary.value.as_bytes()[1..]));
        }
    }

    #[test]
    fn a_program_gets_variables_with_its_name() {
        let names: Vec<String> = variables("my-tool.py").map(|(name, _)| name).collect();
        assert!(names.contains(&"MY_TOOL_TOKEN".to_owned()), "{names:?}");
        assert!(!names.iter().any(|name| name.contains(['*', '~'])));
    }

    #[test]
    fn a_home_gets_its_files() {
        let home = tempfile::tempdir().unwrap();
        write_files(home.path(), "td").unwrap();
        let text = fs::read_to_string(home.path().join(".config/td/credentials.json")).unwrap();
        assert!(CANARIES.iter().any(|canary| text.contains(canary.value)));
        assert!(home.path().join(".netrc").is_file());
    }
}
