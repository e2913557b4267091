//! The id of a session, which is the name of its file and can be nothing else.

use std::fmt;
use std::str::FromStr;

/// An id that is safe as a file name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct SessionId(String);

impl SessionId {
    const LONGEST: usize = 64;

    /// A new one, from what is unique to a call.
    pub(crate) fn of_call(request_id: &str) -> SessionId {
        SessionId(format!("sess_{}", request_id.trim_start_matches("req_")))
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for SessionId {
    type Err = String;

    fn from_str(text: &str) -> Result<SessionId, String> {
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
        let begins_well = text.bytes().next().is_some_and(|byte| byte.is_ascii_alphanumeric());
        if begins_well && text.len() <= SessionId::LONGEST && text.bytes().all(is_plain) {
            return Ok(SessionId(text.to_owned()));
        }
        Err(format!(
            "an id has at most {} letters, digits, `_` and `-`, and begins with a letter or a digit",
            SessionId::LONGEST
        ))
    }
}

impl fmt::Display for SessionId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_cannot_lead_anywhere() {
        for bad in ["", ".", "..", "../x", "a/b", "a.b", "-x", "_x", "a b", "ü", "a\0", "a\n"] {
            assert!(bad.parse::<SessionId>().is_err(), "{bad:?}");
        }
        assert!("x".repeat(65).parse::<SessionId>().is_err());
        for good in ["sess_abc123", "session-1775777421902-1", "7", &"x".repeat(64)] {
            assert!(good.parse::<SessionId>().is_ok(), "{good:?}");
        }
    }

    #[test]
    fn a_new_id_is_one() {
        let id = SessionId::of_call("req_18d2f00dcafe");
        assert_eq!(id.as_str(), "sess_18d2f00dcafe");
        assert_eq!(id.as_str().parse(), Ok(id));
    }
}
