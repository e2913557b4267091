//! A program's check as a test of its own project.

use crate::check::check;
use crate::declaration::Declaration;
use crate::observe::lab::Unconfined;
use crate::options::Options;
use crate::render::human;
use crate::subject::Subject;
use std::path::Path;

/// Fails a test, with the whole report, unless a program conforms.
///
/// It takes the program, and a [`Declaration`] if there is something to declare. Expired waivers
/// are reported by `manila check` only: a test must not fail because of the date.
///
/// ```no_run
/// # let program = "target/debug/notes";
/// // In a test: `let program = env!("CARGO_BIN_EXE_notes");`
/// manila_check::assert_conforms!(program);
/// ```
#[macro_export]
macro_rules! assert_conforms {
    ($program:expr $(,)?) => {
        $crate::assert_conforms!($program, $crate::Declaration::default())
    };
    ($program:expr, $declaration:expr $(,)?) => {
        if let Err(report) = $crate::conforms($program, &$declaration) {
            panic!("{report}");
        }
    };
}

/// Whether a program conforms; if not, the report for people, or why it could not be checked. Where the system
/// cannot confine the program, every call is made all the same: a project trusts its own program, and a
/// test that calls nothing but `--help` would say nothing.
pub fn conforms(program: impl AsRef<Path>, declaration: &Declaration) -> Result<(), String> {
    let words = [program.as_ref().to_string_lossy().into_owned()];
    let options = Options { unconfined: Unconfined::All, ..Options::default() };
    let report = Subject::resolve(&words, declaration, Path::new("."))
        .and_then(|subject| check(&subject, declaration, &options))
        .map_err(|error| match error.suggestion() {
            Some(suggestion) => format!("{error}\n{suggestion}"),
            None => error.to_string(),
        })?;
    if report.conforms() { Ok(()) } else { Err(human::render(&report)) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_checked_does_not_conform() {
        let refused = conforms("/no/such/program", &Declaration::default());
        assert!(refused.is_err_and(|why| why.contains("/no/such/program")));
    }
}
