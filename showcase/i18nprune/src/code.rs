//! Every code that the program can report, in one table: how bad it is, what it means, what to do.
//!
//! Codes are API: they are never renamed. What they say to people may change.

use manila_clap::{Code as Boundary, Exit, Severity};

/// What is known about a code.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry {
    /// The stable identifier.
    pub(crate) name: &'static str,
    /// How bad it is.
    pub(crate) severity: Severity,
    /// The class of a run that it fails.
    pub(crate) exit: Exit,
    /// What it means.
    pub(crate) meaning: &'static str,
    /// What to do about it.
    pub(crate) remedy: &'static str,
}

macro_rules! codes {
    ($($code:ident = $name:literal, $severity:ident, $exit:ident, $meaning:literal, $remedy:literal;)*) => {
        /// A code of the program's own.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Code { $(#[doc = $meaning] $code,)* }

        /// The table.
        pub(crate) const CODES: &[Entry] = &[$(Entry {
            name: concat!("i18nprune.", $name),
            severity: Severity::$severity,
            exit: Exit::$exit,
            meaning: $meaning,
            remedy: $remedy,
        },)*];
    };
}

codes! {
    ConfigFileMissing = "project.config_file_missing", Error, Precondition,
        "There is no i18nprune.config.json here, above or below.",
        "run `i18nprune init`, or name the file with --config";
    ConfigMissing = "config.missing", Error, Precondition,
        "The configuration file that was named does not exist.",
        "correct --config or I18NPRUNE_CONFIG";
    ConfigInvalid = "config.invalid", Error, Precondition,
        "The configuration is not JSON, or has keys or values that mean nothing.",
        "correct the file; `i18nprune init --help` shows every key";
    ConfigLoadFailed = "config.load_failed", Error, General,
        "The configuration file cannot be read.",
        "see to the rights of the file";
    ResolutionFailed = "context.resolution_failed", Error, Precondition,
        "There are several projects below, and none was chosen.",
        "choose one with --config";
    LocalesDirUnavailable = "project.locales_dir_unavailable", Error, General,
        "The directory of the locales does not exist or cannot be read.",
        "create it, or correct `locales.directory`";
    SourceNotLanguage = "project.locales_source_not_language_code", Error, Precondition,
        "`locales.source` is not the code of a language.",
        "use a code such as en or pt-BR";
    SourceLocaleUnavailable = "project.source_locale_unavailable", Error, General,
        "The source locale does not exist or is no JSON object of texts.",
        "create it, correct it, or correct `locales.source`";
    SrcRootUnavailable = "project.src_root_unavailable", Error, General,
        "The directory of the sources does not exist.",
        "create it, or correct `src`";
    ReadFailed = "io.read_failed", Error, General,
        "A file cannot be read, or a target locale is no JSON object of texts.",
        "see to the rights of the file and to what is in it";
    WriteFailed = "io.write_failed", Error, General,
        "A file cannot be written; it is as it was.",
        "see to the rights of the directory and the space on the disk";
    ScanDynamic = "scan.dynamic_key_sites", Warning, General,
        "Calls have keys that only a run knows, so that no list of keys is complete.",
        "use literal keys; `i18nprune report` lists the calls";
    ScanNotText = "scan.file_not_text", Warning, General,
        "A source file is not UTF-8 and was not read.",
        "convert it, or add it to `exclude`";
    ScanTooLarge = "scan.file_too_large", Warning, General,
        "A source file is larger than any source and was not read.",
        "add it to `exclude`";
    ValidateDynamic = "validate.dynamic_key_sites", Warning, General,
        "Calls have keys that only a run knows, so that nothing proves them right.",
        "use literal keys; `i18nprune report` lists the calls";
    MissingLiteralKeys = "validate.missing_literal_keys", Error, General,
        "The code names keys that the source locale does not have.",
        "run `i18nprune missing` and write the texts";
    SourcePlaceholders = "locale.source_placeholder_leaves", Warning, General,
        "Texts of the source locale are still the placeholders of `i18nprune missing`.",
        "write the texts";
    TargetPlaceholders = "locale.target_placeholder_leaves", Warning, General,
        "Texts of a target locale are still placeholders.",
        "translate them";
    TargetKeysMissing = "locale.target_keys_missing", Warning, General,
        "A target locale lacks keys of the source locale.",
        "run `i18nprune sync` and translate them";
    NotInScan = "missing.paths_not_in_current_scan", Warning, General,
        "Keys were asked for that the code does not name.",
        "see `i18nprune report` for the keys that it does";
    NotAddable = "missing.paths_not_addable", Error, General,
        "Keys cannot be added: a part of them is a text already, empty, or nested too deeply.",
        "rename the key in the code, or the text in the locale";
    LocaleFileNotFound = "sync.locale_file_not_found", Error, NotFound,
        "A target was named that has no locale file.",
        "create the file with `{}` in it, or correct --target";
    ExtrasRetained = "sync.scan_extras_retained", Info, General,
        "A target locale has keys that the source locale does not have, and keeps them.",
        "run `i18nprune sync --prune` to remove them";
    ShapeConflict = "sync.shape_conflict", Error, General,
        "A target locale has a text where the source locale has a group, or the reverse.",
        "decide which is right and change the other";
    Identical = "quality.english_identical_leaves", Info, General,
        "Texts of a target locale are the same as in the source locale.",
        "translate them, if they are not names";
    EmptyLeaves = "quality.empty_leaves", Warning, General,
        "Texts are empty.",
        "write them, or remove the keys";
    PlaceholderMismatch = "quality.placeholder_mismatch", Error, General,
        "Texts have other placeholders than in the source locale.",
        "use the placeholders of the source text, spelled the same";
    DoctorConfig = "doctor.config_missing_file", Error, Precondition,
        "The doctor finds no usable configuration.",
        "run `i18nprune init`, or correct the file";
    DoctorDirectories = "doctor.paths_directories_missing", Error, General,
        "The doctor finds no directory of sources or of locales.",
        "create them, or correct `src` and `locales.directory`";
    DoctorSourceLocale = "doctor.paths_source_locale_missing", Error, General,
        "The doctor finds no usable source locale.",
        "create it, or correct `locales.source`";
    DoctorLocales = "doctor.locales_unreadable", Error, General,
        "The doctor finds target locales that cannot be read.",
        "correct the files";
    DoctorNothingFound = "doctor.scan_found_nothing", Warning, General,
        "The doctor finds no translation call in the sources.",
        "correct `src` or `functions`";
    InvalidFormat = "report.invalid_format", Error, ArgError,
        "A report has no such format.",
        "one of: html, json, csv, text";
    Unexplained = "explain.unknown_code", Error, NotFound,
        "There is no such code.",
        "`i18nprune explain` lists them all";
    ConfigKept = "init.existing_config_kept", Info, General,
        "There is a configuration already, and it was not touched.",
        "remove it first if you want a new one";
}

