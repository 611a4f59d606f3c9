//! Documents: batches that may run twice, conditions that abort them, and the indexes that find their rows.

mod batches;
mod decisions;
mod reads;
mod retention;
mod uploads;

use super::document::{self, DocumentKind, DocumentPlace, ObjectKey, StoredDocument};
use super::removal;
use super::scan::ScanOutcome;
use super::storing::{Received, store};
use super::target::{Target, claims};
use crate::auth::person::Person;
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::plan::change::Change;
use crate::plan::{Actor, Plan, Write};
use crate::store::Statement;
use crate::store::error::{DatabaseError, FailedGuard};
use crate::testing::decisions::person;
use crate::testing::{Fixture, batch, keys_of};
use overturn_core::base::ctx::{Ctx, Purpose};
use overturn_core::base::id::{ClaimId, DocumentId, PracticeId, UserId};
use overturn_core::base::instant::{DAY_MS, Instant};
use std::rc::Rc;
use uuid::Uuid;

const NOW: Instant = Instant(1_800_000_000_000);
const RECORD_CHANGED: DatabaseError = DatabaseError::Conflict(FailedGuard::Record);
const CASE: &str = "00000000-0000-0000-0000-0000000000ca";
const OWNER: UserId = UserId(Uuid::from_u128(10));
const MEMBER: UserId = UserId(Uuid::from_u128(11));

/// A practice with three claims, an owner and a member, and a second practice.
struct Documents {
    f: Fixture,
    practice: PracticeId,
    other: PracticeId,
    /// B-0, B-1 and B-2.
    claims: Vec<ClaimId>,
    uploads: u8,
}

impl Documents {
    fn new() -> Self {
        let mut f = Fixture::new();
        f.send(&batch(0..3), |_| {});
        f.provision(2);
        let text = |sql: &str| f.db.query_row(sql, [], |row| row.get::<_, String>(0)).unwrap();
        let practice: PracticeId = text("SELECT practice_id FROM claims LIMIT 1").parse().map(PracticeId).unwrap();
        let other = text("SELECT id FROM practices WHERE name = 'Practice 2'").parse().map(PracticeId).unwrap();
        let claims = text("SELECT json_group_array(id) FROM (SELECT id FROM claims ORDER BY claim_number)");
        let claims = serde_json::from_str(&claims).unwrap();
        let people = format!(
            "INSERT INTO users (id, practice_id, role, state, email, email_key, name, created_at)
               VALUES ('{OWNER}', '{practice}', 'owner', 'active', 'o@a.example', 'o@a.example', 'Ann', 1),
                 ('{MEMBER}', '{practice}', 'member', 'active', 'm@a.example', 'm@a.example', 'Ben', 1);
             INSERT INTO sessions (user_id, id, hash, kind, epoch, created_at, ends_at, seen_at, ip, agent)
               VALUES ('{OWNER}', '{OWNER}', 'session', 'full', 1, 1, 2, 1, '', '');
             INSERT INTO cases (practice_id, id, payer_name, opened_at, opened_by)
               VALUES ('{practice}', '{CASE}', 'Acme', 1, '{OWNER}');"
        );
        f.db.execute_batch(&people).unwrap();
        Self { f, practice, other, claims, uploads: 0 }
    }

    fn write(&mut self, writes: impl Into<Vec<Write>>) {
        let ctx = self.f.ctx();
        let batch = self.f.lower(&Plan::of_operator(&ctx, writes.into()));
        self.f.run(&batch.statements).unwrap();
    }

    fn person(&self, user_id: UserId, role: Role) -> Person {
        Person { user_id, practice_id: Some(self.practice), ..person(role, Action::UploadDocument) }
    }

    fn owner(&self) -> Person {
        self.person(OWNER, Role::Owner)
    }

    fn member(&self) -> Person {
        self.person(MEMBER, Role::Member)
    }

