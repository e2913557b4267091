//! A project: its configuration, and the sources and locales that this names.

use crate::code::Code;
use crate::config::{self, Config, Located, relative};
use crate::finding::Finding;
use crate::locale::{self, Locale};
use crate::scan::{self, Functions, Scan, Skipped};
use ignore::overrides::Override;
use manila_clap::Call;
use showcase_store::Error;
use std::env;
use std::path::{Path, PathBuf};

/// A project that was found and whose configuration makes sense.
#[derive(Debug)]
pub(crate) struct Project {
    /// The directory that the configuration is in.
    pub(crate) root: PathBuf,
    /// The configuration file.
    pub(crate) config_path: PathBuf,
    /// The directory of the locales.
    pub(crate) locales_dir: PathBuf,
    /// The directory of the sources.
    pub(crate) src_root: PathBuf,
    /// The code of the source locale.
    pub(crate) source_code: String,
    functions: Functions,
    exclude: Override,
}

/// The directory that the program runs in.
pub(crate) fn current_dir() -> Result<PathBuf, Finding> {
    env::current_dir().map_err(|error| {
        Finding::new(Code::ConfigLoadFailed, format!("there is no current directory: {error}"))
    })
}

impl Project {
    /// Finds the project and reads its configuration. A configuration found only below becomes a warning.
    pub(crate) fn open(named: Option<&Path>, call: &Call) -> Result<Project, Finding> {
        let from = current_dir()?;
        let path = match config::locate(named, &from)? {
            Located::Here(path) => path,
            Located::Below(path) => {
                let shown = relative(&path, &from).display();
                call.warn(format!("using {shown}, the only project below this directory"));
                path
            }
        };
        Project::read(path)
    }

    fn read(config_path: PathBuf) -> Result<Project, Finding> {
        let path = &config_path;
        let unreadable = |error: String| Finding::new(Code::ConfigLoadFailed, error).at(path);
        let bytes = showcase_store::read(path).map_err(|error| unreadable(error.to_string()))?;
        let bytes = bytes.ok_or_else(|| unreadable(format!("{} is gone", path.display())))?;
        let invalid = |what: String| {
            let message = format!("{} is invalid: {what}", path.display());
            Finding::new(Code::ConfigInvalid, message).at(path)
        };
        let config = Config::parse(&bytes).map_err(invalid)?;
        let source_code = config.locales.source;
        if !locale::is_code(&source_code) {
            let message =
                format!("`locales.source` is {source_code:?}, which is not a language code");
            return Err(Finding::new(Code::SourceNotLanguage, message).at(path));
        }
        let root = path.parent().unwrap_or(Path::new(".")).to_owned();
        let src_root = root.join(config.src);
        let exclude = scan::patterns(&src_root, &config.exclude)
            .map_err(|error| invalid(format!("`exclude`: {error}")))?;
        let functions = Functions::new(&config.functions);
        let locales_dir = root.join(config.locales.directory);
        Ok(Project { root, config_path, locales_dir, src_root, source_code, functions, exclude })
    }

    /// Scans the sources; what was not read becomes a finding.
    pub(crate) fn scan(&self, call: &Call) -> Result<(Scan, Vec<Finding>), Finding> {
        if !self.src_root.is_dir() {
            let message = format!("there is no directory of sources {}", self.src_root.display());
            return Err(Finding::new(Code::SrcRootUnavailable, message).at(&self.src_root));
        }
        let scan = scan::scan(&self.src_root, &self.exclude, &self.functions, |done, total| {
            call.progress(done as u64, Some(total as u64), "files scanned");
        });
        let findings = scan.skipped.iter().map(|(path, why)| skipped(path, why)).collect();
        Ok((scan, findings))
    }

    /// Reads the source locale.
    pub(crate) fn source(&self) -> Result<Locale, Finding> {
        if !self.locales_dir.is_dir() {
            let message =
                format!("there is no directory of locales {}", self.locales_dir.display());
            return Err(Finding::new(Code::LocalesDirUnavailable, message).at(&self.locales_dir));
        }
        let unavailable = |error: Error| {
            Finding::new(Code::SourceLocaleUnavailable, error.to_string()).at(error.path())
        };
        Locale::read(&self.locales_dir, &self.source_code).map_err(unavailable)
    }

    /// The file of the source locale, or the directory of its files.
    pub(crate) fn source_path(&self) -> PathBuf {
        self.locale_path(&self.source_code)
    }

    /// The file of a locale, or the directory of its files.
    pub(crate) fn locale_path(&self, code: &str) -> PathBuf {
        let single = locale::single_file(&self.locales_dir, code);
        let directory = self.locales_dir.join(code);
        if directory.is_dir() && !single.is_file() { directory } else { single }
    }

    /// The codes of all other locales.
    pub(crate) fn target_codes(&self) -> Result<Vec<String>, Finding> {
        let unavailable = |error: Error| {
            Finding::new(Code::LocalesDirUnavailable, error.to_string()).at(error.path())
        };
        let codes = locale::codes(&self.locales_dir).map_err(unavailable)?;
        Ok(codes.into_iter().filter(|code| *code != self.source_code).collect())
    }

    /// Reads a target locale.
    pub(crate) fn target(&self, code: &str) -> Result<Locale, Finding> {
        Locale::read(&self.locales_dir, code).map_err(|error| read_failed(&error))
    }

    /// A path as seen from the project.
    pub(crate) fn shown(&self, path: &Path) -> String {
        relative(path, &self.root).display().to_string()
    }
}

fn read_failed(error: &Error) -> Finding {
    Finding::new(Code::ReadFailed, error.to_string()).at(error.path())
}

/// That a file could not be written.
pub(crate) fn write_failed(error: &Error) -> Finding {
    Finding::new(Code::WriteFailed, error.to_string()).at(error.path())
}

fn skipped(path: &Path, why: &Skipped) -> Finding {
    let finding = match why {
        Skipped::NotText => Finding::new(Code::ScanNotText, "not UTF-8, so it was not read"),
        Skipped::TooLarge => Finding::new(Code::ScanTooLarge, "too large, so it was not read"),
        Skipped::Unreadable(error) => {
            Finding::new(Code::ReadFailed, format!("cannot read {}: {error}", path.display()))
        }
    };
    finding.at(path)
}
