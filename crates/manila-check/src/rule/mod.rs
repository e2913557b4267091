//! The rules, one file each with its page beside it, and the table of them.
//!
//! A new rule is a new file in the directory of its family, its page beside it, one line in
//! [`RULES`], and its two programs in `tests/wall`; nothing else changes.

mod arguments;
mod behaviour;
mod discovery;
mod document;
mod secrets;
mod shape;
mod status;
mod streams;

pub(crate) mod compare;
pub(crate) mod definition;
pub(crate) mod envelope_shape;
pub(crate) mod error_object;
pub(crate) mod evidence;
pub(crate) mod inferred_shape;
pub(crate) mod judge;
pub(crate) mod object_answer;
pub(crate) mod profile;
pub(crate) mod recorded;
pub(crate) mod refusal;
pub(crate) mod verdict;

use definition::Rule;

/// Every rule, by family.
pub static RULES: &[&Rule] = &[
    &document::prose_on_stdout::RULE,
    &document::log_record_on_stdout::RULE,
    &document::progress_on_stdout::RULE,
    &document::several_documents::RULE,
    &document::broken_line::RULE,
    &document::invalid_json::RULE,
    &document::truncated_document::RULE,
    &document::invalid_utf8::RULE,
    &document::byte_order_mark::RULE,
    &document::duplicate_key::RULE,
    &document::lossy_number::RULE,
    &document::lone_surrogate::RULE,
    &document::escape_in_document::RULE,
    &document::escape_in_string::RULE,
    &document::carriage_return::RULE,
    &document::differs_by_outlet::RULE,
    &streams::answer_on_stderr::RULE,
    &streams::answers_on_both::RULE,
    &streams::prose_beside_error::RULE,
    &streams::stack_trace::RULE,
    &streams::update_notice::RULE,
    &streams::update_notice_on_stderr::RULE,
    &streams::quiet_ignored::RULE,
    &streams::silent_failure::RULE,
    &streams::empty_success::RULE,
    &status::failure_with_exit_zero::RULE,
    &status::success_with_nonzero_exit::RULE,
    &status::exit_differs_with_json::RULE,
    &status::undeclared_exit_code::RULE,
    &status::reserved_exit_code::RULE,
    &status::exit_code_differs_from_document::RULE,
    &status::exit_class_differs::RULE,
    &status::one_status_for_all::RULE,
    &status::crash::RULE,
    &shape::contradictory_outcome::RULE,
    &shape::contradictory_retry_advice::RULE,
    &shape::error_as_prose::RULE,
    &shape::error_shapes_differ::RULE,
    &shape::error_without_code::RULE,
    &shape::error_without_message::RULE,
    &shape::missing_field::RULE,
    &shape::mixed_dialects::RULE,
    &shape::names_another_command::RULE,
    &shape::null_out_of_place::RULE,
    &shape::retry_advice_missing::RULE,
    &shape::shape_differs_between_runs::RULE,
    &shape::unknown_field::RULE,
    &shape::unstable_error_code::RULE,
    &shape::version_disagrees::RULE,
    &shape::wrong_type::RULE,
    &arguments::bare_call_unclear::RULE,
    &arguments::extra_argument_ignored::RULE,
    &arguments::flag_position_matters::RULE,
    &arguments::help_fails::RULE,
    &arguments::invalid_value_accepted::RULE,
    &arguments::mangled_id_accepted::RULE,
    &arguments::limit_ignored::RULE,
    &arguments::missing_argument_accepted::RULE,
    &arguments::odd_bytes_crash::RULE,
    &arguments::one_error_at_a_time::RULE,
    &arguments::shell_injection::RULE,
    &arguments::unknown_command_as_help::RULE,
    &arguments::unknown_flag_ignored::RULE,
    &arguments::usage_error_as_prose::RULE,
    &arguments::version_unclear::RULE,
    &behaviour::browser_opened::RULE,
    &behaviour::closed_reader_crash::RULE,
    &behaviour::colour_forced_into_document::RULE,
    &behaviour::colour_on_pipe::RULE,
    &behaviour::differs_by_home::RULE,
    &behaviour::differs_in_ci::RULE,
    &behaviour::differs_without_input::RULE,
    &behaviour::editor_started::RULE,
    &behaviour::empty_result_as_prose::RULE,
    &behaviour::endless_output::RULE,
    &behaviour::first_run_differs::RULE,
    &behaviour::hang::RULE,
    &behaviour::ignores_signal::RULE,
    &behaviour::leaves_children::RULE,
    &behaviour::leaves_temporary_files::RULE,
    &behaviour::locale_dependent::RULE,
    &behaviour::no_color_ignored::RULE,
    &behaviour::nondeterministic::RULE,
    &behaviour::pager_started::RULE,
    &behaviour::prompts::RULE,
    &behaviour::signal_misreported::RULE,
    &behaviour::signal_unanswered::RULE,
    &behaviour::silent_first_page::RULE,
    &behaviour::terminal_left_changed::RULE,
    &behaviour::variable_beats_flag::RULE,
    &behaviour::waits_for_input::RULE,
    &behaviour::width_dependent::RULE,
    &behaviour::writes_on_read::RULE,
    &discovery::danger_undeclared::RULE,
    &discovery::ghost_action::RULE,
    &discovery::ghost_command::RULE,
    &discovery::ghost_flag::RULE,
    &discovery::help_lies::RULE,
    &discovery::json_flag_ignored::RULE,
    &discovery::manifest_broken::RULE,
    &discovery::output_contradicts_schema::RULE,
    &discovery::undeclared_command::RULE,
    &discovery::undeclared_error_code::RULE,
    &secrets::secret_as_argument::RULE,
    &secrets::secret_echoed::RULE,
    &secrets::secret_in_debug::RULE,
    &secrets::secret_in_output::RULE,
];

