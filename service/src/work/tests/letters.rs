//! What a person reads in the payer's letter, in the database.

use super::{commit, ids, staff};
use crate::auth::person::Person;
use crate::request::if_match::Seen;
use crate::store::error::{DatabaseError, FailedGuard};
use crate::testing::{Fixture, claim, parse};
use crate::work::cases::{StoredCase, stored_case};
use crate::work::letter::{self, ClaimOfLetter};
use crate::work::levels;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::CaseId;
use overturn_core::base::instant::Instant;
use uuid::Uuid;

const NOW: Instant = Instant(1_800_000_000_000);

/// One claim, and a member of the staff.
fn office() -> (Fixture, Person) {
    let mut f = Fixture::new();
    f.send(&claim("A-1", "1.00"), |_| {});
    let staff = staff(&mut f);
    (f, staff)
}

fn stored(f: &mut Fixture) -> ClaimOfLetter {
    let (practice, claims) = ids(f);
    f.read(&letter::of_letter(practice, claims[0])).unwrap()
}

/// Sets what was read in the letter of the claim, as it was stored at some time.
fn set(f: &mut Fixture, person: &Person, stored: ClaimOfLetter, body: &str) -> Result<(), DatabaseError> {
    let number = u8::try_from(f.count("SELECT count(*) FROM claim_events")).unwrap();
    let ctx = Ctx::new(NOW, [50 + number; 32]);
    let edit = parse(body, &ctx).unwrap();
    let seen = Seen::Version(stored.claim.version);
    let change = letter::read((Some(stored), seen), edit, person, &ctx).unwrap();
    commit(f, change, person, &ctx)
}

/// The stored row: deadline, its origin in the table, and the facts.
fn row(f: &Fixture) -> String {
    let sql = "SELECT concat_ws(' ', ifnull(appeal_due, '-'), ifnull(appeal_due_from, '-'), ifnull(letter_due, '-'),
        ifnull(letter_denied, '-'), ifnull(letter_plan, '-'), ifnull(letter_counts, '-'), ifnull(letter_by, '-'),
        letter_at IS NOT NULL) FROM claims";
    f.db.query_row(sql, [], |row| row.get(0)).unwrap()
}

/// The date of the letter is the deadline when both are read, so the date of the level changes no claim.
#[test]
fn a_date_of_the_level_that_was_decided_without_a_new_letter_is_refused() {
    let (mut f, staff) = office();
    let first = stored(&mut f);
    set(&mut f, &staff, first, r#"{"appeal_due":"2027-02-01"}"#).unwrap();
    let case = CaseId(Uuid::from_u128(7));
    for write in [
        "INSERT INTO cases (practice_id, id, payer_name, opened_at, opened_by)
           SELECT practice_id, ?1, 'Acme', 1, ?2 FROM claims",
        "INSERT INTO case_claims (practice_id, case_id, claim_id, joined_at)
           SELECT practice_id, ?1, id, 1 FROM claims WHERE ?2 IS NOT NULL",
        "INSERT INTO case_levels (practice_id, case_id, level, kind, due_on, begun_at, begun_by)
           SELECT practice_id, ?1, 1, 'internal_appeal', '2027-06-01', 1, ?2 FROM claims",
        "UPDATE claims SET status = 'in_appeal', case_id = ?1, taken_by = ?2",
    ] {
        let by = [case.to_string(), staff.user_id.to_string()];
        assert_eq!(f.db.execute(write, by).unwrap(), 1);
    }
    let (practice, _) = ids(&f);
    let read = f.read(&stored_case(practice, case));
    let letter = stored(&mut f);
    set(&mut f, &staff, letter, r#"{"appeal_due":"2027-08-01"}"#).unwrap();
    let dated = |f: &mut Fixture, read: Option<StoredCase>, seed| {
        let ctx = Ctx::new(NOW, [seed; 32]);
        let edit = parse(br#"{"due_on":"2027-03-01"}"#, &ctx).unwrap();
        let seen = Seen::Version(read.as_ref().unwrap().version);
        let change = levels::level_edited(practice, (read, seen), (1, edit), &staff, &ctx).unwrap();
        commit(f, change, &staff, &ctx)
    };
    let due = |f: &Fixture| {
        let sql = "SELECT appeal_due FROM claims";
        f.db.query_row::<String, _, _>(sql, [], |row| row.get(0)).unwrap()
    };
    let second = dated(&mut f, read, 90);
    assert!(matches!(second, Err(DatabaseError::Conflict(FailedGuard::Record))));
    assert_eq!(due(&f), "2027-06-01");
    let again = f.read(&stored_case(practice, case));
    dated(&mut f, again, 91).unwrap();
    assert_eq!(due(&f), "2027-03-01");
}

/// The resend opened the claim before the letter was read. It opens it again.
#[test]
fn a_resend_that_meets_a_letter_fills_in_what_was_not_sent_and_keeps_the_letter() {
    let (mut f, staff) = office();
    let facts = r#""plan_type": "erisa", "denial_date": "2026-01-05", "payer_name""#;
    let sent = claim("A-1", "1.00").replace(r#""payer_name""#, facts);
    let mut before = Some(stored(&mut f));
    f.send(&sent, |f| {
        if let Some(before) = before.take() {
            let body = r#"{"plan_type":"tricare","appeal_due":"2026-03-03"}"#;
            set(f, &staff, before, body).unwrap();
        }
    });
    let kept = "2026-03-03 rule 2026-03-03 - tricare earliest staff 1";
    assert_eq!(row(&f), kept);
    let sent = "SELECT count(*) FROM claims WHERE plan_type = 'erisa' AND denial_date = '2026-01-05' AND version = 3";
    assert_eq!(f.count(sent), 1);
    // The rule of the plan in the letter, counted from the day that was sent.
    let next = stored(&mut f);
    set(&mut f, &staff, next, r#"{"appeal_due":null}"#).unwrap();
    assert_eq!(row(&f), "2026-04-05 rule - - tricare earliest staff 1");
}
