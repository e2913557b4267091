//! How numbers are spread, in bounded room: a log-linear histogram whose error is known.
//!
//! Numbers below 32 have a bucket each; above, every power of two is cut into 16 buckets of equal
//! width, so that the middle of a bucket is off by at most a 32nd. Two histograms are added exactly,
//! in whatever order.

use serde::{Deserialize, Serialize};

/// Buckets per power of two.
const STEPS: u64 = 16;
/// How far a percentile can be off, as a share of its value.
pub const PERCENTILE_ERROR: f64 = 1.0 / 32.0;
/// Numbers from here on share the last bucket: 2^40 milliseconds are 34 years.
const LARGEST: u64 = 1 << 40;

/// Numbers by size.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Histogram {
    /// The buckets that hold something, ascending; most hold nothing.
    buckets: Vec<u16>,
    counts: Vec<u64>,
    count: u64,
    sum: u128,
    max: u64,
}

impl Histogram {
    pub(crate) fn add(&mut self, number: u64) {
        self.put(bucket_of(number), 1);
        self.count += 1;
        self.sum += u128::from(number);
        self.max = self.max.max(number);
    }

    pub(crate) fn join(&mut self, other: &Histogram) {
        for (bucket, count) in other.buckets.iter().zip(&other.counts) {
            self.put(*bucket, *count);
        }
        self.count += other.count;
        self.sum += other.sum;
        self.max = self.max.max(other.max);
    }

    fn put(&mut self, bucket: u16, count: u64) {
        match self.buckets.binary_search(&bucket) {
            Ok(at) => self.counts[at] += count,
            Err(at) => {
                self.buckets.insert(at, bucket);
                self.counts.insert(at, count);
            }
        }
    }

    /// Whether its parts agree, for one that was read.
    pub(crate) fn is_sound(&self) -> bool {
        let counted = self.counts.iter().try_fold(0u64, |sum, count| sum.checked_add(*count));
        self.buckets.len() == self.counts.len()
            && self.buckets.is_sorted_by(|one, two| one < two)
            && self.buckets.last().is_none_or(|last| *last <= bucket_of(LARGEST))
            && counted == Some(self.count)
    }

    pub(crate) fn count(&self) -> u64 {
        self.count
    }

    pub(crate) fn max(&self) -> u64 {
        self.max
    }

    /// The mean, rounded down.
    pub(crate) fn mean(&self) -> u64 {
        let mean = self.sum.checked_div(u128::from(self.count)).unwrap_or_default();
        u64::try_from(mean).unwrap_or(u64::MAX)
    }

    /// The number that so many of a thousand do not exceed, give or take [`PERCENTILE_ERROR`].
    pub(crate) fn permille(&self, permille: u64) -> u64 {
        let rank = (u128::from(self.count) * u128::from(permille)).div_ceil(1000).max(1);
        let mut seen = 0;
        for (bucket, count) in self.buckets.iter().zip(&self.counts) {
            seen += u128::from(*count);
            if seen >= rank {
                return middle_of(*bucket).min(self.max);
            }
        }
        self.max
    }
}

fn bucket_of(number: u64) -> u16 {
    let number = number.min(LARGEST);
    if number < 2 * STEPS {
        return u16::try_from(number).unwrap_or_default();
    }
    // The four bits behind the highest one choose the bucket within its power of two.
    let octave = u64::from(number.ilog2() - STEPS.ilog2());
    u16::try_from(octave * STEPS + (number >> octave)).unwrap_or(u16::MAX)
}

fn middle_of(bucket: u16) -> u64 {
    let bucket = u64::from(bucket);
    if bucket < 2 * STEPS {
        return bucket;
    }
    let octave = bucket / STEPS - 1;
    let begin = (bucket - octave * STEPS) << octave;
    begin + ((1 << octave) - 1) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_near_the_middle_of_its_bucket() {
        let numbers = (0..5000).chain((0..40).flat_map(|bit| {
            let power = 1u64 << bit;
            [power - 1, power, power + 1, power + power / 3]
        }));
        for number in numbers {
            let middle = middle_of(bucket_of(number));
            #[expect(clippy::cast_precision_loss, reason = "the numbers are small")]
            let off = middle.abs_diff(number) as f64 / (number.max(1)) as f64;
            assert!(off <= PERCENTILE_ERROR, "{number} is reported as {middle}");
        }
    }

    #[test]
    fn buckets_rise_with_their_numbers() {
        assert!((0..100_000).map(bucket_of).is_sorted());
        assert_eq!(bucket_of(u64::MAX), bucket_of(LARGEST));
        assert!(bucket_of(LARGEST) < 640);
    }

    #[test]
    fn percentiles_of_what_is_known() {
        let mut histogram = Histogram::default();
        (1..=30).for_each(|number| histogram.add(number));
        assert_eq!([500, 900, 990, 1000].map(|it| histogram.permille(it)), [15, 27, 30, 30]);
        assert_eq!((histogram.count(), histogram.mean(), histogram.max()), (30, 15, 30));
        assert_eq!(Histogram::default().permille(500), 0);
    }

    #[test]
    fn halves_add_up_to_the_whole() {
        let (mut whole, mut halves) =
            (Histogram::default(), [(); 2].map(|()| Histogram::default()));
        for number in (0..1000u64).map(|n| n * n * 7919 % 1_000_003) {
            whole.add(number);
            halves[usize::from(number % 2 == 0)].add(number);
        }
        let [mut one, other] = halves;
        one.join(&other);
        assert_eq!(one, whole);
    }
}
