//! The names of rules: what a rule says, and four characters of a hash of what it matches.
//!
//! A name rests on the rule alone, so it stays when other rules come or go; and on the first of each list, so it
//! stays when another pattern or command is added to the rule.

use crate::model::{EffectRule, ErrorRule, StatusRule};
use crate::text::Text;
use manila::Fingerprint;

/// Digits and letters that are not mistaken for each other.
const ALPHABET: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";
const HASH_LENGTH: usize = 4;

impl ErrorRule<'_> {
    /// Its name within the pack: the code or class, and a hash.
    ///
    /// ```
    /// use manila_pack::{BUILTIN, Lookup};
    ///
    /// let git = BUILTIN.find("git").ok_or("there is a pack of git")?;
    /// let first = git.whole().error[0].id();
    /// assert!(first.contains('-'), "{first}");
    /// # Ok::<(), &str>(())
    /// ```
    pub fn id(&self) -> String {
        let said = self.code.as_deref().map(slug).filter(|slug| !slug.is_empty());
        let mut hash = Hash::new("error");
        hash.add(self.code.as_deref()).add(Some(&self.class));
        hash.first(&self.program).first(&self.command).first(&self.flag).first(&self.line);
        for (pointer, pattern) in &self.json.0 {
            hash.add(Some(pointer)).add(Some(pattern));
        }
        hash.number(self.stream as i32).number(self.status.first().copied().unwrap_or(-1));
        hash.name(&said.unwrap_or_else(|| slug(&self.class)))
    }
}

impl StatusRule<'_> {
    /// Its name within the pack: the first exit code, and a hash.
    pub fn id(&self) -> String {
        let status = self.status.first().copied().unwrap_or_default();
        let mut hash = Hash::new("status");
        hash.add(self.code.as_deref()).add(Some(&self.class)).number(status);
        hash.first(&self.program).first(&self.command).first(&self.flag);
        hash.name(&format!("exit-{status}"))
    }
}

impl EffectRule<'_> {
    /// Its name within the pack: the effect, the first command, and a hash.
    pub fn id(&self) -> String {
        let mut hash = Hash::new("effect");
        hash.add(Some(self.effect.as_str())).number(self.position as i32);
        hash.first(&self.program).first(&self.command).first(&self.flag);
        hash.first(&self.flag_value).first(&self.flag_value_except).first(&self.without);
        hash.number(i32::from(self.only.is_some())).first(self.only.as_deref().unwrap_or_default());
        hash.add(self.arguments.as_deref()).first(&self.argument);
        hash.number(self.script.map_or(-1, |script| script as i32));
        let command = self.command.first().map(|command| slug(command));
        match command.filter(|command| !command.is_empty()) {
            Some(command) => hash.name(&format!("{}-{command}", self.effect)),
            None => hash.name(self.effect.as_str()),
        }
    }
}

/// What a rule matches, part by part.
struct Hash(Fingerprint);

impl Hash {
    fn new(kind: &str) -> Hash {
        let mut hash = Hash(Fingerprint::default());
        hash.add(Some(kind));
        hash
    }

    fn add(&mut self, part: Option<&str>) -> &mut Hash {
        self.0.write(part.unwrap_or_default().as_bytes());
        // Two parts are not one, and a missing one is not an empty one.
        self.0.write(if part.is_some() { b"\n" } else { b"\0" });
        self
    }

    fn first(&mut self, list: &[Text<'_>]) -> &mut Hash {
        self.add(list.first().map(|text| &**text))
    }

    fn number(&mut self, number: i32) -> &mut Hash {
        self.0.write(&number.to_le_bytes());
        self
    }

    fn name(self, said: &str) -> String {
        let mut rest = self.0.finish();
        let mut name = format!("{said}-");
        for _ in 0..HASH_LENGTH {
            let digit = usize::try_from(rest % ALPHABET.len() as u128).unwrap_or_default();
            name.push(char::from(ALPHABET[digit]));
            rest /= ALPHABET.len() as u128;
        }
        name
    }
}

/// `LOCK_HELD` and `worktree add` become `lock-held` and `worktree-add`; the place of a capture (`{http}`) is
/// left out.
fn slug(text: &str) -> String {
    let mut slug = String::new();
    let mut is_capture = false;
    for character in text.chars() {
        match character {
            '{' => is_capture = true,
            '}' => is_capture = false,
            _ if is_capture => {}
            _ if character.is_ascii_alphanumeric() => slug.push(character.to_ascii_lowercase()),
            _ if slug.is_empty() || slug.ends_with('-') => {}
            _ => slug.push('-'),
        }
    }
    slug.trim_end_matches('-').to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn error(code: Option<&'static str>, lines: &[&'static str]) -> ErrorRule<'static> {
        ErrorRule {
            code: code.map(Text::from),
            class: "CONFLICT".into(),
            line: lines.iter().copied().map(Text::from).collect(),
            ..ErrorRule::default()
        }
    }

    #[test]
    fn a_name_says_what_the_rule_says_and_stays_when_a_pattern_is_added() {
        let id = error(Some("LOCK_HELD"), &["fatal: locked*"]).id();
        assert!(id.starts_with("lock-held-") && id.len() == "lock-held-".len() + 4, "{id}");
        assert_eq!(id, error(Some("LOCK_HELD"), &["fatal: locked*", "error: locked*"]).id());
        assert_ne!(id, error(Some("LOCK_HELD"), &["error: locked*"]).id());
        assert!(error(None, &["x"]).id().starts_with("conflict-"));
        assert!(error(Some("HTTP_{http}"), &["x"]).id().starts_with("http-"));
        assert!(error(Some("{code}"), &["x"]).id().starts_with("conflict-"));
    }

    #[test]
    fn names_do_not_change_between_builds() {
        assert_eq!(error(Some("LOCK_HELD"), &["fatal: locked*"]).id(), "lock-held-r0nc");
    }
}
