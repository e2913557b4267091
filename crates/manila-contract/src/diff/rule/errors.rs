//! The rules about failures: codes, classes and what to do about them.

use super::{Family, Impact, Rule, rows};

rows! {
    Family::Errors;
    ERROR_CODE_REMOVED = "error-code-removed", "error-code-added", [Breaking, Human, Human], "An error code no longer occurs.", "Check which code took its place.";
    ERROR_CODE_ADDED = "error-code-added", "error-code-removed", [Human, Compatible, Compatible], "There is a new error code.", "Announce the code.";
    ERROR_CODE_RENAMED = "error-code-renamed", "error-code-renamed", [Breaking, Breaking, Breaking], "The same failure has another code.", "Keep the code; codes are API.";
    ERROR_CODES_MERGED = "error-codes-merged", "error-code-split", [Breaking, Breaking, Human], "Several codes became one.", "Keep the codes apart.";
    ERROR_CODE_SPLIT = "error-code-split", "error-codes-merged", [Human, Human, Human], "One code became several.", "Announce the codes.";
    ERROR_CODE_LOST = "error-code-lost", "error-code-gained", [Breaking, Breaking, Breaking], "A failure has no code any more.", "State a code.";
    ERROR_CODE_GAINED = "error-code-gained", "error-code-lost", [Compatible, Compatible, Compatible], "A failure states a code.", "Nothing to do.";
    ERROR_CLASS_CHANGED = "error-class-changed", "error-class-changed", [Breaking, Breaking, Breaking], "A failure belongs to another class.", "Keep the class.";
    RETRYABLE_REMOVED = "retryable-removed", "retryable-added", [Breaking, Breaking, Compatible], "A failure no longer says whether to retry.", "Keep stating it.";
    RETRYABLE_ADDED = "retryable-added", "retryable-removed", [Human, Compatible, Compatible], "A failure says whether to retry.", "Nothing to do.";
    RETRYABLE_BECAME_TRUE = "retryable-became-true", "retryable-became-false", [Breaking, Breaking, Breaking], "A failure says that a retry may work.", "Make sure that repeating is safe.";
    RETRYABLE_BECAME_FALSE = "retryable-became-false", "retryable-became-true", [Human, Human, Compatible], "A failure says that a retry cannot succeed.", "Check that it is permanent.";
    RETRY_AFTER_UNIT_CHANGED = "retry-after-unit-changed", "retry-after-unit-changed", [Breaking, Breaking, Breaking], "A failure says how long to wait in another unit.", "Put the unit into a new key.";
    RETRY_AFTER_REMOVED = "retry-after-removed", "retry-after-added", [Human, Human, Compatible], "A failure no longer says how long to wait.", "Keep stating it.";
    RETRY_AFTER_ADDED = "retry-after-added", "retry-after-removed", [Human, Compatible, Compatible], "A failure says how long to wait.", "Nothing to do.";
    SUGGESTION_REMOVED = "suggestion-removed", "suggestion-added", [Compatible, Human, Compatible], "A failure no longer says what to do.", "Keep the suggestion.";
    SUGGESTION_ADDED = "suggestion-added", "suggestion-removed", [Human, Compatible, Compatible], "A failure says what to do.", "Nothing to do.";
    PHASE_CHANGED = "phase-changed", "phase-changed", [Breaking, Breaking, Compatible], "A failure says that it occurred in another phase.", "Check that the phase is right.";
    PHASE_REMOVED = "phase-removed", "phase-added", [Human, Human, Compatible], "A failure no longer says how far it came.", "Keep stating it.";
    PHASE_ADDED = "phase-added", "phase-removed", [Human, Compatible, Compatible], "A failure says how far it came.", "Nothing to do.";
    REDIRECT_REMOVED = "redirect-removed", "redirect-added", [Human, Human, Human], "A failure no longer names the call that replaces this one.", "Keep the redirect as long as the old call may be made.";
    REDIRECT_ADDED = "redirect-added", "redirect-removed", [Human, Compatible, Compatible], "A failure names the call that replaces this one.", "Nothing to do.";
}
