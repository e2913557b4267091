//! Why a program could not even be started: which of the many reasons behind the same two numbers.

use crate::code::Code;
use crate::invocation::{Input, Invocation};
use manila::{ErrorObject, Exit, Phase};
use std::env;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

/// A program that could not be started. Nothing was done.
#[derive(Debug)]
pub(crate) struct SpawnError {
    code: Code,
    message: String,
    suggestion: &'static str,
}

impl SpawnError {
    pub(crate) fn of_system(error: &io::Error) -> SpawnError {
        let suggestion = "the system is out of processes, file descriptors or memory";
        SpawnError::new(Code::SystemRefused, error.to_string(), suggestion)
    }

    pub(crate) fn of_input(call: &Invocation, error: &io::Error) -> SpawnError {
        let Input::File(path) = &call.stdin else {
            return match error.kind() {
                io::ErrorKind::NotFound => {
                    let message = format!("cannot open /dev/null: {error}");
                    let suggestion = "give the container or the chroot a /dev";
                    SpawnError::new(Code::SystemRefused, message, suggestion)
                }
                _ => SpawnError::of_system(error),
            };
        };
        let message = format!("cannot open the input {}: {error}", path.display());
        SpawnError::new(Code::InputUnreadable, message, "name a regular file, or pass it on stdin")
    }

    /// Looks for the reason behind an error of the system.
    pub(crate) fn of(call: &Invocation, error: &io::Error) -> SpawnError {
        let name = call.program().to_string_lossy();
        if let Some(dir) = call.working_directory().filter(|dir| !dir.is_dir()) {
            let message = format!("cannot run in {}: not a directory", dir.display());
            return SpawnError::new(Code::NoSuchDirectory, message, "check the path");
        }
        match (error.kind(), find(call)) {
            (io::ErrorKind::NotFound, None) => {
                let message = format!("program {name:?} not found");
                let suggestion = "check the spelling, and that it is installed and in PATH";
                SpawnError::new(Code::NoSuchProgram, message, suggestion)
            }
            (io::ErrorKind::NotFound, Some(path)) => {
                let (message, suggestion) = match interpreter(&path) {
                    Some(interpreter) => (
                        format!(
                            "cannot execute {}: interpreter {interpreter} not found",
                            path.display()
                        ),
                        "install the interpreter that its first line names, or correct that line",
                    ),
                    None => (
                        format!("cannot execute {}: its loader is not found", path.display()),
                        "install the libraries that it is linked with, or build it for this system",
                    ),
                };
                SpawnError::new(Code::NoInterpreter, message, suggestion)
            }
            (io::ErrorKind::PermissionDenied, path) => {
                let path =
                    path.map_or_else(|| name.into_owned(), |path| path.display().to_string());
                let message = format!("cannot execute {path}: {error}");
                let suggestion =
                    "make it executable (chmod +x), or name a program inside the directory";
                SpawnError::new(Code::NotExecutable, message, suggestion)
            }
            (io::ErrorKind::ArgumentListTooLong, _) => {
                let message =
                    format!("the arguments of {name:?} are longer than the system allows");
                let suggestion = "pass them in a file or on stdin";
                SpawnError::new(Code::ArgumentsTooLong, message, suggestion)
            }
            (_, path) if error.raw_os_error() == Some(libc::ENOEXEC) => {
                let (message, suggestion) = match path.as_deref().and_then(built_for) {
                    Some(elsewhere) => (
                        format!("{name} is built for {elsewhere}, and this is {}", here()),
                        "build it for this system, or check it where it can run",
                    ),
                    None => (
                        format!("cannot execute {name}: not an executable format"),
                        "a script needs `#!` and its interpreter in the first line",
                    ),
                };
                SpawnError::new(Code::NotAProgram, message, suggestion)
            }
            (io::ErrorKind::InvalidInput, _) => {
                let message = format!("{name:?} or one of its arguments has a NUL in it");
                SpawnError::new(Code::InvalidArgument, message, "leave it out")
            }
            _ => SpawnError::of_system(error),
        }
    }

