//! Claims from JSON and from an 837.

use crate::{HABITS, InputError, Numbers, claims, read, submission};
use alloc::format;
use alloc::string::{String, ToString};
use serde_json::json;

#[test]
fn what_is_written_as_an_837_is_read_back() {
    for habits in &HABITS {
        let claims = claims(habits, &mut Numbers::new(5), "A", 20);
        let mut back = read(&submission(habits, &claims, 1)).unwrap();
        if habits.filing.is_empty() {
            back.iter_mut().for_each(|claim| claim.filing = String::new());
        }
        assert!(back == claims, "{}", habits.name);
    }
}

#[test]
fn an_institutional_claim_of_a_dependent_takes_its_day_from_the_statement() {
    let body = "HL*1**20*1~NM1*85*2*H*****XX*1~HL*2*1*22*1~SBR*P********MA~NM1*IL*1*DOE*JANE****MI*W1~NM1*PR*2*PLAN~
HL*3*2*23*0~NM1*QC*1*DOE*JIM~DMG*D8*20150602*M~CLM*A-1*350.5***11:A:1~DTP*434*RD8*20260105-20260107~
LX*1~SV2*0450*HC:99284:25*300*UN*1~LX*2~SV2*0300*HC:80053*50.5*UN*1~DTP*472*D8*20260106~";
    let file = format!(
        "ISA*00*          *00*          *ZZ*PRACTICE       *ZZ*PAYER          *260110*1200*^*00501*000000008*0*P*:~
GS*HC*A*B*20260110*1200*8*X*005010X223A2~ST*837*0001~{body}SE*18*0001~GE*1*8~IEA*1*000000008~"
    );
    let claim = read(file.as_bytes()).unwrap().remove(0);
    assert_eq!((&*claim.number, &*claim.payer, &*claim.filing, claim.charge()), ("A-1", "PLAN", "MA", 35_050));
    assert_eq!((&*claim.patient.first_name, &*claim.patient.member_id), ("JIM", "W1"));
    let lines: alloc::vec::Vec<_> = claim.lines.iter().map(|line| (&*line.procedure, line.day.to_string())).collect();
    // The first line has no day of its own, and takes the first of the claim.
    assert_eq!(lines, [("99284-25", "2026-01-06".into()), ("80053", "2026-01-06".into())]);
    let error = read(file.replace("DTP*434*RD8*20260105-20260107~", "").replace("DTP*472*D8*20260106~", "").as_bytes());
    assert_eq!(error.unwrap_err().to_string(), "DTP*472 must have a day of service");
    let error = read(file.replace("CLM*A-1", "CLM*").as_bytes());
    assert_eq!(error.unwrap_err().to_string(), "claims[0]: CLM01 must be a number that X12 can carry");
}

#[test]
fn a_claim_of_the_service_and_one_with_lines_are_read() {
    let patient = json!({ "first_name": "Jane", "last_name": "Doe", "date_of_birth": "1984-06-02", "member_id": "W1" });
    let one = json!({ "patient": patient, "claim": { "claim_number": "A-1", "payer_name": "Acme",
        "date_of_service": "2026-01-05", "billed_amount": "120.00", "procedure_code": "99214-25", "plan_type": "erisa" } });
    let two = json!({ "patient": patient, "claim": { "claim_number": "A-2", "payer_name": "Acme",
        "date_of_service": "2026-01-06", "lines": [
            { "procedure_code": "85025", "charge": "20.00" },
            { "procedure_code": "99213", "charge": "100", "date_of_service": "2026-01-07" }] } });
    for text in
        [json!({ "claims": [one, two] }).to_string(), json!([one, two]).to_string(), format!("\u{feff}{one}\n{two}\n")]
    {
        let claims = read(text.as_bytes()).unwrap();
        let [first, second] = &claims[..] else { panic!("{}", claims.len()) };
        assert_eq!((&*first.number, first.charge(), &*first.lines[0].procedure), ("A-1", 12_000, "99214-25"));
        assert_eq!((second.lines.len(), second.charge()), (2, 12_000));
        assert_eq!(second.lines[1].day.to_string(), "2026-01-07");
    }
}

#[test]
fn an_error_names_the_field_and_repeats_no_value() {
    let whole = json!({ "patient": { "first_name": "Jane", "last_name": "Doe" }, "claim": { "claim_number": "A-1",
        "payer_name": "Acme", "date_of_service": "2026-01-05", "billed_amount": "120.00" } });
    for (path, value, error) in [
        ("/claim/billed_amount", json!("SECRET"), "claim.billed_amount must be an amount, such as 120.00"),
        ("/claim/billed_amount", json!("0.00"), "claim.lines must have charges above 0 and up to 10000000.00"),
        ("/claim/billed_amount", json!("10000000.01"), "claim.lines must have charges above 0 and up to 10000000.00"),
        ("/claim/claim_number", json!("SEC*RET"), "claim.claim_number must be a number that X12 can carry"),
        ("/claim/claim_number", json!(null), "claim.claim_number is missing"),
        ("/claim/payer_name", json!(7), "claim.payer_name must be a text"),
        ("/claim/date_of_service", json!("SECRET"), "claim.date_of_service must be a date (YYYY-MM-DD)"),
        ("/claim/date_of_service", json!(null), "claim.date_of_service is missing"),
        ("/patient/last_name", json!(null), "patient.last_name is missing"),
        ("/patient", json!(null), "patient.first_name is missing"),
    ] {
        let mut wrong = whole.clone();
        *wrong.pointer_mut(path).unwrap() = value;
        let found = read(json!([whole, wrong]).to_string().as_bytes()).unwrap_err();
        assert_eq!(found.to_string(), format!("claims[1]: {error}"));
    }
    let mut wrong = whole.clone();
    wrong["claim"]["lines"] = json!({});
    assert_eq!(read(wrong.to_string().as_bytes()).unwrap_err().to_string(), "claims[0]: claim.lines must be a list");
    wrong["claim"]["lines"] = json!([]);
    assert_eq!(
        read(wrong.to_string().as_bytes()).unwrap_err().to_string(),
        "claims[0]: claim.lines must be 1 to 999 lines"
    );
    assert_eq!(read(b"{\n SECRET").unwrap_err(), InputError::Json(2, 2));
    assert_eq!(read(b" ").unwrap_err(), InputError::NoClaim);
    assert_eq!(read(b"[]").unwrap_err(), InputError::NoClaim);
}
