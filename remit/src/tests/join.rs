//! The join of remittances with claim files, and the claim number.

use super::{era, field, held, jane, numbers, only, run, sent};
use alloc::format;
use alloc::string::String;

/// A denial of Jane Doe's claim under a number.
fn answer(number: &str) -> String {
    era(&format!("CLP*{number}*1*100*0**12*P-1~NM1*QC*1*DOE*JANE****MI*W1~DTM*232*20260105~CAS*CO*50*100~"))
}

/// A claim of an 837: number, names, date of birth, member id, day, charge.
fn claim(number: &str, names: &str, born: &str, member: &str, day: &str, charge: &str) -> String {
    format!(
        "HL*2*1*22*0~NM1*IL*1*{names}****MI*{member}~DMG*D8*{born}~CLM*{number}*{charge}~LX*1~SV1*HC:99213*{charge}~DTP*472*D8*{day}~"
    )
}

fn born(number: &str, claims: &[String]) -> Option<String> {
    let outcome = run(&[&answer(number), &sent(&claims.concat())]);
    let claim = outcome.claims.first()?;
    let value: serde_json::Value = serde_json::from_str(&claim.json).unwrap();
    value["patient"]["date_of_birth"].as_str().map(String::from)
}

#[test]
fn the_claim_with_the_same_number_is_joined() {
    let claims = [
        claim("A-1", "DOE*JANE", "19840602", "W1", "20260105", "100"),
        claim("A-10", "DOE*JANE", "19700101", "W9", "20260105", "100"),
        claim("a-1", "DOE*JANE", "19700102", "W9", "20260105", "100"),
    ];
    assert_eq!(born("A-1", &claims).as_deref(), Some("1984-06-02"));
}

#[test]
fn a_cut_number_is_the_longer_number_of_the_claim_file() {
    for (cut, whole) in [
        ("12345678901234567890", "12345678901234567890-77"),
        ("12345678901234567", "123456789012345678901"),
        ("12345678901234567", "123456789012345678"),
    ] {
        let claims = [claim(whole, "DOE*JANE", "19840602", "W1", "20260105", "100")];
        let outcome = run(&[&answer(cut), &sent(&claims.concat())]);
        assert_eq!(numbers(&outcome), [whole]);
    }
    // A number of another length is not cut, and an exact number comes first.
    let claims = [claim("1234567890123456789", "DOE*JANE", "19840602", "W9", "20260105", "100")];
    assert_eq!(born("123456789012345678", &claims), None);
    let exact = [
        claim("12345678901234567890", "DOE*JANE", "19840602", "W1", "20260105", "100"),
        claim("12345678901234567890-1", "DOE*JANE", "19700101", "W9", "20260105", "100"),
    ];
    let outcome = run(&[&answer("12345678901234567890"), &sent(&exact.concat())]);
    assert_eq!(numbers(&outcome), ["12345678901234567890"]);
}

#[test]
fn of_several_longer_numbers_names_day_and_charge_decide() {
    let cut = "12345678901234567890";
    let number = |end: &str| format!("{cut}{end}");
    let claims = [
        claim(&number("-1"), "DOE*JANE", "19840602", "W1", "20260106", "100"),
        claim(&number("-2"), "DOE*JANE", "19840602", "W1", "20260105", "100"),
        claim(&number("-3"), "DOE*JANE", "19840602", "W1", "20260105", "90"),
        claim(&number("-4"), "ROE*RAY", "19700101", "W9", "20260105", "100"),
    ];
    let outcome = run(&[&answer(cut), &sent(&claims.concat())]);
    assert_eq!(numbers(&outcome), [number("-2")]);
    let again = [&claims[..], &[claim(&number("-5"), "DOE*JANE", "19840602", "W1", "20260105", "100")]].concat();
    let outcome = run(&[&answer(cut), &sent(&again.concat())]);
    assert_eq!(held(&outcome), [(cut, "the payer cut the claim number, and several claims fit".into())]);
}

#[test]
fn a_zero_is_the_claim_that_fits_in_all() {
    for number in ["0", ""] {
        let claims = [
            claim("A-1", "DOE*JANE", "19840602", "W1", "20260105", "100"),
            claim("A-2", "DOE*JANE", "19840602", "W1", "20260106", "100"),
            claim("A-3", "DOE*JANE", "19840602", "W1", "20260105", "90"),
            claim("A-4", "DOE*JANE", "19700101", "W2", "20260105", "100"),
            claim("A-5", "DOE*JOHN", "19700101", "W1", "20260105", "100"),
        ];
        let outcome = run(&[&answer(number), &sent(&claims.concat())]);
        assert_eq!(numbers(&outcome), ["A-1"], "{number}");
        let twice = [&claims[..], &[claim("A-6", "DOE*JANE", "19840602", "W1", "20260105", "100")]].concat();
        for files in [sent(&twice.concat()), sent(&claims[1])] {
            let outcome = run(&[&answer(number), &files]);
            assert_eq!(held(&outcome), [(number, "the payer got no claim number, and no single claim fits".into())]);
        }
    }
}

