//! What must be true in the world, from the test's own records.

use super::ops::{CORRECTED, DATES};
use super::{Op, Row, World};
use crate::plan::work::claim::StoredWorkClaim;
use overturn_core::base::date::Date;
use overturn_core::base::id::{CaseId, ClaimId};
use overturn_core::base::money::Cents;
use overturn_core::claims::appeal::level::Level;
use overturn_core::claims::deadline::{Deadline, DeadlineFrom};
use overturn_core::claims::{ClaimStatus, PlanType};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

/// What the letter of a claim says, and whether its date stands.
#[derive(Clone, Copy, Default, Debug)]
pub(super) struct Read {
    plan: Option<PlanType>,
    denied: Option<Date>,
    due: Option<Date>,
    stands: bool,
}

impl Read {
    fn set(&mut self, body: &str) {
        let body: Value = serde_json::from_str(body).unwrap();
        if let Some(plan) = body.get("plan_type") {
            self.plan = plan.as_str().and_then(PlanType::parse);
        }
        if let Some(denied) = body.get("denial_date") {
            self.denied = denied.as_str().and_then(Date::parse);
        }
        if let Some(due) = body.get("appeal_due") {
            self.due = due.as_str().and_then(Date::parse);
        }
        let said = body.get("counts").and_then(Value::as_str);
        self.stands = self.due.is_some() && said.map_or(self.stands, |said| said == "letter");
    }
}

/// A recorded amount: the total that the payer has paid so far. The largest number is the last one.
#[derive(Clone, Copy, Debug)]
pub(super) struct Won {
    amount: Cents,
    n: usize,
    stands: bool,
}

/// The test's own records.
#[derive(Clone, Default, Debug)]
pub(super) struct Records {
    /// The filings: claim, case, level.
    filed: BTreeSet<(ClaimId, CaseId, usize)>,
    /// What the letters say.
    read: BTreeMap<ClaimId, Read>,
    /// The claims' own dates that had passed when a person decided about the date of the case. They count no more.
    aside: BTreeMap<ClaimId, BTreeSet<&'static str>>,
    /// The amounts, by claim, case and level.
    won: BTreeMap<(ClaimId, CaseId, usize), Won>,
}

impl Records {
    /// The last amount of a claim, or of a claim in a case.
    fn last(&self, claim: ClaimId, case: Option<CaseId>) -> Option<((ClaimId, CaseId, usize), Won)> {
        let of = |place: &(ClaimId, CaseId, usize)| place.0 == claim && case.is_none_or(|case| place.1 == case);
        let won = self.won.iter().filter(|(place, _)| of(place));
        won.max_by_key(|(_, won)| won.n).map(|(place, won)| (*place, *won))
    }

    /// The same records, with the order of the amounts instead of their times.
    pub(super) fn key(&self) -> String {
        let before = |of: ClaimId, n| self.won.iter().filter(|(place, won)| place.0 == of && won.n < n).count();
        let won = self.won.iter().map(|(place, won)| (place, won.amount.get(), won.stands, before(place.0, won.n)));
        let won: Vec<_> = won.collect();
        format!("{:?} {:?} {:?} {won:?}", self.filed, self.read, self.aside)
    }
}

/// The date of the rule.
pub(super) fn by_rule(plan: Option<PlanType>, denied: Option<Date>) -> Option<Date> {
    let days = match plan? {
        PlanType::Erisa => 180,
        PlanType::MediCalManaged => 60,
        PlanType::Medicare => 125,
        PlanType::Tricare => 90,
        other => panic!("{other:?}"),
    };
    denied?.plus_days(days)
}

/// The day by which a hearing must be decided that was filed on the first of March, by the plans that have a rule for it.
const DECIDE: &str = "2026-05-30";

