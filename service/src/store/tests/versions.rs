//! The versions of records that several people may edit.

use super::fixture::Fixture;
use crate::plan::version::{EditedRecord, RecordVersion};
use crate::plan::{Guard, Write};
use crate::store::error::{DatabaseError, FailedGuard};
use overturn_core::base::id::{PracticeId, SsoProviderId, UserId, WebhookId};
use uuid::Uuid;

const ONE: Uuid = Uuid::from_u128(1);

/// A practice with one record of each kind, except that it has not edited the settings of its documents.
fn records(f: &mut Fixture) -> [EditedRecord; 5] {
    let practice = f.practice();
    let keys = [practice.to_string(), ONE.to_string()];
    for insert in [
        "INSERT INTO users (practice_id, id, role, state, email, email_key, name, created_at)
         VALUES (?1, ?2, 'member', 'active', 'a@a.example', 'a@a.example', 'Ann', 1)",
        "INSERT INTO sso_providers (practice_id, id, kind, name, configured, contexts, created_at)
         VALUES (?1, ?2, 'oidc', 'Google', 'google', '[]', 1)",
        "INSERT INTO webhooks (practice_id, id, url, events, state, key_version, sealed, created_at, created_by)
         VALUES (?1, ?2, 'https://a.example', '', 'active', 1, 'x', 1, ?2)",
    ] {
        f.db.execute(insert, keys.clone()).unwrap();
    }
    [
        EditedRecord::Practice(practice),
        EditedRecord::DocumentSettings(practice),
        EditedRecord::Member(practice, UserId(ONE)),
        EditedRecord::Provider(practice, SsoProviderId(ONE)),
        EditedRecord::Webhook(practice, WebhookId(ONE)),
    ]
}

fn edit(f: &mut Fixture, read: RecordVersion) -> Result<(), DatabaseError> {
    let ctx = f.ctx();
    let plan = (vec![Guard::Version(read)], vec![Write::Version(read.next())]);
    f.commit(&ctx, plan).map(drop)
}

const CHANGED: Result<(), DatabaseError> = Err(DatabaseError::Conflict(FailedGuard::Record));

#[test]
fn of_two_edits_of_one_version_the_second_is_refused() {
    let mut f = Fixture::new();
    for record in records(&mut f) {
        if let EditedRecord::DocumentSettings(practice) = record {
            let row = "INSERT INTO document_settings (practice_id, retention_days, legal_hold) VALUES (?1, 30, 0)";
            let at = |version| RecordVersion { record, version };
            let ctx = f.ctx();
            let guard = |read| (vec![Guard::Version(read)], Vec::new());
            assert_eq!(f.commit(&ctx, guard(at(1))).map(drop), Ok(()));
            assert_eq!(f.commit(&ctx, guard(at(2))).map(drop), CHANGED);
            f.db.execute(row, [practice.to_string()]).unwrap();
        }
        let read = RecordVersion { record, version: 1 };
        assert_eq!(edit(&mut f, read), Ok(()), "{record:?}");
        assert_eq!(edit(&mut f, read), CHANGED, "{record:?}");
        assert_eq!(edit(&mut f, read.next()), Ok(()), "{record:?}");
    }
    for table in ["practices", "users", "sso_providers", "webhooks", "document_settings"] {
        let version = format!("SELECT version FROM {table}");
        assert_eq!(f.count(&version), 3, "{table}");
    }
}

#[test]
fn a_record_of_another_practice_or_one_that_is_gone_is_not_edited() {
    let mut f = Fixture::new();
    let other = PracticeId(Uuid::from_u128(9));
    for record in records(&mut f) {
        let foreign = match record {
            EditedRecord::Practice(_) => EditedRecord::Practice(other),
            EditedRecord::Member(_, id) => EditedRecord::Member(other, id),
            EditedRecord::Provider(_, id) => EditedRecord::Provider(other, id),
            EditedRecord::Webhook(_, id) => EditedRecord::Webhook(other, id),
            EditedRecord::DocumentSettings(_) => continue,
        };
        let read = RecordVersion { record: foreign, version: 1 };
        assert_eq!(edit(&mut f, read), CHANGED, "{foreign:?}");
    }
    f.db.execute_batch(
        "UPDATE users SET state = 'removed'; UPDATE webhooks SET state = 'removed'; DELETE FROM sso_providers",
    )
    .unwrap();
    let practice = f.practice();
    for record in [
        EditedRecord::Member(practice, UserId(ONE)),
        EditedRecord::Provider(practice, SsoProviderId(ONE)),
        EditedRecord::Webhook(practice, WebhookId(ONE)),
    ] {
        let read = RecordVersion { record, version: 1 };
        assert_eq!(edit(&mut f, read), CHANGED, "{record:?}");
    }
}

#[test]
fn a_version_is_found_by_an_index() {
    let mut f = Fixture::new();
    for record in records(&mut f) {
        let read = RecordVersion { record, version: 1 };
        for statement in [crate::store::versions::guard(read), crate::store::versions::write(read)] {
            f.assert_indexed(&statement, &["CONSTANT ROW", "SCALAR SUBQUERY", "PRIMARY KEY"]);
        }
    }
}
