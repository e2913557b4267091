//! Any clap program answers in one stable envelope.
mod app;
mod builtin;
mod call;
mod code;
mod contract;
mod failure;
mod flag;
mod frame;
mod input;
mod mode;
mod page;
mod panic;
mod reply;
mod screen;
mod seal;
mod secret;
mod setup;
mod sys;
#[cfg(feature = "testing")]
pub mod testing;
mod text;
mod usage;

pub use app::{App, List, Listed, Unlisted};
pub use call::{Call, Cancelled, Effect};
pub use code::Code;
pub use contract::{Danger, Migration, Spec, Stage};
pub use failure::{Declared, Failure, IntoText, Problem};
pub use frame::{Stream, Streamed};
pub use input::InputRequired;
pub use manila::{Exit, Issue, Phase, Severity, dialects};
pub use manila_derive::{Failure, Reply};
pub use mode::Mode;
pub use page::{DEFAULT_LIMIT, Page, PageArgs};
pub use reply::{Done, Kind, Paged, Reply, Shape};
pub use screen::Screen;
pub use secret::{REDACTED, Secret};

/// What the derives name; not for anybody else.
#[doc(hidden)]
pub mod derive {
    pub use crate::reply::data_of;
    pub use manila::json::Raw;
    pub use serde_json::Result;
}
