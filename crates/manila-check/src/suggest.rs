//! The name that a mistyped one may mean.

/// A question that names the closest of the names there are, if one is close.
pub fn did_you_mean<'a>(name: &str, names: impl IntoIterator<Item = &'a str>) -> Option<String> {
    // Letters count more than their case, but among equals the same case wins.
    let likeness = |other: &str| {
        let letters = strsim::jaro_winkler(&name.to_lowercase(), &other.to_lowercase());
        letters + strsim::jaro_winkler(name, other) / 100.0
    };
    let rated = names.into_iter().map(|other| (likeness(other), other));
    let (closeness, closest) = rated.max_by(|a, b| a.0.total_cmp(&b.0))?;
    (closeness > 0.8).then(|| format!("did you mean {closest}?"))
}

#[cfg(test)]
mod tests {
    use super::did_you_mean;

    #[test]
    fn the_closest_name_is_asked_about_and_a_far_one_is_not() {
        let names = ["open", "decide", "REDIRECTED", "redirected"];
        assert_eq!(did_you_mean("opne", names).as_deref(), Some("did you mean open?"));
        assert_eq!(did_you_mean("REDIRECTE", names).as_deref(), Some("did you mean REDIRECTED?"));
        assert_eq!(did_you_mean("zzz", names), None);
    }
}
