//! Opens all sealed records of practices, one table after the other. They stay as they are: a rotation of the service's key
//! wraps their data keys again.

use super::result::PageResult;
use crate::prelude::*;
use crate::sql::Select;
use crate::store::keyring::Keyring;
use overturn_core::base::id::{AttemptId, ClaimId, DocumentId, NoteId, SignatureId, SigningLinkId};
use overturn_core::base::open::Open as _;
use overturn_core::base::sealed::StoredDataKey;
use uuid::Uuid;

/// A column with sealed values, in a table with the key practice and id.
#[derive(Debug)]
struct Sealed {
    name: &'static str,
    /// The place of the value, for the ids of the practice, the parent record and the row.
    place: fn([Uuid; 3]) -> SealedPlace,
    /// The next rows after one of these ids, as many as fit into one value of the database.
    page: fn([String; 3]) -> Select,
}

/// A table with the key practice, parent record and id, and the columns of the key version and of the sealed value.
macro_rules! sealed {
    ($name:literal, $table:literal ($owner:literal), $version:literal, $sealed:literal, $place:expr) => {
        Sealed {
            name: $name,
            place: $place,
            page: |[practice, owner, id]| {
                const TABLE: &str = $table;
                const OWNER: &str = $owner;
                const VERSION: &str = $version;
                const SEALED: &str = $sealed;
                const DATA_KEY: &str = data_key!("t.practice_id");
                select!(
                    "operations.sealed",
                    "SELECT json_group_array(json_object('key', json_array(practice_id, owner, id),
                       'key_version', key_version, 'sealed', sealed, 'data_key', {DATA_KEY})) AS json
                     FROM (SELECT *, sum(length(sealed)) OVER keys AS size, row_number() OVER keys AS n
                       FROM (SELECT practice_id, {OWNER} AS owner, id, {VERSION} AS key_version, {SEALED} AS sealed
                         FROM {TABLE} WHERE (practice_id, {OWNER}, id) > ({practice}, {owner}, {id})
                           AND {SEALED} IS NOT NULL
                         ORDER BY practice_id, {OWNER}, id LIMIT 200)
                       WINDOW keys AS (ORDER BY practice_id, owner, id)) t
                     WHERE n = 1 OR size <= 1000000" [TABLE, OWNER, VERSION, SEALED, DATA_KEY];
                    practice, owner, id
                )
            },
        }
    };
}

/// Every such column.
const TABLES: &[Sealed] = &[
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
    sealed!("attempts", "attempts"("delivery_id"), "key_version", "sealed", |[practice, _, id]| {
        SealedPlace::EndpointAnswer { practice: PracticeId(practice), id: AttemptId(id) }
    }),
    sealed!("documents", "documents"("id"), "key_version", "sealed", |[practice, _, id]| {
        SealedPlace::Document { practice: PracticeId(practice), id: DocumentId(id) }
    }),
];

/// A table with sealed values, and the row to continue after.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Table {
    table: &'static Sealed,
    seen: Option<[Uuid; 3]>,
}

impl PartialEq for Table {
    fn eq(&self, other: &Self) -> bool {
        (self.name(), self.seen) == (other.name(), other.seen)
    }
}

impl Eq for Table {}

impl Table {
    /// The first row of a table, by its name.
    pub(super) fn of(name: &str) -> Option<Self> {
        let table = TABLES.iter().find(|table| table.name == name)?;
        Some(Self { table, seen: None })
    }

    /// Before the first row of the first table.
    pub(super) fn first() -> Option<Self> {
        let table = TABLES.first()?;
        Some(Self { table, seen: None })
    }

    pub(super) const fn name(self) -> &'static str {
        self.table.name
    }

    pub(super) const fn seen(self) -> Option<[Uuid; 3]> {
        self.seen
    }

    pub(super) const fn behind(self, row: [Uuid; 3]) -> Self {
        Self { seen: Some(row), ..self }
    }

    /// The first row of the next table.
    fn next(self) -> Option<Self> {
        let mut tables = TABLES.iter();
        tables.find(|table| table.name == self.name())?;
        let table = tables.next()?;
        Some(Self { table, seen: None })
    }

    /// The next page.
    pub(super) fn read(self) -> Select {
        (self.table.page)(self.seen.map_or_else(Default::default, |seen| seen.map(|id| id.to_string())))
    }

    /// The position after a page.
    pub(super) fn after(self, rows: &[SealedRecord]) -> Option<Self> {
        let last = rows.last().map(|row| self.behind(row.key));
        last.or_else(|| self.next())
    }
}

/// The parts of a stored row that are needed to open it.
#[derive(Deserialize)]
pub(super) struct SealedRecord {
    /// The ids of the practice, the parent record and the row.
    key: [Uuid; 3],
    key_version: KeyVersion,
    sealed: String,
    data_key: Option<StoredDataKey>,
}

/// Opens a page. A row whose data key was destroyed is skipped.
pub(super) fn page(table: Table, rows: &[SealedRecord], keys: &Keyring) -> PageResult {
    let mut result = PageResult::default();
    for row in rows {
        let place = (table.table.place)(row.key);
        let [practice, ..] = row.key;
        let keys = keys.of_practice(PracticeId(practice), row.data_key.as_ref());
        if !keys.is_destroyed(row.key_version)
            && result.opened(keys.open(place, row.key_version, &row.sealed)).is_some()
        {
            result.stays();
        }
    }
    result
}
