//! Reads rows of a table in one cell, and writes them in another.

use super::tables::{HIDDEN, Table, text};
use crate::store::{Param, Query, Statement};
use overturn_core::base::cell::Cell;
use overturn_core::base::instant::Instant;
use serde_json::Value;

/// Where the text behind [`HIDDEN`] begins.
const PAST: usize = HIDDEN.len() + 1;

/// A row: the primary key, and the values of all columns, as the new cell has them.
pub(super) type Row = (Value, Value);

/// Which cell is read: the keys and hashes of the new one are hidden.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Side {
    Source,
    Target,
}

/// The rows between two keys of a practice or sandbox, at most so many.
pub(super) struct Range<'a> {
    pub(super) of: &'a str,
    pub(super) after: Option<&'a Value>,
    pub(super) until: Option<&'a Value>,
    pub(super) most: usize,
}

impl Table {
    /// A row `t` as [`Row`].
    fn row(&self, side: Side) -> String {
        let key: Vec<_> = self.key.iter().map(|column| self.key_of(side, column)).collect();
        let value = |column: &String| match (side, &**column) {
            (Side::Source, column) if self.hidden() == Some(column) => format!("'{HIDDEN}' || t.{column}"),
            // A job counts its claims anew.
            (Side::Source, "counted") => "0".into(),
            (_, column) => format!("t.{column}"),
        };
        let values: Vec<_> = self.columns.iter().map(value).collect();
        // A function takes at most 100 values, and no table has so many columns.
        format!("json_array(json_array({}), json_array({}))", key.join(", "), values.join(", "))
    }

    fn key_of(&self, side: Side, column: &str) -> String {
        match (side, column) {
            (Side::Target, column) if self.hidden() == Some(column) => format!("substr(t.{column}, {PAST})"),
            _ => format!("t.{column}"),
        }
    }

    /// A part of the key that is bound as JSON.
    fn bound(&self, side: Side, json: &str) -> Vec<String> {
        let part = |(n, column): (usize, &String)| match (side, &**column) {
            (Side::Target, column) if self.hidden() == Some(column) => format!("'{HIDDEN}' || ({json} ->> {n})"),
            _ => format!("{json} ->> {n}"),
        };
        self.key.iter().enumerate().map(part).collect()
    }

    /// The condition by which a key is compared. The practice is left out where it is the same: SQLite then searches by
    /// what is left.
    fn compared(&self, side: Side, sign: &str, json: &str) -> String {
        let bound = self.bound(side, json);
        let parts = self.key.iter().zip(&bound);
        let parts = parts.filter(|(column, _)| self.key.len() == 1 || Some(&***column) != self.practice);
        let (columns, values): (Vec<_>, Vec<_>) =
            parts.map(|(column, value)| (format!("t.{column}"), value.as_str())).unzip();
        format!("({}) {sign} ({})", columns.join(", "), values.join(", "))
    }

    /// Reads rows in the order of the primary key.
    pub(super) fn read(&self, side: Side, range: &Range<'_>) -> Query<Vec<Row>> {
        let mut condition = self.owned();
        let mut params = vec![Param::Text(range.of.to_owned())];
        for (key, sign) in [(range.after, ">"), (range.until, "<=")] {
            if let Some(key) = key {
                params.push(Param::Text(key.to_string()));
                condition.push_str(" AND ");
                condition.push_str(&self.compared(side, sign, &format!("?{}", params.len())));
            }
        }
        let order: Vec<_> = self.key.iter().map(|column| format!("t.{column}")).collect();
        let (row, name, most) = (self.row(side), &self.name, range.most);
        let sql = format!(
            "SELECT json_group_array(json(r)) AS json FROM (SELECT {row} AS r FROM {name} t WHERE {condition} ORDER BY {} LIMIT {most})",
            order.join(", ")
        );
        Query::one("moving.rows", text(sql), params)
    }

