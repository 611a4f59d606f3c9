//! The cell in which a sign-in by a provider is decided, and the names of a new member in the directory.

use super::shown::ShownIdentity;
use crate::call::Call;
use crate::directory::{ADDRESSES, DOMAINS, LOGINS, login};
use crate::error::AppError;
use overturn_core::base::cell::Cell;
use overturn_core::base::id::UserId;
use std::rc::Rc;

impl ShownIdentity {
    fn login(&self) -> String {
        login(&self.provider, &self.issuer, &self.subject)
    }
}

/// The call in the cell of the account that has the identity, or else its address, or else in that of the practice with the
/// domain. The provider of a practice is in its cell already.
pub(super) async fn of(call: &Rc<Call>, shown: &ShownIdentity) -> Result<Rc<Call>, AppError> {
    if shown.saml.is_some() || !call.app.host.cells.are_several() {
        return Ok(Rc::clone(call));
    }
    let mut cell = LOGINS.checked_cell(call, &shown.login()).await?;
    if cell.is_none() {
        cell = ADDRESSES.checked_cell(call, &shown.email_key()).await?;
    }
    if cell.is_none() {
        cell = DOMAINS.cell(call, &shown.domain()).await?;
    }
    Ok(call.in_cell(cell.unwrap_or(Cell::FIRST)))
}

/// Reserves the address and the identity of a new member. False if an account of another cell has one of them.
pub(super) async fn reserve(call: &Rc<Call>, shown: &ShownIdentity, user: UserId) -> Result<bool, AppError> {
    Ok(ADDRESSES.reserve(call, &shown.email_key(), user.0).await?
        && LOGINS.reserve(call, &shown.login(), user.0).await?)
}
