//! Which cell a request goes to. Each database is a cell with the whole schema, and a practice lives in one of them.
//! Everything that the service hands out names the cell that made it, so what a practice asks takes no look-up. Only a call
//! that is refused asks whether its practice has moved.

use crate::call::Call;
use crate::cookies;
use crate::db::Patience;
use crate::error::AppError;
use crate::extract::{bearer, cookie, named_practice};
use crate::pipeline::forwards::{forwards, has_opened};
use crate::pipeline::visit::{places, visiting};
use crate::request::error::RequestError;
use crate::request::secret::SessionToken;
use crate::response::Response;
use crate::sql::select;
use crate::store::error::{DatabaseError, LEFT};
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

/// How much the clocks of two instances may differ, in milliseconds.
const SKEW_MS: i64 = 10_000;

/// What a refused call finds out about what it is about.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Move {
    None,
    /// A cell did not say.
    Unsaid,
    /// It moved to the cell of the call, which may have opened since the call looked.
    Here,
    /// It lives in another cell, or the cell of the call has yet to open.
    Away,
}

/// How a call is made again that is about what has moved: at once, and then after pauses, because its new cell is about to open.
#[derive(Default)]
pub(crate) struct Following {
    is_led: bool,
    has_looked_again: bool,
    patience: Patience,
}

impl Following {
    /// Whether a call is to be made again after this answer. Where its practice went is noted.
    ///
    /// # Errors
    ///
    /// What was presented is unknown here, and a cell did not say whether it moved: it must not be refused, because it may be good.
    pub(crate) async fn leads(
        &mut self,
        call: &Rc<Call>,
        answered: &Result<Response, AppError>,
    ) -> Result<bool, AppError> {
        Ok(match moved(call, answered).await {
            Move::None => false,
            Move::Unsaid if is_unknown(answered) => return Err(AppError::Unavailable("forwards")),
            Move::Unsaid => false,
            Move::Here => is_unknown(answered) && !std::mem::replace(&mut self.has_looked_again, true),
            Move::Away => !std::mem::replace(&mut self.is_led, true) || self.patience.lasts(&call.app.host).await,
        })
    }

    /// Whether the call has waited as long as calls wait.
    pub(crate) fn is_over(&self, answered: &Result<Response, AppError>) -> bool {
        answered.as_ref().is_err_and(AppError::is_still_moving) || self.patience.is_over()
    }
}

/// Whether an answer says that what was presented is unknown. Any other one, such as for a second factor, may have used it up.
fn is_unknown(answered: &Result<Response, AppError>) -> bool {
    use RequestError::{ClaimNotFound, NotAuthenticated, NotFound, NotSignedIn, PracticeInactive, SignInFailed};
    match answered {
        Ok(response) => [401, 403, 404, 410].contains(&response.status().as_u16()),
        Err(AppError::Request(why)) => matches!(
            why,
            ClaimNotFound | NotAuthenticated | NotFound(_) | NotSignedIn | PracticeInactive | SignInFailed
        ),
        Err(_) => true,
    }
}

/// Whether what a call is about has moved. Where it went is noted.
async fn moved(call: &Rc<Call>, answered: &Result<Response, AppError>) -> Move {
    if !call.app.host.cells.are_several() {
        return Move::None;
    }
    match answered {
        Err(AppError::Moved | AppError::Database(DatabaseError::Transient(LEFT))) => {
            follow(call).await;
            Move::Away
        }
        Err(AppError::Request(RequestError::PracticeInactive)) => opens(call).await.max(follow(call).await),
        // The token was handed out, wherever the practice is by now.
        Err(AppError::Request(RequestError::TwoFactorRequired(Some(_)))) => Move::None,
        Err(AppError::Request(_) | AppError::SsoRefused(_)) => follow(call).await,
        Ok(response) if response.status().is_client_error() => follow(call).await,
        _ => Move::None,
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

/// Whether the practice that staff name moved to the cell of the call.
async fn opens(call: &Rc<Call>) -> Move {
    let Some(practice) = named_practice(call) else { return Move::None };
    match call.db.read(&has_opened(practice)).await {
        Ok(Some(true)) => Move::Here,
        Ok(Some(false)) => Move::Away,
        Ok(None) => Move::None,
        Err(_) => Move::Unsaid,
    }
}

/// Whether the account of the address that the call is about is in another cell by now.
async fn of_address(call: &Rc<Call>) -> Move {
    let Some((email_key, looked)) = call.address.take() else { return Move::None };
    let cell = select!("route.address", "SELECT json_quote(cell) AS json FROM addresses WHERE email_key = {email_key}"; email_key);
    let cell: Result<Option<Cell>, DatabaseError> = call.in_cell(Cell::FIRST).db.read(&cell.optional()).await;
    match cell {
        Ok(Some(cell)) if cell != looked => Move::Away,
        Ok(_) => Move::None,
        Err(_) => Move::Unsaid,
    }
}

/// Notes where what the call presented has moved to.
async fn follow(call: &Rc<Call>) -> Move {
    let mut moved = of_address(call).await;
    for (what, named, looked) in call.sought.take() {
        let Ok(mut led) = call.in_cell(looked).db.read(&forwards(&[&what])).await else {
            moved = moved.max(Move::Unsaid);
            continue;
        };
        if let Some(forward) = led.pop() {
            call.app.memory.places.note(&what, named, forward.cell);
            let opened_at = forward.opened_at.filter(|_| forward.cell == looked);
            moved = moved.max(match opened_at {
                None => Move::Away,
                Some(at) if at.plus(SKEW_MS) > call.ctx.real => Move::Here,
                Some(_) => Move::None,
            });
        }
    }
    moved
}
