//! The lab: each probe is run once, in directories of its own, contained, within limits, many at a
//! time.

mod canary;
mod captured;
mod conditions;
mod environment;
mod fair_timer;
#[cfg(target_os = "linux")]
mod process;
#[cfg(not(target_os = "linux"))]
#[path = "process_unknown.rs"]
mod process;
mod record;
mod run_directory;
mod sandbox;
mod shim;
mod slow_reader;
mod start_error;
mod stdio;
mod sys;
mod timings;
mod watch;

pub(crate) use canary::{CANARIES, SeenCanary, has_canary, seen_canaries};
pub use conditions::{Conditions, Network, Unconfined};
pub(crate) use environment::below_home;

use crate::error::Error;
use crate::observe::probe::{Home, Probe, Purpose, Setting, Stdout};
use crate::observe::run::{Place, Run, Written};
use crate::subject::Subject;
use manila::Transcript;
use run_directory::{Pool, Root, RunDirectory};
use sandbox::{Needs, Sandbox};
use start_error::{refused, spawn_error};
use std::ffi::{CString, OsStr, OsString};
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Instant;
use sys::{Call, ForkServer, Slot, Start, Wanted};
use timings::Timings;
use watch::{CHUNK, Outcome, Terms, Watched};

/// How many runs there may be at a time.
const MOST_JOBS: usize = 64;
/// All runs together keep so many times as much as one may write.
const KEPT_BY_ALL: u64 = 8;

/// Where programs are run.
#[derive(Debug)]
pub struct Lab {
    subject: Subject,
    program: CString,
    search: Vec<PathBuf>,
    conditions: Conditions,
    fork_server: ForkServer,
    sandbox: Sandbox,
    /// Why programs are not confined, if they are not.
    why_unconfined: Option<String>,
    /// Directories that another run can have.
    pool: Pool,
    root: Root,
    memory: Mutex<Timings>,
    peak: AtomicU64,
    kept: AtomicU64,
    /// Whether huge answers are made small before they are kept.
    is_folding: bool,
    next: AtomicUsize,
    /// One batch at a time has all slots.
    batch: Mutex<()>,
}

impl Lab {
    /// Prepares to run a program, and finds out whether it can be started at all.
    pub fn open(subject: &Subject, conditions: Conditions) -> Result<Lab, Error> {
        let slots = u8::try_from(jobs(&conditions)).unwrap_or(u8::MAX);
        let wanted = match conditions.network {
            Network::Cut => Wanted::NoNetwork,
            Network::Host => Wanted::Network,
        };
        Lab::with(subject, conditions, |sandbox| {
            match ForkServer::confined(slots, wanted, &sandbox.steps) {
                Ok(fork_server) => Ok((fork_server, None)),
                Err((error, step)) => {
                    let why = format!("the system refuses {} ({error})", sandbox.describe(step));
                    Ok((ForkServer::in_sessions(slots)?, Some(why)))
                }
            }
        })
    }

    fn with(
        subject: &Subject,
        conditions: Conditions,
        start: impl FnOnce(&Sandbox) -> io::Result<(ForkServer, Option<String>)>,
    ) -> Result<Lab, Error> {
        let search = environment::search_path();
        let program = find(subject.program().as_os_str(), &search);
        let root = Root::new().map_err(|error| refused(&error))?;
        let needs = needs(subject, &program, &search);
        let keeps_network = conditions.network == Network::Host;
        let sandbox = Sandbox::new(root.path(), &needs, keeps_network);
        let sandbox = sandbox.map_err(|error| refused(&error))?;
        let (fork_server, why_unconfined) = start(&sandbox).map_err(|error| refused(&error))?;
        let program = CString::new(program.into_vec())
            .map_err(|error| spawn_error(subject, &io::Error::from(error)))?;
        let lab = Lab {
            subject: subject.clone(),
            program,
            search,
            conditions,
            fork_server,
            sandbox,
            why_unconfined,
            pool: Pool::default(),
            root,
            memory: Mutex::default(),
            peak: AtomicU64::new(0),
            kept: AtomicU64::new(0),
            is_folding: false,
            next: AtomicUsize::new(0),
            batch: Mutex::new(()),
        };
        lab.try_out()?;
        Ok(lab)
    }

