//! Owns: generated code of every dialect, as the tools of its language judge it.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

mod support;

use manila::dialect;
use manila_generate::{Manifest, Side, generate};
use serde_json::{Map, Value};
use std::collections::BTreeSet;
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
    let hostile = hostile(name);
    let spoken = dialect("response-envelope/1.0").expect("a dialect");
    let mut places = Vec::new();
    for side in [Side::Producer, Side::Caller] {
        places.extend(every_dialect(language, side, root));
        for (of, manifest) in [("notes", &notes), ("hostile", &hostile)] {
            let place = root.join(format!("{side:?}_{of}").to_lowercase());
            write_files(language, side, spoken, Some(manifest), &place);
            places.push(place);
        }
    }
    places
}

/// A manifest whose names are keywords, alike after casing, of many scripts or no words at all, and whose schemas
/// contain themselves, without the members that a language has no name for.
fn hostile(language: &str) -> Manifest {
    let (mut manifest, refused) = (read_hostile(), refused(language));
    members(&mut manifest).retain(|key, _| !refused.contains(key));
    Manifest::read(manifest.to_string().as_bytes()).expect("a manifest")
}

fn read_hostile() -> Value {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/hostile.json");
    serde_json::from_slice(&std::fs::read(path).expect("a file")).expect("JSON")
}

/// The members of many scripts.
fn members(manifest: &mut Value) -> &mut Map<String, Value> {
    let members = manifest.pointer_mut("/commands/日本/output_schema/properties");
    members.and_then(Value::as_object_mut).expect("members")
}

/// The members that no code is generated from. The message names each.
fn refused(language: &str) -> Vec<String> {
    let spoken = dialect("response-envelope/1.0").expect("a dialect");
    let mut manifest = read_hostile();
    let mut refused = Vec::new();
    loop {
        let read = Manifest::read(manifest.to_string().as_bytes()).expect("a manifest");
        let made = generate(support::language(language), Side::Caller, spoken, Some(&read));
        let Err(error) = made else { return refused };
        let message = error.to_string();
        assert!(message.contains("has no tag for the member"), "{message}");
        let named = |key: &&String| message.contains(&format!("member {key:?} of"));
        let named = members(&mut manifest).keys().find(named).cloned().expect("a member");
        members(&mut manifest).remove(&named);
        refused.push(named);
    }
}

/// Prints a line for each name that encoding/json does not write as it is.
const TAGS: &str = r#"package main

import (
	"encoding/json"
	"fmt"
	"os"
	"reflect"
)

func main() {
	var names []string
	if err := json.NewDecoder(os.Stdin).Decode(&names); err != nil {
		panic(err)
	}
	for _, name := range names {
		tag := reflect.StructTag(fmt.Sprintf("json:%q", name))
		field := reflect.StructField{Name: "Field", Type: reflect.TypeOf(0), Tag: tag}
		value := reflect.New(reflect.StructOf([]reflect.StructField{field}))
		text, _ := json.Marshal(value.Interface())
		var found map[string]int
		if err := json.Unmarshal(text, &found); err != nil {
			panic(err)
		}
		if _, ok := found[name]; !ok {
			line, _ := json.Marshal(name)
			fmt.Println(string(line))
		}
	}
}
"#;

#[test]
fn go_refuses_the_members_that_have_no_tag() {
    for language in ["python", "typescript", "rust"] {
        assert_eq!(refused(language), [""; 0], "{language}");
    }
    let root = tempfile::tempdir().expect("a directory");
    let Some([go]) = tools(["go"]) else { return };
    let names: Vec<String> = members(&mut read_hostile()).keys().cloned().collect();
    let (source, input) = (root.path().join("tags.go"), root.path().join("names.json"));
    std::fs::write(&source, TAGS).expect("writes");
    std::fs::write(&input, Value::from(names).to_string()).expect("writes");
    let input = std::fs::File::open(input).expect("a file");
    let mut command = support::go(&go, root.path());
    let output = succeed(command.arg("run").arg(source).stdin(input));
    let untagged = String::from_utf8(output.stdout).expect("text");
    let untagged = untagged.lines().map(|line| serde_json::from_str(line).expect("a text"));
    let untagged: BTreeSet<String> = untagged.collect();
    assert_eq!(BTreeSet::from_iter(refused("go")), untagged);
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
    // One workspace, so that cargo builds several at a time; in it each crate needs a name of its own.
    for (number, place) in places.iter().enumerate() {
        let path = place.join("Cargo.toml");
        let manifest = std::fs::read_to_string(&path).expect("a manifest");
        let (head, tail) = manifest.split_once("name = \"").expect("a name");
        std::fs::write(&path, format!("{head}name = \"it{number}-{tail}")).expect("writes");
    }
    let members = format!("[workspace]\nresolver = \"2\"\nmembers = {places:?}\n");
    std::fs::write(root.path().join("Cargo.toml"), members).expect("writes");
    let run = |words: &[&str]| {
        let mut command = Command::new(&cargo);
        command.args(words).current_dir(root.path());
        succeed(command.env("CARGO_TARGET_DIR", root.path().join("target")));
    };
    run(&["test", "--offline", "--quiet", "--workspace"]);
    if tools(["cargo-clippy"]).is_some() {
        let all = ["clippy", "--offline", "--quiet", "--workspace", "--all-targets"];
        run(&[&all[..], &["--", "-D", "warnings"]].concat());
    }
    if tools(["cargo-fmt"]).is_some() {
        run(&["fmt", "--all", "--check"]);
    }
}
