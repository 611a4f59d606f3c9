//! A history for the demo practices: claims in every state, with deadlines near and past, cases, reports, notes and
//! signatures. The service's own decisions make it, at times in the past. It is the same on every call, except for ids,
//! secrets and the dates, which are counted from today.

mod claim;
mod desk;
mod sending;
mod story;

use overturn_core::base::date::Date;
use overturn_core::base::id::{ClaimId, PracticeId, UserId};
use overturn_core::base::instant::Instant;
use overturn_service::plan::signing::SigningStatus;
use overturn_service::request::language::Language;
use overturn_service::store::keyring::Keyring;
use rusqlite::Connection;
use serde_json::{Value, json};

use super::DAY_MS;
use crate::service::Random;
use claim::{DemoClaim, name, pick};
use desk::{Desk, Result, Step};
use story::{Arrival, Story};

const HOUR_MS: i64 = 3_600_000;

/// A practice that gets claims.
pub(super) struct Practice {
    pub(super) id: PracticeId,
    /// The hash of the API key that sends them.
    pub(super) key: String,
    /// How its claim numbers begin.
    pub(super) prefix: &'static str,
}

/// Fills a development database. `practices` get claims, on which the people with the email addresses of `staff` work.
pub(super) fn fill(
    db: Connection,
    (first, second): (&Practice, Option<&Practice>),
    staff: &[&str],
    now: Instant,
    (keys, random): (&Keyring, Random<'_>),
) -> Result<()> {
    let desk = Desk::open(db, keys, random)?;
    let staff = staff.iter().map(|email| desk.account(email));
    let staff = staff.collect::<Result<Vec<_>>>()?;
    let mut teller = Teller { desk, now, staff, patients: 0 };
    teller.practice(first, story::FIRST)?;
    if let Some(second) = second {
        teller.practice(second, story::SECOND)?;
    }
    teller.desk.close()
}

/// Tells the stories of one send after the other.
struct Teller<'a> {
    desk: Desk<'a>,
    now: Instant,
    staff: Vec<UserId>,
    /// How many patients have had their story.
    patients: usize,
}

/// The three claims of a patient.
struct Tale {
    story: Story,
    patient: usize,
    claims: [ClaimId; 3],
}

impl Tale {
    /// The claims that somebody took. Staff have not come to every claim under review.
    fn taken(&self) -> &[ClaimId] {
        match self.story {
            Story::Received => &[],
            Story::Reviewed if self.patient.is_multiple_of(2) => self.claims.get(..2).unwrap_or_default(),
            _ => &self.claims,
        }
    }

    fn reported(&self) -> &[ClaimId] {
        match self.story {
            Story::Received | Story::Reviewed => &[],
            Story::Reported => self.claims.get(..2).unwrap_or_default(),
            _ => &self.claims,
        }
    }

    /// Whether the patient has signed.
    fn is_signed(&self) -> bool {
        let asked_long_ago = !matches!(self.story, Story::Reviewed | Story::Reported);
        asked_long_ago || self.patient.is_multiple_of(3)
    }
}

