//! Owns: the proof that generated tests fail when a generated rule is changed, in every language.
#![expect(
    clippy::expect_used,
    clippy::disallowed_macros,
    reason = "a test may stop and may say why"
)]

mod support;

use manila::dialects::WRITTEN;
use manila_generate::{Manifest, Side};
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use support::{go, language, manifest, python_with, succeed, tools, typescript, write_files};

/// What code is generated from.
type Contract<'m> = (&'static dyn manila::Dialect, Option<&'m Manifest>);

/// How the rules of a language are changed, and how its tests are run.
struct Bench {
    language: &'static str,
    /// Which mutants are tried without `MANILA_MUTATIONS=all`: one in so many.
    one_in: u64,
    /// Conditions, comparisons and rows of tables, which are changed one at a time.
    turns: &'static [(&'static str, &'static str)],
    /// Where a text of several lines begins, and where it ends.
    text: (&'static str, &'static str),
    tools: Vec<PathBuf>,
}

const PYTHON: &[(&str, &str)] = &[
    (" == ", " != "),
    (" is not ", " is "),
    (" is None", " is not None"),
    (" < ", " >= "),
    (" > ", " <= "),
    ("    if ", "    if not "),
    (" and ", " or "),
    (": 1,", ": 41,"),
    (": 5,", ": 45,"),
    ("(\"yes\", ", "(\"no\", "),
    (", \"none\")", ", \"partial\")"),
];

const TYPESCRIPT: &[(&str, &str)] = &[
    (" === ", " !== "),
    (" !== ", " === "),
    (" < ", " >= "),
    (" > ", " <= "),
    ("if (", "if (false && "),
    (" && ", " || "),
    (" || ", " && "),
    (": 5,", ": 45,"),
    ("[\"yes\", ", "[\"no\", "),
    (", \"none\"]", ", \"partial\"]"),
];

const GO: &[(&str, &str)] = &[
    (" == ", " != "),
    (" != ", " == "),
    (" < ", " >= "),
    (" > ", " <= "),
    (" && ", " || "),
    (" || ", " && "),
    ("{\"yes\", ", "{\"no\", "),
    (", \"none\"}", ", \"partial\"}"),
    ("return true", "return false"),
];

const RUST: &[(&str, &str)] = &[
    ("if check {", "if false {"),
    (" == ", " != "),
    (" != ", " == "),
    (" < ", " >= "),
    (" > ", " <= "),
    (" && ", " || "),
    (" || ", " && "),
    ("if !", "if "),
    (" => 5,", " => 45,"),
    ("(Retry::Yes, ", "(Retry::No, "),
    (", Effects::None)", ", Effects::Partial)"),
    (".is_none()", ".is_some()"),
];

/// What the tests say about a changed source.
#[derive(PartialEq, Eq)]
enum Verdict {
    Noticed,
    Survived,
    /// It does not even compile.
    Invalid,
}

impl Bench {
    /// The bench of a language, unless its tools are missing.
    fn new(language: &'static str) -> Option<Bench> {
        let (one_in, turns, text, tools) = match language {
            "python" => (12, PYTHON, ("r\"\"\"", "\"\"\""), vec![python_with("pytest")?]),
            "typescript" => {
                let (tsc, node) = typescript()?;
                (20, TYPESCRIPT, ("String.raw `", "`"), vec![tsc, node])
            }
            "go" => (40, GO, ("parse(`", "`"), tools(["go"])?.to_vec()),
            _ => (40, RUST, ("r##\"", "\"##"), tools(["rustc"])?.to_vec()),
        };
        Some(Bench { language, one_in, turns, text, tools })
    }

    /// Generates the files of a dialect and returns the one that is changed.
    fn prepare(&self, side: Side, of: Contract<'_>, place: &Path) -> PathBuf {
        write_files(language(self.language), side, of.0, of.1, place);
        let stem = if side == Side::Producer { "envelope" } else { "client" };
        if self.language == "typescript" {
            // The rules are the same in what the compiler leaves, which node runs without one.
            let mut command = support::compile(&self.tools[0]);
            let (source, test) = (format!("{stem}.ts"), format!("{stem}.test.ts"));
            succeed(command.args([source, test]).current_dir(place));
            return place.join(format!("{stem}.js"));
        }
        if self.language == "go" {
            fs::write(place.join("go.mod"), "module try\n\ngo 1.18\n").expect("writes");
        }
        let ending = match self.language {
            "python" => "py",
            "go" => "go",
            _ => "rs",
        };
        place.join(format!("{stem}.{ending}"))
    }

    fn judge(&self, source: &Path) -> Verdict {
        let place = source.parent().expect("a directory");
        let passes = |command: &mut Command| {
            let command = command.stdout(Stdio::null()).stderr(Stdio::null());
            command.status().expect("it starts").success()
        };
        let is_survivor = match self.language {
            "python" => {
                let mut command = Command::new(&self.tools[0]);
                command.args(["-B", "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider"]);
                passes(command.arg(place))
            }
            "typescript" => {
                let mut command = Command::new(&self.tools[1]);
                passes(command.arg(source.with_extension("test.js")))
            }
            "go" => {
                let mut command = go(&self.tools[0], place);
                let output = command.args(["test", "-vet=off", "./..."]).output();
                let output = output.expect("it starts");
                if String::from_utf8_lossy(&output.stdout).contains("[build failed]") {
                    return Verdict::Invalid;
                }
                output.status.success()
            }
            _ => {
                let program = place.join("tests");
                let mut command = Command::new(&self.tools[0]);
                command.args(["--edition", "2021", "--test", "-o"]).arg(&program).arg(source);
                if !passes(&mut command) {
                    return Verdict::Invalid;
                }
                passes(&mut Command::new(program))
            }
        };
        if is_survivor { Verdict::Survived } else { Verdict::Noticed }
    }

