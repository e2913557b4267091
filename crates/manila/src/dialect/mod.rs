//! The dialects, one file each, and the table of them.
//!
//! A new dialect is a new file in this directory with its table, its page beside it, and one line in
//! the list of [`DIALECTS`]; nothing else changes.

mod acli_0_5;
mod aclif_1_0;
mod agcli_0_19;
mod animus_1;
mod basecamp_1;
mod cargo_1;
mod claude_2;
mod claw_1_0;
mod claw_2_0;
mod clispec_0_3;
mod codex_0;
mod deel_1;
mod gemini_0;
mod google_1;
mod i18nprune_1;
mod incur_0_7;
mod jsonrpc_2_0;
mod kubernetes_1;
mod mcp_2025_11_25;
mod npm_11;
mod oclif_4;
mod paperfoot_1;
mod pingcli_1_1;
mod response_envelope_1_0;
mod response_envelope_1_6;
mod rfc9457_1;
mod rustc_1;
mod sf_13;
mod td_1;
mod terraform_1;
mod terraform_ui_1;
mod vercel_1;

use crate::envelope::{Content, Envelope};
use crate::exit::Exit;
use crate::json::{Document, ObjectWriter, Raw};
use crate::mark;
use crate::table::{self, Claims, Defaults, Fields, Form, Match, Table};
use std::fmt;

macro_rules! dialects {
    (written { $($name:ident = $dialect:expr;)* } read { $($other:expr;)* }) => {
        /// Every built-in dialect. Equally sure matches of different dialects are all only possible,
        /// whatever the order.
        pub static DIALECTS: &[&dyn Dialect] = &[$(&$dialect,)* $(&TableDialect($other),)*];

        /// The dialects that programs built with `manila-clap` write, by name: such a program carries
        /// the one that it speaks and no other.
        pub mod dialects {
            use super::*;

            /// All of them; the first of [`DIALECTS`].
            pub static WRITTEN: &[&dyn Dialect] = &[$(&$dialect,)*];

            $(
                #[doc = concat!("The dialect of the module `", stringify!($name), "`, in capitals.")]
                pub static $name: &dyn DialectWriter = &$dialect;
            )*
        }
    };
}

dialects! {
    written {
        RESPONSE_ENVELOPE_1_0 = response_envelope_1_0::ResponseEnvelope10;
        RESPONSE_ENVELOPE_1_6 = response_envelope_1_6::ResponseEnvelope16;
        ANIMUS_1 = TableDialect(&animus_1::TABLE);
        CLAW_1_0 = claw_1_0::Claw10;
        CLAW_2_0 = claw_2_0::Claw20;
        TD_1 = TableDialect(&td_1::TABLE);
        I18NPRUNE_1 = TableDialect(&i18nprune_1::TABLE);
    }
    read {
        &acli_0_5::TABLE;
        &aclif_1_0::TABLE;
        &agcli_0_19::TABLE;
        &basecamp_1::TABLE;
        &cargo_1::TABLE;
        &claude_2::TABLE;
        &clispec_0_3::TABLE;
        &codex_0::TABLE;
        &deel_1::TABLE;
        &gemini_0::TABLE;
        &google_1::TABLE;
        &incur_0_7::TABLE;
        &jsonrpc_2_0::TABLE;
        &kubernetes_1::TABLE;
        &mcp_2025_11_25::TABLE;
        &npm_11::TABLE;
        &oclif_4::TABLE;
        &paperfoot_1::TABLE;
        &pingcli_1_1::TABLE;
        &rfc9457_1::TABLE;
        &rustc_1::TABLE;
        &sf_13::TABLE;
        &terraform_1::TABLE;
        &terraform_ui_1::TABLE;
        &vercel_1::TABLE;
    }
}

/// A dialect as a program knows it that only writes it. Programs that only write do not link what
/// reading takes.
pub trait DialectWriter: Sync {
    /// Everything about it that is not code.
    fn table(&self) -> &'static Table;

    /// Writes an envelope's document, leaving out what the dialect cannot say.
    fn write(&self, envelope: &Envelope, defaults: &Defaults, document: &mut ObjectWriter<'_>);
}

/// One way to write an envelope: those in [`DIALECTS`], and those that are loaded from files.
///
/// ```
/// let td = manila::dialect("td/1").expect("it is built in");
/// assert_eq!(td.id(), "td/1");
/// assert!(manila::DIALECTS.iter().any(|dialect| dialect.id() == "kubernetes/1"));
/// ```
pub trait Dialect: DialectWriter {
    /// Whether a document is one of its envelopes; from its keys alone, never from its payload.
    fn detect(&self, document: &Document<'_, '_>) -> Option<Match>;

    /// Takes a document apart.
    #[doc(hidden)]
    fn open(&self, top: Fields<'_, '_>) -> (Content, Claims);

    /// Whether its table says everything, so that no code reads or writes it.
    fn is_only_a_table(&self) -> bool {
        false
    }
}

/// A dialect that its table describes completely.
pub struct TableDialect(pub &'static Table);

impl DialectWriter for TableDialect {
    fn table(&self) -> &'static Table {
        self.0
    }

    fn write(&self, envelope: &Envelope, defaults: &Defaults, document: &mut ObjectWriter<'_>) {
        table::write(self.0, envelope, defaults, document);
    }
}

impl Dialect for TableDialect {
    fn detect(&self, document: &Document<'_, '_>) -> Option<Match> {
        table::detect(self.0, document)
    }

    fn open(&self, top: Fields<'_, '_>) -> (Content, Claims) {
        table::open(self.0, top)
    }

    fn is_only_a_table(&self) -> bool {
        true
    }
}

macro_rules! known_by_its_id {
    ($($view:ident)*) => {$(
        impl dyn $view + '_ {
            /// Its name and revision, such as `animus/1`.
            pub fn id(&self) -> &'static str {
                self.table().id
            }

            /// How such an outcome is written.
            pub fn form(&self, ok: bool) -> Form {
                self.table().form(ok)
            }

            /// The number of a class.
            pub fn status(&self, exit: Exit) -> i32 {
                self.table().exits.status(exit)
            }
        }

        impl fmt::Debug for dyn $view + '_ {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.id())
            }
        }
    )*};
}

known_by_its_id! { DialectWriter Dialect }

/// Whether the members of a payload can stand at the top of a document without being taken for its
/// outcome or for a page of a list.
fn is_plain_payload(data: &Raw) -> bool {
    let value = data.value();
    mark::of_value(value).is_none() && !value.members().any(|it| it.is("pagination"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test compares the table with the directory")]
    fn the_table_and_the_dir_agree() {
        let dir = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/dialect");
        let files: BTreeSet<String> = std::fs::read_dir(dir)
            .expect("the directory of this file")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .filter(|name| name != "mod.rs" && !name.ends_with(".schema.json"))
            .collect();
        let expected: BTreeSet<String> = DIALECTS
            .iter()
            .map(|dialect| dialect.id().replace(['/', '-', '.'], "_"))
            .flat_map(|stem| [".rs", ".md"].map(|end| format!("{stem}{end}")))
            .collect();
        assert_eq!(files, expected);
    }

    #[test]
    fn every_summary_fits_a_line_of_the_list() {
        for dialect in DIALECTS {
            assert!(dialect.table().summary.len() <= 57, "{}", dialect.table().summary);
        }
    }

    #[test]
    fn every_page_begins_with_its_dialect() {
        for dialect in DIALECTS {
            assert!(dialect.table().page.starts_with(&format!("# {}\n", dialect.id())));
        }
    }
}
