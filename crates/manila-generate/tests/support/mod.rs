//! Owns: generated files in a temporary directory, and the toolchains that they are tried with.
#![allow(dead_code, reason = "each test uses its own part")]
#![allow(clippy::expect_used, reason = "a test may stop at the first surprise")]

use manila::dialects::WRITTEN;
use manila_generate::{Language, Manifest, Side, generate};
use showcase_test_support::skipped;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// The program that a test needs: below `target/toolchains`, where `.ci/toolchains` puts it, or in PATH.
pub(crate) fn tool(name: &str) -> Option<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let named = std::env::var_os("MANILA_TOOLCHAINS").map(PathBuf::from);
    let place = named.unwrap_or_else(|| root.join("target/toolchains"));
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places = vec![place.join("python/bin"), place.join("node/node_modules/.bin")];
    places.extend(std::env::split_paths(&path));
    let found = places.into_iter().map(|it| it.join(name)).find(|it| it.is_file())?;
    Some(std::path::absolute(found).expect("a path"))
}

/// All of these programs, or the reason why the test is skipped.
pub(crate) fn tools<const N: usize>(names: [&str; N]) -> Option<[PathBuf; N]> {
    let mut found = Vec::new();
    for name in names {
        if let Some(path) = tool(name) {
            found.push(path);
        } else {
            skipped(&format!("there is no {name}; .ci/toolchains installs it"));
            return None;
        }
    }
    found.try_into().ok()
}

/// The compiler of TypeScript, with the types of Node beside it, and Node.
pub(crate) fn typescript() -> Option<(PathBuf, PathBuf)> {
    let [tsc, node] = tools(["tsc", "node"])?;
    if !node_types(&tsc).join("node").is_dir() {
        skipped("there are no @types/node; .ci/toolchains installs them");
        return None;
    }
    Some((tsc, node))
}

fn node_types(tsc: &Path) -> PathBuf {
    let modules = tsc.parent().and_then(Path::parent).expect("node_modules");
    modules.join("@types")
}

/// The strictest compiler of TypeScript.
pub(crate) fn compile(tsc: &Path) -> Command {
    let mut command = Command::new(tsc);
    command.args(["--strict", "--noUncheckedIndexedAccess", "--exactOptionalPropertyTypes"]);
    command.args(["--target", "es2022", "--module", "nodenext", "--types", "node", "--typeRoots"]);
    command.arg(node_types(tsc));
    command
}

/// A call of Go that needs no network. What it compiles is kept for the next one.
pub(crate) fn go(go: &Path, place: &Path) -> Command {
    let mut command = Command::new(go);
    command.current_dir(place).env("GOFLAGS", "-mod=mod").env("GOTOOLCHAIN", "local");
    command.env("GOCACHE", Path::new(env!("CARGO_TARGET_TMPDIR")).join("go"));
    command
}

/// The Python that has a module.
pub(crate) fn python_with(module: &str) -> Option<PathBuf> {
    let [python] = tools(["python3"])?;
    let has = Command::new(&python).args(["-c", &format!("import {module}")]).output();
    if !has.is_ok_and(|it| it.status.success()) {
        skipped(&format!("python3 has no {module}; .ci/toolchains installs it"));
        return None;
    }
    Some(python)
}

pub(crate) fn language(name: &str) -> &'static Language {
    Language::find(name).expect("a language")
}

/// Writes the files of every dialect, each into a directory of its own.
pub(crate) fn every_dialect(language: &Language, side: Side, root: &Path) -> Vec<PathBuf> {
    let write = |dialect: &&'static dyn manila::Dialect| {
        let name = dialect.id().replace(['/', '.', '-'], "_");
        let place = root.join(format!("{side:?}_{name}").to_lowercase());
        write_files(language, side, *dialect, None, &place);
        place
    };
    WRITTEN.iter().map(write).collect()
}

pub(crate) fn write_files(
    language: &Language,
    side: Side,
    dialect: &'static dyn manila::Dialect,
    manifest: Option<&Manifest>,
    place: &Path,
) {
    fs::create_dir_all(place).expect("a directory");
    for file in generate(language, side, dialect, manifest).expect("files") {
        fs::write(place.join(file.name), file.text).expect("writes");
    }
}

/// The manifest that the tests share: unions, recursion, odd names, and a shared definition.
pub(crate) fn manifest() -> Manifest {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/manifest.json");
    Manifest::read(&fs::read(path).expect("a file")).expect("a manifest")
}

/// Runs a command, which must succeed.
pub(crate) fn succeed(command: &mut Command) -> Output {
    let output = command.output().expect("it starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{command:?}\n{}\n{}",
        text(&output.stdout),
        text(&output.stderr)
    );
    output
}
