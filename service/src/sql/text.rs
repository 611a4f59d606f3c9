//! Fills the places of an SQL text.

use crate::store::error::FailedGuard;
use std::fmt::Write as _;
use std::sync::OnceLock;

/// The practice of the caller, who is known by the hash of the credential.
pub(crate) const OF_CALLER: &str = "(SELECT practice_id FROM callers WHERE hash = {caller})";

/// The account of the caller.
pub(crate) const ACCOUNT_OF_CALLER: &str = "(SELECT user_id FROM callers WHERE hash = {caller})";

/// The constants that every text may name.
const OWN: [(&str, &str); 2] = [("OF_CALLER", OF_CALLER), ("ACCOUNT_OF_CALLER", ACCOUNT_OF_CALLER)];

/// What a guard writes if it fails.
#[allow(clippy::panic, reason = "it runs only when the service is compiled, where a panic is an error of the compiler")]
pub(crate) const fn stored(failed: FailedGuard) -> &'static str {
    match failed.stored() {
        Some(name) => name,
        None => panic!("no guard is stored under this name"),
    }
}

/// An SQL text with places.
pub(crate) struct Text {
    text: &'static str,
    /// The constants that a place can be, besides `OWN`. They may have places themselves.
    parts: &'static [(&'static str, &'static str)],
    names: &'static [&'static str],
    /// The number of values before these.
    before: usize,
    filled: OnceLock<String>,
}

impl Text {
    pub(crate) const fn new(
        text: &'static str,
        parts: &'static [(&'static str, &'static str)],
        names: &'static [&'static str],
        before: usize,
    ) -> Self {
        Self { text, parts, names, before, filled: OnceLock::new() }
    }

    /// The text, with the number of a value in each place.
    pub(crate) fn filled(&'static self) -> &'static str {
        self.filled.get_or_init(|| {
            let mut sql = String::with_capacity(self.text.len());
            self.fill(self.text, &mut sql);
            sql
        })
    }

    fn fill(&self, text: &str, sql: &mut String) {
        let mut pieces = text.split('{');
        sql.push_str(pieces.next().unwrap_or_default());
        for piece in pieces {
            let Some((name, behind)) = piece.split_once('}') else {
                sql.extend(["{", piece]);
                continue;
            };
            self.place(name, sql);
            sql.push_str(behind);
        }
    }

    fn place(&self, name: &str, sql: &mut String) {
        let mut numbers = (self.before.saturating_add(1)..).zip(self.names);
        if let Some((number, _)) = numbers.find(|(_, known)| **known == name) {
            let _never_fails = write!(sql, "?{number}");
            return;
        }
        match self.parts.iter().chain(&OWN).find(|(known, _)| *known == name) {
            Some((_, part)) => self.fill(part, sql),
            // A test finds it.
            None => sql.extend(["{", name, "}"]),
        }
    }
}

/// The text of a query.
#[cfg(test)]
pub(crate) struct Query(pub(crate) &'static Text);

/// The text of a write or of a guard.
#[cfg(test)]
pub(crate) struct Write(pub(crate) &'static Text);

#[cfg(test)]
inventory::collect!(Query);

#[cfg(test)]
inventory::collect!(Write);

#[cfg(test)]
mod tests {
    use super::{Query, Text, Write};
    use crate::plan::Guard;
    use crate::sql::abort_if;
    use crate::store::Statement;
    use crate::testing::Fixture;
    use overturn_core::base::param::Param;
    use std::collections::BTreeSet;

    /// The numbers of the values that a filled text has.
    fn numbers(sql: &str) -> BTreeSet<usize> {
        let behind = sql.split('?').skip(1);
        behind.filter_map(|text| text.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()).collect()
    }

    fn fits(text: &'static Text) -> bool {
        let sql = text.filled();
        !sql.contains(['{', '}']) && numbers(sql).range(..).copied().eq(1..=text.before + text.names.len())
    }

    #[test]
    fn every_text_is_a_statement_of_the_schema_whose_places_and_values_fit_and_only_queries_read() {
        let store = Fixture::new();
        let queries = inventory::iter::<Query>().map(|query| (query.0, true));
        let texts: Vec<_> = queries.chain(inventory::iter::<Write>().map(|write| (write.0, false))).collect();
        assert!(texts.len() > 500, "the texts are not collected");
        for (text, reads) in texts {
            let sql = text.filled();
            assert!(fits(text), "{sql}");
            let prepared = store.db.prepare(sql).unwrap_or_else(|error| panic!("{error}: {sql}"));
            assert_eq!(prepared.readonly(), reads, "{sql}");
            assert_eq!(prepared.parameter_count(), text.before + text.names.len(), "{sql}");
        }
    }

    #[test]
    fn each_place_has_the_number_of_its_value_and_a_constant_may_have_places() {
        static TEXT: Text =
            Text::new("{OWN} AND id IN ({id}, {id}) AND {caller}", &[("OWN", "p = {caller}")], &["caller", "id"], 0);
        assert_eq!(TEXT.filled(), "p = ?1 AND id IN (?2, ?2) AND ?1");
        assert!(fits(&TEXT));
    }

    #[test]
    fn numbers_go_on_after_those_before_them_and_can_have_two_digits() {
        static TEXT: Text = Text::new("?1{b}{a}", &[], &["a", "b"], 9);
        assert_eq!(TEXT.filled(), "?1?11?10");
    }

    #[test]
    fn a_place_without_a_value_and_a_value_without_a_place_are_noticed() {
        static PLACE: Text = Text::new("{a} {b}", &[], &["a"], 0);
        static VALUE: Text = Text::new("{a}", &[], &["a", "b"], 0);
        static END: Text = Text::new("{a} {b", &[], &["a", "b"], 0);
        assert_eq!(PLACE.filled(), "?1 {b}");
        assert!(!fits(&PLACE) && !fits(&VALUE) && !fits(&END));
    }

    #[test]
    fn a_guard_names_what_failed() {
        let guard = abort_if!(DataKey, "EXISTS (SELECT 1 FROM practices WHERE id = {id})"; id = 1_i64);
        let sql = "INSERT INTO guards (failed) SELECT 'data_key' WHERE EXISTS (SELECT 1 FROM practices WHERE id = ?1)";
        assert_eq!(guard, Guard::Sql(Statement::new(sql, [Param::Int(1)])));
    }
}
