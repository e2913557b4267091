//! What commands at the root of the workspace build and run, asked of cargo without building anything.

#![allow(clippy::unwrap_used, reason = "a test may stop at the first surprise")]

use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The packages that have programs for users.
const PROGRAMS: [&str; 5] =
    ["manila-cli", "showcase-animus", "showcase-claw", "showcase-i18nprune", "showcase-td"];

/// Features that the whole workspace turns on in a crate of some program, and why the program stays
/// the same: each adds functions that it does not call, and the linker leaves them out.
const ADDITIVE: [(&str, &[&str]); 17] = [
    // The loader of dialect files and the bridge to serde_json, which the linker leaves out elsewhere.
    ("manila", &["default", "dialect-files"]),
    // The server, which is a program of its own: `manila` asks for the arguments that start it.
    ("manila-mcp", &["default", "server"]),
    // What the SDK of the server derives and implements for its own types.
    ("serde", &["rc"]),
    ("serde_core", &["rc"]),
    ("schemars", &["chrono04", "default"]),
    ("tracing", &["attributes", "default", "tracing-attributes"]),
    // Faster engines, which match the same, and classes without which a pattern that has them does not compile.
    (
        "regex-automata",
        &[
            "dfa-onepass",
            "hybrid",
            "nfa",
            "nfa-backtrack",
            "perf",
            "perf-inline",
            "perf-literal",
            "perf-literal-multisubstring",
            "perf-literal-substring",
            "unicode-case",
            "unicode-gencat",
            "unicode-perl",
            "unicode-word-boundary",
        ],
    ),
    // Commands that only `manila` asks for.
    ("manila-clap", &["completions", "man"]),
    // Only td asks for the time zone of the system, and only animus and td keep moments as JSON.
    ("jiff", &["serde", "tz-system", "tzdb-zoneinfo"]),
    // System calls and their constants.
    ("linux-raw-sys", &["prctl"]),
    ("rustix", &["event", "fs", "pipe", "process", "pty", "stdio", "thread"]),
    // Constructors of maps and hashers that are not used where they are not turned on.
    ("foldhash", &["std"]),
    ("indexmap", &["default", "serde", "std"]),
    (
        "hashbrown",
        &["allocator-api2", "default", "default-hasher", "equivalent", "inline-more", "raw-entry"],
    ),
    // A name for what is turned on anyway.
    ("memchr", &["default"]),
    ("aho-corasick", &["default"]),
    // Patterns of paths are matched byte by byte.
    (
        "regex-automata",
        &[
            "dfa-search",
            "unicode",
            "unicode-age",
            "unicode-bool",
            "unicode-case",
            "unicode-gencat",
            "unicode-case",
            "unicode-gencat",
            "unicode-perl",
            "unicode-script",
            "unicode-segment",
            "unicode-word-boundary",
        ],
    ),
];

/// The same for what `regex-automata` is made of.
const PARSER: (&str, &[&str]) = (
    "regex-syntax",
    &[
        "default",
        "unicode",
        "unicode-age",
        "unicode-bool",
        "unicode-case",
        "unicode-gencat",
        "unicode-perl",
        "unicode-script",
        "unicode-segment",
    ],
);

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// What cargo says, without touching the network or the lock file.
#[track_caller]
fn cargo(arguments: &[&str]) -> String {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let output = Command::new(cargo)
        .args(arguments)
        .args(["--offline", "--locked"])
        .current_dir(root())
        .output()
        .unwrap();
    let why = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "cargo {}: {why}", arguments.join(" "));
    String::from_utf8(output.stdout).unwrap()
}

/// The crates that a build links, each with its features. Several versions of one are several.
fn crates(selection: &[&str]) -> BTreeMap<String, BTreeSet<String>> {
    let tree =
        ["tree", "--edges", "normal,no-proc-macro", "--prefix", "none", "--format", "{p}|{f}"];
    let listed = cargo(&[&tree, selection].concat());
    let crates = listed.lines().filter_map(|line| {
        let (name, features) = line.split_once('|')?;
        let features = features.trim_end_matches(" (*)").split(',').filter(|it| !it.is_empty());
        // The name and the version, without where it is.
        let name = name.split(' ').take(2).collect::<Vec<_>>().join(" ");
        Some((name, features.map(str::to_owned).collect()))
    });
    crates.collect()
}

#[test]
fn a_build_of_the_workspace_makes_the_same_programs_as_one_of_each_package() {
    // `showcase-ecosystem` is there to link libraries that no program of ours has.
    let whole = crates(&["--workspace", "--exclude", "showcase-ecosystem"]);
    assert!(!whole["manila-clap v0.1.0"].contains("testing"), "{whole:?}");
    for program in PROGRAMS {
        let alone = crates(&["--package", program]);
        assert!(alone.len() > 20, "{program}: {alone:?}");
        for (name, features) in &alone {
            let short = name.split(' ').next().unwrap();
            let mut allowed = ADDITIVE.iter().chain([&PARSER]).filter(|(of, _)| *of == short);
            let allowed = allowed.next().map_or(&[][..], |(_, features)| features);
            let added: Vec<&String> = whole[name]
                .difference(features)
                .filter(|feature| !allowed.contains(&feature.as_str()))
                .collect();
            assert!(added.is_empty(), "{program}: the workspace adds {added:?} to {name}");
        }
    }
}

#[test]
fn the_root_runs_manila_and_tests_the_fields_of_claw() {
    let metadata = cargo(&["metadata", "--format-version", "1", "--no-deps"]);
    let metadata: Value = serde_json::from_str(&metadata).unwrap();
    let members = metadata["workspace_default_members"].as_array().unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let default: Vec<&Value> =
        packages.iter().filter(|package| members.contains(&package["id"])).collect();
    let mut names: Vec<&str> = default.iter().map(|it| it["name"].as_str().unwrap()).collect();
    names.sort_unstable();
    assert_eq!(names, ["manila-cli", "showcase-claw"]);
    // `cargo run` takes the only program that is named so.
    let runs: Vec<&str> = default.iter().filter_map(|it| it["default_run"].as_str()).collect();
    assert_eq!(runs, ["manila"]);
    let targets = default.iter().flat_map(|package| package["targets"].as_array().unwrap());
    let tests = targets.filter(|target| target["kind"] == serde_json::json!(["test"]));
    let directories =
        tests.map(|test| Path::new(test["src_path"].as_str().unwrap()).parent().unwrap());
    let tested = directories.filter_map(|directory| {
        std::fs::read_to_string(directory.join("field_consistency.rs")).ok()
    });
    let named = "#[test]\nfn test_json_envelope_field_consistency() {";
    assert_eq!(tested.filter(|source| source.contains(named)).count(), 1);
}
