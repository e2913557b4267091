//! What `manila scan` makes of the records: counts, a list of violations, and files of good and bad
//! ones.

pub(crate) mod answer;
pub(crate) mod excerpt;
pub(crate) mod list;
pub(crate) mod output_file;
pub(crate) mod report;
pub(crate) mod sarif;
pub(crate) mod sink;
pub(crate) mod tally;