    /// The source with one change each, by what the changed line says.
    fn mutants(&self, source: &str) -> BTreeMap<String, String> {
        let lines: Vec<&str> = source.lines().collect();
        let mut in_text = false;
        let mut found = BTreeMap::new();
        for (number, line) in lines.iter().enumerate() {
            if in_text {
                in_text = !line.starts_with(self.text.1);
                continue;
            }
            in_text = line.trim_end().ends_with(self.text.0);
            let code = line.trim_start();
            let is_comment = ["#", "//", "*", "/*", "\""].iter().any(|mark| code.starts_with(mark));
            let is_row =
                self.turns.iter().any(|(from, _)| from.ends_with(',') && line.contains(from));
            if code == *line || (is_comment && !is_row && !code.contains("(\"yes\"")) {
                continue;
            }
            for (from, to) in self.turns {
                // What already says the opposite is changed by another line of the table.
                let is_twice = (*from == " is None" && line.contains(" is not None"))
                    || (*from == "    if " && line.contains(" else "));
                let Some(at) = line.find(from).filter(|_| !is_twice) else { continue };
                // Words of a message are no rule.
                if !from.contains('"') && line[..at].matches('"').count() % 2 == 1 {
                    continue;
                }
                let changed = line.replacen(from, to, 1);
                let mut all: Vec<&str> = lines.clone();
                all[number] = &changed;
                let text = all.iter().map(|line| format!("{line}\n")).collect();
                let alike = found.keys().filter(|key: &&String| key.starts_with(changed.trim()));
                let key = format!("{} ({})", changed.trim(), alike.count());
                found.insert(key, text);
            }
        }
        found
    }
}

/// A number for a text, the same in every run.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Changes the rules of one side, one at a time. A rule that one dialect does not use is noticed in the tests
/// of one that does.
fn check(name: &'static str, side: Side, allowed: &[&str]) {
    let Some(bench) = Bench::new(name) else { return };
    let root = tempfile::tempdir().expect("a directory");
    let every = std::env::var_os("MANILA_MUTATIONS").is_some_and(|it| it == "all");
    let is_tried = |key: &String| {
        (every || hash(key).is_multiple_of(bench.one_in))
            && !allowed.iter().any(|it| key.contains(it))
    };
    let mut pending: Option<Vec<String>> = None;
    let (mut tried, mut invalid) = (0, 0);
    let notes = manifest();
    let dialects = WRITTEN.iter().map(|dialect| (*dialect, None));
    for (number, of) in dialects.chain([(WRITTEN[0], Some(&notes))]).enumerate() {
        let place = root.path().join(number.to_string());
        let path = bench.prepare(side, of, &place);
        let source = fs::read_to_string(&path).expect("a file");
        let mutants = bench.mutants(&source);
        assert!(mutants.len() > 30, "{}", mutants.len());
        let keys = pending.take();
        let keys =
            keys.unwrap_or_else(|| mutants.keys().filter(|it| is_tried(it)).cloned().collect());
        tried = tried.max(keys.len());
        let mut survivors = Vec::new();
        for key in keys {
            let Some(text) = mutants.get(&key) else {
                survivors.push(key);
                continue;
            };
            fs::write(&path, text).expect("writes");
            match bench.judge(&path) {
                Verdict::Noticed => {}
                Verdict::Survived => survivors.push(key),
                Verdict::Invalid => invalid += 1,
            }
        }
        let is_done = survivors.is_empty();
        pending = Some(survivors);
        if is_done {
            break;
        }
    }
    let survivors = pending.unwrap_or_default();
    println!(
        "{name} {side:?}: {tried} changes, {invalid} do not compile, {} live",
        survivors.len()
    );
    assert!(tried > invalid, "nothing was tried");
    assert!(survivors.is_empty(), "no test noticed:\n{}", survivors.join("\n"));
}

#[test]
fn python_producer() {
    // What happens when the answer has no reader.
    check("python", Side::Producer, &["BrokenPipe"]);
}

#[test]
fn python_caller() {
    // The rows above have settled what this one would catch.
    let settled = &["error.retryable is True or exit_class != \"TIMEOUT\""];
    check("python", Side::Caller, settled);
}

#[test]
fn typescript_producer() {
    check("typescript", Side::Producer, &[]);
}

#[test]
fn typescript_caller() {
    check("typescript", Side::Caller, &[]);
}

#[test]
fn go_producer() {
    check("go", Side::Producer, &[]);
}

#[test]
fn go_caller() {
    check("go", Side::Caller, &[]);
}

#[test]
fn rust_producer() {
    check("rust", Side::Producer, &[]);
}

#[test]
fn rust_caller() {
    check("rust", Side::Caller, &[]);
}