    fn statements(&mut self, ctx: &Ctx, change: Change) -> Vec<Statement> {
        let plan = Plan { guards: change.guards, actor: Actor::User(OWNER), ..Plan::of_operator(ctx, change.writes) };
        self.f.lower(&plan).statements
    }

    fn commit(&mut self, ctx: &Ctx, change: Change) -> Result<(), DatabaseError> {
        let statements = self.statements(ctx, change);
        self.f.run(&statements).map(drop)
    }

    /// A file whose object is complete and loose, as at the end of an upload.
    fn received(&mut self, scan: ScanOutcome) -> (Ctx, Received) {
        let ctx = self.f.ctx();
        let id = DocumentId(ctx.id(Purpose::Record, 0));
        self.write([removal::receiving(self.place(id), ctx.now)]);
        self.uploads = self.uploads.wrapping_add(1);
        let received = Received {
            id,
            name: format!("letter {}.pdf", self.uploads),
            content_type: "application/pdf",
            size: 7,
            sha256: format!("{:064x}", self.uploads),
            key: ObjectKey([self.uploads; 32]),
            scan,
        };
        (ctx, received)
    }

    /// An upload that is decided and not yet committed.
    fn decided(&mut self, target: &Target, scan: ScanOutcome) -> (Ctx, DocumentId, Change) {
        let (ctx, received) = self.received(scan);
        let id = received.id;
        let claim = self.f.read(&claims(self.practice, &[target])).remove(0);
        let change = store(self.practice, (received, target, claim), &self.member(), &ctx).unwrap();
        (ctx, id, change)
    }

    /// A stored document of a claim, uploaded by the member.
    fn upload(&mut self, claim: Option<usize>, kind: DocumentKind, scan: ScanOutcome) -> DocumentId {
        let target = Target { claim_id: claim.map(|n| self.claims[n]), claim_number: None, kind: Some(kind) };
        let (ctx, id, change) = self.decided(&target, scan);
        self.commit(&ctx, change).unwrap();
        id
    }

    /// A clean document of the first claim.
    fn clean(&mut self) -> DocumentId {
        self.upload(Some(0), DocumentKind::Other, ScanOutcome::Clean)
    }

    fn place(&self, id: DocumentId) -> DocumentPlace {
        DocumentPlace { practice_id: self.practice, id }
    }

    fn stored(&mut self, id: DocumentId) -> StoredDocument {
        self.f.read(&document::of_practice(self.practice, id)).unwrap()
    }

    fn delete(&mut self, id: DocumentId, person: &Person) -> (Ctx, Change) {
        let stored = self.stored(id);
        let ctx = self.f.ctx();
        let change = removal::deleted(Some(stored), person, &ctx).unwrap();
        (ctx, change)
    }

    fn stored_count(&self) -> i64 {
        self.f.count("SELECT count(*) FROM documents")
    }

    fn loose(&self) -> i64 {
        self.f.count("SELECT count(*) FROM loose_objects")
    }

    fn audited(&self, action: &str) -> i64 {
        let sql = format!("SELECT count(*) FROM audit WHERE action = '{action}'");
        self.f.count(&sql)
    }
}

#[test]
fn a_row_that_was_moved_to_another_document_does_not_open() {
    let mut d = Documents::new();
    let (first, second) = (d.clean(), d.clean());
    let stored = d.stored(first);
    let service = Rc::clone(&d.f.keys);
    let keys = keys_of(&d.f.db, &service, d.practice);
    assert_eq!(stored.opened(&keys), Ok((ObjectKey([1; 32]), "letter 1.pdf".into())));
    let moved = "UPDATE documents SET sealed = (SELECT sealed FROM documents WHERE id = ?1) WHERE id = ?2";
    let ids = [first, second].map(|id| id.to_string());
    assert_eq!(d.f.db.execute(moved, ids).unwrap(), 1);
    let moved = d.stored(second);
    assert!(moved.opened(&keys).is_err());
    // Nor does the whole row under another practice.
    let elsewhere = StoredDocument { practice_id: d.other, ..stored };
    assert!(elsewhere.opened(&keys).is_err());
}
