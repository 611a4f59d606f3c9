//! Sends one batch until each of its items has a result.

use crate::answer::{self, ResultItem, SandboxAdvice, Sent};
use crate::call::{Answer, Call, Wire};
use crate::claim::{self, Item};
use crate::error::Error;
use crate::retry::{self, Clock, Wait};
use overturn_core::base::token::ApiKey;
use overturn_core::request::problem::read_item;
use std::collections::BTreeMap;

/// What came of an item.
#[derive(Debug)]
pub enum Outcome {
    /// The service took or refused the item alone.
    Answered(ResultItem),
    /// The service found these problems. Its clock or rules may differ from ours.
    Invalid(Vec<String>),
}

/// Takes results as they come.
pub trait Results<T> {
    /// A wait before the next attempt, and why.
    fn waits(&self, _why: &str, _wait: Wait) {}

    /// The service took the key.
    fn accepted(&mut self) {}

    /// An item has its result.
    fn settle(&mut self, item: T, outcome: Outcome);
}

/// What a send needs beside its items.
pub struct Line<'a> {
    pub key: &'a ApiKey,
    pub wire: &'a dyn Wire,
    pub clock: &'a dyn Clock,
}

/// Sends a batch that fits one request.
///
/// # Errors
///
/// Those of [`retry::deliver`], and a refusal of the whole batch.
pub fn send<T: Item>(mut batch: Vec<T>, line: &Line<'_>, results: &mut dyn Results<T>) -> Result<(), Error> {
    while !batch.is_empty() {
        let body = claim::body(batch.iter().map(Item::text));
        let note = |why: &str, wait| results.waits(why, wait);
        let answer = retry::deliver(&Call::Send(body.into()), line.wire, line.clock, &note)?;
        batch = match answer.status {
            200 | 201 => return settle(batch, &answer, results),
            422 => without_invalid(batch, &answer, line.key, results)?,
            429 => without_stopped(batch, &answer, results)?,
            _ => return Err(answer::explain(&answer, line.key)),
        };
    }
    Ok(())
}

fn settle<T: Item>(batch: Vec<T>, answer: &Answer, results: &mut dyn Results<T>) -> Result<(), Error> {
    let mut sent: Sent = answer::read(answer)?;
    let same = |(item, result): (&T, &ResultItem)| item.number() == result.claim_number;
    if sent.claims.len() != batch.len() || !batch.iter().zip(&sent.claims).all(same) {
        return Err(answer::not_the_service());
    }
    for SandboxAdvice { index, advice } in sent.advice {
        sent.claims.get_mut(index).into_iter().for_each(|result| result.advice.push(advice.clone()));
    }
    results.accepted();
    for (item, result) in batch.into_iter().zip(sent.claims) {
        results.settle(item, Outcome::Answered(result));
    }
    Ok(())
}

/// Settles the items that the service found invalid, and gives the rest.
fn without_invalid<T: Item>(
    batch: Vec<T>,
    answer: &Answer,
    key: &ApiKey,
    results: &mut dyn Results<T>,
) -> Result<Vec<T>, Error> {
    let mut named: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for problem in answer::problems(&answer.body) {
        let (index, text) = read_item(&problem).ok_or_else(|| answer::explain(answer, key))?;
        named.entry(index).or_default().push(text.to_owned());
    }
    // The service accepted the key, because it judged the claims.
    results.accepted();
    let (mut rest, before) = (Vec::with_capacity(batch.len()), batch.len());
    for (index, item) in batch.into_iter().enumerate() {
        match named.remove(&index) {
            Some(problems) => results.settle(item, Outcome::Invalid(problems)),
            None => rest.push(item),
        }
    }
    if rest.len() == before { Err(answer::explain(answer, key)) } else { Ok(rest) }
}

/// Settles the items that cannot be sent again today as refused, and gives the rest.
fn without_stopped<T: Item>(batch: Vec<T>, answer: &Answer, results: &mut dyn Results<T>) -> Result<Vec<T>, Error> {
    let (items, why) = answer::stopped(answer).ok_or_else(answer::not_the_service)?;
    let (mut rest, before) = (Vec::with_capacity(batch.len()), batch.len());
    for (index, item) in batch.into_iter().enumerate() {
        if items.contains(&index) {
            let claim_number = item.number().to_owned();
            let refused = ResultItem { claim_number, error: Some(why.to_owned()), ..ResultItem::default() };
            results.settle(item, Outcome::Answered(refused));
        } else {
            rest.push(item);
        }
    }
    if rest.len() == before { Err(answer::not_the_service()) } else { Ok(rest) }
}
