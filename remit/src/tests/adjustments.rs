//! CLP02, denials and the classes of adjustment reason codes.

use super::{era, field, held, jane, numbers, options, run, run_with, skipped};
use crate::{CarcClasses, Outcome, Skip};
use alloc::format;
use alloc::string::String;

/// Jane Doe's claim with this status and these adjustments; nothing was paid of 100.00.
fn answer(status: &str, adjustments: &str) -> Outcome {
    let body = format!(
        "CLP*A-1*{status}*100*0**12*P-1~NM1*QC*1*DOE*JANE****MI*W1~DTM*232*20260105~SVC*HC:99213*100*0~{adjustments}"
    );
    run(&[&era(&body), &jane()])
}

/// The same where the claim is the whole of one adjustment.
fn whole(carc: &str) -> Outcome {
    answer("1", &format!("CAS*CO*{carc}*100~"))
}

#[test]
fn a_denial_comes_with_any_status_of_an_adjudication() {
    for status in ["1", "2", "3", "4", "19", "20", "21"] {
        let outcome = answer(status, "CAS*CO*50*100~");
        assert_eq!(numbers(&outcome), ["A-1"], "{status}");
    }
}

#[test]
fn some_statuses_are_never_written() {
    for (status, reason) in [
        ("22", Skip::Reversal),
        ("23", Skip::Forwarded),
        ("25", Skip::Predetermination),
        ("5", Skip::Pending),
        ("10", Skip::Pending),
        ("11", Skip::Pending),
        ("13", Skip::Pending),
        ("15", Skip::Pending),
        ("16", Skip::Pending),
        ("17", Skip::Pending),
        ("27", Skip::Pending),
    ] {
        let outcome = answer(status, "CAS*CO*50*100~");
        assert!(outcome.claims.is_empty() && outcome.held.is_empty(), "{status}");
        assert_eq!(skipped(&outcome, reason), 1, "{status}");
    }
}

#[test]
fn a_denial_may_have_any_group_and_any_unknown_code() {
    for group in ["CO", "PR", "OA", "PI", "CR"] {
        for carc in ["50", "16", "29", "96", "97", "197", "B7", "999", "ZZ1"] {
            let outcome = answer("1", &format!("CAS*{group}*{carc}*100~"));
            assert_eq!(field(&outcome, "denied_amount"), "100.00", "{group} {carc}");
            assert_eq!(field(&outcome, "denial_codes")[0], format!("{group}-{carc}"));
        }
    }
}

fn each_is(codes: &str, reason: Skip) {
    for carc in codes.split_whitespace() {
        let outcome = whole(carc);
        assert!(outcome.claims.is_empty() && outcome.held.is_empty(), "{carc}");
        assert_eq!(skipped(&outcome, reason), 1, "{carc}");
        // Beside a denial it is not denied.
        let outcome = answer("1", &format!("CAS*CO*{carc}*30**50*70~"));
        assert_eq!(field(&outcome, "denied_amount"), "70.00", "{carc}");
    }
}

#[test]
fn the_patients_share_is_no_denial() {
    each_is("1 2 3 36 37 66 142 178 187 201 241 247 248 275 303 P3", Skip::PatientShare);
}

#[test]
fn contractual_adjustments_are_no_denial() {
    each_is(
        "42 44 59 69 70 74 75 76 85 89 90 91 94 102 103 104 105 118 121 122 130 131 132 134 137 139 143 144 161 203 205 209 \
         223 225 229 232 235 237 245 246 253 259 260 262 263 264 265 266 271 278 281 295 307 308 A0 A2 A5 P5 P12 P23 P24 P25 \
         P26 P29 W1",
        Skip::Contractual,
    );
}

#[test]
fn co_45_for_the_whole_charge_has_a_count_of_its_own() {
    let outcome = whole("45");
    assert!(outcome.claims.is_empty());
    assert_eq!(skipped(&outcome, Skip::ContractualWhole), 1);
    assert_eq!(skipped(&outcome, Skip::Contractual), 0);
    let part = answer("1", "CAS*CO*45*80~CAS*PR*1*20~");
    assert_eq!(skipped(&part, Skip::ContractualWhole), 0);
    assert_eq!(skipped(&part, Skip::PatientShare), 1);
    let other_group = answer("1", "CAS*PI*45*100~");
    assert_eq!(skipped(&other_group, Skip::Contractual), 1);
}