/// The rules of a quick check: those whose findings matter most, and that need few runs.
pub(crate) static QUICK: &[&str] = &[
    "prose-on-stdout",
    "several-documents",
    "invalid-json",
    "answer-on-stderr",
    "stack-trace",
    "silent-failure",
    "failure-with-exit-zero",
    "exit-differs-with-json",
    "crash",
    "error-as-prose",
    "missing-field",
    "help-fails",
    "unknown-command-as-help",
    "unknown-flag-ignored",
    "usage-error-as-prose",
    "version-unclear",
    "closed-reader-crash",
    "colour-on-pipe",
    "hang",
    "json-flag-ignored",
];

/// The rule of that id.
pub fn rule(id: &str) -> Option<&'static Rule> {
    RULES.iter().copied().find(|rule| rule.id == id)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::definition::Family;
    use std::collections::BTreeSet;
    use std::path::Path;

    #[test]
    fn the_table_and_the_directories_agree() {
        let rules = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rule");
        let mut files = BTreeSet::new();
        for family in Family::ALL {
            let directory =
                std::fs::read_dir(rules.join(family.as_str())).expect("a directory for a family");
            files.extend(directory.map(|entry| {
                let name = entry.expect("an entry").file_name();
                format!("{}/{}", family.as_str(), name.to_string_lossy())
            }));
        }
        files.retain(|name| !name.ends_with("/mod.rs"));
        let expected: BTreeSet<String> = RULES
            .iter()
            .map(|rule| format!("{}/{}", rule.family.as_str(), rule.id.replace('-', "_")))
            .flat_map(|stem| [".rs", ".md"].map(|end| format!("{stem}{end}")))
            .collect();
        assert_eq!(files, expected);
    }

    #[test]
    fn every_page_says_what_why_how_and_how_not() {
        for rule in RULES {
            assert!(rule.page.starts_with(&format!("# {}\n", rule.id)), "{}", rule.id);
            for title in ["## Why it matters\n", "## How to fix it\n", "## How to waive it\n"] {
                assert!(rule.page.contains(title), "{} lacks {title}", rule.id);
            }
            assert!(rule.page.contains(&format!("rule = \"{}\"", rule.id)), "{}", rule.id);
        }
    }

    #[test]
    fn each_id_stands_there_once_and_is_no_family() {
        let ids: BTreeSet<&str> = RULES.iter().map(|rule| rule.id).collect();
        assert_eq!(ids.len(), RULES.len());
        assert!(QUICK.iter().all(|id| ids.contains(id)));
        assert!(Family::ALL.iter().all(|family| !ids.contains(family.as_str())));
    }
}
