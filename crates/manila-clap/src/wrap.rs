//! How wide a text is on a terminal, and where it is broken.

/// With less room than this a text is not broken.
const NARROWEST: usize = 16;

/// A text in lines that are so wide at most, where it has blanks to break it at and there is room for words.
pub(crate) fn wrapped(text: &str, room: usize) -> Vec<String> {
    if room < NARROWEST || width_of(text) <= room {
        return vec![text.to_owned()];
    }
    let mut lines = vec![String::new()];
    for word in text.split(' ') {
        let is_first = lines.last().is_none_or(String::is_empty);
        let taken = lines.last().map_or(0, |line| width_of(line));
        if !is_first && taken + 1 + width_of(word) > room {
            lines.push(word.to_owned());
        } else if let Some(line) = lines.last_mut() {
            if !is_first {
                line.push(' ');
            }
            line.push_str(word);
        }
    }
    lines
}

/// How many columns of a terminal a text takes: one for each character, unless the feature `unicode` says
/// more.
pub(crate) fn width_of(text: &str) -> usize {
    #[cfg(feature = "unicode")]
    return unicode_width::UnicodeWidthStr::width(text);
    #[cfg(not(feature = "unicode"))]
    text.chars().count()
}
