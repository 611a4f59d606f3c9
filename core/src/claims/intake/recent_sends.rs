//! Guesses that arrive at the same time.
//!
//! Resends that load before the first mismatch of a day commits see a claim without mismatches. The Durable Object that
//! counts the sends of a key sees them one after the other. So it remembers for a minute for which patient and claim
//! each number was sent. A number that came for two different ones is contested: the store confirms its match before
//! the answer. The object gets only hashes under a secret of the service, and keeps them only in memory.

use super::send::ValidSend;
use crate::base::instant::Instant;
use crate::base::text::normalise;
use alloc::collections::{BTreeMap, VecDeque};
use alloc::string::ToString;
use alloc::vec::Vec;
use core::hash::{Hash, Hasher};

/// How long a number is remembered, in milliseconds.
const MEMORY_MS: i64 = 60_000;
/// How many numbers are remembered. Beyond them, each is contested, which costs a match one statement.
const NUMBERS_MAX: usize = 20_000;

/// Hashes of a claim number, and of the patient and claim that it was sent for.
pub type Mark = (u64, u64);

/// The marks of a send's items, in order. `hasher` returns a new hasher, always the same one, with a secret key.
pub fn marks<H: Hasher>(send: &ValidSend<'_>, hasher: impl Fn() -> H) -> Vec<Mark> {
    let mark = |item: &crate::claims::Item<'_>| {
        let (patient, claim) = (&item.patient, &item.claim);
        let mut number = hasher();
        claim.claim_number.hash(&mut number);
        let mut sent = hasher();
        normalise(&patient.first_name).hash(&mut sent);
        normalise(&patient.last_name).hash(&mut sent);
        patient.date_of_birth.to_string().hash(&mut sent);
        claim.date_of_service.to_string().hash(&mut sent);
        claim.procedure_code.as_deref().map(normalise).hash(&mut sent);
        (number.finish(), sent.finish())
    };
    send.items.iter().map(mark).collect()
}

#[derive(Debug)]
struct Number {
    /// The hash of its patient and claim.
    sent: u64,
    /// When it came last.
    at: Instant,
    /// True once it came for another patient or claim. It is contested from then on.
    is_split: bool,
}

/// The patients and claims that the numbers of a key were sent for in the last minute.
#[derive(Default, Debug)]
pub struct RecentSends {
    numbers: BTreeMap<u64, Number>,
    /// The arrival times, oldest first.
    arrivals: VecDeque<(Instant, u64)>,
}

impl RecentSends {
    /// The indexes of the marks whose number recently came for different patients or claims.
    pub fn contested(&mut self, marks: &[Mark], now: Instant) -> Vec<usize> {
        self.forget(now);
        let mut contested = Vec::new();
        for (place, (number, sent)) in marks.iter().enumerate() {
            let is_full = self.numbers.len() >= NUMBERS_MAX;
            if is_full && !self.numbers.contains_key(number) {
                contested.push(place);
                continue;
            }
            let known = self.numbers.entry(*number).or_insert(Number { sent: *sent, at: now, is_split: false });
            known.is_split |= known.sent != *sent;
            known.at = now;
            if known.is_split {
                contested.push(place);
            }
            self.arrivals.push_back((now, *number));
        }
        contested
    }

    fn forget(&mut self, now: Instant) {
        while let Some((at, number)) = self.arrivals.front().copied() {
            if now.since(at) < MEMORY_MS {
                return;
            }
            self.arrivals.pop_front();
            if self.numbers.get(&number).is_some_and(|known| known.at == at) {
                self.numbers.remove(&number);
            }
        }
    }
}
