//! Redirects that an author answers with: the call to make instead, why, and for how long.

use manila::json::Members;
use std::borrow::Cow;

/// Why another call takes the place of this one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// The command has another name.
    Renamed,
    /// The commands are arranged differently.
    Restructured,
    /// The command still works elsewhere and will be removed.
    Deprecated,
    /// The call was misspelled, and it is clear which was meant.
    TypoCorrected,
}

impl Reason {
    /// Every reason.
    pub const ALL: &'static [Reason] =
        &[Reason::Renamed, Reason::Restructured, Reason::Deprecated, Reason::TypoCorrected];

    /// Its name in `error.redirect.reason`.
    pub fn as_str(self) -> &'static str {
        match self {
            Reason::Renamed => "renamed",
            Reason::Restructured => "restructured",
            Reason::Deprecated => "deprecated",
            Reason::TypoCorrected => "typo_corrected",
        }
    }
}

/// The call that replaces the one that was made.
///
/// In [`App::moved`](crate::App::moved) it names the new command, and the arguments of the call are
/// kept. In [`Error::redirect`](crate::Error::redirect) it is the exact call, which callers make
/// as it is written.
///
/// ```
/// use manila_clap::{Exit, Error, Reason, Redirect};
///
/// let message = "the archive answers for closed accounts this week";
/// let elsewhere = Redirect::temporary("bank archive show 7", Reason::Restructured);
/// let error = Error::new("ARCHIVED", Exit::Redirected, message).redirect(elsewhere);
/// # let _ = error;
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect {
    pub(crate) to: Cow<'static, str>,
    pub(crate) reason: Reason,
    pub(crate) permanent: bool,
}

impl Redirect {
    /// From now on: callers remember it and never make the old call again.
    pub fn permanent(to: impl Into<Cow<'static, str>>, reason: Reason) -> Redirect {
        Redirect { to: to.into(), reason, permanent: true }
    }

    /// For this call alone: callers remember nothing.
    pub fn temporary(to: impl Into<Cow<'static, str>>, reason: Reason) -> Redirect {
        Redirect { to: to.into(), reason, permanent: false }
    }
}

/// A new name, for good.
impl From<&'static str> for Redirect {
    fn from(to: &'static str) -> Redirect {
        Redirect::permanent(to, Reason::Renamed)
    }
}

impl From<Redirect> for manila::Redirect {
    fn from(redirect: Redirect) -> manila::Redirect {
        let Redirect { to, reason, permanent } = redirect;
        manila::Redirect {
            command: to.into_owned(),
            permanent,
            reason: Some(reason.as_str().to_owned()),
            extra: Members::default(),
        }
    }
}
