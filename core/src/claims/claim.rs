//! Patients and claims as the service accepted them (interface: Resources and their fields).

use crate::base::date::Date;
use crate::base::money::Cents;
use crate::base::names::names;
use crate::base::text::normalise;
use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use serde::{Deserialize, Serialize};

names! {
    /// The kind of plan that denied a claim.
    PlanType {
        Commercial = "commercial",
        Erisa = "erisa",
        AcaIndividual = "aca_individual",
        Medicare = "medicare",
        MedicareAdvantage = "medicare_advantage",
        MediCalManaged = "medi_cal_managed",
        MediCalFfs = "medi_cal_ffs",
        Tricare = "tricare",
        WorkersComp = "workers_comp",
        Other = "other",
    }
}

/// The patient of a claim.
// `Debug` prints nothing of it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Patient<'a> {
    /// As sent.
    pub first_name: Cow<'a, str>,
    /// As sent.
    pub last_name: Cow<'a, str>,
    pub date_of_birth: Date,
    /// The patient's account number in the caller's system.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub account_number: Option<Cow<'a, str>>,
    /// The member id on the patient's insurance card.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub member_id: Option<Cow<'a, str>>,
}

impl fmt::Debug for Patient<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Patient(…)")
    }
}

/// A denied claim. `Debug` prints nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Claim<'a> {
    /// The claim number, exactly as sent.
    pub claim_number: Cow<'a, str>,
    /// The payer's own number.
    pub payer_claim_number: Cow<'a, str>,
    /// The insurer as the caller's system names it.
    pub payer_name: Cow<'a, str>,
    pub date_of_service: Date,
    pub denial_date: Option<Date>,
    /// Kind of plan, if known.
    pub plan_type: Option<PlanType>,
    /// CPT or HCPCS code as sent.
    pub procedure_code: Option<Cow<'a, str>>,
    pub billed_amount: Option<Cents>,
    pub denied_amount: Option<Cents>,
    /// Adjustment and remark codes as sent.
    pub denial_codes: Vec<Cow<'a, str>>,
    /// The reason in words.
    pub denial_reason: Option<Cow<'a, str>>,
    /// ICD-10 codes as sent.
    pub diagnosis_codes: Vec<Cow<'a, str>>,
}

impl fmt::Debug for Claim<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Claim(…)")
    }
}

/// One valid item of a send request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Item<'a> {
    pub patient: Patient<'a>,
    pub claim: Claim<'a>,
}

/// The confidential fields of an item, by their names in the interface. A test compares them with [`Confidential`] and
/// [`Details`], and the privacy tests have a canary for each.
pub const CONFIDENTIAL: [&str; 9] = [
    "claim.denial_codes",
    "claim.denial_reason",
    "claim.diagnosis_codes",
    "claim.procedure_code",
    "patient.account_number",
    "patient.date_of_birth",
    "patient.first_name",
    "patient.last_name",
    "patient.member_id",
];

/// The part of an item that is sealed before storage: the patient, the codes as sent and all free text.
///
/// Its JSON is a stored format: fields may be added, but not renamed.
#[derive(Serialize)]
pub struct Confidential<'a> {
    patient: &'a Patient<'a>,
    #[serde(skip_serializing_if = "Option::is_none")]
    procedure_code: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    denial_codes: &'a [Cow<'a, str>],
    #[serde(skip_serializing_if = "Option::is_none")]
    denial_reason: Option<&'a str>,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    diagnosis_codes: &'a [Cow<'a, str>],
}

/// All of [`Confidential`], parsed from its JSON, and written for people who may see it. `Debug` prints nothing of it.
#[derive(Clone, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Details {
    pub patient: Patient<'static>,
    /// CPT or HCPCS code as sent.
    #[serde(default)]
    pub procedure_code: Option<String>,
    /// Adjustment and remark codes as sent.
    #[serde(default)]
    pub denial_codes: Vec<String>,
    /// The reason in words.
    #[serde(default)]
    pub denial_reason: Option<String>,
    /// ICD-10 codes as sent.
    #[serde(default)]
    pub diagnosis_codes: Vec<String>,
}

impl fmt::Debug for Details {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Details(…)")
    }
}

/// The identity fields of [`Confidential`], parsed from its JSON. `Debug` prints nothing of it.
#[derive(Clone, Deserialize)]
pub struct OpenedIdentity {
    pub patient: Patient<'static>,
    /// CPT or HCPCS code as sent.
    pub procedure_code: Option<String>,
}

