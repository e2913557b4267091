//! What packs know about the effects of a program's calls.
//!
//! A pack judges whole calls: `git branch` reads, `git branch x` writes. So a command that only a pack calls
//! read-only is called with nothing but arguments of which the pack says the same.

use crate::observe::sample_input;
use crate::subject::Subject;
use crate::surface::model::{Command, EffectSource};
use manila_pack::{CallEffect, Effect, Packs, effects};
use std::borrow::Cow;
use std::ffi::OsStr;

/// The effects of calls of one program, as far as packs know them.
#[derive(Clone, Copy, Debug)]
pub(crate) struct KnownEffects<'k> {
    program: &'k [String],
    packs: &'k Packs,
}

impl<'k> KnownEffects<'k> {
    pub(crate) fn new(subject: &'k Subject, packs: &'k Packs) -> KnownEffects<'k> {
        KnownEffects { program: &subject.shown, packs }
    }

    /// The effect of the program with these arguments, if a pack knows the program.
    fn of(&self, args: impl Iterator<Item = impl AsRef<OsStr>>) -> Option<CallEffect> {
        let mut call: Vec<Cow<'_, str>> = self.program.iter().map(Cow::from).collect();
        for word in args {
            call.push(word.as_ref().to_string_lossy().into_owned().into());
        }
        Some(effects(&call, self.packs)).filter(|effect| effect.pack.is_some())
    }

    /// Whether a command reads by a pack, if one says.
    pub(crate) fn reads(&self, path: &[String]) -> Option<bool> {
        let call = self.of(path.iter())?;
        (call.effect != Effect::Unknown).then_some(call.effect == Effect::None)
    }

    /// Lays over commands what packs say of them without arguments. A manifest is the program's own word, and
    /// counts before a pack.
    pub(crate) fn believe(&self, commands: &mut [Command]) {
        let is_open = |it: &&mut Command| !(it.known_from.manifest || it.is_root() && it.is_group);
        for command in commands.iter_mut().filter(is_open) {
            // What a program without commands does often shows only in a call with arguments.
            let given = command.is_root().then_some(sample_input::TEXT);
            let Some(call) = self.of(command.path.iter().map(String::as_str).chain(given)) else {
                continue;
            };
            if call.effect == Effect::Unknown {
                continue;
            }
            command.effects = call.effect;
            command.is_doubted = false;
            command.is_known_by_pack = true;
            command.effects_from = EffectSource::Pack;
            let pack = call.pack.unwrap_or_default();
            command.effects_because = format!("the pack {pack} says so: {}", call.why);
        }
    }

    /// Whether packs allow this call of a command, all arguments with its words among them.
    pub(crate) fn permit(
        &self,
        is_known_by_pack: bool,
        args: impl Iterator<Item = impl AsRef<OsStr>>,
    ) -> bool {
        match self.of(args).map(|call| call.effect) {
            None | Some(Effect::None) => true,
            Some(Effect::Unknown) => !is_known_by_pack,
            Some(Effect::Idempotent | Effect::Writes | Effect::Destroys) => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn git() -> Subject {
        Subject {
            argv: vec!["git".into()],
            shown: vec!["git".to_owned()],
            variables: Vec::new(),
            fixture: None,
        }
    }

    fn command(path: &str) -> Command {
        Command { path: vec![path.to_owned()], ..Command::default() }
    }

    #[test]
    fn a_pack_says_which_commands_read() {
        let (subject, packs) = (git(), Packs::default());
        let known = KnownEffects::new(&subject, &packs);
        let mut commands = [command("log"), command("push"), command("no-such-command")];
        known.believe(&mut commands);
        let safe: Vec<bool> = commands.iter().map(Command::is_safe).collect();
        assert_eq!(safe, [true, false, false]);
        let reads = commands.each_ref().map(|command| known.reads(&command.path));
        assert_eq!(reads, [Some(true), Some(false), None]);
        assert!(commands[0].effects_because.contains("git"));
    }

    #[test]
    fn each_call_is_judged_with_its_arguments() {
        let (subject, packs) = (git(), Packs::default());
        let known = KnownEffects::new(&subject, &packs);
        assert!(known.permit(true, ["diff"].iter()));
        assert!(!known.permit(true, ["diff", "--output=x"].iter()));
        assert!(!known.permit(false, ["branch", "-D", "x"].iter()));
        let other = Subject { shown: vec!["manila-no-such-program".to_owned()], ..git() };
        assert!(KnownEffects::new(&other, &packs).permit(true, ["prune"].iter()));
    }
}
