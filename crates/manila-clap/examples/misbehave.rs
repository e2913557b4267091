//! A program with one command per way to misbehave. Its answers are held to the contract by the tests
//! of the same name.
//!
//! Commands that wait to be ended say `ready` on standard error once they wait.

#[cfg(unix)]
fn main() -> std::process::ExitCode {
    program::run()
}

#[cfg(not(unix))]
fn main() {}

#[cfg(unix)]
mod program {
    #![expect(unsafe_code, reason = "some misbehaviour is only possible through C")]
    #![expect(clippy::panic, reason = "panicking is one of the ways")]
    #![expect(clippy::disallowed_macros, reason = "so is printing")]
    #![expect(clippy::disallowed_methods, reason = "so is leaving early")]
    #![expect(clippy::unnecessary_wraps, reason = "every way ends in an answer")]

    use clap::{Parser, Subcommand, ValueEnum};
    use manila_clap::{
        App, Call, Cancelled, Code, Danger, Done, Effect, Failure, InputRequired, Issue, Kind,
        Page, PageArgs, Reply, Screen, Secret, Severity, Shape, Spec, Streamed, dialects,
    };
    use schemars::JsonSchema;
    use serde::ser::Error as _;
    use serde::{Serialize, Serializer};
    use std::collections::BTreeMap;
    use std::ffi::OsString;
    use std::io::{self, BufRead, BufReader, Write};
    use std::os::unix::ffi::OsStringExt;
    use std::path::PathBuf;
    use std::process::{Child, Command, ExitCode, Stdio};
    use std::sync::mpsc;
    use std::thread;

    /// Misbehaves
    #[derive(Parser)]
    #[command(name = "misbehave", version = "1.2.3")]
    struct Cli {
        #[command(subcommand)]
        way: Way,
    }

    /// The ways to misbehave.
    #[derive(Subcommand)]
    enum Way {
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
        /// Panic with something that is no text
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
        /// Let children print for ever, and wait
        BabbleAndWait,
        /// Leave a child behind that lives on
        Orphan,
        /// Leave a thread behind that holds standard output
        HoldStdout,
        /// Leave a thread behind that reads standard input with C
        HoldStdin,
        /// Spin for ever
        Loop,
        /// Sleep for ever
        Sleep,
        /// Spin for ever and ignore SIGTERM
        IgnoreTerm,
        /// Spin for ever with every signal blocked
        BlockAll,
        /// Watch for a signal and end in order
        Tidy,
        /// Say that signals are watched for, then never look again
        Untidy,
        /// Return so many bytes
        Big { bytes: usize },
        /// Fail although so many bytes are to be shown
        BigFailure { bytes: usize },
        /// Return a path that is no text
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
        /// Stream items for ever
        StreamOn,
        /// Send frames from another thread for ever
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
    enum Slip {
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
        Stdout,
        EdgeOfStdout,
        Warning,
        Issue,
        Note,
        Nowhere,
    }

    #[derive(Reply)]
    enum Answer {
        Done(Done),
        Text(Whatever<String>),
        Path(Whatever<PathBuf>),
        Keys(Whatever<BTreeMap<(u8, u8), u8>>),
        Number(Whatever<f64>),
        Named(Whatever<BTreeMap<String, u8>>),
        Items(Items),
        Listed(Listed),
        Odd(Odd),
    }

    /// A payload with one value.
    #[derive(Serialize, JsonSchema, Reply)]
    #[reply(kind = "whatever")]
    struct Whatever<T: Serialize + JsonSchema> {
        value: T,
    }

    #[derive(Serialize, JsonSchema, Reply)]
    #[reply(kind = "items", page)]
    struct Items(Page<Item>);

    #[derive(Serialize, JsonSchema, Reply)]
    #[reply(kind = "item")]
    struct Item {
        id: u64,
        name: String,
    }

    /// What closes a stream; whoever looks has seen the items.
    #[derive(Serialize, JsonSchema, Reply)]
    #[reply(kind = "listed", show = nothing)]
    struct Listed(Streamed<Item>);

    fn nothing(_: &Listed, _: &mut Screen) {}

    /// A reply that misbehaves itself.
    enum Odd {
        Panics,
        Loops,
        Refuses,
        Deep(usize),
    }

    impl Serialize for Odd {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            match self {
                Odd::Panics => panic!("a bug in a reply"),
                Odd::Loops => spin(),
                Odd::Refuses => Err(S::Error::custom("a payload that refuses")),
                Odd::Deep(0) => serializer.serialize_u8(0),
                Odd::Deep(levels) => serializer.collect_seq([Odd::Deep(levels - 1)]),
            }
        }
    }

