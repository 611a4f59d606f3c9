//! Which cell a request goes to. Each database is a cell with the whole schema, and a practice lives in one of them.
//! Everything that the service hands out names the cell that made it, so what a practice asks takes no look-up. Only a call
//! that is refused asks whether its practice has moved.

use crate::call::Call;
use crate::cookies;
use crate::db::Patience;
use crate::error::AppError;
use crate::extract::{bearer, cookie, named_practice};
use crate::pipeline::forwards::{forwards, is_away};
use crate::pipeline::visit::{places, visiting};
use crate::request::error::RequestError;
use crate::request::secret::SessionToken;
use crate::response::Response;
use crate::store::error::{DatabaseError, FENCED, LEFT};
use overturn_core::base::cell::Cell;
use overturn_core::base::id::PracticeId;
use overturn_core::base::token::{ApiKey, ApiToken};
use std::rc::Rc;
use std::str::FromStr;

/// The call in the cell of its credential, before anything is read. One without a credential begins at the directory, and one
/// of staff goes on to the practice that it names.
pub(crate) fn routed(call: &Rc<Call>) -> Rc<Call> {
    if !call.app.host.cells.are_several() {
        return Rc::clone(call);
    }
    call.sought.borrow_mut().clear();
    let presented = match bearer(call) {
        Some(text) => parsed(text, |key: &ApiKey| (key.hash(), key.cell()))
            .or_else(|| parsed(text, |token: &ApiToken| (token.hash(), token.cell()))),
        None => cookie(call, cookies::SESSION).and_then(|text| parsed(text, SessionToken::handed_out)),
    };
    visiting(&presented.map_or_else(|| Rc::clone(call), |(hash, cell)| call.at(hash, cell)))
}

fn parsed<T: FromStr, U>(text: &str, of: impl FnOnce(&T) -> U) -> Option<U> {
    text.parse().ok().as_ref().map(of)
}

/// How a call is made again that is about what has moved: at once, and then after pauses, because its new cell is about to open.
#[derive(Default)]
pub(crate) struct Following {
    is_led: bool,
    patience: Patience,
}

impl Following {
    /// Whether a call is to be made again after this answer. Where its practice went is noted.
    pub(crate) async fn leads(&mut self, call: &Rc<Call>, answered: &Result<Response, AppError>) -> bool {
        has_moved(call, answered).await
            && (!std::mem::replace(&mut self.is_led, true) || self.patience.lasts(&call.app.host).await)
    }

    /// Whether the call has waited as long as calls wait.
    pub(crate) fn is_over(&self, answered: &Result<Response, AppError>) -> bool {
        matches!(answered, Err(AppError::Database(DatabaseError::Transient(FENCED)))) || self.patience.is_over()
    }
}

/// Whether what a call is about has moved. Where it went is noted.
async fn has_moved(call: &Rc<Call>, answered: &Result<Response, AppError>) -> bool {
    if !call.app.host.cells.are_several() {
        return false;
    }
    match answered {
        Err(AppError::Moved | AppError::Database(DatabaseError::Transient(LEFT))) => {
            follow(call).await;
            true
        }
        Err(AppError::Request(RequestError::PracticeInactive)) => is_opening(call).await || follow(call).await,
        Err(AppError::Request(_) | AppError::SsoRefused(_)) => follow(call).await,
        Ok(response) if response.status().is_client_error() => follow(call).await,
        _ => false,
    }
}

/// A call whose body is gone, where its credential and a practice live by now.
pub(super) async fn rerouted(call: &Rc<Call>, practice: PracticeId) -> Result<Rc<Call>, AppError> {
    let home = routed(&call.at_home().in_cell(Cell::FIRST));
    if home.ctx.cell != Cell::FIRST || bearer(&home).is_some() {
        return Ok(home);
    }
    let places = places(&home, [practice]).await?;
    Ok(places.get(&practice).map_or_else(|| Rc::clone(&home), |cell| home.visiting(*cell)))
}

/// Whether the practice that staff name has yet to open in the cell of the call.
async fn is_opening(call: &Rc<Call>) -> bool {
    let Some(practice) = named_practice(call) else { return false };
    call.db.read(&is_away(practice)).await.unwrap_or_default()
}

/// Notes where what the call presented has moved to. True if it is somewhere else than the call looked. Without an answer, the
/// call is refused for the reason that there was.
async fn follow(call: &Rc<Call>) -> bool {
    let mut moved = false;
    for (what, named, looked) in call.sought.take() {
        let forward = call.in_cell(looked).db.read(&forwards(&[&what])).await;
        if let Some((_, cell)) = forward.unwrap_or_default().pop() {
            call.app.memory.places.note(&what, named, cell);
            moved = true;
        }
    }
    moved
}