/// How the failures of the boundary are called here.
pub(crate) const BOUNDARY: &[(Boundary, &str)] = &[
    (Boundary::UnknownArgument, "i18nprune.cli.unknown_argument"),
    (Boundary::UnknownCommand, "i18nprune.cli.unknown_command"),
    (Boundary::MissingArgument, "i18nprune.cli.missing_argument"),
    (Boundary::InvalidValue, "i18nprune.cli.invalid_value"),
    (Boundary::ConflictingArguments, "i18nprune.cli.conflicting_arguments"),
    (Boundary::ConfirmationRequired, "i18nprune.cli.confirmation_required"),
    (Boundary::InputRequired, "i18nprune.cli.input_required"),
    (Boundary::CommandRenamed, "i18nprune.cli.command_renamed"),
    (Boundary::CommandRestructured, "i18nprune.cli.command_restructured"),
    (Boundary::CommandDeprecated, "i18nprune.cli.command_deprecated"),
    (Boundary::TypoCorrected, "i18nprune.cli.typo_corrected"),
    (Boundary::Timeout, "i18nprune.cli.timeout"),
    (Boundary::Cancelled, "i18nprune.cli.cancelled"),
    (Boundary::Panicked, "i18nprune.cli.panicked"),
    (Boundary::Exited, "i18nprune.cli.exited"),
    (Boundary::SerializationFailed, "i18nprune.cli.serialization_failed"),
    (Boundary::OutputFailed, "i18nprune.cli.output_failed"),
    (Boundary::ContractBroken, "i18nprune.cli.contract_broken"),
];

impl Code {
    /// What is known about it.
    pub(crate) fn entry(self) -> &'static Entry {
        &CODES[self as usize]
    }
}

impl Entry {
    /// What it belongs to, and what it says about that: `validate` and `missing_literal_keys`.
    fn parts(&self) -> (&'static str, &'static str) {
        let rest = self.name.strip_prefix("i18nprune.").unwrap_or(self.name);
        rest.split_once('.').unwrap_or((rest, ""))
    }

    /// Its page in the documentation directory.
    pub(crate) fn page(&self) -> String {
        format!("docs/issues/{}", self.parts().0)
    }

    /// Its page on the web.
    pub(crate) fn link(&self) -> String {
        let (owner, what) = self.parts();
        format!("https://docs.i18nprune.dev/issues/{owner}#{}", what.replace('_', "-"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_unique_and_well_formed() {
        let own = CODES.iter().map(|entry| entry.name);
        let mut names: Vec<&str> = own.chain(BOUNDARY.iter().map(|(_, name)| *name)).collect();
        for name in &names {
            let parts: Vec<&str> = name.split('.').collect();
            let is_word =
                |part: &&str| part.bytes().all(|it| it.is_ascii_lowercase() || it == b'_');
            assert!(parts.len() == 3 && parts[0] == "i18nprune", "{name}");
            assert!(parts[1..].iter().all(is_word), "{name}");
        }
        let count = names.len();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    #[test]
    fn every_failure_of_the_boundary_has_a_name() {
        for code in Boundary::ALL {
            assert!(BOUNDARY.iter().any(|(named, _)| named == code), "{code:?}");
        }
    }

    #[test]
    fn a_link_is_spelled_with_dashes() {
        let entry = Code::MissingLiteralKeys.entry();
        assert_eq!(entry.name, "i18nprune.validate.missing_literal_keys");
        assert_eq!(entry.page(), "docs/issues/validate");
        assert_eq!(entry.link(), "https://docs.i18nprune.dev/issues/validate#missing-literal-keys");
    }
}
