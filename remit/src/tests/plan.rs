//! `plan_type`.

use super::{era, era_of, field, jane, options, run, run_with};
use crate::PayerPlans;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

#[test]
fn the_plan_type_is_that_of_the_claim_filing_indicator() {
    let of = |payer: &str, filing: &str, submitted: &str| {
        let body = format!("CLP*A-1*1*100*0**{filing}*P-1~NM1*QC*1*DOE*JANE~DTM*232*20260105~CAS*CO*50*100~");
        let jane = jane().replace("*******CI", &format!("*******{submitted}"));
        field(&run(&[&era_of(payer, "20260202", &body), &jane]), "plan_type").as_str().map(String::from)
    };
    for (codes, plan) in [
        ("MA MB", Some("medicare")),
        ("16", Some("medicare_advantage")),
        ("12 13 14 15 17", Some("commercial")),
        ("CH", Some("tricare")),
        ("WC", Some("workers_comp")),
        ("AM DS LM OF TV VA", Some("other")),
        ("HM ZZ MC BL CI 11", None),
    ] {
        for code in codes.split(' ') {
            assert_eq!(of("ACME", code, "MB").as_deref(), plan, "CLP06 {code}");
            assert_eq!(of("ACME", "", code).as_deref(), plan, "SBR09 {code}");
        }
    }
    for payer in
        ["CALIFORNIA DEPARTMENT OF HEALTH CARE SERVICES", "DHCS Medi-Cal", "MEDI-CAL", "Medi-Cal Fiscal Intermediary"]
    {
        assert_eq!(of(payer, "MC", "CI").as_deref(), Some("medi_cal_ffs"), "{payer}");
    }
    for payer in ["LA CARE MEDI-CAL", "TEXAS MEDICAID", "DHCSX"] {
        assert_eq!(of(payer, "MC", "CI"), None, "{payer}");
    }
}

#[test]
fn a_file_of_payers_comes_before_the_indicator() {
    let mut options = options();
    options.plans = PayerPlans::read("payer_name,plan_type\nAcme  health.,erisa\n").unwrap();
    let body = "CLP*A-1*1*100*0**12*P-1~NM1*QC*1*DOE*JANE~DTM*232*20260105~CAS*CO*50*100~";
    let outcome = run_with(options.clone(), &[&era(body), &jane()]);
    assert_eq!(field(&outcome, "plan_type"), "erisa");
    let outcome = run_with(options, &[&era_of("OTHER", "20260202", body), &jane()]);
    assert_eq!(field(&outcome, "plan_type"), "commercial");
    assert!(PayerPlans::read("payer_name,plan_type\nAcme,hmo\n").is_err());
}

#[test]
fn claims_without_a_plan_are_counted_by_payer() {
    let denied = |number: &str, filing: &str| {
        format!("CLP*{number}*1*100*0**{filing}*P-{number}~NM1*QC*1*DOE*JANE****MI*W1~DTM*232*20260105~CAS*CO*50*100~")
    };
    let files = [
        era_of("Acme Health", "20260202", &denied("A-1", "HM")),
        era_of("OTHER", "20260203", &denied("A-2", "HM")),
        era_of("ACME  HEALTH.", "20260204", &(denied("A-3", "HM") + &denied("A-4", "12"))),
        jane(),
    ];
    let outcome = run_with(options(), &[&files[0], &files[1], &files[2], &files[3]]);
    let missing = outcome.missing_plans.payers();
    let found: Vec<_> = missing.iter().map(|one| (&*one.payer_name, one.claims)).collect();
    assert_eq!(found, [("Acme Health", 2), ("OTHER", 1)]);
    assert_eq!(outcome.missing_plans.claims(), 3);
}
