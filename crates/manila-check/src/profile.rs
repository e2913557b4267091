//! What a program promises about its answers, and which rules that makes apply.

use crate::severity::Severity;
use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// What a program promises about its answers. Each profile includes the promises of those before it.
#[derive(
    Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Profile {
    /// Text for people and pipes, as grep, tar and git have it.
    Plain,
    /// JSON where a flag asks for it, as kubectl, docker and npm have it.
    Json,
    /// Every answer in one envelope of a known dialect.
    #[default]
    Envelope,
}

impl Profile {
    /// All of them.
    pub const ALL: &'static [Profile] = &[Profile::Plain, Profile::Json, Profile::Envelope];

    /// Its name.
    pub fn as_str(self) -> &'static str {
        match self {
            Profile::Plain => "plain",
            Profile::Json => "json",
            Profile::Envelope => "envelope",
        }
    }

    /// What it means, in a few words.
    pub fn about(self) -> &'static str {
        match self {
            Profile::Plain => "a Unix tool without a JSON mode",
            Profile::Json => "a program with a JSON mode",
            Profile::Envelope => "a program that answers in envelopes",
        }
    }
}

impl FromStr for Profile {
    type Err = ();

    fn from_str(name: &str) -> Result<Profile, ()> {
        Profile::ALL.iter().copied().find(|profile| profile.as_str() == name).ok_or(())
    }
}

/// To which programs a rule applies, and where it matters less than usual.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Scope {
    /// The least profile that promises what the rule asks for.
    pub least: Profile,
    /// Up to this profile a finding has this severity.
    pub relaxed: Option<(Profile, Severity)>,
    /// Whether the rule compares a program with its manifest.
    pub needs_manifest: bool,
}

impl Scope {
    /// Every program.
    pub const PLAIN: Scope = Scope { least: Profile::Plain, relaxed: None, needs_manifest: false };
    /// Programs that have a JSON mode.
    pub const JSON: Scope = Scope { least: Profile::Json, ..Scope::PLAIN };
    /// Programs that answer in envelopes.
    pub const ENVELOPE: Scope = Scope { least: Profile::Envelope, ..Scope::PLAIN };
    /// Programs that have a manifest.
    pub const MANIFEST: Scope = Scope { needs_manifest: true, ..Scope::PLAIN };

    /// With this severity up to that profile.
    pub(crate) const fn relaxed(self, up_to: Profile, severity: Severity) -> Scope {
        Scope { relaxed: Some((up_to, severity)), ..self }
    }

    /// How much a finding matters in a program of this profile, for a rule of this usual severity; nothing if the
    /// rule does not apply.
    pub fn severity(self, profile: Profile, usual: Severity) -> Option<Severity> {
        let relaxed = self.relaxed.filter(|(up_to, _)| profile <= *up_to).map(|(_, it)| it);
        (profile >= self.least).then(|| relaxed.unwrap_or(usual).min(usual))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::RULES;

    #[test]
    fn a_rule_applies_from_a_profile_on_and_matters_less_below_another() {
        let scope = Scope::JSON.relaxed(Profile::Json, Severity::Warning);
        let of = |profile| scope.severity(profile, Severity::Error);
        assert_eq!(of(Profile::Plain), None);
        assert_eq!(of(Profile::Json), Some(Severity::Warning));
        assert_eq!(of(Profile::Envelope), Some(Severity::Error));
    }

    #[test]
    fn every_rule_applies_to_envelopes_and_has_its_usual_severity_there() {
        for rule in RULES {
            let severity = rule.scope.severity(Profile::Envelope, rule.severity);
            assert_eq!(severity, Some(rule.severity), "{}", rule.id);
        }
    }

    #[test]
    fn names_lead_back() {
        for profile in Profile::ALL {
            assert_eq!(profile.as_str().parse(), Ok(*profile));
        }
    }
}
