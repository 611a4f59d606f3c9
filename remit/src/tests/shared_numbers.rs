//! One claim for each number, and numbers that stand for several claims.

use super::history::part;
use super::{era, held, jane, numbers, options, run, run_with, sent};

#[test]
fn a_number_of_two_patients_or_days_is_held() {
    let jane_doe = part("1", 0, "P-1", "50");
    let other_day = jane_doe.replace("20260105", "20260106").replace("P-1", "P-2");
    let other_patient = jane_doe.replace("JANE", "JOHN").replace("W1", "W2").replace("P-1", "P-3");
    let reason = "denials of different patients or days of service share this claim number";
    for other in [&other_day, &other_patient] {
        let outcome = run(&[&era(&[&*jane_doe, other].concat()), &jane()]);
        assert_eq!(held(&outcome), [("A-1", reason.into()), ("A-1", reason.into())]);
    }
    // A payment of the other claim is none.
    let paid = other_day.replace("*100*0*", "*100*100*").replace("CAS*CO*50*100~", "");
    assert_eq!(numbers(&run(&[&era(&[&*jane_doe, &paid].concat()), &jane()])), ["A-1"]);
}

#[test]
fn an_option_appends_the_day() {
    let jane_doe = part("1", 0, "P-1", "50");
    let other_day = jane_doe.replace("20260105", "20260106").replace("P-1", "P-2");
    let mut options = options();
    options.append_day = true;
    let outcome = run_with(options.clone(), &[&era(&[&*jane_doe, &other_day].concat()), &jane()]);
    assert_eq!(numbers(&outcome), ["A-1-20260105", "A-1-20260106"]);
    let other_patient = jane_doe.replace("JANE", "JOHN").replace("P-1", "P-3");
    let outcome = run_with(options, &[&era(&[&*jane_doe, &other_patient].concat()), &jane()]);
    assert!(outcome.claims.is_empty());
    assert_eq!(outcome.held.len(), 2);
}

#[test]
fn each_number_is_one_claim() {
    let body = [part("1", 0, "P-1", "50"), part("1", 0, "P-2", "50").replace("A-1", "A-2")].concat();
    let submitted = sent("HL*2*1*22*0~NM1*IL*1*DOE*JANE****MI*W1~DMG*D8*19840602~CLM*A-1*100~CLM*A-2*100~");
    assert_eq!(numbers(&run(&[&era(&body), &submitted])), ["A-1", "A-2"]);
}
