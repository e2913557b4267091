//! Text that the help of every command shares.

/// Examples as the help shows them.
pub(crate) fn examples(examples: &[(&str, &str)]) -> String {
    let title = if examples.len() == 1 { "Example:" } else { "Examples:" };
    examples.iter().fold(title.to_owned(), |text, (call, _)| format!("{text}\n  {call}"))
}
