//! What a program promises: its dialect, its kinds of payload and its codes, from the program itself.

use crate::app::builtin::schema_of;
use crate::call::Call;
use manila::{
    Content, Defaults, DialectWriter, Envelope, ErrorObject, Exit, Options, Status, Transcript,
};
use serde::Deserialize;
use serde_json::Value;

/// What a program promises, as far as it is known.
#[derive(Debug)]
pub(super) struct Contract {
    pub(super) dialect: &'static dyn DialectWriter,
    /// Every kind of payload; `None` if the program does not say.
    pub(super) kinds: Option<Vec<Kind>>,
    /// Every code; `None` if the program does not say.
    pub(super) codes: Option<Vec<Code>>,
}

/// A kind of payload and its schema.
#[derive(Debug, Deserialize)]
pub(super) struct Kind {
    pub(super) name: String,
    pub(super) schema: Value,
}

/// A code, its class, and its number: its own, or that of the class in the dialect.
#[derive(Debug)]
pub(super) struct Code {
    pub(super) name: String,
    pub(super) exit: Exit,
    pub(super) status: i32,
}

impl Contract {
    /// What the program of a call declares.
    pub(super) fn new(call: &Call) -> Contract {
        let kinds = call.setup.all_kinds();
        let kinds = kinds.iter().map(|kind| {
            let schema = schema_of(&[*kind]).map_or(Value::Bool(true), Value::from);
            Kind { name: kind.name.to_owned(), schema }
        });
        let codes = call.setup.every_declared();
        let codes = codes.iter().map(|declared| Code {
            name: declared.code.to_owned(),
            exit: declared.exit,
            status: declared.status.map_or_else(|| call.dialect.status(declared.exit), i32::from),
        });
        Contract {
            dialect: call.dialect,
            kinds: Some(kinds.collect()),
            codes: Some(codes.collect()),
        }
    }

    /// What a dialect alone promises.
    pub(super) fn of_dialect(dialect: &'static dyn DialectWriter) -> Contract {
        Contract { dialect, kinds: None, codes: None }
    }

    /// The codes that are written like this: some dialects have only a few of their own, and there a
    /// code stands for many.
    pub(super) fn codes_written(&self, written: &str) -> Vec<&Code> {
        let is_it = |code: &&Code| self.spellings(code).iter().any(|spelling| spelling == written);
        self.codes.iter().flatten().filter(is_it).collect()
    }

    /// How the dialect writes a code, found by writing one.
    fn spellings(&self, code: &Code) -> Vec<String> {
        // Whether the thing that does not exist is named can make a difference.
        let named = [None, Some("name".to_owned())];
        named.into_iter().filter_map(|missing| self.spelling(code, missing)).collect()
    }

    fn spelling(&self, code: &Code, missing: Option<String>) -> Option<String> {
        let failure =
            ErrorObject { retryable: Some(false), ..ErrorObject::new(code.name.clone(), "any") };
        let content = Content { error: Some(failure), missing, ..Content::default() };
        let envelope = Envelope::new(code.exit, content).ok()?;
        let written = manila::write(&envelope, self.dialect, &Defaults::default());
        // Where a document stands does not matter when its dialect is named.
        let transcript = Transcript::from_stdout(written.document, Status::Exited(written.status));
        let dialect = manila::dialect(self.dialect.id());
        let options = Options { dialect, ..Options::default() };
        let opened = manila::open(&transcript, &options).ok()?;
        opened.envelope.error().map(|error| error.code.clone())
    }

    /// Whether a code is a mistake in the arguments here, because it sends the caller elsewhere and
    /// the dialect has no number for that.
    pub(super) fn refuses(&self, code: &Code) -> bool {
        let rows = self.dialect.table().exits.rows;
        code.exit == Exit::Redirected && !rows.iter().any(|row| row.exit == Exit::Redirected)
    }
}

/// What a program says about itself with `--schema`. A part that it does not say is not known.
#[derive(Debug, Deserialize)]
pub(super) struct Stated {
    dialect: Option<String>,
    types: Option<Vec<Kind>>,
    codes: Option<Vec<StatedCode>>,
}

#[derive(Debug, Deserialize)]
struct StatedCode {
    code: String,
    exit: String,
    status: i32,
}

impl Stated {
    /// The dialect that it names.
    pub(super) fn dialect(&self) -> Option<&'static dyn DialectWriter> {
        let named = manila::dialect(self.dialect.as_deref()?)?;
        Some(named)
    }

    pub(super) fn into_contract(self, dialect: &'static dyn DialectWriter) -> Contract {
        let code = |stated: StatedCode| {
            let exit = Exit::from_name(&stated.exit).unwrap_or(Exit::General);
            Code { name: stated.code, exit, status: stated.status }
        };
        let codes = self.codes.map(|codes| codes.into_iter().map(code).collect());
        Contract { dialect, kinds: self.types, codes }
    }
}
