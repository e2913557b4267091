//! A call taken apart by what a pack knows: options, their values, command words, arguments.
//!
//! Whether an unlisted option takes the next word as its value is not known. The word that follows one
//! is marked, and conditions that depend on it are answered with "maybe".

use crate::model::{Model, Position};
use crate::pattern::word_matches;
use crate::text::Text;
use crate::tri::Tri;

/// What an option takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Arity {
    Flag,
    Value,
    Unlisted,
}

/// An option of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Given<'c> {
    /// The word as it was written.
    pub(crate) word: &'c str,
    /// The word after it, which may be its value.
    next: Option<&'c str>,
    /// It may itself be the value of the option before it.
    is_doubtful: bool,
    /// It comes before the subcommand.
    pub(crate) is_before: bool,
}

/// A word that is not an option.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'c> {
    pub(crate) text: &'c str,
    /// It may be the value of the option before it.
    is_doubtful: bool,
    /// Where it stands among the words after the program.
    pub(crate) index: usize,
}

/// How much of a call is not seen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Open {
    /// Nothing.
    #[default]
    No,
    /// Further arguments, none of them an option.
    Words,
    /// Further arguments of any kind.
    Options,
}

/// A call of one program, taken apart.
#[expect(clippy::struct_excessive_bools, reason = "each is a thing that a call has or has not")]
#[derive(Debug)]
pub(crate) struct Call<'c, 'p> {
    model: &'p Model<'p>,
    /// The name by which the program is called.
    pub(crate) program: &'c str,
    pub(crate) options: Vec<Given<'c>>,
    pub(crate) words: Vec<Word<'c>>,
    /// An option before the subcommand that the pack does not list.
    pub(crate) unlisted: Option<&'c str>,
    /// Options that are not visible may be added to the call.
    is_open_to_options: bool,
    /// Words that are not visible may be added to the call.
    is_open: bool,
    has_dash_dash: bool,
    has_commands: bool,
}

/// Where options end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ends {
    /// At `--`, or where the call ends.
    WithCall,
    /// At the first word that is not an option, after this many of them.
    AtWord(usize),
}

impl<'c, 'p> Call<'c, 'p> {
    /// Takes the words after the program's name apart.
    pub(crate) fn new(
        program: &'c str,
        words: &[&'c str],
        model: &'p Model<'p>,
        open: Open,
        ends: Ends,
    ) -> Self {
        let mut call = Call {
            model,
            program,
            options: Vec::new(),
            words: Vec::new(),
            unlisted: None,
            is_open_to_options: open == Open::Options,
            is_open: open > Open::No,
            has_dash_dash: false,
            has_commands: has_commands(program, model),
        };
        let mut doubtful = false;
        // A `--` that may be a value leaves open whether options follow it.
        let mut ended = false;
        let mut at = 0;
        while at < words.len() {
            let word = words[at];
            let index = at;
            at += 1;
            let is_option = word.len() > 1 && word.starts_with('-');
            if word == "--" && !model.dash_dash_is_a_word {
                call.has_dash_dash = true;
                if !doubtful {
                    call.rest(words, at);
                    return call;
                }
                (doubtful, ended) = (false, true);
            } else if is_option {
                let before = call.has_commands && call.words.is_empty();
                let arity = call.arity(word, before);
                let must_be_listed = before || ends != Ends::WithCall;
                if must_be_listed && arity == Arity::Unlisted && call.unlisted.is_none() {
                    call.unlisted = Some(word);
                }
                let next = words.get(at).copied();
                let is_doubtful = doubtful || ended;
                call.options.push(Given { word, next, is_doubtful, is_before: before });
                doubtful = match arity {
                    Arity::Value if doubtful => true,
                    Arity::Value => {
                        at += usize::from(next.is_some());
                        // A value that looks like an option is one if a list of options is wrong.
                        if let Some(word) =
                            next.filter(|next| next.len() > 1 && next.starts_with('-'))
                        {
                            let next = words.get(at).copied();
                            let given = Given { word, next, is_doubtful: true, is_before: before };
                            call.options.push(given);
                        }
                        false
                    }
                    Arity::Flag => false,
                    Arity::Unlisted => !word.contains('='),
                };
            } else {
                call.words.push(Word { text: word, is_doubtful: doubtful, index });
                doubtful = false;
                if matches!(ends, Ends::AtWord(skip) if call.words.len() > skip) {
                    call.rest(words, at);
                    return call;
                }
            }
        }
        call
    }

    /// The remaining words are not options.
    fn rest(&mut self, words: &[&'c str], at: usize) {
        // What is added to the call comes after `--` too.
        self.is_open_to_options &= !self.has_dash_dash;
        let rest = words.iter().enumerate().skip(at);
        self.words.extend(rest.map(|(index, text)| Word { text, is_doubtful: false, index }));
    }

    /// What an option takes, as far as the pack says.
    fn arity(&self, word: &str, before: bool) -> Arity {
        let options = &self.model.options;
        let mut known = Known { values: Vec::new(), flags: Vec::new(), model: self.model };
        if before || options.anywhere || !self.has_commands {
            known.values.push(&options.values);
            known.flags.push(&options.flags);
        }
        if !before {
            for rule in &self.model.option {
                if is_program(&rule.program, self.program) && self.leads_to(&rule.command) {
                    known.values.push(&rule.values);
                    known.flags.push(&rule.flags);
                }
            }
            for rule in &self.model.effect {
                let has_value = !rule.flag_value.is_empty() || !rule.flag_value_except.is_empty();
                if has_value
                    && is_program(&rule.program, self.program)
                    && self.leads_to(&rule.command)
                {
                    known.values.push(&rule.flag);
                }
            }
        }
        known.arity(word)
    }

    /// Whether the words so far are certain to be one of these commands.
    fn leads_to(&self, commands: &[Text<'_>]) -> bool {
        self.command(commands).any(|(tri, _)| tri == Tri::Yes)
    }

    /// For each command pattern whether the call is one, and how many words it has.
    pub(crate) fn command<'s>(
        &'s self,
        commands: &'s [Text<'_>],
    ) -> impl Iterator<Item = (Tri, usize)> + 's {
        let none = commands.is_empty().then_some((Tri::Yes, 0));
        none.into_iter().chain(commands.iter().map(|pattern| self.one_command(pattern)))
    }

