//! What a person reads in the payer's letter, in the database.

use super::fixture::{Fixture, NOW, claim};
use super::work::ids;
use crate::error::DatabaseError;
use crate::work::queries;
use overturn_core::auth::person::{Person, Via};
use overturn_core::auth::rights::Action;
use overturn_core::auth::role::Role;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::SessionId;
use overturn_core::plan::{Actor, Plan};
use overturn_core::request::if_match::Seen;
use overturn_core::work::letter::{self, ClaimOfLetter};

/// Two of them at most: one claim has one letter.
struct Desk {
    f: Fixture,
    person: Person,
}

impl Desk {
    fn new(claims: &str) -> Self {
        let mut f = Fixture::new();
        f.send(claims, |_| {});
        let (by, ..) = f.enrol(1);
        let person = Person {
            user_id: by,
            practice_id: None,
            role: Role::Staff,
            epoch: 1,
            via: Via::Session(SessionId(by.0)),
            action: Action::Work,
            enrolled: true,
            touch: false,
            sso: false,
        };
        Self { f, person }
    }

    fn stored(&mut self) -> ClaimOfLetter {
        let (practice, claims) = ids(&self.f);
        self.f
            .read(&queries::claim_of_letter(practice, claims[0]))
            .unwrap()
    }

    /// Sets what was read in the letter of the claim, as it was stored at some time.
    fn set(&mut self, stored: ClaimOfLetter, body: &str) -> Result<(), DatabaseError> {
        let number = u8::try_from(self.f.count("SELECT count(*) FROM claim_events")).unwrap();
        let ctx = Ctx::new(NOW, [50 + number; 32]);
        let edit = letter::parse(body.as_bytes(), &ctx).unwrap();
        let seen = Seen::Version(stored.claim.version);
        let change = letter::set((Some(stored), seen), edit, &self.person, &ctx).unwrap();
        let plan = Plan {
            guards: change.guards,
            actor: Actor::User(self.person.user_id),
            at: ctx.now,
            request_id: ctx.request_id,
            from: None,
            writes: change.writes,
        };
        let statements = self.f.lower(&plan).statements;
        self.f.run(&statements).map(drop)
    }
}

/// The stored row: deadline, its origin in the table, and the facts.
fn row(f: &Fixture) -> String {
    let sql = "SELECT concat_ws(' ', ifnull(appeal_due, '-'), ifnull(appeal_due_from, '-'), ifnull(letter_due, '-'),
        ifnull(letter_denied, '-'), ifnull(letter_plan, '-'), ifnull(letter_counts, '-'), ifnull(letter_by, '-'),
        letter_at IS NOT NULL) FROM claims";
    f.db.query_row(sql, [], |row| row.get(0)).unwrap()
}

#[test]
fn a_letter_is_stored_beside_what_was_sent_and_its_date_is_told_from_the_rules() {
    let mut desk = Desk::new(&claim("A-1", "1.00"));
    let first = desk.stored();
    desk.set(first, r#"{"appeal_due":"2027-01-31"}"#).unwrap();
    assert_eq!(
        row(&desk.f),
        "2027-01-31 rule 2027-01-31 - - earliest staff 1"
    );
    let stored = desk.stored().claim;
    let due = serde_json::to_value(stored.appeal.deadline).unwrap();
    assert_eq!(
        due,
        serde_json::json!({ "date": "2027-01-31", "from": "letter" })
    );
    let next = desk.stored();
    desk.set(next, r#"{"appeal_due":null}"#).unwrap();
    assert_eq!(row(&desk.f), "- - - - - - - 0");
    assert_eq!(desk.stored().claim.appeal.letter, None);
    let changed = "SELECT count(DISTINCT changed) FROM claims WHERE version = 3";
    assert_eq!(desk.f.count(changed), 1);
}

#[test]
fn of_two_letters_at_once_the_second_is_refused() {
    let mut desk = Desk::new(&claim("A-1", "1.00"));
    let (one, other) = (desk.stored(), desk.stored());
    desk.set(one, r#"{"appeal_due":"2027-01-31"}"#).unwrap();
    assert!(desk.set(other, r#"{"appeal_due":"2027-02-28"}"#).is_err());
    assert_eq!(
        row(&desk.f),
        "2027-01-31 rule 2027-01-31 - - earliest staff 1"
    );
}

/// The resend opened the claim before the letter was read. It opens it again.
#[test]
fn a_resend_that_meets_a_letter_fills_in_what_was_not_sent_and_keeps_the_letter() {
    let mut desk = Desk::new(&claim("A-1", "1.00"));
    let stored = desk.stored();
    let facts = r#""plan_type": "erisa", "denial_date": "2026-01-05", "payer_name""#;
    let sent = claim("A-1", "1.00").replace(r#""payer_name""#, facts);
    let person = desk.person.clone();
    let mut stored = Some(stored);
    desk.f.send(&sent, |f| {
        let Some(stored) = stored.take() else {
            return;
        };
        let fixture = std::mem::replace(f, Fixture::new());
        let mut inner = Desk {
            f: fixture,
            person: person.clone(),
        };
        let body = r#"{"plan_type":"tricare","appeal_due":"2026-03-03"}"#;
        inner.set(stored, body).unwrap();
        *f = inner.f;
    });
    assert_eq!(
        row(&desk.f),
        "2026-03-03 rule 2026-03-03 - tricare earliest staff 1"
    );
    let sent = "SELECT count(*) FROM claims WHERE plan_type = 'erisa' AND denial_date = '2026-01-05' AND version = 3";
    assert_eq!(desk.f.count(sent), 1);
    // The rule of the plan in the letter, counted from the day that was sent.
    let next = desk.stored();
    desk.set(next, r#"{"appeal_due":null}"#).unwrap();
    assert_eq!(row(&desk.f), "2026-04-05 rule - - tricare earliest staff 1");
}
