//! Denials without a date of birth, and the template for people.

use super::{era, held, numbers, only, options, run, run_with, sent};
use crate::{Births, template};

const DENIED: &str = "CLP*A-1*1*100*0**12*P-1~NM1*QC*1*=DOE*JANE****MI*W1~DTM*232*20260105~CAS*CO*50*100~
CLP*A-2*1*50*0**12*P-2~NM1*QC*1*=DOE*JANE****MI*W1~DTM*232*20260106~CAS*CO*50*50~
CLP*A-3*1*70*0**12*P-3~NM1*QC*1*ROE*RAY~DTM*232*20260106~CAS*CO*50*70~
CLP*A-4*1*70*0**12*P-4~NM1*QC*1*ROE*RAY~DTM*232*20260107~CAS*CO*50*70~";

#[test]
fn a_denial_without_a_date_of_birth_is_held_and_the_template_has_one_row_a_patient() {
    let outcome = run(&[&era(DENIED)]);
    let reason = || "no date of birth".into();
    assert_eq!(held(&outcome), [("A-1", reason()), ("A-2", reason()), ("A-3", reason()), ("A-4", reason())]);
    // Without a member id, two claims of the same names could be two patients.
    assert_eq!(outcome.missing_births.len(), 3);
    let text = template(&outcome.missing_births);
    assert_eq!(text.lines().count(), 4);
    assert!(
        text.starts_with("\"key\",\"last_name\",\"first_name\",\"member_id\",\"claim_number\",\"date_of_birth\"\r\n")
    );
    assert!(text.contains("\"'=DOE\",\"JANE\",\"W1\",\"A-1\",\"\""), "{text}");
}

#[test]
fn the_template_is_read_back_when_it_is_filled_in() {
    let outcome = run(&[&era(DENIED)]);
    let text = template(&outcome.missing_births);
    for (date, fits) in [("1984-06-02", true), ("6/2/1984", true), ("6/2/84", false), ("", false)] {
        let filled = text.replace(",\"\"\r\n", &[",", date, "\r\n"].concat());
        let mut options = options();
        options.births = Births::read(&filled).unwrap();
        let outcome = run_with(options, &[&era(DENIED)]);
        let expected: &[&str] = if fits { &["A-1", "A-2", "A-3", "A-4"] } else { &[] };
        assert_eq!(numbers(&outcome), expected, "{date}");
    }
}

#[test]
fn a_row_settles_dates_of_birth_that_disagree() {
    let files = sent(
        "HL*2*1*22*0~NM1*IL*1*DOE*JANE****MI*W1~DMG*D8*19840602~CLM*A-1*100~
        HL*3*1*22*0~NM1*IL*1*DOE*JANE****MI*W1~DMG*D8*19840603~CLM*A-1*100~",
    );
    let denied = era("CLP*A-1*1*100*0**12*P-1~NM1*QC*1*DOE*JANE****MI*W1~DTM*232*20260105~CAS*CO*50*100~");
    let outcome = run(&[&denied, &files]);
    assert_eq!(outcome.missing_births.len(), 1);
    let filled = template(&outcome.missing_births).replace(",\"\"\r\n", ",1984-06-04\r\n");
    let mut options = options();
    options.births = Births::read(&filled).unwrap();
    let outcome = run_with(options, &[&denied, &files]);
    assert_eq!(only(&outcome)["patient"]["date_of_birth"], "1984-06-04");
}
