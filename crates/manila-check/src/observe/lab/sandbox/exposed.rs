//! What a run still sees of the directories that are hidden from it: what the program needs to start.
//!
//! For the program, each link on the way to it, its interpreter and the files among its arguments, these
//! are: the directory that holds it; the libraries that it names, and those beside a `bin`; the
//! `node_modules` it is in; and of a script the project it is in, and the `node_modules` above that.
//! Directories of `PATH` and the tools of version managers are seen whole. A home itself is never seen, nor are
//! credentials in what is.

use super::elf::library_directories;
use super::host::Protected;
use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Component, Path, PathBuf};

/// Directories of programs, beside which are their libraries.
const PROGRAMS: &[&str] = &["bin", "sbin", "libexec", "Scripts"];
/// What an installation has beside its programs.
const LIBRARIES: &[&str] = &["lib", "lib64", "libexec"];
/// The same, in a directory that holds nothing but one installation.
const INSTALLATION: &[&str] = &[
    "Cellar",
    "conda-meta",
    "etc",
    "extensions",
    "gems",
    "include",
    "node_modules",
    "opt",
    "pyvenv.cfg",
    "share",
    "specifications",
    "ssl",
];
/// What the root of a project has.
const PROJECT: &[&str] = &[
    ".git",
    "Cargo.toml",
    "Gemfile",
    "build.gradle",
    "composer.json",
    "deno.json",
    "go.mod",
    "package.json",
    "pom.xml",
    "pyproject.toml",
    "setup.py",
];
/// How many links may lead to a file, and how many interpreters may be chained.
const MOST_LINKS: usize = 40;
const MOST_INTERPRETERS: usize = 4;

/// What is seen.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Exposed {
    /// Directories and files, without links, none of which is below another.
    pub(super) paths: BTreeSet<PathBuf>,
    /// Links on the way to them, and where they lead.
    pub(super) links: BTreeSet<(PathBuf, PathBuf)>,
}

/// What a program needs.
#[derive(Debug)]
pub(crate) struct Needs<'n> {
    /// The program, and the files among its arguments and variables.
    pub(crate) files: Vec<PathBuf>,
    /// Where programs are looked for.
    pub(crate) search: &'n [PathBuf],
    /// Directories that are seen whole.
    pub(crate) tools: Vec<PathBuf>,
}

/// Finds out what must be seen.
pub(super) fn exposed(protected: &Protected, needs: &Needs<'_>) -> Exposed {
    let mut view = View { protected, needs, exposed: Exposed::default() };
    for directory in needs.search.iter().chain(&needs.tools) {
        if let Some(real) = view.follow(directory).filter(|real| real.is_dir()) {
            view.show(&real);
        }
    }
    for file in &needs.files {
        view.need(file, 0);
    }
    let paths = view.exposed.paths.clone();
    let is_below = |path: &Path| paths.iter().any(|it| path != it && path.starts_with(it));
    view.exposed.paths.retain(|path| !is_below(path));
    view.exposed
}

struct View<'v> {
    protected: &'v Protected,
    needs: &'v Needs<'v>,
    exposed: Exposed,
}

