//! The patient, and what is read of an 837.

use super::{era, field, held, numbers, only, run, sent};

const DENIED: &str = "CLP*A-1*1*100*0**12*P-1~NM1*QC*1*DOE*JANE****MI*W1~DTM*232*20260105~CAS*CO*50*100~";

#[test]
fn names_are_those_of_the_claim_file() {
    let outcome = run(&[&era(DENIED), &sent("HL*2*1*22*0~NM1*IL*1*Doe*Jane*Q***MI*W1~DMG*D8*19840602~CLM*A-1*100~")]);
    let claim = only(&outcome);
    assert_eq!(claim["patient"]["first_name"], "Jane");
    assert_eq!(claim["patient"]["last_name"], "Doe");
}

#[test]
fn the_patient_as_the_payer_corrects_it_is_ignored() {
    let corrected = DENIED.replace("DTM*232", "NM1*74*1*DOUGH*JAYNE****C*W9~NM1*IL*1*DOE*JOHN****MI*W7~DTM*232");
    let lender = sent("HL*2*1*22*0~NM1*IL*1*Doe*Jane****MI*W1~DMG*D8*19840602~CLM*B-1*100~");
    let claim = only(&run(&[&era(&corrected), &lender]));
    assert_eq!(claim["patient"]["last_name"], "DOE");
    assert_eq!(claim["patient"]["first_name"], "JANE");
    assert_eq!(claim["patient"]["member_id"], "W1");
}

#[test]
fn a_member_id_has_a_known_qualifier_and_is_never_a_social_security_number() {
    let submitted = sent("HL*2*1*22*0~NM1*IL*1*Doe*Jane~DMG*D8*19840602~CLM*A-1*100~");
    for (qualifier, known) in
        [("MI", true), ("MR", true), ("HN", true), ("II", true), ("34", false), ("C", false), ("", false)]
    {
        let body = DENIED.replace("MI*W1", &[qualifier, "*123456789"].concat());
        let outcome = run(&[&era(&body), &submitted]);
        let member_id = &only(&outcome)["patient"]["member_id"];
        assert_eq!(member_id.as_str(), known.then_some("123456789"), "{qualifier}");
        let body =
            sent(&["HL*2*1*22*0~NM1*IL*1*Doe*Jane****", qualifier, "*987654321~DMG*D8*19840602~CLM*A-1*100~"].concat());
        let outcome = run(&[&era(&DENIED.replace("MI*W1", "")), &body]);
        let member_id = &only(&outcome)["patient"]["member_id"];
        assert_eq!(member_id.as_str(), known.then_some("987654321"), "{qualifier}");
    }
}

#[test]
fn the_date_of_birth_of_a_dependent_is_that_of_2010ca() {
    let outcome = run(&[
        &era(DENIED),
        &sent(
            "HL*2*1*22*1~SBR*P********CI~NM1*IL*1*DOE*JOHN****MI*W1~DMG*D8*19500101*M~NM1*PR*2*ACME~
            HL*3*2*23*0~PAT*19~NM1*QC*1*DOE*JANE~DMG*D8*20150203*F~CLM*A-1*100~",
        ),
    ]);
    let claim = only(&outcome);
    assert_eq!(claim["patient"]["date_of_birth"], "2015-02-03");
    assert_eq!(claim["patient"]["first_name"], "JANE");
    assert_eq!(claim["patient"]["member_id"], "W1", "the subscriber's member id");
    // A dependent without a date of birth does not get the subscriber's.
    let without = run(&[
        &era(DENIED),
        &sent("HL*2*1*22*1~NM1*IL*1*DOE*JOHN****MI*W1~DMG*D8*19500101*M~HL*3*2*23*0~NM1*QC*1*DOE*JANE~CLM*A-1*100~"),
    ]);
    assert_eq!(held(&without), [("A-1", "no date of birth".into())]);
}

#[test]
fn nothing_behind_clm_says_who_the_patient_is() {
    let other = "SBR*S*18*******MB~DMG*D8*19111111*M~OI***Y~NM1*IL*1*OTHER*PERSON****MI*X9~DMG*D8*19222222*M~NM1*QC*1*WRONG*ONE~DMG*D8*19330303~";
    let outcome = run(&[
        &era(&DENIED.replace("**12*", "***")),
        &sent(
            &["HL*2*1*22*0~SBR*P*18*******16~NM1*IL*1*DOE*JANE****MI*W1~DMG*D8*19840602*F~CLM*A-1*100~", other]
                .concat(),
        ),
    ]);
    let claim = only(&outcome);
    assert_eq!(claim["patient"]["date_of_birth"], "1984-06-02");
    assert_eq!(claim["patient"]["last_name"], "DOE");
    assert_eq!(claim["claim"]["plan_type"], "medicare_advantage");
}

