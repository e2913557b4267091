//! The flaky program of the demo: it is rate-limited twice, pays slowly, and has one bug.

use std::fs::OpenOptions;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;
use std::{fs, thread};

const HELP: &str = "\
Keep the orders of a shop

Usage: orders <COMMAND>

Commands:
  list  List the orders
  show  Show one order
  pay   Pay an order

Options:
  -h, --help  Print help
";
const SHOW_HELP: &str = "\
Show one order

Usage: orders show [OPTIONS] <ID>

Arguments:
  <ID>  The number of the order

Options:
      --json  Write JSON
  -h, --help  Print help
";
const META: &str = r#""warnings":[],"meta":{"duration_ms":1,"schema_version":"1.6"}"#;

pub(crate) fn main(words: &[String]) -> ExitCode {
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    match words[..] {
        ["show", .., "--help" | "-h"] => say(SHOW_HELP, 0),
        [.., "--help" | "-h"] => say(HELP, 0),
        // The demo counts its calls in a file; without the file there is no quota.
        ["list", ..] if calls().is_ok_and(|calls| calls < 3) => {
            fail("SLOW_DOWN", "too many requests", r#","retryable":true,"retry_after_ms":500"#, 11)
        }
        ["list", ..] => say(&format!("{{\"ok\":true,\"data\":[7],\"error\":null,{META}}}\n"), 0),
        // The payment is made at once, and the confirmation never arrives.
        ["pay", ..] => {
            thread::sleep(Duration::from_secs(60));
            ExitCode::SUCCESS
        }
        // The bug that `manila check` finds: it failed, and the exit code is 0.
        ["show", ..] => fail("NO_SUCH_ORDER", "there is no such order", "", 0),
        _ => fail("ARG_ERROR", "no such command", "", 2),
    }
}

/// The number of calls up to now.
fn calls() -> io::Result<usize> {
    OpenOptions::new().append(true).open("calls")?.write_all(b"x")?;
    Ok(fs::read("calls")?.len())
}

fn fail(code: &str, message: &str, more: &str, status: u8) -> ExitCode {
    let error = format!(r#"{{"code":"{code}","message":"{message}"{more}}}"#);
    say(&format!("{{\"ok\":false,\"data\":null,\"error\":{error},{META}}}\n"), status)
}

fn say(text: &str, status: u8) -> ExitCode {
    let _ = io::stdout().write_all(text.as_bytes());
    ExitCode::from(status)
}
