//! The operator's requests to a running service: it re-seals records page by page while it runs. Each practice's data key
//! is wrapped under the service's current key, and second factors are sealed under it. All other records stay, because
//! data keys seal them. They are opened, to find changed or moved ones.
//!
//! A page is read, opened and sealed again, and each row is written back if it still has the key version that was read.
//! That needs no lock, because instances with both keys read either.

mod data_keys;
mod factors;
mod records;
mod result;

use crate::call::Call;
use crate::extract::{OperatorRequest, values};
use crate::pipeline::{self, tampered};
use crate::plan::Actor;
use crate::prelude::*;
use crate::response;
use crate::store::Queries;
use crate::store::keyring::Keyring;
use crate::store::rows::{self, ShapeError};
use crate::store::seal::Nonce;
use http::StatusCode;
use overturn_core::base::cell::Cell;
use overturn_core::base::id::{FactorId, UserId};
use records::Table;
use result::PageResult;
use std::fmt;
use std::rc::Rc;
use std::str::FromStr;

/// The most data keys of a page. Each is wrapped with a nonce of its own.
const DATA_KEYS_MAX: usize = 100;

/// The position after which the re-seal continues. As text it is `data_keys`, `data_keys:<practice>`, `factors`,
/// `factors:<account>:<factor>`, or for every other table its name or `<name>:<practice>:<owner>:<row>`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ResealPosition {
    /// In the data keys, after this practice.
    DataKey(Option<PracticeId>),
    /// In the factors, after this one.
    Factor(Option<(UserId, FactorId)>),
    /// In the other tables, after this row.
    Record(Table),
}

/// The position before the first page.
pub(super) const BEGIN: ResealPosition = ResealPosition::DataKey(None);

impl fmt::Display for ResealPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::DataKey(None) => f.write_str("data_keys"),
            Self::DataKey(Some(practice)) => write!(f, "data_keys:{practice}"),
            Self::Factor(None) => f.write_str("factors"),
            Self::Factor(Some((user, id))) => write!(f, "factors:{user}:{id}"),
            Self::Record(table) => match table.seen() {
                None => f.write_str(table.name()),
                Some([practice, owner, id]) => {
                    write!(f, "{}:{practice}:{owner}:{id}", table.name())
                }
            },
        }
    }
}

/// The text is not a position of the re-seal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the text is not a position of the re-seal")]
pub(super) struct PositionError;

impl FromStr for ResealPosition {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        // The invalid text of an id is of no use, so the errors keep no cause.
        let id = |text: &str| text.parse().map_err(|_| PositionError);
        match text.split(':').collect::<Vec<_>>()[..] {
            ["data_keys"] => Ok(Self::DataKey(None)),
            ["data_keys", practice] => Ok(Self::DataKey(Some(PracticeId(id(practice)?)))),
            ["factors"] => Ok(Self::Factor(None)),
            ["factors", user, factor] => Ok(Self::Factor(Some((UserId(id(user)?), FactorId(id(factor)?))))),
            [table] => Table::of(table).map(Self::Record).ok_or(PositionError),
            [table, practice, owner, row] => {
                let table = Table::of(table).ok_or(PositionError)?;
                let row = [id(practice)?, id(owner)?, id(row)?];
                Ok(Self::Record(table.behind(row)))
            }
            _ => Err(PositionError),
        }
    }
}

/// The result of a page, and its position.
#[derive(Debug)]
pub(super) struct ResealPage {
    /// The table: `data_keys`, `factors`, or the name of another table.
    pub(super) of: &'static str,
    /// The position to continue after, `None` at the end.
    pub(super) next: Option<ResealPosition>,
    pub(super) result: PageResult,
}

/// Reads the next page, as JSON.
pub(super) fn read(after: ResealPosition) -> impl Queries<Rows = Option<String>> {
    let page = match after {
        ResealPosition::DataKey(seen) => data_keys::after(seen),
        ResealPosition::Factor(seen) => factors::after(seen),
        ResealPosition::Record(table) => table.read(),
    };
    page.statement
}