impl World {
    /// Checks every rule after an action.
    pub(in super::super) fn expect(&self, op: &Op, before: &Self) {
        for (claim, expected) in self.expected_deadlines() {
            assert_eq!(claim.deadline, expected, "{op:?} of {:?} after {:?}", claim.id, self.history);
        }
        let decided = before.decided(op);
        for (was, is) in before.claims.iter().zip(&self.claims) {
            let is_kept = was.deadline.is_none_or(|was| is.deadline.is_some_and(|is| is.date <= was.date));
            assert!(is_kept || decided.contains(&was.id), "{op:?} of {:?} after {:?}", was.id, self.history);
        }
        self.expect_amounts();
        self.expect_clocks(before);
    }

    fn expected_deadlines(&self) -> impl Iterator<Item = (&Row, Option<Deadline>)> {
        self.claims.iter().map(|row| (row, self.expected(row)))
    }

    fn expected(&self, row: &Row) -> Option<Deadline> {
        let was_filed = self.records.filed.iter().any(|(claim, ..)| *claim == row.id);
        let of_case = self.of_case(row);
        let aside = self.records.aside.get(&row.id);
        let is_aside = |own: &Deadline| of_case.is_some() && aside.is_some_and(|aside| aside.contains(own.from.name()));
        let own = self.own(row).into_iter().filter(|own| !was_filed && !is_aside(own));
        let of_case = of_case.map(|date| DeadlineFrom::Case.on(date));
        match row.status {
            ClaimStatus::Recovered | ClaimStatus::Closed => None,
            _ => of_case.into_iter().chain(own).min_by_key(|due| due.date),
        }
    }

    /// The dates of a claim itself: its letter's, and its rule's unless the letter's stands.
    fn own(&self, row: &Row) -> Vec<Deadline> {
        let read = self.records.read.get(&row.id).copied().unwrap_or_default();
        let by_rule = by_rule(read.plan.or(row.sent.plan), read.denied.or(row.sent.denied));
        let by_rule = by_rule.filter(|_| !read.stands).map(|date| DeadlineFrom::Rule.on(date));
        read.due.map(|date| DeadlineFrom::Letter.on(date)).into_iter().chain(by_rule).collect()
    }

    /// The date of the case in which a claim is appealed, if it can still be missed.
    fn of_case(&self, row: &Row) -> Option<Date> {
        let case = self.cases.iter().find(|case| Some(case.id) == row.case_id);
        let case = case.filter(|_| row.status == ClaimStatus::InAppeal)?;
        let last = case.levels.last().unwrap();
        let waits = last.filed_on.is_none() && last.decided_on.is_none();
        last.due_on.filter(|_| waits)
    }

    /// Records what an action says about claims.
    pub(super) fn note(&mut self, op: &Op, before: &Self) {
        self.note_letter(op, before);
        self.note_amounts(op, before);
        self.put_aside(op, before);
    }

    /// Records a letter, or a filing: its claims are those in appeal in the case at that time.
    fn note_letter(&mut self, op: &Op, before: &Self) {
        if let Op::Letter(n, _, body) = op {
            self.records.read.entry(self.claims[*n].id).or_default().set(body);
        }
        let Op::Edit(case, level, body) = op else {
            return;
        };
        let was_filed = before.cases[*case].levels[*level - 1].filed_on.is_some();
        let id = before.cases[*case].id;
        if body.contains(r#""filed_on":null"#) {
            self.records.filed.retain(|(_, case, at)| (*case, *at) != (id, *level));
        } else if body.contains("filed_on") && !was_filed {
            // A level that another one follows was filed with the claims that have a result at it.
            let is_last = *level == before.cases[*case].levels.len();
            let number = i64::try_from(*level).unwrap();
            let claims = before.stored_case(*case).claims.into_iter();
            let claims = claims.filter(|claim| is_last || claim.appeal.was_at(id, number));
            self.records.filed.extend(claims.map(|claim| (claim.id, id, *level)));
        }
    }

