//! The names that one account or practice of all cells has, and where it lives. The first cell keeps them: it is the
//! directory. With one cell, nothing here reads or writes: the unique indexes say the same.
//!
//! A name is reserved here for a cell, before the batch there that makes it count. Both cannot be one transaction, so a
//! reservation may stay without an account, and a name may have lost its account. Who needs such a name asks the cell of the
//! row, and takes it over. A new reservation is left alone for two minutes: its batch may still run. Within a cell, its own
//! unique indexes decide.

use crate::call::Call;
use crate::pipeline;
use crate::plan::Actor;
use crate::prelude::*;
use hmac::{Hmac, KeyInit, Mac};
use overturn_core::base::cell::Cell;
use overturn_core::base::mac;
use sha2::Sha256;
use std::rc::Rc;
use uuid::Uuid;

/// How long a reservation is left alone: until its batch begins (`RESERVES_MS`), three tries of eight seconds, the twelve that
/// a database may run the last one late, and clocks that differ.
pub(crate) const RESERVED_MS: i64 = 120_000;

/// Who has a name, as the directory says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct Holder {
    pub id: Uuid,
    pub cell: Cell,
    pub reserved_at: Instant,
}

impl Holder {
    /// Whether this is the same one, whose practice has moved to another cell in between.
    fn is_again(self, old: Self) -> bool {
        let own = |id: Uuid| Cell::FIRST.stamp(id.into_bytes());
        own(self.id) == own(old.id)
    }
}

/// The statements about one kind of name.
pub struct Names {
    holder: fn(&str) -> Query<Option<Holder>>,
    /// Of the directory: gives the name to a holder, unless another cell has it.
    pub reserve: fn(&str, Holder) -> Write,
    /// Gives the name of the second holder to the first one, unless the row has changed.
    take_over: fn(&str, Holder, Holder) -> Write,
    /// Of the holder's cell: whether somebody has the name there.
    counts: fn(&str) -> Query<bool>,
}

macro_rules! names_of {
    ($table:literal, $key:literal, $id:literal, $counts:literal) => {{
        const TABLE: &str = $table;
        const KEY: &str = $key;
        const ID: &str = $id;
        const COUNTS: &str = $counts;
        Names {
            holder: |name| {
                select!(
                    "directory.holder",
                    "SELECT json_object('id', {ID}, 'cell', cell, 'reserved_at', reserved_at) AS json
                     FROM {TABLE} WHERE {KEY} = {name}" [ID, TABLE, KEY];
                    name
                )
                .optional()
            },
            reserve: |name, Holder { id, cell, reserved_at }| {
                sql!(
                    "INSERT INTO {TABLE} ({KEY}, {ID}, cell, reserved_at) VALUES ({name}, {id}, {cell}, {reserved_at})
                     ON CONFLICT ({KEY}) DO UPDATE SET {ID} = excluded.{ID}, reserved_at = excluded.reserved_at
                     WHERE cell = excluded.cell" [TABLE, KEY, ID];
                    name, id = id.to_string(), cell = i64::from(cell.0), reserved_at
                )
            },
            take_over: |name, new, old| {
                sql!(
                    "UPDATE {TABLE} SET {ID} = {id}, cell = {cell}, reserved_at = {reserved_at}
                     WHERE {KEY} = {name} AND cell = {old} AND reserved_at = {before}" [TABLE, KEY, ID];
                    name, id = new.id.to_string(), cell = i64::from(new.cell.0), reserved_at = new.reserved_at,
                    old = i64::from(old.cell.0), before = old.reserved_at
                )
            },
            counts: |name| {
                select!(
                    "directory.counts",
                    "SELECT iif(EXISTS (SELECT 1 FROM {COUNTS}), 'true', 'false') AS json" [COUNTS];
                    name
                )
                .one()
            },
        }
    }};
}

/// The addresses of active accounts, by their keys.
pub const ADDRESSES: Names =
    names_of!("addresses", "email_key", "user_id", "users WHERE email_key = {name} AND state = 'active'");

/// The verified mail domains of practices.
pub const DOMAINS: Names =
    names_of!("domains", "domain", "practice_id", "practice_domains WHERE domain = {name} AND verified_at IS NOT NULL");