impl Teller<'_> {
    fn practice(&mut self, practice: &Practice, arrivals: &[Arrival]) -> Result<()> {
        for (days, stories) in arrivals {
            self.arrival(practice, *days, stories)?;
        }
        Ok(())
    }

    /// A send, and what became of its claims.
    fn arrival(&mut self, practice: &Practice, days: i64, stories: &[Story]) -> Result<()> {
        // Those of today arrived three hours ago.
        let ago = days.saturating_mul(DAY_MS).max(3 * HOUR_MS);
        let at = self.now.plus(ago.saturating_neg());
        let first = self.patients;
        let patients = first..first.saturating_add(stories.len());
        self.patients = patients.end;
        let items = patients.clone().flat_map(DemoClaim::of);
        let items = items.map(|claim| claim.item(practice.prefix, at, self.now));
        let items = items.collect::<Result<Vec<Value>>>()?;
        let body = json!({ "claims": items });
        let step = Step { practice: practice.id, by: pick(&self.staff, 0)?, at };
        self.desk.send(&practice.key, &body, step)?;
        let mut tales = Vec::new();
        for (patient, story) in patients.zip(stories) {
            let numbers = DemoClaim::of(patient).map(|claim| claim.number(practice.prefix));
            let claims = self.desk.ids(practice.id, &numbers)?;
            tales.push(Tale { story: *story, patient, claims });
        }
        for (n, by) in self.staff.clone().into_iter().enumerate() {
            let own = |tale: &&Tale| {
                let of = tale.patient.checked_rem(self.staff.len());
                of == Some(n) && tale.story != Story::Received
            };
            let tales: Vec<&Tale> = tales.iter().filter(own).collect();
            if !tales.is_empty() {
                self.tell(&tales, Step { by, ..step })?;
            }
        }
        Ok(())
    }

    /// The work of one person on the claims of a send.
    fn tell(&mut self, tales: &[&Tale], step: Step) -> Result<()> {
        let all = |of: fn(&Tale) -> &[ClaimId]| -> Vec<ClaimId> {
            tales.iter().flat_map(|tale| of(tale).iter().copied()).collect()
        };
        self.desk.take(&all(Tale::taken), step.later(1))?;
        for tale in tales {
            self.letters(tale, step.later(1))?;
            let [first, ..] = tale.claims;
            let text = pick(&story::NOTES, tale.patient)?;
            self.desk.note(first, text, step.later(1))?;
        }
        let firsts = all(|tale| tale.claims.get(..1).unwrap_or_default());
        let seconds = all(|tale| tale.claims.get(1..2).unwrap_or_default());
        let (needed, not_needed) = (SigningStatus::Needed, SigningStatus::NotNeeded);
        let links = self.desk.decide_signing(&firsts, needed, step.later(2))?;
        self.desk.decide_signing(&seconds, not_needed, step.later(2))?;
        for tale in tales.iter().filter(|tale| tale.is_signed()) {
            let link = links.iter().find(|(claim, _)| tale.claims.contains(claim));
            let (_, link) = link.ok_or("no link to sign with")?;
            let [given, family] = name(tale.patient)?;
            let language = if tale.patient.is_multiple_of(4) { Language::Spanish } else { Language::English };
            let name = format!("{given} {family}");
            self.desk.sign(link, (&name, language), step.later(3))?;
        }
        let reported = all(Tale::reported);
        if !reported.is_empty() {
            self.desk.report(&reported, step.later(4))?;
        }
        let appealed = |tale: &&&Tale| {
            let story = tale.story;
            !matches!(story, Story::Received | Story::Reviewed | Story::Reported)
        };
        for tale in tales.iter().filter(appealed) {
            self.appeal(tale, step)?;
        }
        Ok(())
    }

    /// What the payers' letters say about the claims that somebody took. One patient in four has no letter yet.
    fn letters(&mut self, tale: &Tale, step: Step) -> Result<()> {
        if tale.patient % 4 == 3 {
            return Ok(());
        }
        let today = Date::of(self.now);
        for (nth, claim) in tale.taken().iter().enumerate() {
            let days = pick(&story::LETTER_DUE_IN, tale.patient.saturating_add(nth))?;
            let due = today.plus_days(days).ok_or("no such day")?;
            self.desk.letter(*claim, &json!({ "appeal_due": due }), step)?;
        }
        Ok(())
    }

    /// A case, as far as the story goes.
    fn appeal(&mut self, tale: &Tale, step: Step) -> Result<()> {
        let Tale { story, patient, claims } = *tale;
        let day = |days: i64| Date::of(step.later(days).at).to_string();
        let due = pick(&story::LEVEL_DUE_IN, patient)?;
        let due = Date::of(self.now).plus_days(due).ok_or("no such day")?;
        let level = json!({ "kind": "internal_appeal", "due_on": due });
        let case = self.desk.open_case(&claims, &level, step.later(5))?;
        if story == Story::Opened {
            return Ok(());
        }
        let filed = json!({ "filed_on": day(10) });
        self.desk.edit_level(case, &filed, step.later(10))?;
        if story == Story::Filed {
            return Ok(());
        }
        let (outcome, ends) = match story {
            Story::Recovered => ("overturned", 3),
            Story::Divided => ("partly_overturned", 2),
            _ => ("upheld", 3),
        };
        let decided = json!({ "decided_on": day(30), "outcome": outcome });
        self.desk.edit_level(case, &decided, step.later(30))?;
        for (nth, claim) in claims.into_iter().take(ends).enumerate() {
            let end = match story {
                Story::SecondLevel => break,
                Story::Recovered => recovered(DemoClaim { patient, nth }, 100),
                Story::Divided if nth == 0 => recovered(DemoClaim { patient, nth }, 60),
                _ => json!({ "status": "closed", "reason": "denial_upheld" }),
            };
            self.desk.move_to(claim, &end, step.later(32))?;
        }
        if matches!(story, Story::SecondLevel | Story::Divided) {
            let next = json!({ "kind": "external_review", "due_on": due });
            self.desk.begin_level(case, &next, step.later(33))?;
        }
        if story == Story::SecondLevel && patient.is_multiple_of(2) {
            let filed = json!({ "filed_on": day(38) });
            self.desk.edit_level(case, &filed, step.later(38))?;
        }
        Ok(())
    }
}

/// The move of a claim that was paid in part, in percent, or in full.
fn recovered(claim: DemoClaim, percent: usize) -> Value {
    json!({ "status": "recovered", "amount_recovered": claim.paid(percent) })
}

#[cfg(test)]
mod tests;
