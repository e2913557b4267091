//! Owns: `manila generate` as it is called, and the recipes with programs that are checked.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]
#![cfg(unix)]

mod support;

use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use support::{manila, root, skipped};

fn directory() -> tempfile::TempDir {
    tempfile::tempdir().expect("a directory")
}

/// `manila generate` into a directory.
fn generate(words: &str, out: &Path) -> Output {
    let mut call = manila(["generate"]);
    call.0.args(words.split_whitespace()).arg("-o").arg(out);
    call.0.output().expect("it starts")
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let mut names: Vec<String> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

#[test]
fn a_lock_gives_callers_the_types_of_a_program_without_a_manifest() {
    let place = directory();
    let lock = place.path().join("manila.lock");
    let text = "manila.lock 1\n/ls : command\n/ls error not_found class : NOT_FOUND\n\
                /ls error not_found status : 1\n/ls ok\n/ls ok . : object\n/ls ok .data : array always\n\
                /ls ok .data[] : object\n/ls ok .data[].id : string always\n\
                /ls ok .data[].priority : integer sometimes\n/ls ok dialect : td/1\n/ls ok status : 0\nend\n";
    fs::write(&lock, text).expect("writes");
    let out = place.path().join("client");
    for (language, id, priority) in [
        ("typescript", "readonly id: string;", "readonly priority?: number;"),
        ("python", "id: str", "priority: NotRequired[int]"),
        ("go", "`json:\"id\"`", "`json:\"priority,omitempty\"`"),
        ("rust", "pub id: String,", "pub priority: Option<i64>,"),
    ] {
        let out = out.join(language);
        let made = generate(&format!("--lang {language} --lock {}", lock.display()), &out);
        assert!(made.status.success(), "{made:?}");
        let files = names(&out).into_iter().map(|name| fs::read_to_string(out.join(name)));
        let files: String = files.collect::<Result<_, _>>().expect("text");
        for part in [id, priority, "not_found"] {
            assert!(files.contains(part), "{language}: {part}\n{files}");
        }
    }
    fs::write(&lock, text.replace("/ls ok status", "/ls ok stats")).expect("writes");
    let refused = generate(&format!("--lang go --lock {}", lock.display()), &out.join("bad"));
    assert_eq!(refused.status.code(), Some(4), "{refused:?}");
    assert!(String::from_utf8_lossy(&refused.stderr).contains("line 12"), "{refused:?}");
}

#[test]
fn files_are_written_compared_and_kept() {
    let place = directory();
    let out = place.path().join("new/envelope");
    let made = generate("--lang python --plain", &out);
    assert!(made.status.success(), "{made:?}");
    assert_eq!(names(&out), ["envelope.py", "test_envelope.py"]);
    assert!(generate("--lang python --check", &out).status.success());
    let path = out.join("envelope.py");
    let text = fs::read_to_string(&path).expect("a file");
    fs::write(&path, format!("{text}# mine\n")).expect("writes");
    assert_eq!(generate("--lang python --check", &out).status.code(), Some(100));
    assert!(fs::read_to_string(&path).expect("a file").ends_with("# mine\n"));
    assert!(generate("--lang python", &out).status.success());
    assert_eq!(fs::read_to_string(&path).expect("a file"), text);
}

/// `manila generate` behind what a shell does first.
fn generate_after(script: &str, words: &str, out: &Path) -> Output {
    let mut call = manila(["generate"]);
    call.0.args(words.split_whitespace()).arg("-o").arg(out);
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("{script} && exec \"$@\""), "sh"]).arg(call.0.get_program());
    shell.args(call.0.get_args()).output().expect("it starts")
}

/// `manila generate` that the system ends at the first write beyond a block of a file.
fn generate_and_die(words: &str, out: &Path) -> Output {
    generate_after("ulimit -f 1", words, out)
}

