//! Failures of the libraries as failures of the program.

use super::CliError;
use manila::{Error, ErrorKind};

impl From<manila_pack::LoadError> for CliError {
    fn from(error: manila_pack::LoadError) -> CliError {
        let hint = match error.kind {
            Some(_) => "check its permissions, or remove it".to_owned(),
            None => format!("manila packs check {}", error.file.display()),
        };
        CliError::BadPack { message: error.to_string(), hint }
    }
}

impl From<manila_check::Error> for CliError {
    fn from(error: manila_check::Error) -> CliError {
        let (message, hint) = (error.to_string(), error.suggestion().map(str::to_owned));
        of_check(error.kind(), message, hint)
    }
}

impl From<manila_contract::Error> for CliError {
    fn from(error: manila_contract::Error) -> CliError {
        let (message, hint) = (error.to_string(), error.suggestion().map(str::to_owned));
        match error.kind() {
            manila_contract::ErrorKind::Check(kind) => of_check(kind, message, hint),
            manila_contract::ErrorKind::BadLock | manila_contract::ErrorKind::NewerLock => {
                CliError::BadLock { message, hint: hint.unwrap_or_default() }
            }
            _ => CliError::ObservationIncomplete { message, hint },
        }
    }
}

impl From<manila_generate::Error> for CliError {
    fn from(error: manila_generate::Error) -> CliError {
        let suggestion = error.suggestion().to_owned();
        CliError::CannotGenerate { message: error.to_string(), suggestion }
    }
}

impl From<manila_mcp::Error> for CliError {
    fn from(error: manila_mcp::Error) -> CliError {
        let (message, suggestion) = (error.to_string(), error.suggestion().to_owned());
        match error.kind() {
            manila_mcp::ErrorKind::System => {
                CliError::SystemRefused { message, hint: Some(suggestion) }
            }
            _ => CliError::InvalidValue { message, suggestion },
        }
    }
}

impl From<Error> for CliError {
    fn from(error: Error) -> Self {
        let message = error.to_string();
        match error.kind() {
            ErrorKind::Empty => CliError::empty(message),
            ErrorKind::TooDeep => {
                CliError::OverLimit { message, hint: "raise the limit with --max-depth" }
            }
            ErrorKind::TooLarge => {
                CliError::OverLimit { message, hint: "raise the limit with --max-bytes" }
            }
            ErrorKind::NotJson => CliError::NoEnvelope {
                message,
                hint: "what stands there is not JSON: the program that wrote it must be corrected",
            },
            ErrorKind::NoEnvelope => CliError::NoEnvelope {
                message,
                hint: "name the dialect with --dialect if you know it, and pass the other stream \
                       with --stderr: some programs write failures there",
            },
            ErrorKind::BadRecording => CliError::BadRecording(message),
            _ => CliError::Internal(message),
        }
    }
}

fn of_check(kind: manila_check::ErrorKind, message: String, hint: Option<String>) -> CliError {
    match kind {
        manila_check::ErrorKind::NotFound => CliError::ProgramNotFound { message, hint },
        manila_check::ErrorKind::BadCommand => CliError::UnknownCommand { message, hint },
        manila_check::ErrorKind::BadDeclaration => CliError::BadDeclaration { message, hint },
        manila_check::ErrorKind::System => CliError::SystemRefused { message, hint },
        _ => CliError::ProgramUnusable { message, hint },
    }
}
