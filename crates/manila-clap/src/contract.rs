//! What a program declares about its commands, and how it moves from one contract to the next.

use crate::redirect::Redirect;
use crate::reply::{Kind, Reply};
use manila::DialectWriter;

/// What a command may do to the world.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Danger {
    /// It reads.
    Safe,
    /// It changes something.
    Mutating,
    /// It cannot be undone: it runs only when it is confirmed, with `--yes` or at the prompt.
    Destructive,
}

impl Danger {
    /// Its name in the manifest.
    pub fn as_str(self) -> &'static str {
        match self {
            Danger::Safe => "safe",
            Danger::Mutating => "mutating",
            Danger::Destructive => "destructive",
        }
    }
}

/// What a program declares about one of its commands. Nothing need be declared: what is declared is
/// in the manifest and is compared with every answer in test mode.
///
/// ```
/// use manila_clap::{Danger, Spec};
///
/// let spec = Spec::new().fails(&["NO_SUCH_NOTE"]).danger(Danger::Destructive);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Spec {
    pub(crate) kinds: Vec<Kind>,
    pub(crate) codes: Option<&'static [&'static str]>,
    pub(crate) danger: Option<Danger>,
    pub(crate) examples: Vec<(&'static str, &'static str)>,
    pub(crate) text_only: bool,
    pub(crate) printed: bool,
    pub(crate) cacheable: bool,
    pub(crate) deprecated: Option<Deprecation>,
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Deprecation {
    pub(crate) since: &'static str,
    pub(crate) instead: &'static str,
}

impl Spec {
    /// Nothing declared yet.
    pub fn new() -> Spec {
        Spec::default()
    }

    /// It answers with this reply; call it again for another.
    #[must_use]
    pub fn reply<R: Reply>(mut self) -> Spec {
        R::kinds(&mut self.kinds);
        self
    }

    /// It fails with these codes and, beside the boundary's own, no others.
    #[must_use]
    pub fn fails(self, codes: &'static [&'static str]) -> Spec {
        Spec { codes: Some(codes), ..self }
    }

    /// What it may do to the world. What is said of a command is said of those below it.
    #[must_use]
    pub fn danger(self, danger: Danger) -> Spec {
        Spec { danger: Some(danger), ..self }
    }

    /// A call of it, and what that does.
    #[must_use]
    pub fn example(mut self, call: &'static str, what: &'static str) -> Spec {
        self.examples.push((call, what));
        self
    }

    /// It has no JSON form: `--json` does not switch its output, which stays what people read.
    #[must_use]
    pub fn text_only(self) -> Spec {
        Spec { text_only: true, ..self }
    }

    /// It prints its answer and returns [`Printed`](crate::Printed): in JSON mode what it prints to
    /// stdout is the data of its answer.
    #[must_use]
    pub fn printed(self) -> Spec {
        Spec { printed: true, ..self }
    }

    /// Its answers carry a tag, and a caller who sends it back with `--etag` is spared the data
    /// while they are the same.
    #[must_use]
    pub fn cacheable(self) -> Spec {
        Spec { cacheable: true, ..self }
    }

    /// It still works, since that version with a warning that names what to call instead.
    #[must_use]
    pub fn deprecated(self, since: &'static str, instead: &'static str) -> Spec {
        Spec { deprecated: Some(Deprecation { since, instead }), ..self }
    }
}

/// A command that another takes the place of.
#[derive(Clone, Debug)]
pub(crate) struct Moved {
    pub(crate) from: &'static str,
    pub(crate) to: Redirect,
}

/// The way from one envelope to the next.
#[derive(Clone, Copy, Debug)]
pub struct Migration {
    pub(crate) old: (&'static str, &'static dyn DialectWriter),
    pub(crate) new: (&'static str, &'static dyn DialectWriter),
    pub(crate) stage: Stage,
}

impl Migration {
    /// From an envelope to another, each with the version that callers name it by.
    pub fn new(
        old: (&'static str, &'static dyn DialectWriter),
        new: (&'static str, &'static dyn DialectWriter),
        stage: Stage,
    ) -> Migration {
        Migration { old, new, stage }
    }
}

/// How far a migration has come. A release moves it by one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// The old envelope is the default; `--envelope-version` opts into the new one.
    OptIn,
    /// The new one is the default; `--legacy-envelope` gives the old one.
    Default,
    /// The same, and the old one comes with a warning.
    Deprecated,
    /// The old one is gone, and asking for it is an error that says so.
    Removed,
}
