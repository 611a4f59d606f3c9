//! The statements that re-seal values under a data key, the same for each table.

use overturn_core::base::id::{ClaimId, DocumentId, NoteId, PracticeId, SignatureId, SigningLinkId, WebhookId};
use overturn_core::base::sealed::SealedPlace;
use overturn_core::plan::operations::SealedTable;
use uuid::Uuid;

/// A column with sealed values, in a table with the key practice and id.
#[derive(Debug)]
pub(crate) struct Sealed {
    /// The audit action of its re-seal.
    pub(crate) event: &'static str,
    /// The place of the value, for the ids of the practice, the parent record and the row.
    pub(crate) place: fn([Uuid; 3]) -> SealedPlace,
    /// `?1` practice, `?2` parent record, `?3` row to start after.
    pub(crate) page: &'static str,
    /// `?1` the re-sealed rows. A row that got another key in between is not changed.
    pub(crate) write: &'static str,
}

/// A table with the key practice, parent record and id, and the columns of the key version and of the sealed value.
macro_rules! sealed {
    ($name:literal, $table:literal ($owner:literal), $version:literal, $sealed:literal, $place:expr) => {
        Sealed {
            event: concat!($name, ".resealed"),
            place: $place,
            page: concat!(
                "SELECT json_group_array(json_object('key', json_array(practice_id, ",
                $owner,
                ", id),
                   'key_version', ",
                $version,
                ", 'sealed', ",
                $sealed,
                ",
                   'data_key', ",
                data_key!("t.practice_id"),
                ")) AS json
                 FROM (SELECT * FROM ",
                $table,
                "
                       WHERE (practice_id, ",
                $owner,
                ", id) > (?1, ?2, ?3) AND ",
                $sealed,
                " IS NOT NULL
                       ORDER BY practice_id, ",
                $owner,
                ", id LIMIT 100) t"
            ),
            write: concat!(
                "WITH f AS MATERIALIZED (
                   SELECT j.value ->> '$.key[0]' AS practice_id, j.value ->> '$.key[1]' AS owner,
                     j.value ->> '$.key[2]' AS id, j.value ->> 'was' AS was, j.value ->> 'key_version' AS now,
                     j.value ->> 'sealed' AS sealed
                   FROM json_each(?1) j)
                 UPDATE ",
                $table,
                " SET ",
                $sealed,
                " = f.sealed, ",
                $version,
                " = f.now FROM f
                 WHERE ",
                $table,
                ".practice_id = f.practice_id AND ",
                $table,
                ".",
                $owner,
                " = f.owner
                   AND ",
                $table,
                ".id = f.id AND ",
                $table,
                ".",
                $version,
                " = f.was"
            ),
        }
    };
}

/// The statements of a table.
pub(crate) fn of(table: SealedTable) -> Sealed {
    match table {
        SealedTable::Notes => {
            sealed!("notes", "claim_notes"("claim_id"), "key_version", "sealed", |[practice, claim, id]| {
                SealedPlace::Note { practice: PracticeId(practice), claim: ClaimId(claim), id: NoteId(id) }
            })
        }
        SealedTable::SigningLinks => {
            sealed!("signing_links", "signing_links"("claim_id"), "key_version", "sealed", |[practice, claim, id]| {
                SealedPlace::SigningLink {
                    practice: PracticeId(practice),
                    claim: ClaimId(claim),
                    id: SigningLinkId(id),
                }
            })
        }
        SealedTable::Signatures => {
            sealed!("signatures", "signatures"("claim_id"), "key_version", "sealed", |[practice, claim, id]| {
                SealedPlace::Signature { practice: PracticeId(practice), claim: ClaimId(claim), id: SignatureId(id) }
            })
        }
        SealedTable::Webhooks => sealed!("webhooks", "webhooks"("id"), "key_version", "sealed", |[practice, _, id]| {
            SealedPlace::WebhookSecret { practice: PracticeId(practice), id: WebhookId(id) }
        }),
        SealedTable::OldWebhooks => {
            sealed!("old_webhooks", "webhooks"("id"), "old_key_version", "old_sealed", |[practice, _, id]| {
                SealedPlace::OldWebhookSecret { practice: PracticeId(practice), id: WebhookId(id) }
            })
        }
        SealedTable::Documents => {
            sealed!("documents", "documents"("id"), "key_version", "sealed", |[practice, _, id]| {
                SealedPlace::Document { practice: PracticeId(practice), id: DocumentId(id) }
            })
        }
    }
}
