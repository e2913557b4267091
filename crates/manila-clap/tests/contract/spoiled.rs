//! Good answers with one change, and the check that names it.

use super::*;

/// A good answer, spoiled, and what is broken then.
fn spoiled(
    words: &str,
    dialect: &'static dyn DialectWriter,
    spoil: fn(&mut Called),
) -> Vec<&'static str> {
    let mut called = app(dialect).call(words.split(' '), work);
    called.assert_contract();
    spoil(&mut called);
    broken(&called)
}

fn replace(stream: &mut Vec<u8>, from: &str, to: &str) {
    let text = String::from_utf8(std::mem::take(stream)).expect("UTF-8");
    assert!(text.contains(from), "{text}");
    *stream = text.replacen(from, to, 1).into_bytes();
}

fn put_before(stream: &mut Vec<u8>, bytes: &[u8]) {
    stream.splice(0..0, bytes.iter().copied());
}

#[test]
fn of_a_spoiled_answer_the_fault_is_named() {
    let td = |spoil| spoiled("show 1", dialects::TD_1, spoil);
    let one = ["one-document"];
    assert_eq!(td(|it| it.stdout.clear()), one);
    assert_eq!(td(|it| put_before(&mut it.stdout, b"Loading\n")), one);
    assert_eq!(td(|it| it.stdout.extend(b"done\n")), one);
    assert_eq!(td(|it| put_before(&mut it.stdout, b"{\"level\":\"info\"}\n")), one);
    assert_eq!(td(|it| put_before(&mut it.stdout, "\u{feff}".as_bytes())), one);
    assert_eq!(td(|it| it.stdout.truncate(it.stdout.len() / 2)), one);
    assert_eq!(td(|it| it.stderr.extend(b"a log is no fault\n")), [""; 0]);
    assert_eq!(td(|it| it.stderr.extend(b"\x1b[31ma log\n")), ["no-escape"]);
    assert_eq!(td(|it| put_before(&mut it.stdout, b"\x1b[2m")), ["no-escape"]);
    assert_eq!(td(|it| std::mem::swap(&mut it.stdout, &mut it.stderr)), ["stream"]);
    assert_eq!(td(|it| it.status = 9), ["ok-is-status", "status-of-class"]);
    let named = |it: &mut Called| replace(&mut it.stdout, "\"id\": 1", "\"id\": 1, \"id\": 1");
    assert_eq!(td(named), ["plain-json"]);
    let large = |it: &mut Called| replace(&mut it.stdout, "note 1", "note \\u001b[0m");
    assert_eq!(td(large), ["plain-json"]);

    let failed = |spoil| spoiled("show 0", dialects::TD_1, spoil);
    assert_eq!(failed(|it| it.stdout.extend(b"oh\n")), one);
    assert_eq!(failed(|it| it.stderr.extend(b"a log\n")), one);
    assert_eq!(failed(|it| it.status = 0), ["ok-is-status"]);
    let silent = |it: &mut Called| replace(&mut it.stderr, "see `note list`", "");
    assert_eq!(failed(silent), [""; 0]);

    let first = |words, spoil| spoiled(words, dialects::RESPONSE_ENVELOPE_1_0, spoil);
    let nothing = |it: &mut Called| {
        it.stdout = br#"{"ok":true,"data":null,"error":null,"warnings":[],"meta":{"duration_ms":1,"schema_version":"1.0"}}"#.to_vec();
    };
    assert_eq!(first("show 1", nothing), ["envelope-schema", "something-said"]);
    let newer = |it: &mut Called| replace(&mut it.stdout, "\"1.0\"", "\"1.6\"");
    assert_eq!(first("show 1", newer), ["dialect"]);
    let lost = |it: &mut Called| replace(&mut it.stdout, "\"cursor\":\"at-20\",", "");
    assert_eq!(first("list", lost), ["page-cursor"]);
    let wordless = |it: &mut Called| replace(&mut it.stdout, "\"warnings\":[],", "");
    assert_eq!(first("show 1", wordless), ["dialect", "envelope-schema"]);
}