#[test]
fn a_disk_without_space_keeps_what_was_there() {
    // The signal that would end the program is ignored, so that the write fails as on a full disk.
    let full = "trap '' 25 && ulimit -f 1";
    let place = directory();
    let failed = generate_after(full, "--lang go --json", &place.path().join("new/envelope"));
    assert_eq!(failed.status.code(), Some(4), "{failed:?}");
    let text = String::from_utf8_lossy(&failed.stdout).into_owned();
    for part in ["FILE_UNWRITABLE", "new/envelope/envelope.go: File too large", "free some space"] {
        assert!(text.contains(part), "{text}");
    }
    assert!(names(place.path()).is_empty(), "the directories of the files are gone too");
    assert!(generate("--lang go --dialect td/1", place.path()).status.success());
    let before = fs::read(place.path().join("envelope.go")).expect("a file");
    assert_eq!(generate_after(full, "--lang go", place.path()).status.code(), Some(4));
    assert_eq!(names(place.path()), ["envelope.go", "envelope_test.go"]);
    assert_eq!(fs::read(place.path().join("envelope.go")).expect("a file"), before);
}

#[test]
fn a_directory_that_may_not_be_written_or_is_gone_is_named() {
    use std::os::unix::process::CommandExt;

    let place = directory();
    let out = place.path().join("closed");
    fs::create_dir(&out).expect("a directory");
    for (directory, mode) in [(place.path(), 0o755), (&out, 0o555)] {
        fs::set_permissions(directory, fs::Permissions::from_mode(mode)).expect("permissions");
    }
    for (out, code, part) in [
        (out.clone(), 7, "closed"),
        (out.join("new/envelope"), 7, "closed/new"),
        (PathBuf::from("/dev/null/envelope"), 4, "/dev/null"),
    ] {
        let mut call = manila(["generate", "--lang", "go", "--json", "-o"]);
        call.0.arg(&out);
        // The superuser may write everywhere.
        if fs::metadata(place.path()).expect("a directory").uid() == 0 {
            call.0.uid(65534);
        }
        let failed = call.0.output().expect("it starts");
        let text = String::from_utf8_lossy(&failed.stdout).into_owned();
        assert_eq!(failed.status.code(), Some(code), "{text}");
        assert!(text.contains(part), "{text}");
    }
    assert!(names(&out).is_empty());
    let gone = format!("cd {0} && mkdir gone && cd gone && rmdir ../gone", place.path().display());
    for out in [".", "new", "new/envelope"] {
        let failed = generate_after(&gone, "--lang go --json", Path::new(out));
        let text = String::from_utf8_lossy(&failed.stdout).into_owned();
        assert_eq!(failed.status.code(), Some(5), "{text}");
        assert!(text.contains("FILE_NOT_FOUND"), "{text}");
    }
}

/// Makes what a killed call left behind older than any call that still runs.
fn age(directory: &Path) {
    for name in names(directory).iter().filter(|name| name.starts_with(".manila-generate-")) {
        let left = fs::File::open(directory.join(name)).expect("a directory");
        left.set_modified(std::time::SystemTime::UNIX_EPOCH).expect("a time");
    }
}

#[test]
fn a_call_that_is_killed_leaves_nothing_half_written() {
    use std::os::unix::process::ExitStatusExt;

    let place = directory();
    let out = place.path().join("envelope");
    let killed = generate_and_die("--lang python", &out);
    assert_eq!(killed.status.signal(), Some(libc::SIGXFSZ), "{killed:?}");
    assert!(!out.exists(), "a new directory has all of its files or is not there");
    assert_eq!(names(place.path()).len(), 1, "what the killed call wrote to");
    age(place.path());
    assert!(generate("--lang python --dialect td/1", &out).status.success());
    let before = names(&out).into_iter().map(|name| fs::read(out.join(name)).expect("a file"));
    let before: Vec<Vec<u8>> = before.collect();
    let killed = generate_and_die("--lang python", &out);
    assert_eq!(killed.status.signal(), Some(libc::SIGXFSZ), "{killed:?}");
    for (name, bytes) in ["envelope.py", "test_envelope.py"].iter().zip(&before) {
        assert_eq!(&fs::read(out.join(name)).expect("a file"), bytes, "{name} is as it was");
    }
    age(&out);
    // The next call succeeds and leaves nothing of the one that was killed.
    assert!(generate("--lang python", &out).status.success());
    assert_eq!(names(&out), ["envelope.py", "test_envelope.py"]);
    assert_eq!(names(place.path()), ["envelope"]);
}

