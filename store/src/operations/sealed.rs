//! The sealed columns of practices, and the statements that read them.

use overturn_core::base::id::{ClaimId, DocumentId, NoteId, PracticeId, SignatureId, SigningLinkId, WebhookId};
use overturn_core::base::sealed::SealedPlace;
use uuid::Uuid;

/// A column with sealed values, in a table with the key practice and id.
#[derive(Debug)]
pub(crate) struct Sealed {
    pub(crate) name: &'static str,
    /// The place of the value, for the ids of the practice, the parent record and the row.
    pub(crate) place: fn([Uuid; 3]) -> SealedPlace,
    /// `?1` practice, `?2` parent record, `?3` row to start after. The next rows, as many as fit into one value of the
    /// database.
    pub(crate) page: &'static str,
}

/// A table with the key practice, parent record and id, and the columns of the key version and of the sealed value.
macro_rules! sealed {
    ($name:literal, $table:literal ($owner:literal), $version:literal, $sealed:literal, $place:expr) => {
        Sealed {
            name: $name,
            place: $place,
            page: concat!(
                "SELECT json_group_array(json_object('key', json_array(practice_id, owner, id),
                   'key_version', key_version, 'sealed', sealed, 'data_key', ",
                data_key!("t.practice_id"),
                ")) AS json
                 FROM (SELECT *, sum(length(sealed)) OVER keys AS size, row_number() OVER keys AS n
                   FROM (SELECT practice_id, ",
                $owner,
                " AS owner, id, ",
                $version,
                " AS key_version, ",
                $sealed,
                " AS sealed FROM ",
                $table,
                "
                         WHERE (practice_id, ",
                $owner,
                ", id) > (?1, ?2, ?3) AND ",
                $sealed,
                " IS NOT NULL
                         ORDER BY practice_id, ",
                $owner,
                ", id LIMIT 200)
                   WINDOW keys AS (ORDER BY practice_id, owner, id)) t
                 WHERE n = 1 OR size <= 1000000"
            ),
        }
    };
}

/// Every such column.
pub(crate) const TABLES: &[Sealed] = &[
    sealed!("claims", "claims"("id"), "key_version", "sealed", |[practice, _, id]| {
        SealedPlace::Claim { practice: PracticeId(practice), id: ClaimId(id) }
    }),
    sealed!("notes", "claim_notes"("claim_id"), "key_version", "sealed", |[practice, claim, id]| {
        SealedPlace::Note { practice: PracticeId(practice), claim: ClaimId(claim), id: NoteId(id) }
    }),
    sealed!("signing_links", "signing_links"("claim_id"), "key_version", "sealed", |[practice, claim, id]| {
        SealedPlace::SigningLink { practice: PracticeId(practice), claim: ClaimId(claim), id: SigningLinkId(id) }
    }),
    sealed!("signatures", "signatures"("claim_id"), "key_version", "sealed", |[practice, claim, id]| {
        SealedPlace::Signature { practice: PracticeId(practice), claim: ClaimId(claim), id: SignatureId(id) }
    }),
    sealed!("webhooks", "webhooks"("id"), "key_version", "sealed", |[practice, _, id]| {
        SealedPlace::WebhookSecret { practice: PracticeId(practice), id: WebhookId(id) }
    }),
    sealed!("old_webhooks", "webhooks"("id"), "old_key_version", "old_sealed", |[practice, _, id]| {
        SealedPlace::OldWebhookSecret { practice: PracticeId(practice), id: WebhookId(id) }
    }),
    sealed!("documents", "documents"("id"), "key_version", "sealed", |[practice, _, id]| {
        SealedPlace::Document { practice: PracticeId(practice), id: DocumentId(id) }
    }),
];
