//! A good record written in one dialect, its payload copied as it is spelled.
//!
//! Records that say no more than usual are written from their own pieces, without being opened. All
//! others are opened and written by the core, and so is everything for dialects other than the
//! response envelopes. What comes out means the same either way.

mod loss;
mod parts;
mod source;

pub use loss::{Losses, Lost, LostField};

use crate::blocks::BLOCK;
use crate::sink::Record;
use crate::verdict::Verdict;
use manila::dialects::WRITTEN;
use manila::json::Limits;
use manila::{
    Defaults, Dialect, Error, Lines, Options, Scope, Status, Transcript, open, write_into,
};
use parts::Parts;
use source::Source;

/// Writes records in one dialect, each on one line.
#[derive(Debug)]
pub struct Normaliser {
    dialect: &'static dyn Dialect,
    /// The version of the response envelope that is written from pieces.
    version: Option<&'static str>,
    defaults: Defaults,
    limits: Limits,
    memory: Vec<u8>,
    /// Where the dialects have what is written.
    sources: Vec<Source>,
}

impl Normaliser {
    /// Writes in that dialect; `defaults` replace what it requires and a record does not say.
    pub fn new(dialect: &'static dyn Dialect, defaults: Defaults, limits: Limits) -> Self {
        let version = match dialect.id() {
            "response-envelope/1.0" => Some("1.0"),
            "response-envelope/1.6" => Some("1.6"),
            _ => None,
        };
        let sources = WRITTEN.iter().filter_map(|dialect| Source::new(dialect.table())).collect();
        Normaliser { dialect, version, defaults, limits, memory: Vec::new(), sources }
    }

    /// Where the dialect of a record has what is written.
    fn source(&self, verdict: &Verdict<'_>) -> Option<&Source> {
        let table = verdict.envelope()?.dialect.table();
        self.sources.iter().find(|source| std::ptr::eq(source.table, table))
    }

    /// Appends a good record to `out`, with the newline that ends it. Nothing is appended on an
    /// error. If `out` is new it is given room for all the records of a block.
    pub fn write(&mut self, record: &Record<'_>, out: &mut Vec<u8>) -> Result<(), Error> {
        if out.capacity() == 0 {
            out.reserve(BLOCK + BLOCK / 4);
        }
        if let Some(version) = self.version {
            if parts::is_written(&record.verdict, version) {
                out.extend_from_slice(record.bytes);
                out.push(b'\n');
                return Ok(());
            }
            let source = self.source(&record.verdict);
            if let Some(parts) = source.and_then(|it| Parts::new(&record.verdict, it, version)) {
                parts.write(version, out);
                return Ok(());
            }
        }
        self.write_opened(record, out)
    }

    /// What the dialect cannot say of a good record. Records that say no more than usual are not
    /// opened for it.
    pub fn losses(&self, record: &Record<'_>) -> Result<Lost, Error> {
        let usual = self.source(&record.verdict).filter(|_| self.version.is_some());
        let usual = usual.and_then(|it| loss::usual(&record.verdict, it, self.dialect));
        usual.map_or_else(|| self.losses_found(record), Ok)
    }

    /// The same through the core alone.
    fn losses_found(&self, record: &Record<'_>) -> Result<Lost, Error> {
        let transcript = Transcript::from_stdout(record.bytes, Status::Unknown);
        let named = record.verdict.envelope().map(|envelope| envelope.dialect);
        let opened = open(
            &transcript,
            &Options { limits: self.limits, dialect: named, scope: Scope::Named },
        )?;
        let conversion = opened.convert(self.dialect, &self.defaults)?;
        Ok(Lost::new(&conversion.losses))
    }

    /// Writes through the core alone.
    pub(crate) fn write_opened(
        &mut self,
        record: &Record<'_>,
        out: &mut Vec<u8>,
    ) -> Result<(), Error> {
        let transcript = Transcript::from_stdout(record.bytes, Status::Unknown);
        let named = record.verdict.envelope().map(|envelope| envelope.dialect);
        let opened = open(
            &transcript,
            &Options { limits: self.limits, dialect: named, scope: Scope::Named },
        )?;
        let memory = std::mem::take(&mut self.memory);
        let written =
            write_into(memory, &opened.envelope, self.dialect, &self.defaults, Lines::One);
        out.extend_from_slice(&written.document);
        self.memory = written.document;
        Ok(())
    }
}

