use super::*;
use crate::base::date::Date;
use crate::base::money::Cents;
use crate::claims::PlanType;
use crate::testing::item;

/// The fixture has only CO-45, and neither denial date nor plan type, each of which causes advice.
fn good() -> Item<'static> {
    let mut item = item();
    item.claim.denial_codes = ["CO-50".into()].to_vec();
    item.claim.denial_date = Some(day("2026-01-05"));
    item.claim.plan_type = Some(PlanType::Commercial);
    item
}

fn codes_of(change: impl FnOnce(&mut Item<'static>)) -> Vec<AdviceCode> {
    let mut item = good();
    change(&mut item);
    advise(&[item]).into_iter().map(|advice| advice.code).collect()
}

fn day(text: &str) -> Date {
    Date::parse(text).unwrap()
}

#[test]
fn a_claim_without_a_slip_gets_no_advice() {
    assert_eq!(codes_of(|_| {}), []);
}

#[test]
fn each_slip_gets_its_advice_and_its_neighbour_gets_none() {
    assert_eq!(codes_of(|i| i.patient.date_of_birth = day("2026-01-03")), [AdviceCode::BirthAfterService]);
    assert_eq!(codes_of(|i| i.patient.date_of_birth = day("2026-01-02")), []);
    assert_eq!(codes_of(|i| i.claim.claim_number = "0".into()), [AdviceCode::ClaimNumberZero]);
    assert_eq!(codes_of(|i| i.claim.claim_number = "00".into()), []);
    assert_eq!(codes_of(|i| i.claim.claim_number = "é".repeat(21).into()), [AdviceCode::ClaimNumberLong]);
    assert_eq!(codes_of(|i| i.claim.claim_number = "é".repeat(20).into()), []);
    assert_eq!(codes_of(|i| i.claim.denial_date = Some(day("2026-01-01"))), [AdviceCode::DenialBeforeService]);
    assert_eq!(codes_of(|i| i.claim.denial_date = Some(day("2026-01-02"))), []);
    assert_eq!(codes_of(|i| i.claim.denial_date = None), [AdviceCode::DenialDateMissing]);
    assert_eq!(
        codes_of(|i| (i.claim.denial_date, i.claim.plan_type) = (None, None)),
        [AdviceCode::DenialDateMissing, AdviceCode::PlanTypeMissing]
    );
    assert_eq!(codes_of(|i| i.claim.denied_amount = Cents::new(12_346)), [AdviceCode::DeniedAboveBilled]);
    assert_eq!(codes_of(|i| i.claim.denied_amount = Cents::new(12_345)), []);
    assert_eq!(
        codes_of(|i| i.claim.denial_codes = ["co 45".into(), "CO-45".into()].to_vec()),
        [AdviceCode::ContractualOnly]
    );
    assert_eq!(codes_of(|i| i.claim.denial_codes = ["CO-45".into(), "N130".into()].to_vec()), []);
    assert_eq!(codes_of(|i| i.claim.denial_codes = Vec::new()), []);
    assert_eq!(
        codes_of(|i| i.claim.denial_codes = ["CO-50".into(), "45".into()].to_vec()),
        [AdviceCode::DenialCodeForm]
    );
}

#[test]
fn procedure_codes_have_the_form_of_cpt_or_hcpcs_with_modifiers() {
    for good in
        ["99213", "99213-25", "99213-25-59-LT-GT", "0042T", "3008f", "0001U", "0002M", "J1885", "g0438-33", "T1015"]
    {
        assert!(is_procedure(good), "{good}");
    }
    for bad in [
        "",
        "9921",
        "992134",
        "99213-",
        "99213-2",
        "99213-255",
        "W1234",
        "9921A",
        "J188A",
        "99213-25-59-LT-GT-XU",
        "99 13",
    ] {
        assert!(!is_procedure(bad), "{bad}");
    }
}

#[test]
fn diagnosis_codes_have_the_form_of_icd_10_cm() {
    for good in ["E11.9", "E119", "S72.001A", "S72001A", "I10", "U07.1", "C4A.0", "m54.50"] {
        assert!(is_diagnosis(good), "{good}");
    }
    for bad in ["", "E1", "11.9", "E11.", "E11.99999", "E11 9", "EE1.9", "é11.9", "E1é"] {
        assert!(!is_diagnosis(bad), "{bad}");
    }
}

#[test]
fn advice_names_item_code_and_field_and_its_json_is_pinned() {
    let mut slip = good();
    slip.claim.claim_number = "0".into();
    assert_eq!(
        serde_json::to_string(&advise(&[good(), slip])).unwrap(),
        r#"[{"index":1,"code":"claim_number_zero","field":"claim.claim_number","message":"is 0, which often stands for a missing number"}]"#
    );
}
