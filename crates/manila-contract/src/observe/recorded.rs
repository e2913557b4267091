//! From recorded runs to a lock: nothing is run.

use super::answer::{add, seen};
use super::plan::Call;
use crate::lock::Lock;
use manila::Transcript;
use manila::segment::is_json_so_far;
use manila_check::Declaration;
use manila_check::internal::{Form, Probe, Purpose, Run, Setting};
use manila_pack::Packs;
use std::ffi::OsString;

/// The lock of recorded runs, each with the name of its directory. Which words are the command is
/// taken from `[commands]` of the declaration; else it is the first word, if it looks like one.
pub fn from_recorded(
    runs: &[(String, Transcript)],
    declaration: &Declaration,
    packs: &Packs,
) -> Lock {
    let mut lock = Lock::default();
    lock.commands.entry(Vec::new()).or_default();
    for (directory, transcript) in runs {
        let args = transcript.argv.get(1..).unwrap_or_default();
        let command = command(args, declaration);
        for length in 0..command.len() {
            lock.commands.entry(command[..length].to_vec()).or_default();
        }
        let name = format!("run-{}", slug(directory));
        let probe = Probe {
            command: command.clone(),
            args: args.iter().map(OsString::from).collect(),
            purpose: Purpose::Recorded,
            form: form(transcript),
            setting: Setting::default(),
        };
        let run = Run::recorded(probe.clone(), transcript.clone());
        let call = Call::new(command.clone(), name.clone(), probe);
        add(&mut lock, &command, &name, &[seen(&call, &run, 0, packs)]);
    }
    lock
}

fn command(args: &[String], declaration: &Declaration) -> Vec<String> {
    let declared = declaration.commands.keys().map(|name| name.split(' ').collect::<Vec<_>>());
    let longest =
        declared.filter(|words| args.iter().take(words.len()).eq(words)).max_by_key(Vec::len);
    if let Some(words) = longest.filter(|words| !words.is_empty()) {
        return words.into_iter().map(str::to_owned).collect();
    }
    let is_word = |word: &&String| {
        word.starts_with(|it: char| it.is_ascii_lowercase())
            && word.len() < 32
            && word.bytes().all(|it| it.is_ascii_lowercase() || it.is_ascii_digit() || it == b'-')
    };
    args.first().filter(is_word).cloned().into_iter().collect()
}

/// Whether a recorded run was to answer in JSON: it did, on either stream.
fn form(transcript: &Transcript) -> Form {
    let answers = [&transcript.stdout, &transcript.stderr]
        .iter()
        .any(|bytes| is_json_so_far(bytes.trim_ascii_start(), 0));
    let asks = transcript.argv.iter().any(|word| word.contains("json"));
    if answers || asks { Form::Json } else { Form::Text }
}

/// The last part of a directory as a word.
fn slug(directory: &str) -> String {
    let name = directory.trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    let letter = |it: char| if it.is_ascii_alphanumeric() { it.to_ascii_lowercase() } else { '-' };
    name.chars().map(letter).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use manila::Status;

    fn run(argv: &str, stdout: &str, status: i32) -> Transcript {
        let argv = argv.split(' ').map(str::to_owned).collect();
        Transcript { argv, ..Transcript::from_stdout(stdout, Status::Exited(status)) }
    }

    #[test]
    fn recorded_runs_make_a_lock_in_any_order() {
        let runs = [
            ("a/ok".to_owned(), run("notes list --json", r#"[{"id":1}]"#, 0)),
            ("a/no".to_owned(), run("notes show 7 --json", r#"{"error":{"code":"GONE"}}"#, 4)),
        ];
        let declaration = &Declaration::default();
        let text = from_recorded(&runs, declaration, &Packs::default()).write();
        let mut other = runs;
        other.reverse();
        assert_eq!(from_recorded(&other, declaration, &Packs::default()).write(), text);
        for line in [
            "/list ok .[].id : integer always?",
            "/show call run-no : error GONE",
            "/show error GONE status : 4",
        ] {
            assert!(text.lines().any(|it| it == line), "{line} in\n{text}");
        }
        assert_eq!(Lock::read(&text).expect("a lock").write(), text);
    }
}
