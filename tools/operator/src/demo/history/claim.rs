//! The demo claims, as a billing system sends them.

use overturn_core::base::date::Date;
use overturn_core::base::instant::Instant;
use overturn_core::claims::{PlanType, deadline};
use serde_json::{Value, json};

use super::desk::Result;
use super::story;
use crate::demo::DAY_MS;

const PROCEDURES: [&str; 6] = ["99213", "99214-25", "97110", "70553", "29881", "45378"];
const DIAGNOSES: [&str; 5] = ["M54.50", "E11.9", "I10", "S83.241A", "K21.9"];

/// One of the three claims of a patient.
#[derive(Clone, Copy)]
pub(super) struct DemoClaim {
    /// The patient, from 0.
    pub(super) patient: usize,
    /// The claim of the patient, from 0.
    pub(super) nth: usize,
}

impl DemoClaim {
    /// The three claims of a patient.
    pub(super) fn of(patient: usize) -> [Self; 3] {
        [0, 1, 2].map(|nth| Self { patient, nth })
    }

    /// Its place among all claims.
    fn place(self) -> usize {
        self.patient.saturating_mul(3).saturating_add(self.nth)
    }

    /// Its claim number.
    pub(super) fn number(self, prefix: &str) -> String {
        format!("{prefix}-{:04}", self.place().saturating_add(1))
    }

    fn denied(self) -> usize {
        let spread = self.place().saturating_mul(7_919) % 180_000;
        spread.saturating_add(4_500)
    }

    /// A part of the denied amount, in percent, as an amount.
    pub(super) fn paid(self, percent: usize) -> String {
        dollars(self.denied().saturating_mul(percent) / 100)
    }

    /// The item of a send that arrives at an instant.
    pub(super) fn item(self, prefix: &str, at: Instant, now: Instant) -> Result<Value> {
        let place = self.place();
        let [given, family] = name(self.patient)?;
        let (payer, plan) = pick(&story::PAYERS, self.patient)?;
        let (codes, reason) = pick(&story::DENIALS, place)?;
        let received = Date::of(at);
        let denied_on = self.denied_on(plan, received, now)?;
        let visit = earlier(denied_on.unwrap_or(received), 20_usize.saturating_add(place % 40))?;
        let denied = self.denied();
        let billed = denied.saturating_add((place % 5).saturating_mul(2_500));
        let mut claim = json!({
            "claim_number": self.number(prefix),
            "payer_claim_number": format!("DEMO{:08}", place.saturating_mul(104_729) % 100_000_000),
            "payer_name": payer,
            "date_of_service": visit,
            "procedure_code": pick(&PROCEDURES, place)?,
            "billed_amount": dollars(billed),
            "denial_codes": codes,
            "diagnosis_codes": [pick(&DIAGNOSES, place)?],
        });
        let more = [
            ("denial_date", denied_on.map(|on| json!(on))),
            ("plan_type", plan.map(Value::from)),
            ("denied_amount", (!place.is_multiple_of(7)).then(|| dollars(denied).into())),
            ("denial_reason", (!place.is_multiple_of(2)).then(|| reason.into())),
        ];
        if let Some(claim) = claim.as_object_mut() {
            let more = more.into_iter();
            claim.extend(more.filter_map(|(name, value)| Some((name.to_owned(), value?))));
        }
        let born = format!(
            "{}-{:02}-{:02}",
            1945_usize.saturating_add(self.patient.saturating_mul(13) % 60),
            (self.patient % 12).saturating_add(1),
            (self.patient % 28).saturating_add(1),
        );
        let patient = json!({
            "first_name": given,
            "last_name": family,
            "date_of_birth": born,
            "member_id": format!("DEMO-{:05}", self.patient.saturating_mul(37)),
        });
        Ok(json!({ "patient": patient, "claim": claim }))
    }

    /// The day of the denial, so that the rule of the plan sets the deadline that the list of deadlines has next. The
    /// claim arrives two days later at the earliest.
    fn denied_on(self, plan: Option<&str>, received: Date, now: Instant) -> Result<Option<Date>> {
        let due = self.patient.saturating_mul(5).saturating_add(self.nth.saturating_mul(3));
        let Some(due) = pick(&story::DUE_IN, due)? else {
            return Ok(None);
        };
        let today = Date::of(now);
        let latest = earlier(received, 2)?;
        let rule = deadline::of(plan.and_then(PlanType::parse), Some(today));
        let Some(rule) = rule else {
            return Ok(Some(earlier(latest, self.place() % 20)?));
        };
        let days = rule.on.begins().0.saturating_sub(today.begins().0) / DAY_MS;
        let days = i64::from(due).saturating_sub(days);
        let denied = today.plus_days(i32::try_from(days)?);
        Ok(Some(denied.ok_or("no such day")?.min(latest)))
    }
}

pub(super) fn name(patient: usize) -> Result<[&'static str; 2]> {
    Ok([pick(&story::GIVEN, patient)?, pick(&story::FAMILY, patient / 3)?])
}

/// The nth of some values, from the first again after the last.
pub(super) fn pick<T: Copy>(from: &[T], n: usize) -> Result<T> {
    let found = n.checked_rem(from.len()).and_then(|n| from.get(n));
    Ok(*found.ok_or("nothing to pick from")?)
}

fn earlier(date: Date, days: usize) -> Result<Date> {
    let days = i32::try_from(days)?.saturating_neg();
    Ok(date.plus_days(days).ok_or("no such day")?)
}

fn dollars(cents: usize) -> String {
    format!("{}.{:02}", cents / 100, cents % 100)
}
