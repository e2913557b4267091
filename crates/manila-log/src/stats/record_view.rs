//! What the tallies want to know of one record, each thing looked up once and only if it is asked for.

use crate::sink::Record;
use crate::value_ref::ValueRef;
use crate::verdict::{Envelope, Verdict};
use jiff::Timestamp;
use jiff::tz::Offset;
use std::borrow::Cow;
use std::cell::OnceCell;

/// One record that is an envelope.
pub(crate) struct RecordView<'r> {
    pub(crate) verdict: &'r Verdict<'r>,
    pub(crate) envelope: &'r Envelope<'r>,
    time: OnceCell<Option<i64>>,
    command: OnceCell<Option<Cow<'r, str>>>,
    argv: OnceCell<[Option<Cow<'r, str>>; 2]>,
    meta: OnceCell<Meta<'r>>,
}

/// What is looked for in a record's `meta`.
#[derive(Default)]
struct Meta<'r> {
    duration: Option<u64>,
    timestamp: Option<ValueRef<'r>>,
    run: Option<ValueRef<'r>>,
}

impl<'r> RecordView<'r> {
    /// A look at a record, if it is an envelope of a known dialect.
    pub(crate) fn of(record: &'r Record<'r>) -> Option<Self> {
        Some(RecordView {
            verdict: &record.verdict,
            envelope: record.verdict.envelope()?,
            time: OnceCell::new(),
            command: OnceCell::new(),
            argv: OnceCell::new(),
            meta: OnceCell::new(),
        })
    }

    /// When it was written, in milliseconds since 1970. A line of `manila run --log` was written by
    /// that call, however old its answer is.
    pub(crate) fn time(&self) -> Option<i64> {
        *self.time.get_or_init(|| {
            let began = || self.meta().run.and_then(|run| run.get("began"));
            // Such a line has nothing of the kind at its top, where others need no further look.
            moment(self.verdict.get("timestamp"))
                .or_else(|| moment(began()))
                .or_else(|| moment(self.meta().timestamp))
        })
    }

    pub(crate) fn duration(&self) -> Option<u64> {
        self.meta().duration
    }

    /// All of it in one pass, which takes longer than anything that is made of it.
    fn meta(&self) -> &Meta<'r> {
        self.meta.get_or_init(|| {
            let mut meta = Meta::default();
            for (key, value) in self.verdict.get("meta").into_iter().flat_map(ValueRef::members) {
                match () {
                    () if key.is_text("duration_ms") => meta.duration = value.integer(),
                    () if key.is_text("timestamp") => meta.timestamp = Some(value),
                    () if key.is_text("run") => meta.run = Some(value),
                    () => {}
                }
            }
            meta
        })
    }

    /// The name of the program, which the lines of `manila run --log` have as the first word of the
    /// call.
    pub(crate) fn program(&self) -> Option<&str> {
        let path = self.argv()[0].as_deref()?;
        path.rsplit('/').find(|name| !name.is_empty())
    }

    /// The command that the record names; or, where it names none, the second word of the call.
    pub(crate) fn command(&self) -> Option<&str> {
        let command = self.command.get_or_init(|| self.verdict.command());
        command.as_deref().or_else(|| self.argv()[1].as_deref().filter(|word| is_command(word)))
    }

    /// The first two words of the call that a line of `manila run --log` is about.
    fn argv(&self) -> &[Option<Cow<'r, str>>; 2] {
        self.argv.get_or_init(|| {
            let argv = self.meta().run.and_then(|run| run.get("argv"));
            let mut words = argv.into_iter().flat_map(ValueRef::elements);
            [(); 2].map(|()| words.next().and_then(ValueRef::text))
        })
    }

    pub(crate) fn day(&self) -> Option<String> {
        let time = Timestamp::from_millisecond(self.time()?).ok()?;
        Some(Offset::UTC.to_datetime(time).date().to_string())
    }

    pub(crate) fn hour(&self) -> Option<String> {
        let time = Timestamp::from_millisecond(self.time()?).ok()?;
        let time = Offset::UTC.to_datetime(time);
        Some(format!("{}T{:02}", time.date(), time.hour()))
    }
}

/// A timestamp of a record, in milliseconds since 1970.
fn moment(piece: Option<ValueRef<'_>>) -> Option<i64> {
    let moment: Timestamp = piece?.text()?.parse().ok()?;
    Some(moment.as_millisecond())
}

/// Whether a word names a command, and is neither an option nor something that the call is about.
fn is_command(word: &str) -> bool {
    let is_usual = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b':');
    word.starts_with(|first: char| first.is_ascii_alphabetic()) && word.bytes().all(is_usual)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Reference;

    fn viewed(bytes: &str) -> (Option<String>, Option<String>, Option<u64>, Option<i64>) {
        let mut judge = Reference::default();
        let verdict = judge.judge(bytes.as_bytes());
        let record = Record { bytes: bytes.as_bytes(), input: 0, offset: 0, line: 0, verdict };
        let view = RecordView::of(&record).expect("an envelope");
        let own = |text: Option<&str>| text.map(str::to_owned);
        (own(view.program()), own(view.command()), view.duration(), view.time())
    }

    #[test]
    fn a_line_of_a_run_names_its_program_and_command() {
        let line = |meta: &str| {
            format!(r#"{{"ok":true,"data":{{}},"error":null,"warnings":[],"meta":{{{meta}}}}}"#)
        };
        let text = |text: &str| Some(text.to_owned());
        let call = line(r#""duration_ms":7,"run":{"argv":["/usr/bin/td","ls","-a"],"attempts":1}"#);
        assert_eq!(viewed(&call), (text("td"), text("ls"), Some(7), None));
        let named = line(r#""duration_ms":7,"kind":"task","run":{"argv":["td","ls"]}"#);
        assert_eq!(viewed(&named), (text("td"), text("task"), Some(7), None));
        let option = line(r#""duration_ms":7,"run":{"argv":["td","--all"]}"#);
        assert_eq!(viewed(&option), (text("td"), None, Some(7), None));
        let time = line(r#""duration_ms":7,"timestamp":"1970-01-01T01:00:01.5+01:00""#);
        assert_eq!(viewed(&time), (None, None, Some(7), Some(1500)));
        let began = r#""duration_ms":7,"timestamp":"today","run":{"began":"1970-01-01T00:00:02Z"}"#;
        assert_eq!(viewed(&line(began)).3, Some(2000));
        let cached = began.replace("today", "1969-01-01T00:00:00Z");
        assert_eq!(viewed(&line(&cached)).3, Some(2000));
        let unsure =
            began.replace("1970-01-01T00:00:02Z", "then").replace("today", "1970-01-01T00:00:03Z");
        assert_eq!(viewed(&line(&unsure)).3, Some(3000));
    }

    #[test]
    fn a_word_of_a_call_is_not_always_a_command() {
        assert!(["ls", "list-sessions", "cache:clear"].into_iter().all(is_command));
        assert!(!["-a", "", "42", "./x", "a b", "a=b"].into_iter().any(is_command));
    }
}
