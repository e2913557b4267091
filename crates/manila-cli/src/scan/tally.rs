//! Counts: records by dialect, violations by rule, and what became of the records.

use manila_log::{Rule, Verdict};

/// What is counted.
#[derive(Clone, Debug, Default)]
pub(crate) struct Tally {
    pub(crate) records: u64,
    pub(crate) bad: u64,
    /// Records that break rules, none of which was selected.
    pub(crate) unselected: u64,
    /// Good records that could not be written in the dialect that was asked for.
    pub(crate) unconverted: u64,
    /// Bad records that are too large to be kept.
    pub(crate) too_large: u64,
    pub(crate) violations: u64,
    dialects: Vec<Row<Option<&'static str>>>,
    rules: Vec<Row<Rule>>,
}

/// How many there are of one thing, and how many of them are bad.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Row<T> {
    pub(crate) of: T,
    pub(crate) records: u64,
    pub(crate) bad: u64,
}

/// The row of a thing, which is new if there is none yet.
fn row<T: PartialEq + Copy>(rows: &mut Vec<Row<T>>, of: T) -> &mut Row<T> {
    let index = rows.iter().position(|row| row.of == of).unwrap_or_else(|| {
        rows.push(Row { of, records: 0, bad: 0 });
        rows.len() - 1
    });
    &mut rows[index]
}

impl Tally {
    /// Counts a record.
    pub(crate) fn record(&mut self, verdict: &Verdict<'_>, is_bad: bool) {
        let dialect = verdict.envelope().map(|envelope| envelope.dialect.id());
        let row = row(&mut self.dialects, dialect);
        row.records += 1;
        row.bad += u64::from(is_bad);
        self.records += 1;
        self.bad += u64::from(is_bad);
        self.unselected += u64::from(!is_bad && !verdict.is_good());
    }

    /// Counts a rule that a record breaks.
    pub(crate) fn violation(&mut self, rule: Rule) {
        self.violations += 1;
        row(&mut self.rules, rule).bad += 1;
    }

    /// Adds what was counted elsewhere.
    pub(crate) fn add(&mut self, other: &Tally) {
        self.records += other.records;
        self.bad += other.bad;
        self.unselected += other.unselected;
        self.unconverted += other.unconverted;
        self.too_large += other.too_large;
        self.violations += other.violations;
        for Row { of, records, bad } in &other.dialects {
            let row = row(&mut self.dialects, *of);
            row.records += records;
            row.bad += bad;
        }
        for Row { of, bad, .. } in &other.rules {
            row(&mut self.rules, *of).bad += bad;
        }
    }

    /// Records by dialect, most first; those of none come last.
    pub(crate) fn dialects(&self) -> Vec<Row<Option<&'static str>>> {
        let mut rows = self.dialects.clone();
        rows.sort_by_key(|row| (row.of.is_none(), std::cmp::Reverse(row.records), row.of));
        rows
    }

    /// Violations by rule, most first.
    pub(crate) fn rules(&self) -> Vec<Row<Rule>> {
        let mut rows = self.rules.clone();
        rows.sort_by_key(|row| (std::cmp::Reverse(row.bad), row.of));
        rows
    }
}