#[cfg(test)]
#[path = "../../examples/corpus/generate.rs"]
#[allow(dead_code, reason = "shared with the example")]
pub(crate) mod generate;

#[cfg(test)]
mod tests {
    use super::generate::Corpus;
    use super::*;
    use crate::fast::{Backend, Judge};

    const MORE: &[&str] = &[
        r#"{"schema":"animus.cli.v1","ok":true,"data":null}"#,
        r#"{"schema":"animus.cli.v1","ok":true,"data":"x"}"#,
        r#"{"ok":true,"data":{"a":1},"error":null,"warnings":["w\n"],"meta":{"duration_ms":1,"kind":"k","cwd":"/","cursor":"c","more":1}}"#,
        r#"{"ok":true,"data":{"a":1},"error":null,"warnings":["w\n"],"meta":{"duration_ms":1,"kind":"k","cwd":"/","cursor":"c"}}"#,
        r#"{"ok":true,"data":[],"error":null,"warnings":[],"meta":{"duration_ms":1,"truncated":true}}"#,
        r#"{"ok":true,"data":[],"error":null,"warnings":[],"meta":{"kind":"a","duration_ms":1,"kind":"b"}}"#,
        r#"{"ok":false,"data":null,"error":{"code":"A","message":"m","retryable":false,"retry_after":3,"phase":"validation"},"warnings":[],"meta":{"duration_ms":1}}"#,
        r#"{"ok":false,"data":null,"error":{"code":"A","message":"m","phase":"other","details":{}},"warnings":[],"meta":{"duration_ms":1}}"#,
        r#"{"ok":false,"data":null,"error":{"code":"A","message":"m","retryable":true,"retry_after_ms":1500},"warnings":[],"meta":{"duration_ms":1}}"#,
        r#"{"error":"no","hint":null,"kind":"session_not_found","type":"error"}"#,
        r#"{"error":"no","hint":"h","kind":"unknown","type":"error","message":"no"}"#,
        r#"{"kind":"version","version":"0.1.0","type":"success"}"#,
        r#"{"kind":"version","type":"success"}"#,
        r#"{"timestamp":"t","command":"x","exit_code":0,"output_format":"json","schema_version":"2.0"}"#,
        r#"{"timestamp":"t","command":"x","exit_code":0,"output_format":"json","schema_version":"2.0","data":{"a":1}}"#,
        r#"{"timestamp":"t","command":"x","exit_code":0,"output_format":"text","schema_version":"2.0","a":1}"#,
        r#"{"timestamp":"t","command":"x","exit_code":2,"output_format":"json","schema_version":"2.0","a":1}"#,
        r#"{"timestamp":"t","command":"x","exit_code":1,"output_format":"json","schema_version":"2.0","name":"n","found":false,"error":{"kind":"tool_not_found","message":"m","retryable":false}}"#,
        r#"{"ok":false,"error":{"code":"c","message":"m","suggestion":"","details":{"a":1}}}"#,
        r#"{"ok":true,"kind":"k","data":{},"issues":[{"severity":"info","code":"c","docPath":"p"}],"meta":{"apiVersion":"1","cwd":""}}"#,
        r#"{"ok":false,"kind":"k","data":{},"issues":[{"severity":"info","code":"c"},{"code":"d","severity":"error","path":"p","docHref":"h"}],"meta":{"apiVersion":"1","cwd":"/"}}"#,
        r#"{"ok":false,"kind":"k","data":{},"issues":[{"severity":"odd","code":"c","message":"m"}],"meta":{"apiVersion":"1","cwd":"/","x":1}}"#,
    ];

    /// The records above, and a thousand others.
    fn block(seed: u64) -> Vec<u8> {
        let mut corpus = Corpus::new(seed);
        let mut block = MORE.join("\n").into_bytes();
        block.push(b'\n');
        for _ in 0..1000 {
            corpus.record(&mut block);
        }
        block
    }

