//! The Rust program of the wall: `wall right …` is a small program that is right, and `wall <rule> …`
//! the same with a flaw that Rust makes easy.

use serde_json::{Value, json};
use std::collections::HashMap;
use std::io::{self, Write};
use std::process::ExitCode;

const NOTES: &[(&str, &str)] = &[
    ("1", "Buy bread"),
    ("2", "Call Ada"),
    ("3", "Water the plants"),
    ("4", "Read"),
    ("5", "Write"),
    ("6", "Walk"),
];
const HELP: &str = "\
Keeps notes

Usage: notes [OPTIONS] <COMMAND>

Commands:
  list  List the notes
  show  Show a note

Options:
      --json     Answer in JSON
  -h, --help     Print help
  -V, --version  Print version
";
const HELP_LIST: &str = "\
List the notes

Usage: notes list [OPTIONS]

Options:
      --json     Answer in JSON
  -h, --help     Print help
";
const HELP_SHOW: &str = "\
Show a note

Usage: notes show [OPTIONS] <ID>

Arguments:
  <ID>  Its number

Options:
      --json     Answer in JSON
  -h, --help     Print help
";

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1).map(|word| word.to_string_lossy().into_owned());
    let flaw = words.next().unwrap_or_default();
    let words: Vec<String> = words.collect();
    let notes = Notes { flaw, is_json: words.iter().any(|word| word == "--json") };
    ExitCode::from(notes.answer(&words))
}

struct Notes {
    flaw: String,
    is_json: bool,
}

impl Notes {
    fn answer(&self, words: &[String]) -> u8 {
        let (flags, words): (Vec<&str>, Vec<&str>) =
            words.iter().map(String::as_str).partition(|word| word.starts_with('-'));
        let known = ["--json", "-h", "--help", "-V", "--version"];
        let unknown: Vec<&str> =
            flags.iter().copied().filter(|flag| !known.contains(flag)).collect();
        if !unknown.is_empty() {
            return self.refuse(&format!("unknown flags: {}", unknown.join(", ")));
        }
        let wants = |names: [&str; 2]| flags.iter().any(|flag| names.contains(flag));
        match words.as_slice() {
            _ if wants(["-V", "--version"]) => {
                self.print("notes 1.2.0\n", &json!({"version": "1.2.0"}))
            }
            [] if wants(["-h", "--help"]) => self.print(HELP, &json!({"help": HELP})),
            ["list", ..] if wants(["-h", "--help"]) => {
                self.print(HELP_LIST, &json!({"help": HELP_LIST}))
            }
            ["show", ..] if wants(["-h", "--help"]) => {
                self.print(HELP_SHOW, &json!({"help": HELP_SHOW}))
            }
            ["list"] => self.list(),
            ["show", id] => self.show(id),
            ["show"] => self.refuse("ID is missing"),
            [] => self.refuse("a command is missing"),
            [command, ..] => self.refuse(&format!("unknown command or too many words: {command}")),
        }
    }

    fn list(&self) -> u8 {
        let mut notes: Vec<(&str, &str)> = NOTES.to_vec();
        if self.flaw == "nondeterministic" {
            let shuffled: HashMap<&str, &str> = NOTES.iter().copied().collect();
            notes = shuffled.into_iter().collect();
        }
        let text: Vec<String> = notes.iter().map(|(id, text)| format!("{id}  {text}\n")).collect();
        let items: Vec<Value> =
            notes.iter().map(|(id, text)| json!({"id": id, "text": text})).collect();
        self.print(&text.concat(), &json!({"items": items}))
    }

    fn show(&self, id: &str) -> u8 {
        let note = NOTES.iter().find(|(note, _)| *note == id);
        if self.flaw == "stack-trace" {
            assert!(note.is_some(), "there is a note {id}");
        }
        match note {
            Some((id, text)) => self.print(&format!("{text}\n"), &json!({"id": id, "text": text})),
            None => self.fail(5, "NOT_FOUND", &format!("there is no note {id:?}")),
        }
    }

    fn refuse(&self, message: &str) -> u8 {
        self.fail(3, "ARG_ERROR", message)
    }

    fn fail(&self, status: u8, code: &str, message: &str) -> u8 {
        if self.is_json {
            let error = json!({"code": code, "message": message, "retryable": false});
            self.put(&envelope(false, &Value::Null, &error));
        } else {
            // No reader is left that could get the error.
            let _ = writeln!(io::stderr(), "error: {message}");
        }
        status
    }

    fn print(&self, text: &str, data: &Value) -> u8 {
        self.put(&if self.is_json { envelope(true, data, &Value::Null) } else { text.to_owned() });
        0
    }

    fn put(&self, text: &str) {
        if self.flaw == "closed-reader-crash" {
            #[expect(clippy::disallowed_macros, reason = "it panics on a closed pipe: the flaw")]
            {
                print!("{text}");
            }
            return;
        }
        // A reader that closes the pipe has what it wanted.
        let _ = io::stdout().write_all(text.as_bytes());
    }
}

fn envelope(ok: bool, data: &Value, error: &Value) -> String {
    let meta = json!({"duration_ms": 0, "schema_version": "1.0"});
    format!("{}\n", json!({"ok": ok, "data": data, "error": error, "warnings": [], "meta": meta}))
}
