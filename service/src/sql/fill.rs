//! Fills the places of an SQL text when the service is compiled.
#![allow(
    clippy::arithmetic_side_effects,
    clippy::indexing_slicing,
    clippy::panic,
    reason = "it runs only when the service is compiled, where a panic is an error of the compiler"
)]

use crate::store::error::FailedGuard;

/// What a guard writes if it fails.
pub(crate) const fn stored(failed: FailedGuard) -> &'static str {
    match failed.stored() {
        Some(name) => name,
        None => panic!("no guard is stored under this name"),
    }
}

/// True if a text has SQL that writes.
const fn writes(text: &str) -> bool {
    has(text, "INSERT") || has(text, "UPDATE") || has(text, "DELETE") || has(text, "REPLACE")
}

/// True if a text has this word before white space.
const fn has(text: &str, word: &str) -> bool {
    let (mut rest, word) = (text.as_bytes(), word.as_bytes());
    while rest.len() > word.len() {
        if rest[word.len()].is_ascii_whitespace() && is_same(rest.split_at(word.len()).0, word) {
            return true;
        }
        rest = rest.split_at(1).1;
    }
    false
}

/// A text with its places filled, in its first `LENGTH` bytes. With a `LENGTH` of 0 it only measures.
pub(crate) struct Filled<const LENGTH: usize> {
    bytes: [u8; LENGTH],
    length: usize,
    /// The values that have a place, a bit for each.
    used: u64,
    /// How many values come before them.
    before: usize,
}

/// Fills the places of a text: with a constant of `parts`, which may have places itself, or with the number of a value.
pub(crate) const fn fill<const LENGTH: usize>(text: &str, parts: &[(&str, &str)], names: &[&str]) -> Filled<LENGTH> {
    fill_after(0, text, parts, names)
}

/// The same with other values before these.
pub(crate) const fn fill_after<const LENGTH: usize>(
    before: usize,
    text: &str,
    parts: &[(&str, &str)],
    names: &[&str],
) -> Filled<LENGTH> {
    let mut filled = Filled { bytes: [0; LENGTH], length: 0, used: 0, before };
    filled.add(text.as_bytes(), parts, names);
    assert!(filled.used.count_ones() as usize == names.len(), "a value has no place in the SQL");
    filled
}

impl<const LENGTH: usize> Filled<LENGTH> {
    pub(crate) const fn length(&self) -> usize {
        self.length
    }

    pub(crate) const fn text(&self) -> &str {
        match str::from_utf8(&self.bytes) {
            Ok(text) => text,
            Err(_) => panic!("the SQL is not UTF-8"),
        }
    }

    /// The text of a query.
    pub(crate) const fn query(&self) -> &str {
        let text = self.text();
        assert!(!writes(text), "a query only reads");
        text
    }

    const fn push(&mut self, byte: u8) {
        if self.length < LENGTH {
            self.bytes[self.length] = byte;
        }
        self.length += 1;
    }

    const fn add(&mut self, mut rest: &[u8], parts: &[(&str, &str)], names: &[&str]) {
        while let Some((first, behind)) = rest.split_first() {
            rest = behind;
            if *first == b'{' {
                let (name, behind) = rest.split_at(end(rest));
                rest = behind.split_at(1).1;
                self.place(name, parts, names);
            } else {
                self.push(*first);
            }
        }
    }

    const fn place(&mut self, name: &[u8], parts: &[(&str, &str)], names: &[&str]) {
        let mut n = 0;
        while n < names.len() {
            if is_same(names[n].as_bytes(), name) {
                self.used |= 1 << n;
                return self.number(self.before + n + 1);
            }
            n += 1;
        }
        let mut n = 0;
        while n < parts.len() {
            if is_same(parts[n].0.as_bytes(), name) {
                return self.add(parts[n].1.as_bytes(), parts, names);
            }
            n += 1;
        }
        panic!("a place of the SQL has no value")
    }

    const fn number(&mut self, number: usize) {
        assert!(number < 64, "the SQL has too many values");
        self.push(b'?');
        if number > 9 {
            self.push(b'0' + (number / 10) as u8);
        }
        self.push(b'0' + (number % 10) as u8);
    }
}

/// Where the name of a place ends.
const fn end(text: &[u8]) -> usize {
    let mut at = 0;
    while at < text.len() {
        if text[at] == b'}' {
            return at;
        }
        at += 1;
    }
    panic!("a place of the SQL has no end")
}

const fn is_same(one: &[u8], other: &[u8]) -> bool {
    let mut same = one.len() == other.len();
    let mut at = 0;
    while same && at < one.len() {
        same = one[at] == other[at];
        at += 1;
    }
    same
}

#[cfg(test)]
mod tests {
    use super::fill;
    use super::writes;
    use crate::plan::Guard;
    use crate::sql::{abort_if, select};
    use crate::store::Statement;
    use overturn_core::base::param::Param;

    #[test]
    fn each_place_has_the_number_of_its_value_and_a_constant_may_have_places() {
        const OWN: &str = "(SELECT practice FROM callers WHERE hash = {caller})";
        let id = 7_i64;
        let made = select!(
            "test",
            "SELECT x FROM t WHERE p = {OWN} AND id IN ({id}, {id}) AND {caller}" [OWN];
            caller = "c", id
        );
        let made = made.statement;
        assert_eq!(
            made.sql,
            "SELECT x FROM t WHERE p = (SELECT practice FROM callers WHERE hash = ?1) AND id IN (?2, ?2) AND ?1"
        );
        assert_eq!(made.params, [Param::Text("c".into()), Param::Int(7)]);
    }

    #[test]
    fn numbers_can_have_two_digits() {
        let names = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
        let filled = fill::<24>("{j}{i}{a}{b}{c}{d}{e}{f}{g}{h}", &[], &names);
        assert_eq!(filled.text().trim_end_matches('\0'), "?10?9?1?2?3?4?5?6?7?8");
        assert_eq!(filled.length(), 21);
    }

    #[test]
    fn a_guard_names_what_failed() {
        let guard = abort_if!(DataKey, "EXISTS (SELECT 1 FROM t WHERE id = {id})"; id = 1_i64);
        let sql = "INSERT INTO guards (failed) SELECT 'data_key' WHERE EXISTS (SELECT 1 FROM t WHERE id = ?1)";
        assert_eq!(guard, Guard::Sql(Statement::new(sql, [Param::Int(1)])));
    }

    #[test]
    fn sql_that_writes_is_recognized() {
        for text in [
            "INSERT INTO t VALUES (1)",
            "WITH a AS (SELECT 1) UPDATE\n  t SET x = 1",
            "DELETE\tFROM t",
            "REPLACE\r\nINTO t",
        ] {
            assert!(writes(text), "{text}");
        }
        assert!(!writes("SELECT replace(x, 'a', 'b') FROM updates"));
    }

    #[test]
    #[should_panic = "a query only reads"]
    fn a_query_writes_by_no_part() {
        fill::<13>("{PART}", &[("PART", "DELETE\nFROM t")], &[]).query();
    }

    #[test]
    #[should_panic = "a place of the SQL has no value"]
    fn a_place_needs_a_value() {
        fill::<0>("{a}", &[], &[]);
    }

    #[test]
    #[should_panic = "a value has no place in the SQL"]
    fn a_value_needs_a_place() {
        fill::<0>("{a}", &[], &["a", "b"]);
    }
}
