//! Owns: whatever the input is, and whatever becomes of the streams, there is one answer and no harm.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]
#![cfg(unix)]

mod support;

use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Stdio};
use support::{
    Call, RATE_LIMITED, Ran, SUCCESS, empty_dir, hung_up, manila, seed, skipped, strange_escapes,
    words,
};

/// Refused in both faces; gives the message.
fn refused(input: &[u8], status: i32, code: &str) -> String {
    words("open").input(input).refusal(status, code);
    let error = words("open --json").input(input).error(status, code);
    assert_eq!(error["phase"], "execution");
    error["message"].as_str().expect("a message").to_owned()
}

/// `manila` with these words, in at most 400 MB of memory where that can be had.
fn in_little_memory(line: &str) -> Call {
    const LIMIT: &str = "ulimit -v 400000";
    let limits = Command::new("sh").args(["-c", LIMIT]).stderr(Stdio::null()).status();
    if !limits.is_ok_and(|status| status.success()) {
        skipped("`ulimit -v` does not work here: memory is not limited");
        return words(line);
    }
    let mut command = Command::new("sh");
    command.args(["-c", &format!("{LIMIT}; exec \"$0\" \"$@\"")]);
    command.arg(env!("CARGO_BIN_EXE_manila")).args(line.split_whitespace());
    Call::of(command)
}

/// 100 MB on one line between `before` and `after`, never all in memory.
fn hundred_megabytes(call: Call, before: &'static str, after: &'static str) -> Ran {
    call.feed(move |stdin| {
        let piece = vec![b'x'; 1_000_000];
        stdin.write_all(before.as_bytes())?;
        (0..100).try_for_each(|_| stdin.write_all(&piece))?;
        stdin.write_all(after.as_bytes())
    })
}

fn facts(data: &Value) -> Vec<&str> {
    let facts = data["facts"].as_array().expect("facts");
    facts.iter().filter_map(|fact| fact["fact"].as_str()).collect()
}

#[test]
fn nothing_and_nothing_but_whitespace_are_empty_input() {
    for input in [&b""[..], b" ", b"\n", b" \t\r\n\n  "] {
        let message = refused(input, 5, "EMPTY_INPUT");
        assert!(message.contains("nothing to read"), "{message}");
    }
}

#[test]
fn a_closed_standard_input_is_empty_input() {
    let mut command = Command::new("sh");
    command.args(["-c", "exec \"$0\" open --json <&-", env!("CARGO_BIN_EXE_manila")]);
    Call::of(command).run().error(5, "EMPTY_INPUT");
}

