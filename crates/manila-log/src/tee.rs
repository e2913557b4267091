//! Two sinks that receive the same records.

use crate::sink::{Block, Record, Sink};
use std::ops::ControlFlow;

/// Both receive every record; whichever ends the scan ends it for both.
impl<A: Sink, B: Sink> Sink for (A, B) {
    type Part = (A::Part, B::Part);
    type Chunk = (A::Chunk, B::Chunk);
    type Ordered = (A::Ordered, B::Ordered);

    fn part(&self) -> Self::Part {
        (self.0.part(), self.1.part())
    }

    fn chunk(&self) -> Self::Chunk {
        (self.0.chunk(), self.1.chunk())
    }

    fn record(&self, part: &mut Self::Part, chunk: &mut Self::Chunk, record: &Record<'_>) {
        self.0.record(&mut part.0, &mut chunk.0, record);
        self.1.record(&mut part.1, &mut chunk.1, record);
    }

    fn deliver(
        &self,
        ordered: &mut Self::Ordered,
        chunk: Self::Chunk,
        block: &Block,
    ) -> ControlFlow<()> {
        let one = self.0.deliver(&mut ordered.0, chunk.0, block);
        let other = self.1.deliver(&mut ordered.1, chunk.1, block);
        if one.is_break() { one } else { other }
    }
}
