//! The rules about what a process does: outcomes, exit codes, streams, files.

use super::{Family, Impact, Rule, rows};

rows! {
    Family::Process;
    SUCCESS_BECAME_FAILURE = "success-became-failure", "failure-became-success", [Breaking, Breaking, Breaking], "A call that succeeded fails.", "Make the call work.";
    FAILURE_BECAME_SUCCESS = "failure-became-success", "success-became-failure", [Human, Compatible, Human], "A call that failed succeeds.", "Check that the success is meant.";
    EMPTY_BECAME_FAILURE = "empty-became-failure", "failure-became-empty", [Breaking, Breaking, Breaking], "A list without elements is a failure.", "Answer with an empty list and exit code 0.";
    FAILURE_BECAME_EMPTY = "failure-became-empty", "empty-became-failure", [Human, Compatible, Human], "A failure is a list without elements.", "Check that the success is meant.";
    MISSING_BECAME_SUCCESS = "missing-became-success", "missing-became-failure", [Breaking, Breaking, Breaking], "A call for something that does not exist succeeds.", "Fail with the code for things that do not exist.";
    MISSING_BECAME_FAILURE = "missing-became-failure", "missing-became-success", [Breaking, Human, Breaking], "A call for something that does not exist fails.", "Announce the change.";
    UNKNOWN_FLAG_ACCEPTED = "unknown-flag-accepted", "unknown-flag-rejected", [Human, Human, Human], "A flag that does not exist is ignored.", "Reject what is not known.";
    UNKNOWN_FLAG_REJECTED = "unknown-flag-rejected", "unknown-flag-accepted", [Human, Compatible, Human], "A flag that does not exist is rejected.", "Announce the change.";
    MISSING_ARGUMENT_ACCEPTED = "missing-argument-accepted", "missing-argument-rejected", [Human, Compatible, Human], "A call without a required argument succeeds.", "Check that the argument is optional now.";
    MISSING_ARGUMENT_REJECTED = "missing-argument-rejected", "missing-argument-accepted", [Breaking, Breaking, Breaking], "A call without an argument fails.", "Keep it optional.";
    UNKNOWN_COMMAND_ACCEPTED = "unknown-command-accepted", "unknown-command-rejected", [Human, Human, Human], "A command that does not exist is accepted.", "Reject what is not known.";
    UNKNOWN_COMMAND_REJECTED = "unknown-command-rejected", "unknown-command-accepted", [Human, Compatible, Human], "A command that does not exist is rejected.", "Announce the change.";
    VERSION_LOST = "version-lost", "version-gained", [Breaking, Human, Breaking], "The version cannot be asked for any more.", "Keep the flag that prints it.";
    VERSION_GAINED = "version-gained", "version-lost", [Compatible, Compatible, Compatible], "The version can be asked for.", "Nothing to do.";
    NOW_HANGS = "now-hangs", "no-longer-hangs", [Breaking, Breaking, Breaking], "A call does not end.", "End the call, or add a timeout.";
    NO_LONGER_HANGS = "no-longer-hangs", "now-hangs", [Compatible, Compatible, Compatible], "A call that did not end does.", "Nothing to do.";
    NOW_CRASHES = "now-crashes", "no-longer-crashes", [Breaking, Breaking, Breaking], "A call is killed by a signal.", "Find the crash.";
    NO_LONGER_CRASHES = "no-longer-crashes", "now-crashes", [Compatible, Compatible, Compatible], "A call that was killed by a signal ends normally.", "Nothing to do.";
    NOW_FLOODS = "now-floods", "no-longer-floods", [Breaking, Breaking, Breaking], "A call writes without end.", "Bound the output.";
    NO_LONGER_FLOODS = "no-longer-floods", "now-floods", [Compatible, Compatible, Compatible], "A call that wrote without end stops.", "Nothing to do.";
    CALL_BECAME_FLAKY = "call-became-flaky", "call-became-steady", [Human, Human, Human], "Equal calls lead to different outcomes.", "Find what differs between the runs.";
    CALL_BECAME_STEADY = "call-became-steady", "call-became-flaky", [Compatible, Compatible, Compatible], "Equal calls lead to the same outcome.", "Nothing to do.";
    NOW_WAITS_FOR_INPUT = "now-waits-for-input", "no-longer-waits-for-input", [Breaking, Breaking, Breaking], "A call waits for input that never comes.", "Read input only where it is asked for.";
    NO_LONGER_WAITS_FOR_INPUT = "no-longer-waits-for-input", "now-waits-for-input", [Compatible, Compatible, Compatible], "A call no longer waits for input.", "Nothing to do.";
    EXIT_STATUS_CHANGED = "exit-status-changed", "exit-status-changed", [Breaking, Human, Breaking], "A call ends with another exit code of the same meaning.", "Keep the number.";
    FAILURE_NOW_ZERO = "failure-now-zero", "failure-now-nonzero", [Breaking, Breaking, Breaking], "A failure ends with exit code 0.", "End every failure with another code than 0.";
    FAILURE_NOW_NONZERO = "failure-now-nonzero", "failure-now-zero", [Breaking, Human, Breaking], "A failure that ended with exit code 0 ends with another.", "Announce the change.";
    SUCCESS_NOW_NONZERO = "success-now-nonzero", "success-now-zero", [Breaking, Breaking, Breaking], "A success ends with another exit code than 0.", "End with 0.";
    SUCCESS_NOW_ZERO = "success-now-zero", "success-now-nonzero", [Human, Compatible, Human], "A success that ended with another exit code ends with 0.", "Announce the change.";
    ANSWER_MOVED_TO_STDERR = "answer-moved-to-stderr", "answer-moved-to-stdout", [Breaking, Breaking, Breaking], "The answer moved from stdout to stderr.", "Answer on stdout.";
    ANSWER_MOVED_TO_STDOUT = "answer-moved-to-stdout", "answer-moved-to-stderr", [Breaking, Breaking, Breaking], "The answer moved from stderr to stdout.", "Announce the change.";
    ERROR_MOVED_TO_STDERR = "error-moved-to-stderr", "error-moved-to-stdout", [Breaking, Human, Breaking], "The document of a failure moved to stderr.", "Keep failures on the stream that they were on.";
    ERROR_MOVED_TO_STDOUT = "error-moved-to-stdout", "error-moved-to-stderr", [Breaking, Human, Breaking], "The document of a failure moved to stdout.", "Keep failures on the stream that they were on.";
    TEXT_ON_STDOUT_APPEARED = "text-on-stdout-appeared", "text-on-stdout-gone", [Breaking, Human, Breaking], "Text appeared beside the document on stdout.", "Write such text to stderr.";
    TEXT_ON_STDOUT_GONE = "text-on-stdout-gone", "text-on-stdout-appeared", [Compatible, Compatible, Human], "The text beside the document on stdout is gone.", "Nothing to do.";
    TEXT_ON_STDERR_APPEARED = "text-on-stderr-appeared", "text-on-stderr-gone", [Human, Compatible, Human], "Text appeared on stderr.", "Keep a success silent.";
    TEXT_ON_STDERR_GONE = "text-on-stderr-gone", "text-on-stderr-appeared", [Compatible, Compatible, Human], "The text on stderr is gone.", "Nothing to do.";
    ESCAPES_APPEARED = "escapes-appeared", "escapes-gone", [Breaking, Human, Breaking], "Piped output contains terminal escapes.", "Write colour to terminals only.";
    ESCAPES_GONE = "escapes-gone", "escapes-appeared", [Compatible, Compatible, Compatible], "Terminal escapes are gone from piped output.", "Nothing to do.";
    PIPED_TEXT_BECAME_JSON = "piped-text-became-json", "piped-json-became-text", [Breaking, Breaking, Breaking], "Output is JSON although JSON was not asked for.", "Write JSON only where it is asked for.";
    PIPED_JSON_BECAME_TEXT = "piped-json-became-text", "piped-text-became-json", [Breaking, Breaking, Breaking], "Output that was JSON without being asked for is text.", "Keep the JSON.";
    TEXT_OUTPUT_GONE = "text-output-gone", "text-output-appeared", [Human, Human, Breaking], "A call that printed text prints nothing.", "Keep the output.";
    TEXT_OUTPUT_APPEARED = "text-output-appeared", "text-output-gone", [Compatible, Compatible, Human], "A call that printed nothing prints text.", "Check that no script expects no output.";
    TEXT_LAYOUT_CHANGED = "text-layout-changed", "text-layout-changed", [Human, Human, Breaking], "The lines of plain text have other columns.", "Keep the columns, or offer the new ones under a flag.";
    WRITES_APPEARED = "writes-appeared", "writes-gone", [Breaking, Breaking, Human], "A call leaves files where it left none.", "Write nothing on a call that reads.";
    WRITES_GONE = "writes-gone", "writes-appeared", [Human, Compatible, Compatible], "A call no longer leaves files.", "Check that no one reads them.";
    STARTS_TOOL = "starts-tool", "no-longer-starts-tool", [Breaking, Breaking, Breaking], "A call starts a program for people: a pager, an editor or a browser.", "Start it only on a terminal.";
    NO_LONGER_STARTS_TOOL = "no-longer-starts-tool", "starts-tool", [Compatible, Compatible, Compatible], "A call no longer starts a program for people.", "Nothing to do.";
}
