//! What a call would begin with: what is remembered of earlier ones, and what the caller allows.

use crate::attempt::millis;
use crate::cache::{self, CacheEntry};
use crate::event::Cause;
use crate::invocation::Invocation;
use crate::policy::{Policy, Trust};
use crate::redirects::RedirectStore;
use crate::{argv, trust};
use manila_pack::mask_argv;
use serde::Serialize;
use std::path::Path;

/// What would be called, and within which limits.
///
/// See [`plan`].
#[derive(Clone, Debug, Serialize)]
pub struct Plan {
    /// The program and its arguments.
    pub argv: Vec<String>,
    /// Why these.
    #[serde(flatten)]
    pub cause: Cause,
    /// What each attempt and the whole call may take.
    pub limits: Vec<String>,
    /// What is done about answers that are not the end.
    pub rules: Vec<String>,
    /// What is not as it should be.
    pub warnings: Vec<String>,
}

/// What a call would begin with. Nothing is run, and nothing is written.
///
/// ```
/// use manila_run::{Invocation, Policy, plan};
///
/// let plan = plan(&Invocation::new("git").arg("push"), &Policy::default());
/// assert_eq!(plan.argv, ["git", "push"]);
/// ```
pub fn plan(call: &Invocation, policy: &Policy) -> Plan {
    let Prepared { call, cause, cached, warnings } = prepare(call, policy);
    let argv = call.argv.clone();
    let argv = cached.map_or(argv.clone(), |entry| argv::with_option(argv, "--etag", &entry.etag));
    let call = call.with_argv(argv);
    Plan {
        argv: mask_argv(&call.argv_lossy(), None),
        cause,
        limits: limits(policy),
        rules: rules(policy),
        warnings,
    }
}

fn limits(policy: &Policy) -> Vec<String> {
    let time = |what: &str, time: Option<std::time::Duration>| match time {
        Some(time) => format!("{what} may take {} ms", millis(time)),
        None => format!("{what} may take any time"),
    };
    vec![
        time("an attempt", policy.attempt_limit),
        time("the whole call", policy.deadline),
        format!("{} bytes of each stream are kept", policy.max_output),
        format!("{} pages are fetched", policy.max_pages),
    ]
}

fn rules(policy: &Policy) -> Vec<String> {
    let again = if policy.idempotent {
        "what failed may be called again, whatever it did"
    } else {
        "what may have had effects is not called again"
    };
    let trust = match policy.trust {
        Trust::Never => "no redirects are followed",
        Trust::SameProgram => "redirects to the same program are followed",
        Trust::Any => "all redirects are followed",
        Trust::Ask(_) => "redirects are followed if they are confirmed",
    };
    let fixes = if policy.fixes { "stated fixes are run" } else { "stated fixes are not run" };
    let retries =
        format!("{} retries on one error code, {} redirects", policy.retries, policy.hops);
    [again, trust, fixes, &retries].map(str::to_owned).into()
}

/// A call as it begins.
pub(crate) struct Prepared {
    pub(crate) call: Invocation,
    pub(crate) cause: Cause,
    pub(crate) cached: Option<CacheEntry>,
    pub(crate) warnings: Vec<String>,
}

/// Looks up what is known from earlier calls.
pub(crate) fn prepare(call: &Invocation, policy: &Policy) -> Prepared {
    let mut prepared =
        Prepared { call: call.clone(), cause: Cause::First, cached: None, warnings: Vec::new() };
    // An argument that is not text cannot be in any file of ours.
    let Some(argv) = argv::of(&call.argv) else { return prepared };
    if let Some(path) = &policy.redirect_store {
        match RedirectStore::at(path).follow(&argv) {
            Ok(None) => {}
            Ok(Some(moved)) => match trust::objection(policy, &argv, &moved) {
                None => {
                    prepared.cause = Cause::Remembered;
                    prepared.call = call.with_argv(argv::into(moved));
                }
                Some(objection) => prepared.warnings.push(objection),
            },
            Err(error) => {
                let text = format!("the redirect store {} cannot be read: {error}", path.display());
                prepared.warnings.push(text);
            }
        }
    }
    if let Some(dir) = &policy.cache {
        prepared.cached = cached(dir, &prepared.call);
    }
    prepared
}

/// The cached answer to a call.
pub(crate) fn cached(dir: &Path, call: &Invocation) -> Option<CacheEntry> {
    CacheEntry::load(dir, &cache::Call::of(call)?)
}
