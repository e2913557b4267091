//! The drift of a part of a log: along time, which does not depend on what came before the part.

use super::{Drift, Seen, THINGS};
use crate::stats::key::{self, Map};
use crate::stats::timeline::{Scale, Timeline};
use serde::{Deserialize, Serialize};

impl Seen {
    /// Adds what the part of a log that follows saw, after so many records.
    fn absorb(&mut self, next: Seen, before: u64) {
        self.count += next.count;
        self.by_time.join(next.by_time);
        if next.count > 0 {
            let (first, last) = next.positions;
            let (first, last) = (first.saturating_add(before), last.saturating_add(before));
            self.positions = (self.positions.0.min(first), self.positions.1.max(last));
        }
        self.times = match (self.times, next.times) {
            (Some(one), Some(two)) => Some((one.0.min(two.0), one.1.max(two.1))),
            (one, two) => one.or(two),
        };
    }
}

impl Drift {
    /// Adds the following part of a log, except for the timelines along positions.
    pub(crate) fn absorb(&mut self, next: Drift, most: usize) {
        let before = self.all.count;
        self.all.absorb(next.all, before);
        self.dated += next.dated;
        for (known, things) in self.things.iter_mut().zip(next.things) {
            for (key, seen) in things {
                let has_room = known.len() < most;
                match known.get_mut(&key) {
                    Some(known) => known.absorb(seen, before),
                    None if has_room => {
                        known.entry(key).or_insert_with(Seen::new).absorb(seen, before);
                    }
                    None => self.is_cut = true,
                }
            }
        }
    }

    /// Whether drift is known along time, or there is none.
    pub(crate) fn is_along_time(&self) -> bool {
        self.all.count == 0 || self.scale() == Scale::Time
    }
}

/// How drift is written.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wire {
    all: WireSeen,
    dated: u64,
    things: [Vec<(Vec<Option<String>>, WireSeen)>; THINGS.len()],
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WireSeen {
    count: u64,
    by_time: Timeline,
    positions: (u64, u64),
    times: Option<(i64, i64)>,
}

impl From<&Seen> for WireSeen {
    fn from(seen: &Seen) -> WireSeen {
        let Seen { count, by_time, positions, times, .. } = seen.clone();
        WireSeen { count, by_time, positions, times }
    }
}

impl TryFrom<WireSeen> for Seen {
    type Error = &'static str;

    fn try_from(wire: WireSeen) -> Result<Self, Self::Error> {
        if !wire.by_time.is_sound(Scale::Time) {
            return Err("a timeline is not sound");
        }
        let WireSeen { count, by_time, positions, times } = wire;
        Ok(Seen { count, by_time, positions, times, ..Seen::new() })
    }
}

impl From<&Drift> for Wire {
    fn from(drift: &Drift) -> Wire {
        let things = drift
            .things
            .each_ref()
            .map(|known| known.iter().map(|(key, seen)| (key::values(key), seen.into())).collect());
        Wire { all: (&drift.all).into(), dated: drift.dated, things }
    }
}

impl TryFrom<Wire> for Drift {
    type Error = &'static str;

    fn try_from(wire: Wire) -> Result<Self, Self::Error> {
        let mut drift = Drift { all: wire.all.try_into()?, dated: wire.dated, ..Drift::default() };
        for (known, things) in drift.things.iter_mut().zip(wire.things) {
            let mut read: Map<Seen> = Map::default();
            for (key, seen) in things {
                if read.insert(key::of_values(&key), seen.try_into()?).is_some() {
                    return Err("an entry occurs twice");
                }
            }
            *known = read;
        }
        Ok(drift)
    }
}