impl View<'_> {
    /// Shows a path if it is hidden and no home; whether it is seen now.
    fn show(&mut self, real: &Path) -> bool {
        if self.protected.holds_home(real) {
            return false;
        }
        if self.protected.place(real).is_some() && real.exists() {
            self.exposed.paths.insert(real.to_owned());
        }
        true
    }

    /// Where a path leads. The links on the way that are in hidden directories are kept.
    fn follow(&mut self, path: &Path) -> Option<PathBuf> {
        let mut left: Vec<PathBuf> = parts(path);
        let (mut real, mut links) = (PathBuf::from("/"), 0);
        while let Some(part) = left.pop() {
            if part.as_os_str() == ".." {
                real.pop();
                continue;
            }
            let next = real.join(&part);
            let Ok(target) = fs::read_link(&next) else {
                real = next;
                continue;
            };
            links += 1;
            if links > MOST_LINKS {
                return None;
            }
            if self.protected.place(&next).is_some() {
                self.exposed.links.insert((next, target.clone()));
            }
            if target.is_absolute() {
                real = PathBuf::from("/");
            }
            left.extend(parts(&target));
        }
        real.exists().then_some(real)
    }

    /// Shows what a file needs to be run.
    fn need(&mut self, file: &Path, depth: usize) {
        if depth > MOST_INTERPRETERS || !file.is_absolute() {
            return;
        }
        // What is beside a link may be found by its name too.
        if let Some(real) = file.parent().and_then(|it| self.follow(it)) {
            self.show(&real);
        }
        let Some(real) = self.follow(file) else { return };
        let Some(directory) = real.parent().map(Path::to_owned) else { return };
        if real.is_dir() {
            self.show(&real);
            return;
        }
        if !self.show(&directory) {
            self.show(&real);
        }
        if directory.file_name().is_some_and(|it| PROGRAMS.iter().any(|name| it == *name)) {
            self.show_libraries(&directory);
        }
        let modules = real.ancestors().filter(|it| it.file_name() == Some("node_modules".as_ref()));
        if let Some(modules) = modules.last().map(Path::to_owned) {
            self.show(&modules);
        }
        for libraries in library_directories(&real) {
            if let Some(libraries) = self.follow(&libraries) {
                self.show(&libraries);
            }
        }
        let head = head(&real);
        if !head.starts_with(b"\x7fELF") {
            self.show_project(&directory);
            self.show_modules_above(&directory);
        }
        for interpreter in interpreters(&head, self.needs.search) {
            self.need(&interpreter, depth + 1);
        }
    }

    fn show_libraries(&mut self, programs: &Path) {
        let Some(prefix) = programs.parent() else { return };
        // `~/.local` holds far more than one installation.
        let is_shared = self.protected.holds_home(prefix) || prefix.ends_with(".local");
        let more = INSTALLATION.iter().filter(|_| !is_shared);
        for name in LIBRARIES.iter().chain(more) {
            self.show(&prefix.join(name));
        }
    }

    /// The nearest project, if it is in a hidden directory and no home.
    fn show_project(&mut self, directory: &Path) {
        let is_project = |it: &&Path| PROJECT.iter().any(|name| it.join(name).exists());
        let protected = self.protected;
        let mut own = directory.ancestors().take_while(|it| !protected.holds_home(it));
        if let Some(project) = own.find(is_project).map(Path::to_owned) {
            self.show(&project);
        }
    }

    /// The `node_modules` beside a script and above it, where Node looks for modules: those of a workspace are above
    /// its projects.
    fn show_modules_above(&mut self, directory: &Path) {
        let protected = self.protected;
        let own = directory.ancestors().take_while(|it| !protected.holds_home(it));
        for modules in own.map(|it| it.join("node_modules")).filter(|it| it.is_dir()) {
            self.show(&modules);
        }
    }
}

/// The parts of a path, the last first.
fn parts(path: &Path) -> Vec<PathBuf> {
    let mut parts: Vec<PathBuf> = path
        .components()
        .filter(|part| matches!(part, Component::Normal(_) | Component::ParentDir))
        .map(|part| PathBuf::from(part.as_os_str()))
        .collect();
    parts.reverse();
    parts
}

fn head(file: &Path) -> Vec<u8> {
    let mut head = Vec::new();
    // Opening a pipe would block until there is a writer.
    if file.is_file()
        && let Ok(file) = File::open(file)
    {
        let _ = file.take(1 << 10).read_to_end(&mut head);
    }
    head
}

/// The programs that the first line of a script names.
fn interpreters(head: &[u8], search: &[PathBuf]) -> Vec<PathBuf> {
    let Some(line) = head.strip_prefix(b"#!") else { return Vec::new() };
    let line = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let mut words = line
        .split(u8::is_ascii_whitespace)
        .filter(|word| !word.is_empty())
        .map(|word| PathBuf::from(std::ffi::OsStr::from_bytes(word)));
    let Some(first) = words.next() else { return Vec::new() };
    // `env -S node --flag` names its program after options and variables.
    let is_env = first.file_name().is_some_and(|name| name == "env");
    let is_named = |word: &PathBuf| {
        let bytes = word.as_os_str().as_bytes();
        is_env && !bytes.starts_with(b"-") && !bytes.contains(&b'=')
    };
    let named = words.find(is_named);
    let found = named.and_then(|name| {
        search.iter().map(|directory| directory.join(&name)).find(|path| path.is_file())
    });
    std::iter::once(first).chain(found).collect()
}

#[cfg(test)]
mod tests {
    use super::super::host::Hidden;
    use super::*;
    use std::os::unix::fs::symlink;

    /// A home with these files, each with what it holds; what is seen of it for a program.
    struct Home {
        _directory: tempfile::TempDir,
        path: PathBuf,
    }

    impl Home {
        fn new(files: &[(&str, &str)]) -> Home {
            let directory = tempfile::tempdir().expect("a directory");
            let path = directory.path().canonicalize().expect("a path");
            for (name, text) in files {
                let file = path.join(name);
                fs::create_dir_all(file.parent().expect("a parent")).expect("a directory");
                fs::write(file, text.replace('~', &path.display().to_string())).expect("a file");
            }
            Home { _directory: directory, path }
        }

