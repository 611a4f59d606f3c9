//! The cases of the open test suite for readers of remittances.

use crate::expected::{Expected, Played, play};
use crate::generate::claims;
use crate::habits::HABITS;
use crate::numbers::Numbers;
use crate::remittance::era;
use crate::script::Script;
use crate::submission::submission;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use serde::Serialize;

/// The files of one payer and the denials that a reader must find in them. All of it is ASCII.
#[derive(Clone, PartialEq, Eq, Serialize, Debug)]
pub struct Case {
    pub case: u32,
    /// The payer, which writes in a way of its own.
    pub payer: &'static str,
    /// 835 files, by day.
    pub remittances: Vec<String>,
    /// The 837 with the claims, which has the dates of birth.
    pub claims: String,
    /// What is denied after all files, by claim number.
    pub expected: Vec<Expected>,
}

/// A case of the suite: one to three claims, each with a script of its own.
#[must_use]
pub fn case(seed: u64, case: u32) -> Case {
    let mut numbers = Numbers::new(seed.wrapping_mul(0x2545_f491_4f6c_dd1d).wrapping_add(case.into()));
    let standard = HABITS.iter().filter(|habits| habits.is_standard());
    let payers: Vec<_> = standard.collect();
    let payer = payers.get(usize::try_from(case).unwrap_or(0) % payers.len().max(1)).copied();
    let habits = payer.unwrap_or(&HABITS[0]);
    let count = 1 + u32::try_from(numbers.below(3)).unwrap_or(0);
    let claims = claims(habits, &mut numbers, &format!("T{case}"), count);
    let scripts: Vec<_> = claims.iter().map(|_| Script::any(&mut numbers)).collect();
    let Played { remittances, expected } = play(&claims, &scripts, habits);
    let text = |bytes| String::from_utf8(bytes).unwrap_or_default();
    let files = (1..).zip(remittances).map(|(control, one)| text(era(habits, &[one], control)));
    Case {
        case,
        payer: habits.name,
        remittances: files.collect(),
        claims: text(submission(habits, &claims, 1)),
        expected,
    }
}
