//! The virus scan of a document, at its upload and later.
//!
//! Only a clean answer of the scanner makes a document available. Anything else but a finding leaves it quarantined, and
//! it is scanned again: after a minute at first, then after twice as long each time, and at least every six hours.

use crate::base::ctx::Ctx;
use crate::base::instant::Instant;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::documents::{DocumentPlace, DocumentState};
use crate::plan::{DocumentsGuard, DocumentsWrite, Guard, Write};
use serde_json::json;

/// The first wait for another scan.
const FIRST_MS: i64 = 60_000;
/// The longest wait.
const LONGEST_MS: i64 = 6 * 3_600_000;

/// What the scanner said of a file.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ScanOutcome {
    /// It found nothing.
    Clean,
    /// It found something.
    Infected,
    /// It did not say: it was away, too slow, over its size limit, or said something else.
    Unknown,
}

/// When a document that was scanned this many times without an answer is scanned again.
#[must_use]
pub fn next(scans: u32, now: Instant) -> Instant {
    let doubled = FIRST_MS.saturating_mul(2_i64.saturating_pow(scans.min(30)));
    now.plus(doubled.min(LONGEST_MS))
}

/// A scan begins, after this many. Another sweep leaves the document alone until the next scan would be due. Nothing is decided yet, so
/// there is no audit row.
#[must_use]
pub fn begin(of: DocumentPlace, scans: u32, now: Instant) -> (Guard, Write<'static>) {
    let unscanned = DocumentsGuard::Scanned(of, scans);
    let write = DocumentsWrite::Scanned {
        of,
        state: DocumentState::Quarantined,
        scan_at: Some(next(scans.saturating_add(1), now)),
    };
    (Guard::Documents(unscanned), Write::Documents(write))
}

/// The change after a later scan. `None` if the scanner did not say.
#[must_use]
pub fn done(of: DocumentPlace, sha256: &str, outcome: ScanOutcome, ctx: &Ctx) -> Option<Change> {
    let entry = |event| Entry::new(ctx, 0, Some(of.practice_id), event, of.id).detail(json!({ "sha256": sha256 }));
    let (event, write) = match outcome {
        ScanOutcome::Unknown => return None,
        ScanOutcome::Clean => {
            (Event::DocumentReleased, DocumentsWrite::Scanned { of, state: DocumentState::Available, scan_at: None })
        }
        ScanOutcome::Infected => {
            (Event::DocumentInfected, DocumentsWrite::Removed { of, state: DocumentState::Infected })
        }
    };
    let quarantined = DocumentsGuard::InState(of, DocumentState::Quarantined);
    let change = Change::new(entry(event), Answer::empty());
    Some(change.guard(Guard::Documents(quarantined)).write(Write::Documents(write)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::id::{DocumentId, PracticeId};
    use crate::testing::test;
    use uuid::Uuid;

    const NOW: Instant = Instant(1_800_000_000_000);

    #[test]
    fn the_waits_double_up_to_six_hours() {
        let waits = [0, 1, 2, 8, 9, 40].map(|scans| next(scans, NOW).since(NOW) / 60_000);
        assert_eq!(waits, [1, 2, 4, 256, 360, 360]);
    }

    #[test]
    fn only_a_clean_answer_releases_and_no_answer_changes_nothing() {
        let of = DocumentPlace { practice_id: PracticeId(Uuid::from_u128(1)), id: DocumentId(Uuid::from_u128(2)) };
        let ctx = Ctx::new(NOW, [7; 32]);
        assert!(done(of, "00", ScanOutcome::Unknown, &ctx).is_none());
        let state = |outcome| match done(of, "00", outcome, &ctx).unwrap().writes.pop() {
            Some(Write::Documents(DocumentsWrite::Scanned { state, .. } | DocumentsWrite::Removed { state, .. })) => {
                state
            }
            other => panic!("{other:?}"),
        };
        assert_eq!(state(ScanOutcome::Clean), DocumentState::Available);
        assert_eq!(state(ScanOutcome::Infected), DocumentState::Infected);
    }
}
