//! The rules of the service, applied before anything is sent, and the body of a request.

use overturn_core::base::ctx::Ctx;
use overturn_core::claims::advice::{self, Advice};
use overturn_core::claims::intake::{self, BODY_MAX, BODY_TOO_LARGE};
use overturn_core::request::problem::{self, Problem};

/// An item of a request.
pub trait Item {
    /// The claim number.
    fn number(&self) -> &str;

    /// The item as JSON text, as it is sent.
    fn text(&self) -> &str;
}

/// The claim number of an item that the service would take, with advice. `request` is the body to check: the item alone, or
/// [`body`] of it.
///
/// # Errors
///
/// The problems, in the words of the service.
pub fn judge(item: &str, request: &str, ctx: &Ctx) -> Result<(String, Vec<Advice>), Vec<String>> {
    if body_length(1, item.len()) > BODY_MAX {
        return Err(vec![BODY_TOO_LARGE.to_string()]);
    }
    match intake::parse(request.as_bytes(), ctx) {
        Ok(send) => {
            let number = send.claim_numbers().next().unwrap_or_default().to_owned();
            Ok((number, advice::advise(&send.items)))
        }
        Err(problems) => {
            let problems = problems.into_iter().map(Problem::without_item);
            Err(problem::texts(&problems.collect::<Vec<_>>()))
        }
    }
}

/// The body of a batch.
pub fn body<'a>(items: impl IntoIterator<Item = &'a str>) -> String {
    let items: Vec<&str> = items.into_iter().collect();
    format!("{{\"claims\":[{}]}}", items.join(","))
}

/// The length of the body of a batch of these items, in bytes.
#[must_use]
pub fn body_length(items: usize, bytes: usize) -> usize {
    let commas = items.saturating_sub(1);
    body([]).len().saturating_add(bytes).saturating_add(commas)
}
