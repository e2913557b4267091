//! The shape of the source: no import cycles between modules, no long files, a first line in each.
#![expect(clippy::expect_used, reason = "a test may stop at the first surprise")]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The most lines of a file.
const LONGEST: usize = 500;

/// A module and the modules of its crate that it imports, each as the path from the crate's root.
type Module = Vec<String>;

#[test]
fn no_crate_has_an_import_cycle() {
    let mut broken = Vec::new();
    for source in sources() {
        let name = source.parent().and_then(Path::file_name).unwrap_or_default();
        let name = name.to_string_lossy().into_owned();
        if let Some(cycle) = cycle(&source) {
            broken.push(format!("{name}: {}", cycle.join(" -> ")));
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_file_says_what_it_owns_and_is_short() {
    let root = root();
    let mut broken = Vec::new();
    for path in
        ["bindings", "crates", "showcase", "fuzz"].iter().flat_map(|it| rust_files(&root.join(it)))
    {
        let text = fs::read_to_string(&path).expect("a source file");
        let lines = text.lines().count();
        if lines > LONGEST {
            broken.push(format!("{} has {lines} lines", path.display()));
        }
        if !text.starts_with("//!") {
            broken.push(format!("{} does not begin with `//!`", path.display()));
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn a_predicate_changes_nothing() {
    let mut broken = Vec::new();
    for path in sources().iter().flat_map(|it| rust_files(it)) {
        let text = fs::read_to_string(&path).expect("a source file");
        for function in ["fn is_", "fn has_"].iter().flat_map(|it| text.split(it).skip(1)) {
            let parameters = function.split(')').next().unwrap_or_default();
            if parameters.contains("&mut ") {
                let name = parameters.split('(').next().unwrap_or_default();
                broken.push(format!("{}: {name}", path.display()));
            }
        }
    }
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn cycles_are_found_at_every_level() {
    let import = |from: &str, to: &str| (path(from), path(to));
    let found = |imports: &[(Module, Module)]| find_cycle(imports.iter().cloned());
    assert_eq!(found(&[import("a", "b"), import("b", "c")]), None);
    // A parent may use its children, and a child what its parent declares.
    assert_eq!(found(&[import("a", "a::b"), import("a::b", "a")]), None);
    assert!(found(&[import("a", "b"), import("b::c", "a::d")]).is_some());
    assert!(found(&[import("a::b", "a::c"), import("a::c", "a::b")]).is_some());
    assert_eq!(
        imports_in("use crate::a::{b::C, d::{self, E}};\nfn f() { super::g::h() }", &path("x::y"))
            .iter()
            .map(|it| it.join("::"))
            .collect::<Vec<_>>(),
        ["a::b::C", "a::d::self", "a::d::E", "x::g::h"]
    );
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The source directory of every crate.
fn sources() -> Vec<PathBuf> {
    let root = root();
    let crates = ["crates", "showcase"].iter().flat_map(|it| {
        let entries = fs::read_dir(root.join(it)).expect("a directory of crates");
        entries.map(|entry| entry.expect("an entry").path().join("src"))
    });
    let mut crates: Vec<_> = crates.filter(|path| path.is_dir()).collect();
    crates.sort();
    crates
}

fn rust_files(below: &Path) -> Vec<PathBuf> {
    let mut files = Vec::new();
    for entry in fs::read_dir(below).expect("a directory") {
        let path = entry.expect("an entry").path();
        // Files of `ui` are inputs of a compiler test, which prints their line numbers.
        let is_source = |name: &std::ffi::OsStr| name != "target" && name != "ui";
        if path.is_dir() && path.file_name().is_some_and(is_source) {
            files.extend(rust_files(&path));
        } else if path.extension().is_some_and(|it| it == "rs") {
            files.push(path);
        }
    }
    files.sort();
    files
}

fn path(text: &str) -> Module {
    text.split("::").map(str::to_owned).collect()
}

/// A cycle between modules of one crate, as the names on the way.
fn cycle(source: &Path) -> Option<Vec<String>> {
    let modules: BTreeMap<Module, String> = rust_files(source)
        .into_iter()
        .map(|file| {
            let text = without_tests(&fs::read_to_string(&file).expect("a source file"));
            (module_of(source, &file), text)
        })
        .collect();
    // What is only compiled for tests may import anything.
    let tested: BTreeSet<Module> = modules
        .iter()
        .flat_map(|(module, text)| {
            let declared = text.split("#[cfg(test)]\n").skip(1).filter_map(|it| {
                let line = it.lines().next()?.trim().strip_suffix(';')?;
                line.split("mod ").nth(1).map(str::to_owned)
            });
            declared.map(|name| [module.clone(), vec![name]].concat())
        })
        .collect();
    let is_tested = |module: &Module| tested.iter().any(|it| module.starts_with(it));
    let imports =
        modules.iter().filter(|(module, _)| !is_tested(module)).flat_map(|(own, text)| {
            let targets = imports_in(text, own).into_iter().filter_map(|target| {
                (1..=target.len())
                    .rev()
                    .map(|end| target[..end].to_vec())
                    .find(|it| modules.contains_key(it))
            });
            targets.map(|target| (own.clone(), target)).collect::<Vec<_>>()
        });
    find_cycle(imports)
}

fn module_of(source: &Path, file: &Path) -> Module {
    let inner = file.strip_prefix(source).expect("a file of the crate").with_extension("");
    let mut module: Module = inner.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if matches!(module.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        module.pop();
    }
    module
}

/// The source without its comments and without the tests at its foot.
fn without_tests(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    code.lines().map(|line| line.split("//").next().unwrap_or_default()).fold(
        String::new(),
        |mut text, line| {
            text.push_str(line);
            text.push('\n');
            text
        },
    )
}

/// Every path of the crate that a module names, from the crate's root.
fn imports_in(text: &str, own: &Module) -> Vec<Module> {
    let mut found = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['c', 's']) {
        let before = rest[..at].chars().next_back();
        // What a macro names by `$crate` is imported where it is used.
        let is_start = before.is_none_or(|it| !it.is_alphanumeric() && !"_:$".contains(it));
        let tail = &rest[at..];
        let begins = is_start && ["crate::", "super::"].iter().any(|it| tail.starts_with(it));
        if !begins {
            rest = &rest[at + 1..];
            continue;
        }
        let mut paths = Vec::new();
        let length = read_tree(tail, &mut Vec::new(), &mut paths);
        found.extend(paths.iter().filter_map(|it| absolute(it, own)));
        rest = &tail[length..];
    }
    found
}

/// Reads a path or a tree of paths, and returns how long it is.
fn read_tree(text: &str, prefix: &mut Module, paths: &mut Vec<Module>) -> usize {
    let is_name = |it: char| it.is_alphanumeric() || it == '_';
    let depth = prefix.len();
    let mut at = 0;
    loop {
        let length = text[at..].find(|it| !is_name(it)).unwrap_or(text.len() - at);
        prefix.push(text[at..at + length].to_owned());
        at += length;
        if !text[at..].starts_with("::") {
            break;
        }
        at += 2;
        if text[at..].starts_with('{') {
            at += 1;
            loop {
                at += text[at..].len() - text[at..].trim_start_matches([' ', '\n', ',']).len();
                if text[at..].starts_with('}') || at >= text.len() {
                    break;
                }
                let length = read_tree(&text[at..], prefix, paths);
                at += length.max(1);
                // What follows is the end of this path, such as `as name`.
                at += text[at..].find([',', '}']).unwrap_or(text.len() - at);
            }
            prefix.truncate(depth);
            return (at + 1).min(text.len());
        }
    }
    paths.push(prefix.clone());
    prefix.truncate(depth);
    at
}

fn absolute(path: &[String], own: &Module) -> Option<Module> {
    let (first, rest) = path.split_first()?;
    match first.as_str() {
        "crate" => Some(rest.to_vec()),
        "super" => {
            let above = own.split_last().map_or(&[][..], |(_, above)| above).to_vec();
            match rest.first().map(String::as_str) {
                Some("super") => absolute(rest, &above),
                _ => Some([above, rest.to_vec()].concat()),
            }
        }
        _ => None,
    }
}

/// A cycle among the children of some module: an import counts between those two children of the
/// innermost module around both that hold its ends.
fn find_cycle(imports: impl Iterator<Item = (Module, Module)>) -> Option<Vec<String>> {
    let mut edges: BTreeMap<Module, BTreeSet<Module>> = BTreeMap::new();
    for (from, to) in imports {
        let shared = from.iter().zip(&to).take_while(|(a, b)| a == b).count();
        if shared < from.len() && shared < to.len() {
            edges.entry(from[..=shared].to_vec()).or_default().insert(to[..=shared].to_vec());
        }
    }
    let mut done = BTreeSet::new();
    edges.keys().find_map(|start| walk(start, &edges, &mut Vec::new(), &mut done))
}

fn walk(
    at: &Module,
    edges: &BTreeMap<Module, BTreeSet<Module>>,
    way: &mut Vec<Module>,
    done: &mut BTreeSet<Module>,
) -> Option<Vec<String>> {
    if let Some(start) = way.iter().position(|it| it == at) {
        let names = way[start..].iter().chain([at]).map(|it| it.join("::"));
        return Some(names.collect());
    }
    if !done.insert(at.clone()) {
        return None;
    }
    way.push(at.clone());
    let found = edges.get(at).into_iter().flatten().find_map(|next| walk(next, edges, way, done));
    way.pop();
    found
}
