//! Runs every task with both servers, and counts.

use crate::per_command::PerCommand;
use crate::session::{Count, Session};
use crate::tasks::{PROGRAMS, Solved, Task};
use manila_check::{Declaration, Options, Subject, survey};
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs;
use std::io;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

/// What a server did with the tasks of a program.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Score {
    pub(crate) count: Count,
    pub(crate) tasks: usize,
    pub(crate) solved: usize,
    /// Failures that do not reach the client as failures.
    pub(crate) masked: usize,
    /// Destructive calls made without confirmation.
    pub(crate) unasked: usize,
}

impl Score {
    fn add(&mut self, other: Score) {
        self.count.definitions += other.count.definitions;
        self.count.calls += other.count.calls;
        self.count.bytes += other.count.bytes;
        self.tasks += other.tasks;
        self.solved += other.solved;
        self.masked += other.masked;
        self.unasked += other.unasked;
    }

    /// Judges the answer to a task; there is none if the server has no way to say the call.
    fn judge(&mut self, task: &Task, directory: &Path, answer: Option<&Value>) {
        self.tasks += 1;
        let text = answer.map(ToString::to_string).unwrap_or_default();
        let is_marked = answer.is_some_and(|answer| answer["isError"] == true);
        let has_failed = is_marked || text.contains("Exit code: ");
        let is_solved = match task.solved {
            Solved::Says(words) => answer.is_some() && !has_failed && text.contains(words),
            Solved::Fails(words) => text.contains(words),
            Solved::Keeps(file, words) => kept(directory, file, words),
        };
        self.solved += usize::from(is_solved);
        match task.solved {
            Solved::Fails(_) => self.masked += usize::from(answer.is_some() && !is_marked),
            Solved::Keeps(..) => self.unasked += usize::from(!is_solved),
            Solved::Says(_) => {}
        }
    }
}

/// Whether a file still contains these words.
fn kept(directory: &Path, file: &str, words: &str) -> bool {
    fs::read_to_string(directory.join(file)).is_ok_and(|text| text.contains(words))
}

/// The programs by name, with the scores of both servers: three tools, and a tool for each subcommand.
pub(crate) fn scores(bin: &Path) -> io::Result<Vec<(&'static str, Score, Score)>> {
    let mut scores = Vec::new();
    for (name, tasks) in PROGRAMS {
        let program =
            if *name == "git" { (*name).to_owned() } else { bin.join(name).display().to_string() };
        let ours = of_manila(bin, &program, tasks)?;
        let theirs = of_tools(&program, tasks)?;
        scores.push((*name, ours, theirs));
    }
    Ok(scores)
}

fn of_manila(bin: &Path, program: &str, tasks: &[Task]) -> io::Result<Score> {
    let place = tempfile::tempdir()?;
    let variables = prepare(place.path())?;
    let mut session = Session::start(bin, place.path(), program, &variables)?;
    let name = Path::new(program).file_name().unwrap_or_default().to_string_lossy().into_owned();
    let mut score = Score::default();
    for task in tasks {
        session.call("find", &json!({"query": task.query}))?;
        let argv: Vec<&str> =
            std::iter::once(name.as_str()).chain(task.args.iter().copied()).collect();
        let answer = session.call(task.tool, &json!({"argv": argv}))?;
        score.judge(task, place.path(), Some(&answer));
    }
    score.count = session.count;
    Ok(score)
}

fn of_tools(program: &str, tasks: &[Task]) -> io::Result<Score> {
    let place = tempfile::tempdir()?;
    let variables = prepare(place.path())?;
    let declaration = Declaration::default();
    let subject = Subject::resolve(&[program.to_owned()], &declaration, place.path());
    // A busy machine is no reason to compare with fewer commands.
    let options = Options { deadline: Duration::from_secs(600), ..Options::default() };
    let survey = subject.and_then(|subject| survey(&subject, &declaration, &options));
    let survey = survey.map_err(|error| io::Error::other(error.to_string()))?;
    let mut server = PerCommand::new(&survey.surface, program, &variables);
    let mut score = Score::default();
    for task in tasks {
        let answer = server.call(place.path(), task.args)?;
        score.judge(task, place.path(), answer.as_ref());
    }
    score.count = server.count;
    Ok(score)
}

