//! Rows 13 and 14: credentials.

use super::{Action, Case, Row};
use crate::exit::Exit;

const EXPIRED: [&str; 3] = ["TOKEN_EXPIRED", "CREDENTIALS_EXPIRED", "AUTH_EXPIRED"];
const NEEDED: [&str; 4] = ["TOKEN_INVALID", "TOKEN_MISSING", "UNAUTHENTICATED", "AUTH_REQUIRED"];

pub(super) static TOKEN_EXPIRED: Row = Row {
    number: 13,
    id: "token-expired",
    signal: "error.code is TOKEN_EXPIRED, CREDENTIALS_EXPIRED or AUTH_EXPIRED",
    conclusion: "Refresh the credentials and call again once. If it comes again, it is handled as \
                 TOKEN_INVALID. What the error states as its fix in words is the same thing, and a \
                 stated command is only run where the caller cannot refresh.",
    fires: |case| {
        let code = refreshes(case)?;
        Some((Action::RefreshCredentials, format!("{code}: the credentials were good and are old")))
    },
};

/// The code of an error that a refresh of the credentials may correct, once.
pub(super) fn refreshes<'a>(case: &Case<'a>) -> Option<&'a str> {
    let code = has_code(case, &EXPIRED)?;
    // An earlier attempt that ended like this has been answered with a refresh.
    let again = case.history.refreshed || case.failures_alike() > 0;
    (!again && !case.is_partly_done() && !case.may_have_effects()).then_some(code)
}

pub(super) static CREDENTIALS_NEEDED: Row = Row {
    number: 14,
    id: "credentials-needed",
    signal: "error.code is TOKEN_INVALID, TOKEN_MISSING, UNAUTHENTICATED or AUTH_REQUIRED, or the \
             class is AUTH_REQUIRED",
    conclusion: "Do not retry: get new credentials first.",
    fires: |case| {
        let error = case.error()?;
        let needed = case.exit() == Some(Exit::AuthRequired) || is_about_credentials(case);
        let again = if case.history.refreshed { " although they were refreshed" } else { "" };
        (needed && !case.is_partly_done()).then(|| {
            (Action::AcquireCredentials, format!("{}: credentials are needed{again}", error.code))
        })
    },
};

/// Whether the error's code says that credentials are the matter.
pub(super) fn is_about_credentials(case: &Case<'_>) -> bool {
    has_code(case, &EXPIRED).or(has_code(case, &NEEDED)).is_some()
}

fn has_code<'a>(case: &Case<'a>, codes: &[&str]) -> Option<&'a str> {
    let code = case.error()?.code.as_str();
    codes.iter().any(|known| known.eq_ignore_ascii_case(code)).then_some(code)
}
