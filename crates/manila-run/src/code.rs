//! The failures that are ours to report rather than the program's, in one table.

use manila::ErrorObject;

manila::codes! {
    /// A failure of a call, whatever the program said.
    pub enum Code {
        NoSuchProgram = "NO_SUCH_PROGRAM", NotFound, "The program was not found.";
        NoInterpreter = "NO_INTERPRETER", Precondition, "The interpreter or loader of the program was not found.";
        NotExecutable = "NOT_EXECUTABLE", PermissionDenied, "The program is not executable.";
        NotAProgram = "NOT_A_PROGRAM", Precondition, "The file is not in an executable format.";
        ArgumentsTooLong = "ARGUMENTS_TOO_LONG", ArgError, "The arguments exceed the limit of the system.";
        InvalidArgument = "INVALID_ARGUMENT", ArgError, "An argument contains a NUL byte.";
        NoSuchDirectory = "NO_SUCH_DIRECTORY", Precondition, "The working directory does not exist.";
        InputUnreadable = "INPUT_UNREADABLE", Precondition, "The file for stdin cannot be opened.";
        SystemRefused = "SYSTEM_REFUSED", Unavailable, "The system is out of processes, file descriptors or memory.";
        Timeout = "TIMEOUT", Timeout, "An attempt exceeded its time limit.";
        Deadline = "DEADLINE", Timeout, "The call exceeded its deadline.";
        Cancelled = "CANCELLED", General, "The call was cancelled.";
        TooManyAttempts = "TOO_MANY_ATTEMPTS", General, "No attempt is left.";
        NeedsTerminal = "NEEDS_TERMINAL", Precondition, "The program asked for a terminal and has none.";
        OutputTooLarge = "OUTPUT_TOO_LARGE", General, "The output exceeds the limit, so the answer is unknown.";
        FailedWithoutEnvelope = "FAILED_WITHOUT_ENVELOPE", General, "The program failed without an envelope, and the class is not known.";
        Killed = "KILLED", General, "A signal killed the program.";
        UntrustedAnswer = "UNTRUSTED_ANSWER", General, "The answer contradicts itself, is truncated or states an unknown revision.";
    }
}

impl Code {
    pub(crate) fn failure(self, message: impl Into<String>) -> ErrorObject {
        ErrorObject::new(self.name(), message)
    }
}