    fn new(code: Code, message: String, suggestion: &'static str) -> SpawnError {
        SpawnError { code, message, suggestion }
    }

    /// Its class.
    pub(crate) fn exit(&self) -> Exit {
        self.code.exit()
    }

    /// As the error of an envelope.
    pub(crate) fn failure(&self) -> ErrorObject {
        ErrorObject {
            phase: Some(Phase::Validation),
            retryable: Some(false),
            suggestion: Some(self.suggestion.to_owned()),
            ..self.code.failure(&self.message)
        }
    }
}

/// Looks for the reason why the system would not start a program, from the error that it gave: the
/// class of it, and the words for people.
pub fn explain_spawn_error(program: impl Into<OsString>, error: &io::Error) -> (Exit, ErrorObject) {
    let spawn_error = SpawnError::of(&Invocation::new(program), error);
    (spawn_error.exit(), spawn_error.failure())
}

/// The file that the system would have run.
fn find(call: &Invocation) -> Option<PathBuf> {
    let name = Path::new(call.program());
    let is_named = name.components().count() > 1;
    let dirs: Vec<PathBuf> = if is_named {
        vec![call.working_directory().map(Path::to_owned).unwrap_or_default()]
    } else {
        env::split_paths(&env::var_os("PATH").unwrap_or_default()).collect()
    };
    dirs.into_iter().map(|dir| dir.join(name)).find(|path| path.is_file())
}

/// This system, in the words that [`built_for`] has for others.
fn here() -> String {
    format!("{} on {}", env::consts::OS, env::consts::ARCH)
}

/// The system that a compiled program is for, by the first bytes of its file; nothing if it is none.
fn built_for(path: &Path) -> Option<String> {
    let mut head = [0; 20];
    let length = File::open(path).ok()?.take(20).read(&mut head).ok()?;
    match head.get(..length)? {
        [0x7f, b'E', b'L', b'F', class, order, .., low, high] if length == 20 => {
            let machine = match order {
                2 => u16::from_be_bytes([*low, *high]),
                _ => u16::from_le_bytes([*low, *high]),
            };
            let known = MACHINES.iter().find(|(number, _)| *number == machine);
            let bits = if *class == 1 { "32-bit " } else { "" };
            Some(known.map_or_else(
                || format!("a machine of number {machine}"),
                |(_, name)| format!("{bits}{name}"),
            ))
        }
        [0xcf | 0xce, 0xfa, 0xed, 0xfe, ..] | [0xca, 0xfe, 0xba, 0xbe, ..] => {
            Some("macOS".to_owned())
        }
        [b'M', b'Z', ..] => Some("Windows".to_owned()),
        _ => None,
    }
}

/// The machines of ELF files, by their numbers.
const MACHINES: &[(u16, &str)] = &[
    (3, "x86"),
    (8, "mips"),
    (20, "powerpc"),
    (21, "powerpc64"),
    (22, "s390x"),
    (40, "arm"),
    (62, "x86_64"),
    (183, "aarch64"),
    (243, "riscv"),
    (258, "loongarch"),
];

/// What the first line of a script names.
fn interpreter(path: &Path) -> Option<String> {
    let mut line = Vec::new();
    let file = File::open(path).ok()?;
    BufReader::new(file.take(256)).read_until(b'\n', &mut line).ok()?;
    let line = line.strip_prefix(b"#!")?;
    let text = String::from_utf8_lossy(line);
    text.split_whitespace().next().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_null_device_is_named() {
        let call = Invocation::new("true");
        let missing = SpawnError::of_input(&call, &io::ErrorKind::NotFound.into()).failure();
        assert!(missing.message.contains("/dev/null"), "{}", missing.message);
        let full = SpawnError::of_input(&call, &io::ErrorKind::QuotaExceeded.into()).failure();
        assert!(!full.message.contains("/dev/null"), "{}", full.message);
    }
}