#[test]
fn a_claim_whose_names_disagree_is_not_used() {
    for (names, used) in [
        ("DOE*JANE", true),
        ("Doe*Jane Q", true),
        ("DOE*JAN", true),
        ("*", true),
        ("ROE*JANE", false),
        ("DOE*JOHN", false),
        ("DOE*J", false),
    ] {
        let claims = [claim("A-1", names, "19840602", "W9", "20260105", "100")];
        let outcome = run(&[&answer("A-1"), &sent(&claims.concat())]);
        let is_joined = !held(&outcome).contains(&("A-1", "no date of birth".into()));
        assert_eq!(is_joined, used, "{names}");
    }
}

#[test]
fn of_claims_with_one_number_the_one_that_fits_is_used() {
    let claims = [
        claim("A-1", "ROE*RAY", "19700101", "W9", "20260105", "100"),
        claim("A-1", "DOE*JANE", "19840602", "W1", "20260105", "100"),
    ];
    assert_eq!(born("A-1", &claims).as_deref(), Some("1984-06-02"));
    // The day, then the charge, then the age decide which lines count.
    let first = sent(&claim("A-1", "DOE*JANE", "19840602", "W1", "20260105", "100").replace("99213", "99211"));
    let later = sent(&claim("A-1", "DOE*JANE", "19840602", "W1", "20260105", "100").replace("99213", "99212"));
    let later = later.replace("20260210*1200", "20260210*1201");
    let other_day =
        sent(&claim("A-1", "DOE*JANE", "19840602", "W1", "20260106", "100")).replace("20260210*", "20260301*");
    for files in [[&first, &later, &other_day], [&other_day, &later, &first]] {
        let outcome = run(&[&answer("A-1"), files[0], files[1], files[2]]);
        assert_eq!(field(&outcome, "procedure_code"), "99212");
    }
}

#[test]
fn dates_of_birth_that_disagree_hold_the_claim() {
    let claims = [
        claim("A-1", "DOE*JANE", "19840602", "W1", "20260105", "100"),
        claim("A-1", "DOE*JANE", "19840603", "W1", "20260105", "100"),
    ];
    let outcome = run(&[&answer("A-1"), &sent(&claims.concat())]);
    assert_eq!(held(&outcome), [("A-1", "claim files give different dates of birth".into())]);
    let lenders = [
        claim("B-1", "DOE*JANE", "19840602", "W1", "20260105", "100"),
        claim("B-2", "DOE*JANE", "19840603", "W1", "20260105", "100"),
    ];
    let outcome = run(&[&answer("A-1"), &sent(&lenders.concat())]);
    assert_eq!(held(&outcome), [("A-1", "claim files give different dates of birth".into())]);
}

#[test]
fn another_claim_of_the_member_lends_its_date_of_birth_only() {
    let lender =
        claim("B-1", "Doe*Jane", "19840602", "w-1", "20251105", "55").replace("CLM*B-1*55~", "CLM*B-1*55~HI*ABK:I10~");
    let outcome = run(&[&answer("A-1"), &sent(&lender)]);
    let value = only(&outcome);
    assert_eq!(value["patient"]["date_of_birth"], "1984-06-02");
    assert_eq!(value["patient"]["last_name"], "DOE");
    assert!(value["claim"]["diagnosis_codes"].is_null());
    assert!(value["claim"]["procedure_code"].is_null());
    for other in [
        claim("B-1", "DOE*JOHN", "19840602", "W1", "20251105", "55"),
        claim("B-1", "DOE*JANE", "19840602", "W2", "20251105", "55"),
    ] {
        let outcome = run(&[&answer("A-1"), &sent(&other)]);
        assert_eq!(held(&outcome), [("A-1", "no date of birth".into())]);
    }
}

#[test]
fn a_replacement_is_answered_under_the_original_number() {
    let original = claim("A-1", "DOE*JANE", "19840602", "W1", "20260105", "100");
    let replacement = claim("A-1R", "DOE*JANE", "19840602", "W1", "20260105", "100")
        .replace("CLM*A-1R*100~", "CLM*A-1R*100***11:B:7~REF*F8*P-0~");
    let outcome = run(&[&answer("A-1"), &sent(&[original, replacement].concat())]);
    assert_eq!(numbers(&outcome), ["A-1"]);
}

#[test]
fn claim_files_may_come_first_last_or_twice() {
    for files in [[&answer("A-1"), &jane(), &jane()], [&jane(), &jane(), &answer("A-1")]] {
        assert_eq!(numbers(&run(&[files[0], files[1], files[2]])), ["A-1"]);
    }
}
