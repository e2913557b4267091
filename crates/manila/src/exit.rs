//! Exit classes, and the tables that give them numbers.
//!
//! A class says what happened; which number says so is a dialect's business, so numbers stand only
//! in an [`ExitTable`].

use crate::names::names;
use serde::{Serialize, Serializer};

macro_rules! exits {
    ($($name:ident = $constant:literal, $meaning:literal;)*) => {
        /// The class of an outcome.
        ///
        /// ```
        /// use manila::{Exit, dialect};
        ///
        /// let exit = Exit::from_name("NOT_FOUND").expect("a class");
        /// assert_eq!(exit, Exit::NotFound);
        /// // A number belongs to a dialect and never to a class.
        /// let numbers = ["response-envelope/1.0", "animus/1"].map(|id| dialect(id).map(|it| it.status(exit)));
        /// assert_eq!(numbers, [Some(5), Some(3)]);
        /// ```
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Exit { $(#[doc = $meaning] $name,)* }

        impl Exit {
            /// Every class, in the order of the first table that named them.
            pub const ALL: &'static [Exit] = &[$(Exit::$name,)*];

            /// The constant that names the class, such as `RATE_LIMITED`.
            pub fn name(self) -> &'static str {
                match self { $(Exit::$name => $constant,)* }
            }

            /// What it means, in one sentence.
            pub fn meaning(self) -> &'static str {
                match self { $(Exit::$name => $meaning,)* }
            }
        }
    };
}

exits! {
    Success = "SUCCESS", "Everything that was asked for is done.";
    General = "GENERAL_ERROR", "It failed and nothing more specific is known.";
    PartialFailure = "PARTIAL_FAILURE", "Some of the work is done and some is not.";
    ArgError = "ARG_ERROR", "The arguments are wrong; nothing was done.";
    Precondition = "PRECONDITION", "Something must be true first and is not; nothing was done.";
    NotFound = "NOT_FOUND", "The thing that was named does not exist.";
    Conflict = "CONFLICT", "The state of things forbids it, for instance because it exists already.";
    PermissionDenied = "PERMISSION_DENIED", "The caller is known and may not do this.";
    AuthRequired = "AUTH_REQUIRED", "Credentials are missing, expired or not valid.";
    PaymentRequired = "PAYMENT_REQUIRED", "A payment or a quota prevents the call.";
    Timeout = "TIMEOUT", "It ran out of time; some of the work may be done.";
    RateLimited = "RATE_LIMITED", "Too many calls; wait and call again.";
    Unavailable = "UNAVAILABLE", "Something it needs cannot be reached now.";
    Redirected = "REDIRECTED", "The command has moved; the error names its replacement.";
}

impl Exit {
    /// The class of that name.
    pub fn from_name(name: &str) -> Option<Exit> {
        Exit::ALL.iter().copied().find(|exit| exit.name() == name)
    }

    /// Whether it is success.
    pub fn is_success(self) -> bool {
        self == Exit::Success
    }
}

impl Serialize for Exit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

names! {
    /// Whether calling again can help.
    Retry {
        /// It need not: it succeeded.
        NotNeeded = "not-needed",
        /// The same call may work.
        Yes = "yes",
        /// It depends on what the error says.
        Depends = "depends",
        /// Only after something is corrected.
        AfterFix = "after-fix",
        /// It will not work.
        No = "no",
    }
}

names! {
    /// What the call may have changed before it ended.
    Effects {
        /// Everything it set out to.
        Complete = "complete",
        /// Nothing.
        None = "none",
        /// Some of it.
        Partial = "partial",
        /// It is not known.
        Unknown = "unknown",
    }
}

names! {
    /// What a table's failing numbers say about the class.
    Grain {
        /// Each number is a class of its own.
        Fine = "fine",
        /// One number covers many classes, and the error's code says which.
        Coarse = "coarse",
    }
}

/// One line of a table: a number, its class and what a caller may conclude.
#[derive(Clone, Copy, Debug)]
pub struct ExitRow {
    /// The number.
    pub status: i32,
    /// The class.
    pub exit: Exit,
    /// Whether calling again can help.
    pub retry: Retry,
    /// What may have changed.
    pub effects: Effects,
}

/// A dialect's numbers.
#[derive(Debug)]
pub struct ExitTable {
    /// The lines, by number.
    pub rows: &'static [ExitRow],
    /// The numbers for classes without a line of their own; any other is the general error's.
    pub nearest: &'static [(Exit, i32)],
    /// What the numbers say.
    pub grain: Grain,
    /// Whether a run that a signal ended may say so with 128 and the signal's number, as shells do.
    pub signals: bool,
}

impl ExitTable {
    /// The tables of most dialects, but for their lines: classes without one have the general error's number.
    pub const COARSE: ExitTable =
        ExitTable { rows: &[], nearest: &[], grain: Grain::Coarse, signals: false };

