//! Reads the status of a claim.

use crate::answer::{self, ClaimView, Status};
use crate::call::Call;
use crate::error::Error;
use crate::retry::{self, Wait};
use crate::send::Line;
use overturn_core::request::problem::texts;
use std::borrow::Cow;

/// What the service says of a claim number.
#[derive(Debug)]
pub enum Found {
    Claim(ClaimView),
    /// There is no claim of it, for this reason.
    Nothing(String),
}

/// Asks for a claim number. `note` gets each wait.
///
/// # Errors
///
/// Those of [`retry::deliver`], and a refusal.
pub fn ask(number: &str, line: &Line<'_>, note: &dyn Fn(&str, Wait)) -> Result<Found, Error> {
    if let Err(problems) = overturn_core::claims::query::parse([Cow::Borrowed(number)]) {
        return Ok(Found::Nothing(texts(&problems).join("; ")));
    }
    let answer = retry::deliver(&Call::Status(number.into()), line.wire, line.clock, note)?;
    match answer.status {
        200 => {
            let Status { claim } = answer::read(&answer)?;
            if claim.claim_number == number { Ok(Found::Claim(claim)) } else { Err(answer::not_the_service()) }
        }
        _ if answer::is_unknown_claim(&answer) => Ok(Found::Nothing("not found".into())),
        422 => Ok(Found::Nothing(answer::problems(&answer.body).join("; "))),
        _ => Err(answer::explain(&answer, line.key)),
    }
}