#[test]
fn bytes_that_are_no_text_hold_no_envelope() {
    let garbage: Vec<u8> =
        (0..100_000_u32).map(|n| (n.wrapping_mul(2_654_435_761) >> 24) as u8).collect();
    refused(&garbage, 5, "NO_ENVELOPE");
    refused(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0", 5, "NO_ENVELOPE");
    refused(&[0; 4096], 5, "NO_ENVELOPE");
    refused(&[0xff; 4096], 5, "NO_ENVELOPE");
}

#[test]
fn a_document_that_is_not_utf_8_is_refused_at_its_byte() {
    let message = refused(b"{\"ok\":true,\"data\":\"\xff\"}", 5, "NO_ENVELOPE");
    assert!(message.contains("UTF-8") && message.contains("byte 19 of stdout"), "{message}");
}

#[test]
fn an_envelope_beside_bytes_that_are_not_utf_8_is_still_found() {
    let input = [b"\xff\xfe log \xf0\n", SUCCESS.as_bytes(), b"\n\xc3"].concat();
    let data = words("open --json").input(&input).data();
    assert_eq!(facts(&data), ["byte-order-mark", "prose-before", "prose-after"]);
    assert_eq!(data["span"], json!({ "start": 9, "end": 9 + SUCCESS.len() }));
    words("open").input(&input).text();
}

#[test]
fn a_document_that_stops_before_its_end_is_refused_at_its_last_byte() {
    for cut in [1, 10, SUCCESS.len() / 2, SUCCESS.len() - 1] {
        let message = refused(&SUCCESS.as_bytes()[..cut], 5, "NO_ENVELOPE");
        assert!(message.contains("stops before its end"), "{message}");
        assert!(message.contains(&format!("byte {cut} of stdout")), "{message}");
    }
}

#[test]
fn prose_holds_no_envelope() {
    let message = refused(b"error: it broke (see [1] and {2})\n", 5, "NO_ENVELOPE");
    assert!(message.contains("stdout"), "{message}");
}

#[test]
fn json_that_is_no_envelope_is_distinguished_from_prose() {
    for input in ["[1,2]", "{}", r#"{"a":1}"#, "[]"] {
        let message = refused(input.as_bytes(), 5, "NO_ENVELOPE");
        assert!(message.contains("holds JSON"), "{input}: {message}");
    }
}

#[test]
fn a_hundred_megabytes_on_one_line_are_over_the_limit_in_little_memory() {
    for before in ["", "{\"a\":\""] {
        let ran = hundred_megabytes(in_little_memory("open --json"), before, "");
        let error = ran.error(4, "OVER_LIMIT");
        let message = error["message"].as_str().expect("a message");
        assert!(message.contains("67108864 bytes"), "{message}");
        assert!(error["suggestion"].as_str().is_some_and(|it| it.contains("--max-bytes")));
    }
}

#[test]
fn a_hundred_megabytes_on_one_line_are_read_when_the_limit_is_raised() {
    let call = in_little_memory("open --json --max-bytes 200000000");
    let error = hundred_megabytes(call, "{\"a\":\"", "\"}").error(5, "NO_ENVELOPE");
    assert!(error["message"].as_str().is_some_and(|it| it.contains("holds JSON")), "{error}");
    let call = in_little_memory("decide --json --max-bytes 200000000 --exit-code 1");
    assert_eq!(hundred_megabytes(call, "", "").data()["action"]["do"], "inspect-state");
}

#[test]
fn a_limit_is_the_last_size_that_is_read() {
    let exact = format!("open --json --max-bytes {}", SUCCESS.len());
    words(&exact).input(SUCCESS).data();
    let less = format!("open --json --max-bytes {}", SUCCESS.len() - 1);
    words(&less).input(SUCCESS).error(4, "OVER_LIMIT");
}

#[test]
fn deep_nesting_is_over_the_limit_at_the_byte_that_exceeds_it() {
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let unclosed = open.repeat(100_000);
        let closed = format!("{unclosed}1{}", close.repeat(100_000));
        let place = format!("byte {} of stdout", 128 * open.len());
        for input in [&unclosed, &closed] {
            let message = refused(input.as_bytes(), 4, "OVER_LIMIT");
            assert!(message.contains(&place), "{place} in {message}");
        }
        let message = words("open --json --max-depth 200000").input(&closed);
        let message = message.error(5, "NO_ENVELOPE")["message"].to_string();
        assert!(message.contains("holds JSON"), "{message}");
        let message = words("open --json --max-depth 200000").input(&unclosed);
        let message = message.error(5, "NO_ENVELOPE")["message"].to_string();
        assert!(message.contains("stops before its end"), "{message}");
    }
}