    /// A doubtful word may be missing. From the last word to the first: whether the rest of the
    /// pattern can match what follows, and whether it must.
    fn one_command(&self, pattern: &str) -> (Tri, usize) {
        let certain = self.words.iter().take_while(|word| !word.is_doubtful).count();
        let count = pattern.split_whitespace().count();
        // Nearly all calls are seen whole, and packs have hundreds of commands.
        if !self.is_open && (certain >= count || certain == self.words.len()) {
            let mut words = self.words.iter();
            let fits = |part: &str| {
                let word = words.next();
                word.is_some_and(|word| word_matches(part, word.text, self.model.ignore_case))
            };
            return (pattern.split_whitespace().all(fits).into(), count);
        }
        let pattern: Vec<&str> = pattern.split_whitespace().collect();
        // Words that are not seen may complete it.
        let mut can = vec![self.is_open; count + 1];
        let mut must = vec![false; count + 1];
        (can[count], must[count]) = (true, true);
        // Words past the pattern's length can only matter where doubtful ones come before them.
        let relevant = if certain >= count { count } else { self.words.len() };
        for word in self.words[..relevant.min(self.words.len())].iter().rev() {
            // A pattern of file names stands for any number of words that are not seen.
            let is_unseen = self.is_open && word.text.contains(['*', '?', '[']);
            for at in 0..count {
                if is_unseen {
                    (can[at], must[at]) = (can[at..].contains(&true), false);
                    continue;
                }
                let fits = word_matches(pattern[at], word.text, self.model.ignore_case);
                let (used_can, used_must) = (fits && can[at + 1], fits && must[at + 1]);
                if word.is_doubtful {
                    (can[at], must[at]) = (can[at] || used_can, must[at] && used_must);
                } else {
                    (can[at], must[at]) = (used_can, used_must);
                }
            }
        }
        let tri = if must[0] {
            Tri::Yes
        } else if can[0] {
            Tri::Maybe
        } else {
            Tri::No
        };
        (tri, count)
    }

