//! The `manila` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    // The release has no tables to make a backtrace from, and the default hook would look for them.
    #[cfg(panic = "abort")]
    std::panic::set_hook(Box::new(|info| {
        let _ = std::io::Write::write_fmt(&mut std::io::stderr(), format_args!("{info}\n"));
    }));
    manila_cli::main()
}
