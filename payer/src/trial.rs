//! What a trial needs: claims, what happens to each, and the files of both sides.

use crate::claim::Claim;
use crate::expected::{Played, play};
use crate::generate::claims;
use crate::habits::{HABITS, Habits};
use crate::numbers::Numbers;
use crate::remittance::era;
use crate::script::Script;
use crate::submission::submission;
use alloc::vec::Vec;

/// Claims of one payer, with the script of each.
#[derive(Clone, Debug)]
pub struct Trial {
    pub claims: Vec<Claim>,
    scripts: Vec<Script>,
}

const fn habits() -> &'static Habits {
    let [first, ..] = &HABITS;
    first
}

impl Trial {
    /// The claims, or so many that are made up. Without a script for all, chance decides on each.
    #[must_use]
    pub fn new(seed: u64, read: Option<Vec<Claim>>, count: u32, script: Option<&Script>) -> Self {
        let mut numbers = Numbers::new(seed);
        let claims = read.unwrap_or_else(|| claims(habits(), &mut numbers, "P", count));
        let scripts = claims.iter().map(|_| script.cloned().unwrap_or_else(|| Script::any(&mut numbers))).collect();
        Self { claims, scripts }
    }

    /// What happens.
    #[must_use]
    pub fn play(&self) -> Played<'_> {
        play(&self.claims, &self.scripts, habits())
    }

    /// The claims as an 837.
    #[must_use]
    pub fn submission(&self) -> Vec<u8> {
        submission(habits(), &self.claims, 1)
    }
}

impl Played<'_> {
    /// The remittances of a trial as an 835.
    #[must_use]
    pub fn era(&self) -> Vec<u8> {
        era(habits(), &self.remittances, 1)
    }
}
