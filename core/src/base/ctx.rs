//! Time and fresh ids, passed in once per request.

use crate::base::cell::Cell;
use crate::base::date::Date;
use crate::base::id::RequestId;
use crate::base::instant::Instant;
use alloc::string::String;
use sha2::{Digest, Sha256};
use uuid::{Builder, Uuid};

/// The purpose of a fresh id. Each purpose has its own sequence.
#[derive(Clone, Copy, Debug)]
pub enum Purpose {
    /// The claim of the nth item of a request.
    Claim,
    /// The submission of a request.
    Submission,
    /// The nth audit row of a request.
    Audit,
    /// The nth record of another kind.
    Record,
    /// The nth message to a practice's endpoints.
    Message,
    /// The nth id of a new data key and of its audit row.
    DataKey,
}

/// The instant of a request and the source of its ids.
///
/// Ids are a function of the seed, so two decisions within one request give the same ids. If the answer to a commit is
/// lost, the request recognizes the claims that it created by these ids.
#[derive(Clone, Debug)]
pub struct Ctx {
    /// The instant of the request, taken once.
    pub now: Instant,
    /// The same by the real clock, which that of a sandbox is ahead of.
    pub real: Instant,
    /// The request's id.
    pub request_id: RequestId,
    /// The IP address of the request, for the audit trail. `None` for work without a request.
    pub address: Option<String>,
    /// Where the records that it makes live.
    pub cell: Cell,
    seed: [u8; 32],
}

impl Ctx {
    /// `seed` must come from a cryptographic source and be used for one request only.
    #[must_use]
    pub fn new(now: Instant, seed: [u8; 32]) -> Self {
        let request_id = RequestId(Uuid::nil());
        let mut ctx = Self { now, real: now, request_id, address: None, cell: Cell::FIRST, seed };
        ctx.request_id = RequestId(ctx.derive(0, 0));
        ctx
    }

    /// The same with an IP address.
    #[must_use]
    pub fn from_address(mut self, address: &str) -> Self {
        self.address = (!address.is_empty()).then(|| address.into());
        self
    }

    /// The same request, whose records live in another cell.
    #[must_use]
    pub fn in_cell(&self, cell: Cell) -> Self {
        Self { cell, ..self.clone() }
    }

    /// The nth part of the same request, with ids of its own.
    #[must_use]
    pub fn part(&self, n: u64) -> Self {
        let mut hash = Sha256::new();
        hash.update(self.seed);
        hash.update(n.to_be_bytes());
        Self { seed: hash.finalize().into(), ..self.clone() }
    }

    /// The same request at another instant: that of a clock which is ahead.
    #[must_use]
    pub fn at(&self, now: Instant) -> Self {
        Self { now, ..self.clone() }
    }

    /// The same request by the real clock.
    #[must_use]
    pub fn by_real_clock(&self) -> Self {
        self.at(self.real)
    }

    /// The nth fresh id for a purpose: a version 7 UUID, so that new rows are appended in order of time.
    #[must_use]
    pub fn id(&self, purpose: Purpose, n: usize) -> Uuid {
        let domain = match purpose {
            Purpose::Claim => 1,
            Purpose::Submission => 2,
            Purpose::Audit => 3,
            Purpose::Record => 4,
            Purpose::Message => 5,
            Purpose::DataKey => 6,
        };
        self.derive(domain, n)
    }

    /// True if an id is the nth one for a purpose. One of another instant costs no hash.
    #[must_use]
    pub fn has_made(&self, id: Uuid, purpose: Purpose, n: usize) -> bool {
        id.as_u128() >> 80 == u128::from(self.unix_ms()) && id == self.id(purpose, n)
    }

    /// Today's UTC date.
    #[must_use]
    pub fn today(&self) -> Date {
        Date::of(self.now)
    }

    /// The earliest date that it still is somewhere in the United States: in American Samoa, 11 hours behind UTC. A day
    /// before it has passed everywhere.
    #[must_use]
    pub fn earliest_today(&self) -> Date {
        const BEHIND_MS: i64 = -11 * 3_600_000;
        Date::of(self.now.plus(BEHIND_MS))
    }

    /// The latest date that it already is somewhere in the United States: in Guam, 10 hours ahead of UTC. A day after it is
    /// in the future everywhere. A claim's dates are compared with [`today`](Self::today).
    #[must_use]
    pub fn latest_today(&self) -> Date {
        const AHEAD_MS: i64 = 10 * 3_600_000;
        Date::of(self.now.plus(AHEAD_MS))
    }

    fn derive(&self, domain: u8, n: usize) -> Uuid {
        let mut hash = Sha256::new();
        hash.update(self.seed);
        hash.update([domain]);
        hash.update((n as u64).to_be_bytes());
        let mut random = [0_u8; 10];
        for (to, from) in random.iter_mut().zip(hash.finalize()) {
            *to = from;
        }
        Builder::from_unix_timestamp_millis(self.unix_ms(), &self.cell.stamp(random)).into_uuid()
    }

    fn unix_ms(&self) -> u64 {
        u64::try_from(self.now.0).unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_same_instant_purpose_and_number_have_made_an_id() {
        let ctx = |ms, seed| Ctx::new(Instant(ms), [seed; 32]);
        let id = ctx(5, 1).id(Purpose::Claim, 3);
        assert!(ctx(5, 1).has_made(id, Purpose::Claim, 3));
        assert!(!ctx(5, 1).has_made(id, Purpose::Claim, 2));
        assert!(!ctx(5, 1).has_made(id, Purpose::Record, 3));
        assert!(!ctx(5, 2).has_made(id, Purpose::Claim, 3));
        assert!(!ctx(6, 1).has_made(id, Purpose::Claim, 3));
    }

    #[test]
    fn the_dates_of_today_are_those_from_american_samoa_to_guam() {
        const HOUR_MS: i64 = 3_600_000;
        let days = |hour| {
            let ctx = Ctx::new(Instant(1_772_582_400_000 + hour * HOUR_MS), [1; 32]);
            [ctx.earliest_today(), ctx.today(), ctx.latest_today()].map(|day| alloc::format!("{day}"))
        };
        assert_eq!(days(0), ["2026-03-03", "2026-03-04", "2026-03-04"]);
        assert_eq!(days(13), ["2026-03-04"; 3]);
        assert_eq!(days(14), ["2026-03-04", "2026-03-04", "2026-03-05"]);
    }

    #[test]
    fn the_same_seed_gives_the_same_ids_and_another_gives_others() {
        let a = Ctx::new(Instant(1_700_000_000_000), [1; 32]);
        let b = Ctx::new(Instant(1_700_000_000_000), [2; 32]);
        assert_eq!(a.id(Purpose::Claim, 7), a.clone().id(Purpose::Claim, 7));
        assert_ne!(a.id(Purpose::Claim, 7), a.id(Purpose::Claim, 8));
        assert_ne!(a.id(Purpose::Claim, 7), a.id(Purpose::Audit, 7));
        assert_ne!(a.id(Purpose::Claim, 7), b.id(Purpose::Claim, 7));
        assert_eq!(a.id(Purpose::Claim, 7).get_version_num(), 7);
        assert_eq!(Cell::of(a.id(Purpose::Claim, 7).as_bytes()), Cell::FIRST);
        let elsewhere = a.in_cell(Cell(0x0102)).id(Purpose::Claim, 7);
        assert_eq!(Cell::of(elsewhere.as_bytes()), Cell(0x0102));
    }
}
