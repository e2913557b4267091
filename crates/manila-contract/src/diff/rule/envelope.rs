//! The rules about what surrounds the payload: dialect, version, kind, records, pages.

use super::{Family, Impact, Rule, rows};

rows! {
    Family::Envelope;
    DIALECT_CHANGED = "dialect-changed", "dialect-changed", [Breaking, Breaking, Breaking], "Answers are in another dialect.", "Announce it as a new version, and let callers choose.";
    DIALECT_REVISION_CHANGED = "dialect-revision-changed", "dialect-revision-changed", [Breaking, Human, Breaking], "Answers are in another revision of the same dialect.", "Let callers choose the revision for a while.";
    DIALECT_LOST = "dialect-lost", "dialect-gained", [Breaking, Breaking, Human], "Answers have no known envelope any more.", "Keep the envelope.";
    DIALECT_GAINED = "dialect-gained", "dialect-lost", [Breaking, Human, Breaking], "Answers have an envelope.", "Offer the envelope under a flag first.";
    VERSION_RAISED = "version-raised", "version-lowered", [Human, Compatible, Compatible], "Answers state a higher version.", "Announce what the version changes.";
    VERSION_LOWERED = "version-lowered", "version-raised", [Human, Human, Human], "Answers state a lower version.", "Never lower a version.";
    VERSION_CHANGED = "version-changed", "version-changed", [Human, Compatible, Human], "Answers state another version that cannot be ordered.", "Announce what the version changes.";
    VERSION_REMOVED = "version-removed", "version-added", [Breaking, Human, Compatible], "Answers no longer state their version.", "Keep stating the version.";
    VERSION_ADDED = "version-added", "version-removed", [Human, Compatible, Compatible], "Answers state their version.", "Nothing to do.";
    KIND_CHANGED = "kind-changed", "kind-changed", [Breaking, Breaking, Compatible], "The answer of a command calls itself something else.", "Keep the kind.";
    KIND_REMOVED = "kind-removed", "kind-added", [Breaking, Breaking, Compatible], "The answer of a command no longer says what it is.", "Keep the kind.";
    KIND_ADDED = "kind-added", "kind-removed", [Human, Compatible, Compatible], "The answer of a command says what it is.", "Nothing to do.";
    JSON_ANSWER_LOST = "json-answer-lost", "json-answer-gained", [Breaking, Breaking, Breaking], "A call that asks for JSON gets none.", "Answer with a document.";
    JSON_ANSWER_GAINED = "json-answer-gained", "json-answer-lost", [Human, Compatible, Human], "A call that asked for JSON in vain gets it.", "Announce the change.";
    ERROR_DOCUMENT_LOST = "error-document-lost", "error-document-gained", [Breaking, Breaking, Breaking], "Failures that were documents are text.", "Write the document of every failure.";
    ERROR_DOCUMENT_GAINED = "error-document-gained", "error-document-lost", [Human, Compatible, Human], "Failures that were text are documents.", "Announce the change.";
    DOCUMENT_BECAME_LINES = "document-became-lines", "lines-became-document", [Breaking, Breaking, Breaking], "One document became one document per line.", "Offer lines under a flag.";
    LINES_BECAME_DOCUMENT = "lines-became-document", "document-became-lines", [Breaking, Breaking, Breaking], "One document per line became one document.", "Keep the lines.";
    RECORD_TYPE_REMOVED = "record-type-removed", "record-type-added", [Breaking, Breaking, Human], "A type of record is gone from a stream.", "Keep writing it.";
    RECORD_TYPE_ADDED = "record-type-added", "record-type-removed", [Human, Compatible, Compatible], "A stream has another type of record.", "Announce the type.";
    LAST_RECORD_CHANGED = "last-record-changed", "last-record-changed", [Breaking, Breaking, Human], "The last record of a stream is of another type.", "Keep the last record.";
    PAYLOAD_WRAPPED = "payload-wrapped", "payload-unwrapped", [Breaking, Breaking, Breaking], "The payload moved one level down.", "Keep the place, or announce a new version.";
    PAYLOAD_UNWRAPPED = "payload-unwrapped", "payload-wrapped", [Breaking, Breaking, Breaking], "The payload moved one level up.", "Keep the place, or announce a new version.";
    PAGING_ADDED = "paging-added", "paging-removed", [Breaking, Breaking, Breaking], "A list that was whole comes in pages.", "Return everything unless a limit is given.";
    PAGING_REMOVED = "paging-removed", "paging-added", [Breaking, Breaking, Breaking], "A list no longer says how to get the rest.", "Keep the cursor, as null on the last page.";
}
