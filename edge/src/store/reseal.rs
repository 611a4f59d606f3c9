//! Bringing what is sealed under the current key, page by page, while the service runs: the claims, then the second
//! factors, then every other table that has something sealed.
//!
//! A page is read, opened, sealed and tagged anew, and written back where the row is still under the key it was read
//! under. Nobody needs a lock: what identity depends on does not change, and a claim can be compared, and a code
//! checked, under either key as long as the keyring holds both.

mod claims;
mod factors;
mod secrets;

pub use secrets::Place;

use super::json::json;
use super::rows::{self, BadRow};
use super::{Param, Statement, optional, sql, text};
use crate::keyring::Keyring;
use crate::seal::Nonce;
use overturn_core::ctx::{Ctx, Purpose};
use overturn_core::id::{AuditId, FactorId, UserId};
use overturn_core::identity::KeyVersion;
use overturn_core::plan::Actor;
use serde::Serialize;
use std::fmt;
use std::str::FromStr;

/// The most rows of one page, and so the nonces it can need.
pub const PAGE_MAX: usize = 500;

/// After what to go on. Its text is `claims:<row>`, `factors`, `factors:<account>:<factor>`, and of every other table its name
/// alone or `<name>:<practice>:<owner>:<row>`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum After {
    /// The claim of a row; the first has a row above 0.
    Claim(i64),
    /// All claims, and a factor where one was seen.
    Factor(Option<(UserId, FactorId)>),
    /// All claims and factors, and what was seen of the tables behind.
    Secret(Place),
}

/// The first page is the one after this.
pub const BEGIN: After = After::Claim(0);

impl fmt::Display for After {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Claim(row) => write!(f, "claims:{row}"),
            Self::Factor(None) => f.write_str("factors"),
            Self::Factor(Some((user, id))) => write!(f, "factors:{user}:{id}"),
            Self::Secret(place) => match place.seen() {
                None => f.write_str(place.name()),
                Some([practice, owner, id]) => {
                    write!(f, "{}:{practice}:{owner}:{id}", place.name())
                }
            },
        }
    }
}

/// What is no place to go on from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Nowhere;

impl FromStr for After {
    type Err = Nowhere;

    fn from_str(text: &str) -> Result<Self, Nowhere> {
        let id = |text: &str| text.parse().map_err(|_| Nowhere);
        match text.split(':').collect::<Vec<_>>()[..] {
            ["claims", row] => row.parse().map(Self::Claim).map_err(|_| Nowhere),
            ["factors"] => Ok(Self::Factor(None)),
            ["factors", user, factor] => Ok(Self::Factor(Some((
                UserId(id(user)?),
                FactorId(id(factor)?),
            )))),
            [table] => secrets::Place::of(table).map(Self::Secret).ok_or(Nowhere),
            [table, practice, owner, row] => {
                let table = secrets::Place::of(table).ok_or(Nowhere)?;
                let row = [id(practice)?, id(owner)?, id(row)?];
                Ok(Self::Secret(table.behind(row)))
            }
            _ => Err(Nowhere),
        }
    }
}

/// What a page came to.
#[derive(Debug)]
pub struct Page {
    /// What it is a page of: `claims`, `factors`, or the name of another table.
    pub of: &'static str,
    /// After what to go on, `None` when all was seen.
    pub next: Option<After>,
    /// What it came to.
    pub done: Done,
}

/// What came of the rows of a page.
#[derive(Default, Debug)]
pub struct Done {
    /// Rows that are to come under the current key.
    pub resealed: usize,
    /// Rows that no key of the keyring opens. They stay as they are.
    pub unreadable: usize,
    /// The batch that writes the page, empty when nothing is to be written.
    pub statements: Vec<Statement>,
}

/// The statement that reads the next page.
#[must_use]
pub fn read(after: After) -> Statement {
    match after {
        After::Claim(row) => Statement::new(sql::RESEAL_PAGE, [Param::Int(row)]),
        After::Factor(seen) => {
            let ids = seen.map_or([text(""), text("")], |(user, id)| [text(user), text(id)]);
            Statement::new(sql::accounts::RESEAL_PAGE, ids)
        }
        After::Secret(place) => place.read(),
    }
}

/// Seals the page that was read under the current key.
///
/// # Errors
///
/// [`BadRow`].
pub fn page(
    (after, json): (After, Option<&str>),
    keys: &Keyring,
    nonce: &mut dyn FnMut() -> Nonce,
    ctx: &Ctx,
) -> Result<Page, BadRow> {
    Ok(match after {
        After::Claim(_) => {
            let rows: Vec<claims::SealedRow> = rows::one(json)?.unwrap_or_default();
            let last = rows.last().map(|row| After::Claim(row.row));
            Page {
                of: "claims",
                next: Some(last.unwrap_or(After::Factor(None))),
                done: claims::page(&rows, keys, nonce, ctx),
            }
        }
        After::Factor(_) => {
            let rows: Vec<factors::SealedRow> = rows::one(json)?.unwrap_or_default();
            let last = rows.last().map(|row| (row.user_id, row.id));
            Page {
                of: "factors",
                next: last
                    .map(|last| After::Factor(Some(last)))
                    .or_else(|| secrets::Place::first().map(After::Secret)),
                done: factors::page(&rows, keys, nonce, ctx),
            }
        }
        After::Secret(place) => {
            let rows: Vec<secrets::SealedRow> = rows::one(json)?.unwrap_or_default();
            Page {
                of: place.name(),
                next: place.after(&rows).map(After::Secret),
                done: secrets::page(place, &rows, keys, nonce, ctx),
            }
        }
    })
}

#[derive(Serialize)]
struct Audited {
    trail: String,
    id: AuditId,
}

/// One row in each of the trails.
fn audit(
    action: &str,
    trails: impl Iterator<Item = String>,
    current: KeyVersion,
    ctx: &Ctx,
) -> Statement {
    let audited = trails.enumerate().map(|(n, trail)| Audited {
        trail,
        id: AuditId(ctx.id(Purpose::Audit, n)),
    });
    Statement::new(
        sql::trail::AUDIT_RESEAL,
        [
            Param::Text(json(&audited.collect::<Vec<_>>())),
            Param::Int(ctx.now.0),
            text(Actor::Operator),
            text(ctx.request_id),
            text(current.0),
            text(action),
            optional(ctx.address.as_deref()),
        ],
    )
}

#[cfg(test)]
mod tests {
    use super::{After, BEGIN, Nowhere};
    use overturn_core::id::{FactorId, UserId};
    use uuid::Uuid;

    #[test]
    fn where_to_go_on_reads_back_and_nothing_else_is_a_place() {
        let place = super::secrets::Place::of("old_webhooks").unwrap();
        let factor = (UserId(Uuid::from_u128(1)), FactorId(Uuid::from_u128(2)));
        for after in [
            BEGIN,
            After::Claim(i64::MAX),
            After::Factor(None),
            After::Factor(Some(factor)),
            "notes".parse().unwrap(),
            After::Secret(place.behind([1, 2, 3].map(Uuid::from_u128))),
        ] {
            assert_eq!(after.to_string().parse(), Ok(after));
        }
        for text in [
            "",
            "0",
            "claims",
            "claims:x",
            "factors:",
            "factors:1:2",
            "claims:1:2",
            "guards",
            "notes:1:2:3",
            "notes:",
        ] {
            assert_eq!(text.parse::<After>(), Err(Nowhere), "{text}");
        }
    }
}
