//! Makes balanced remittances with known denials, and the claim files that fit them. For tests and benchmarks.
//!
//! Each remittance comes from a payer with habits of its own: separators, where adjustments stand, how it writes names and
//! numbers. The same seed gives the same bytes.
#![allow(clippy::arithmetic_side_effects, reason = "the numbers of a generated file are small and known")]

mod balance;
mod claim;
mod habits;

use crate::amount::Amount;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
pub use balance::balance;
use claim::Claim;
pub use claim::Mix;
use habits::{File, Habits, Numbers, PAYERS};

/// A denial that a run must write.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Expected {
    pub claim_number: String,
    /// What was denied.
    pub denied: Amount,
}

/// Files and what must come out of them.
#[derive(Clone, Default, Debug)]
pub struct Generated {
    /// 835 files, one for each payer.
    pub remittances: Vec<Vec<u8>>,
    /// 837 files, one for each payer.
    pub submissions: Vec<Vec<u8>>,
    /// The denials, by claim number.
    pub expected: Vec<Expected>,
}

/// Files of four payers with about `claims` claim payments in all, the same for the same seed.
#[must_use]
pub fn generate(seed: u64, claims: u32) -> Generated {
    generate_as(seed, claims, Mix::Dense)
}

/// The same with claims of another kind.
#[must_use]
pub fn generate_as(seed: u64, claims: u32, mix: Mix) -> Generated {
    let mut generated = Generated::default();
    for (at, habits) in PAYERS.iter().enumerate() {
        let count = claims / 4 + u32::from(claims % 4 > at as u32);
        payer(habits, Numbers(seed ^ ((at as u64) << 32)), at, count, mix, &mut generated);
    }
    generated.expected.sort();
    generated
}

fn payer(habits: &Habits, mut numbers: Numbers, at: usize, count: u32, mix: Mix, to: &mut Generated) {
    let mut body = Vec::new();
    let mut submission = File::new(habits, "HC", "837");
    submission.add("BHT*0019*00*1*20260201*1200*CH");
    submission.add("HL*1**20*1");
    submission.add("NM1*85*2*PRACTICE*****XX*1234567893");
    let mut paid = 0;
    for visit in 0..count {
        let claim = Claim::new(habits, &mut numbers, at, visit, mix);
        claim.submit(visit, &mut submission);
        paid += claim.paid();
        claim.answer(habits, &mut body);
        let denied: i64 = claim.lines.iter().map(|line| line.denied).sum();
        if denied > 0 {
            to.expected.push(Expected { claim_number: claim.number, denied: Amount(denied) });
        }
    }
    to.submissions.push(submission.end());
    let mut remittance = File::new(habits, "HP", "835");
    remittance.add(&format!("BPR*I*{}*C*ACH************20260203", Amount(paid)));
    remittance.add("TRN*1*12345*1512345678");
    remittance.add("DTM*405*20260202");
    remittance.add(&format!("N1*PR*{}", habits.name));
    remittance.add("N1*PE*PRACTICE*XX*1234567893");
    remittance.add("LX*1");
    for segment in &body {
        remittance.add(segment);
    }
    to.remittances.push(remittance.end());
}