    #[test]
    fn what_is_known_to_be_lost_is_what_the_core_finds() {
        let block = block(6);
        for id in ["response-envelope/1.0", "response-envelope/1.6"] {
            let dialect = manila::dialect(id).expect("a dialect");
            let normaliser = Normaliser::new(dialect, Defaults::default(), Limits::default());
            let (mut good, mut known) = (0, 0);
            let bytes = &block;
            Judge::new(Limits::default(), Backend::Fastest).judge(bytes, |found| {
                let bytes = &bytes[found.span.clone()];
                let record = Record { bytes, input: 0, offset: 0, line: 0, verdict: found.verdict };
                if !record.verdict.is_good() {
                    return;
                }
                good += 1;
                let found = normaliser.losses_found(&record).expect("opens");
                let source = normaliser.source(&record.verdict);
                if let Some(usual) = source.and_then(|it| loss::usual(&record.verdict, it, dialect))
                {
                    known += 1;
                    let text = String::from_utf8_lossy(bytes);
                    assert_eq!(usual.fields(), found.fields(), "{id}: {text}");
                }
            });
            assert!(known * 100 > good * 70, "{known} of {good} for {id}");
        }
    }

    #[test]
    fn losses_are_counted_once_for_each_record_and_not_without_end() {
        let td = manila::dialect("td/1").expect("a dialect");
        let normaliser = Normaliser::new(td, Defaults::default(), Limits::default());
        let mut losses = Losses::default();
        for number in 0..300 {
            let line = format!(
                r#"{{"ok":true,"data":{{}},"error":null,"warnings":["a","b"],"meta":{{"duration_ms":1,"x{number}":1}}}}"#
            );
            let mut judge = crate::Reference::default();
            let (bytes, verdict) = (line.as_bytes(), judge.judge(line.as_bytes()));
            let record = Record { bytes, input: 0, offset: 0, line: 0, verdict };
            let mut one = Losses::default();
            one.add(normaliser.losses(&record).expect("opens"));
            losses.join(one);
        }
        assert_eq!(losses.records(), 300);
        let fields = losses.fields();
        let warnings = LostField { field: "warnings".to_owned(), fate: "dropped", records: 300 };
        assert!(fields.contains(&warnings), "{fields:?}");
        assert_eq!(fields.len(), 200);
        let listed: u64 =
            fields.iter().filter(|it| it.field.contains(".x")).map(|it| it.records).sum();
        assert_eq!(listed + losses.other(), 300);
    }

    #[test]
    fn what_is_written_from_pieces_means_what_the_core_writes() {
        let block = block(5);
        for id in ["response-envelope/1.0", "response-envelope/1.6"] {
            let dialect = manila::dialect(id).expect("a dialect");
            let mut normaliser = Normaliser::new(dialect, Defaults::default(), Limits::default());
            let version = normaliser.version.expect("a version");
            let (mut good, mut from_pieces) = (0, 0);
            let bytes = &block;
            Judge::new(Limits::default(), Backend::Fastest).judge(bytes, |found| {
                let bytes = &bytes[found.span.clone()];
                let record = Record { bytes, input: 0, offset: 0, line: 0, verdict: found.verdict };
                if !record.verdict.is_good() {
                    return;
                }
                good += 1;
                let (mut quick, mut slow) = (Vec::new(), Vec::new());
                let source = normaliser.source(&record.verdict);
                let parts = source.and_then(|it| Parts::new(&record.verdict, it, version));
                from_pieces += u32::from(parts.is_some());
                normaliser.write(&record, &mut quick).expect("writes");
                normaliser.write_opened(&record, &mut slow).expect("writes");
                assert_eq!(memchr::memchr(b'\n', &quick), Some(quick.len() - 1));
                let read = |bytes: &[u8]| serde_json::from_slice::<serde_json::Value>(bytes);
                let text = String::from_utf8_lossy(bytes);
                assert_eq!(read(&quick).expect("JSON"), read(&slow).expect("JSON"), "{text}");
            });
            assert!(from_pieces * 100 > good * 85, "{from_pieces} of {good} for {id}");
        }
    }
}
