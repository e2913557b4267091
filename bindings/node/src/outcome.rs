//! What came of a call or a check; JSON is only written on demand.
#![allow(clippy::needless_pass_by_value, reason = "arguments are made for the call by the macros")]

use crate::to_napi;
use manila::json::Raw;
use manila_bindings::{self as shared, Checked};
use manila_run::{Detail, Stopped};
use napi::Result;
use napi::bindgen_prelude::Buffer;
use napi_derive::napi;

/// What came of a call.
#[napi]
pub struct NativeOutcome(pub(crate) manila_run::Outcome);

#[napi]
impl NativeOutcome {
    #[napi(getter)]
    pub fn ok(&self) -> bool {
        self.0.envelope.ok()
    }

    #[napi(getter)]
    pub fn stdout(&self) -> Buffer {
        self.0.output.stdout.as_slice().into()
    }

    #[napi(getter)]
    pub fn stderr(&self) -> Buffer {
        self.0.output.stderr.as_slice().into()
    }

    #[napi(getter)]
    pub fn stopped(&self) -> Option<&'static str> {
        self.0.output.stopped.map(Stopped::as_str)
    }

    #[napi]
    pub fn next_json(&self) -> Result<String> {
        shared::to_json(&self.0.next()).map_err(|error| to_napi(&error))
    }

    #[napi]
    pub fn data_json(&self) -> Option<String> {
        self.0.envelope.content().data.as_ref().map(|data| Raw::as_str(data).to_owned())
    }

    #[napi]
    pub fn envelope_json(&self) -> Result<String> {
        shared::to_json(&self.0.with_summary(Detail::Summary)).map_err(|error| to_napi(&error))
    }

    #[napi]
    pub fn summary_json(&self) -> Result<String> {
        shared::to_json(&self.0.summary()).map_err(|error| to_napi(&error))
    }

    #[napi]
    pub fn trace_json(&self) -> Result<String> {
        shared::to_json(&self.0.trace).map_err(|error| to_napi(&error))
    }

    #[napi]
    pub fn convert(&self, to: String) -> Result<String> {
        shared::convert_envelope(&self.0.envelope, &to).map_err(|error| to_napi(&error))
    }
}

/// What a check found.
#[napi]
pub struct NativeReport(pub(crate) Checked);

#[napi]
impl NativeReport {
    #[napi(getter)]
    pub fn conforms(&self) -> bool {
        self.0.conforms()
    }

    #[napi]
    pub fn render(&self, format: String) -> Result<String> {
        self.0.render(&format).map_err(|error| to_napi(&error))
    }
}
