//! What the program promises about each of its commands.

use crate::cli::Cli;
use crate::code::BOUNDARY;
use crate::command::COMMANDS_WITH_JSON_OUTPUT;
use crate::command::doctor::Examination;
use crate::command::explain::Explained;
use crate::command::init::Initialised;
use crate::command::missing::Missing;
use crate::command::quality::Quality;
use crate::command::report::Reported;
use crate::command::sync::Synced;
use crate::command::validate::Validation;
use manila_clap::{App, Danger, Listed, Mode, Spec, dialects};

/// What keeps a command from beginning.
macro_rules! project_codes {
    ($($more:literal),*) => {
        &[
            "i18nprune.project.config_file_missing",
            "i18nprune.config.missing",
            "i18nprune.config.invalid",
            "i18nprune.config.load_failed",
            "i18nprune.context.resolution_failed",
            "i18nprune.project.locales_dir_unavailable",
            "i18nprune.project.locales_source_not_language_code",
            "i18nprune.project.source_locale_unavailable",
            "i18nprune.project.src_root_unavailable",
            "i18nprune.io.read_failed",
            $($more,)*
        ]
    };
}

/// A function, because what it says is not constant.
type Declare = fn() -> Spec;

const COMMANDS: &[(&str, Declare)] = &[
    ("validate", || {
        Spec::new()
            .reply::<Validation>()
            .fails(project_codes!["i18nprune.validate.missing_literal_keys"])
            .danger(Danger::Safe)
            .example("i18nprune validate", "check the project of this directory")
    }),
    ("missing", || {
        Spec::new()
            .reply::<Missing>()
            .fails(project_codes![
                "i18nprune.missing.paths_not_addable",
                "i18nprune.io.write_failed"
            ])
            .danger(Danger::Mutating)
            .example("i18nprune missing --dry-run", "list the keys that would be added")
    }),
    ("sync", || {
        Spec::new()
            .reply::<Synced>()
            .fails(project_codes![
                "i18nprune.sync.locale_file_not_found",
                "i18nprune.sync.shape_conflict",
                "i18nprune.io.write_failed"
            ])
            .danger(Danger::Mutating)
            .example("i18nprune sync --target de,fr", "give two locales the keys they lack")
    }),
    ("quality", || {
        Spec::new()
            .reply::<Quality>()
            .fails(project_codes!["i18nprune.quality.placeholder_mismatch"])
            .danger(Danger::Safe)
            .example("i18nprune quality", "find texts that are not right")
    }),
    ("doctor", || {
        Spec::new()
            .reply::<Examination>()
            .fails(&[
                "i18nprune.doctor.config_missing_file",
                "i18nprune.doctor.paths_directories_missing",
                "i18nprune.doctor.paths_source_locale_missing",
                "i18nprune.doctor.locales_unreadable",
                "i18nprune.doctor.scan_found_nothing",
                "i18nprune.scan.file_not_text",
                "i18nprune.scan.file_too_large",
                "i18nprune.io.read_failed",
            ])
            .danger(Danger::Safe)
            .example("i18nprune doctor --strict", "fail on warnings too")
    }),
    ("report", || {
        Spec::new()
            .reply::<Reported>()
            .fails(project_codes!["i18nprune.report.invalid_format", "i18nprune.io.write_failed"])
            .danger(Danger::Mutating)
            .example("i18nprune report --out report.html", "write a page for a browser")
    }),
    ("init", || {
        Spec::new()
            .reply::<Initialised>()
            .fails(&["i18nprune.config.load_failed", "i18nprune.io.write_failed"])
            .danger(Danger::Mutating)
            .example("i18nprune init --preset vue", "make this directory a project")
    }),
    ("explain", || {
        Spec::new()
            .reply::<Explained>()
            .fails(&["i18nprune.explain.unknown_code"])
            .danger(Danger::Safe)
            .example("i18nprune explain io.read_failed", "what the code means")
    }),
];

/// The program: its dialect, its commands, and its names for the failures of the boundary.
pub(crate) fn app() -> App<Cli, Listed> {
    let mut app = App::<Cli>::new(dialects::I18NPRUNE_1)
        .all_flags()
        .unified_errors()
        .piped(Mode::Plain)
        .json_commands(COMMANDS_WITH_JSON_OUTPUT)
        .schema()
        .manifest();
    for (code, name) in BOUNDARY {
        app = app.rename(*code, name);
    }
    for (name, spec) in COMMANDS {
        let has_json = COMMANDS_WITH_JSON_OUTPUT.contains(name);
        app = app.command(name, if has_json { spec() } else { spec().text_only() });
    }
    app
}
