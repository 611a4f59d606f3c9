//! The pages of a destruction, table after table. Each page is counted and removed.

use super::job::Job;
use crate::prelude::*;

/// The most rows that one batch of a destruction removes. A page that removed fewer was the last one of its table.
pub(crate) const ROWS: usize = 500;
/// How long an answer is kept for a request that comes again, in milliseconds.
const ANSWERS_MS: i64 = 24 * 3_600_000;

/// A late call deletes nothing.
const RUNNING: &str = "EXISTS (
  SELECT 1 FROM data_jobs WHERE practice_id = {practice} AND id = {id} AND kind = 'destruction' AND state = 'running')";

/// The rows of a page: those of the practice, unless the stage says which.
macro_rules! rows {
    () => {
        "practice_id = {practice}"
    };
    ($rows:literal) => {
        $rows
    };
}

/// Each stage with its name in the counts, its table, the columns of its primary key, and which rows it removes.
macro_rules! stages {
    ($($(#[$doc:meta])* $stage:ident = $name:literal, $table:literal ($key:literal)
        $(where $rows:literal $(and $before:ident)?)?;)+) => {
        /// A table whose rows a destruction removes, in the order in which the tables are emptied: a row is deleted after
        /// the rows that belong to it.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub(crate) enum DestructionStage {
            $($(#[$doc])* $stage,)+
        }

        impl DestructionStage {
            pub(crate) const ALL: &[Self] = &[$(Self::$stage),+];

            /// Counts the rows of a page, and deletes them.
            fn emptied(self, job: &Job, now: Instant) -> [Write; 2] {
                let (practice, id) = (job.practice_id, job.id);
                match self {
                    $(Self::$stage => {
                        const NAME: &str = $name;
                        const TABLE: &str = $table;
                        const KEY: &str = $key;
                        const PAGE: &str = rows!($($rows)?);
                        $($(let $before = now.plus(-ANSWERS_MS);)?)?
                        let count = sql!(
                            "UPDATE data_jobs SET counts = json_set(counts, '$.{NAME}', coalesce(counts ->> '$.{NAME}', 0) +
                               (SELECT count(*) FROM (SELECT 1 FROM {TABLE} WHERE {PAGE} LIMIT CAST({most} AS INTEGER))))
                             WHERE practice_id = {practice} AND id = {id} AND kind = 'destruction' AND state = 'running'"
                            [NAME, TABLE, PAGE];
                            practice, id, most = ROWS $($(, $before)?)?
                        );
                        let delete = sql!(
                            "DELETE FROM {TABLE} WHERE ({KEY}) IN (
                               SELECT {KEY} FROM {TABLE} WHERE {PAGE} LIMIT CAST({most} AS INTEGER)) AND {RUNNING}"
                            [TABLE, KEY, PAGE, RUNNING];
                            practice, id, most = ROWS $($(, $before)?)?
                        );
                        [count, delete]
                    })+
                }
            }
        }
    };
}

stages! {
    Attempt = "attempt", "attempts" ("practice_id, delivery_id, id");
    Delivery = "delivery", "deliveries" ("practice_id, webhook_id, id");
    Webhook = "webhook", "webhooks" ("practice_id, id");
    /// The cases and reports that documents are attached to.
    DocumentUse = "document_use", "document_uses" ("practice_id, document_id, kind, record_id");
    /// Their objects become due to be removed from the bucket. Their order makes them the same ones for each statement of
    /// the batch.
    Document = "document", "documents" ("practice_id, id") where
        "practice_id = {practice} AND id IN (
           SELECT id FROM documents WHERE practice_id = {practice} ORDER BY id LIMIT CAST({most} AS INTEGER))";
    /// How long the practice keeps documents.
    DocumentSettings = "document_settings", "document_settings" ("practice_id");
    Signature = "signature", "signatures" ("practice_id, claim_id, id");
    SigningLink = "signing_link", "signing_links" ("practice_id, claim_id, id");
    Note = "note", "claim_notes" ("practice_id, claim_id, id");
    ClaimEvent = "claim_event", "claim_events" ("practice_id, claim_id, version");
    /// The results of claims at a level.
    LevelClaim = "level_claim", "level_claims" ("practice_id, claim_id, case_id, level");
    CaseLevel = "case_level", "case_levels" ("practice_id, case_id, level");
    CaseClaim = "case_claim", "case_claims" ("practice_id, case_id, claim_id");
    Case = "case", "cases" ("practice_id, id");
    ReportClaim = "report_claim", "report_claims" ("practice_id, report_id, claim_id");
    Report = "report", "reports" ("practice_id, id");
    Claim = "claim", "claims" ("practice_id, claim_number");
    /// Answers that are kept for the practice's people.
    Answer = "answer", "answers" ("user_id, place") where
        "user_id IN (SELECT id FROM users WHERE practice_id = {practice})";
    /// Answers that are kept for the staff, of all practices: those that are old.
    StaffAnswer = "staff_answer", "answers" ("user_id, place") where
        "user_id IN (SELECT id FROM users WHERE practice_id IS NULL) AND at < CAST({before} AS INTEGER)" and before;
}

/// Removes one page of a table and counts its rows. The last statement removes the rows, so its result is the number of
/// removed rows. The page may be removed twice: it counts what it removes.
pub(crate) fn page(job: &Job, stage: DestructionStage, now: Instant) -> Vec<Write> {
    let [count, delete] = stage.emptied(job, now);
    match stage {
        DestructionStage::Document => vec![loosened(job), count, delete],
        DestructionStage::Claim => vec![claims_counted(job), delete],
        _ => vec![count, delete],
    }
}

/// The objects of a page of documents become due to be removed from the bucket, in the batch that removes the documents:
/// also the object of a document that came after the destruction had begun.
fn loosened(job: &Job) -> Write {
    sql!(
        "INSERT INTO loose_objects (practice_id, id, due_at) SELECT practice_id, id, 0 FROM documents
         WHERE practice_id = {practice} AND id IN (
             SELECT id FROM documents WHERE practice_id = {practice} ORDER BY id LIMIT CAST({most} AS INTEGER))
           AND state IN ('available', 'quarantined') AND {RUNNING} ON CONFLICT DO NOTHING" [RUNNING];
        practice = job.practice_id, id = job.id, most = ROWS
    )
}

/// Counts a page of claims. Each takes its event `received` with it, which has no row. The last page takes the submissions.
fn claims_counted(job: &Job) -> Write {
    sql!(
        "UPDATE data_jobs SET counts = json_set(counts,
           '$.claim', coalesce(counts ->> '$.claim', 0) + page.n,
           '$.claim_event', coalesce(counts ->> '$.claim_event', 0) + page.n,
           '$.submission', iif(page.n < CAST({most} AS INTEGER), totals ->> '$.submission', 0))
         FROM (SELECT count(*) AS n FROM (
           SELECT 1 FROM claims WHERE practice_id = {practice} LIMIT CAST({most} AS INTEGER))) page
         WHERE practice_id = {practice} AND id = {id} AND kind = 'destruction' AND state = 'running'";
        practice = job.practice_id, id = job.id, most = ROWS
    )
}