    /// Records the amounts of claims whose status changed, or that were corrected.
    fn note_amounts(&mut self, op: &Op, before: &Self) {
        let n = self.history.len();
        for (was, is) in before.claims.iter().zip(self.claims.clone()) {
            let (id, case) = (is.id, was.case_id);
            let level = before.cases.iter().find(|of| Some(of.id) == case).map(|of| of.levels.len());
            let here = case.zip(level).map(|(case, level)| (id, case, level));
            match (was.status, is.status, here) {
                _ if op.is_amount_of(before, id) => {
                    let (place, won) = self.records.last(id, None).unwrap();
                    self.records.won.insert(place, Won { amount: cents(CORRECTED), ..won });
                }
                (ClaimStatus::InAppeal, ClaimStatus::Recovered, Some(here)) => {
                    let stands = self.records.won.get(&here).is_some_and(|won| won.stands);
                    let amount = op.amount(before, id);
                    self.records.won.insert(here, Won { amount, n, stands });
                }
                (ClaimStatus::InAppeal, ClaimStatus::Closed, Some(here)) => {
                    let is_undone = self.records.won.get(&here).is_some_and(|won| !won.stands);
                    is_undone.then(|| self.records.won.remove(&here));
                }
                (ClaimStatus::Recovered, ClaimStatus::InAppeal, _) => {
                    let Op::Again(.., stands) = op else { continue };
                    let (place, won) = self.records.last(id, case).unwrap();
                    self.records.won.insert(place, Won { stands: true, ..won });
                    (!stands).then(|| self.records.won.remove(&place));
                }
                _ => {}
            }
        }
    }

    /// Records whether a person decided about the date of the case of a claim, or about its own dates.
    fn put_aside(&mut self, op: &Op, before: &Self) {
        let filed: BTreeSet<ClaimId> = self.records.filed.iter().map(|(claim, ..)| *claim).collect();
        for row in self.claims.clone() {
            let n = before.claims.iter().position(|of| of.id == row.id);
            let case = self.cases.iter().position(|of| Some(of.id) == row.case_id);
            let is_decided = match op {
                Op::Open(claims, _) => claims.iter().any(|claim| Some(*claim) == n),
                Op::Join(claim, _) | Op::Again(claim, ..) => Some(*claim) == n,
                Op::Begin(of, _) | Op::Decide(of, ..) => Some(*of) == case,
                Op::Edit(of, level, _) => {
                    let at = |world: &Self| world.cases[*of].levels[*level - 1];
                    let (was, is) = (at(before), at(self));
                    let is_undone = was.filed_on.is_some() && is.filed_on.is_none();
                    Some(*of) == case && (was.due_on != is.due_on || is_undone)
                }
                _ => false,
            };
            let is_changed = n.is_some_and(|n| before.claims[n].version != row.version);
            let is_own = is_changed && matches!(op, Op::Letter(..));
            if is_own || filed.contains(&row.id) || self.of_case(&row).is_none() {
                self.records.aside.remove(&row.id);
            } else if is_decided {
                let past = self.own(&row).into_iter().filter(|own| own.date < self.today());
                let past: Vec<_> = past.map(|own| own.from.name()).collect();
                self.records.aside.entry(row.id).or_default().extend(past);
            }
        }
    }

    /// A claim won the total that was recorded last, and no case has another amount beside it. Each amount is a total so
    /// far: two of them together would be more than what was denied.
    fn expect_amounts(&self) {
        for row in &self.claims {
            let last = |case| self.records.last(row.id, case).map(|(_, won)| won.amount);
            assert_eq!(row.recovered, last(None), "{:?}", self.history);
            assert!(row.recovered.is_none_or(|won| won <= row.sent.amount), "{:?}", self.history);
            for case in &self.cases {
                if let Some((_, amount)) = case.outcomes.get(&row.id) {
                    assert_eq!(*amount, last(Some(case.id)), "{:?}", self.history);
                }
            }
        }
    }

