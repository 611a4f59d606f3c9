//! The first row: which column has which field.

use super::names::{Field, Names};
use crate::error::CommandError;
use crate::text::shown;
use overturn_remit::CsvRecord;
use serde_json::{Map, Value};

/// The fields of the columns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Header {
    columns: Vec<Option<Field>>,
}

impl Header {
    /// Reads the first row. No cell of it is repeated, because it may be a claim.
    ///
    /// # Errors
    ///
    /// [`CommandError::Usage`] when a column is unknown, there twice, or missing.
    pub(super) fn read(record: &CsvRecord, names: &Names) -> Result<Self, CommandError> {
        let found = record.cells.iter().map(|cell| match cell.trim() {
            "" => Ok(None),
            name => names.find(name),
        });
        let found: Vec<_> = found.collect();
        if !found.iter().any(|column| matches!(column, Ok(Some(_)))) {
            return Err(wrong(
                "the first line must name the columns, such as claim_number and payer_name. With other names, use --columns",
            ));
        }
        let mut columns = Vec::new();
        for (number, column) in (1..).zip(found) {
            let field = column.map_err(|()| {
                wrong(format!(
                    "column {number} of the first line is no field of a claim. Leave it out, or name the columns with --columns"
                ))
            })?;
            if let Some(field) = field.filter(|field| !field.is_list())
                && columns.contains(&Some(field))
            {
                return Err(wrong(format!("column {number} of the first line is a second {}", field.name)));
            }
            columns.push(field);
        }
        let has = |name: &str| {
            let mut cells = record.cells.iter();
            cells.any(|cell| cell.trim().to_lowercase() == name)
        };
        if let Some(missing) = names.columns().find(|name| !has(name)) {
            return Err(wrong(format!("the first line has no column {}, which --columns names", shown(missing))));
        }
        let missing = Field::all().filter(|field| field.is_required());
        let missing = missing.filter(|field| !columns.contains(&Some(*field)));
        let missing: Vec<&str> = missing.map(|field| field.name).collect();
        if !missing.is_empty() {
            return Err(wrong(format!(
                "the first line has no column {}. With other names, use --columns",
                missing.join(", ")
            )));
        }
        Ok(Self { columns })
    }

    /// The claim of a row as JSON. `None` if it has text beyond the last column.
    pub(super) fn item(&self, record: &CsvRecord) -> Option<String> {
        let mut beyond = record.cells.iter().skip(self.columns.len());
        if beyond.any(|cell| !cell.trim().is_empty()) {
            return None;
        }
        let [mut patient, mut claim] = [Map::new(), Map::new()];
        for (field, cell) in self.columns.iter().zip(&record.cells) {
            let (Some(field), cell) = (field, cell.trim()) else {
                continue;
            };
            if cell.is_empty() {
                continue;
            }
            let object = if field.object == "patient" { &mut patient } else { &mut claim };
            if field.is_list() {
                let list = object.entry(field.name).or_insert_with(|| Vec::<Value>::new().into());
                if let Some(list) = list.as_array_mut() {
                    list.extend(codes(cell));
                }
            } else {
                object.insert(field.name.into(), cell.into());
            }
        }
        let mut item = Map::new();
        item.insert("patient".into(), patient.into());
        item.insert("claim".into(), claim.into());
        Some(Value::Object(item).to_string())
    }

    /// Adds the number of the column to a problem that begins with the name of a field.
    pub(crate) fn locate(&self, problem: &mut String) {
        let is_part = |c: char| c.is_ascii_lowercase() || matches!(c, '_' | '.');
        let path = problem.split(|c| !is_part(c)).next().unwrap_or_default();
        let Some((object, name)) = path.split_once('.') else {
            return;
        };
        let mut fields = self.columns.iter();
        let is_it = |field: &Option<Field>| field.is_some_and(|field| (field.object, field.name) == (object, name));
        if let Some(at) = fields.position(is_it) {
            *problem = format!("{problem} (column {})", at.saturating_add(1));
        }
    }
}

/// The codes of a cell. They never have white space.
fn codes(cell: &str) -> impl Iterator<Item = Value> {
    let is_between = |c: char| c.is_whitespace() || matches!(c, ',' | ';' | '|');
    let codes = cell.split(is_between).filter(|code| !code.is_empty());
    codes.map(Value::from)
}

fn wrong(text: impl Into<String>) -> CommandError {
    CommandError::Usage(text.into())
}