    /// Has the system load the program, which then does nothing.
    fn try_out(&self) -> Result<(), Error> {
        let setting = Setting::default();
        let probe = Probe {
            command: Vec::new(),
            args: Vec::new(),
            purpose: Purpose::Bare,
            form: crate::observe::probe::Form::Text,
            setting,
        };
        let mut slot =
            self.fork_server.slot().ok_or_else(|| refused(&io::ErrorKind::WouldBlock.into()))?;
        let mut directory = self.directory(&probe).map_err(|error| refused(&error))?;
        let terms = self.terms(&probe);
        let chunk = &mut [0; 1024];
        match self.once(&mut slot, &probe, Start::Trial, &mut directory, &terms, chunk) {
            Ok(Outcome::Unstarted(error)) => Err(spawn_error(&self.subject, &error)),
            Ok(_) => Ok(()),
            Err(error) => Err(refused(&error)),
        }
    }

    /// Makes all these runs, many at a time, and gives them in the order of the probes: nothing for
    /// one that was not made, because the time was over or because the command had hung before.
    pub fn run(&self, probes: &[Probe]) -> Vec<Option<Run>> {
        self.run_until(probes, self.conditions.deadline)
    }

    /// The same, where no run begins after that moment.
    pub(crate) fn run_until(&self, probes: &[Probe], until: Instant) -> Vec<Option<Run>> {
        self.run_within(probes, until, self.conditions.deadline)
    }