/// What an operator declares where neither a pack nor a manifest says it.
const DECLARED: &str = "[program.showcase-i18nprune]\nreads = ['doctor', 'explain']\n";

/// A directory with a repository, and the variables with which every program keeps its files there.
fn prepare(directory: &Path) -> io::Result<Vec<(String, String)>> {
    let variables: Vec<(String, String)> = [
        ("HOME", "."),
        ("TD_FILE", "td.json"),
        ("PROJECT_ROOT", "."),
        ("XDG_DATA_HOME", "data"),
        ("XDG_CONFIG_HOME", "config"),
    ]
    .map(|(name, file)| (name.to_owned(), directory.join(file).display().to_string()))
    .into_iter()
    .chain(
        [
            ("GIT_AUTHOR_NAME", "A"),
            ("GIT_AUTHOR_EMAIL", "a@example.org"),
            ("GIT_COMMITTER_NAME", "A"),
            ("GIT_COMMITTER_EMAIL", "a@example.org"),
        ]
        .map(|(name, value)| (name.to_owned(), value.to_owned())),
    )
    .collect();
    let git = |line: &str| {
        let mut command = Command::new("git");
        let status = command
            .args(line.split(' '))
            .current_dir(directory)
            .envs(variables.iter().cloned())
            .status()?;
        if status.success() { Ok(()) } else { Err(io::Error::other(format!("git {line} failed"))) }
    };
    git("init --quiet --initial-branch=main")?;
    fs::write(directory.join("a.txt"), "one\n")?;
    fs::write(directory.join("b.txt"), "a needle in a haystack\n".repeat(2000))?;
    git("add a.txt b.txt")?;
    git("commit --quiet -m first")?;
    fs::write(directory.join("a.txt"), "two\n")?;
    git("commit --quiet -am second")?;
    fs::write(directory.join("a.txt"), "changed\n")?;
    fs::write(directory.join("new.txt"), "new\n")?;
    fs::write(directory.join("manila.toml"), DECLARED)?;
    fs::write(directory.join("precious.txt"), "precious\n")?;
    Ok(variables)
}

/// The comparison as a table of Markdown.
pub(crate) fn table(bin: &Path) -> io::Result<String> {
    let scores = scores(bin)?;
    let mut text = String::from(
        "| program | server | tasks | solved | calls | definitions | calls and answers | failures masked | destroyed unasked |\n\
         |---|---|---|---|---|---|---|---|---|\n",
    );
    let (mut ours, mut theirs) = (Score::default(), Score::default());
    for (name, three, many) in &scores {
        row(&mut text, name, "manila mcp", three);
        row(&mut text, name, "a tool for each", many);
        ours.add(*three);
        theirs.add(*many);
    }
    row(&mut text, "all", "manila mcp", &ours);
    row(&mut text, "all", "a tool for each", &theirs);
    Ok(text.trim_end().to_owned())
}

fn row(text: &mut String, program: &str, server: &str, score: &Score) {
    #[expect(clippy::cast_precision_loss, reason = "a size in kilobytes")]
    let kilobytes = |bytes: usize| format!("{:.1} kB", bytes as f64 / 1000.0);
    // Writing to a text does not fail.
    let _ = writeln!(
        text,
        "| {program} | {server} | {} | {} | {} | {} | {} | {} | {} |",
        score.tasks,
        score.solved,
        score.count.calls,
        kilobytes(score.count.definitions),
        kilobytes(score.count.bytes),
        score.masked,
        score.unasked
    );
}
