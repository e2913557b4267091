//! The laws of dialect files: what holds for every text that is loaded as one.

use manila::dialect_file::{load, save};

/// A text that is not a dialect is rejected with a place in it; one that is survives being saved.
///
/// # Panics
///
/// When a law is broken.
pub fn file(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    match load(&text) {
        Ok(dialect) => {
            let saved = save(dialect.table());
            let again = load(&saved).unwrap_or_else(|error| panic!("{error}\n{saved}"));
            assert_eq!(save(again.table()), saved);
            assert!(dialect.table().json_schema().is_object());
        }
        Err(error) => {
            assert!(error.line >= 1 && error.line <= text.matches('\n').count() + 1, "{error}");
            assert!(error.column >= 1 && !error.message.is_empty(), "{error}");
        }
    }
}
