//! `manila generate`: source files from a dialect, a program's manifest or its lock.

use crate::contract::read_lock;
use crate::error::{CliError, SoFar};
use crate::help::examples;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use manila::Dialect;
use manila::dialects::WRITTEN;
use manila_clap::{Call, Effect, Reply, Screen};
use manila_generate::{File, LANGUAGES, Language, Manifest, Side, generate};
use manila_run::{Invocation, Policy};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::Value;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

pub(crate) const EXAMPLES: &[(&str, &str)] = &[
    (
        "manila generate --lang python --dialect response-envelope/1.0 --for producer -o envelope",
        "the envelope of a program that is written in Python, with its tests",
    ),
    (
        "manila generate --lang typescript --from ./mytool -o client",
        "the answers of a program, for a caller that is written in TypeScript",
    ),
    (
        "manila generate --lang go --lock manila.lock -o client",
        "the same from a lock, for a program without a manifest",
    ),
    (
        "manila generate --lang typescript --manifest mytool.json -o client --check",
        "fail if the files are not what would be generated",
    ),
];

pub(crate) const FAILS: &[&str] = &[
    "CANNOT_GENERATE",
    "NO_MANIFEST",
    "BAD_LOCK",
    "NOT_GENERATED",
    "GENERATED_FILES_DIFFER",
    "FILE_NOT_FOUND",
    "FILE_FORBIDDEN",
    "FILE_UNREADABLE",
    "FILE_UNWRITABLE",
];

#[derive(Debug, Args)]
#[command(after_help = examples(EXAMPLES))]
pub(crate) struct Arguments {
    /// The language of the files
    #[arg(long, value_name = "LANGUAGE", value_parser = language())]
    lang: &'static Language,

    /// The dialect; that of the manifest or the lock if there is one, else response-envelope/1.0
    #[arg(long, value_name = "ID", value_parser = dialect())]
    dialect: Option<&'static dyn Dialect>,

    /// Ask this program for its manifest
    #[arg(long, value_name = "PROGRAM", conflicts_with = "manifest")]
    from: Option<PathBuf>,

    /// Read the manifest from this file
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,

    /// Read what the program answers from this lock, which `manila freeze` wrote
    #[arg(long, value_name = "FILE", conflicts_with_all = ["from", "manifest"])]
    lock: Option<PathBuf>,

    /// Generate the program's side or its callers'; caller if there is a manifest or a lock, else producer
    #[arg(long = "for", value_name = "SIDE")]
    side: Option<For>,

    /// Write the files to this directory
    #[arg(short = 'o', long = "out", value_name = "DIR")]
    out: PathBuf,

    /// Write nothing; fail if a file is not what would be generated
    #[arg(long)]
    check: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum For {
    Producer,
    Caller,
}

fn language() -> impl TypedValueParser<Value = &'static Language> {
    let names = LANGUAGES.iter().map(|language| language.name);
    PossibleValuesParser::new(names).map(|name| Language::find(&name).unwrap_or(LANGUAGES[0]))
}

fn dialect() -> impl TypedValueParser<Value = &'static dyn Dialect> {
    let names = WRITTEN.iter().map(|dialect| dialect.id());
    PossibleValuesParser::new(names).map(|id| manila::dialect(&id).unwrap_or(WRITTEN[0]))
}

/// The files that were written or compared.
#[derive(Serialize, JsonSchema, Reply)]
#[schemars(rename = "Generated")]
#[reply(kind = "generated", show = show)]
pub(crate) struct Answer {
    directory: String,
    dialect: &'static str,
    files: Vec<One>,
}

/// One file.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "GeneratedFile")]
struct One {
    name: &'static str,
    state: State,
}

/// What is, or was, to be done about a file.
#[derive(Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum State {
    /// There was none.
    New,
    /// There was another.
    Changed,
    /// It is what is generated.
    Unchanged,
}