#[test]
fn a_prior_payers_adjudication_is_no_denial() {
    each_is("23 71 276 A3", Skip::PriorPayer);
    for group in ["CO", "PR", "OA", "PI", "CR"] {
        assert_eq!(skipped(&answer("2", &format!("CAS*{group}*23*100~")), Skip::PriorPayer), 1);
    }
}

#[test]
fn duplicates_and_pending_claims_are_no_denial() {
    each_is("18 B13", Skip::Duplicate);
    each_is("101 133 257 277 P10 P11", Skip::Pending);
}

#[test]
fn a_payment_elsewhere_is_no_denial() {
    each_is("100 195 290 291 292 293 294 298 300 305 B11", Skip::PaidElsewhere);
}

#[test]
fn capitation_is_no_denial_unless_the_patient_is_unknown() {
    each_is("24 274", Skip::Capitation);
    for carc in ["24", "274"] {
        let outcome = answer("4", &format!("CAS*CO*{carc}*100~"));
        assert_eq!(field(&outcome, "denial_codes")[0], format!("CO-{carc}"));
    }
}

#[test]
fn an_unprocessable_claim_is_billed_again() {
    for remark in ["MOA***MA130~", "MIA*0****MA130~", "LQ*HE*MA130~"] {
        let (before, after) = if remark.starts_with("LQ") { ("", remark) } else { (remark, "") };
        let body = |carcs: &str| -> String {
            format!(
                "CLP*A-1*1*100*0**12*P-1~NM1*QC*1*DOE*JANE****MI*W1~{before}DTM*232*20260105~SVC*HC:99213*100*0~{carcs}{after}"
            )
        };
        let outcome = run(&[&era(&body("CAS*CO*16*100~")), &jane()]);
        assert!(outcome.claims.is_empty(), "{remark}");
        assert_eq!(skipped(&outcome, Skip::Unprocessable), 1, "{remark}");
        let with_45 = run(&[&era(&body("CAS*CO*16*80**45*20~")), &jane()]);
        assert_eq!(skipped(&with_45, Skip::Unprocessable), 1, "{remark}");
        let with_50 = run(&[&era(&body("CAS*CO*16*60**50*40~")), &jane()]);
        assert_eq!(numbers(&with_50), ["A-1"], "{remark}");
    }
    assert_eq!(numbers(&answer("1", "CAS*CO*16*100~LQ*HE*M51~")), ["A-1"]);
}

#[test]
fn a_paid_claim_is_not_written_and_its_denied_line_is() {
    let paid = "CLP*A-1*1*100*80**12*P-1~NM1*QC*1*DOE*JANE****MI*W1~DTM*232*20260105~SVC*HC:99213*100*80~CAS*CO*45*20~";
    let outcome = run(&[&era(paid), &jane()]);
    assert_eq!(skipped(&outcome, Skip::Paid), 1);
    let part = "CLP*A-1*1*100*30**12*P-1~NM1*QC*1*DOE*JANE****MI*W1~DTM*232*20260105~SVC*HC:99213*60*30~CAS*CO*45*30~\
        SVC*HC:85025*40*0~CAS*CO*97*40~";
    let outcome = run(&[&era(part), &jane()]);
    assert_eq!(field(&outcome, "denied_amount"), "40.00");
    assert!(held(&outcome).is_empty());
}

#[test]
fn a_file_of_classes_overrides_the_table() {
    let mut options = options();
    let mut classes = CarcClasses::default();
    classes.override_from("carc,class\n45,denial\n50,contractual\n").unwrap();
    options.classes = classes;
    let outcome = run_with(
        options,
        &[
            &era("CLP*A-1*1*100*0**12*P-1~NM1*QC*1*DOE*JANE~DTM*232*20260105~SVC*HC:99213*100*0~CAS*CO*45*70**50*30~"),
            &jane(),
        ],
    );
    assert_eq!(field(&outcome, "denied_amount"), "70.00");
}
