//! Pages of a longer list: the flags that choose one, and the reply that is one.

use crate::reply::Paged;
use clap::Args;
use manila::json::{Raw, SerializeError};
#[cfg(feature = "schema")]
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Serialize, Serializer};
#[cfg(feature = "schema")]
use std::borrow::Cow;

/// How many items a page has by default.
pub const DEFAULT_LIMIT: usize = 20;

/// `--limit` and `--cursor`; flatten it into the arguments of a command that lists.
///
/// ```
/// use manila_clap::{Page, PageArgs};
///
/// #[derive(clap::Args)]
/// struct List {
///     #[command(flatten)]
///     page: PageArgs,
/// }
///
/// fn list(list: &List) -> Page<u32> {
///     list.page.paginate((1..=100).collect())
/// }
/// ```
#[derive(Clone, Debug, Default, Args)]
// Else what is said here would become the help of the command that takes it in.
#[command(about = None, long_about = None)]
pub struct PageArgs {
    /// How many items to answer with; 0 for all
    #[arg(long, value_name = "N", default_value_t = DEFAULT_LIMIT)]
    limit: usize,

    /// Where to continue: the cursor of the previous page
    #[arg(long, value_name = "CURSOR", value_parser = offset)]
    cursor: Option<usize>,
}

/// A cursor names the first item that was not shown. It holds no state, and it needs no escaping.
fn offset(cursor: &str) -> Result<usize, String> {
    let number = cursor.strip_prefix("at-").and_then(|number| number.parse().ok());
    number.ok_or_else(|| "not a cursor of this program; take it from the answer before".to_owned())
}

impl PageArgs {
    /// The page of a list that is asked for. The list must be in the same order each time.
    pub fn paginate<T>(&self, items: Vec<T>) -> Page<T> {
        let total = items.len();
        let start = self.cursor.unwrap_or(0).min(total);
        let limit = if self.limit == 0 { total } else { self.limit };
        let items: Vec<T> = items.into_iter().skip(start).take(limit).collect();
        Page { items, total: Some(total), more: More::Counted { start } }
    }

    /// How many items are asked for; nothing means all.
    pub fn limit(&self) -> Option<usize> {
        Some(self.limit).filter(|limit| *limit > 0)
    }

    /// The first item that is asked for.
    pub fn start(&self) -> usize {
        self.cursor.unwrap_or(0)
    }
}

/// One page of a longer list. Its payload is the list of items; the answer's `meta` says what it is
/// a page of: `truncated`, `cursor`, and how many were returned of how many.
#[derive(Clone, Debug)]
pub struct Page<T> {
    /// The items.
    pub items: Vec<T>,
    total: Option<usize>,
    more: More,
}

#[derive(Clone, Debug)]
enum More {
    /// The items were counted off a list that is known to its end.
    Counted { start: usize },
    /// The source of the items keeps the place.
    Elsewhere(Option<String>),
}

impl<T> Page<T> {
    /// A page from a service that has cursors of its own.
    pub fn from_service(items: Vec<T>, total: Option<usize>, next: Option<String>) -> Page<T> {
        Page { items, total, more: More::Elsewhere(next) }
    }
}

impl<T: Serialize> Paged for Page<T> {
    fn returned(&self) -> usize {
        self.items.len()
    }

    fn total(&self) -> Option<usize> {
        self.total
    }

    fn next(&self) -> Option<String> {
        match &self.more {
            More::Counted { start } => {
                let end = start + self.items.len();
                self.total.is_some_and(|total| end < total).then(|| format!("at-{end}"))
            }
            More::Elsewhere(next) => next.clone(),
        }
    }

    fn cut(&self, items: usize) -> Option<(Result<Raw, SerializeError>, String)> {
        let More::Counted { start } = self.more else { return None };
        let kept = self.items.get(..items)?;
        Some((Raw::from_serialize(kept), format!("at-{}", start + items)))
    }
}

impl<T: Serialize> Serialize for Page<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.items.serialize(serializer)
    }
}

#[cfg(feature = "schema")]
impl<T: JsonSchema> JsonSchema for Page<T> {
    fn schema_name() -> Cow<'static, str> {
        Vec::<T>::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        Vec::<T>::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        Vec::<T>::json_schema(generator)
    }

    fn inline_schema() -> bool {
        Vec::<T>::inline_schema()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(limit: usize, cursor: Option<&str>) -> Page<u32> {
        let cursor = cursor.map(|cursor| offset(cursor).expect("a cursor"));
        PageArgs { limit, cursor }.paginate((0..45).collect())
    }

    #[test]
    fn walking_the_pages_meets_every_item_once() {
        let (mut seen, mut cursor) = (Vec::new(), None);
        loop {
            let page = page(20, cursor.as_deref());
            seen.extend(page.items.iter().copied());
            cursor = page.next();
            if cursor.is_none() {
                break;
            }
        }
        assert_eq!(seen, (0..45).collect::<Vec<_>>());
    }

    #[test]
    fn no_limit_is_one_page_and_too_far_is_an_empty_one() {
        assert_eq!(page(0, None).returned(), 45);
        assert_eq!(page(0, None).next(), None);
        assert_eq!((page(20, Some("at-99")).returned(), page(20, Some("at-99")).next()), (0, None));
    }

    // proves: O-003
    #[test]
    fn a_foreign_cursor_is_refused() {
        for cursor in ["", "99", "at-", "at--1", "AT-1", "at-1 "] {
            assert!(offset(cursor).is_err(), "{cursor:?}");
        }
    }

    #[test]
    fn a_page_that_is_cut_leads_on_from_where_it_was() {
        let (data, cursor) = page(20, Some("at-20")).cut(3).expect("can be cut");
        assert_eq!(data.expect("serialises").as_str(), "[20,21,22]");
        assert_eq!(cursor, "at-23");
    }
}