    /// The same, where a run that has not ended at the last moment was not made.
    pub(crate) fn run_within(
        &self,
        probes: &[Probe],
        until: Instant,
        last: Instant,
    ) -> Vec<Option<Run>> {
        let _batch = self.batch.lock().unwrap_or_else(PoisonError::into_inner);
        let made: Vec<OnceLock<Run>> = probes.iter().map(|_| OnceLock::new()).collect();
        // Runs that mostly wait begin first, so that the end of the check does not wait for them.
        let mut order: Vec<usize> = (0..probes.len()).collect();
        order.sort_by_key(|at| probes[*at].setting.signal.is_none());
        let (next, done) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let work = || {
            let Some(mut slot) = self.fork_server.slot() else { return };
            let mut chunk = vec![0; CHUNK];
            while let Some(at) = take(&next, &order) {
                if Instant::now() < until
                    && let Some(run) = self.make(&mut slot, &probes[at], last, &mut chunk)
                {
                    let _ = made[at].set(run);
                }
                let done = done.fetch_add(1, Ordering::Relaxed) + 1;
                if let Some(report) = &self.conditions.progress {
                    report(done, probes.len());
                }
            }
        };
        let jobs = jobs(&self.conditions).min(probes.len());
        std::thread::scope(|scope| {
            for _ in 1..jobs {
                // With fewer threads it only takes longer.
                let _ = std::thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        let runs: Vec<Option<Run>> = made.into_iter().map(OnceLock::into_inner).collect();
        if let Some(below) = &self.conditions.record {
            for run in runs.iter().flatten() {
                // A check is none the worse for a disk that is full.
                let _ = record::record(below, run);
            }
        }
        runs
    }

    /// When the last run ends at the latest.
    pub(crate) fn deadline(&self) -> Instant {
        self.conditions.deadline
    }

    /// Moves the end of the whole check.
    pub(crate) fn extend(&mut self, deadline: Instant) {
        self.conditions.deadline = deadline;
    }

    /// Makes huge answers small from now on, unless all runs are recorded as they are.
    pub(crate) fn fold_answers(&mut self) {
        self.is_folding = self.conditions.record.is_none();
    }

    /// How the program is kept from doing harm, in a few words.
    pub(crate) fn containment(&self) -> String {
        if !self.fork_server.is_confined() {
            return "not confined, temporary home, processes in sessions".to_owned();
        }
        let network = match self.conditions.network {
            Network::Cut => "no network",
            Network::Host => "network kept",
        };
        format!("{network}, private file system, processes in namespaces")
    }

    /// Why the program is not confined, if it is not.
    pub fn why_unconfined(&self) -> Option<&str> {
        self.why_unconfined.as_deref()
    }

    /// Whether only what every program can be asked may be run.
    pub(crate) fn is_restricted(&self) -> bool {
        !self.fork_server.is_confined() && self.conditions.unconfined == Unconfined::Help
    }

    /// Whether a run may be made here.
    pub(crate) fn may_run(&self, probe: &Probe) -> bool {
        !self.is_restricted() || probe.is_about_itself()
    }

    /// The largest that any run was, in bytes.
    pub(crate) fn peak_memory(&self) -> u64 {
        self.peak.load(Ordering::Relaxed)
    }

    /// Makes a run, unless it may not be made or would only waste time.
    fn make(
        &self,
        slot: &mut Slot<'_>,
        probe: &Probe,
        last: Instant,
        chunk: &mut [u8],
    ) -> Option<Run> {
        if Instant::now() >= self.conditions.deadline
            || self.conditions.cancel.signal().is_some()
            || !self.may_run(probe)
            || self.memory().would_not_end(probe)
        {
            return None;
        }
        let terms = self.terms(probe);
        let terms = Terms { deadline: terms.deadline.min(last), ..terms };
        self.make_within(slot, probe, &terms, chunk)
    }

    /// Makes a run that hit its limit again, with nothing beside it and four times the limit: a program that is
    /// slow on a busy machine has not hung. Nothing if the time is over before it ends.
    pub(crate) fn repeat_alone(&self, probe: &Probe) -> Option<Run> {
        const TIMES: u32 = 4;
        let _batch = self.batch.lock().unwrap_or_else(PoisonError::into_inner);
        let mut slot = self.fork_server.slot()?;
        let terms = Terms { limit: self.conditions.limit * TIMES, ..self.terms(probe) };
        self.make_within(&mut slot, probe, &terms, &mut vec![0; CHUNK])
    }

    fn make_within(
        &self,
        slot: &mut Slot<'_>,
        probe: &Probe,
        terms: &Terms<'_>,
        chunk: &mut [u8],
    ) -> Option<Run> {
        let mut directory = self.directory(probe).ok()?;
        let mut before = sandbox::Listing::default();
        if probe.setting.home == Home::Used {
            let first = self.once(slot, probe, Start::Whole, &mut directory, terms, chunk);
            let Ok(Outcome::Finished(_)) = first else { return None };
            directory.take_snapshot();
            before = self.seen(slot);
        }
        let outcome = self.once(slot, probe, Start::Whole, &mut directory, terms, chunk);
        let wrote = self.wrote_elsewhere(slot, &before);
        match outcome {
            Ok(Outcome::Finished(watched)) => {
                self.memory().learn(probe, &watched);
                let (own, is_untouched) = directory.changes();
                let wrote = wrote.into_iter().chain(own).take(run_directory::MOST_REPORTED);
                let run = self.finished(probe, *watched, &directory, wrote.collect(), slot);
                // A process that is left could still write there.
                if is_untouched && self.fork_server.is_confined() && !slot.is_given_up() {
                    self.pool.put(directory, &probe.setting);
                }
                Some(run)
            }
            Ok(Outcome::Unstarted(_) | Outcome::Cut) | Err(_) => None,
        }
    }

    /// What runs of a slot have written outside their own directories.
    fn seen(&self, slot: &Slot<'_>) -> sandbox::Listing {
        let file_system = slot.file_system();
        let changed = file_system.as_ref().filter(|file_system| !file_system.is_clean());
        changed.map(|file_system| self.sandbox.list(file_system.top.as_fd())).unwrap_or_default()
    }

    /// The same in the words of a report; the next run finds nothing of it.
    fn wrote_elsewhere(&self, slot: &mut Slot<'_>, before: &sandbox::Listing) -> Vec<Written> {
        let after = self.seen(slot);
        let mut file_system = slot.file_system();
        let wrote =
            file_system.as_ref().map(|file_system| after.since(before, file_system.top.as_fd()));
        let _ = file_system.take_if(|file_system| !file_system.is_clean());
        wrote.unwrap_or_default()
    }

    /// One run in these directories.
    fn once(
        &self,
        slot: &mut Slot<'_>,
        probe: &Probe,
        start: Start,
        directory: &mut RunDirectory,
        terms: &Terms<'_>,
        chunk: &mut [u8],
    ) -> io::Result<Outcome> {
        let call = self.call(probe, start, directory)?;
        let (given, ours) = stdio::open(&probe.setting, &directory.own)?;
        let control = slot.start(&call, given)?;
        Ok(watch::watch(slot, &control, ours, &probe.setting, terms, chunk))
    }

    fn call(&self, probe: &Probe, start: Start, directory: &RunDirectory) -> io::Result<Call> {
        let text = |text: &OsStr| Ok::<_, io::Error>(CString::new(text.as_bytes())?);
        let words = self.subject.argv.iter().chain(&probe.args);
        let variables =
            environment::variables(&self.subject, &probe.setting, directory, &self.search);
        let joined = variables.into_iter().map(|(mut name, value)| {
            name.push("=");
            name.push(value);
            name
        });
        Ok(Call {
            program: self.program.clone(),
            argv: words.map(|word| text(word)).collect::<io::Result<_>>()?,
            variables: joined.map(|variable| text(&variable)).collect::<io::Result<_>>()?,
            directory: text(directory.path(Place::Working).as_os_str())?,
            start,
            has_terminal: matches!(probe.setting.stdout, Stdout::Terminal { .. }),
            used_ids: probe.setting.used_ids,
        })
    }

    fn terms(&self, probe: &Probe) -> Terms<'_> {
        let left = self.all_may_keep().saturating_sub(self.kept.load(Ordering::Relaxed));
        let memory = self.memory();
        let limit = memory.limit(probe, self.conditions.limit);
        Terms {
            limit,
            deadline: self.conditions.deadline,
            allowance: self.conditions.max_output.min(left),
            endless: self.conditions.endless_output,
            under_way: memory.under_way(probe, limit),
            settle: memory.settle(),
            cancel: &self.conditions.cancel,
        }
    }

    fn all_may_keep(&self) -> u64 {
        self.conditions.max_output.saturating_mul(KEPT_BY_ALL)
    }

    fn directory(&self, probe: &Probe) -> io::Result<RunDirectory> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        match self.pool.take(&self.root, number, &probe.setting) {
            Some(directory) => Ok(directory),
            None => RunDirectory::new(&self.root, number, &probe.setting, &self.subject),
        }
    }

    fn memory(&self) -> std::sync::MutexGuard<'_, Timings> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn finished(
        &self,
        probe: &Probe,
        watched: Watched,
        directory: &RunDirectory,
        wrote: Vec<Written>,
        slot: &Slot<'_>,
    ) -> Run {
        let Watched { status, ended, left, is_terminal_changed, duration, streams, written } =
            watched;
        let [stdout, stderr] = streams;
        self.peak.fetch_max(slot.peak_memory(), Ordering::Relaxed);
        let words = self.subject.argv.iter().chain(&probe.args);
        let transcript = Transcript {
            argv: words.map(|word| word.to_string_lossy().into_owned()).collect(),
            stdout,
            stderr,
            status,
            duration_ms: Some(u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)),
        };
        let run = Run {
            probe: probe.clone(),
            transcript,
            ended,
            wrote,
            started: shim::started(&directory.own),
            left,
            is_terminal_changed,
            written,
            directory: directory.place.to_string_lossy().into_owned(),
            is_folded: false,
        };
        // A canary may be anywhere in what is left out, and all of a manifest counts.
        let is_needed = probe.purpose == Purpose::Manifest
            || (probe.setting.has_canaries && has_canary(&run.transcript.stdout));
        let has_time = Instant::now() < self.conditions.deadline;
        let run = if self.is_folding && has_time && !is_needed { run.folded() } else { run };
        let kept = run.transcript.stdout.len() + run.transcript.stderr.len();
        self.kept.fetch_add(kept as u64, Ordering::Relaxed);
        run
    }
}