    impl Reply for Odd {
        fn kind(&self) -> &'static str {
            "odd"
        }

        fn data(&self, _: Shape) -> serde_json::Result<manila::json::Raw> {
            manila::json::Raw::of(self)
        }

        fn show(&self, screen: &mut Screen) {
            match self {
                Odd::Panics => panic!("a bug in a reply"),
                Odd::Loops => spin(),
                _ => screen.line("odd"),
            }
        }

        fn kinds(list: &mut Vec<Kind>) {
            list.push(Kind::of::<serde_json::Value>("odd"));
        }
    }

    #[derive(Debug, Failure)]
    enum Trouble {
        /// there is no such thing
        #[failure(exit = NotFound, suggestion = "look elsewhere", missing = "thing")]
        NoSuchThing,
        /// {message}
        #[failure(exit = Conflict, suggestion = suggestion.as_str(), details = details, target = target.as_str())]
        Slipped { message: String, suggestion: String, details: String, target: String },
        /// it is half done
        #[failure(exit = PartialFailure, data = shown)]
        Half { shown: Shown },
        #[failure(transparent)]
        Cancelled(#[from] Cancelled),
        #[failure(transparent)]
        Nobody(#[from] InputRequired),
    }

    /// What there is to show although it failed.
    #[derive(Clone, Debug, Serialize, JsonSchema, Reply)]
    #[reply(kind = "shown")]
    struct Shown {
        text: String,
    }

    fn spin() -> ! {
        ready();
        loop {
            std::hint::spin_loop();
        }
    }

    fn sleep() -> ! {
        ready();
        loop {
            // SAFETY: a plain call.
            unsafe { libc::pause() };
        }
    }

    /// Says that whoever waits for us need wait no longer.
    fn ready() {
        let _ = io::stderr().write_all(b"ready\n");
    }

    fn printing(format: &std::ffi::CStr) {
        // SAFETY: a constant without directives.
        unsafe { libc::printf(format.as_ptr()) };
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

    /// A child that prints until it is killed, and has begun to.
    fn yes() -> io::Result<Child> {
        let script = "echo begun >&2; exec yes chatter";
        let mut child = Command::new("sh").args(["-c", script]).stderr(Stdio::piped()).spawn()?;
        if let Some(stderr) = child.stderr.take() {
            BufReader::new(stderr).read_line(&mut String::new())?;
        }
        Ok(child)
    }

    fn done(what: &str) -> Result<Answer, Trouble> {
        Ok(Answer::Done(Done::new(what)))
    }

    fn odd(reply: Odd) -> Result<Answer, Trouble> {
        Ok(Answer::Odd(reply))
    }

    fn text(value: String) -> Result<Answer, Trouble> {
        Ok(Answer::Text(Whatever { value }))
    }

    fn item(id: u64) -> Item {
        Item { id, name: format!("item {id}") }
    }

    fn work(cli: Cli, call: &Call) -> Result<Answer, Trouble> {
        match cli.way {
            Way::Ok | Way::Old | Way::Destroy | Way::Text | Way::Early { .. } => done("behaved"),
            Way::Login { .. } => done("logged in"),
            Way::Fail => Err(Trouble::NoSuchThing),
            Way::Println | Way::Print | Way::CPrint | Way::Steer => print(&cli.way),
            Way::Child | Way::Flood | Way::Babble | Way::BabbleOn | Way::Orphan => {
                chatter(&cli.way, call)
            }
            Way::BabbleAndWait | Way::HoldStdout | Way::HoldStdin => hold(&cli.way),
            Way::Loop => spin(),
            Way::Sleep => sleep(),
            Way::IgnoreTerm | Way::BlockAll | Way::Tidy | Way::Untidy => defy(&cli.way, call),
            Way::Big { bytes } => text("x".repeat(bytes)),
            Way::BigFailure { bytes } => {
                Err(Trouble::Half { shown: Shown { text: "x".repeat(bytes) } })
            }
            Way::Path => {
                let value = PathBuf::from(OsString::from_vec(vec![b'a', 0xff, b'b']));
                Ok(Answer::Path(Whatever { value }))
            }
            Way::Keys => Ok(Answer::Keys(Whatever { value: BTreeMap::from([((1, 2), 3)]) })),
            Way::Nan => Ok(Answer::Number(Whatever { value: f64::NAN })),
            Way::Refuse => odd(Odd::Refuses),
            Way::Deep { levels } => odd(Odd::Deep(levels)),
            Way::PanicInReply => odd(Odd::Panics),
            Way::LoopInReply => odd(Odd::Loops),
            Way::Warn { words } => {
                for word in words {
                    call.warn(word);
                }
                done("warned")
            }
            Way::Twice => twice(call),
            Way::Page { page } => Ok(Answer::Items(Items(page.of((1..=45).map(item).collect())))),
            Way::Stream { count } => stream(call, 1..=count),
            Way::StreamOn => stream(call, 1..=u64::MAX),
            Way::StreamElsewhere => stream_elsewhere(call),
            Way::Progress { words } => {
                call.progress(1, None, &words);
                done("progressed")
            }
            Way::Secret { slip, token, key, .. } => {
                let key = key.filter(|_| token.expose().is_empty());
                slip_out(slip, key.as_ref().unwrap_or(&token).expose(), call)
            }
            Way::Ask => text(call.ask("what is your name?", "--name")?),
            Way::ExitEarly { status } => {
                print!("lost");
                std::process::exit(status)
            }
            Way::Abort => std::process::abort(),
            Way::Overflow => text(overflow(1).to_string()),
            way => panicking(&way),
        }
    }

    /// What panics, each in its way.
    fn panicking(way: &Way) -> Result<Answer, Trouble> {
        match way {
            Way::Panic { words } => panic!("{words}"),
            Way::PanicInThread => {
                let _ = thread::spawn(|| panic!("a bug elsewhere")).join();
            }
            Way::PanicAgain => {
                let _ = std::panic::catch_unwind(|| panic!("the first bug"));
                panic!("the second bug");
            }
            _ => std::panic::panic_any(7),
        }
        done("went on")
    }

    fn print(way: &Way) -> Result<Answer, Trouble> {
        match way {
            Way::Println => {
                println!("chatter");
                println!("more chatter");
            }
            Way::Print => print!("chatter"),
            Way::CPrint => printing(c"chatter"),
            _ => println!("\u{1b}[31mchatter\u{1b}[0m \u{7}\0"),
        }
        done("printed")
    }

    fn chatter(way: &Way, call: &Call) -> Result<Answer, Trouble> {
        match way {
            Way::Child => {
                let _ = call.child("sh").args(["-c", "echo chatter; echo chatter >&2"]).status();
                let _ = Command::new("echo").arg("more chatter").status();
            }
            Way::Flood => {
                let writer = thread::spawn(|| {
                    (0..500).for_each(|_| println!("{}", "chatter\n".repeat(1250)));
                });
                let script = "head -c 5000000 /dev/zero | tr '\\0' y";
                let _ = Command::new("sh").args(["-c", script]).status();
                let _ = writer.join();
            }
            Way::Babble => {
                let children: Vec<_> = (0..4).filter_map(|_| yes().ok()).collect();
                let mut stdout = io::stdout();
                (0..100).for_each(|_| drop(stdout.write_all(&[b'x'; 4096])));
                for mut child in children {
                    let _ = child.kill();
                    let _ = child.wait();
                }
            }
            Way::BabbleOn => {
                (0..4).for_each(|_| drop(yes()));
                let (sender, receiver) = mpsc::channel();
                thread::spawn(move || {
                    loop {
                        let _ = io::stdout().write_all(&[b'x'; 4096]);
                        let _ = sender.send(());
                    }
                });
                let _ = receiver.recv();
            }
            _ => {
                let _ = Command::new("sleep").arg("300").spawn();
            }
        }
        done("spoke")
    }

    fn hold(way: &Way) -> Result<Answer, Trouble> {
        let (sender, receiver) = mpsc::channel();
        match way {
            Way::BabbleAndWait => {
                (0..4).for_each(|_| drop(yes()));
                sleep();
            }
            Way::HoldStdout => drop(thread::spawn(move || {
                let _held = io::stdout().lock();
                let _ = sender.send(());
                loop {
                    thread::park();
                }
            })),
            _ => drop(thread::spawn(move || {
                let _ = sender.send(());
                // SAFETY: a plain call.
                unsafe { libc::getchar() };
            })),
        }
        let _ = receiver.recv();
        done("held")
    }

    fn defy(way: &Way, call: &Call) -> Result<Answer, Trouble> {
        match way {
            Way::IgnoreTerm => {
                // SAFETY: a plain call.
                unsafe { libc::signal(libc::SIGTERM, libc::SIG_IGN) };
                spin()
            }
            Way::BlockAll => {
                // SAFETY: plain calls on a set of their own.
                unsafe {
                    let mut all: libc::sigset_t = std::mem::zeroed();
                    libc::sigfillset(&raw mut all);
                    libc::pthread_sigmask(libc::SIG_BLOCK, &raw const all, std::ptr::null_mut());
                }
                spin()
            }
            Way::Tidy => {
                call.check_cancelled()?;
                ready();
                loop {
                    call.check_cancelled()?;
                    thread::yield_now();
                }
            }
            _ => {
                call.check_cancelled()?;
                spin()
            }
        }
    }

    fn twice(call: &Call) -> Result<Answer, Trouble> {
        for effect in [Effect::Created, Effect::Updated] {
            call.effect(effect);
            call.note("command", &"another");
            call.note("duration_ms", &"long");
            call.warn("twice");
        }
        done("said twice")
    }

    fn stream(call: &Call, mut items: impl Iterator<Item = u64>) -> Result<Answer, Trouble> {
        let mut stream = call.stream();
        let is_read = items.all(|id| {
            stream.progress(id, None, "streaming");
            let is_read = stream.item(item(id));
            if id == 1 {
                ready();
            }
            is_read
        });
        if !is_read {
            call.warn("nobody reads");
        }
        Ok(Answer::Listed(Listed(stream.finish())))
    }

    /// Frames that are longer than a pipe is, so that a signal finds one in the middle.
    fn stream_elsewhere(call: &Call) -> Result<Answer, Trouble> {
        let long = "x".repeat(300_000);
        thread::scope(|scope| {
            scope.spawn(|| (0..u64::MAX).for_each(|count| call.progress(count, None, &long)));
            sleep()
        })
    }

    fn overflow(depth: u64) -> u64 {
        let space = std::hint::black_box([depth; 1024]);
        if depth == 0 { 0 } else { overflow(depth + 1) + space[7] }
    }

    fn slip_out(slip: Slip, secret: &str, call: &Call) -> Result<Answer, Trouble> {
        let slipped = |place: &str| {
            let words = |here: &str| if here == place { secret } else { "nothing" }.to_owned();
            Err(Trouble::Slipped {
                message: words("message"),
                suggestion: words("suggestion"),
                details: words("details"),
                target: words("target"),
            })
        };
        match slip {
            Slip::Message => return slipped("message"),
            Slip::Suggestion => return slipped("suggestion"),
            Slip::Target => return slipped("target"),
            Slip::Details => return slipped("details"),
            Slip::Panic => panic!("the token is {secret}"),
            Slip::Thread => {
                let words = secret.to_owned();
                let _ = thread::spawn(move || panic!("the token is {words}")).join();
            }
            Slip::Data | Slip::Field => return text(secret.to_owned()),
            Slip::Key => {
                let value = BTreeMap::from([(secret.to_owned(), 1)]);
                return Ok(Answer::Named(Whatever { value }));
            }
            Slip::Item => {
                let mut stream = call.stream();
                stream.item(Item { id: 1, name: secret.to_owned() });
                return Ok(Answer::Listed(Listed(stream.finish())));
            }
            Slip::Progress => call.progress(1, None, secret),
            Slip::Stdout => println!("{secret}"),
            Slip::EdgeOfStdout => {
                // However much of the beginning is kept, somewhere it ends.
                (0..200).for_each(|_| print!("{secret}-"));
            }
            Slip::Warning => call.warn(secret),
            Slip::Issue => call.issue(Issue {
                code: "SLIPPED".to_owned(),
                severity: Severity::Warning,
                message: Some(secret.to_owned()),
                path: Some(secret.to_owned()),
                link: None,
                extra: manila::json::Members::default(),
            }),
            Slip::Note => call.note("note", &secret),
            Slip::Nowhere => {}
        }
        done("slipped")
    }

    pub(super) fn run() -> ExitCode {
        let id = std::env::var("MISBEHAVE_DIALECT").unwrap_or_default();
        let dialect = match id.as_str() {
            "response-envelope/1.6" => dialects::RESPONSE_ENVELOPE_1_6,
            "animus/1" => dialects::ANIMUS_1,
            "claw/1.0" => dialects::CLAW_1_0,
            "claw/2.0" => dialects::CLAW_2_0,
            "td/1" => dialects::TD_1,
            "i18nprune/1" => dialects::I18NPRUNE_1,
            _ => dialects::RESPONSE_ENVELOPE_1_0,
        };
        let mut app = App::<Cli>::new(dialect)
            .command("old", Spec::new().deprecated("1.1.0", "misbehave ok"))
            .command("destroy", Spec::new().danger(Danger::Destructive))
            .command("text", Spec::new().text_only())
            .moved("former", "ok")
            .moved("sign-in", "login")
            .moved("leak", "secret");
        if std::env::var_os("MISBEHAVE_RENAMED").is_some() {
            let names = [
                (Code::Cancelled, "STOPPED"),
                (Code::Timeout, "TOO_LATE"),
                (Code::InputRequired, "NOBODY_HOME"),
                (Code::Panicked, "BUG"),
            ];
            app = names.into_iter().fold(app, |app, (code, name)| app.rename(code, name));
        }
        app.run(work)
    }
}
