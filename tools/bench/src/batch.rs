//! Claims as billing systems send them: most have every field, some have accents, and no two are alike.

use serde_json::{Value, json};

const FIRST: [&str; 8] = ["Dana", "José", "Mary Anne", "Zoë", "Wei", "Oluwaseun", "Robert", "Siobhán"];
const LAST: [&str; 8] = ["Whitfield", "García-Núñez", "O'Brien", "Nguyen", "Smith", "Okafor", "Müller", "Vandenberg"];
const PAYERS: [&str; 5] = [
    "Blue Prairie Health",
    "Anthem Blue Cross of California",
    "UnitedHealthcare",
    "Medicare Part B - Noridian",
    "Aetna Better Health",
];
const PLANS: [&str; 5] = ["commercial", "erisa", "medicare", "medi_cal_managed", "other"];
const CODES: [&[&str]; 4] = [&["CO-50", "N130"], &["PR-204", "CO-45", "MA01"], &["CO-16", "M51"], &["OA-B7"]];
const REASONS: [&str; 3] = [
    "The service is not deemed a medical necessity by the payer.",
    "Claim lacks information or has submission errors needed for adjudication; see remark codes.",
    "Precertification was not obtained before the service.",
];

/// A batch of claims whose numbers start with `prefix`.
#[must_use]
pub(crate) fn of(prefix: &str, count: usize) -> Value {
    json!({ "claims": (0..count).map(|n| item(prefix, n)).collect::<Vec<_>>() })
}

/// The nth claim of a sender.
#[must_use]
pub(crate) fn item(prefix: &str, n: usize) -> Value {
    let mut item = json!({
        "patient": {
            "first_name": FIRST[n % FIRST.len()],
            "last_name": LAST[n / 3 % LAST.len()],
            "date_of_birth": format!("{}-{:02}-{:02}", 1935 + n * 7 % 80, 1 + n % 12, 1 + n * 5 % 28),
            "account_number": format!("ACC-{:07}", n * 7919 % 10_000_000),
            "member_id": format!("W{:09}", n * 104_729 % 1_000_000_000),
        },
        "claim": {
            "claim_number": format!("{prefix}{n:05}"),
            "payer_claim_number": format!("2025{:03}XK{:06}", n % 365, n * 31 % 1_000_000),
            "payer_name": PAYERS[n % PAYERS.len()],
            "date_of_service": format!("2025-{:02}-{:02}", 1 + n % 12, 1 + n * 3 % 28),
            "denial_date": format!("2026-{:02}-{:02}", 1 + n % 9, 1 + n * 11 % 28),
            "plan_type": PLANS[n % PLANS.len()],
            "procedure_code": if n.is_multiple_of(3) { "99214-25" } else { "27447" },
            "billed_amount": format!("{}.{:02}", 80 + n * 37 % 4000, n % 100),
            "denied_amount": format!("{}.{:02}", 40 + n * 17 % 39, n % 100),
            "denial_codes": CODES[n % CODES.len()],
            "denial_reason": REASONS[n % REASONS.len()],
            "diagnosis_codes": ["M17.11", "E11.9"],
        },
    });
    // Fields that many systems do not have.
    if n % 4 == 3 {
        let claim = item["claim"].as_object_mut().unwrap();
        claim.remove("denial_reason");
        claim.remove("plan_type");
        item["patient"].as_object_mut().unwrap().remove("account_number");
    }
    item
}
