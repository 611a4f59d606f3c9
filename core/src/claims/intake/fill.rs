//! A resend fills in parts that were absent before, and changes nothing that is present.
//!
//! The sealed part must be opened for this, together with the rest of the claim. The claim is written only if it still
//! has the version and the key that it was opened with. If two resends fill in different parts, the second one finds
//! the change, opens the claim again, and adds its own part.

use super::changes::Fill;
use super::stored::StoredClaim;
use crate::base::date::Date;
use crate::base::id::{ClaimId, PracticeId};
use crate::base::open::{Open, Unopened};
use crate::base::sealed::{KeyVersion, SealedPlace};
use crate::claims::appeal::Appeal;
use crate::claims::appeal::payer_clock::{CaseToClock, Clock};
use crate::claims::deadline::Deadline;
use crate::claims::{ClaimStatus, Item, OpenedIdentity, Part, PlanType, Present};
use alloc::string::String;
use core::fmt;
use serde::Deserialize;
use serde_json::{Map, Value, json};

#[derive(Clone, PartialEq, Eq, Deserialize)]
pub struct ClaimToOpen {
    pub id: ClaimId,
    /// The number of its changes.
    pub version: i64,
    /// The key that seals it.
    pub key_version: KeyVersion,
    /// The sealed part.
    pub sealed: String,
    pub status: ClaimStatus,
    /// The case in which it is appealed, if its plan was not sent.
    pub in_case: Option<CaseToClock>,
    /// The facts about its appeal.
    #[serde(flatten)]
    pub appeal: Appeal,
}

impl ClaimToOpen {
    /// The deadline of the appeal once these facts fill in what is absent, if it changes.
    pub(crate) fn due(&self, plan_type: Option<PlanType>, denied: Option<Date>) -> Option<Deadline> {
        self.appeal.filled_in((plan_type, denied), self.status)
    }

    /// The payer's clock of its case once this plan is known.
    fn clock(&self, plan_type: Option<PlanType>) -> Option<Clock> {
        let known = self.appeal.known().0.or(plan_type);
        Some(self.in_case.as_ref()?.clock(known))
    }
}

impl fmt::Debug for ClaimToOpen {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ClaimToOpen({})", self.id)
    }
}

/// A claim with its sealed part opened. `Debug` prints only its id.
#[derive(Clone)]
pub struct OpenedClaim {
    claim: ClaimToOpen,
    /// The opened part. It keeps fields that this version does not know.
    secret: Map<String, Value>,
}

impl fmt::Debug for OpenedClaim {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "OpenedClaim({})", self.claim.id)
    }
}

impl OpenedClaim {
    /// Opens a claim with the keys of its practice.
    ///
    /// # Errors
    ///
    /// [`Unopened::KeyUnavailable`], or [`Unopened::Tampered`] if the sealed part does not open or is not a claim's.
    pub fn open(claim: ClaimToOpen, practice: PracticeId, keys: &impl Open) -> Result<Self, Unopened> {
        let id = claim.id;
        let place = SealedPlace::Claim { practice, id };
        let secret = keys.open(place, claim.key_version, &claim.sealed)?;
        Self::new(claim, &secret).ok_or_else(|| keys.tampered(place))
    }

    /// A claim with its opened part, `None` if that is not a claim's.
    pub(crate) fn new(claim: ClaimToOpen, secret: &[u8]) -> Option<Self> {
        let _is_of_a_claim: OpenedIdentity = serde_json::from_slice(secret).ok()?;
        Some(Self { claim, secret: serde_json::from_slice(secret).ok()? })
    }

    pub(super) const fn id(&self) -> ClaimId {
        self.claim.id
    }

    fn present(&self) -> Present {
        let patient = self.secret.get("patient").unwrap_or(&Value::Null);
        let is_there = |value: Option<&Value>| match value {
            None | Some(Value::Null) => false,
            Some(Value::Array(items)) => !items.is_empty(),
            Some(_) => true,
        };
        let has = |part: &Part| match part {
            Part::DenialDate => self.claim.appeal.denial_date.is_some(),
            Part::PlanType => self.claim.appeal.plan_type.is_some(),
            Part::AccountNumber | Part::MemberId => is_there(patient.get(part.name())),
            Part::DenialCodes | Part::DenialReason | Part::DiagnosisCodes => is_there(self.secret.get(part.name())),
        };
        Part::ALL.into_iter().filter(has).collect()
    }

    /// The sealed part with these parts of an item added.
    fn with(&self, item: &Item<'_>, parts: Present) -> Map<String, Value> {
        let mut secret = self.secret.clone();
        let claim = &item.claim;
        for part in parts.parts() {
            let (is_of_patient, value) = match part {
                Part::DenialDate | Part::PlanType => continue,
                Part::DenialCodes => (false, json!(claim.denial_codes)),
                Part::DenialReason => (false, json!(claim.denial_reason)),
                Part::DiagnosisCodes => (false, json!(claim.diagnosis_codes)),
                Part::AccountNumber => (true, json!(item.patient.account_number)),
                Part::MemberId => (true, json!(item.patient.member_id)),
            };
            let place = if is_of_patient {
                secret.get_mut("patient").and_then(Value::as_object_mut)
            } else {
                Some(&mut secret)
            };
            if let Some(place) = place {
                place.insert(part.name().into(), value);
            }
        }
        secret
    }
}

/// The parts of an item that the stored claim may not have yet.
pub(super) fn missing(item: &Item<'_>, stored: &StoredClaim) -> Present {
    Present::of(item).without(stored.present)
}

/// The fill-in of an opened claim by an item, `None` if there is nothing to write.
pub(super) fn fill<'a>((place, item): (usize, &'a Item<'a>), held: &OpenedClaim) -> Option<Fill<'a>> {
    let there = held.present();
    let parts = Present::of(item).without(there);
    if parts.is_empty() {
        return None;
    }
    let of_seal = parts.parts().any(|part| !matches!(part, Part::DenialDate | Part::PlanType));
    let secret = of_seal.then(|| serde_json::to_vec(&held.with(item, parts)).unwrap_or_default());
    let is_rule = parts.has(Part::DenialDate) || parts.has(Part::PlanType);
    let sent = (item.claim.plan_type, item.claim.denial_date);
    let due = is_rule.then(|| held.claim.due(sent.0, sent.1)).flatten();
    Some(Fill {
        id: held.id(),
        place,
        item,
        version: held.claim.version,
        key_version: held.claim.key_version,
        parts,
        present: there | parts,
        secret,
        due,
        clock: held.claim.clock(sent.0.filter(|_| parts.has(Part::PlanType))),
        filed: is_rule.then(|| held.claim.appeal.is_filed(None)),
    })
}
