//! The documents whose time is over.

use super::{DAY_MS, Documents, NOW};
use crate::documents::document::DocumentKind;
use crate::documents::removal;
use crate::documents::retention::{
    DocumentSettingsEdit, FAILED_MS, RETENTION_DAYS, complete, edited, expired, failed, rests, settings,
};
use crate::documents::scan::ScanOutcome;
use crate::request::if_match::Seen;
use overturn_core::base::id::DocumentId;
use overturn_core::base::instant::Instant;

const fn day(n: i64) -> Instant {
    NOW.plus(n.saturating_mul(DAY_MS))
}

impl Documents {
    fn expired(&mut self, now: Instant) -> Vec<DocumentId> {
        let mut found: Vec<_> = self.f.read(&expired(now)).iter().map(|one| one.id).collect();
        found.sort();
        found
    }

    fn settings(&mut self, edit: DocumentSettingsEdit) {
        let stored = self.f.read(&settings("session"));
        let ctx = self.f.ctx();
        let read = (stored, Seen::Version(stored.version));
        let change = edited(edit, read, &self.owner(), &ctx).unwrap();
        self.commit(&ctx, change).unwrap();
    }

    fn claim_is(&mut self, n: usize, status: &str, since: Instant) {
        let sql = "UPDATE claims SET status = ?1, updated_at = ?2 WHERE id = ?3";
        let params = rusqlite::params![status, since.0, self.claims[n].to_string()];
        assert_eq!(self.f.db.execute(sql, params).unwrap(), 1);
    }
}

#[test]
fn a_document_expires_after_its_claim_is_final_or_after_its_upload_if_it_has_no_claim() {
    let mut d = Documents::new();
    let without = d.upload(None, DocumentKind::Other, ScanOutcome::Unknown);
    let of_claim = d.upload(Some(0), DocumentKind::Other, ScanOutcome::Clean);
    assert_eq!(d.expired(day(RETENTION_DAYS).plus(-1)), []);
    assert_eq!(d.expired(day(RETENTION_DAYS)), [without]);
    for open in ["received", "reviewing", "in_appeal"] {
        d.claim_is(0, open, day(1));
        assert_eq!(d.expired(day(90_000)), [without], "{open}");
    }
    for last in ["recovered", "closed"] {
        d.claim_is(0, last, day(100));
        assert_eq!(d.expired(day(100 + RETENTION_DAYS).plus(-1)), [without], "{last}");
        let mut both = [without, of_claim];
        both.sort();
        assert_eq!(d.expired(day(100 + RETENTION_DAYS)), both, "{last}");
    }
    // A document that came after its claim was final.
    d.claim_is(0, "closed", day(-100));
    assert_eq!(d.expired(day(RETENTION_DAYS).plus(-1)), []);
}

#[test]
fn the_practices_days_count_and_a_legal_hold_stops_every_expiry() {
    let mut d = Documents::new();
    let id = d.upload(None, DocumentKind::Other, ScanOutcome::Clean);
    let days = |days| DocumentSettingsEdit { retention_days: Some(days), legal_hold: None };
    let hold = |hold| DocumentSettingsEdit { retention_days: None, legal_hold: Some(hold) };
    d.settings(days(30));
    assert_eq!(d.expired(day(30).plus(-1)), []);
    assert_eq!(d.expired(day(30)), [id]);
    d.settings(hold(true));
    assert_eq!(d.expired(day(90_000)), []);
    d.settings(hold(false));
    assert_eq!(d.expired(day(30)), [id], "the days stayed");
    d.settings(days(36_500));
    assert_eq!(d.expired(day(36_499)), []);
}

#[test]
fn what_expired_is_deleted_once() {
    let mut d = Documents::new();
    let id = d.upload(None, DocumentKind::Other, ScanOutcome::Clean);
    let expired = d.f.read(&expired(day(RETENTION_DAYS))).remove(0);
    assert_eq!(expired.id, id);
    let ctx = d.f.ctx();
    let change = removal::expire(expired.place(), expired.state, &ctx);
    d.commit(&ctx, change).unwrap();
    let again = d.f.ctx();
    let change = removal::expire(expired.place(), expired.state, &again);
    assert_eq!(d.commit(&again, change), Err(super::RECORD_CHANGED));
    assert_eq!(d.expired(day(90_000)), []);
    assert_eq!((d.loose(), d.audited("document.deleted")), (1, 1));
    let detail: String =
        d.f.db.query_row("SELECT detail FROM audit WHERE action = 'document.deleted'", [], |row| row.get(0)).unwrap();
    assert_eq!(detail, r#"{"why":"retention"}"#);
}

#[test]
fn the_deletion_of_a_day_rests_until_the_next_night() {
    let mut d = Documents::new();
    let night = Instant(NOW.0.div_euclid(DAY_MS) * DAY_MS + (3 * 60 + 17) * 60_000);
    assert!(!d.f.read(&rests(night)), "it never ran");
    let late = night.plus(DAY_MS - 1);
    // The last one comes late.
    for done in [late, late, night.plus(-1)] {
        let ctx = d.f.ctx();
        d.f.commit(&ctx, (Vec::new(), vec![complete(done)])).unwrap();
    }
    for (now, is_done) in [(night, true), (late, true), (late.plus(1), false), (late.plus(9 * DAY_MS), false)] {
        assert_eq!(d.f.read(&rests(now)), is_done, "{now:?}");
    }
    // After a fault it waits for an hour.
    let ctx = d.f.ctx();
    let next = night.plus(DAY_MS);
    d.f.commit(&ctx, (Vec::new(), vec![failed(next)])).unwrap();
    assert!(d.f.read(&rests(next.plus(FAILED_MS - 1))) && !d.f.read(&rests(next.plus(FAILED_MS))));
}
