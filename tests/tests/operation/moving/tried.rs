//! A sandbox that somebody tries out while its practice moves.

use super::callers::follow;
use overturn_tests::prelude::*;
use overturn_tests::sandbox::{Sandbox, says, sweep};
use std::collections::BTreeMap;

const HOUR_MS: i64 = 3_600_000;
/// How many calls the clock is advanced by between two claims.
const BETWEEN: i64 = 8;
/// A claim with this number is decided after forty days.
const PREFIX: &str = "RECOVER";

/// What was sent to a sandbox, and how often its clock was advanced.
pub(super) struct Tried<'s> {
    sandbox: Sandbox<'s>,
    follower: Client,
    cursor: String,
    seen: BTreeMap<(String, String), usize>,
    hours: i64,
    claims: usize,
}

impl<'s> Tried<'s> {
    pub(super) fn of(live: &Tenant<'s>) -> Self {
        let sandbox = Sandbox::of(live);
        let (follower, _) = sandbox.token(365);
        Self { sandbox, follower, cursor: "start".into(), seen: BTreeMap::new(), hours: 0, claims: 0 }
    }

    /// Advances the clock by an hour, and sometimes sends a claim.
    pub(super) fn goes_on(&mut self) {
        if self.hours % BETWEEN == 0 {
            self.sandbox.client.send(&item(&format!("{PREFIX}-{}", self.claims))).expect(201);
            self.claims += 1;
        }
        self.advance(1);
        follow(&self.follower, &mut self.cursor, &mut self.seen);
    }

    /// The clock has all hours by which it was advanced, and no more.
    fn advance(&mut self, hours: i64) {
        self.hours += hours;
        let before = now().0;
        let says = says(&self.sandbox.advance(&format!("PT{hours}H"))) - self.hours * HOUR_MS;
        assert!((before..=now().0).contains(&says), "{} ms from {before}", says - before);
    }

    /// All claims came to their end, each by every step once.
    pub(super) fn ends(mut self) -> usize {
        self.advance(40 * 24);
        wait::until("what is due in the sandbox", || {
            sweep(self.sandbox.practice.server);
            follow(&self.follower, &mut self.cursor, &mut self.seen);
            (0..self.claims).all(|n| self.seen.contains_key(&(format!("{PREFIX}-{n}"), "recovered".into())))
        });
        assert_eq!(self.seen.iter().find(|(_, count)| **count > 1), None, "a change came twice");
        self.claims
    }
}
