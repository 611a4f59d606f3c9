//! Text for people.

pub(crate) use overturn_client::shown;

/// A count with its unit: `1 claim`, `2 claims`.
pub(crate) fn counted(count: impl TryInto<u64>, unit: &str) -> String {
    let count = count.try_into().unwrap_or(u64::MAX);
    let plural = if count == 1 { "" } else { "s" };
    format!("{count} {unit}{plural}")
}

#[cfg(test)]
mod tests {
    use super::counted;

    #[test]
    fn one_is_no_plural() {
        assert_eq!(["0 claims", "1 claim", "2 claims"], [0, 1, 2].map(|n| counted(n, "claim")));
    }
}