impl fmt::Debug for OpenedIdentity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OpenedIdentity(…)")
    }
}

impl Item<'_> {
    /// The part to seal.
    #[must_use]
    pub fn confidential(&self) -> Confidential<'_> {
        Confidential {
            patient: &self.patient,
            procedure_code: self.claim.procedure_code.as_deref(),
            denial_codes: &self.claim.denial_codes,
            denial_reason: self.claim.denial_reason.as_deref(),
            diagnosis_codes: &self.claim.diagnosis_codes,
        }
    }
}

/// True if two names are the same, regardless of case, spacing and Unicode form.
#[must_use]
pub fn same_name(one: &str, other: &str) -> bool {
    normalise(one) == normalise(other)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::item;
    use alloc::vec;

    #[test]
    fn the_json_that_is_sealed_is_pinned() {
        let mut full = item();
        full.patient.first_name = "Zoë \"Z\"".into();
        full.patient.account_number = Some("ACC-1".into());
        full.claim.denial_reason = Some("not\ncovered".into());
        full.claim.diagnosis_codes = vec!["J10.1".into(), "E11.9".into()];
        assert_eq!(
            serde_json::to_string(&full.confidential()).unwrap(),
            concat!(
                r#"{"patient":{"first_name":"Zoë \"Z\"","last_name":"Doe","date_of_birth":"1980-02-29","#,
                r#""account_number":"ACC-1","member_id":"W123"},"procedure_code":"99213-25","#,
                r#""denial_codes":["CO-45"],"denial_reason":"not\ncovered","diagnosis_codes":["J10.1","E11.9"]}"#
            )
        );
        let mut bare = item();
        bare.patient.member_id = None;
        bare.claim.procedure_code = None;
        bare.claim.denial_codes = vec![];
        assert_eq!(
            serde_json::to_string(&bare.confidential()).unwrap(),
            r#"{"patient":{"first_name":"Jane","last_name":"Doe","date_of_birth":"1980-02-29"}}"#
        );
        // The identity can be read from it, whatever else it holds.
        for sealed in [full, bare] {
            let json = serde_json::to_string(&sealed.confidential()).unwrap();
            let opened: OpenedIdentity = serde_json::from_str(&json).unwrap();
            assert_eq!(opened.patient, sealed.patient);
            assert_eq!(opened.procedure_code.as_deref(), sealed.claim.procedure_code.as_deref());
            assert_eq!(alloc::format!("{opened:?}"), "OpenedIdentity(…)");
        }
    }

    /// The names of the fields of a sealed part, as in the interface.
    fn names(json: &serde_json::Value) -> Vec<String> {
        let mut names = Vec::new();
        for (name, value) in json.as_object().unwrap() {
            match value.as_object() {
                Some(patient) => {
                    names.extend(patient.keys().map(|key| alloc::format!("{name}.{key}")));
                }
                None => names.push(alloc::format!("claim.{name}")),
            }
        }
        names.sort();
        names
    }

    #[test]
    fn the_list_of_confidential_fields_is_that_of_the_types() {
        let mut full = item();
        full.patient.account_number = Some("ACC-1".into());
        full.claim.denial_reason = Some("not covered".into());
        full.claim.diagnosis_codes = vec!["J10.1".into()];
        let sealed = serde_json::to_value(full.confidential()).unwrap();
        assert_eq!(names(&sealed), CONFIDENTIAL);
        let shown: Details = serde_json::from_value(sealed.clone()).unwrap();
        let shown = serde_json::to_value(shown).unwrap();
        assert_eq!(shown, sealed, "nothing is lost on the way to those who may see it");
        // A new field needs a value above; this does not compile without it.
        let Confidential { patient, procedure_code: _, denial_codes: _, denial_reason: _, diagnosis_codes: _ } =
            full.confidential();
        let Patient { first_name: _, last_name: _, date_of_birth: _, account_number: _, member_id: _ } = patient;
    }

    #[test]
    fn a_plan_type_reads_back_from_its_name() {
        for plan in PlanType::ALL {
            assert_eq!(PlanType::parse(plan.name()), Some(plan));
        }
        assert_eq!(PlanType::parse("hmo"), None);
    }

    #[test]
    fn a_claim_and_its_patient_are_not_printed() {
        assert_eq!(alloc::format!("{:?}", item()), "Item { patient: Patient(…), claim: Claim(…) }");
    }
}
