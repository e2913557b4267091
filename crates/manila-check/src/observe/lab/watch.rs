//! One run from its start to the end of all its processes: streams drained, limits kept.
//!
//! Every limit is that of a [`FairTimer`]: a program that waits for a processor is not late.

use super::captured::Captured;
use super::fair_timer::{Activity, Expiry, FairTimer};
use super::process;
use super::slow_reader::SlowReader;
use super::stdio::{Ours, Source};
use super::sys::{self, Control, Event, Order, Received, Slot};
use crate::observe::probe::{Setting, Signal, Stdout};
use crate::observe::run::{Ended, Waiting};
use manila::Status;
use manila_run::Cancel;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

/// How much is read at once.
pub(super) const CHUNK: usize = 64 << 10;
/// How long others may hold its output when the program itself has ended.
const LINGER: Duration = Duration::from_secs(1);
/// How long a program may take to react to a signal.
const GRACE: Duration = Duration::from_secs(2);
/// How long the system may take to end all killed processes, on a busy machine too.
const AFTER_KILL: Duration = Duration::from_secs(10);
/// How often to poll for what is not reported.
const POLL_INTERVAL: Duration = Duration::from_millis(5);
/// How often to ask whether the check should end, and how large files are.
const HEARTBEAT: Duration = Duration::from_millis(50);
/// A program that does nothing for so long is under way.
const IDLE: Duration = Duration::from_millis(25);
/// One that writes has this long to prepare for a signal.
const AFTER_OUTPUT: Duration = Duration::from_millis(30);

/// What a run may take.
#[derive(Debug)]
pub(super) struct Terms<'t> {
    pub(super) limit: Duration,
    /// When the whole check ends.
    pub(super) deadline: Instant,
    /// How many of the bytes that it writes are kept.
    pub(super) allowance: u64,
    /// How many it may write before they are taken for endless.
    pub(super) endless: u64,
    /// When it is under way at the latest.
    pub(super) under_way: Duration,
    /// How long what it started may take to end after it.
    pub(super) settle: Duration,
    pub(super) cancel: &'t Cancel,
}

/// What became of a run.
#[derive(Debug)]
pub(super) enum Outcome {
    Finished(Box<Watched>),
    /// The program could not be started.
    Unstarted(io::Error),
    /// The check is over, or the system had no time for the run.
    Cut,
}

/// What was seen of a run.
#[derive(Debug)]
pub(super) struct Watched {
    pub(super) status: Status,
    pub(super) ended: Ended,
    pub(super) left: u32,
    pub(super) is_terminal_changed: bool,
    pub(super) duration: Duration,
    pub(super) streams: [Vec<u8>; 2],
    pub(super) written: [u64; 2],
}

/// Watches a run that was started just now.
pub(super) fn watch(
    slot: &mut Slot<'_>,
    control: &Control,
    ours: Ours,
    setting: &Setting,
    terms: &Terms<'_>,
    chunk: &mut [u8],
) -> Outcome {
    let begin = Instant::now();
    let mut watch = Watch {
        slot,
        control,
        silent: ours.silent,
        streams: ours.sources.map(Captured::new),
        setting,
        terms,
        begin,
        limit: FairTimer::from_start(begin, terms.limit),
        phase: Phase::Running,
        ended: None,
        is_alone: false,
        is_gone: false,
        left: 0,
        signal: setting.signal.map(|it| Delivery::due(it, begin, terms.under_way)),
        slow: (setting.stdout == Stdout::SlowPipe).then(SlowReader::default),
        is_changed: false,
    };
    match watch.until_over(chunk) {
        Ok(()) => {}
        Err(_) => watch.end(Why::Broken),
    }
    watch.into_outcome(chunk)
}

struct Watch<'w, 's> {
    slot: &'w mut Slot<'s>,
    control: &'w Control,
    silent: Option<(u64, OwnedFd)>,
    streams: [Captured; 2],
    setting: &'w Setting,
    terms: &'w Terms<'w>,
    begin: Instant,
    limit: FairTimer,
    phase: Phase,
    ended: Option<End>,
    /// No process is left.
    is_alone: bool,
    /// Nor is the init.
    is_gone: bool,
    left: u32,
    signal: Option<Delivery>,
    slow: Option<SlowReader>,
    is_changed: bool,
}