    /// A level that waits for its decision has the payer's day as soon as the plan of a claim in appeal gives one, in any
    /// order of plan, filing and decision. The day stays until the filing changes.
    fn expect_clocks(&self, before: &Self) {
        for (n, case) in self.cases.iter().enumerate() {
            let clocks = |plan| matches!(plan, PlanType::MediCalManaged | PlanType::Medicare);
            let is_known = self.stored_case(n).claims.iter().filter_map(StoredWorkClaim::plan).any(clocks);
            for level in &case.levels {
                let due = level.decision_due.map(|day| day.to_string());
                assert_eq!(level.decision_source.is_some(), due.is_some());
                if is_known && level.awaits_decision() {
                    assert_eq!(due.as_deref(), Some(DECIDE), "{:?}", self.history);
                }
                let was = before.cases.get(n).and_then(|case| case.levels.iter().find(|was| was.level == level.level));
                let was = was.filter(|was| was.filed_on == level.filed_on && was.decision_due.is_some());
                assert!(was.is_none_or(|was| was.decision_due == level.decision_due), "{:?}", self.history);
            }
        }
    }

    /// The claims whose deadline this action is about: a person sees it and decides.
    fn decided(&self, op: &Op) -> Vec<ClaimId> {
        match op {
            // A date in addition decides against no other one.
            Op::Letter(n, _, body) if DATES.contains(body) => {
                let row = &self.claims[*n];
                let known = row.letter.and_then(|letter| letter.facts.appeal_due);
                known.map(|_| row.id).into_iter().collect()
            }
            Op::Letter(n, ..) => vec![self.claims[*n].id],
            Op::Move(n, _) => vec![self.claims[*n].id],
            Op::Edit(case, ..) => {
                let here = self.stored_case(*case).claims;
                here.iter().map(|claim| claim.id).collect()
            }
            Op::Open(claims, _) => self.past(claims.iter().map(|n| self.claims[*n].id)),
            Op::Join(n, _) | Op::Again(n, ..) => self.past([self.claims[*n].id]),
            Op::Begin(case, _) => {
                let here = self.stored_case(*case).claims;
                self.past(here.iter().map(|claim| claim.id))
            }
            Op::Decide(n, results, _) => {
                let case = self.stored_case(*n);
                let waits = case.levels.last().is_some_and(Level::waits);
                let mut results = results.iter();
                let ends = |_: &&StoredWorkClaim| results.next().is_some_and(|result| *result > 0);
                let ended = case.claims.iter().filter(ends).map(|claim| claim.id).collect();
                match waits {
                    true => case.claims.iter().map(|claim| claim.id).collect(),
                    false => [ended, self.past(case.claims.iter().map(|claim| claim.id))].concat(),
                }
            }
            Op::Take(_) | Op::Resend(..) | Op::Amount(_) | Op::Wait => Vec::new(),
        }
    }

    /// Those of the claims whose deadline has passed. It gives way to a date of the case.
    fn past(&self, ids: impl IntoIterator<Item = ClaimId>) -> Vec<ClaimId> {
        let is_past = |row: &Row| row.deadline.is_some_and(|due| due.date < self.today());
        let past = self.claims.iter().filter(|row| is_past(row));
        let past: BTreeSet<ClaimId> = past.map(|row| row.id).collect();
        ids.into_iter().filter(|id| past.contains(id)).collect()
    }
}

fn cents(amount: &str) -> Cents {
    Cents::new(amount.replace('.', "").parse().unwrap()).unwrap()
}

impl Op {
    /// The amount that it says of a claim.
    fn amount(&self, world: &World, id: ClaimId) -> Cents {
        let body: Value = match self {
            Self::Move(_, body) => serde_json::from_str(body).unwrap(),
            Self::Decide(n, results, _) => {
                let body: Value = serde_json::from_str(&Self::decision(&world.stored_case(*n), results)).unwrap();
                let claims = body["claims"].as_array().unwrap();
                claims.iter().find(|claim| claim["id"] == id.to_string()).unwrap().clone()
            }
            other => panic!("{other:?} has no amount"),
        };
        cents(body["amount_recovered"].as_str().unwrap())
    }

    fn is_amount_of(&self, world: &World, id: ClaimId) -> bool {
        matches!(self, Self::Amount(n) if world.claims[*n].id == id)
    }
}
