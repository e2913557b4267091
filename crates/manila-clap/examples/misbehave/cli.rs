//! The command line: one subcommand for each way to misbehave.

use crate::halt::printing;
use clap::{Parser, Subcommand, ValueEnum};
use manila_clap::{PageArgs, Secret};

/// Misbehaves
#[derive(Parser)]
#[command(name = "misbehave", version = "1.2.3")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) way: Way,
}

/// The ways to misbehave.
#[derive(Subcommand)]
pub(crate) enum Way {
    /// Behave
    Ok,
    /// Fail as declared
    Fail,
    /// Panic with these words
    Panic {
        #[arg(default_value = "a bug")]
        words: String,
    },
    /// Panic in a thread and go on
    PanicInThread,
    /// Recover from one panic, then panic again
    PanicAgain,
    /// Panic with something that is not text
    PanicOddly,
    /// Return a reply that panics when it is asked for its payload, or shown
    PanicInReply,
    /// Return a reply whose payload never ends
    LoopInReply,
    /// Print lines with Rust
    Println,
    /// Print with Rust, without a newline
    Print,
    /// Print with C, without flushing
    CPrint,
    /// Print what steers a terminal
    Steer,
    /// Let children print
    Child,
    /// Let a child and a thread print 5 MB each
    Flood,
    /// Let children print until they are stopped, then answer
    Babble,
    /// Leave children and a thread behind that print until the end, and answer
    BabbleOn,
    /// Let children print without end, and wait
    BabbleAndWait,
    /// Leave a child behind that lives on
    Orphan,
    /// Leave a thread behind that holds stdout
    HoldStdout,
    /// Leave a thread behind that reads standard input with C
    HoldStdin,
    /// Spin without end
    Loop,
    /// Sleep without end
    Sleep,
    /// Spin without end and ignore SIGTERM
    IgnoreTerm,
    /// Spin without end with every signal blocked
    BlockAll,
    /// Install a handler that calls the one before, as signal-hook does, and end in order
    OwnHandler,
    /// Become another program
    Exec,
    /// Print the answer
    Printed { text: String },
    /// Print a part of the answer and wait
    PrintAndWait,
    /// Begin a line and wait
    BeginLine,
    /// Print a part of the answer and end otherwise
    PrintAndEnd {
        #[arg(value_parser = ["fail", "panic", "exit", "answer", "abort", "exec", "wait"])]
        how: String,
    },
    /// Leave a copy of itself behind that prints, and end as `exit` or `_exit` does
    Daemon {
        #[arg(value_parser = ["exit", "_exit"])]
        how: String,
    },
    /// Watch for a signal and end in order
    Tidy,
    /// Say that signals are watched for, then never look again
    Untidy,
    /// Return so many bytes
    Big { bytes: usize },
    /// Fail although so many bytes are to be shown
    BigFailure { bytes: usize },
    /// Return a path that is not text
    Path,
    /// Return a map whose keys are no text
    Keys,
    /// Return a number that is none
    Nan,
    /// Return a payload that refuses
    Refuse,
    /// Return lists in lists
    Deep { levels: usize },
    /// Warn
    Warn { words: Vec<String> },
    /// Say everything twice
    Twice,
    /// Return a page of 45 items
    Page {
        #[command(flatten)]
        page: PageArgs,
    },
    /// Stream items
    Stream {
        #[arg(default_value_t = 3)]
        count: u64,
    },
    /// Stream items without end
    StreamOn,
    /// Stream three items and leave with status 7
    StreamAndExit,
    /// Send frames from another thread without end
    StreamElsewhere,
    /// Show progress in these words
    Progress { words: String },
    /// Let a secret slip
    Secret {
        /// Where to
        #[arg(value_enum)]
        slip: Slip,
        #[arg(long, short, alias = "pat", default_value = "")]
        token: Secret,
        /// By reference
        #[arg(long, value_parser = Secret::by_reference)]
        key: Option<Secret>,
        /// A number
        #[arg(long)]
        count: Option<u32>,
    },
    /// Take a secret without a flag
    Login { token: Secret },
    /// Ask something
    Ask,
    /// Leave with this status
    ExitEarly { status: i32 },
    /// Abort
    Abort,
    /// Use up the stack
    Overflow,
    /// Misbehave while the arguments are read
    Early {
        #[arg(value_parser = early)]
        how: String,
    },
    /// Print in the old way
    Old,
    /// Destroy something
    Destroy,
    /// Answer in text alone
    Text,
}

/// Where a secret slips.
#[derive(Clone, Copy, ValueEnum)]
pub(crate) enum Slip {
    Message,
    Suggestion,
    Target,
    Details,
    Panic,
    Thread,
    Data,
    Key,
    Field,
    Item,
    Progress,
    Warning,
    Issue,
    Note,
    Nowhere,
}

/// Reads an argument, and misbehaves.
fn early(how: &str) -> Result<String, String> {
    match how {
        "panic" => panic!("a bug in a parser"),
        "print" => println!("printed by a parser"),
        "c-print" => printing(c"printed by a parser"),
        _ => return Err("panic, print or c-print".to_owned()),
    }
    Ok(how.to_owned())
}