/// The end of the program itself.
#[derive(Clone, Copy)]
struct End {
    at: Instant,
    settle: FairTimer,
    linger: FairTimer,
}

impl End {
    fn new(at: Instant, settle: Duration) -> End {
        End { at, settle: FairTimer::new(at, settle), linger: FairTimer::new(at, LINGER) }
    }
}

#[derive(Clone, Copy)]
enum Phase {
    Running,
    /// All processes were killed at this moment.
    Killed(Instant, Why),
}

#[derive(Clone, Copy)]
enum Why {
    Ended(Ended),
    /// What was asked for is known, but a process is left.
    Left,
    /// The check is over, or the system had no time for it.
    Cut,
    /// It cannot be watched.
    Broken,
}

/// A signal that is to be sent, or was.
enum Delivery {
    Due {
        signal: Signal,
        under_way: FairTimer,
        after_output: Option<FairTimer>,
        idle: Option<(Instant, u64)>,
    },
    Sent(FairTimer),
}

impl Delivery {
    fn due(signal: Signal, begin: Instant, under_way: Duration) -> Delivery {
        let under_way = FairTimer::from_start(begin, under_way);
        Delivery::Due { signal, under_way, after_output: None, idle: None }
    }
}

impl Watch<'_, '_> {
    fn until_over(&mut self, chunk: &mut [u8]) -> io::Result<()> {
        loop {
            let fds = [0, 1].map(|at| {
                let is_read = at == 1 || self.slow.is_none();
                self.streams[at].source.fd().filter(|_| is_read)
            });
            let control = (!self.is_gone).then(|| self.control.as_fd());
            let [out, err, has_event] = sys::wait_for([fds[0], fds[1], control], self.patience())?;
            for (at, is_ready) in [out, err].into_iter().enumerate() {
                if is_ready {
                    self.read(at, chunk)?;
                }
            }
            if has_event {
                self.receive();
            }
            if self.advance() {
                return Ok(());
            }
        }
    }

    fn read(&mut self, at: usize, chunk: &mut [u8]) -> io::Result<()> {
        let stream = &mut self.streams[at];
        let Some(fd) = stream.source.fd() else { return Ok(()) };
        let mut room = chunk.len();
        if let (0, Stdout::ClosedPipe { after }) = (at, self.setting.stdout) {
            let left = (after as u64).saturating_sub(stream.written);
            room = room.min(usize::try_from(left).unwrap_or(room));
        }
        match sys::read_some(fd, &mut chunk[..room])? {
            None => {}
            Some(0) => self.close(at),
            Some(read) => {
                stream.take(&chunk[..read]);
                if let (0, Stdout::ClosedPipe { after }) = (at, self.setting.stdout)
                    && stream.written >= after as u64
                {
                    self.close(at);
                }
                if let Some(Delivery::Due { after_output, .. }) = &mut self.signal {
                    after_output
                        .get_or_insert_with(|| FairTimer::new(Instant::now(), AFTER_OUTPUT));
                }
            }
        }
        Ok(())
    }

    /// A terminal is at its end when no process has it open any more, and we have.
    fn close(&mut self, at: usize) {
        self.is_changed |= self.streams[at].source.is_changed();
        self.streams[at].source = Source::Closed;
    }

    fn receive(&mut self) {
        loop {
            match self.control.receive() {
                Received::Nothing => return,
                Received::Event(Event::Ended) => {
                    self.ended = Some(End::new(Instant::now(), self.terms.settle));
                }
                Received::Event(Event::AllEnded) => self.is_alone = true,
                Received::Gone => {
                    (self.is_gone, self.is_alone) = (true, true);
                    return;
                }
            }
        }
    }

    /// Whether no pipe can bring anything more. What is in a terminal or a file is read in the end.
    fn is_drained(&self) -> bool {
        !self.streams.iter().any(Captured::is_pipe)
    }

    /// Does what is due, and returns whether nothing more is to be waited for.
    fn advance(&mut self) -> bool {
        let now = Instant::now();
        match self.phase {
            Phase::Killed(at, _) => {
                if self.is_alone {
                    return true;
                }
                if now >= at + AFTER_KILL {
                    self.slot.give_up();
                    return true;
                }
                false
            }
            Phase::Running if self.is_gone => true,
            Phase::Running => self.settle(now) || self.keep_limits(now),
        }
    }

