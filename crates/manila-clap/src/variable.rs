//! The variables of the environment that a program can read beside its own.

/// A variable of the environment that a program can read beside its own; see
/// [`App::variable`](crate::App::variable). Its name begins with the program's: `my-tool` has
/// `MY_TOOL_OUTPUT`. One that an argument of the program reads is the program's alone.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Variable {
    /// `<PROGRAM>_OUTPUT`: the mode, unless a flag names it.
    Output,
    /// `<PROGRAM>_TRACE_ID`: the caller's id for everything that this call is part of.
    TraceId,
    /// `<PROGRAM>_MAX_OUTPUT_BYTES`: a limit for the size of the data.
    MaxOutputBytes,
}

impl Variable {
    /// Every variable.
    pub const ALL: &'static [Variable] =
        &[Variable::Output, Variable::TraceId, Variable::MaxOutputBytes];

    pub(crate) fn suffix(self) -> &'static str {
        match self {
            Variable::Output => "OUTPUT",
            Variable::TraceId => TRACE_ID,
            Variable::MaxOutputBytes => "MAX_OUTPUT_BYTES",
        }
    }
}

/// What the name of the variable for the trace id ends with.
pub(crate) const TRACE_ID: &str = "TRACE_ID";

/// Whether an argument of the program has this variable for its value.
pub(crate) fn reads(command: &clap::Command, name: &str) -> bool {
    let is_it = |arg: &clap::Arg| arg.get_env().is_some_and(|variable| variable == name);
    command.get_arguments().any(is_it) || command.get_subcommands().any(|it| reads(it, name))
}

/// The name of a program's variable.
pub(crate) fn variable_name(program: &str, suffix: &str) -> String {
    let letter = |letter: char| {
        if letter.is_ascii_alphanumeric() { letter.to_ascii_uppercase() } else { '_' }
    };
    let mut name: String = program.chars().map(letter).collect();
    name.push('_');
    name.push_str(suffix);
    name
}
