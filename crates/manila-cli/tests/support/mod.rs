//! Starts the real program and reads what it answers.
#![allow(dead_code, reason = "not every file uses everything")]
#![allow(clippy::expect_used, clippy::panic, reason = "a test may stop at the first surprise")]

use jsonschema::Validator;
use serde_json::Value;
use showcase_test_support::default_signals;
use std::ffi::OsStr;
use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::LazyLock;

pub(crate) const ESC: u8 = 0x1b;
pub(crate) const SUCCESS: &str = r#"{"ok":true,"data":{"id":"deploy-42"},"error":null,"warnings":[],"meta":{"duration_ms":340}}"#;
pub(crate) const RATE_LIMITED: &str = r#"{"ok":false,"data":null,"error":{"code":"RATE_LIMIT_EXCEEDED","message":"API rate limit reached","retryable":true,"retry_after":30},"warnings":[],"meta":{"duration_ms":6}}"#;
pub(crate) const SHELLS: [&str; 5] = ["bash", "elvish", "fish", "powershell", "zsh"];
pub(crate) const COMMANDS: [&str; 8] =
    ["open", "decide", "dialects", "schema", "explain", "manifest", "completions", "man"];
pub(crate) const DIALECTS: [&str; 7] = [
    "response-envelope/1.0",
    "response-envelope/1.6",
    "animus/1",
    "claw/1.0",
    "claw/2.0",
    "td/1",
    "i18nprune/1",
];

/// One call of the program that has not begun yet.
pub(crate) struct Call(pub(crate) Command);

/// `manila` with these arguments, and nothing in the environment that asks for colour or JSON.
pub(crate) fn manila<A: AsRef<OsStr>>(arguments: impl IntoIterator<Item = A>) -> Call {
    let mut command = Command::new(env!("CARGO_BIN_EXE_manila"));
    command.args(arguments);
    Call::of(command)
}

/// `manila` with these words as arguments; no argument has a space in it.
pub(crate) fn words(line: &str) -> Call {
    manila(line.split_whitespace())
}

impl Call {
    /// Some command that ends in manila.
    pub(crate) fn of(mut command: Command) -> Call {
        for name in ["NO_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "FORCE_COLOR", "MANILA_OUTPUT"] {
            command.env_remove(name);
        }
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        default_signals(&mut command);
        Call(command)
    }

    pub(crate) fn env(mut self, name: &str, value: &str) -> Call {
        self.0.env(name, value);
        self
    }

    pub(crate) fn args(mut self, arguments: &[&str]) -> Call {
        self.0.args(arguments);
        self
    }

    pub(crate) fn arg(mut self, argument: impl AsRef<OsStr>) -> Call {
        self.0.arg(argument);
        self
    }

    /// Stdout goes there.
    pub(crate) fn stdout(mut self, to: impl Into<Stdio>) -> Call {
        self.0.stdout(to);
        self
    }

    /// Stderr goes there.
    pub(crate) fn stderr(mut self, to: impl Into<Stdio>) -> Call {
        self.0.stderr(to);
        self
    }

    /// Runs it with nothing on stdin.
    pub(crate) fn run(mut self) -> Ran {
        Ran::of(self.0.spawn().expect("manila starts"))
    }

    /// Runs it with these bytes on stdin.
    pub(crate) fn input(self, bytes: impl AsRef<[u8]>) -> Ran {
        let bytes = bytes.as_ref().to_vec();
        self.feed(move |stdin| stdin.write_all(&bytes))
    }

    /// Runs it with what `write` writes on stdin, which need not be read to its end.
    pub(crate) fn feed(
        mut self,
        write: impl FnOnce(&mut ChildStdin) -> io::Result<()> + Send + 'static,
    ) -> Ran {
        let mut child = self.0.stdin(Stdio::piped()).spawn().expect("manila starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        let writer = std::thread::spawn(move || write(&mut stdin));
        let ran = Ran::of(child);
        match writer.join().expect("the writer does not panic") {
            Err(error) if error.kind() != ErrorKind::BrokenPipe => panic!("{error}"),
            _ => ran,
        }
    }
}

/// What a call left behind.
#[derive(Debug)]
pub(crate) struct Ran {
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) status: ExitStatus,
}

