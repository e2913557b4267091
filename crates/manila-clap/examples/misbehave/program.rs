//! The handlers: each misbehaves in its way.

use crate::answer::{
    Answer, AnswerError, Item, Items, Listed, Odd, Shown, Whatever, done, item, odd, text,
};
use crate::cli::{Cli, Slip, Way};
use crate::halt::{daemonize, exec, printing, ready, sleep, spin, wait_for_all};
use manila_clap::{
    App, Call, Code, Danger, Effect, Issue, Mode, Printed, Severity, Spec, dialects,
};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Write};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, Stdio};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::mpsc;
use std::thread;

/// A child that prints until it is killed, and has begun to.
fn yes() -> io::Result<Child> {
    let script = "echo begun >&2; exec yes chatter";
    let mut child = Command::new("sh").args(["-c", script]).stderr(Stdio::piped()).spawn()?;
    if let Some(stderr) = child.stderr.take() {
        BufReader::new(stderr).read_line(&mut String::new())?;
    }
    Ok(child)
}

fn work(cli: Cli, call: &Call) -> Result<Answer, AnswerError> {
    match cli.way {
        Way::Ok | Way::Old | Way::Destroy | Way::Text | Way::Early { .. } => done("behaved"),
        Way::Login { .. } => done("logged in"),
        Way::Fail => Err(AnswerError::NoSuchThing),
        Way::Println | Way::Print | Way::CPrint | Way::Steer => print(&cli.way),
        Way::Child | Way::Flood | Way::Babble | Way::BabbleOn | Way::Orphan => {
            chatter(&cli.way, call)
        }
        Way::BabbleAndWait | Way::HoldStdout | Way::HoldStdin => hold(&cli.way),
        Way::Loop => spin(),
        Way::Sleep => sleep(),
        Way::IgnoreTerm | Way::BlockAll | Way::Tidy | Way::Untidy => defy(&cli.way, call),
        Way::OwnHandler => own_handler(),
        Way::Exec => text(exec().to_string()),
        Way::Printed { text } => {
            print!("{text}");
            Ok(Answer::Printed(Printed))
        }
        Way::PrintAndWait => {
            println!("half an answer");
            sleep()
        }
        Way::BeginLine => {
            print!("half an answer");
            sleep()
        }
        Way::PrintAndEnd { how } => {
            println!("half an answer");
            match how.as_str() {
                "fail" => Err(AnswerError::NoSuchThing),
                "panic" => panic!("a bug"),
                "exit" => std::process::exit(7),
                "abort" => std::process::abort(),
                "exec" => text(exec().to_string()),
                "wait" => {
                    wait_for_all();
                    Ok(Answer::Printed(Printed))
                }
                _ => done("answered"),
            }
        }
        Way::Daemon { how } => {
            daemonize(&how);
            println!("from the daemon");
            Ok(Answer::Printed(Printed))
        }
        Way::Big { bytes } => text("x".repeat(bytes)),
        Way::BigFailure { bytes } => {
            Err(AnswerError::Half { shown: Shown { text: "x".repeat(bytes) } })
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
        Way::Page { page } => Ok(Answer::Items(Items(page.paginate((1..=45).map(item).collect())))),
        Way::Stream { count } => stream(call, 1..=count),
        Way::StreamOn => stream(call, 1..=u64::MAX),
        Way::StreamAndExit => {
            let mut stream = call.stream();
            let _ = (1..=3).all(|id| stream.item(item(id)));
            std::process::exit(7)
        }
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
            print!("not lost");
            std::process::exit(status)
        }
        Way::Abort => std::process::abort(),
        Way::Overflow => text(overflow(1).to_string()),
        way => panicking(&way),
    }
}

/// What panics, each in its way.
fn panicking(way: &Way) -> Result<Answer, AnswerError> {
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

fn print(way: &Way) -> Result<Answer, AnswerError> {
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

fn chatter(way: &Way, call: &Call) -> Result<Answer, AnswerError> {
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

fn hold(way: &Way) -> Result<Answer, AnswerError> {
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

fn defy(way: &Way, call: &Call) -> Result<Answer, AnswerError> {
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

static PREVIOUS: AtomicUsize = AtomicUsize::new(0);
static ENDED: AtomicBool = AtomicBool::new(false);

extern "C" fn chained(signal: libc::c_int) {
    let previous = PREVIOUS.load(SeqCst);
    if previous > 1 {
        // SAFETY: it is what `sigaction` gave for a handler without further arguments.
        let previous: extern "C" fn(libc::c_int) = unsafe { std::mem::transmute(previous) };
        previous(signal);
    }
    ENDED.store(true, SeqCst);
}

fn own_handler() -> Result<Answer, AnswerError> {
    // SAFETY: the handler does only what is allowed in one.
    unsafe {
        let mut before: libc::sigaction = std::mem::zeroed();
        libc::sigaction(libc::SIGTERM, std::ptr::null(), &raw mut before);
        PREVIOUS.store(before.sa_sigaction, SeqCst);
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = chained as *const () as usize;
        libc::sigaction(libc::SIGTERM, &raw const action, std::ptr::null_mut());
    }
    ready();
    while !ENDED.load(SeqCst) {
        thread::yield_now();
    }
    done("ended in order")
}

fn twice(call: &Call) -> Result<Answer, AnswerError> {
    for effect in [Effect::Created, Effect::Updated] {
        call.effect(effect);
        call.note("command", &"another");
        call.note("duration_ms", &"long");
        call.warn("twice");
    }
    done("said twice")
}

fn stream(call: &Call, mut items: impl Iterator<Item = u64>) -> Result<Answer, AnswerError> {
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
        call.warn("there is no reader");
    }
    Ok(Answer::Listed(Listed(stream.finish())))
}

/// Frames that are longer than a pipe is, so that a signal finds one in the middle.
fn stream_elsewhere(call: &Call) -> Result<Answer, AnswerError> {
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

fn slip_out(slip: Slip, secret: &str, call: &Call) -> Result<Answer, AnswerError> {
    let slipped = |place: &str| {
        let words = |here: &str| if here == place { secret } else { "nothing" }.to_owned();
        Err(AnswerError::Slipped {
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

pub(crate) fn run() -> ExitCode {
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
        .all_flags()
        .piped(Mode::Json)
        .unified_errors()
        .command("old", Spec::new().deprecated("1.1.0", "misbehave ok"))
        .command("destroy", Spec::new().danger(Danger::Destructive))
        .command("text", Spec::new().text_only())
        .command("printed", Spec::new().printed())
        .command("print-and-wait", Spec::new().printed())
        .command("print-and-end", Spec::new().printed())
        .command("daemon", Spec::new().printed())
        .moved("former", "ok")
        .moved("sign-in", "login")
        .moved("leak", "secret");
    if std::env::var_os("MISBEHAVE_RENAMED").is_some() {
        let names = [
            (Code::Cancelled, "STOPPED"),
            (Code::Timeout, "TOO_LATE"),
            (Code::InputRequired, "NO_INPUT"),
            (Code::Panicked, "BUG"),
        ];
        app = names.into_iter().fold(app, |app, (code, name)| app.rename(code, name));
    }
    if std::env::var_os("MISBEHAVE_HOOK").is_some() {
        std::panic::set_hook(Box::new(|_| eprintln!("the hook of the program")));
    }
    app.run(work)
}