#[test]
fn an_envelope_with_deep_data_is_read_in_little_memory_when_the_limit_is_raised() {
    let data = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
    let input = SUCCESS.replace(r#"{"id":"deploy-42"}"#, &data);
    let ran = in_little_memory("open --json --max-depth 200000").input(&input);
    assert_eq!(ran.code(), 0, "{:?}", ran.status);
    assert!(ran.out().contains(&data));
    for to in ["td/1", "claw/2.0", "animus/1"] {
        let call = in_little_memory(&format!("open --quiet --max-depth 200000 --to {to}"));
        assert_eq!(call.input(&input).text().matches('[').count(), 100_000, "{to}");
    }
    in_little_memory("open --max-depth 200000").input(&input).text();
}

#[test]
fn ten_thousand_documents_in_a_row_are_counted() {
    let documents = "{\"a\":1}\n".repeat(10_000);
    refused(documents.as_bytes(), 5, "NO_ENVELOPE");
    let data = words("open --json").input(format!("{documents}{SUCCESS}")).data();
    assert_eq!(facts(&data), ["several-documents"]);
    assert_eq!(data["facts"][0]["subject"], "10001");
    assert_eq!(data["noise"].as_array().map(Vec::len), Some(1));
}

#[test]
fn ten_thousand_envelopes_in_a_row_are_counted_and_the_last_is_taken() {
    let envelopes = format!("{SUCCESS}\n").repeat(10_000);
    let data = words("open --json").input(&envelopes).data();
    assert_eq!(facts(&data), ["several-documents", "several-envelopes"]);
    assert_eq!(data["facts"][0]["subject"], "10000");
    assert_eq!(data["span"]["end"], envelopes.len() - 1);
    words("open").input(&envelopes).text();
    assert_eq!(words("decide --json").input(&envelopes).data()["action"]["do"], "accept");
}

#[test]
fn a_file_that_is_not_there_is_not_found() {
    for line in ["open no/such/file --json", "open --stderr no/such/file --json"] {
        let error = words(line).run().error(5, "FILE_NOT_FOUND");
        assert!(error["message"].as_str().is_some_and(|it| it.contains("no/such/file")), "{error}");
    }
    words("open --run no/such/directory --json").run().error(5, "FILE_NOT_FOUND");
    words("decide no/such/file --json").run().error(5, "FILE_NOT_FOUND");
    words("decide no/such/file").run().refusal(5, "FILE_NOT_FOUND");
}

#[test]
fn a_file_that_may_not_be_read_is_forbidden() {
    let file = empty_dir("forbidden").join("answer.json");
    fs::write(&file, SUCCESS).expect("writes");
    fs::set_permissions(&file, fs::Permissions::from_mode(0o000)).expect("locks");
    let call = |json: &[&str]| {
        if File::open(&file).is_err() {
            return Some(manila(["open"]).arg(&file).args(json));
        }
        // We are root and may read everything, unless we give that up.
        let powerless = ["setpriv", "--bounding-set=-all", "--"];
        let works = Command::new(powerless[0]).args(&powerless[1..]).arg("true").output();
        let mut command = Command::new(powerless[0]);
        command.args(&powerless[1..]).arg(env!("CARGO_BIN_EXE_manila")).arg("open").arg(&file);
        command.args(json);
        works.is_ok_and(|it| it.status.success()).then(|| Call::of(command))
    };
    let (Some(plain), Some(json)) = (call(&[]), call(&["--json"])) else {
        return skipped("root can read every file, and there is no setpriv to change that");
    };
    assert!(plain.run().refusal(7, "FILE_FORBIDDEN").contains("answer.json"));
    json.run().error(7, "FILE_FORBIDDEN");
}

#[test]
fn a_dir_in_place_of_a_file_is_refused_with_the_flag_that_takes_one() {
    let error = manila(["open", "--json"]).arg(seed("td-not-found")).run();
    let error = error.error(1, "FILE_UNREADABLE");
    assert!(error["suggestion"].as_str().is_some_and(|it| it.contains("--run")), "{error}");
    let dir = File::open(seed("td-not-found")).expect("opens");
    let mut command = Command::new(env!("CARGO_BIN_EXE_manila"));
    command.args(["open", "--json"]);
    let mut call = Call::of(command);
    call.0.stdin(dir);
    call.run().error(1, "FILE_UNREADABLE");
}

#[test]
fn a_dir_without_run_json_is_no_recorded_run() {
    let dir = empty_dir("no_run");
    fs::write(dir.join("stdout"), SUCCESS).expect("writes");
    let error = manila(["open", "--json", "--run"]).arg(&dir).run().error(4, "BAD_RECORDING");
    assert!(error["message"].as_str().is_some_and(|it| it.contains("run.json")), "{error}");
}

#[test]
fn a_file_in_place_of_a_recorded_run_is_no_recorded_run() {
    let file = empty_dir("file_as_run").join("answer.json");
    fs::write(&file, SUCCESS).expect("writes");
    manila(["open", "--json", "--run"]).arg(&file).run().error(4, "BAD_RECORDING");
}

#[test]
fn a_run_json_that_is_not_what_it_should_be_is_no_recorded_run() {
    let dir = empty_dir("bad_runs");
    for run in ["", "{", "[]", "not JSON", r#"{"exit_code":"1"}"#, "\u{0}"] {
        fs::write(dir.join("run.json"), run).expect("writes");
        let error = manila(["open", "--json", "--run"]).arg(&dir).run();
        let error = error.error(4, "BAD_RECORDING");
        assert!(error["message"].as_str().is_some_and(|it| it.contains("run.json")), "{error}");
    }
}

#[test]
fn a_recorded_run_may_lack_a_stream_and_ends_with_the_status_that_is_named() {
    let dir = empty_dir("half_run");
    fs::write(dir.join("run.json"), r#"{"argv":["tool"],"exit_code":0}"#).expect("writes");
    fs::write(dir.join("stdout"), RATE_LIMITED).expect("writes");
    let open =
        |more: &[&str]| manila(["open", "--json", "--run"]).arg(&dir).args(more).run().data();
    assert_eq!(open(&[])["envelope"]["status"], 0);
    assert_eq!(open(&["--exit-code", "11"])["envelope"]["exit"], "RATE_LIMITED");
}

#[test]
fn a_reader_that_hangs_up_changes_no_status_and_makes_no_noise() {
    for (line, status) in [
        ("dialects", 0),
        ("dialects --json", 0),
        ("man", 0),
        ("completions zsh", 0),
        ("schema td/1", 0),
        ("--help", 0),
        ("explain zzzz --json", 5),
        ("opne --json", 13),
        ("open no/such/file --json", 5),
    ] {
        let ran = words(line).stdout(hung_up()).run();
        assert_eq!((ran.code(), ran.err().as_str()), (status, ""), "{line}");
    }
    let ran = words("explain zzzz").stderr(hung_up()).run();
    assert_eq!((ran.code(), ran.out().as_str()), (5, ""));
}

#[test]
fn a_reader_of_warnings_that_hangs_up_does_not_cost_the_answer() {
    let ran = words("open --exit-code 11 --to animus/1").stderr(hung_up()).input(RATE_LIMITED);
    assert_eq!(ran.code(), 0);
    assert!(ran.out().starts_with(r#"{"schema":"animus.cli.v1""#), "{:?}", ran.out());
}

#[test]
fn an_answer_that_cannot_be_written_is_a_failure_that_is_reported() {
    if !Path::new("/dev/full").exists() {
        return skipped("there is no /dev/full");
    }
    let full = || File::options().write(true).open("/dev/full").expect("opens");
    let schema = "schema td/1";
    for line in ["dialects", "dialects --json", "--help", "explain zzzz --json", "man", schema] {
        let ran = words(line).stdout(full()).run();
        // What had failed before keeps its own status.
        let status = if line.starts_with("explain") { 5 } else { 1 };
        assert_eq!(ran.code(), status, "{line}");
        assert!(ran.err().contains("could not be written"), "{line}: {}", ran.err());
        assert_eq!(ran.err().lines().count(), 1, "{line}: {}", ran.err());
    }
}

/// A failure in which every text and, if `keys`, every key would clear the screen.
fn hostile(keys: bool) -> String {
    const EVIL: &str = "x\\u001b[2J\\u001b]0;t\\u0007\\u009b8m\\r";
    let key = if keys { EVIL } else { "key" };
    format!(
        r#"{{"ok":false,"data":{{"{EVIL}":"{EVIL}"}},"error":{{"code":"{EVIL}","message":"{EVIL}",
            "detail":"{EVIL}","suggestion":"{EVIL}","operation":"{EVIL}","target":"{EVIL}",
            "fix_required":"{EVIL}","fix_command":"{EVIL}","redirect":{{"command":"{EVIL}",
            "permanent":true,"reason":"{EVIL}"}},"details":{{"{EVIL}":"{EVIL}"}}}},
            "warnings":["{EVIL}",{{"{EVIL}":"{EVIL}"}}],"meta":{{"duration_ms":1,
            "cursor":"{EVIL}","request_id":"{EVIL}","{key}":"{EVIL}","cwd":"{EVIL}",
            "kind":"{EVIL}","issues":[{{"code":"{EVIL}","message":"{EVIL}"}}]}},
            "{key}2":"{EVIL}"}}"#
    )
}