impl Ran {
    /// What a call that was started leaves when it ends.
    pub(crate) fn of(child: Child) -> Ran {
        let output = child.wait_with_output().expect("manila ends");
        Ran { stdout: output.stdout, stderr: output.stderr, status: output.status }
    }

    pub(crate) fn code(&self) -> i32 {
        self.status.code().unwrap_or_else(|| panic!("killed: {:?} {}", self.status, self.err()))
    }

    pub(crate) fn out(&self) -> String {
        String::from_utf8(self.stdout.clone()).expect("UTF-8 on stdout")
    }

    pub(crate) fn err(&self) -> String {
        String::from_utf8(self.stderr.clone()).expect("UTF-8 on stderr")
    }

    /// What it printed for people, when it worked and had nothing to warn of.
    pub(crate) fn text(&self) -> String {
        assert_eq!((self.code(), self.err().as_str()), (0, ""), "{}", self.out());
        self.out()
    }

    /// What it printed for people when it refused with this status and code.
    pub(crate) fn refusal(&self, status: i32, code: &str) -> String {
        assert_eq!((self.code(), self.out().as_str()), (status, ""), "{}", self.err());
        let text = self.err();
        assert!(text.starts_with(&format!("error[{code}]: ")), "{text}");
        text
    }

    /// The one envelope that it answered with `--json`: valid, alone, and in accord with its status.
    pub(crate) fn envelope(&self) -> Value {
        assert_eq!(self.err(), "", "stderr is empty");
        let text = self.out();
        let line = text.strip_suffix('\n').expect("the line ends");
        assert!(!line.contains('\n'), "one line: {line}");
        assert!(!self.stdout.contains(&ESC), "no ESC byte: {line}");
        let envelope: Value = serde_json::from_str(line).expect("JSON");
        let errors: Vec<_> = OWN_SCHEMA.iter_errors(&envelope).map(|it| it.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?} in {line}");
        assert_eq!(envelope["ok"], self.code() == 0, "{line}");
        envelope
    }

    /// The data of a success that was asked for with `--json`.
    pub(crate) fn data(&self) -> Value {
        let mut envelope = self.envelope();
        assert_eq!(self.code(), 0, "{envelope}");
        envelope["data"].take()
    }

    /// The report that it wrote with `--format json`, whatever its status.
    pub(crate) fn report(&self) -> Value {
        assert_eq!(self.stdout.last(), Some(&b'\n'), "the last line ends");
        serde_json::from_slice(&self.stdout).expect("JSON")
    }

    /// The same of a call that failed with this status and code, and the message.
    pub(crate) fn failed_report(&self, status: i32, code: &str) -> (Value, String) {
        let text = self.err();
        assert_eq!(self.code(), status, "{text}");
        let message = text.lines().find_map(|it| it.strip_prefix(&format!("error[{code}]: ")));
        (self.report(), message.unwrap_or_else(|| panic!("{code} in {text}")).to_owned())
    }

    /// The error of a failure with this status and code that was asked for with `--json`.
    pub(crate) fn error(&self, status: i32, code: &str) -> Value {
        let mut envelope = self.envelope();
        assert_eq!((self.code(), &envelope["error"]["code"]), (status, &code.into()), "{envelope}");
        envelope["error"].take()
    }
}

static OWN_SCHEMA: LazyLock<Validator> = LazyLock::new(|| validator("response-envelope/1.0"));

/// Checks documents of that dialect.
pub(crate) fn validator(id: &str) -> Validator {
    let dialect = manila::dialect(id).expect("a dialect");
    let schema = manila::schema(dialect, None).expect("its schema");
    jsonschema::validator_for(&schema).expect("a schema")
}