    fn settle(&mut self, now: Instant) -> bool {
        let init = self.slot.init();
        let is_drained = self.is_drained();
        let Some(end) = &mut self.ended else { return false };
        self.slow = None;
        if self.is_alone && is_drained {
            return true;
        }
        let settled = match self.left {
            0 => end.settle.check(now, || activity(init)),
            _ => Expiry::Expired,
        };
        let lingered = match settled {
            Expiry::Expired => end.linger.check(now, || activity(init)),
            settled => settled,
        };
        if settled == Expiry::Expired && self.left == 0 && !self.is_alone {
            let left = init.map_or(0, |init| process::descendants(init).len());
            // A process is left, even where none can be counted.
            self.left = u32::try_from(left).unwrap_or(u32::MAX).max(1);
        }
        if settled == Expiry::Expired && is_drained {
            self.end(Why::Left);
        } else if lingered == Expiry::Expired {
            self.end(Why::Ended(Ended::HeldOpen));
        } else if lingered == Expiry::Starved {
            self.end(Why::Cut);
        }
        false
    }

    /// Ends what must be ended; never over by that alone.
    fn keep_limits(&mut self, now: Instant) -> bool {
        if self.terms.cancel.signal().is_some() || now >= self.terms.deadline {
            self.end(Why::Cut);
        } else if let Some(ended) = self.check_size() {
            self.end(Why::Ended(ended));
        } else if self.ended.is_none() {
            let init = self.slot.init();
            let (timer, is_sent) = match &mut self.signal {
                Some(Delivery::Sent(grace)) => (grace, true),
                _ => (&mut self.limit, false),
            };
            match timer.check(now, || activity(init)) {
                Expiry::Starved => self.end(Why::Cut),
                Expiry::Expired if is_sent => self.end(Why::Ended(Ended::Deaf)),
                Expiry::Expired => {
                    let input = self.silent.as_ref().map(|(number, _)| *number);
                    let waiting =
                        init.map_or(Waiting::ForSomething, |it| process::waiting(it, input));
                    let is_writing = self.is_oversized() && waiting == Waiting::ForSomething;
                    let at_limit = Ended::AtLimit(waiting);
                    self.end(Why::Ended(if is_writing { Ended::Flooding } else { at_limit }));
                }
                Expiry::Pending => self.disturb(now),
            }
            self.be_slow(now);
        }
        false
    }

    /// Whether it wrote more than is kept.
    fn is_oversized(&self) -> bool {
        self.streams.iter().any(|stream| stream.is_short)
    }

    /// Lets go of what is too much to keep. How a run must end that writes more than it may: what goes to a disk is not
    /// waited for.
    fn check_size(&mut self) -> Option<Ended> {
        let size: u64 = self.streams.iter().map(Captured::size).sum();
        if size > self.terms.allowance && !self.is_oversized() {
            self.streams.iter_mut().for_each(|stream| stream.shorten(self.terms.allowance));
        }
        match self.is_oversized() {
            true if self.streams.iter().any(Captured::is_file) => Some(Ended::Oversized),
            true if size > self.terms.endless => Some(Ended::Flooding),
            _ => None,
        }
    }

    /// Sends the signal once the program is under way.
    fn disturb(&mut self, now: Instant) {
        let init = self.slot.init();
        let Some(Delivery::Due { signal, under_way, after_output, idle }) = &mut self.signal else {
            return;
        };
        let after_output = after_output.as_mut().map(|it| it.check(now, || activity(init)));
        let under_way = under_way.check(now, || activity(init));
        let was_idle = *idle;
        *idle = match (init.and_then(process::idle_since), was_idle) {
            (Some(ticks), Some((since, before))) if ticks == before => Some((since, before)),
            (Some(ticks), _) => Some((now, ticks)),
            (None, _) => None,
        };
        let is_idle = idle.is_some_and(|(since, _)| now >= since + IDLE);
        if is_idle || [after_output, Some(under_way)].contains(&Some(Expiry::Expired)) {
            self.control.order(Order::Signal(signal.number()));
            self.signal = Some(Delivery::Sent(FairTimer::new(now, GRACE)));
        } else if under_way == Expiry::Starved {
            self.end(Why::Cut);
        }
    }