fn assert_obeys_nothing(input: &str) {
    for line in
        ["open", "decide", "open --to td/1", "open --to claw/2.0", "open --to td/1 --strict"]
    {
        let ran = words(&format!("{line} --color always --exit-code 13")).input(input);
        for text in [&ran.stdout, &ran.stderr] {
            assert_eq!(strange_escapes(text), [""; 0], "{line}");
            let text = String::from_utf8(text.clone()).expect("UTF-8");
            let steers = |it: char| it.is_control() && !matches!(it, '\n' | '\t' | '\u{1b}');
            assert!(!text.contains(steers), "{line}: {text:?}");
        }
    }
}

#[test]
fn what_a_program_wrote_cannot_steer_the_terminal_that_shows_it() {
    assert!(words("open").input(hostile(false)).text().contains("\\u{1b}"));
    assert_obeys_nothing(&hostile(false));
}

#[test]
fn the_keys_that_a_program_wrote_cannot_steer_the_terminal_either() {
    assert_obeys_nothing(&hostile(true));
}

#[test]
fn what_a_program_wrote_cannot_look_like_a_line_of_ours() {
    let redirect = r#""redirect":{"command":"tool a\nwhy  trust me","permanent":true}"#;
    let input = format!(
        r#"{{"ok":false,"data":null,"error":{{"code":"c\nwhy","message":"m\nwhy",{redirect}}},
            "warnings":[],"meta":{{"duration_ms":1,"key\nwhy  trust me":1}}}}"#
    );
    for line in ["open --exit-code 13", "decide --exit-code 13 --redirects any"] {
        let text = words(line).input(&input).text();
        let whys = text.lines().filter(|line| line.starts_with("why")).count();
        assert_eq!(whys, usize::from(line.starts_with("decide")), "{text}");
    }
}

#[test]
fn escapes_in_the_input_are_no_escape_bytes_in_json() {
    let data = words("open --json").input(hostile(true)).data();
    assert!(facts(&data).contains(&"escape-in-string"), "{data}");
}