#[test]
fn of_a_spoiled_stream_the_fault_is_named() {
    const WORDS: &str = "follow 2 --output jsonl";
    let first = |spoil| spoiled(WORDS, dialects::RESPONSE_ENVELOPE_1_0, spoil);
    assert_eq!(first(|it| replace(&mut it.stdout, "\"seq\":3", "\"seq\":7")), ["frames"]);
    assert_eq!(first(|it| replace(&mut it.stdout, "\"frames\":4", "\"frames\":5")), ["frames"]);
    let cut = |it: &mut Called| {
        let end = it.stdout.iter().position(|byte| *byte == b'\n').expect("a line");
        it.stdout.drain(..=end);
    };
    assert_eq!(first(cut), ["frames", "frames"]);
    let late = |it: &mut Called| it.stdout.extend(b"{\"frame\":\"heartbeat\",\"seq\":5}\n");
    assert_eq!(first(late), ["frames", "frames"]);
    assert_eq!(first(|it| put_before(&mut it.stdout, b"Loading\n")), ["one-document"]);
    let lines = |it: &mut Called| replace(&mut it.stdout, "\"error\":", "\n\"error\":");
    assert_eq!(first(lines), ["one-document"]);
    let other = |it: &mut Called| replace(&mut it.stdout, "\"score\":0.5", "\"score\":null");
    assert_eq!(first(other), ["frame-data"]);
    let unanswered = |it: &mut Called| {
        let end = it.stdout.iter().rposition(|byte| *byte == b'{').expect("an envelope");
        it.stdout.truncate(end);
    };
    assert_eq!(first(unanswered)[0], "one-document");
}

#[test]
fn of_a_spoiled_page_the_fault_is_named() {
    let plain = |words, spoil| spoiled(words, dialects::TD_1, spoil);
    let shown = "show 1 --output plain";
    assert_eq!(plain(shown, |it| it.stdout.extend(b"\x1b[1mbold")), ["no-colour"]);
    let failed = "show 0 --output plain";
    assert_eq!(plain(failed, |it| it.stderr.clear()), ["failure-says-why"]);
    let coloured = "show 0 --output rich --color always";
    assert_eq!(plain(coloured, |it| assert!(it.stderr.contains(&0x1b))), [""; 0]);
}

#[test]
fn an_assertion_that_fails_lists_everything() {
    let called = bare(dialects::TD_1, || {
        Ok::<_, NoteError>(Note { score: f64::NAN, text: "\u{7}".to_owned(), ..note(1) })
    });
    let message = panics(|| called.assert_contract().status);
    let expected = [
        "`bare --json` (td/1, status 0) breaks its contract",
        "plain-json at stdout bytes",
        "data-schema at data/score: null is not of type \"number\"",
        "\"type\": \"note\"",
    ];
    for words in expected {
        assert!(message.contains(words), "{words} is missing in {message}");
    }
}

#[test]
fn a_program_that_checks_itself_does_not_let_a_lie_out() {
    let check = || Surroundings::default().variable("MANILA_CHECK", "1");
    for dialect in spoken() {
        for mode in ["json", "jsonl"] {
            for (words, ok) in CALLS {
                let words = ["--output", mode].into_iter().chain(words.split_whitespace());
                let called = app(dialect).call_in(check(), words, work);
                assert_eq!(called.assert_contract().status == 0, *ok, "{called:?}");
            }
        }
        let called = App::from_command(clap::Command::new("bare"), dialect)
            .all_flags()
            .piped(Mode::Json)
            .unified_errors()
            .call_in(check(), ["--json"], |_, _| {
                Ok::<_, NoteError>(Note { score: f64::NAN, ..note(1) })
            });
        assert_eq!(broken(&called), ["self-check"], "{dialect:?}");
        assert_ne!(called.status, 0);
        let opened = called.opened();
        let error = opened.envelope.error().expect("a failure");
        assert!(error.message.contains("data-schema at data/score"), "{}", error.message);
    }
}
