use manila_clap::{App, Call, dialects};
use std::convert::Infallible;

#[derive(clap::Parser)]
struct Cli {}

struct Note;

fn run(_: Cli, _: &Call) -> Result<Note, Infallible> {
    Ok(Note)
}

fn main() {
    App::<Cli>::new(dialects::RESPONSE_ENVELOPE_1_0).run(run);
}
