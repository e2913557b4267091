//! How a policy is written down: times as people write them, dialects by their id, commands as lists of arguments.

use super::Trust;
use crate::duration;
use crate::invocation::Invocation;
use manila::Dialect;
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::time::Duration;

fn parse_time<E: Error>(text: &str) -> Result<Duration, E> {
    duration::parse(text)
        .ok_or_else(|| E::custom(format!("{text:?} is not {}", duration::EXPECTED)))
}

/// Times: `30s`, `5m`.
pub(crate) mod time {
    use super::{Deserialize, Deserializer, Duration, Serializer, duration, parse_time};

    pub(crate) fn serialize<S: Serializer>(time: &Duration, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&duration::format(*time))
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Duration, D::Error> {
        parse_time(&String::deserialize(from)?)
    }
}

/// Times that may be left out.
pub(crate) mod time_limit {
    use super::{Deserialize, Deserializer, Duration, Serializer, duration, parse_time};

    #[expect(clippy::ref_option, reason = "serde passes the field by reference")]
    pub(crate) fn serialize<S: Serializer>(
        time: &Option<Duration>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        match time {
            Some(time) => to.serialize_some(&duration::format(*time)),
            None => to.serialize_none(),
        }
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Duration>, D::Error> {
        Option::<String>::deserialize(from)?.as_deref().map(parse_time).transpose()
    }
}

/// A dialect by its id.
pub(crate) mod dialect {
    use super::{Deserialize, Deserializer, Dialect, Error, Serialize, Serializer};

    #[expect(clippy::ref_option_ref, reason = "serde passes the field by reference")]
    pub(crate) fn serialize<S: Serializer>(
        dialect: &Option<&'static dyn Dialect>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        dialect.map(<dyn Dialect>::id).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<&'static dyn Dialect>, D::Error> {
        let known = |id: String| {
            manila::dialect(&id).ok_or_else(|| {
                let ids: Vec<&str> =
                    manila::every_dialect().map(<dyn manila::Dialect>::id).collect();
                D::Error::custom(format!("{id:?} is not a dialect: they are {}", ids.join(", ")))
            })
        };
        Option::<String>::deserialize(from)?.map(known).transpose()
    }
}

/// A command as its arguments. The rest of the invocation is not written down.
pub(crate) mod command {
    use super::{Deserialize, Deserializer, Error, Invocation, Serialize, Serializer};

    #[expect(clippy::ref_option, reason = "serde passes the field by reference")]
    pub(crate) fn serialize<S: Serializer>(
        command: &Option<Invocation>,
        to: S,
    ) -> Result<S::Ok, S::Error> {
        command.as_ref().map(Invocation::argv_lossy).serialize(to)
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<Invocation>, D::Error> {
        let Some(argv) = Option::<Vec<String>>::deserialize(from)? else { return Ok(None) };
        let [program, arguments @ ..] = argv.as_slice() else {
            return Err(D::Error::custom("a command has at least one word"));
        };
        Ok(Some(Invocation::new(program).args(arguments)))
    }
}

/// Whose redirects are followed. `Ask` cannot be written down; then no redirects are followed.
pub(crate) mod trust {
    use super::{Deserialize, Deserializer, Error, Serializer, Trust};

    pub(crate) fn serialize<S: Serializer>(trust: &Trust, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(match trust {
            Trust::Never | Trust::Ask(_) => "never",
            Trust::SameProgram => "same-program",
            Trust::Any => "any",
        })
    }

    pub(crate) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Trust, D::Error> {
        match String::deserialize(from)?.as_str() {
            "never" => Ok(Trust::Never),
            "same-program" => Ok(Trust::SameProgram),
            "any" => Ok(Trust::Any),
            other => Err(D::Error::unknown_variant(other, &["never", "same-program", "any"])),
        }
    }
}
