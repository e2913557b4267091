//! The failures that are ours to report rather than the program's, in one table.

use manila::Failure;

manila::codes! {
    /// A failure of a call, whatever the program said.
    pub enum Code {
        NoSuchProgram = "NO_SUCH_PROGRAM", NotFound, "There is no such program.";
        NoInterpreter = "NO_INTERPRETER", Precondition, "What the program's first line names is not there.";
        NotExecutable = "NOT_EXECUTABLE", PermissionDenied, "The program may not be run.";
        NotAProgram = "NOT_A_PROGRAM", Precondition, "The system cannot run what the file holds.";
        ArgumentsTooLong = "ARGUMENTS_TOO_LONG", ArgError, "The arguments are longer than the system allows.";
        InvalidArgument = "INVALID_ARGUMENT", ArgError, "An argument has a NUL in it.";
        NoSuchFolder = "NO_SUCH_FOLDER", Precondition, "The folder to run in does not exist.";
        InputUnreadable = "INPUT_UNREADABLE", Precondition, "The file to read from cannot be opened.";
        SystemRefused = "SYSTEM_REFUSED", Unavailable, "The system is out of something that a process needs.";
        Timeout = "TIMEOUT", Timeout, "An attempt took longer than it may.";
        Deadline = "DEADLINE", Timeout, "The whole call took longer than it may.";
        Cancelled = "CANCELLED", General, "The call was ended from outside.";
        TooManyAttempts = "TOO_MANY_ATTEMPTS", General, "All attempts that the caller allows are made.";
        NeedsTerminal = "NEEDS_TERMINAL", Precondition, "The program wants to talk to a terminal, and there is none for it.";
        OutputTooLarge = "OUTPUT_TOO_LARGE", General, "The program wrote more than is kept, so its answer is not known.";
        FailedWithoutEnvelope = "FAILED_WITHOUT_ENVELOPE", General, "The program failed and did not say how.";
        Killed = "KILLED", General, "A signal killed the program, and it did not say anything.";
        UntrustedAnswer = "UNTRUSTED_ANSWER", General, "The answer contradicts itself or states an unknown revision, so its success is not believed.";
    }
}

impl Code {
    pub(crate) fn failure(self, message: impl Into<String>) -> Failure {
        Failure::new(self.name(), message)
    }
}
