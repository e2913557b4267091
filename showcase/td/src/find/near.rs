//! The closest match of a mistyped name.

/// The thing whose name, or a word of it, is nearly what was typed.
pub(super) fn nearest<'b, T>(
    all: impl IntoIterator<Item = &'b T>,
    query: &str,
    name: impl Fn(&T) -> &str,
) -> Option<&'b T> {
    // Comparing takes the product of the lengths, and no suggestion is worth a long wait.
    const LONGEST: usize = 80;
    const MOST: usize = 10_000;
    const NEAR: f64 = 0.6;
    let query = query.to_lowercase();
    let similarity = |text: &str| {
        let (short, long) = (text.len().min(query.len()), text.len().max(query.len()));
        // Of too different lengths they cannot be near, so they need not be compared.
        let is_worth_it = short * 10 >= long * 6;
        is_worth_it.then(|| strsim::normalized_damerau_levenshtein(text, &query))
    };
    let best = |one: &'b T| {
        let name = Some(name(one)).filter(|name| name.len() <= LONGEST)?.to_lowercase();
        let texts = std::iter::once(name.as_str()).chain(name.split_whitespace());
        texts.filter_map(similarity).max_by(f64::total_cmp)
    };
    let likely = all.into_iter().take(MOST).filter_map(|one| Some((best(one)?, one)));
    let near = likely.filter(|(similarity, _)| *similarity >= NEAR);
    near.max_by(|(one, _), (other, _)| one.total_cmp(other)).map(|(_, one)| one)
}
