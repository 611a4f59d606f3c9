//! The fields of the written claim: number, codes, dates, plan.

use super::{era, era_with, field, held, jane, numbers, only, run, sent};
use alloc::format;
use alloc::string::String;

#[test]
fn a_denial_becomes_a_claim_with_every_field() {
    let outcome = run(&[
        &era(
            "CLP*A-1*1*100*0**12*P-1*11*1~NM1*QC*1*DOE*JANE*Q***MI*W1~DTM*232*20260105~SVC*HC:99213:25*100*0**1~CAS*CO*197*80**45*20~REF*6R*L1~LQ*HE*N54~",
        ),
        &sent(
            "HL*2*1*22*0~SBR*P*18*******CI~NM1*IL*1*Doe*Jane****MI*W1~DMG*D8*19840602*F~CLM*A-1*100***11:B:1*Y*A*Y*Y~HI*ABK:R0789*ABF:I10*BK:7865~LX*1~SV1*HC:99213:25*100*UN*1~DTP*472*D8*20260105~REF*6R*L1~",
        ),
    ]);
    let expected = serde_json::json!({
        "patient": {"first_name": "Jane", "last_name": "Doe", "date_of_birth": "1984-06-02", "member_id": "W1"},
        "claim": {
            "claim_number": "A-1", "payer_claim_number": "P-1", "payer_name": "ACME HEALTH", "date_of_service": "2026-01-05",
            "denial_date": "2026-02-02", "plan_type": "commercial", "procedure_code": "99213-25", "billed_amount": "100.00",
            "denied_amount": "80.00", "denial_codes": ["CO-197", "N54"], "diagnosis_codes": ["R07.89", "I10"],
        }
    });
    assert_eq!(only(&outcome), expected);
}

/// Jane Doe's claim with these lines. Nothing was paid of 100.00.
fn lines(lines: &str) -> String {
    era(&format!("CLP*A-1*1*100*0**12*P-1~NM1*QC*1*DOE*JANE****MI*W1~DTM*232*20260105~{lines}"))
}

#[test]
fn the_procedure_code_is_that_of_the_claim_file_else_of_the_remittance() {
    for (svc, code) in [
        // The line of the claim file has the same control number.
        ("SVC*HC:99214*100*0**1*HC:99215~CAS*CO*50*100~REF*6R*L1~", "99213"),
        ("SVC*HC:99214*100*0**1*HC:99215:59:LT~CAS*CO*50*100~REF*6R*L9~", "99215-59-LT"),
        ("SVC*HC:99214:25*100*0**1~CAS*CO*50*100~", "99214-25"),
        ("SVC*AD:D0120*100*0**1~CAS*CO*50*100~", "D0120"),
    ] {
        assert_eq!(field(&run(&[&lines(svc), &jane()]), "procedure_code"), code, "{svc}");
    }
    for qualifier in ["NU", "N4", "IV", "ER", "HP", "WK"] {
        let svc = format!("SVC*{qualifier}:0450*100*0**1~CAS*CO*50*100~");
        assert!(field(&run(&[&lines(&svc), &jane()]), "procedure_code").is_null(), "{qualifier}");
    }
}

#[test]
fn the_procedure_code_is_left_out_unless_exactly_one_was_denied() {
    for (svc, code) in [
        ("SVC*HC:99213*60*0~CAS*CO*50*60~SVC*HC:85025*40*0~CAS*CO*45*40~", Some("99213")),
        ("SVC*HC:99213*60*0~CAS*CO*50*60~SVC*HC:99213*40*0~CAS*CO*50*40~", Some("99213")),
        ("SVC*HC:99213*60*0~CAS*CO*50*60~SVC*HC:85025*40*0~CAS*CO*50*40~", None),
        ("SVC*HC:99213*60*0~CAS*CO*50*60~SVC*HC:99213:25*40*0~CAS*CO*50*40~", None),
        ("SVC*HC:99213*60*0~CAS*CO*50*60~SVC*NU:0450*40*0~CAS*CO*50*40~", None),
    ] {
        let outcome = run(&[&lines(svc), &jane()]);
        assert_eq!(field(&outcome, "procedure_code").as_str(), code, "{svc}");
    }
    // A denial of the claim as a whole denies all lines, of the remittance or of the claim file.
    let whole = era("CLP*A-1*1*100*0**12*P-1~CAS*CO*50*100~NM1*QC*1*DOE*JANE****MI*W1~DTM*232*20260105~");
    assert_eq!(field(&run(&[&whole, &jane()]), "procedure_code"), "99213");
    let two = era(
        "CLP*A-1*1*100*0**12*P-1~CAS*CO*50*100~NM1*QC*1*DOE*JANE****MI*W1~DTM*232*20260105~SVC*HC:99213*60*0~SVC*HC:85025*40*0~",
    );
    assert!(field(&run(&[&two, &jane()]), "procedure_code").is_null());
}

#[test]
fn the_day_of_service_is_the_claims_else_the_earliest_lines_else_the_claim_files() {
    let body =
        |claim: &str, lines: &str| era(&format!("CLP*A-1*1*100*0**12*P-1~NM1*QC*1*DOE*JANE****MI*W1~{claim}{lines}"));
    let svc = "SVC*HC:99213*60*0~DTM*472*20260107~CAS*CO*50*60~SVC*HC:99213*40*0~DTM*150*20260106~DTM*151*20260101~CAS*CO*50*40~";
    for (claim, lines, day) in [
        ("DTM*050*20260120~DTM*232*20260104~DTM*233*20260105~", svc, "2026-01-04"),
        ("DTM*050*20260120~", svc, "2026-01-06"),
        ("DTM*232*20260199~", svc, "2026-01-06"),
        ("DTM*050*20260120~CAS*CO*50*100~", "", "2026-01-05"),
    ] {
        let outcome = run(&[&body(claim, lines), &jane()]);
        assert_eq!(field(&outcome, "date_of_service"), day, "{claim}");
    }
    let none = sent("HL*2*1*22*0~NM1*IL*1*DOE*JANE****MI*W1~DMG*D8*19840602~CLM*A-1*100~");
    let outcome = run(&[&body("CAS*CO*50*100~", ""), &none]);
    assert_eq!(held(&outcome), [("A-1", "claim.date_of_service is required (YYYY-MM-DD)".into())]);
}

