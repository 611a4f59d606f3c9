//! Documents: batches that may run twice, conditions that abort them, and the indexes that find their rows.

mod batches;
mod reads;
mod retention;

use super::accounts::{MEMBER, OWNER, SESSION, session, user};
use super::fixture::{Fixture, batch, keys_of};
use super::work::ids;
use crate::Statement;
use crate::documents::queries;
use crate::error::{DatabaseError, FailedGuard};
use overturn_core::auth::person::{Person, Via};
use overturn_core::auth::rights::Action;
use overturn_core::auth::role::Role;
use overturn_core::base::ctx::{Ctx, Purpose};
use overturn_core::base::id::{ClaimId, DocumentId, PracticeId, UserId};
use overturn_core::base::instant::Instant;
use overturn_core::documents::removal;
use overturn_core::documents::scan::ScanOutcome;
use overturn_core::documents::target::Target;
use overturn_core::documents::upload::{self, Received};
use overturn_core::documents::view::StoredDocument;
use overturn_core::plan::change::Change;
use overturn_core::plan::documents::{DocumentKind, ObjectKey};
use overturn_core::plan::{Actor, Plan, Write};

const NOW: Instant = Instant(1_800_000_000_000);
const DAY_MS: i64 = 86_400_000;
const RECORD_CHANGED: DatabaseError = DatabaseError::Conflict(FailedGuard::Record);
const CASE: &str = "00000000-0000-0000-0000-0000000000ca";

/// A practice with three claims, an owner and a member, and a second practice.
struct Documents {
    f: Fixture,
    practice: PracticeId,
    other: PracticeId,
    /// B-0, B-1 and B-2.
    claims: Vec<ClaimId>,
    uploads: u8,
}

fn person(practice: PracticeId, user_id: UserId, role: Role) -> Person {
    Person {
        user_id,
        practice_id: Some(practice),
        role,
        epoch: 1,
        via: Via::Session(SESSION),
        action: Action::UploadDocument,
        enrolled: true,
        touch: false,
        sso: false,
    }
}

impl Documents {
    fn new() -> Self {
        let mut f = Fixture::new();
        f.send(&batch(0..3), |_| {});
        let (practice, _) = ids(&f);
        let claims = "SELECT json_group_array(id) FROM (SELECT id FROM claims ORDER BY claim_number)";
        let claims: String = f.db.query_row(claims, [], |row| row.get(0)).unwrap();
        let claims = serde_json::from_str(&claims).unwrap();
        f.provision(2);
        let other: String =
            f.db.query_row("SELECT id FROM practices WHERE name = 'Practice 2'", [], |row| row.get(0)).unwrap();
        let mut documents = Self { f, practice, other: PracticeId(other.parse().unwrap()), claims, uploads: 0 };
        documents.write([
            user(OWNER, practice, Role::Owner),
            user(MEMBER, practice, Role::Member),
            session(SESSION, OWNER, "session"),
        ]);
        let case =
            "INSERT INTO cases (practice_id, id, payer_name, opened_at, opened_by) VALUES (?1, ?2, 'Acme', 1, ?3)";
        let params = [practice.to_string(), CASE.to_owned(), OWNER.to_string()];
        assert_eq!(documents.f.db.execute(case, params).unwrap(), 1);
        documents
    }

    fn write(&mut self, writes: impl Into<Vec<Write<'static>>>) {
        let ctx = self.f.ctx();
        let batch = self.f.lower(&Plan::of_operator(&ctx, writes.into()));
        self.f.run(&batch.statements).unwrap();
    }

    fn owner(&self) -> Person {
        person(self.practice, OWNER, Role::Owner)
    }

    fn member(&self) -> Person {
        person(self.practice, MEMBER, Role::Member)
    }

    fn statements(&mut self, ctx: &Ctx, change: Change) -> Vec<Statement> {
        let plan = Plan {
            guards: change.guards,
            actor: Actor::User(OWNER),
            at: ctx.now,
            request_id: ctx.request_id,
            from: None,
            writes: change.writes,
        };
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
        self.write([removal::receiving(id, ctx.now)]);
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
        let claim = self.f.read(&queries::claims(self.practice, &[target])).remove(0);
        let (practice, member) = (self.practice, self.member());
        let change = upload::store(practice, (received, target, claim), &member, &ctx).unwrap();
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

    fn stored(&mut self, id: DocumentId) -> StoredDocument {
        self.f.read(&queries::document(self.practice, id)).unwrap()
    }

    fn delete(&mut self, id: DocumentId, person: &Person) -> (Ctx, Change) {
        let stored = self.stored(id);
        let ctx = self.f.ctx();
        let change = removal::delete(Some(stored), person, &ctx).unwrap();
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
    let service = std::rc::Rc::clone(&d.f.keys);
    let keys = keys_of(&d.f.db, &service, d.practice);
    assert_eq!(stored.object_key(&keys), Ok(ObjectKey([1; 32])));
    let moved = "UPDATE documents SET sealed = (SELECT sealed FROM documents WHERE id = ?1) WHERE id = ?2";
    let ids = [first, second].map(|id| id.to_string());
    assert_eq!(d.f.db.execute(moved, ids).unwrap(), 1);
    let moved = d.stored(second);
    assert!(moved.object_key(&keys).is_err());
    // Nor does the whole row under another practice.
    let elsewhere = StoredDocument { practice_id: d.other, ..stored };
    assert!(elsewhere.object_key(&keys).is_err());
}