    /// Begins to read once there is no room, or nothing more comes.
    fn be_slow(&mut self, now: Instant) {
        let init = self.slot.init();
        let Some(slow) = &mut self.slow else { return };
        let fd = self.streams[0].source.fd();
        if fd.is_none_or(|fd| slow.check(fd, now, || activity(init))) {
            self.slow = None;
        }
    }

    fn end(&mut self, why: Why) {
        self.control.order(Order::EndAll);
        self.phase = Phase::Killed(Instant::now(), why);
        self.slow = None;
    }

    /// How long to wait for anything to happen.
    fn patience(&self) -> Duration {
        let now = Instant::now();
        let has_files = self.streams.iter().any(Captured::is_file);
        let next = match (self.phase, &self.ended) {
            (Phase::Killed(at, _), _) => (at + AFTER_KILL).min(now + POLL_INTERVAL),
            (Phase::Running, Some(end)) if self.left == 0 => end.settle.next_look(now),
            (Phase::Running, Some(end)) => end.linger.next_look(now),
            (Phase::Running, None) => match &self.signal {
                Some(Delivery::Due { .. }) => now + POLL_INTERVAL,
                Some(Delivery::Sent(grace)) => grace.next_look(now),
                None if self.slow.is_some() => now + POLL_INTERVAL,
                None => self.limit.next_look(now),
            },
        };
        let mut next = next.min(self.terms.deadline.max(now + POLL_INTERVAL));
        if has_files || self.terms.cancel.is_possible() {
            next = next.min(now + HEARTBEAT);
        }
        next.saturating_duration_since(now)
    }

    fn into_outcome(mut self, chunk: &mut [u8]) -> Outcome {
        if let Some(error) = self.slot.refusal() {
            return Outcome::Unstarted(error);
        }
        let ended = match self.phase {
            Phase::Killed(_, Why::Cut) => return Outcome::Cut,
            Phase::Killed(_, Why::Broken) => return Outcome::Unstarted(broken()),
            Phase::Running if self.ended.is_none() => return Outcome::Unstarted(broken()),
            Phase::Running | Phase::Killed(_, Why::Left) => match self.signal {
                Some(Delivery::Due { .. }) => Ended::BeforeSignal,
                Some(Delivery::Sent(_)) | None => Ended::ByItself,
            },
            Phase::Killed(_, Why::Ended(ended)) => ended,
        };
        for at in [0, 1] {
            self.finish(at, chunk);
        }
        let ended_at = self.ended.map_or_else(Instant::now, |end| end.at);
        let written = [0, 1].map(|at: usize| self.streams[at].written);
        // What came at the very end counts too.
        if written.iter().sum::<u64>() > self.terms.allowance {
            self.streams.iter_mut().for_each(|stream| stream.shorten(self.terms.allowance));
        }
        let is_whole = ended != Ended::ByItself || !self.is_oversized();
        let ended = if is_whole { ended } else { Ended::Oversized };
        let streams = self.streams.map(|stream| stream.bytes);
        let status = if self.ended.is_some() { self.slot.status() } else { Status::Unknown };
        Outcome::Finished(Box::new(Watched {
            status,
            ended,
            left: self.left,
            is_terminal_changed: self.is_changed,
            duration: ended_at - self.begin,
            streams,
            written,
        }))
    }

    /// Takes what is still there.
    fn finish(&mut self, at: usize, chunk: &mut [u8]) {
        let most = self.terms.allowance;
        if self.streams[at].take_file(most) {
            return;
        }
        // Bounded, as a process that could not be ended may continue to write.
        while self.streams[at].written <= most {
            let before = self.streams[at].written;
            if self.read(at, chunk).is_err() || self.streams[at].written == before {
                break;
            }
        }
        self.close(at);
    }
}

/// What the processes of an init are doing, if the system says.
fn activity(init: Option<u32>) -> Option<Activity> {
    init.map_or(Some(Activity::BEGINNING), process::activity)
}

fn broken() -> io::Error {
    io::Error::other("the process that watched it is gone")
}