/// The identities of people at providers, by `login`.
pub const LOGINS: Names = names_of!(
    "logins",
    "login",
    "user_id",
    "identities i JOIN users u ON u.id = i.user_id AND u.state <> 'removed'
       WHERE i.provider = {name} ->> 0 AND i.issuer = {name} ->> 1 AND i.subject = {name} ->> 2"
);

/// The name of an identity: what its provider, its issuer and its subject are together.
pub(crate) fn login(provider: &str, issuer: &str, subject: &str) -> String {
    json!([provider, issuer, subject]).to_string()
}

impl Names {
    /// Reserves a name for an account or a practice of the call's cell, before the batch that makes it count. False if
    /// another cell has it.
    pub(crate) async fn reserve(&self, call: &Rc<Call>, name: &str, id: Uuid) -> Result<bool, AppError> {
        if !call.app.host.cells.are_several() {
            return Ok(true);
        }
        let new = Holder { id, cell: call.ctx.cell, reserved_at: call.app.host.now() };
        call.reserved_at.get_or_init(|| new.reserved_at);
        let holder = self.written(call, name, (self.reserve)(name, new)).await?;
        let Some(old) = holder.filter(|holder| holder.cell != new.cell) else { return Ok(true) };
        let is_left_alone = !new.is_again(old) && new.reserved_at.since(old.reserved_at) < RESERVED_MS;
        if is_left_alone || self.is_held(call, name, old).await? {
            return Ok(false);
        }
        let new = Holder { reserved_at: call.app.host.now(), ..new };
        let holder = self.written(call, name, (self.take_over)(name, new, old)).await?;
        Ok(holder.is_some_and(|holder| holder.cell == new.cell))
    }

    /// The cell of a name. `None` with one cell.
    pub(crate) async fn cell(&self, call: &Rc<Call>, name: &str) -> Result<Option<Cell>, AppError> {
        Ok(self.read(call, name).await?.map(|holder| holder.cell))
    }

    /// The cell of a name, if somebody has it there. `None` with one cell.
    pub(crate) async fn checked_cell(&self, call: &Rc<Call>, name: &str) -> Result<Option<Cell>, AppError> {
        let Some(holder) = self.read(call, name).await? else { return Ok(None) };
        Ok(self.is_held(call, name, holder).await?.then_some(holder.cell))
    }

    async fn read(&self, call: &Rc<Call>, name: &str) -> Result<Option<Holder>, AppError> {
        if !call.app.host.cells.are_several() {
            return Ok(None);
        }
        Ok(call.in_cell(Cell::FIRST).db.read(&(self.holder)(name)).await?)
    }

    async fn is_held(&self, call: &Rc<Call>, name: &str, holder: Holder) -> Result<bool, AppError> {
        Ok(call.in_cell(holder.cell).db.read(&(self.counts)(name)).await?)
    }

    /// Who has a name after this write in the directory.
    async fn written(&self, call: &Rc<Call>, name: &str, write: Write) -> Result<Option<Holder>, AppError> {
        let directory = call.in_cell(Cell::FIRST);
        let plan = pipeline::plan(&directory.ctx, Actor::Service, Vec::new(), vec![write]);
        Ok(pipeline::run_and_read(&directory.db, &call.app, &plan, &(self.holder)(name)).await?)
    }
}

/// The call in the cell of the account of an address, by its key. An address without an account has a cell as well, which
/// only we know, so that no difference between cells shows whether there is one.
pub(crate) async fn in_cell_of_address(call: &Rc<Call>, email_key: &str) -> Result<Rc<Call>, AppError> {
    if !call.app.host.cells.are_several() {
        return Ok(Rc::clone(call));
    }
    let cell = ADDRESSES.cell(call, email_key).await?.unwrap_or_else(|| by_chance(call, email_key));
    call.address.replace(Some((email_key.to_owned(), cell)));
    Ok(call.in_cell(cell))
}

fn by_chance(call: &Call, email_key: &str) -> Cell {
    let key = call.app.keys.devices.first().map(|key| key.0).unwrap_or_default();
    let mut code = Hmac::<Sha256>::new(&mac::block(&key).into());
    code.update(b"cell of an address\n");
    code.update(email_key.as_bytes());
    let chance = Cell::of(&code.finalize().into_bytes());
    let cells = call.app.host.cells.all();
    let number = u16::try_from(cells.count()).ok().and_then(|count| chance.0.checked_rem(count));
    Cell(number.unwrap_or_default())
}

mod gaps;
#[cfg(test)]
mod tests;

pub(crate) use gaps::sweep;
