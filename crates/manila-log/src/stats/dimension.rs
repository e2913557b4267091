//! What records can be grouped by: one line each in the table.

use super::record_view::RecordView;
use std::borrow::Cow;
use std::fmt;

macro_rules! dimensions {
    ($($name:ident = $id:literal, $meaning:literal, $value:expr;)*) => {
        /// Something that records can be grouped by.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Dimension { $(#[doc = $meaning] $name,)* }

        /// Every dimension, in the order in which reports have them.
        pub static DIMENSIONS: &[Dimension] = &[$(Dimension::$name,)*];

        impl Dimension {
            /// Its name.
            pub fn id(self) -> &'static str {
                match self { $(Dimension::$name => $id,)* }
            }

            /// What it is, in a few words.
            pub fn meaning(self) -> &'static str {
                match self { $(Dimension::$name => $meaning,)* }
            }

            pub(crate) fn value<'g>(self, view: &'g RecordView<'_>) -> Option<Cow<'g, str>> {
                let value: fn(&'g RecordView<'_>) -> Option<Cow<'g, str>> = match self {
                    $(Dimension::$name => $value,)*
                };
                value(view)
            }
        }
    };
}

dimensions! {
    Dialect = "dialect", "the dialect", |it| Some(it.envelope.dialect.id().into());
    Program = "program", "the program that was run, where the record says", |it| it.program().map(Cow::Borrowed);
    Command = "command", "the command, or the kind of the answer", |it| it.command().map(Cow::Borrowed);
    Ok = "ok", "whether it succeeded", |it| Some(word(it.envelope.ok));
    Exit = "exit", "the class of the outcome", |it| Some(it.envelope.exit.name().into());
    Code = "code", "the code of the error", |it| it.envelope.code.as_deref().map(Cow::Borrowed);
    Operation = "operation", "what was attempted when it failed", |it| it.verdict.operation();
    Target = "target", "what it failed on", |it| it.verdict.target();
    Retryable = "retryable", "whether the error says that calling again can help", |it| it.verdict.retryable().map(word);
    Day = "day", "the day in UTC", |it| it.day().map(Cow::Owned);
    Hour = "hour", "the hour in UTC", |it| it.hour().map(Cow::Owned);
}

fn word(truth: bool) -> Cow<'static, str> {
    if truth { "true" } else { "false" }.into()
}

impl Dimension {
    /// The dimension of that name.
    pub fn from_id(id: &str) -> Option<Dimension> {
        DIMENSIONS.iter().copied().find(|dimension| dimension.id() == id)
    }

    /// Whether it is looked at unless others are asked for: those of time have a timeline.
    pub(crate) fn is_usual(self) -> bool {
        !matches!(self, Dimension::Day | Dimension::Hour)
    }
}

impl fmt::Display for Dimension {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.id())
    }
}
