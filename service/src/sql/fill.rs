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

/// A text as pieces, one after the other. The compiler interprets all of this, so no byte of SQL may cost a call.
pub(crate) struct Pieces {
    pieces: [&'static [u8]; PIECES_MAX],
    count: usize,
    /// The bytes of all pieces.
    pub(crate) length: usize,
    /// The values that have a place, a bit for each.
    used: u64,
    /// How many values come before them.
    before: usize,
}

const PIECES_MAX: usize = 400;

/// The pieces of a text. A place is a constant of `parts`, which may have places itself, or the number of a value. `before` is
/// the number of values before these.
pub(crate) const fn pieces(
    before: usize,
    text: &'static str,
    parts: &[(&str, &'static str)],
    names: &[&str],
) -> Pieces {
    let mut pieces = Pieces { pieces: [&[]; PIECES_MAX], count: 0, length: 0, used: 0, before };
    pieces.add(text.as_bytes(), parts, names);
    assert!(pieces.used.count_ones() as usize == names.len(), "a value has no place in the SQL");
    pieces
}

impl Pieces {
    /// The pieces as one. `LENGTH` is their length.
    pub(crate) const fn joined<const LENGTH: usize>(&self) -> [u8; LENGTH] {
        let mut bytes = [0; LENGTH];
        let (mut rest, mut n) = (bytes.as_mut_slice(), 0);
        while n < self.count {
            let (start, behind) = rest.split_at_mut(self.pieces[n].len());
            start.copy_from_slice(self.pieces[n]);
            (rest, n) = (behind, n + 1);
        }
        bytes
    }

    const fn push(&mut self, piece: &'static [u8]) {
        assert!(self.count < PIECES_MAX, "the SQL has too many pieces");
        self.pieces[self.count] = piece;
        self.count += 1;
        self.length += piece.len();
    }

    const fn add(&mut self, text: &'static [u8], parts: &[(&str, &'static str)], names: &[&str]) {
        let (mut rest, mut at) = (text, 0);
        while at < rest.len() {
            if rest[at] != b'{' {
                at += 1;
                continue;
            }
            let (piece, place) = rest.split_at(at);
            self.push(piece);
            let (name, behind) = place.split_at(end(place));
            self.place(name.split_at(1).1, parts, names);
            (rest, at) = (behind.split_at(1).1, 0);
        }
        self.push(rest);
    }

    const fn place(&mut self, name: &[u8], parts: &[(&str, &'static str)], names: &[&str]) {
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
        assert!(number < NUMBERS.len(), "the SQL has too many values");
        let digits = if number > 9 { 2 } else { 1 };
        self.push(NUMBERS[number].split_at(1 + digits).0);
    }
}

/// The parameters `?0` to `?63`.
const NUMBERS: &[[u8; 3]; 64] = &{
    let (mut numbers, mut n) = ([[b'?', 0, 0]; 64], 0);
    while n < numbers.len() {
        let digits = [b'0' + (n / 10) as u8, b'0' + (n % 10) as u8];
        numbers[n] = if n > 9 { [b'?', digits[0], digits[1]] } else { [b'?', digits[1], 0] };
        n += 1;
    }
    numbers
};

/// The text of a statement.
pub(crate) const fn text(sql: &[u8]) -> &str {
    match str::from_utf8(sql) {
        Ok(text) => text,
        Err(_) => panic!("the SQL is not UTF-8"),
    }
}

/// The text of a query.
pub(crate) const fn query(sql: &[u8]) -> &str {
    assert!(!writes(sql), "a query only reads");
    text(sql)
}

/// True if a text has a word that writes before white space.
const fn writes(sql: &[u8]) -> bool {
    let mut at = 6;
    while at < sql.len() {
        // Each word ends with T or E.
        if sql[at] <= b' ' && (sql[at - 1] == b'T' || sql[at - 1] == b'E') {
            let before = sql.split_at(at).0;
            if ends(before, b"INSERT") || ends(before, b"UPDATE") || ends(before, b"DELETE") || ends(before, b"REPLACE")
            {
                return true;
            }
        }
        at += 1;
    }
    false
}

const fn ends(text: &[u8], word: &[u8]) -> bool {
    text.len() >= word.len() && is_same(text.split_at(text.len() - word.len()).1, word)
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
    use super::{pieces, query, text, writes};
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
        let pieces = pieces(0, "{j}{i}{a}{b}{c}{d}{e}{f}{g}{h}", &[], &names);
        assert_eq!(pieces.length, 21);
        assert_eq!(text(&pieces.joined::<21>()), "?10?9?1?2?3?4?5?6?7?8");
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
            assert!(writes(text.as_bytes()), "{text}");
        }
        assert!(!writes(b"SELECT replace(x, 'a', 'b') FROM updates"));
    }

    #[test]
    #[should_panic = "a query only reads"]
    fn a_query_writes_by_no_part() {
        query(&pieces(0, "{PART}\nFROM t", &[("PART", "DELETE")], &[]).joined::<13>());
    }

    #[test]
    #[should_panic = "a place of the SQL has no value"]
    fn a_place_needs_a_value() {
        pieces(0, "{a}", &[], &[]);
    }

    #[test]
    #[should_panic = "a value has no place in the SQL"]
    fn a_value_needs_a_place() {
        pieces(0, "{a}", &[], &["a", "b"]);
    }
}
