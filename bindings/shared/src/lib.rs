//! What the packages for Python and Node have in common: options come in as JSON, answers go out as JSON, and
//! bytes stay bytes. Neither package decides anything by itself.

mod answer;
mod call;
mod checked;
mod error;
mod source;

pub use answer::{convert, convert_envelope, decide, effects, effects_of_line, open};
pub use call::Call;
pub use checked::{CheckOptions, Checked, check};
pub use error::Error;

/// Anything that serde can write, as JSON.
pub fn to_json(value: &impl serde::Serialize) -> Result<String, Error> {
    Ok(serde_json::to_string(value)?)
}