pub(crate) fn run(arguments: &Arguments, call: &Call) -> Result<Answer, CliError> {
    let manifest = manifest(arguments)?;
    let stated = manifest.as_ref().and_then(Manifest::dialect);
    if let (Some(asked), Some(stated)) = (arguments.dialect, stated)
        && asked.id() != stated.id()
    {
        return Err(CliError::CannotGenerate {
            message: format!("the program speaks {}, not {}", stated.id(), asked.id()),
            suggestion: "leave --dialect out".to_owned(),
        });
    }
    let dialect = arguments.dialect.or(stated).unwrap_or(WRITTEN[0]);
    let side = match (arguments.side, &manifest) {
        (Some(For::Producer), _) | (None, None) => Side::Producer,
        (Some(For::Caller), _) | (None, Some(_)) => Side::Caller,
    };
    let files = generate(arguments.lang, side, dialect, manifest.as_ref())?;
    keep_sides_apart(arguments.lang, side, &arguments.out)?;
    let states = compare(&arguments.out, &files)?;
    let one = |(file, state): (&File, &State)| One { name: file.name, state: *state };
    let answer = Answer {
        directory: arguments.out.display().to_string(),
        dialect: dialect.id(),
        files: files.iter().zip(&states).map(one).collect(),
    };
    let different = states.iter().filter(|state| **state != State::Unchanged).count();
    if different == 0 {
        call.effect(Effect::Noop);
        return Ok(answer);
    }
    if arguments.check {
        let message = format!("{different} of {} files differ from what is generated", files.len());
        return Err(CliError::GeneratedFilesDiffer { message, so_far: SoFar::of(answer) });
    }
    write(&arguments.out, &files, &states)?;
    call.effect(Effect::Updated);
    Ok(answer)
}

/// The manifest in a file or of a program, or what a lock says in its place.
fn manifest(arguments: &Arguments) -> Result<Option<Manifest>, CliError> {
    if let Some(path) = &arguments.manifest {
        let bytes = fs::read(path).map_err(|error| CliError::unreadable(path.clone(), error))?;
        return Ok(Some(Manifest::read(&bytes)?));
    }
    if let Some(path) = &arguments.lock {
        let stated = manila_contract::manifest(&read_lock(path)?);
        return Ok(Some(Manifest::new(&stated)?.from_lock()));
    }
    let Some(program) = &arguments.from else { return Ok(None) };
    // The first is how programs that are built with manila-clap are asked; in some `--json` is taken.
    let calls: [&[&str]; 2] = [&["--manifest", "--json"], &["--manifest", "--output", "json"]];
    let mut why = String::new();
    for words in calls {
        let asked = Invocation::new(program).args(words);
        match manila_run::run(&asked, &Policy::default()).data::<Value>() {
            Ok(data) if data.get("commands").is_some() => {
                let text = data.to_string();
                return Ok(Some(Manifest::read(text.as_bytes())?));
            }
            Ok(_) => why = "its answer has no commands".to_owned(),
            Err(error) => why = error.to_string(),
        }
    }
    Err(CliError::NoManifest { message: format!("{} has no manifest: {why}", program.display()) })
}

/// Refuses a directory that holds the other side, where the language has one package for a directory.
fn keep_sides_apart(language: &Language, side: Side, directory: &Path) -> Result<(), CliError> {
    let Some(rival) = language.rival(side).map(|name| directory.join(name)) else { return Ok(()) };
    if !fs::read_to_string(&rival).is_ok_and(|text| File::is_generated(&text)) {
        return Ok(());
    }
    let (own, other) = match side {
        Side::Producer => ("program's", "callers'"),
        Side::Caller => ("callers'", "program's"),
    };
    Err(CliError::CannotGenerate {
        message: format!(
            "{} is the {other} side, and a directory of {} is one package",
            rival.display(),
            language.title
        ),
        suggestion: format!("write the {own} side to another directory with -o"),
    })
}

