//! Owns: the tests of changed sources: which of the changes they notice.

use crate::change::Change;
use crate::support::{self, go, language, python_with, succeed, tools, typescript, write_files};
use crate::weave::{self, blamed, is_woven, weave};
use manila_generate::{Manifest, Side};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// What code is generated from.
pub(crate) type Contract<'m> = (&'static dyn manila::Dialect, Option<&'m Manifest>);

/// What the tests say about a changed source.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Noticed,
    Survived,
    /// It does not even compile.
    Invalid,
}

/// The tools of a language.
pub(crate) struct Bench {
    pub language: &'static str,
    tools: Vec<PathBuf>,
}

/// Generated files in a directory, of which one is changed.
pub(crate) struct Place<'b> {
    bench: &'b Bench,
    directory: PathBuf,
    /// The name of that file, and of its tests.
    name: String,
    test: String,
    pub source: String,
}

/// How many changes are woven into one program.
const WOVEN: usize = 400;

impl Bench {
    /// The bench of a language, unless its tools are missing.
    pub(crate) fn new(language: &'static str) -> Option<Bench> {
        let tools = match language {
            "python" => vec![python_with("pytest")?],
            "typescript" => {
                let (tsc, node) = typescript()?;
                vec![tsc, node]
            }
            "go" => tools(["go"])?.to_vec(),
            _ => tools(["rustc"])?.to_vec(),
        };
        Some(Bench { language, tools })
    }

    /// Generates the files of a dialect.
    pub(crate) fn prepare(&self, side: Side, of: Contract<'_>, directory: PathBuf) -> Place<'_> {
        write_files(language(self.language), side, of.0, of.1, &directory);
        let stem = if side == Side::Producer { "envelope" } else { "client" };
        let (name, test) = match self.language {
            "python" => (format!("{stem}.py"), format!("test_{stem}.py")),
            "go" => (format!("{stem}.go"), format!("{stem}_test.go")),
            "rust" => (format!("{stem}.rs"), format!("{stem}_test.rs")),
            // The rules are the same in what the compiler leaves, which node runs without one.
            _ => {
                let mut command = support::compile(&self.tools[0]);
                let sources = [format!("{stem}.ts"), format!("{stem}.test.ts")];
                succeed(command.args(sources).current_dir(&directory));
                (format!("{stem}.js"), format!("{stem}.test.js"))
            }
        };
        if self.language == "go" {
            fs::write(directory.join("go.mod"), "module try\n\ngo 1.18\n").expect("writes");
            let chooser = format!("package {stem}\n{}", weave::GO);
            fs::write(directory.join("mutant.go"), chooser).expect("writes");
        }
        let source = fs::read_to_string(directory.join(&name)).expect("a file");
        Place { bench: self, directory, name, test, source }
    }
}

/// A call that ends after so many seconds of its own work, however busy the machine is.
fn limited(program: &Path) -> Command {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -t 20; exec \"$0\" \"$@\""]).arg(program);
    command
}

fn passes(command: &mut Command) -> bool {
    let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().expect("it starts").success()
}

fn text(output: &Output) -> String {
    [&output.stdout, &output.stderr].map(|it| String::from_utf8_lossy(it)).concat()
}

