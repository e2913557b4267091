//! Real programs: the example, and shell scripts.

use super::*;
use manila_clap::testing::Program;
use std::sync::Mutex;

/// Held while a test starts programs: a child that was just forked still holds the files that another
/// test writes, and a file that is open for writing cannot be executed.
static ALONE: Mutex<()> = Mutex::new(());

/// The example of that name, which `cargo test` builds beside the tests.
fn example(name: &str) -> Program {
    let test = std::env::current_exe().expect("this test");
    let directory = test.ancestors().nth(2).expect("the directory of the profile").join("examples");
    let file = directory.join(format!("{name}{}", std::env::consts::EXE_SUFFIX));
    if !file.exists() {
        // `cargo test --test contract` does not build examples.
        let arguments = ["build", "--features", "testing", "--example", name];
        let built = std::process::Command::new(env!("CARGO")).args(arguments).status();
        assert!(built.is_ok_and(|status| status.success()), "{name} is built");
    }
    Program::new(file).speaks(dialects::RESPONSE_ENVELOPE_1_0)
}

#[test]
fn the_real_program_keeps_the_contract() {
    let _alone = ALONE.lock();
    let note = example("note");
    let calls = [
        "show 1",
        "show 7",
        "show x --nope",
        "shwo 1",
        "list",
        "list --limit 2",
        "delete 1",
        "delete 1 --yes",
        "rm 1",
        "schema",
        "manifest",
        "--help",
        "--version",
        "show",
        "nothing at all",
    ];
    for words in calls {
        for mode in ["json", "jsonl", "plain", "rich"] {
            note.call(words.split(' ').chain(["--output", mode])).assert_contract();
        }
    }
    assert_eq!(note.call(["show", "3"]).data::<serde_json::Value>()["text"], "sleep");
    assert_eq!(note.call(["show", "7"]).status, 5);
    note.piped(Mode::Plain).variable("NOTE_OUTPUT", "plain").call(["list"]).assert_contract();
}

/// Programs that do not use this crate, as shell scripts.
#[cfg(unix)]
mod foreign {
    use super::*;
    use std::path::PathBuf;

    const SCHEMA: &str = r#"{"ok":true,"type":"schema","data":{"dialect":"td/1",
        "types":[{"name":"note","schema":{"type":"object","required":["id"]}},
                 {"name":"schema","schema":true}],
        "codes":[{"code":"NO_SUCH_NOTE","exit":"NOT_FOUND","status":1}]}}"#;

    fn directory() -> PathBuf {
        PathBuf::from(env!("CARGO_TARGET_TMPDIR"))
    }

    fn program(name: &str, script: &str) -> Program {
        use std::os::unix::fs::PermissionsExt;
        let file = directory().join(name);
        std::fs::write(&file, format!("#!/bin/sh\n{script}\n")).expect("a script");
        std::fs::set_permissions(&file, PermissionsExt::from_mode(0o755)).expect("a program");
        Program::new(file)
    }

    /// Keeps what a call left behind, for a program that says it again.
    fn record(name: &str, called: &Called) {
        let write =
            |end, bytes: &[u8]| std::fs::write(directory().join(format!("{name}.{end}")), bytes);
        let written = write("stdout", &called.stdout)
            .and_then(|()| write("stderr", &called.stderr))
            .and_then(|()| write("status", format!("{}\n", called.status).as_bytes()));
        written.expect("a recording");
    }

    #[test]
    fn what_is_known_from_outside_is_enough_in_every_dialect() {
        let _alone = ALONE.lock();
        let script = r#"cd "${0%/*}"
            case "$1" in --schema) it=schema ;; *) it=answer ;; esac
            cat "$it.stdout"; cat "$it.stderr" >&2; read -r status <"$it.status"; exit "$status""#;
        let again = program("again", script);
        for dialect in spoken() {
            record("schema", &app(dialect).schema().call(["--schema", "--json"], work));
            let again = again.clone();
            for (words, _) in CALLS {
                let mode = if words.starts_with("follow") { "jsonl" } else { "json" };
                let words = ["--output", mode].into_iter().chain(words.split_whitespace());
                record("answer", &app(dialect).schema().call(words.clone(), work));
                again.call(words).assert_contract();
            }
        }
    }

    #[test]
    fn a_program_is_held_to_what_it_says_of_itself() {
        let _alone = ALONE.lock();
        let script = format!(
            r#"case "$1" in
            --schema) echo '{SCHEMA}' ;;
            show) echo '{{"ok":true,"type":"note","data":{{"id":1}}}}' ;;
            other) echo '{{"ok":true,"type":"other","data":{{"id":1}}}}' ;;
            empty) echo '{{"ok":true,"type":"note","data":{{}}}}' ;;
            missing) echo '{{"ok":false,"error":{{"code":"NO_SUCH_NOTE","message":"m","suggestion":"s"}}}}' >&2; exit "$2" ;;
            surprise) echo '{{"ok":false,"error":{{"code":"SURPRISE","message":"m","suggestion":"s"}}}}' >&2; exit 1 ;;
            killed) echo '{{"ok":false,"error":{{"code":"NO_SUCH_NOTE","message":"m","suggestion":"s"}}}}' >&2; kill -9 $$ ;;
            variables) echo "{{\"ok\":true,\"type\":\"note\",\"data\":{{\"id\":\"$CARGO$MANILA_CHECK$MORE\"}}}}" ;;
            *) echo plain text; exit 3 ;;
            esac"#
        );
        let note = program("note", &script);
        let broken = |words: &str| broken(&note.call(words.split(' ')));
        assert_eq!(broken("--schema"), [""; 0]);
        assert_eq!(broken("show"), [""; 0]);
        assert_eq!(broken("other"), ["kind-declared"]);
        assert_eq!(broken("empty"), ["data-schema"]);
        assert_eq!(broken("missing 1"), [""; 0]);
        assert_eq!(broken("missing 2"), ["class-of-code"]);
        assert_eq!(broken("surprise"), ["code-declared"]);
        assert_eq!(broken("killed"), ["status-of-class"]);
        assert_eq!(broken("nonsense"), ["one-document"]);
        assert_eq!(broken("nonsense --output plain"), ["failure-says-why"]);
        assert_eq!(note.call(["killed"]).status, 137);
        let seen = note.variable("MORE", "and this").call(["variables"]);
        assert_eq!(seen.data::<serde_json::Value>()["id"], "1and this");
    }

    #[test]
    fn a_program_that_says_nothing_of_itself_needs_a_word_from_its_author() {
        let _alone = ALONE.lock();
        let script = r#"echo '{"schema":"animus.cli.v1","ok":true,"data":1}'"#;
        let quiet = program("quiet", script);
        quiet.clone().speaks(dialects::ANIMUS_1).call([""; 0]).assert_contract();
        let other = quiet.clone().speaks(dialects::TD_1).call([""; 0]);
        assert_eq!(broken(&other), ["dialect"]);
        let message = panics(|| quiet.call([""; 0]).status);
        assert!(message.contains("Program::speaks"), "{message}");
    }
}
