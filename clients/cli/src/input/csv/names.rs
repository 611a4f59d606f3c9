//! The fields of a claim, and the names that a practice has for them.

use crate::error::CommandError;
use crate::small;
use overturn_remit::csv_rows;
use std::collections::BTreeMap;

/// A field of the interface.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Field {
    /// `patient` or `claim`.
    pub(super) object: &'static str,
    pub(super) name: &'static str,
}

const PATIENT: [&str; 5] = ["first_name", "last_name", "date_of_birth", "account_number", "member_id"];
const CLAIM: [&str; 12] = [
    "claim_number",
    "payer_claim_number",
    "payer_name",
    "date_of_service",
    "denial_date",
    "plan_type",
    "procedure_code",
    "billed_amount",
    "denied_amount",
    "denial_codes",
    "denial_reason",
    "diagnosis_codes",
];

impl Field {
    /// Every field that a column can have.
    pub(super) fn all() -> impl Iterator<Item = Self> {
        let of = |object| move |name| Self { object, name };
        PATIENT.into_iter().map(of("patient")).chain(CLAIM.into_iter().map(of("claim")))
    }

    /// The field with a name such as `claim_number`, `claim.claim_number` or `Claim number`.
    fn named(name: &str) -> Option<Self> {
        let name = name.trim().to_lowercase().replace([' ', '-'], "_");
        Self::all().find(|field| {
            let path = name.split_once('.');
            name == field.name || path == Some((field.object, field.name))
        })
    }

    /// True for the fields that are lists of codes. One cell may have several codes, and several columns one list.
    pub(super) fn is_list(self) -> bool {
        matches!(self.name, "denial_codes" | "diagnosis_codes")
    }

    /// True for the fields that every claim must have.
    pub(super) fn is_required(self) -> bool {
        matches!(
            self.name,
            "first_name"
                | "last_name"
                | "date_of_birth"
                | "claim_number"
                | "payer_claim_number"
                | "payer_name"
                | "date_of_service"
        )
    }
}

/// What the columns of a file are called, if not as the fields.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Names {
    /// The field of each column, by the name of the column in lower case. `None` for a column that is left out.
    columns: BTreeMap<String, Option<Field>>,
    /// True if there is a file of names. Columns that it does not name are left out then.
    is_given: bool,
}

impl Names {
    /// Reads a file of names: CSV with the columns `column` and `field`.
    ///
    /// # Errors
    ///
    /// [`CommandError::Usage`] names the line.
    pub(crate) fn read(name: &str, text: &str) -> Result<Self, CommandError> {
        let wrong = |why: String| small::wrong(name, &why);
        let rows = csv_rows(text, ["column", "field"]).map_err(|error| wrong(error.to_string()))?;
        let mut columns = BTreeMap::new();
        for row in rows {
            let line = row.line;
            let [column, field] = row.cells;
            let field = match &*field {
                "" => None,
                name => Some(Field::named(name).ok_or_else(|| {
                    let known: Vec<&str> = Field::all().map(|field| field.name).collect();
                    wrong(format!("line {line}: field must be one of {}", known.join(", ")))
                })?),
            };
            if columns.insert(column.to_lowercase(), field).is_some() {
                return Err(wrong(format!("line {line}: the column is there twice")));
            }
        }
        Ok(Self { columns, is_given: true })
    }

    /// What a column is: a field, left out, or unknown.
    pub(super) fn find(&self, column: &str) -> Result<Option<Field>, ()> {
        match self.columns.get(&column.trim().to_lowercase()) {
            Some(field) => Ok(*field),
            None => match Field::named(column) {
                Some(field) => Ok(Some(field)),
                None if self.is_given => Ok(None),
                None => Err(()),
            },
        }
    }

    /// The columns that a file must have, because the file of names has them. By name.
    pub(super) fn columns(&self) -> impl Iterator<Item = &str> {
        self.columns.keys().map(String::as_str)
    }
}