    /// The line of a number.
    pub fn row(&self, status: i32) -> Option<&'static ExitRow> {
        self.rows.iter().find(|row| row.status == status)
    }

    /// The number of a class, or the nearest that the table has.
    pub fn status(&self, exit: Exit) -> i32 {
        let own = self.rows.iter().find(|row| row.exit == exit).map(|row| row.status);
        let nearest = || self.nearest.iter().find(|(class, _)| *class == exit).map(|(_, n)| *n);
        own.or_else(nearest).unwrap_or(1)
    }

    /// The number of a run that a signal ended.
    pub fn interrupted(&self, signal: i32) -> i32 {
        if self.signals { 128 + signal } else { self.status(Exit::General) }
    }

    /// What a caller may conclude from a class. A class that only an error's code states, because
    /// the table has no number for it, means what its name says; but a service that could not be
    /// reached may have been reached once before.
    pub fn conclude(&self, exit: Exit) -> (Retry, Effects) {
        let of_class = |row: &&ExitRow| row.exit == exit;
        if let Some(row) = self.rows.iter().find(of_class) {
            return (row.retry, row.effects);
        }
        match RESPONSE_ENVELOPE_1_6.rows.iter().find(of_class) {
            Some(row) if exit == Exit::Unavailable => (row.retry, Effects::Unknown),
            Some(row) => (row.retry, row.effects),
            None => (Retry::Depends, Effects::Unknown),
        }
    }
}

/// One line, for tables that are written as lists of them.
pub(crate) const fn row(status: i32, exit: Exit, retry: Retry, effects: Effects) -> ExitRow {
    ExitRow { status, exit, retry, effects }
}

/// The lines on which both revisions of the response envelope agree, from number 4 on up.
macro_rules! response_envelope_table {
    ($two:expr, $three:expr, $precondition:expr, $fixable:expr, $timeout:expr, $redirected:expr) => {
        ExitTable {
            rows: &[
                row(0, Exit::Success, Retry::NotNeeded, Effects::Complete),
                row(1, Exit::General, Retry::Depends, Effects::Unknown),
                $two,
                $three,
                row(4, Exit::Precondition, $precondition, Effects::None),
                row(5, Exit::NotFound, Retry::No, Effects::None),
                row(6, Exit::Conflict, Retry::No, Effects::None),
                row(7, Exit::PermissionDenied, Retry::No, Effects::None),
                row(8, Exit::AuthRequired, $fixable, Effects::None),
                row(9, Exit::PaymentRequired, $fixable, Effects::None),
                row(10, Exit::Timeout, $timeout, Effects::Partial),
                row(11, Exit::RateLimited, Retry::Yes, Effects::None),
                row(12, Exit::Unavailable, Retry::Yes, Effects::None),
                row(13, Exit::Redirected, $redirected, Effects::None),
            ],
            nearest: &[],
            grain: Grain::Fine,
            signals: true,
        }
    };
}

/// The first revision: `PARTIAL_FAILURE` is 2 and `ARG_ERROR` is 3.
pub static RESPONSE_ENVELOPE_1_0: ExitTable = response_envelope_table!(
    row(2, Exit::PartialFailure, Retry::No, Effects::Partial),
    row(3, Exit::ArgError, Retry::Yes, Effects::None),
    Retry::Depends,
    Retry::AfterFix,
    Retry::Yes,
    Retry::Yes
);

/// The public specification today: `ARG_ERROR` is 2 and `PARTIAL_FAILURE` is 3.
pub static RESPONSE_ENVELOPE_1_6: ExitTable = response_envelope_table!(
    row(2, Exit::ArgError, Retry::AfterFix, Effects::None),
    row(3, Exit::PartialFailure, Retry::No, Effects::Partial),
    Retry::AfterFix,
    Retry::AfterFix,
    Retry::Depends,
    Retry::AfterFix
);

/// Codes that are ours to report, in one table: an enum with every name, exit class and meaning.
#[doc(hidden)]
#[macro_export]
macro_rules! codes {
    ($(#[$doc:meta])* pub enum $type:ident {
        $($name:ident = $code:literal, $exit:ident, $meaning:literal;)*
    }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $type { $(#[doc = $meaning] $name,)* }

        impl $type {
            /// Every one of them.
            pub const ALL: &'static [$type] = &[$($type::$name,)*];

            /// The stable code.
            pub fn name(self) -> &'static str {
                match self { $($type::$name => $code,)* }
            }

            /// Its exit class.
            pub fn exit(self) -> $crate::Exit {
                match self { $($type::$name => $crate::Exit::$exit,)* }
            }

            /// What it means.
            pub fn meaning(self) -> &'static str {
                match self { $($type::$name => $meaning,)* }
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_revisions_swap_two_and_three() {
        let class = |table: &ExitTable, status| table.row(status).map(|row| row.exit);
        assert_eq!(class(&RESPONSE_ENVELOPE_1_0, 2), Some(Exit::PartialFailure));
        assert_eq!(class(&RESPONSE_ENVELOPE_1_0, 3), Some(Exit::ArgError));
        assert_eq!(class(&RESPONSE_ENVELOPE_1_6, 2), Some(Exit::ArgError));
        assert_eq!(class(&RESPONSE_ENVELOPE_1_6, 3), Some(Exit::PartialFailure));
    }

    #[test]
    fn every_class_has_a_number_in_every_table() {
        for table in crate::DIALECTS.iter().map(|dialect| dialect.table().exits) {
            for &exit in Exit::ALL {
                assert_eq!(table.status(exit) == 0, exit.is_success());
                assert!(table.row(table.status(exit)).is_some());
            }
        }
    }

    #[test]
    fn names_lead_back_to_their_class() {
        for &exit in Exit::ALL {
            assert_eq!(Exit::from_name(exit.name()), Some(exit));
        }
    }
}
