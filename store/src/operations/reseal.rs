//! Re-seals records page by page while the service runs: each practice's data key is wrapped under the service's current
//! key, and second factors are sealed under it. All other records stay, because data keys seal them. The re-seal opens
//! them, to find changed or moved ones.
//!
//! The re-seal reads a page, opens it, seals it again, and writes each row back if it still has the key version that was
//! read. It needs no lock, because instances with both keys read either.

mod data_keys;
mod factors;
mod page_result;
mod records;

pub use page_result::PageResult;
pub use records::Table;

use crate::keyring::Keyring;
use crate::query::Query;
use crate::rows::{self, ShapeError};
use crate::seal::Nonce;
use crate::statement::{Param, text};
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::{FactorId, PracticeId, UserId};
use std::fmt;
use std::str::FromStr;

/// The maximum rows of one page, and so the nonces it needs.
pub const PAGE_MAX: usize = 500;

/// The position after which the re-seal continues. As text it is `data_keys`, `data_keys:<practice>`, `factors`,
/// `factors:<account>:<factor>`, or for every other table its name or `<name>:<practice>:<owner>:<row>`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResealPosition {
    /// In the data keys, after this practice.
    DataKey(Option<PracticeId>),
    /// In the factors, after this one.
    Factor(Option<(UserId, FactorId)>),
    /// In the other tables, after this row.
    Record(Table),
}

/// The position before the first page.
pub const BEGIN: ResealPosition = ResealPosition::DataKey(None);

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
pub struct PositionError;

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
pub struct ResealPage {
    /// The table: `data_keys`, `factors`, or the name of another table.
    pub of: &'static str,
    /// The position to continue after, `None` at the end.
    pub next: Option<ResealPosition>,
    pub result: PageResult,
}

/// Reads the next page, as JSON.
#[must_use]
pub fn read(after: ResealPosition) -> Query<Option<String>> {
    let (sql, params) = page_of(after);
    let read = |json: Option<&str>| Ok(json.map(str::to_owned));
    Query::new("operations.reseal_page", sql, params, read)
}

fn page_of(after: ResealPosition) -> (&'static str, Vec<Param>) {
    match after {
        ResealPosition::DataKey(seen) => {
            let seen = seen.map_or_else(|| text(""), text);
            (crate::settings::sql::data_keys::RESEAL_PAGE, vec![seen])
        }
        ResealPosition::Factor(seen) => {
            let ids = seen.map_or([text(""), text("")], |(user, id)| [text(user), text(id)]);
            (crate::accounts::sql::factors::RESEAL_PAGE, ids.into())
        }
        ResealPosition::Record(table) => table.read(),
    }
}

/// Seals the page under the current keys, or opens it. `nonce` returns a fresh nonce on each call.
///
/// # Errors
///
/// [`ShapeError`].
pub fn page(
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
                result: factors::page(&rows, keys, nonce, ctx),
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

#[cfg(test)]
mod tests {
    use super::{BEGIN, PositionError, ResealPosition};
    use overturn_core::base::id::{FactorId, PracticeId, UserId};
    use uuid::Uuid;

    #[test]
    fn a_cursor_reads_back_and_other_text_is_not_a_cursor() {
        let place = super::Table::of("old_webhooks").unwrap();
        let factor = (UserId(Uuid::from_u128(1)), FactorId(Uuid::from_u128(2)));
        for after in [
            BEGIN,
            ResealPosition::DataKey(Some(PracticeId(Uuid::from_u128(4)))),
            ResealPosition::Factor(None),
            ResealPosition::Factor(Some(factor)),
            "notes".parse().unwrap(),
            ResealPosition::Record(place.behind([1, 2, 3].map(Uuid::from_u128))),
        ] {
            assert_eq!(after.to_string().parse(), Ok(after));
        }
        for text in [
            "",
            "0",
            "claims:0",
            "claims:x",
            "factors:",
            "data_keys:",
            "data_keys:1",
            "factors:1:2",
            "claims:1:2",
            "guards",
            "notes:1:2:3",
            "notes:",
        ] {
            assert_eq!(text.parse::<ResealPosition>(), Err(PositionError), "{text}");
        }
    }
}
