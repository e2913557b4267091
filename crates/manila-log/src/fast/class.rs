//! The class of an outcome, as the core finds it for a record whose process nobody saw.

use manila::{Dialect, Exit};

/// The class that an error's code stands for.
pub(super) fn of_code(dialect: &dyn Dialect, code: &str) -> Option<Exit> {
    let own = dialect.about().codes.iter().find(|(own, _)| *own == code).map(|(_, exit)| *exit);
    let named = || Exit::from_name(code).filter(|exit| !exit.is_success());
    own.or_else(named).or_else(|| {
        let ends = |end: &str| {
            let tail = code.len().checked_sub(end.len()).and_then(|at| code.as_bytes().get(at..));
            tail.is_some_and(|tail| tail.eq_ignore_ascii_case(end.as_bytes()))
        };
        let begins = code.as_bytes().get(..6).is_some_and(|it| it.eq_ignore_ascii_case(b"token_"));
        if ends("not_found") { Some(Exit::NotFound) } else { begins.then_some(Exit::AuthRequired) }
    })
}

/// The class of a failure that states its number.
pub(super) fn of_number(dialect: &dyn Dialect, number: i32, code: &str) -> Exit {
    let table = dialect.about().exits;
    let exit = table.row(number).map_or(Exit::General, |row| row.exit);
    match table.grain {
        manila::exit::Grain::Coarse if exit == Exit::General => {
            of_code(dialect, code).unwrap_or(exit)
        }
        _ => exit,
    }
}
