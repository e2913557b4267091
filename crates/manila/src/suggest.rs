//! The name that a mistyped one may mean.

/// The closest of the names there are, if one is close.
///
/// ```
/// assert_eq!(manila::closest("opne", ["open", "decide"]), Some("open"));
/// ```
pub fn closest<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // Letters count more than their case, but among equals the same case wins.
    let similarity = |other: &str| {
        let letters = strsim::jaro_winkler(&name.to_lowercase(), &other.to_lowercase());
        letters + strsim::jaro_winkler(name, other) / 100.0
    };
    let rated = names.into_iter().map(|other| (similarity(other), other));
    let (closeness, closest) = rated.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (closeness > 0.8).then_some(closest)
}

/// A question that names the closest of the names there are, if one is close.
pub fn did_you_mean<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    closest(name, names).map(|closest| format!("did you mean {closest}?"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_closest_name_is_meant_and_a_far_one_is_not() {
        let names = ["open", "decide", "REDIRECTED", "redirected"];
        assert_eq!(did_you_mean("opne", names).as_deref(), Some("did you mean open?"));
        assert_eq!(closest("REDIRECTE", names), Some("REDIRECTED"));
        assert_eq!(closest("zzz", names), None);
        let names = ["task", "task_list", "--odd"];
        assert_eq!(closest("task_lst", names), Some("task_list"));
        assert_eq!(closest("--od", names), Some("--odd"));
        assert_eq!(closest("zzz", []), None);
    }
}
