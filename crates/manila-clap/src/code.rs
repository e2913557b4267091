//! The failures that the boundary itself reports, in one table.

use crate::declared::Declared;

manila::codes! {
    /// A failure of the boundary rather than of a command. A program may have
    /// [another name](crate::App::rename) for it.
    pub enum Code {
        UnknownArgument = "UNKNOWN_ARGUMENT", ArgError, "There is no such argument.";
        UnknownCommand = "UNKNOWN_COMMAND", ArgError, "There is no such command.";
        MissingArgument = "MISSING_ARGUMENT", ArgError, "A required argument is missing.";
        InvalidValue = "INVALID_VALUE", ArgError, "An argument has a value that it cannot have.";
        ConflictingArguments = "CONFLICTING_ARGUMENTS", ArgError, "Arguments exclude each other.";
        ConfirmationRequired = "CONFIRMATION_REQUIRED", ArgError, "It cannot be undone and was not confirmed.";
        InputRequired = "INPUT_REQUIRED", Precondition, "It has to ask, and the call is not interactive.";
        CommandRenamed = "COMMAND_RENAMED", Redirected, "The command has another name now.";
        CommandRestructured = "COMMAND_RESTRUCTURED", Redirected, "The commands are arranged differently now.";
        CommandDeprecated = "COMMAND_DEPRECATED", Redirected, "The command is going away and another takes its place.";
        TypoCorrected = "TYPO_CORRECTED", Redirected, "The command was misspelled and it is clear which was meant.";
        Timeout = "TIMEOUT", Timeout, "The time limit was reached.";
        Cancelled = "CANCELLED", General, "A signal ended the run.";
        Panicked = "PANICKED", General, "The program has a bug.";
        Exited = "EXITED", General, "The program ended itself before it had an answer.";
        SerializationFailed = "SERIALIZATION_FAILED", General, "The work is done, but its answer has no JSON form.";
        OutputFailed = "OUTPUT_FAILED", General, "The answer could not be written.";
        ContractBroken = "CONTRACT_BROKEN", General, "In test mode: the answer is not what the program declared.";
    }
}

impl Code {
    pub(crate) fn declared(self, name: &'static str) -> Declared {
        Declared::new(name, self.exit(), self.meaning())
    }
}