    /// Whether one of these options is present, and has a value that is accepted.
    pub(crate) fn has(
        &self,
        flags: &[Text<'_>],
        position: Position,
        accepts: impl Fn(Option<&str>) -> Tri,
    ) -> Tri {
        let mut found = Tri::No;
        // Given twice with different values, which one counts depends on the program.
        let mut agree = true;
        let is_here = |given: &&Given<'_>| match position {
            Position::Any => true,
            Position::Before => given.is_before,
            Position::After => !given.is_before,
        };
        for given in self.options.iter().filter(is_here) {
            for flag in flags.iter().filter(|flag| ***flag != *"--") {
                let (is_it, value) = self.is_flag(given, flag);
                if is_it == Tri::No {
                    continue;
                }
                let is_it = if given.is_doubtful { is_it.weakened() } else { is_it };
                let is_it = if self.is_negated(flag) { is_it.weakened() } else { is_it };
                let accepted = accepts(value);
                agree &= accepted == Tri::Yes;
                found = found.or(is_it.and(accepted));
            }
        }
        let found = if agree { found } else { found.weakened() };
        let is_dash_dash = self.has_dash_dash && flags.iter().any(|flag| **flag == *"--");
        let found = found.or(is_dash_dash.into());
        // What is added comes at the end, after the subcommand if there is one.
        let may_be_added = position != Position::Before || self.words.is_empty();
        if self.is_open_to_options && may_be_added { found.or(Tri::Maybe) } else { found }
    }

    /// `--no-x` beside `--x`: which of them counts depends on the program.
    fn is_negated(&self, flag: &str) -> bool {
        let Some(name) = flag.strip_prefix("--") else { return false };
        let is_negation = |word: &str| {
            let word = word.split('=').next().unwrap_or(word);
            word.strip_prefix("--no-")
                .is_some_and(|negated| !negated.is_empty() && name.starts_with(negated))
        };
        self.options.iter().any(|given| is_negation(given.word))
    }

    /// Whether a word of the call is this option, and its value if it has one.
    fn is_flag<'v>(&self, given: &Given<'v>, flag: &str) -> (Tri, Option<&'v str>) {
        let word = given.word;
        if flag == "-NUM" {
            let is_number = word[1..].bytes().all(|byte| byte.is_ascii_digit());
            return (is_number.into(), None);
        }
        let (name, attached) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word, None),
        };
        let value = attached.or(given.next);
        let normal = |text: &'v str| -> &'v str {
            let double = self.model.single_dash_long && text.len() > 3;
            if double {
                text.strip_prefix('-').filter(|rest| rest.starts_with('-')).unwrap_or(text)
            } else {
                text
            }
        };
        if name == flag || (self.model.single_dash_long && normal(name) == flag) {
            return (if is_off(attached) { Tri::Maybe } else { Tri::Yes }, value);
        }
        if flag.starts_with("--") {
            let is_short_form = self.model.abbreviates && name.len() > 2 && flag.starts_with(name);
            return (if is_short_form { Tri::Maybe } else { Tri::No }, value);
        }
        if self.model.single_dash_long || word.starts_with("--") || flag.chars().count() != 2 {
            return (Tri::No, None);
        }
        self.in_cluster(given, flag)
    }

    /// Whether a letter is among those of `-abc`.
    fn in_cluster<'v>(&self, given: &Given<'v>, flag: &str) -> (Tri, Option<&'v str>) {
        let Some(letter) = flag.chars().nth(1) else { return (Tri::No, None) };
        let mut certain = Tri::Yes;
        for (at, character) in given.word.char_indices().skip(1) {
            let rest = &given.word[at + character.len_utf8()..];
            if character == letter {
                let attached = (!rest.is_empty()).then(|| rest.strip_prefix('=').unwrap_or(rest));
                return (certain, attached.or(given.next));
            }
            if !character.is_ascii_alphanumeric() {
                return (Tri::No, None);
            }
            let mut buffer = [b'-'; 5];
            let length = character.encode_utf8(&mut buffer[1..]).len();
            let short = std::str::from_utf8(&buffer[..=length]).unwrap_or("");
            match self.arity(short, given.is_before) {
                Arity::Value => return (Tri::No, None),
                Arity::Flag => {}
                Arity::Unlisted => certain = Tri::Maybe,
            }
        }
        (Tri::No, None)
    }

    /// Whether no option is present but these.
    pub(crate) fn has_only(&self, allowed: &[Text<'_>]) -> Tri {
        let is_allowed = |given: &Given<'c>| {
            let by_name = allowed.iter().any(|flag| self.is_flag_exactly(given, flag));
            by_name || self.is_cluster_of(given.word, allowed)
        };
        let all = self.options.iter().all(is_allowed);
        let tri = Tri::from(all);
        if self.is_open_to_options { tri.weakened() } else { tri }
    }

    fn is_flag_exactly(&self, given: &Given<'c>, flag: &str) -> bool {
        let name = given.word.split('=').next().unwrap_or(given.word);
        name == flag || (flag == "-NUM" && self.is_flag(given, flag).0 == Tri::Yes)
    }

    /// Whether each letter of `-abc` is allowed, up to the first that takes the rest as its value.
    fn is_cluster_of(&self, word: &str, allowed: &[Text<'_>]) -> bool {
        if self.model.single_dash_long || word.starts_with("--") {
            return false;
        }
        for character in word.chars().skip(1) {
            let short = format!("-{character}");
            if !allowed.iter().any(|flag| **flag == *short) {
                return false;
            }
            if self.arity(&short, false) == Arity::Value {
                return true;
            }
        }
        true
    }

    /// How many words follow the first `count`: at least and at most.
    pub(crate) fn arguments_after(&self, count: usize) -> (usize, Option<usize>) {
        let most = self.words.len().saturating_sub(count);
        let certain = self.words.iter().filter(|word| !word.is_doubtful).count();
        (certain.saturating_sub(count), (!self.is_open).then_some(most))
    }

    /// Whether one of the words after the first `count` matches one of these.
    pub(crate) fn has_argument(&self, count: usize, patterns: &[Text<'_>]) -> Tri {
        let matches = |word: &Word<'_>| {
            patterns.iter().any(|pattern| word_matches(pattern, word.text, self.model.ignore_case))
        };
        let mut found = if self.is_open { Tri::Maybe } else { Tri::No };
        for word in self.words.iter().skip(count).filter(|word| matches(word)) {
            found = found.or(if word.is_doubtful { Tri::Maybe } else { Tri::Yes });
        }
        found
    }
}

