//! How many bytes of data an answer may have, and what happens to those that have more.

use crate::call::Call;
use crate::reply::Paged;
use crate::secret;
use crate::variable::Variable;
use manila::DialectWriter;
use manila::json::{Raw, SerializeError};

/// That data are missing because there are too many of them.
pub(crate) fn left_out(data: Option<&Raw>, most: usize) -> String {
    let bytes = data.map_or(0, |data| data.as_str().len());
    format!(
        "the data have {bytes} bytes and were left out: {most} are allowed, ask for less or allow more"
    )
}

/// How many bytes of data the answer may have, if the caller set a limit. A dialect without a place
/// for a cursor has none: the answer could not say that there is more.
pub(crate) fn most_bytes(call: &Call, dialect: &dyn DialectWriter, data: &Raw) -> Option<usize> {
    if dialect.table().has_meta { wanted(call, data) } else { None }
}

/// That a limit has no effect, because the dialect could not say that data were left out.
pub(crate) fn without_effect(
    call: &Call,
    dialect: &dyn DialectWriter,
    data: &Raw,
) -> Option<String> {
    let bytes = data.as_str().len();
    let most = wanted(call, data).filter(|most| !dialect.table().has_meta && bytes > *most)?;
    let id = dialect.id();
    Some(format!(
        "the data have {bytes} bytes although {most} are allowed: {id} has no place for a cursor"
    ))
}

fn wanted(call: &Call, data: &Raw) -> Option<usize> {
    // Hardly anything is so long that the environment must be asked.
    let is_long = data.as_str().len() > 128;
    let variable = || {
        let (of, environment) = (Variable::MaxOutputBytes, &call.environment);
        call.setup.variable(of, environment, &call.program.name)
    };
    call.max_bytes.or_else(|| is_long.then(variable)??.1.parse().ok())
}

/// Cuts a page that is too large; says how many items are left and where the rest begins.
pub(crate) fn cut(
    call: &Call,
    page: &dyn Paged,
    data: &mut Raw,
) -> Result<Option<(usize, String)>, SerializeError> {
    if !call.dialect.table().has_meta {
        return Ok(None);
    }
    let most = most_bytes(call, call.dialect, data).unwrap_or(call.setup.max_bytes);
    let mut items = page.returned();
    let mut cursor = None;
    while data.as_str().len() > most && items > 1 {
        // One item at least, or the cursor would never advance.
        let share = most.saturating_mul(items) / data.as_str().len();
        items = share.clamp(1, items - 1);
        let Some((cut, rest)) = page.cut(items) else { return Ok(None) };
        *data = secret::scrub_payload(cut?);
        cursor = Some((items, rest));
    }
    Ok(cursor)
}