    /// Reads how many rows there are, and the last ones. The last row of a trail has the digest of all before it.
    pub(super) fn end(&self, side: Side, of: &str, most: usize) -> Query<(i64, Vec<Row>)> {
        let order: Vec<_> = self.key.iter().map(|column| format!("t.{column} DESC")).collect();
        let (row, name, owned) = (self.row(side), &self.name, self.owned());
        let sql = format!(
            "SELECT json_array((SELECT count(*) FROM {name} t WHERE {owned}), json((SELECT json_group_array(json(r))
               FROM (SELECT {row} AS r FROM {name} t WHERE {owned} ORDER BY {} LIMIT {most})))) AS json",
            order.join(", ")
        );
        Query::one("moving.end", text(sql), [Param::Text(of.to_owned())])
    }

    /// Reads the rows with these keys.
    pub(super) fn read_keys(&self, side: Side, keys: &[Value]) -> Query<Vec<Row>> {
        let same: Vec<_> =
            self.key.iter().map(|column| format!("t.{column}")).zip(self.bound(side, "j.value")).collect();
        let same: Vec<_> = same.into_iter().map(|(column, value)| format!("{column} = {value}")).collect();
        let sql = format!(
            "SELECT json_group_array(json({})) AS json FROM json_each(?1) j CROSS JOIN {} t WHERE {}",
            self.row(side),
            self.name,
            same.join(" AND ")
        );
        Query::one("moving.rows", text(sql), [json(keys)])
    }

    /// Takes the numbers of changes that rows will have from others. They are of an emptied sandbox, or left by an earlier
    /// move, and will be replaced or deleted.
    pub(super) fn renumber(&self, rows: &[Value]) -> Option<Statement> {
        let place = |name| self.columns.iter().position(|column| column == name);
        let column = self.practice?;
        let (practice, changed) = (place(column)?, place("changed")?);
        let sql = format!(
            "UPDATE {} SET changed = changed + 1000000000000 WHERE ({column}, changed) IN
               (SELECT j.value ->> {practice}, j.value ->> {changed} FROM json_each(?1) j)",
            self.name
        );
        Some(Statement::new(text(sql), [json(rows)]))
    }

    /// Writes rows in the new cell. A row with the key is replaced.
    pub(super) fn write(&self, rows: &[Value]) -> Statement {
        let values: Vec<_> = (0..self.columns.len()).map(|n| format!("j.value ->> {n}")).collect();
        let set = self.columns.iter().filter(|column| !self.key.contains(column));
        let set: Vec<_> = set.map(|column| format!("{column} = excluded.{column}")).collect();
        let done = if set.is_empty() { "NOTHING".into() } else { format!("UPDATE SET {}", set.join(", ")) };
        let sql = format!(
            "INSERT INTO {} ({}) SELECT {} FROM json_each(?1) j WHERE true ON CONFLICT ({}) DO {done}",
            self.name,
            self.columns.join(", "),
            values.join(", "),
            self.key.join(", ")
        );
        Statement::new(text(sql), [json(rows)])
    }

    /// Deletes rows in the new cell.
    pub(super) fn delete(&self, keys: &[Value]) -> Statement {
        let bound = self.bound(Side::Target, "j.value").join(", ");
        let key = self.key.join(", ");
        let sql = format!("DELETE FROM {} WHERE ({key}) IN (SELECT {bound} FROM json_each(?1) j)", self.name);
        Statement::new(text(sql), [json(keys)])
    }

    /// Deletes some rows of a practice or sandbox.
    pub(super) fn empty(&self, of: &str, most: usize) -> Statement {
        let key: Vec<_> = self.key.iter().map(|column| format!("t.{column}")).collect();
        let sql = format!(
            "DELETE FROM {} WHERE ({}) IN (SELECT {} FROM {} t WHERE {} LIMIT {most})",
            self.name,
            self.key.join(", "),
            key.join(", "),
            self.name,
            self.owned()
        );
        Statement::new(text(sql), [Param::Text(of.to_owned())])
    }

    /// Leads calls with what was handed out to a cell.
    pub(super) fn lead(&self, side: Side, of: &str, to: Cell) -> Option<Statement> {
        let (name, owned) = (&self.name, self.owned());
        self.handed_out().map(|column| {
            let what = self.key_of(side, column);
            let sql = format!(
                "INSERT INTO forwards (what, cell) SELECT {what}, ?2 FROM {name} t WHERE {owned}
                 ON CONFLICT (what) DO UPDATE SET cell = excluded.cell, opened_at = NULL"
            );
            Statement::new(text(sql), [Param::Text(of.to_owned()), Param::Int(to.0.into())])
        })
    }

    /// Hides rows of a practice or sandbox.
    pub(super) fn hide(&self, of: &str) -> Option<Statement> {
        let (name, owned) = (&self.name, self.owned());
        self.hidden().or(self.named()).map(|column| {
            let sql = format!("UPDATE {name} AS t SET {column} = '{HIDDEN}' || t.{column} WHERE {owned}");
            Statement::new(text(sql), [Param::Text(of.to_owned())])
        })
    }

    /// The contrary of [`hide`](Self::hide). Nobody waits any more.
    pub(super) fn show(&self, of: &str, now: Instant) -> Vec<Statement> {
        let (name, owned, of) = (&self.name, self.owned(), Param::Text(of.to_owned()));
        let show = self.hidden().map(|column| {
            let sql = format!("UPDATE {name} AS t SET {column} = substr(t.{column}, {PAST}) WHERE {owned}");
            Statement::new(text(sql), [of.clone()])
        });
        let opened = self.handed_out().map(|column| {
            let what = format!("SELECT t.{column} FROM {name} t WHERE {owned}");
            let sql = format!("UPDATE forwards SET opened_at = ?2 WHERE what IN ({what})");
            Statement::new(text(sql), [of.clone(), Param::Int(now.0)])
        });
        show.into_iter().chain(opened).collect()
    }
}

fn json(values: &[Value]) -> Param {
    Param::Text(Value::from(values.to_vec()).to_string())
}