/// What is to be done about each file. Files that were not generated are never touched.
fn compare(directory: &Path, files: &[File]) -> Result<Vec<State>, CliError> {
    let mut states = Vec::new();
    let mut foreign = Vec::new();
    for file in files {
        let path = directory.join(file.name);
        states.push(match fs::read(&path) {
            Ok(bytes) if bytes == file.text.as_bytes() => State::Unchanged,
            Ok(bytes) if File::is_generated(&String::from_utf8_lossy(&bytes)) => State::Changed,
            Ok(_) => {
                foreign.push(path.display().to_string());
                State::Changed
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => State::New,
            Err(error) if error.kind() == io::ErrorKind::IsADirectory => {
                foreign.push(path.display().to_string());
                State::Changed
            }
            Err(error) => return Err(CliError::unwritable(&path, error)),
        });
    }
    if foreign.is_empty() {
        return Ok(states);
    }
    let is_one = foreign.len() == 1;
    let verb = if is_one { "was" } else { "were" };
    let message = format!("{} {verb} not generated by manila", foreign.join(", "));
    Err(CliError::NotGenerated { message })
}

/// The beginning of the names of temporary directories.
const WORKSPACE: &str = ".manila-generate-";

/// How old the temporary directory of a call is that was killed. A call that runs needs milliseconds.
const ABANDONED: Duration = Duration::from_secs(60);

/// Writes all files, or none. Directories that were made for them do not stay without them.
fn write(directory: &Path, files: &[File], states: &[State]) -> Result<(), CliError> {
    let is_missing = |it: &&Path| !it.as_os_str().is_empty() && fs::symlink_metadata(it).is_err();
    let missing: Vec<&Path> = directory.ancestors().take_while(is_missing).collect();
    let written = write_or_fail(directory, files, states, !missing.is_empty());
    if written.is_err() {
        for made in missing {
            let _ = fs::remove_dir(made);
        }
    }
    written
}

/// Writes all files to a temporary directory first. A new directory appears with all of its files at once;
/// in one that is there each file is moved into its place.
fn write_or_fail(
    directory: &Path,
    files: &[File],
    states: &[State],
    is_new: bool,
) -> Result<(), CliError> {
    let failed = |path: &Path| {
        let path = path.to_owned();
        move |error| CliError::unwritable(&path, error)
    };
    let parent = directory.parent().filter(|parent| !parent.as_os_str().is_empty());
    let home = if is_new { parent.unwrap_or(Path::new(".")) } else { directory };
    fs::create_dir_all(home).map_err(failed(home))?;
    remove_abandoned(home);
    let workspace = workspace(home).map_err(failed(directory))?;
    let changed = || files.iter().zip(states).filter(|(_, state)| **state != State::Unchanged);
    for (file, _) in changed() {
        let written = fs::write(workspace.path().join(file.name), &file.text);
        written.map_err(failed(&directory.join(file.name)))?;
    }
    if is_new {
        fs::rename(workspace.path(), directory).map_err(failed(directory))?;
        // It has another name now, and nothing of it is temporary.
        let _ = workspace.keep();
        return Ok(());
    }
    for (file, _) in changed() {
        let path = directory.join(file.name);
        fs::rename(workspace.path().join(file.name), &path).map_err(failed(&path))?;
    }
    Ok(())
}

/// A temporary directory with the permissions of any other, because it may be kept.
fn workspace(home: &Path) -> io::Result<tempfile::TempDir> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        builder.permissions(fs::Permissions::from_mode(0o777));
    }
    builder.prefix(WORKSPACE).tempdir_in(home)
}

/// Removes what calls left behind that were killed. What cannot be removed is no reason to fail.
fn remove_abandoned(home: &Path) {
    for entry in fs::read_dir(home).into_iter().flatten().flatten() {
        let is_old = || {
            let modified = entry.metadata().and_then(|metadata| metadata.modified()).ok()?;
            Some(modified.elapsed().ok()? > ABANDONED)
        };
        if entry.file_name().to_string_lossy().starts_with(WORKSPACE) && is_old() == Some(true) {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

fn show(answer: &Answer, screen: &mut Screen) {
    for file in &answer.files {
        let path = Path::new(&answer.directory).join(file.name);
        let state = match file.state {
            State::New => "new",
            State::Changed => "changed",
            State::Unchanged => "unchanged",
        };
        screen.line(format!("{state:<9}  {}", path.display()));
    }
}