impl Place<'_> {
    fn path(&self) -> PathBuf {
        self.directory.join(&self.name)
    }

    /// What the tests say about each change.
    pub(crate) fn judge(&self, changes: &[&Change]) -> Vec<Verdict> {
        match self.bench.language {
            "python" => self.judge_python(changes),
            "typescript" => self.judge_typescript(changes),
            _ => self.judge_compiled(changes),
        }
    }

    /// Python is started once and forks for each change.
    fn judge_python(&self, changes: &[&Change]) -> Vec<Verdict> {
        let test = fs::read(self.directory.join(&self.test)).expect("a file");
        let place = |number: usize| self.directory.join(format!("changed{number}"));
        let unchanged = Change { line: usize::MAX, text: String::new() };
        for (number, change) in std::iter::once(&&unchanged).chain(changes).enumerate() {
            let place = place(number);
            fs::create_dir(&place).expect("a directory");
            fs::write(place.join(&self.name), change.apply(&self.source)).expect("writes");
            fs::write(place.join(&self.test), &test).expect("writes");
        }
        let mut command = Command::new(&self.bench.tools[0]);
        command.args(["-B", "-c", FORK]).args((0..=changes.len()).map(place));
        let output = succeed(&mut command);
        let verdicts: Vec<Verdict> =
            output.stdout.iter().map(|mark| survives(*mark == b'.')).collect();
        for number in 0..=changes.len() {
            fs::remove_dir_all(place(number)).expect("removes");
        }
        assert_eq!(verdicts.len(), changes.len() + 1, "{}", text(&output));
        assert_eq!(verdicts[0], Verdict::Survived, "nothing was changed: {}", self.source);
        verdicts[1..].to_vec()
    }

    fn judge_typescript(&self, changes: &[&Change]) -> Vec<Verdict> {
        let run =
            || survives(passes(limited(&self.bench.tools[1]).arg(self.directory.join(&self.test))));
        assert_eq!(run(), Verdict::Survived, "nothing was changed");
        let judge = |change: &&Change| {
            fs::write(self.path(), change.apply(&self.source)).expect("writes");
            run()
        };
        let verdicts = changes.iter().map(judge).collect();
        fs::write(self.path(), &self.source).expect("writes");
        verdicts
    }

    /// What can be woven is compiled together, everything else alone.
    fn judge_compiled(&self, changes: &[&Change]) -> Vec<Verdict> {
        let is_go = self.bench.language == "go";
        let mut verdicts = vec![Verdict::Survived; changes.len()];
        let (woven, alone): (Vec<usize>, Vec<usize>) =
            (0..changes.len()).partition(|number| is_woven(&self.source, is_go, changes[*number]));
        for chunk in woven.chunks(WOVEN) {
            self.judge_woven(changes, chunk.to_vec(), &mut verdicts);
        }
        for number in alone {
            verdicts[number] = match self.compile(&changes[number].apply(&self.source)) {
                Ok(program) => survives(passes(&mut limited(&program))),
                Err(_) => Verdict::Invalid,
            };
        }
        verdicts
    }

    fn judge_woven(&self, changes: &[&Change], mut chosen: Vec<usize>, verdicts: &mut [Verdict]) {
        let program = loop {
            // A program without any change is 0.
            let numbered: Vec<(usize, &Change)> =
                chosen.iter().map(|number| (number + 1, changes[*number])).collect();
            let woven = weave(&self.source, self.bench.language == "go", &numbered);
            let complaint = match self.compile(&woven.source) {
                Ok(program) => break program,
                Err(complaint) => complaint,
            };
            let blamed = blamed(&woven, &complaint, &self.name);
            assert!(!blamed.is_empty(), "{}: {complaint}", self.directory.display());
            for id in &blamed {
                verdicts[id - 1] = Verdict::Invalid;
            }
            chosen.retain(|number| !blamed.contains(&(number + 1)));
        };
        let run = |id: usize| {
            passes(
                limited(&program).env("MANILA_MUTANT", id.to_string()).current_dir(&self.directory),
            )
        };
        assert!(run(0), "nothing was changed in {}", self.directory.display());
        for number in chosen {
            verdicts[number] = survives(run(number + 1));
        }
    }

    /// The tests of a source, or what the compiler says.
    fn compile(&self, source: &str) -> Result<PathBuf, String> {
        fs::write(self.path(), source).expect("writes");
        let program = self.directory.join("tests");
        let mut command = if self.bench.language == "go" {
            let mut command = go(&self.bench.tools[0], &self.directory);
            command.args(["test", "-c", "-vet=off", "-gcflags=-e", "-o"]).arg(&program).arg(".");
            command
        } else {
            let mut command = Command::new(&self.bench.tools[0]);
            command.args(["--edition", "2021", "--test", "--cap-lints", "allow"]);
            command.args(["--error-format", "short", "-o"]).arg(&program).arg(self.path());
            command
        };
        let output = command.output().expect("it starts");
        if output.status.success() { Ok(program) } else { Err(text(&output)) }
    }
}

fn survives(is_survivor: bool) -> Verdict {
    if is_survivor { Verdict::Survived } else { Verdict::Noticed }
}

/// Runs the tests of each directory in a process of its own and prints a point for each that passes.
const FORK: &str = r#"
import os, resource, sys
import pytest

for place in sys.argv[1:]:
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (20, 20))
        nowhere = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nowhere, descriptor)
        code = 1
        try:
            code = pytest.main(["-x", "-q", "-p", "no:cacheprovider", "--assert=plain", place])
        finally:
            os._exit(0 if code == 0 else 1)
    passed = os.waitpid(child, 0)[1] == 0
    print("." if passed else "x", end="", flush=True)
"#;
