//! Enums whose values have names: in JSON, in files and in messages.

use std::fmt;

/// A name that is not in a closed set, such as the names of [`Severity`](crate::Severity).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownName;

impl fmt::Display for UnknownName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown name")
    }
}

impl std::error::Error for UnknownName {}

/// Declares an enum with its names: `ALL`, `as_str`, `FromStr` and `Serialize`.
macro_rules! names {
    ($(#[$doc:meta])* $type:ident { $($(#[$variant_doc:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum $type { $($(#[$variant_doc])* $variant,)* }

        impl $type {
            /// Every value.
            pub const ALL: &'static [$type] = &[$($type::$variant,)*];

            /// Its name.
            pub fn as_str(self) -> &'static str {
                match self { $($type::$variant => $name,)* }
            }
        }

        impl std::str::FromStr for $type {
            type Err = $crate::UnknownName;

            fn from_str(name: &str) -> Result<Self, Self::Err> {
                let found = Self::ALL.iter().copied().find(|value| value.as_str() == name);
                found.ok_or($crate::UnknownName)
            }
        }

        impl<'a> From<&'a $type> for $crate::json::Scalar<'a> {
            fn from(value: &'a $type) -> Self {
                $crate::json::Scalar::Text(value.as_str())
            }
        }

        impl serde::Serialize for $type {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.serialize_str(self.as_str())
            }
        }
    };
}
pub(crate) use names;