#[test]
fn the_denial_date_is_the_earliest_that_can_be_true() {
    let body = |paid_on: &str, produced_on: &str, made: &str| {
        let file = era_with(&format!(
            "BPR*I*0*C*ACH************{paid_on}~DTM*405*{produced_on}~N1*PR*ACME~CLP*A-1*1*100*0**12*P-1~NM1*QC*1*DOE*JANE~DTM*232*20260105~CAS*CO*50*100~"
        ));
        file.replace("*20260210*1200*7*X", &format!("*{made}*1200*7*X"))
    };
    for (paid_on, produced_on, made, day) in [
        ("20260205", "20260203", "20260210", Some("2026-02-03")),
        ("20260203", "20260205", "20260210", Some("2026-02-03")),
        // BPR16 in the future, DTM*405 before the service.
        ("20260401", "20260205", "20260210", Some("2026-02-05")),
        ("20260205", "20260104", "20260210", Some("2026-02-05")),
        ("20260205", "20260105", "20260210", Some("2026-01-05")),
        ("20260401", "20260104", "20260210", Some("2026-02-10")),
        ("", "", "20260210", Some("2026-02-10")),
        ("", "", "20260104", None),
        ("20260302", "", "20260302", None),
        ("20260301", "", "20260302", Some("2026-03-01")),
    ] {
        let outcome = run(&[&body(paid_on, produced_on, made), &jane()]);
        assert_eq!(field(&outcome, "denial_date").as_str(), day, "{paid_on} {produced_on} {made}");
    }
}

#[test]
fn the_payers_number_is_clp07_else_ref_f8_else_the_claim_is_held() {
    let body = |number: &str, reference: &str| {
        era(&format!("CLP*A-1*1*100*0**12*{number}~NM1*QC*1*DOE*JANE~{reference}DTM*232*20260105~CAS*CO*50*100~"))
    };
    let of = |number: &str, reference: &str| field(&run(&[&body(number, reference), &jane()]), "payer_claim_number");
    assert_eq!(of("P-1", "REF*F8*P-0~"), "P-1");
    assert_eq!(of("", "REF*F8*P-0~"), "P-0");
    let outcome = run(&[&body("", "REF*EA*P-0~"), &jane()]);
    assert_eq!(held(&outcome), [("A-1", "the payer gives no claim number of its own".into())]);
}

#[test]
fn the_payer_is_the_first_of_the_transaction() {
    let body = "BPR*I*0*C*ACH************20260202~N1*PE*PRACTICE~N1*PR*ACME*XV*1~N1*PR*OTHER~CLP*A-1*1*100*0**12*P-1~NM1*QC*1*DOE*JANE~NM1*TT*2*CROSSOVER~DTM*232*20260105~CAS*CO*50*100~";
    assert_eq!(field(&run(&[&era_with(body), &jane()]), "payer_name"), "ACME");
    let none = body.replace("N1*PR*ACME*XV*1~N1*PR*OTHER~", "");
    let outcome = run(&[&era_with(&none), &jane()]);
    assert_eq!(held(&outcome), [("A-1", "claim.payer_name is required".into())]);
    assert!(numbers(&outcome).is_empty());
}

#[test]
fn denial_codes_are_carcs_with_their_group_and_then_remarks() {
    let outcome = run(&[
        &era(
            "CLP*A-1*1*100*0**12*P-1~CAS*CO*50*10~NM1*QC*1*DOE*JANE~MIA*0****M1*6*7*8*9*10*11*12*13*14*15*16*17*18*19*M20*M21*M22*M23*24~MOA*.5*2*MA03*MA04*MA05*MA06*MA07*8*9~DTM*232*20260105~SVC*HC:99213*60*0~CAS*PR*96*40**45*20~LQ*HE*N1~LQ*RX*75~SVC*HC:85025*30*0~CAS*CO*45*30~LQ*HE*N2~",
        ),
        &jane(),
    ]);
    let codes = ["CO-50", "PR-96", "M1", "M20", "M21", "M22", "M23", "MA03", "MA04", "MA05", "MA06", "MA07", "N1"];
    // The claim was denied as a whole too, so each line is denied.
    let all: alloc::vec::Vec<&str> = codes.into_iter().chain(["N2"]).collect();
    assert_eq!(field(&outcome, "denial_codes"), serde_json::json!(all));
    let only_lines =
        run(&[&lines("SVC*HC:99213*60*0~CAS*PR*96*60~LQ*HE*N1~SVC*HC:85025*40*0~CAS*CO*45*40~LQ*HE*N2~"), &jane()]);
    assert_eq!(field(&only_lines, "denial_codes"), serde_json::json!(["PR-96", "N1"]));
}

#[test]
fn the_first_twenty_codes_are_kept() {
    let mut text = String::new();
    for carc in 0..25 {
        text.push_str(&format!("SVC*HC:99213*4*0~CAS*CO*Z{carc}*4~"));
    }
    let outcome = run(&[&lines(&text), &jane()]);
    let codes = field(&outcome, "denial_codes");
    assert_eq!(codes.as_array().unwrap().len(), 20);
    assert_eq!(codes[19], "CO-Z19");
}