#[test]
fn what_was_not_generated_is_never_touched() {
    let place = directory();
    let own = place.path().join("test_envelope.py");
    fs::write(&own, "print('mine')\n").expect("writes");
    let refused = generate("--lang python --json", place.path());
    assert_eq!(refused.status.code(), Some(6));
    assert!(String::from_utf8_lossy(&refused.stdout).contains("NOT_GENERATED"));
    assert_eq!(names(place.path()), ["test_envelope.py"], "nothing half-written");
    assert_eq!(fs::read_to_string(&own).expect("a file"), "print('mine')\n");
}

#[test]
fn bad_input_writes_nothing() {
    let place = directory();
    let out = place.path().join("out");
    let manifest = place.path().join("manifest.json");
    let odd = r#"{"commands":{"a":{"exit_codes":{"5":{"name":"SUCCESS"}}}}}"#;
    fs::write(&manifest, odd).expect("writes");
    for (words, code) in [
        ("--lang cobol", 3),
        ("--lang python --dialect unknown/9", 3),
        ("--lang python --manifest no-such-file", 5),
        ("--lang python --from no-such-program", 5),
        (&*format!("--lang python --manifest {}", manifest.display()), 4),
        (
            &*format!(
                "--lang python --manifest {} --dialect td/1",
                root().join("crates/manila-generate/tests/manifest.json").display()
            ),
            4,
        ),
    ] {
        let refused = generate(words, &out);
        assert_eq!(refused.status.code(), Some(code), "{words}: {refused:?}");
        assert!(!out.exists(), "{words}");
    }
}

#[test]
fn both_sides_share_a_directory_or_the_second_is_refused() {
    let place = directory();
    for (language, together) in
        [("python", true), ("typescript", true), ("go", false), ("rust", false)]
    {
        for (first, second) in [("producer", "caller"), ("caller", "producer")] {
            let out = place.path().join(format!("{language}-{first}"));
            assert!(generate(&format!("--lang {language} --for {first}"), &out).status.success());
            let before = names(&out);
            let made = generate(&format!("--lang {language} --for {second}"), &out);
            assert_eq!(made.status.success(), together, "{language}: {made:?}");
            if !together {
                assert_eq!(names(&out), before, "nothing half-written");
                let text = String::from_utf8_lossy(&made.stderr).into_owned();
                assert!(text.contains("another directory with -o"), "{text}");
                assert!(
                    generate(&format!("--lang {language} --for {first} --check"), &out)
                        .status
                        .success()
                );
            }
        }
    }
}

#[test]
fn a_manifest_makes_callers() {
    let place = directory();
    let manifest = root().join("crates/manila-generate/tests/manifest.json");
    let words = format!("--lang typescript --manifest {}", manifest.display());
    assert!(generate(&words, place.path()).status.success());
    assert_eq!(names(place.path()), ["client.test.ts", "client.ts"]);
    let text = fs::read_to_string(place.path().join("client.ts")).expect("a file");
    let header = "from response-envelope/1.0 and the manifest of notes 2.1.0.";
    assert!(text.lines().next().is_some_and(|line| line.ends_with(header)));
}

/// A program of `target/toolchains`, which `.ci/toolchains` fills, or of PATH.
fn tool(name: &str) -> Option<PathBuf> {
    let place = root().join("target/toolchains");
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut places = vec![place.join("python/bin"), place.join("node/node_modules/.bin")];
    places.extend(std::env::split_paths(&path));
    let found = places.into_iter().map(|it| it.join(name)).find(|it| it.is_file());
    if found.is_none() {
        skipped(&format!("there is no {name}; .ci/toolchains installs it"));
    }
    Some(std::path::absolute(found?).expect("a path"))
}

/// Tries the sample program of a recipe: what it answers, and what `manila check` finds.
fn try_program(program: &Path) {
    for (words, code, part) in [
        (&["list"][..], 0, "\"buy milk\""),
        (&["show", "1"], 0, "\"buy milk\""),
        (&["show", "9"], 5, "\"NOT_FOUND\""),
        (&["show"], 3, "\"ARG_ERROR\""),
        (&["nothing"], 3, "\"ARG_ERROR\""),
    ] {
        let output = Command::new(program).args(words).env("MANILA_CHECK", "1").output();
        let output = output.expect("it starts");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(output.status.code(), Some(code), "{words:?} {output:?}");
        assert!(text.contains(part), "{words:?} {output:?}");
    }
    let mut check = manila(["check", "--plain", "--"]);
    let found = check.0.arg(program).output().expect("it starts");
    let findings = String::from_utf8_lossy(&found.stdout).into_owned();
    assert!(found.status.success() && findings.is_empty(), "{findings}");
}

