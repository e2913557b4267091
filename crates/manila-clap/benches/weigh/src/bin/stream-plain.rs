//! The program whose streams the benchmark measures, in plain clap: lines for people, or the frames of the enveloped one
//! made by hand with `serde_json`, both into a buffer.

use clap::Parser;
use serde::Serialize;
use std::io::Write;

/// Gets one after the other
#[derive(Parser)]
#[command(name = "stream", version)]
struct Cli {
    /// How many
    count: u32,
    /// Write frames
    #[arg(long)]
    frames: bool,
}

#[derive(Serialize)]
struct Item {
    id: u32,
    name: String,
    done: bool,
}

#[derive(Serialize)]
struct Frame {
    #[serde(rename = "frame")]
    what: &'static str,
    seq: u64,
    kind: &'static str,
    data: Item,
}

fn item(id: u32) -> Item {
    Item { id, name: format!("item {id}"), done: id.is_multiple_of(2) }
}

fn main() -> std::io::Result<()> {
    let Cli { count, frames } = Cli::parse();
    let mut out = std::io::BufWriter::with_capacity(1 << 15, std::io::stdout().lock());
    for id in 0..count {
        let item = item(id);
        if frames {
            let seq = u64::from(id) + 1;
            let frame = Frame { what: "item", seq, kind: "item", data: item };
            serde_json::to_writer(&mut out, &frame)?;
            out.write_all(b"\n")?;
        } else {
            writeln!(out, "{}: {}", item.id, item.name)?;
        }
    }
    out.flush()
}