/// The top directory of the project.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A recorded run among the examples of the seeds.
pub(crate) fn seed(name: &str) -> PathBuf {
    let dir = root().join("crates/manila/tests/seeds").join(name);
    assert!(dir.join("run.json").is_file(), "{} is a recorded run", dir.display());
    dir
}

/// All of them, by name.
pub(crate) fn seeds() -> Vec<String> {
    let entries = fs::read_dir(root().join("crates/manila/tests/seeds")).expect("the seeds");
    let mut names: Vec<_> = entries
        .map(|entry| entry.expect("an entry").file_name().into_string().expect("UTF-8"))
        .collect();
    names.sort();
    assert!(names.len() >= 39, "{names:?}");
    names
}

/// An empty directory for one test.
pub(crate) fn empty_dir(name: &str) -> PathBuf {
    let dir = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    if dir.exists() {
        fs::remove_dir_all(&dir).expect("the old directory goes");
    }
    fs::create_dir_all(&dir).expect("a directory");
    dir
}

/// The end of a pipe whose reader has closed it.
pub(crate) fn hung_up() -> io::PipeWriter {
    let (reader, writer) = io::pipe().expect("a pipe");
    drop(reader);
    writer
}

/// A user without permission to read private files.
#[cfg(unix)]
pub(crate) enum Account {
    /// The user that runs the tests.
    Ours,
    /// Another user, because the user that runs the tests may read everything.
    Unprivileged,
}

#[cfg(unix)]
impl Account {
    /// Runs the command as that account.
    pub(crate) fn apply(&self, command: &mut Command) {
        use std::os::unix::process::CommandExt;
        if matches!(self, Account::Unprivileged) {
            command.uid(NOBODY).gid(NOBODY);
        }
    }
}

#[cfg(unix)]
const NOBODY: u32 = 65534;

/// An account that may not read what is closed, and can run the program in that directory; if there
/// is one.
#[cfg(unix)]
pub(crate) fn unprivileged(dir: &Path) -> Option<Account> {
    use std::os::unix::fs::PermissionsExt;
    let probe = dir.join("probe");
    fs::write(&probe, "x").expect("writes");
    fs::set_permissions(&probe, fs::Permissions::from_mode(0o000)).expect("closes");
    let is_all_powerful = fs::read(&probe).is_ok();
    fs::remove_file(&probe).expect("it goes");
    if !is_all_powerful {
        return Some(Account::Ours);
    }
    let mut command = words("--version");
    command.0.current_dir(dir);
    Account::Unprivileged.apply(&mut command.0);
    let ran = command.0.status();
    ran.is_ok_and(|status| status.success()).then_some(Account::Unprivileged)
}

/// A Python with a module: the one that `MANILA_PYTHON` names, that of `.ci/toolchains`, or the one in PATH.
pub(crate) fn python_with(module: &str) -> Option<PathBuf> {
    let installed = root().join("target/toolchains/python/bin/python3");
    let named = std::env::var_os("MANILA_PYTHON").map(PathBuf::from);
    let candidates = named.map_or_else(|| vec![installed, "python3".into()], |it| vec![it]);
    candidates.into_iter().find(|python| {
        let asked = Command::new(python).args(["-c", &format!("import {module}")]).output();
        asked.is_ok_and(|output| output.status.success())
    })
}

/// Reports that a test could not be made here.
pub(crate) fn skipped(why: &str) {
    // Not a macro: what those print is only shown when a test fails.
    let _ = writeln!(std::io::stderr(), "SKIPPED: {why}");
}

/// The terminal escapes in a text that are not among the few that manila colours with.
pub(crate) fn strange_escapes(text: &[u8]) -> Vec<String> {
    const OWN: [&[u8]; 7] = [b"[0m", b"[1m", b"[2m", b"[31m", b"[32m", b"[33m", b"[36m"];
    text.split(|byte| *byte == ESC)
        .skip(1)
        .filter(|after| !OWN.iter().any(|own| after.starts_with(own)))
        .map(|after| String::from_utf8_lossy(&after[..after.len().min(12)]).into_owned())
        .collect()
}