/// What a program needs to see of directories that are hidden from it.
fn needs<'n>(subject: &Subject, program: &OsStr, search: &'n [PathBuf]) -> Needs<'n> {
    let values = subject.variables.iter().map(|(_, value)| value);
    let arguments = subject.argv.iter().skip(1).chain(values).map(PathBuf::from);
    let named = arguments.filter(|path| path.is_absolute() && path.exists());
    let files = std::iter::once(PathBuf::from(program)).chain(named).collect();
    Needs { files, search, tools: environment::tool_directories() }
}

fn jobs(conditions: &Conditions) -> usize {
    conditions.jobs.get().min(MOST_JOBS)
}

/// The next of these.
fn take(next: &AtomicUsize, order: &[usize]) -> Option<usize> {
    order.get(next.fetch_add(1, Ordering::Relaxed)).copied()
}

/// The file that the system would run; the name itself if there is none.
fn find(program: &OsStr, search: &[PathBuf]) -> OsString {
    if program.as_bytes().contains(&b'/') {
        return std::path::absolute(program).map_or_else(|_| program.to_owned(), OsString::from);
    }
    let mut found =
        search.iter().map(|directory| directory.join(program)).filter(|it| it.is_file());
    found.next().map_or_else(|| program.to_owned(), OsString::from)
}

#[cfg(test)]
mod tests;
