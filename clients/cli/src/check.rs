//! Applies the rules of the service to one claim of a file.

mod broken;
#[cfg(test)]
mod tests;

use crate::frame::Frame;
use crate::input::{Entry, Hidden, Place};
use overturn_core::base::ctx::Ctx;
use overturn_core::claims::advice::{self, Advice};
use overturn_core::claims::intake::{self, BODY_MAX, BODY_TOO_LARGE};
use overturn_core::request::problem::{self, Problem};
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

/// The body of a batch.
pub(crate) fn body<'a>(items: impl IntoIterator<Item = &'a str>) -> String {
    let items: Vec<&str> = items.into_iter().collect();
    format!("{{\"claims\":[{}]}}", items.join(","))
}

/// The length of the body of a batch of these items, in bytes.
pub(crate) fn body_length(items: usize, bytes: usize) -> usize {
    let commas = items.saturating_sub(1);
    body([]).len().saturating_add(bytes).saturating_add(commas)
}

fn claim(place: Place, item: &str, request: &str, ctx: &Ctx) -> Judged {
    if body_length(1, item.len()) > BODY_MAX {
        return Judged::Invalid(vec![BODY_TOO_LARGE.to_string()]);
    }
    match intake::parse(request.as_bytes(), ctx) {
        Ok(send) => {
            let number = send.claim_numbers().next().unwrap_or_default().to_owned();
            let item = item.to_owned();
            let claim = Claim { place, number, item };
            Judged::Valid(claim, advice::advise(&send.items))
        }
        Err(problems) => {
            let problems = problems.into_iter().map(Problem::without_item);
            Judged::Invalid(problem::texts(&problems.collect::<Vec<_>>()))
        }
    }
}

fn envelope(text: &str, ctx: &Ctx) -> Judged {
    let mut problems = intake::parse(text.as_bytes(), ctx).err().unwrap_or_default();
    // The items were judged one by one. They are null here, and so is the problem about them.
    problems.retain(|problem| problem.item != Some(0));
    if problems.is_empty() { Judged::Nothing } else { Judged::Invalid(problem::texts(&problems)) }
}
