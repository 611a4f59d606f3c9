//! The rules of a send request, in the order of its fields (interface: patient, claim, cross-field rules).

#[cfg(test)]
mod tests;

use crate::base::ctx::Ctx;
use crate::claims::NUMBER_MAX;
use crate::claims::envelope::{ClaimsValue, RawClaim, RawEnvelope, RawItem, RawPatient};
use crate::claims::{Claim, Item, Patient, PlanType};
use crate::request::body::{Object, Text, Texts};
use crate::request::field::{self, CodeList, Problems};
use crate::request::problem::{Problem, Rule};
use alloc::borrow::Cow;
use alloc::collections::BTreeSet;
use alloc::format;
use alloc::vec::Vec;

const TEXT_MAX: usize = 200;
const REASON_MAX: usize = 2000;
const DENIAL_CODES: CodeList = CodeList { items: 20, length: TEXT_MAX, commas: true };
const DIAGNOSIS_CODES: CodeList = CodeList { items: Texts::KEPT - 1, length: TEXT_MAX, commas: false };

/// The items of an envelope, or every problem it has.
pub(crate) fn items<'a>(envelope: RawEnvelope<'a>, ctx: &Ctx) -> Result<Vec<Item<'a>>, Vec<Problem>> {
    let mut p = Problems::default();
    field::repeated(&mut p, "", &envelope.repeated);
    let items = match envelope.claims {
        ClaimsValue::Absent => {
            let raw = RawItem { patient: envelope.patient, claim: envelope.claim, ..RawItem::default() };
            one(&mut p, raw, &mut BTreeSet::new(), ctx).into_iter().collect()
        }
        claims => {
            if envelope.unknown || envelope.keys > 1 {
                p.add("claims", Rule::OnlyKey);
            }
            batch(&mut p, claims, ctx)
        }
    };
    p.settle(Some(items))
}

fn batch<'a>(p: &mut Problems, claims: ClaimsValue<'a>, ctx: &Ctx) -> Vec<Item<'a>> {
    let ClaimsValue::Items { items, count } = claims else {
        p.add("claims", Rule::Array);
        return Vec::new();
    };
    if !(1..=ClaimsValue::MAX).contains(&count) {
        p.add("claims", Rule::OneToItems(ClaimsValue::MAX));
    }
    let mut seen = BTreeSet::new();
    let mut valid = Vec::with_capacity(items.len());
    for (index, item) in items.into_iter().enumerate() {
        p.of_item(index);
        match item {
            Object::Given(raw) => valid.extend(one(p, raw, &mut seen, ctx)),
            Object::Absent | Object::Wrong => p.add("item", Rule::Object),
        }
    }
    valid
}

fn one<'a>(p: &mut Problems, raw: RawItem<'a>, seen: &mut BTreeSet<Cow<'a, str>>, ctx: &Ctx) -> Option<Item<'a>> {
    field::repeated(p, "", &raw.repeated);
    let patient = object(p, "patient", raw.patient).and_then(|raw| patient(p, raw, ctx));
    let claim = object(p, "claim", raw.claim).and_then(|raw| claim(p, raw, seen, ctx));
    Some(Item { patient: patient?, claim: claim? })
}

fn patient<'a>(p: &mut Problems, raw: RawPatient<'a>, ctx: &Ctx) -> Option<Patient<'a>> {
    let before = p.count();
    field::repeated(p, "patient.", &raw.repeated);
    let first_name = field::name(p, "patient.first_name", raw.first_name, TEXT_MAX);
    let last_name = field::name(p, "patient.last_name", raw.last_name, TEXT_MAX);
    let date_of_birth = field::required_date(p, "patient.date_of_birth", raw.date_of_birth, ctx);
    let account_number = field::optional(p, "patient.account_number", raw.account_number, TEXT_MAX);
    let member_id = field::optional(p, "patient.member_id", raw.member_id, TEXT_MAX);
    if p.count() > before {
        return None;
    }
    Some(Patient {
        first_name: first_name?,
        last_name: last_name?,
        date_of_birth: date_of_birth?,
        account_number,
        member_id,
    })
}

fn claim<'a>(p: &mut Problems, raw: RawClaim<'a>, seen: &mut BTreeSet<Cow<'a, str>>, ctx: &Ctx) -> Option<Claim<'a>> {
    let before = p.count();
    field::repeated(p, "claim.", &raw.repeated);
    let again = is_seen(&raw.claim_number, seen);
    let claim_number = field::printable(p, "claim.claim_number", raw.claim_number, NUMBER_MAX);
    if again {
        p.add("claim.claim_number", Rule::Repeated);
    }
    let payer_claim_number = field::printable(p, "claim.payer_claim_number", raw.payer_claim_number, NUMBER_MAX);
    let payer_name = field::name(p, "claim.payer_name", raw.payer_name, TEXT_MAX);
    let date_of_service = field::required_date(p, "claim.date_of_service", raw.date_of_service, ctx);
    let denial_date = field::optional_date(p, "claim.denial_date", raw.denial_date, ctx);
    let plan_type = field::given(p, "claim.plan_type", raw.plan_type).and_then(|name| plan_type(p, &name));
    let procedure_code = field::optional(p, "claim.procedure_code", raw.procedure_code, TEXT_MAX);

    let no_amount = field::is_missing(&raw.billed_amount) && field::is_missing(&raw.denied_amount);
    let billed_amount = field::amount(p, "claim.billed_amount", &raw.billed_amount);
    let denied_amount = field::amount(p, "claim.denied_amount", &raw.denied_amount);
    if no_amount {
        p.add("claim.billed_amount", Rule::OrRequired("claim.denied_amount"));
    }

    let no_reason = field::is_missing_list(&raw.denial_codes) && field::is_missing(&raw.denial_reason);
    let denial_codes = field::codes(p, "claim.denial_codes", raw.denial_codes, DENIAL_CODES);
    let denial_reason = field::optional(p, "claim.denial_reason", raw.denial_reason, REASON_MAX);
    if no_reason {
        p.add("claim.denial_codes", Rule::OrRequired("claim.denial_reason"));
    }
    let diagnosis_codes = field::codes(p, "claim.diagnosis_codes", raw.diagnosis_codes, DIAGNOSIS_CODES);

    if p.count() > before {
        return None;
    }
    Some(Claim {
        claim_number: claim_number?,
        payer_claim_number: payer_claim_number?,
        payer_name: payer_name?,
        date_of_service: date_of_service?,
        denial_date,
        plan_type,
        procedure_code,
        billed_amount,
        denied_amount,
        denial_codes,
        denial_reason,
        diagnosis_codes,
    })
}

/// True if an earlier item had the same claim number, valid or not.
fn is_seen<'a>(number: &Text<'a>, seen: &mut BTreeSet<Cow<'a, str>>) -> bool {
    match number {
        Text::Given(text) if !field::is_missing(number) => !seen.insert(text.clone()),
        Text::Given(_) | Text::Absent | Text::Wrong => false,
    }
}

fn plan_type(p: &mut Problems, name: &str) -> Option<PlanType> {
    let plan = PlanType::parse(name);
    if plan.is_none() {
        let names = PlanType::ALL.map(PlanType::name).join(", ");
        p.add("claim.plan_type", Rule::MustBe(format!("one of {names}").into()));
    }
    plan
}

/// A missing object counts as one without fields, so the problems name each required field.
fn object<T: Default>(p: &mut Problems, name: &'static str, object: Object<T>) -> Option<T> {
    match object {
        Object::Given(value) => Some(value),
        Object::Absent => Some(T::default()),
        Object::Wrong => {
            p.add(name, Rule::Object);
            None
        }
    }
}