fn recipe(name: &str) -> PathBuf {
    root().join("crates/manila-generate/recipes").join(name)
}

fn try_python(library: &str) {
    let Some(python) = tool("python3") else { return };
    let has = Command::new(&python).args(["-c", &format!("import {library}")]).output();
    if !has.is_ok_and(|it| it.status.success()) {
        skipped(&format!("python3 has no {library}; .ci/toolchains installs it"));
        return;
    }
    let place = directory();
    assert!(generate("--lang python", place.path()).status.success());
    let source = fs::read_to_string(recipe(library).join("notes.py")).expect("a recipe");
    let source = source.replacen("/usr/bin/env python3", &python.display().to_string(), 1);
    let program = place.path().join("notes.py");
    fs::write(&program, source).expect("writes");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("permissions");
    try_program(&program);
}

#[test]
fn the_recipe_of_click_works() {
    try_python("click");
}

#[test]
fn the_recipe_of_typer_works() {
    try_python("typer");
}

fn try_typescript(library: &str, name: &str) {
    let (Some(tsc), Some(node)) = (tool("tsc"), tool("node")) else { return };
    let modules = tsc.parent().and_then(Path::parent).expect("node_modules").to_owned();
    if !modules.join(library).is_dir() {
        skipped(&format!("there is no {library}; .ci/toolchains installs it"));
        return;
    }
    let place = directory();
    assert!(generate("--lang typescript", place.path()).status.success());
    for entry in fs::read_dir(recipe(name)).expect("a recipe").flatten() {
        fs::copy(entry.path(), place.path().join(entry.file_name())).expect("copies");
    }
    std::os::unix::fs::symlink(&modules, place.path().join("node_modules")).expect("a link");
    let mut build = Command::new(tsc);
    build.args(["--strict", "--target", "es2022", "--module", "nodenext", "--types", "node"]);
    let built = build.args(["notes.ts", "envelope.ts"]).current_dir(place.path()).output();
    let built = built.expect("it starts");
    assert!(built.status.success(), "{built:?}");
    let program = place.path().join("notes");
    let script = place.path().join("notes.js");
    let text = format!("#!/bin/sh\nexec {} {} \"$@\"\n", node.display(), script.display());
    fs::write(&program, text).expect("writes");
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).expect("permissions");
    try_program(&program);
}

#[test]
fn the_recipe_of_commander_works() {
    try_typescript("commander", "commander");
}

#[test]
fn the_recipe_of_oclif_works() {
    try_typescript("@oclif/core", "oclif");
}

#[test]
fn the_sample_in_rust_works() {
    let Some(rustc) = tool("rustc") else { return };
    let place = directory();
    assert!(generate("--lang rust", &place.path().join("envelope")).status.success());
    fs::copy(recipe("rust").join("notes.rs"), place.path().join("notes.rs")).expect("copies");
    let mut build = Command::new(rustc);
    let built = build.args(["--edition", "2021", "-D", "warnings", "notes.rs"]);
    let built = built.current_dir(place.path()).output().expect("it starts");
    assert!(built.status.success(), "{built:?}");
    try_program(&place.path().join("notes"));
}

#[test]
fn the_recipe_of_cobra_works() {
    let Some(go) = tool("go") else { return };
    let library = Path::new("/usr/share/gocode");
    if !library.join("src/github.com/spf13/cobra").is_dir() {
        skipped("there is no cobra; apt-get install golang-github-spf13-cobra-dev");
        return;
    }
    let place = directory();
    let source = place.path().join("src/notes");
    assert!(generate("--lang go", &source.join("envelope")).status.success());
    fs::copy(recipe("cobra").join("notes.go"), source.join("notes.go")).expect("copies");
    let program = place.path().join("notes");
    let mut build = Command::new(go);
    build.args(["build", "-o"]).arg(&program).arg(".").current_dir(&source);
    build.env("GO111MODULE", "off").env("GOCACHE", place.path().join("cache"));
    build.env("GOPATH", format!("{}:{}", place.path().display(), library.display()));
    let built = build.output().expect("it starts");
    assert!(built.status.success(), "{built:?}");
    try_program(&program);
}