#[test]
fn what_is_behind_a_claim_does_not_reach_the_next_claim() {
    let other = "SBR*S*18*******MB~NM1*IL*1*OTHER*PERSON****MI*X9~DMG*D8*19222222*M~DMG*D8*19220202*M~";
    let body = [
        "HL*2*1*22*0~SBR*P*18*******16~NM1*IL*1*DOE*JANE****MI*W1~DMG*D8*19840602*F~CLM*A-0*50~",
        other,
        "CLM*A-1*100~",
    ];
    let outcome = run(&[&era(&DENIED.replace("**12*", "***")), &sent(&body.concat())]);
    let claim = only(&outcome);
    assert_eq!(claim["patient"]["date_of_birth"], "1984-06-02");
    assert_eq!(claim["patient"]["member_id"], "W1");
    assert_eq!(claim["claim"]["plan_type"], "medicare_advantage");
}

#[test]
fn two_claims_of_a_patient_share_it_and_the_next_patient_does_not() {
    let submitted = sent(
        "HL*2*1*22*0~NM1*IL*1*DOE*JANE****MI*W1~DMG*D8*19840602~CLM*A-0*50~CLM*A-1*100~
        HL*3*1*22*0~NM1*IL*1*ROE*RAY****MI*W2~CLM*A-2*100~",
    );
    let ray = "CLP*A-2*1*100*0**12*P-2~NM1*QC*1*ROE*RAY****MI*W2~DTM*232*20260105~CAS*CO*50*100~";
    let outcome = run(&[&era(&[DENIED, ray].concat()), &submitted]);
    assert_eq!(numbers(&outcome), ["A-1"]);
    assert_eq!(held(&outcome), [("A-2", "no date of birth".into())]);
}

#[test]
fn a_date_of_birth_has_the_form_d8_and_exists() {
    for (dmg, known) in [
        ("DMG*D8*19840602~", true),
        ("DMG*RD8*19840602-19840603~", false),
        ("DMG*D8*19840231~", false),
        ("DMG*D8*840602~", false),
        ("", false),
    ] {
        let submitted = sent(&["HL*2*1*22*0~NM1*IL*1*DOE*JANE****MI*W1~", dmg, "CLM*A-1*100~"].concat());
        let outcome = run(&[&era(DENIED), &submitted]);
        assert_eq!(numbers(&outcome).len(), usize::from(known), "{dmg}");
    }
    let future = sent("HL*2*1*22*0~NM1*IL*1*DOE*JANE****MI*W1~DMG*D8*20270101~CLM*A-1*100~");
    let outcome = run(&[&era(DENIED), &future]);
    assert_eq!(held(&outcome), [("A-1", "patient.date_of_birth must not be in the future".into())]);
}

#[test]
fn diagnoses_are_icd_10_with_the_dot() {
    let submitted = sent(
        "HL*2*1*22*0~NM1*IL*1*DOE*JANE****MI*W1~DMG*D8*19840602~CLM*A-1*100~
        HI*ABK:S72001A~HI*ABF:I10*ABF:E119*ABF:E11.9*ABJ:R0789*BF:25000*BK:7865*APR:R51~",
    );
    let outcome = run(&[&era(DENIED), &submitted]);
    assert_eq!(field(&outcome, "diagnosis_codes"), serde_json::json!(["S72.001A", "I10", "E11.9"]));
    let icd9 = sent("HL*2*1*22*0~NM1*IL*1*DOE*JANE****MI*W1~DMG*D8*19840602~CLM*A-1*100~HI*BK:7865~");
    assert!(field(&run(&[&era(DENIED), &icd9]), "diagnosis_codes").is_null());
}

#[test]
fn an_institutional_claim_has_its_first_day_and_codes_in_sv202() {
    let submitted = sent(
        "HL*2*1*22*0~NM1*IL*1*DOE*JANE****MI*W1~DMG*D8*19840602~CLM*A-1*100***13:A:1~DTP*434*RD8*20260103-20260105~
        LX*1~SV2*0450*HC:99283*100*UN*1~REF*6R*7~",
    );
    let answer = "CLP*A-1*1*100*0**12*P-1~NM1*QC*1*DOE*JANE****MI*W1~SVC*NU:0450*100*0~CAS*CO*50*100~REF*6R*7~";
    let outcome = run(&[&era(answer), &submitted]);
    assert_eq!(field(&outcome, "date_of_service"), "2026-01-03");
    assert_eq!(field(&outcome, "procedure_code"), "99283");
}
