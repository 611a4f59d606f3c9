//! The names that one account or practice of all cells has, and where it lives. The first cell keeps them: it is the
//! directory. With one cell, nothing here reads or writes: the unique indexes say the same.
//!
//! A name is reserved here before the batch in the cell that makes it count. Both cannot be one transaction, so a
//! reservation may stay without a holder, and a name may have lost its holder. Who needs such a name asks the cell of the
//! stored holder, and takes the row over. A new reservation is left alone for a minute: its batch may still run.

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

/// How long a reservation is left alone. A batch is tried for half as long.
const RESERVED_MS: i64 = 60_000;

/// Who has a name, as the directory says.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub struct Holder {
    pub id: Uuid,
    pub cell: Cell,
    pub reserved_at: Instant,
}

names! {
    /// Whether a holder has a name, as its own cell says.
    Standing {
        Held = "held",
        /// It has not got it yet, or never will.
        Pending = "pending",
        Gone = "gone",
    }
}

/// The statements about one kind of name.
pub struct Names {
    holder: fn(&str) -> Query<Option<Holder>>,
    /// Of the directory: gives the name to a holder, unless another one has it.
    pub reserve: fn(&str, Holder) -> Write,
    /// Gives the name of the second holder to the first one, unless the row has changed.
    take_over: fn(&str, Holder, Holder) -> Write,
    /// Of the holder's cell.
    standing: fn(&str, Uuid) -> Query<Standing>,
}

macro_rules! names_of {
    ($table:literal, $key:literal, $id:literal, $standing:literal) => {{
        const TABLE: &str = $table;
        const KEY: &str = $key;
        const ID: &str = $id;
        const STANDING: &str = $standing;
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
                     ON CONFLICT ({KEY}) DO UPDATE SET cell = excluded.cell, reserved_at = excluded.reserved_at
                     WHERE {ID} = excluded.{ID}" [TABLE, KEY, ID];
                    name, id = id.to_string(), cell = i64::from(cell.0), reserved_at
                )
            },
            take_over: |name, new, old| {
                sql!(
                    "UPDATE {TABLE} SET {ID} = {id}, cell = {cell}, reserved_at = {reserved_at}
                     WHERE {KEY} = {name} AND {ID} = {old} AND reserved_at = {before}" [TABLE, KEY, ID];
                    name, id = new.id.to_string(), cell = i64::from(new.cell.0), reserved_at = new.reserved_at,
                    old = old.id.to_string(), before = old.reserved_at
                )
            },
            standing: |name, id| {
                select!(
                    "directory.standing", "SELECT json_quote({STANDING}) AS json" [STANDING]; name, id = id.to_string()
                )
                .one()
            },
        }
    }};
}

/// The addresses of active accounts, by their keys.
pub const ADDRESSES: Names = names_of!(
    "addresses",
    "email_key",
    "user_id",
    "coalesce((SELECT CASE WHEN u.state = 'active' AND u.email_key = {name} THEN 'held' WHEN u.state = 'invited' THEN 'pending'
       ELSE 'gone' END FROM users u WHERE u.id = {id}), 'pending')"
);

/// The verified mail domains of practices.
pub const DOMAINS: Names = names_of!(
    "domains",
    "domain",
    "practice_id",
    "coalesce((SELECT iif(d.verified_at IS NULL, 'pending', 'held') FROM practice_domains d
       WHERE d.practice_id = {id} AND d.domain = {name}), 'gone')"
);

/// The identities of people at providers, by [`login`].
pub const LOGINS: Names = names_of!(
    "logins",
    "login",
    "user_id",
    "coalesce((SELECT iif(u.state = 'removed', 'gone', 'held') FROM identities i JOIN users u ON u.id = i.user_id
       WHERE i.user_id = {id} AND i.provider = {name} ->> 0 AND i.issuer = {name} ->> 1 AND i.subject = {name} ->> 2), 'pending')"
);

/// The name of an identity: what its provider, its issuer and its subject are together.
pub(crate) fn login(provider: &str, issuer: &str, subject: &str) -> String {
    json!([provider, issuer, subject]).to_string()
}

impl Names {
    /// Reserves a name for an account or a practice of the call's cell, before the batch that makes it count. False if
    /// another one has it.
    pub(crate) async fn reserve(&self, call: &Rc<Call>, name: &str, id: Uuid) -> Result<bool, AppError> {
        if !call.app.host.cells.are_several() {
            return Ok(true);
        }
        let new = Holder { id, cell: call.ctx.cell, reserved_at: call.app.host.now() };
        let holder = self.written(call, name, (self.reserve)(name, new)).await?;
        let Some(old) = holder.filter(|holder| holder.id != id) else { return Ok(true) };
        let is_new = new.reserved_at.since(old.reserved_at) < RESERVED_MS;
        match self.standing(call, name, old).await? {
            Standing::Held => return Ok(false),
            Standing::Pending if is_new => return Ok(false),
            Standing::Pending | Standing::Gone => {}
        }
        let holder = self.written(call, name, (self.take_over)(name, new, old)).await?;
        Ok(holder.is_some_and(|holder| holder.id == id))
    }

    /// The cell of a name. `None` with one cell.
    pub(crate) async fn cell(&self, call: &Rc<Call>, name: &str) -> Result<Option<Cell>, AppError> {
        Ok(self.read(call, name).await?.map(|holder| holder.cell))
    }

    /// The cell of a name, if its holder still has it there. `None` with one cell.
    pub(crate) async fn checked_cell(&self, call: &Rc<Call>, name: &str) -> Result<Option<Cell>, AppError> {
        let Some(holder) = self.read(call, name).await? else { return Ok(None) };
        let standing = self.standing(call, name, holder).await?;
        Ok((standing == Standing::Held).then_some(holder.cell))
    }

    async fn read(&self, call: &Rc<Call>, name: &str) -> Result<Option<Holder>, AppError> {
        if !call.app.host.cells.are_several() {
            return Ok(None);
        }
        Ok(call.in_cell(Cell::FIRST).db.read(&(self.holder)(name)).await?)
    }

    async fn standing(&self, call: &Rc<Call>, name: &str, holder: Holder) -> Result<Standing, AppError> {
        Ok(call.in_cell(holder.cell).db.read(&(self.standing)(name, holder.id)).await?)
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
    let cell = ADDRESSES.cell(call, email_key).await?;
    Ok(call.in_cell(cell.unwrap_or_else(|| by_chance(call, email_key))))
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

#[cfg(test)]
mod tests;
