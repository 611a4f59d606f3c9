//! The tables with rows of a practice, as the schema itself names them. So a new table moves without a list.

use crate::store::Query;
use serde::Deserialize;
use std::collections::{BTreeSet, HashSet};
use std::sync::{Mutex, PoisonError};

/// Before what is hidden.
pub(super) const HIDDEN: &str = "moved:";

/// What the directory has of a practice or a person. It stays there.
const OF_DIRECTORY: [&str; 4] = ["addresses", "domains", "logins", "places"];

/// Each table with its columns and their places in the primary key, the tables it refers to, and its triggers.
const TABLES: &str = "SELECT json_group_array(json_array(m.name,
    json((SELECT json_group_array(json_array(c.name, c.pk)) FROM pragma_table_info(m.name) c)),
    json((SELECT json_group_array(f.\"table\") FROM pragma_foreign_key_list(m.name) f)),
    json((SELECT json_group_array(json_array(t.name, t.sql)) FROM sqlite_master t
      WHERE t.type = 'trigger' AND t.tbl_name = m.name AND t.name NOT LIKE 'moving!_%' ESCAPE '!')))) AS json
  FROM sqlite_master m WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite!_%' ESCAPE '!' AND m.name NOT LIKE '!_%' ESCAPE '!'";

/// A table as the schema has it: its name, the columns, the tables that it refers to, and its triggers.
#[derive(Deserialize)]
pub(super) struct Stored(String, Vec<(String, usize)>, Vec<String>, Vec<(String, String)>);

/// Reads the tables of a cell.
pub(super) fn stored() -> Query<Vec<Stored>> {
    Query::one("moving.tables", TABLES, [])
}

/// A table with rows of practices.
#[derive(Clone)]
pub(super) struct Table {
    pub(super) name: String,
    pub(super) columns: Vec<String>,
    /// The columns of its primary key, in order.
    pub(super) key: Vec<String>,
    /// The column with the practice, or `None` if it has the account of a person.
    pub(super) practice: Option<&'static str>,
    /// The triggers of the schema, which a batch of the move takes away and makes again: a copied row is as it was.
    pub(super) triggers: Vec<(String, String)>,
    refers_to: Vec<String>,
}

impl Table {
    fn of(Stored(name, columns, refers_to, triggers): Stored) -> Option<Self> {
        let has = |column: &str| columns.iter().any(|(name, _)| name == column);
        let practice = match &*name {
            "practices" => Some("id"),
            _ if OF_DIRECTORY.contains(&&*name) => return None,
            _ if has("practice_id") => Some("practice_id"),
            _ if has("user_id") => None,
            _ => return None,
        };
        let mut key: Vec<_> = columns.iter().filter(|(_, place)| *place > 0).collect();
        key.sort_by_key(|(_, place)| *place);
        let key = key.into_iter().map(|(name, _)| name.clone()).collect();
        let columns = columns.into_iter().map(|(name, _)| name).collect();
        // Whose they are is known by the account, also if the schema does not check it.
        let refers_to = if practice.is_none() { vec!["users".into()] } else { refers_to };
        Some(Self { name, columns, key, practice, triggers, refers_to })
    }

    /// Its name and its columns.
    pub(super) fn columns(&self) -> (&str, &[String]) {
        (&self.name, &self.columns)
    }

    /// The same without what is not in the keys.
    pub(super) fn only_keys(&self) -> Self {
        Self { columns: self.key.clone(), ..self.clone() }
    }

    /// The column whose values have [`HIDDEN`] before them where the practice is not. So nothing finds what was handed out there,
    /// and nobody reads patient data (`readable!`).
    pub(super) fn hidden(&self) -> Option<&'static str> {
        match &*self.name {
            "practices" => Some("state"),
            // They are found by their person.
            "recovery_codes" => None,
            _ => self.columns.iter().any(|column| column == "hash").then_some("hash"),
        }
    }

    /// The column with a name that one account or practice of all cells has. What stays in the old cell is hidden there as well, so
    /// that another one there can get the name. The new cell has it as it is, and a practice that comes back is copied anew.
    pub(super) fn named(&self) -> Option<&'static str> {
        match &*self.name {
            "users" => Some("email_key"),
            "identities" => Some("subject"),
            "practice_domains" => Some("domain"),
            _ => None,
        }
    }

    /// The column with what was handed out, and names the cell that did.
    pub(super) fn handed_out(&self) -> Option<&'static str> {
        match &*self.name {
            "practices" | "users" | "sso_providers" => Some("id"),
            _ => self.hidden(),
        }
    }

    /// The condition for the rows `t` of the practice or sandbox `?1`.
    pub(super) fn owned(&self) -> String {
        match self.practice {
            Some(column) => format!("t.{column} = ?1"),
            None => "t.user_id IN (SELECT u.id FROM users u WHERE u.practice_id = ?1)".into(),
        }
    }
}

/// The tables with rows of practices, each behind those that it refers to.
pub(super) fn ordered(stored: Vec<Stored>) -> Vec<Table> {
    let mut left: Vec<Table> = stored.into_iter().filter_map(Table::of).collect();
    let mut all: Vec<Table> = Vec::new();
    while !left.is_empty() {
        let names: BTreeSet<String> = left.iter().map(|table| table.name.clone()).collect();
        let waits = |table: &Table| table.refers_to.iter().any(|of| *of != table.name && names.contains(of));
        let (behind, next): (Vec<_>, Vec<_>) = left.into_iter().partition(waits);
        // The schema has no circle, so there is always a next one.
        let is_stuck = next.is_empty();
        all.extend(next);
        left = behind;
        if is_stuck {
            all.append(&mut left);
        }
    }
    all
}

/// The text of a statement that is made of the names in the schema. There are as many as there are tables, so they stay.
pub(super) fn text(sql: String) -> &'static str {
    static TEXTS: Mutex<Option<HashSet<&'static str>>> = Mutex::new(None);
    let mut texts = TEXTS.lock().unwrap_or_else(PoisonError::into_inner);
    let texts = texts.get_or_insert_default();
    if let Some(known) = texts.get(&*sql) {
        return known;
    }
    let sql: &'static str = Box::leak(sql.into_boxed_str());
    texts.insert(sql);
    sql
}
