//! How often something happened along a scale, in a few buckets that widen as the scale grows.
//!
//! The widths of a scale nest in each other, so that widening is exact: the same events give the same
//! timeline in whatever order they come.

use serde::{Deserialize, Serialize};

/// The most buckets of a timeline.
const BUCKETS: i64 = 32;

/// What a timeline is laid along.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Scale {
    /// Milliseconds since 1970, in buckets that people know.
    Time,
    /// The number of a record.
    Position,
}

const SECOND: i64 = 1000;
const MINUTE: i64 = 60 * SECOND;
const HOUR: i64 = 60 * MINUTE;
const DAY: i64 = 24 * HOUR;
/// Each divides the next.
const WIDTHS: &[i64] = &[
    SECOND,
    5 * SECOND,
    10 * SECOND,
    30 * SECOND,
    MINUTE,
    5 * MINUTE,
    10 * MINUTE,
    30 * MINUTE,
    HOUR,
    3 * HOUR,
    6 * HOUR,
    12 * HOUR,
    DAY,
    7 * DAY,
    28 * DAY,
    364 * DAY,
];

impl Scale {
    fn narrowest(self) -> i64 {
        match self {
            Scale::Time => SECOND,
            Scale::Position => 1,
        }
    }

    fn wider(self, width: i64) -> i64 {
        let known = WIDTHS.iter().copied().find(|known| *known > width);
        known.filter(|_| self == Scale::Time).unwrap_or(width.saturating_mul(2))
    }
}

/// Events by bucket.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Timeline {
    scale: Scale,
    width: i64,
    /// The buckets that hold something, ascending: the number of the bucket, and how many.
    buckets: Vec<(i64, u64)>,
}

impl Timeline {
    pub(crate) fn new(scale: Scale) -> Self {
        Timeline { scale, width: scale.narrowest(), buckets: Vec::new() }
    }

    pub(crate) fn add(&mut self, at: i64) {
        let bucket = at.div_euclid(self.width);
        // Most events come in order.
        match self.buckets.last_mut() {
            Some((last, count)) if *last == bucket => *count += 1,
            _ => self.insert(bucket),
        }
    }

    fn insert(&mut self, bucket: i64) {
        match self.buckets.binary_search_by_key(&bucket, |(number, _)| *number) {
            Ok(found) => self.buckets[found].1 += 1,
            Err(place) => self.buckets.insert(place, (bucket, 1)),
        }
        self.fit();
    }

    fn fit(&mut self) {
        while self.reach() >= BUCKETS {
            self.widen();
        }
    }

    /// Adds the events of another timeline of the same scale. As widths nest, the sum is as wide as it
    /// would be had all events been added to one.
    pub(crate) fn join(&mut self, mut other: Timeline) {
        while self.width < other.width {
            self.widen();
        }
        while other.width < self.width {
            other.widen();
        }
        for (bucket, count) in other.buckets {
            match self.buckets.binary_search_by_key(&bucket, |(number, _)| *number) {
                Ok(found) => self.buckets[found].1 += count,
                Err(place) => self.buckets.insert(place, (bucket, count)),
            }
        }
        self.fit();
    }

    /// Whether its parts agree, for one that was read.
    pub(crate) fn is_sound(&self, scale: Scale) -> bool {
        let mut width = scale.narrowest();
        while width < self.width {
            width = scale.wider(width);
        }
        self.scale == scale
            && width == self.width
            && self.reach() < BUCKETS
            && self.buckets.is_sorted_by(|one, two| one.0 < two.0)
    }

    fn reach(&self) -> i64 {
        match (self.buckets.first(), self.buckets.last()) {
            (Some((first, _)), Some((last, _))) => last.saturating_sub(*first),
            _ => 0,
        }
    }

    fn widen(&mut self) {
        let wider = self.scale.wider(self.width);
        let factor = wider / self.width;
        self.width = wider;
        let mut joined: Vec<(i64, u64)> = Vec::with_capacity(self.buckets.len());
        for (bucket, count) in self.buckets.drain(..) {
            let bucket = bucket.div_euclid(factor);
            match joined.last_mut() {
                Some((last, sum)) if *last == bucket => *sum += count,
                _ => joined.push((bucket, count)),
            }
        }
        self.buckets = joined;
    }

    pub(crate) fn width(&self) -> i64 {
        self.width
    }

    /// Where the first bucket begins.
    pub(crate) fn begin(&self) -> Option<i64> {
        self.buckets.first().map(|(bucket, _)| bucket.saturating_mul(self.width))
    }

    /// The counts in the buckets of `whole`, empty ones included. What `whole` counts contains all
    /// that is counted here, so that its buckets are at least as wide.
    pub(crate) fn along(&self, whole: &Timeline) -> Vec<u64> {
        let mut own = self.clone();
        while own.width < whole.width {
            own.widen();
        }
        let (Some((first, _)), reach) = (whole.buckets.first(), whole.reach()) else {
            return Vec::new();
        };
        let count = |bucket: i64| {
            let found = own.buckets.binary_search_by_key(&bucket, |(number, _)| *number);
            found.map_or(0, |at| own.buckets[at].1)
        };
        (0..=reach).map(|step| count(first + step)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_widths_nest() {
        for pair in WIDTHS.windows(2) {
            assert_eq!(pair[1] % pair[0], 0, "{pair:?}");
        }
    }

    #[test]
    fn the_order_of_events_does_not_matter() {
        for scale in [Scale::Time, Scale::Position] {
            let events: Vec<i64> = (0..500).map(|n| n * n * 7919 % 100_003 - 5000).collect();
            let mut sorted = events.clone();
            sorted.sort_unstable();
            let [one, other] = [&events, &sorted].map(|events| {
                let mut timeline = Timeline::new(scale);
                for at in events {
                    timeline.add(*at);
                }
                timeline
            });
            assert_eq!(one, other);
            let counts = one.along(&other);
            assert!(counts.len() <= 32, "{}", counts.len());
            assert_eq!(counts.iter().sum::<u64>(), 500);
        }
    }

    #[test]
    fn a_part_is_laid_along_the_whole() {
        let (mut whole, mut part) =
            (Timeline::new(Scale::Position), Timeline::new(Scale::Position));
        (0..64).for_each(|at| whole.add(at));
        (60..64).for_each(|at| part.add(at));
        let counts = part.along(&whole);
        assert_eq!((counts.len(), whole.width()), (32, 2));
        assert_eq!(counts[29..], [0, 2, 2]);
    }

    #[test]
    fn times_that_are_ages_apart_end() {
        let mut timeline = Timeline::new(Scale::Time);
        for at in [i64::MIN / 4, -1, 0, i64::MAX / 4] {
            timeline.add(at);
        }
        assert!(timeline.along(&timeline).len() <= 32);
    }
}
