//! What is written where: the answer on stdout, messages on stderr, and never nothing.

pub(super) mod answer_on_stderr;
pub(super) mod answers_on_both;
pub(super) mod empty_success;
pub(super) mod prose_beside_error;
pub(super) mod quiet_ignored;
pub(super) mod silent_failure;
pub(super) mod stack_trace;
pub(super) mod update_notice;
pub(super) mod update_notice_on_stderr;

use crate::observe::reading::Reading;
use crate::observe::text_kind;
use manila::Transcript;
use manila::json::{Limits, Reader};
use std::ops::Range;

/// The last document of a stream that is not a log record, and what it says.
fn last_answer(bytes: &[u8], documents: &[Range<usize>]) -> Option<(Range<usize>, Reading)> {
    let mut reader = Reader::new(Limits::default());
    let span = documents.iter().rfind(|span| {
        let document = reader.read_at(bytes, span.start);
        document.is_ok_and(|it| !text_kind::is_log_record(it.root()))
    })?;
    let alone = Transcript { stdout: bytes[span.clone()].to_vec(), ..Transcript::default() };
    Some((span.clone(), Reading::of(&alone)))
}
