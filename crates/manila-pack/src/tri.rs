//! Three-valued logic: a condition holds, does not hold, or may hold.
//!
//! Which words of a call are options and which are values of options is not always known. A condition
//! that depends on it is neither true nor false, and the caller of this module assumes the worse.

/// Whether a condition holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tri {
    No,
    Maybe,
    Yes,
}

impl Tri {
    pub(crate) fn and(self, other: Tri) -> Tri {
        self.min(other)
    }

    pub(crate) fn or(self, other: Tri) -> Tri {
        self.max(other)
    }

    pub(crate) fn not(self) -> Tri {
        match self {
            Tri::No => Tri::Yes,
            Tri::Maybe => Tri::Maybe,
            Tri::Yes => Tri::No,
        }
    }

    /// At most `Maybe`.
    pub(crate) fn weakened(self) -> Tri {
        self.min(Tri::Maybe)
    }
}

impl From<bool> for Tri {
    fn from(holds: bool) -> Tri {
        if holds { Tri::Yes } else { Tri::No }
    }
}