/// Seals the page under the current keys, or opens it. `nonce` returns a fresh nonce on each call.
pub(super) fn page(
    (after, json): (ResealPosition, Option<&str>),
    keys: &Keyring,
    nonce: &mut dyn FnMut() -> Nonce,
    ctx: &Ctx,
) -> Result<ResealPage, ShapeError> {
    Ok(match after {
        ResealPosition::DataKey(_) => {
            let rows: Vec<data_keys::DataKeyRow> = rows::one(json)?.unwrap_or_default();
            let last = rows.last().map(|row| ResealPosition::DataKey(Some(row.0)));
            ResealPage {
                of: "data_keys",
                next: Some(last.unwrap_or(ResealPosition::Factor(None))),
                result: data_keys::page(&rows, keys, nonce, ctx),
            }
        }
        ResealPosition::Factor(_) => {
            let rows: Vec<factors::SealedFactor> = rows::one(json)?.unwrap_or_default();
            let last = rows.last().map(|row| ResealPosition::Factor(Some((row.user_id, row.id))));
            ResealPage {
                of: "factors",
                next: last.or_else(|| Table::first().map(ResealPosition::Record)),
                result: factors::page(&rows, keys, ctx),
            }
        }
        ResealPosition::Record(table) => {
            let rows: Vec<records::SealedRecord> = rows::one(json)?.unwrap_or_default();
            ResealPage {
                of: table.name(),
                next: table.after(&rows).map(ResealPosition::Record),
                result: records::page(table, &rows, keys),
            }
        }
    })
}

/// A cell and the position in it. As text, that of a later cell begins with its number: `1/factors`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct InCell(Cell, ResealPosition);

impl fmt::Display for InCell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self(Cell::FIRST, position) => position.fmt(f),
            Self(cell, position) => write!(f, "{}/{position}", cell.0),
        }
    }
}

impl FromStr for InCell {
    type Err = PositionError;

    fn from_str(text: &str) -> Result<Self, PositionError> {
        let (cell, position) = match text.split_once('/') {
            Some((cell, position)) => (Cell(cell.parse().map_err(|_| PositionError)?), position),
            None => (Cell::FIRST, text),
        };
        Ok(Self(cell, position.parse()?))
    }
}

/// `POST /operations/reseal?after=PLACE`: re-seals one page of a cell under the current keys.
///
/// 1. Without the operator's token `401`; if none is configured, `404`.
/// 2. Read the page after the position; the first page if the position is missing or invalid.
/// 3. Write the rows that opened. A value that its key does not open is logged and audited in the practice's trail.
/// 4. `200` with `of` (the table), counts, and `after`, the position to continue from: `null` at the end of the last cell.
pub(crate) async fn reseal(OperatorRequest { call }: OperatorRequest) -> Result<Response, AppError> {
    let mut asked = values(&call.url, "after");
    let after = asked.find_map(|value| value.parse().ok());
    let InCell(cell, after) = after.unwrap_or(InCell(Cell::FIRST, BEGIN));
    let page = reseal_page(&call.in_cell(cell), after).await?;
    let next_cell = call.app.host.cells.all().find(|other| *other > cell);
    let next = page.next.map(|next| InCell(cell, next)).or_else(|| next_cell.map(|cell| InCell(cell, BEGIN)));
    let result = page.result;
    let body = json!({
        "of": page.of,
        "resealed": result.resealed,
        "intact": result.intact,
        "unreadable": result.unreadable,
        "tampered": result.tampered.len(),
        "after": next.map(|next| next.to_string()),
    });
    Ok(response::json(StatusCode::OK, &body))
}

/// Reads the page after a place, and writes what could be opened.
async fn reseal_page(call: &Rc<Call>, after: ResealPosition) -> Result<ResealPage, AppError> {
    let json = call.db.read(&read(after)).await?;
    let mut nonce = call.app.host.nonces(DATA_KEYS_MAX)?;
    let mut page = page((after, json.as_deref()), &call.app.keys, &mut nonce, &call.ctx)?;
    for place in &page.result.tampered {
        tampered::report(call, *place);
    }
    let writes = std::mem::take(&mut page.result.writes);
    if !writes.is_empty() {
        let plan = pipeline::plan(&call.ctx, Actor::Operator, Vec::new(), writes);
        pipeline::run(&call.db, &call.app, &plan).await?;
    }
    Ok(page)
}

#[cfg(test)]
mod tests;