/// Whether the program has subcommands, as far as the pack says.
fn has_commands(program: &str, model: &Model<'_>) -> bool {
    let effects = model.effect.iter().map(|rule| (&rule.program, &rule.command));
    let wraps = model.wraps.iter().map(|rule| (&rule.program, &rule.command));
    effects
        .chain(wraps)
        .any(|(programs, command)| !command.is_empty() && is_program(programs, program))
}

/// Whether a value switches its option off.
fn is_off(value: Option<&str>) -> bool {
    value.is_some_and(|value| {
        ["", "false", "no", "none", "off", "never", "0", "f"]
            .iter()
            .any(|off| value.eq_ignore_ascii_case(off))
    })
}

/// Whether a rule applies to the program of this name.
pub(crate) fn is_program(programs: &[Text<'_>], name: &str) -> bool {
    programs.is_empty() || programs.iter().any(|program| **program == *name)
}

/// Lists of options.
struct Known<'k, 'p> {
    values: Vec<&'k Vec<Text<'p>>>,
    flags: Vec<&'k Vec<Text<'p>>>,
    model: &'k Model<'p>,
}

impl Known<'_, '_> {
    fn arity(&self, word: &str) -> Arity {
        let (name, attached) = match word.split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (word, None),
        };
        let has = |lists: &[&Vec<Text<'_>>], name: &str| {
            let same = |text: &Text<'_>| {
                **text == *name
                    || (self.model.single_dash_long && name.strip_prefix('-') == Some(text))
            };
            lists.iter().any(|list| list.iter().any(same))
        };
        if has(&self.values, name) {
            return if attached.is_some() { Arity::Flag } else { Arity::Value };
        }
        if has(&self.flags, name) || (has(&self.flags, "-NUM") && is_number(word)) {
            return Arity::Flag;
        }
        if self.model.single_dash_long || word.starts_with("--") {
            return Arity::Unlisted;
        }
        // `-abc`: flags, the last of which may take the rest or the next word.
        for (at, character) in word.char_indices().skip(1) {
            let short = format!("-{character}");
            if has(&self.values, &short) {
                let is_last = at + character.len_utf8() == word.len();
                return if is_last { Arity::Value } else { Arity::Flag };
            }
            if !has(&self.flags, &short) {
                return Arity::Unlisted;
            }
        }
        Arity::Flag
    }
}

fn is_number(word: &str) -> bool {
    word.len() > 1 && word[1..].bytes().all(|byte| byte.is_ascii_digit())
}
