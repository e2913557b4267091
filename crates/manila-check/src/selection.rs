//! Which rules are asked, and which of them apply to a program.

use crate::declaration::Declaration;
use crate::options::RuleSelection;
use crate::profile::Profile;
use crate::rule::definition::Rule;
use crate::rule::{QUICK, RULES};
use crate::severity::Severity;

/// The rules that are asked.
pub(crate) fn asked(
    declaration: &Declaration,
    asked: &RuleSelection,
    is_quick: bool,
) -> Vec<&'static Rule> {
    let names = |list: &[String], rule: &Rule| {
        list.iter().any(|name| name == rule.id || name == rule.family.as_str())
    };
    let is_selected = |rule: &Rule| {
        if is_quick && asked.select.is_empty() && !QUICK.contains(&rule.id) {
            return false;
        }
        let select = if asked.select.is_empty() { &declaration.select } else { &asked.select };
        let ignored = names(&asked.ignore, rule) || names(&declaration.ignore, rule);
        // A rule that is named itself is asked although its family is not.
        let is_named = asked.select.iter().any(|name| name == rule.id);
        (select.is_empty() || names(select, rule)) && (is_named || !ignored)
    };
    RULES.iter().copied().filter(|rule| is_selected(rule)).collect()
}

/// What a program promises, as far as that is known: something between two of these.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Promises {
    /// Of what is sure: the profile, and whether there is a manifest.
    pub(crate) least: (Profile, bool),
    /// Of what may be.
    pub(crate) most: (Profile, bool),
}

impl Promises {
    /// These and no others.
    pub(crate) fn known(profile: Profile, has_manifest: bool) -> Promises {
        Promises { least: (profile, has_manifest), most: (profile, has_manifest) }
    }

    /// The profile, if there is no doubt about it.
    pub(crate) fn profile(&self) -> Option<Profile> {
        (self.least.0 == self.most.0).then_some(self.least.0)
    }
}

/// What of a program shows which profile it has.
pub(crate) struct Shown {
    pub(crate) has_json: bool,
    /// Whether a JSON mode could have been overlooked for want of time.
    pub(crate) may_have_json: bool,
    /// The profile that its answers show, if there are any.
    pub(crate) profile: Option<Profile>,
    /// Whether answers are lacking that could show envelopes, for want of time.
    pub(crate) may_be_envelopes: bool,
}

impl Shown {
    /// The least profile and the greatest that it may have.
    pub(crate) fn profiles(&self) -> (Profile, Profile) {
        match (self.has_json, self.profile) {
            (false, _) if self.may_have_json => (Profile::Plain, Profile::Envelope),
            (false, _) => (Profile::Plain, Profile::Plain),
            (true, Some(profile)) => (profile, profile),
            (true, None) if self.may_be_envelopes => (Profile::Json, Profile::Envelope),
            (true, None) => (Profile::Json, Profile::Json),
        }
    }
}

/// Whether a rule applies to a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Applies {
    /// It does, and matters so much.
    Surely(Severity),
    /// It does if the program promises as much as it may.
    Perhaps(Severity),
    No,
}

/// What decides which rules apply.
pub(crate) struct Criteria<'c> {
    pub(crate) declaration: &'c Declaration,
    pub(crate) asked: &'c RuleSelection,
}

impl Criteria<'_> {
    /// Whether a rule applies to a program with these promises.
    pub(crate) fn applies(&self, rule: &Rule, promises: &Promises) -> Applies {
        let severity = |(profile, has_manifest)| self.severity(rule, profile, has_manifest);
        match (severity(promises.least), severity(promises.most)) {
            (Some(severity), _) => Applies::Surely(severity),
            (None, Some(severity)) => Applies::Perhaps(severity),
            (None, None) => Applies::No,
        }
    }

    /// How much a rule matters for a program of this profile; nothing if it does not apply. What `manila.toml` or the
    /// command line says of the rule itself counts first.
    fn severity(&self, rule: &Rule, profile: Profile, has_manifest: bool) -> Option<Severity> {
        let mut selected = self.asked.select.iter().chain(&self.declaration.select);
        let is_named = selected.any(|name| name == rule.id);
        let declared = self.declaration.severities.get(rule.id).copied();
        let applies = has_manifest || !rule.scope.needs_manifest;
        let usual = rule.scope.severity(profile, rule.severity).filter(|_| applies);
        declared.or(usual).or_else(|| is_named.then_some(rule.severity))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::rule;

    #[test]
    fn what_was_not_seen_in_time_leaves_the_profile_open() {
        use Profile::{Envelope, Json, Plain};
        let profiles = |has_json, may_have_json, profile, may_be_envelopes| {
            Shown { has_json, may_have_json, profile, may_be_envelopes }.profiles()
        };
        assert_eq!(profiles(false, false, Some(Plain), true), (Plain, Plain));
        assert_eq!(profiles(false, true, Some(Plain), true), (Plain, Envelope));
        assert_eq!(profiles(true, true, Some(Json), true), (Json, Json), "its answers show it");
        assert_eq!(profiles(true, true, None, false), (Json, Json), "no answer is lacking");
        assert_eq!(profiles(true, false, None, true), (Json, Envelope));
    }

    #[test]
    fn a_rule_that_may_apply_is_neither_judged_nor_left_out() {
        let (declaration, asked) = (Declaration::default(), RuleSelection::default());
        let criteria = Criteria { declaration: &declaration, asked: &asked };
        let of = |id, least, most| {
            criteria.applies(rule(id).unwrap(), &Promises { least: (least, false), most })
        };
        let (plain, json) = (Profile::Plain, Profile::Json);
        for (id, most, expected) in [
            ("closed-reader-crash", (plain, false), "surely"),
            ("closed-reader-crash", (json, true), "surely"),
            ("json-flag-ignored", (plain, false), "no"),
            ("json-flag-ignored", (json, false), "perhaps"),
            ("ghost-command", (json, false), "no"),
            ("ghost-command", (json, true), "perhaps"),
        ] {
            let found = match of(id, plain, most) {
                Applies::Surely(_) => "surely",
                Applies::Perhaps(_) => "perhaps",
                Applies::No => "no",
            };
            assert_eq!(found, expected, "{id} {most:?}");
        }
    }
}
