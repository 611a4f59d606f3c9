//! What becomes of a claim over time: the first answer, later corrections, and answers to appeals.

use crate::answer::{Answer, Kind, Verdict};
use crate::claim::Claim;
use crate::script::{Act, Outcome, Script};
use alloc::vec::Vec;
use overturn_core::base::date::Date;

/// The answer to an appeal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Decision {
    pub outcome: Outcome,
    /// None for silence.
    pub day: Option<Date>,
    /// What is paid on it, in cents.
    pub recovered: i64,
}

/// The answer to the latest of several appeals, which were filed on these days. None where the script has no answer to it,
/// or the claim was answered only after its day.
#[must_use]
pub fn appeal(claim: &Claim, script: &Script, filed: &[Date]) -> Option<Decision> {
    let (latest, before) = filed.split_last()?;
    let reply = script.replies.get(before.len())?;
    let outcome = reply.outcome;
    let day = latest.plus_days(reply.after.into()).filter(|_| outcome != Outcome::Silence);
    let paid = |filed| decide(claim, script, filed).iter().map(Answer::paid).sum::<i64>();
    Some(Decision { outcome, day, recovered: paid(filed) - paid(before) })
}

/// The days on which a practice files an appeal for each reply of the script, if it does so 30 days after the answer before.
#[must_use]
pub fn filing_days(claim: &Claim, script: &Script) -> Vec<Date> {
    let mut answered = decide(claim, script, &[]).last().map(|answer| answer.day);
    let days = script.replies.iter().map_while(|reply| {
        let filed = answered?.plus_days(30)?;
        answered = filed.plus_days(reply.after.into());
        Some(filed)
    });
    days.collect()
}

/// Every answer to a claim whose appeals were filed on these days, in the order of their days. They are none if a day would
/// be after the year 9999.
#[must_use]
pub fn decide<'a>(claim: &'a Claim, script: &'a Script, filed: &[Date]) -> Vec<Answer<'a>> {
    answers(claim, script, filed).unwrap_or_default()
}

fn answers<'a>(claim: &'a Claim, script: &'a Script, filed: &[Date]) -> Option<Vec<Answer<'a>>> {
    let codes = &script.codes;
    let is_single = claim.lines.len() == 1;
    let part = |at: usize| match at % 2 {
        0 if is_single => Verdict::HalfDenied(codes),
        0 => Verdict::RestDenied(codes),
        _ => Verdict::Paid,
    };
    let verdict = |at: usize| match script.act {
        Act::Pay | Act::TakeBack => Verdict::Paid,
        Act::Deny | Act::Reverse => Verdict::Denied(codes),
        Act::Part => part(at),
    };
    let day = claim.received()?.plus_days(script.after.into())?;
    let mut answers = Vec::from([Answer::new(claim, day, verdict)]);
    let later = day.plus_days(script.later.into())?;
    match script.act {
        Act::Reverse => correct(&mut answers, Answer::new(claim, later, |_| Verdict::Paid), None),
        Act::TakeBack => {
            let denial = Answer::new(claim, later, |_| Verdict::Denied(codes));
            correct(&mut answers, denial, Some(script.later));
        }
        Act::Pay | Act::Deny | Act::Part => {}
    }
    for (reply, filed) in script.replies.iter().zip(filed) {
        let Some(last) = answers.last() else { break };
        // A decision is on the last answer, so it cannot come before that.
        let day = filed.plus_days(reply.after.into())?.max(last.day);
        if last.sum(Kind::Denied) == 0 {
            continue;
        }
        let next = match reply.outcome {
            Outcome::Overturned => Answer::new(claim, day, |_| Verdict::Paid),
            Outcome::Part => half(last, day),
            Outcome::Upheld | Outcome::Dismissed | Outcome::Records | Outcome::Silence => continue,
        };
        correct(&mut answers, next, None);
    }
    Some(answers)
}

/// The same answer with half of each denied amount paid.
fn half<'a>(last: &Answer<'a>, day: Date) -> Answer<'a> {
    let mut next = Answer { day, ..last.clone() };
    for line in &mut next.lines {
        line.iter_mut().filter(|one| one.kind == Kind::Denied).for_each(|one| one.amount /= 2);
        line.retain(|one| one.amount > 0);
    }
    next
}

/// Reverses the last answer and puts another in its place.
fn correct<'a>(answers: &mut Vec<Answer<'a>>, mut next: Answer<'a>, taken_back_after: Option<u16>) {
    if let Some(last) = answers.last() {
        next.version = last.version + 1;
        answers.push(Answer { day: next.day, is_reversal: true, taken_back_after, ..last.clone() });
    }
    answers.push(next);
}
