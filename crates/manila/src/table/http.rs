//! HTTP statuses and the classes they stand for.

use crate::exit::Exit;

/// The HTTP status that says a class.
pub(super) fn status(exit: Exit) -> u16 {
    match exit {
        Exit::Success => 200,
        Exit::ArgError => 400,
        Exit::AuthRequired => 401,
        Exit::PaymentRequired => 402,
        Exit::PermissionDenied => 403,
        Exit::NotFound | Exit::Redirected => 404,
        Exit::Conflict => 409,
        Exit::Precondition => 412,
        Exit::RateLimited => 429,
        Exit::Unavailable => 503,
        Exit::Timeout => 504,
        Exit::General | Exit::PartialFailure => 500,
    }
}

/// The class that an HTTP status stands for, if it is one of a failure.
pub(crate) fn class(status: u16) -> Option<Exit> {
    Some(match status {
        401 => Exit::AuthRequired,
        402 => Exit::PaymentRequired,
        403 => Exit::PermissionDenied,
        404 | 410 => Exit::NotFound,
        408 | 504 => Exit::Timeout,
        409 | 423 => Exit::Conflict,
        412 | 428 => Exit::Precondition,
        429 => Exit::RateLimited,
        502 | 503 | 529 => Exit::Unavailable,
        400..=499 => Exit::ArgError,
        500..=599 => Exit::General,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_class_is_read_back_from_its_status_if_it_has_one_of_its_own() {
        for &exit in Exit::ALL.iter().filter(|exit| !exit.is_success()) {
            let expected = match exit {
                Exit::PartialFailure => Exit::General,
                Exit::Redirected => Exit::NotFound,
                other => other,
            };
            assert_eq!(class(status(exit)), Some(expected), "{exit:?}");
        }
        assert_eq!(class(200), None);
    }
}
