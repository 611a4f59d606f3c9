//! The text that is kept of one claim has a bound.

use super::{era, field, held, jane, only, run};
use alloc::format;
use alloc::string::String;

fn denial(more: &str) -> String {
    format!("CLP*A-1*1*100*0**12~CAS*CO*50*100~NM1*QC*1*DOE*JANE****MI*W1~DTM*232*20260105~{more}")
}

#[test]
fn the_first_name_and_reference_of_a_claim_count() {
    let more = "REF*F8*F-1~REF*F8*F-2~NM1*QC*1*ROE*JOHN****MI*W2~";
    let file = era(&denial(more));
    let births = jane().replace("CLM*A-1*", "CLM*B-1*");
    let outcome = run(&[&file, &births]);
    assert_eq!(field(&outcome, "payer_claim_number"), "F-1");
    assert_eq!(only(&outcome)["patient"]["last_name"], "DOE");
}

#[test]
fn a_claim_with_too_much_text_is_held() {
    let code = "X".repeat(900);
    let line = format!("SVC*HC:{code}*0*0~");
    let outcome = run(&[&era(&denial(&format!("REF*F8*F-1~{}", line.repeat(400)))), &jane()]);
    assert_eq!(held(&outcome), [("A-1", "an amount cannot be read".into())]);
    let longest = "SVC*HC:99213:25:26:59:76*0*0~REF*6R*12345678901234567890123456789012345678901234567890~";
    let outcome = run(&[&era(&denial(&format!("REF*F8*F-1~{}", longest.repeat(999)))), &jane()]);
    assert_eq!(super::numbers(&outcome), ["A-1"]);
}
