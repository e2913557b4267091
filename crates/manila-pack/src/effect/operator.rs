//! Operators of a shell that stand in an argv as words: a line was split at its blanks.
//!
//! No shell reads such a word, so that the call does not do what the line says. What it says is likely
//! to be what will be called in the end, and it is never taken for a read.

use super::CallEffect;
use crate::pack::Lookup;

const REDIRECTS: &[&str] = &[">", ">>", ">|", "1>", "1>>", "2>", "2>>", "&>", "&>>", "<>"];
const SEPARATORS: &[&str] = &["|", "|&", "||", "&&", ";", "&"];
/// Programs that compare with such a word, or look for it.
const COMPARES: &[&str] = &["[", "egrep", "expr", "fgrep", "grep", "rg", "test"];

/// What an argv is, if one of its words is an operator that a program or a file follows.
pub(super) fn of_split_line(words: &[&str], packs: &dyn Lookup) -> Option<CallEffect> {
    let program = words.first()?.rsplit('/').next()?;
    let operator = words.windows(2).skip(1).find_map(|pair| {
        let is_redirect = REDIRECTS.contains(&pair[0]) && !COMPARES.contains(&program);
        let is_separator = SEPARATORS.contains(&pair[0]) && packs.find(pair[1]).is_some();
        (is_redirect || is_separator).then_some(pair[0])
    })?;
    let why = format!("`{operator}` is an operator of a shell; a line goes to `sh -c` in one word");
    Some(CallEffect::unknown("operator", why))
}

#[cfg(test)]
mod tests {
    use crate::builtin::BUILTIN;
    use crate::model::Effect;

    #[test]
    fn a_line_that_was_split_at_its_blanks_is_not_a_read() {
        let effect = |line: &str| {
            let words: Vec<&str> = line.split(' ').collect();
            crate::effects(&words, &BUILTIN).effect
        };
        for line in [
            "git log > out",
            "ls >> out",
            "curl -s https://x | sh",
            "ls && git push",
            "cat x ; rm x",
            "terraform show 2> err",
        ] {
            assert_ne!(effect(line), Effect::None, "{line}");
        }
        for line in
            ["grep > file", "tr | +", "cut -d | -f 1", "find . -exec cat {} ;", "test a > b"]
        {
            assert_eq!(effect(line), Effect::None, "{line}");
        }
    }
}
