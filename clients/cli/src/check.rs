//! Applies the rules of the service to one claim of a file.

mod broken;
#[cfg(test)]
mod tests;

use crate::frame::Frame;
use crate::input::{Entry, Hidden, Place};
use overturn_client::claim::{Item, body};
use overturn_core::base::ctx::Ctx;
use overturn_core::claims::advice::Advice;
use overturn_core::claims::intake;
use overturn_core::request::problem;
use std::fmt;

/// A claim that may be sent. `Debug` does not print its content.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Claim {
    pub(crate) place: Place,
    /// The claim number.
    pub(crate) number: String,
    /// The item as JSON text, as it is sent.
    pub(crate) item: String,
}

impl Item for Claim {
    fn number(&self) -> &str {
        &self.number
    }

    fn text(&self) -> &str {
        &self.item
    }
}

impl fmt::Debug for Claim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Claim({:?})", self.place)
    }
}

/// The judgement on an entry.
#[derive(Debug)]
pub(crate) enum Judged {
    /// A valid claim, with advice for its sender.
    Valid(Claim, Vec<Advice>),
    /// The problems, in the words of the service.
    Invalid(Vec<String>),
    /// The problems. What follows in the file was not read.
    Unread(Vec<String>),
    /// A line that `remit` prints around its claims.
    Frame(Frame),
    /// The entry is not a claim, and nothing is wrong with it.
    Nothing,
}

/// The hint for a file that holds a bare array of claims.
const NOT_AN_ARRAY: &str = "an array is not one: write {\"claims\": […]} around it, or one claim a line";

pub(crate) fn judge(place: Place, entry: Entry<'_>, ctx: &Ctx) -> Judged {
    match entry {
        Entry::Alone(item) => {
            if let Some(frame) = Frame::read(item) {
                return Judged::Frame(frame);
            }
            let mut judged = claim(place, item, item, ctx);
            if let Judged::Invalid(problems) = &mut judged
                && item.starts_with('[')
            {
                add_hint(problems, NOT_AN_ARRAY);
            }
            judged
        }
        Entry::Row(item, header) => {
            let mut judged = claim(place, item, item, ctx);
            if let Judged::Invalid(problems) = &mut judged {
                problems.iter_mut().for_each(|problem| header.locate(problem));
            }
            judged
        }
        Entry::Item(item) | Entry::Stray(item) => claim(place, item, &body([item]), ctx),
        Entry::Envelope(text) => envelope(text, ctx),
        Entry::Broken(broken) => {
            let problems = vec![broken::problem(place, broken)];
            match broken.hides {
                Hidden::Nothing => Judged::Invalid(problems),
                Hidden::RestOfLine | Hidden::RestOfFile => Judged::Unread(problems),
            }
        }
    }
}

/// Adds a hint of our own, which the service does not give, to the last problem.
pub(crate) fn add_hint(problems: &mut [String], hint: &str) {
    if let Some(last) = problems.last_mut() {
        *last = format!("{last} ({hint})");
    }
}

fn claim(place: Place, item: &str, request: &str, ctx: &Ctx) -> Judged {
    match overturn_client::claim::judge(item, request, ctx) {
        Ok((number, advice)) => Judged::Valid(Claim { place, number, item: item.to_owned() }, advice),
        Err(problems) => Judged::Invalid(problems),
    }
}

fn envelope(text: &str, ctx: &Ctx) -> Judged {
    let mut problems = intake::parse(text.as_bytes(), ctx).err().unwrap_or_default();
    // The items were judged one by one. They are null here, and so is the problem about them.
    problems.retain(|problem| problem.item != Some(0));
    if problems.is_empty() { Judged::Nothing } else { Judged::Invalid(problem::texts(&problems)) }
}
