//! What every answer of a call says about itself, whatever it answers.

use crate::call::Call;
use crate::clock::now;
use crate::mode::Mode;
use crate::safe_text::clean;
use crate::screen::Screen;
use crate::secret;
use manila::json::{Members, Raw, SerializeError};
use manila::{Defaults, Lines, Meta};
use std::path::PathBuf;

#[inline(never)]
pub(crate) fn defaults(call: &Call) -> Defaults {
    let mut defaults = Defaults::default();
    if !call.dialect.table().has_meta {
        let path = if call.path.is_empty() { &call.program.name } else { &call.path };
        let typed = call.typed.as_ref().map(|typed| clean(typed.clone()));
        defaults.kind = typed.as_ref().unwrap_or(path).replace(' ', "-").into();
    }
    defaults
}

/// In a stream the envelope is the last line, so it is one.
pub(crate) fn lines(call: &Call) -> Lines {
    if call.mode == Mode::Jsonl { Lines::One } else { Lines::AsUsual }
}

/// What is known about the answer before there is one.
pub(crate) fn meta(call: &Call) -> Meta {
    let mut extra = Members::default();
    let mut add = |key: &'static str, value: Result<Raw, SerializeError>| {
        if let Ok(value) = value {
            extra.push(key, value);
        }
    };
    if call.dialect.table().has_meta {
        if let Some(version) = &call.program.version {
            add("tool_version", Ok(Raw::text(version)));
        }
        if !call.path.is_empty() {
            add("command", Ok(Raw::text(&call.path)));
        }
        if let Some(trace) = &call.trace_id {
            add("trace_id", Ok(Raw::text(trace)));
        }
        if let Some(limit) = call.limit {
            add(
                "timeout_ms",
                Raw::from_serialize(&u64::try_from(limit.as_millis()).unwrap_or(u64::MAX)),
            );
        }
    }
    let cwd = std::env::current_dir().ok().map(PathBuf::into_os_string);
    let cwd =
        cwd.map(|cwd| cwd.into_string().unwrap_or_else(|cwd| cwd.to_string_lossy().into_owned()));
    Meta { request_id: Some(call.request_id.clone()), cwd, extra, ..Meta::default() }
}

/// The same at the end, with what is known only then.
#[inline(never)]
pub(crate) fn final_meta(call: &Call) -> Meta {
    let mut meta = call.take_meta();
    meta.duration_ms = Some(call.elapsed());
    meta.timestamp = (!call.dialect.table().has_meta).then(now);
    if call.mode == Mode::Jsonl && call.dialect.table().has_meta {
        meta.extra.extend(frames(call));
    }
    meta
}

fn frames(call: &Call) -> Members {
    let mut frames = Members::default();
    if let Ok(count) = Raw::from_serialize(&call.frames.count()) {
        frames.push("frames", count);
    }
    frames
}

#[inline(never)]
pub(crate) fn warnings(call: &Call, warnings: &[String]) -> Vec<u8> {
    let mut screen = Screen::new(Mode::Plain.layout(), call.colour[2]);
    for warning in warnings.iter().filter(|_| !call.is_quiet()) {
        screen.warning(&secret::scrub(warning.clone()));
    }
    screen.into_bytes()
}