        fn seen(&self, program: &str, search: &[&str]) -> Vec<String> {
            let protected = Protected {
                hidden: vec![Hidden { path: self.path.clone(), mode: None }],
                homes: vec![self.path.clone()],
            };
            let search: Vec<PathBuf> = search.iter().map(|it| self.path.join(it)).collect();
            let files = vec![self.path.join(program)];
            let needs = Needs { files, search: &search, tools: Vec::new() };
            let exposed = exposed(&protected, &needs);
            let short = |path: &PathBuf| {
                path.strip_prefix(&self.path).expect("below").display().to_string()
            };
            let links = exposed
                .links
                .iter()
                .map(|(link, to)| format!("{} -> {}", short(link), to.display()));
            exposed.paths.iter().map(short).chain(links).collect()
        }
    }

    const ELF: &str = "\u{7f}ELF";

    #[test]
    fn a_program_is_seen_with_its_directory_and_its_libraries() {
        let home = Home::new(&[
            ("work/target/debug/tool", ELF),
            ("work/Cargo.toml", ""),
            (".cargo/bin/tool", ELF),
            (".cargo/credentials.toml", "secret"),
            ("mini/bin/tool", "#!~/mini/bin/python\n"),
            ("mini/bin/python", ELF),
            ("mini/lib/python.zip", ""),
            ("mini/pyvenv.cfg", ""),
            ("mini/notes", ""),
        ]);
        assert_eq!(home.seen("work/target/debug/tool", &[]), ["work/target/debug"]);
        assert_eq!(home.seen(".cargo/bin/tool", &[]), [".cargo/bin"]);
        assert_eq!(home.seen("mini/bin/tool", &[]), ["mini/bin", "mini/lib", "mini/pyvenv.cfg"]);
    }

    #[test]
    fn the_modules_of_a_workspace_are_above_its_projects() {
        let home = Home::new(&[
            ("work/node_modules/dep/index.js", ""),
            ("work/notes", "private"),
            ("work/packages/cli/package.json", "{}"),
            ("work/packages/cli/run.js", "#!/usr/bin/env node\n"),
            ("node_modules/other/index.js", ""),
        ]);
        let seen = home.seen("work/packages/cli/run.js", &[]);
        assert_eq!(seen, ["work/node_modules", "work/packages/cli"]);
    }

    #[test]
    fn a_script_is_seen_with_its_project_and_its_interpreter() {
        let home = Home::new(&[
            ("work/package.json", "{}"),
            ("work/dist/cli.js", "#!/usr/bin/env -S node --flag\n"),
            ("work/node_modules/dep/index.js", ""),
            ("tools/node", ELF),
            ("lone.sh", "#!/bin/sh\n"),
            (".ssh/id", "secret"),
        ]);
        assert_eq!(home.seen("work/dist/cli.js", &["tools"]), ["tools", "work"]);
        assert_eq!(home.seen("lone.sh", &[]), ["lone.sh"], "never the home itself");
    }

    #[test]
    fn links_on_the_way_are_kept() {
        let home = Home::new(&[
            (".local/share/uv/tools/x/bin/tool", "#!~/.local/share/uv/tools/x/bin/python\n"),
            (".local/share/uv/tools/x/bin/python", ELF),
            (".local/share/uv/tools/x/lib/site.py", ""),
            (".local/share/keyrings/login", "secret"),
            (".local/lib/user.py", ""),
        ]);
        fs::create_dir(home.path.join("bin")).expect("a directory");
        fs::create_dir(home.path.join(".local/bin")).expect("a directory");
        symlink("../share/uv/tools/x/bin/tool", home.path.join(".local/bin/tool")).expect("a link");
        symlink(".local/bin", home.path.join("programs")).expect("a link");
        let expected = [
            ".local/bin",
            ".local/share/uv/tools/x/bin",
            ".local/share/uv/tools/x/lib",
            ".local/bin/tool -> ../share/uv/tools/x/bin/tool",
            "programs -> .local/bin",
        ];
        assert_eq!(home.seen("programs/tool", &[]), expected);
    }

    #[test]
    fn what_is_not_hidden_needs_not_be_shown() {
        let protected = Protected::default();
        let needs = Needs { files: vec!["/bin/sh".into()], search: &[], tools: Vec::new() };
        assert_eq!(exposed(&protected, &needs), Exposed::default());
    }
}
