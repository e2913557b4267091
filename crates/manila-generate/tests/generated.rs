//! Owns: generated code of every dialect, as the tools of its language judge it.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

mod support;

use manila::dialect;
use manila_generate::Side;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::{
    compile, every_dialect, language, manifest, python_with, succeed, tools, typescript,
    write_files,
};

/// The directories of every dialect and of a manifest, for both sides.
fn all(name: &str, root: &Path) -> Vec<PathBuf> {
    let language = language(name);
    let notes = manifest();
    let spoken = dialect("response-envelope/1.0").expect("a dialect");
    let mut places = Vec::new();
    for side in [Side::Producer, Side::Caller] {
        places.extend(every_dialect(language, side, root));
        let place = root.join(format!("{side:?}_notes").to_lowercase());
        write_files(language, side, spoken, Some(&notes), &place);
        places.push(place);
    }
    places
}

#[test]
fn python_is_formatted_typed_and_passes_its_tests() {
    let root = tempfile::tempdir().expect("a directory");
    let places = all("python", root.path());
    let Some(python) = python_with("pytest") else { return };
    for place in &places {
        let options = ["-m", "pytest", "-q", "-p", "no:cacheprovider"];
        succeed(Command::new(&python).args(options).arg(place));
    }
    if let Some([ruff]) = tools(["ruff"]) {
        succeed(
            Command::new(ruff).args(["format", "--check", "--diff", "--isolated"]).arg(root.path()),
        );
    }
    if let Some([mypy]) = tools(["mypy"]) {
        for place in &places {
            let mut command = Command::new(&mypy);
            command.args(["--strict", "--cache-dir"]).arg(root.path().join("cache"));
            let files = std::fs::read_dir(place).expect("a directory").flatten();
            let files = files.map(|entry| entry.path());
            succeed(command.args(files.filter(|it| it.extension().is_some_and(|it| it == "py"))));
        }
    }
}

#[test]
fn typescript_is_formatted_typed_and_passes_its_tests() {
    let root = tempfile::tempdir().expect("a directory");
    let places = all("typescript", root.path());
    let (Some([prettier]), Some((tsc, node))) = (tools(["prettier"]), typescript()) else { return };
    succeed(Command::new(prettier).args(["--check", "--no-config"]).args(&places));
    let build = root.path().join("build");
    let mut command = compile(&tsc);
    command.arg("--rootDir").arg(root.path()).arg("--outDir").arg(&build);
    for place in &places {
        let files = std::fs::read_dir(place).expect("a directory").flatten();
        command.args(files.map(|entry| entry.path()));
    }
    succeed(&mut command);
    succeed(Command::new(node).arg("--test").arg(&build));
}

#[test]
fn go_is_formatted_vetted_and_passes_its_tests() {
    let root = tempfile::tempdir().expect("a directory");
    all("go", root.path());
    let Some([gofmt, go]) = tools(["gofmt", "go"]) else { return };
    let different = succeed(Command::new(gofmt).arg("-d").arg(root.path()));
    assert!(different.stdout.is_empty(), "{}", String::from_utf8_lossy(&different.stdout));
    std::fs::write(root.path().join("go.mod"), "module try\n\ngo 1.18\n").expect("writes");
    succeed(support::go(&go, root.path()).args(["vet", "./..."]));
    succeed(support::go(&go, root.path()).args(["test", "./..."]));
}

#[test]
fn rust_is_formatted_linted_and_passes_its_tests() {
    let root = tempfile::tempdir().expect("a directory");
    let places = all("rust", root.path());
    let Some([cargo]) = tools(["cargo"]) else { return };
    for place in places {
        let run = |words: &[&str]| {
            let mut command = Command::new(&cargo);
            command.args(words).current_dir(&place);
            succeed(command.env("CARGO_TARGET_DIR", root.path().join("target")));
        };
        run(&["test", "--offline", "--quiet"]);
        if tools(["cargo-clippy"]).is_some() {
            run(&["clippy", "--offline", "--quiet", "--all-targets", "--", "-D", "warnings"]);
        }
        if tools(["cargo-fmt"]).is_some() {
            run(&["fmt", "--check"]);
        }
    }
}
