use manila_clap::{App, Call, Done, dialects};

#[derive(clap::Parser)]
struct Cli {}

#[derive(Debug)]
struct NoNote;

fn run(_: Cli, _: &Call) -> Result<Done, NoNote> {
    Err(NoNote)
}

fn main() {
    App::<Cli>::new(dialects::RESPONSE_ENVELOPE_1_0).run(run);
}
