//! How the release of `manila` is linked: `manila run` stands before every call, and the loading of shared libraries
//! and the relocation of tables would be a large part of what it costs.
//!
//! Where the C library is there as an archive, the program contains it, and its addresses are fixed when it is
//! linked. `MANILA_LINK=shared` leaves both to the system. Equal functions are kept once, and the tables for unwinding,
//! which nothing does, are left out, where the linker can do that.

#![expect(clippy::disallowed_macros, reason = "a build script speaks to cargo")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs};

/// What the standard library links on Linux, and what it is linked with instead. The C library's own archives
/// contain the rest, or are empty.
const LIBRARIES: [(&str, &[&str]); 7] = [
    ("gcc_s", &["gcc_eh", "gcc"]),
    ("c", &["c"]),
    ("m", &["m"]),
    ("dl", &["dl"]),
    ("pthread", &["pthread"]),
    ("rt", &["rt"]),
    ("util", &["util"]),
];

/// Keeps equal functions once.
const FOLD: &str = "-Wl,--icf=all";

/// Leaves out what only unwinding reads: the standard library brings it, and the compiler writes it for backtraces.
const NO_TABLES: &str = "SECTIONS { /DISCARD/ : { *(.eh_frame .eh_frame_hdr .gcc_except_table .gcc_except_table.*) } }\nINSERT AFTER .text;\n";

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=MANILA_LINK");
    let variable = |name: &str| env::var(name).unwrap_or_default();
    let is_release = variable("PROFILE") == "release" && variable("MANILA_LINK") != "shared";
    let is_glibc = variable("CARGO_CFG_TARGET_OS") == "linux"
        && variable("CARGO_CFG_TARGET_ENV") == "gnu"
        // Where another linker is named, it is not for us to say what it can do.
        && variable("HOST") == variable("TARGET")
        && env::var_os("RUSTC_LINKER").is_none();
    if !is_release || !is_glibc {
        return;
    }
    let is_static = variable("CARGO_CFG_TARGET_FEATURE").split(',').any(|it| it == "crt-static");
    let archives = if is_static { Some(Vec::new()) } else { archives() };
    let Some(archives) = archives else { return };
    let directory = PathBuf::from(variable("OUT_DIR"));
    let mut arguments = vec!["-static".to_owned(), "-no-pie".to_owned()];
    if !archives.is_empty() {
        if write_scripts(&directory, &archives).is_err() {
            return;
        }
        arguments.insert(0, format!("-L{}", directory.display()));
    }
    let script = directory.join("no-tables.ld");
    let no_tables = fs::write(&script, NO_TABLES).map(|()| format!("-Wl,-T,{}", script.display()));
    for argument in [FOLD.to_owned()].into_iter().chain(no_tables) {
        arguments.push(argument);
        if !is_linked(&directory, &arguments, is_static) {
            arguments.pop();
        }
    }
    for argument in arguments {
        println!("cargo::rustc-link-arg-bin=manila={argument}");
    }
}

/// Whether the linker that will be used takes these arguments: a program that does nothing is linked with them.
fn is_linked(directory: &Path, arguments: &[String], is_static: bool) -> bool {
    let source = directory.join("nothing.rs");
    if fs::write(&source, "fn main() {}").is_err() {
        return false;
    }
    let mut rustc = Command::new(env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
    rustc.arg(&source).arg("-o").arg(directory.join("nothing")).arg("-Cpanic=abort");
    if is_static {
        rustc.arg("-Ctarget-feature=+crt-static");
    }
    rustc.args(arguments.iter().map(|it| format!("-Clink-arg={it}")));
    rustc.stdout(Stdio::null()).stderr(Stdio::null());
    rustc.status().is_ok_and(|status| status.success())
}

/// The archives of each library; nothing if one of them is missing.
fn archives() -> Option<Vec<(&'static str, Vec<PathBuf>)>> {
    let found = |(library, archives): (&'static str, &[&str])| {
        let archives = archives.iter().map(|name| archive(name)).collect::<Option<_>>()?;
        Some((library, archives))
    };
    LIBRARIES.into_iter().map(found).collect()
}

/// Where the linker would find an archive.
fn archive(name: &str) -> Option<PathBuf> {
    let asked = Command::new("cc").arg(format!("-print-file-name=lib{name}.a")).output().ok()?;
    // A name that is not found is printed as it was asked for.
    let path = PathBuf::from(String::from_utf8(asked.stdout).ok()?.trim());
    path.is_absolute().then_some(path).filter(|path| path.is_file())
}

/// The compiler asks for shared libraries by name; each name is a script here that leads to archives.
fn write_scripts(directory: &Path, archives: &[(&str, Vec<PathBuf>)]) -> std::io::Result<()> {
    for (library, archives) in archives {
        let files: Vec<String> =
            archives.iter().map(|path| format!("\"{}\"", path.display())).collect();
        let script = format!("INPUT({})\n", files.join(" "));
        fs::write(directory.join(format!("lib{library}.so")), script)?;
    }
    Ok(())
}
