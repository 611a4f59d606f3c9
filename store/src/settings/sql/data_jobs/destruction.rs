//! The statements of a destruction: one count and one delete for each page, table after table.

use overturn_core::plan::settings::data_jobs::DestructionStage;

/// One table whose rows are destroyed.
pub(crate) struct Stage {
    /// `?1` the practice, `?2` the job, `?3` how many rows, `?4` the instant before which answers to staff are old.
    /// Counts the rows of the page before their deletion.
    pub(crate) count: &'static str,
    /// The same parameters. Deletes the rows.
    pub(crate) delete: &'static str,
}

/// Checks that the job is running, so that a late call deletes nothing.
macro_rules! running {
    () => {
        "EXISTS (SELECT 1 FROM data_jobs WHERE practice_id = ?1 AND id = ?2 AND kind = 'destruction' AND state = 'running')"
    };
}

/// A stage: its name, its table, the columns of its primary key, and a condition on the rows.
macro_rules! stage {
    ($name:literal, $table:literal, $key:literal, $rows:expr) => {
        Stage {
            count: concat!(
                "UPDATE data_jobs SET counts = json_set(counts, '$.",
                $name,
                "', coalesce(counts ->> '$.",
                $name,
                "', 0) + (SELECT count(*) FROM (SELECT 1 FROM ",
                $table,
                " WHERE ",
                $rows,
                " AND ?4 = ?4 LIMIT CAST(?3 AS INTEGER))))
                 WHERE practice_id = ?1 AND id = ?2 AND kind = 'destruction' AND state = 'running'"
            ),
            delete: concat!(
                "DELETE FROM ",
                $table,
                " WHERE (",
                $key,
                ") IN (SELECT ",
                $key,
                " FROM ",
                $table,
                " WHERE ",
                $rows,
                " AND ?4 = ?4 LIMIT CAST(?3 AS INTEGER)) AND ",
                running!()
            ),
        }
    };
    ($name:literal, $table:literal, $key:literal) => {
        stage!($name, $table, $key, "practice_id = ?1")
    };
}

/// Counts a page of claims. Each takes its event `received` with it, which has no row. The last page takes the
/// submissions.
const COUNT_CLAIMS: &str = "UPDATE data_jobs SET counts = json_set(counts,
       '$.claim', coalesce(counts ->> '$.claim', 0) + page.n,
       '$.claim_event', coalesce(counts ->> '$.claim_event', 0) + page.n,
       '$.submission', iif(page.n < CAST(?3 AS INTEGER), totals ->> '$.submission', 0))
     FROM (SELECT count(*) AS n FROM (SELECT 1 FROM claims WHERE practice_id = ?1 AND ?4 = ?4 LIMIT CAST(?3 AS INTEGER))) page
     WHERE practice_id = ?1 AND id = ?2 AND kind = 'destruction' AND state = 'running'";

/// The documents of a page. Their order makes them the same ones for each statement of the batch.
macro_rules! documents {
    () => {
        "practice_id = ?1 AND id IN (SELECT id FROM documents WHERE practice_id = ?1 ORDER BY id LIMIT CAST(?3 AS INTEGER))"
    };
}

/// The same parameters as those of a stage. The objects of a page of documents become due to be removed from the
/// bucket, in the batch that removes the documents: also the object of a document that came after the destruction had
/// begun.
pub(crate) const LOOSEN: &str = concat!(
    "INSERT INTO loose_objects (id, due_at) SELECT id, 0 FROM documents WHERE ",
    documents!(),
    " AND state IN ('available', 'quarantined') AND ?4 = ?4 AND ",
    running!(),
    " ON CONFLICT DO NOTHING"
);

/// The statements of a table.
pub(crate) const fn stage(of: DestructionStage) -> Stage {
    match of {
        DestructionStage::Delivery => {
            stage!("delivery", "deliveries", "practice_id, webhook_id, id")
        }
        DestructionStage::Webhook => stage!("webhook", "webhooks", "practice_id, id"),
        DestructionStage::DocumentUse => {
            stage!("document_use", "document_uses", "practice_id, document_id, kind, record_id")
        }
        DestructionStage::Document => {
            stage!("document", "documents", "practice_id, id", documents!())
        }
        DestructionStage::DocumentSettings => {
            stage!("document_settings", "document_settings", "practice_id")
        }
        DestructionStage::Signature => {
            stage!("signature", "signatures", "practice_id, claim_id, id")
        }
        DestructionStage::SigningLink => {
            stage!("signing_link", "signing_links", "practice_id, claim_id, id")
        }
        DestructionStage::Note => stage!("note", "claim_notes", "practice_id, claim_id, id"),
        DestructionStage::ClaimEvent => stage!("claim_event", "claim_events", "practice_id, claim_id, version"),
        DestructionStage::LevelClaim => stage!("level_claim", "level_claims", "practice_id, claim_id, case_id, level"),
        DestructionStage::CaseLevel => {
            stage!("case_level", "case_levels", "practice_id, case_id, level")
        }
        DestructionStage::CaseClaim => stage!("case_claim", "case_claims", "practice_id, case_id, claim_id"),
        DestructionStage::Case => stage!("case", "cases", "practice_id, id"),
        DestructionStage::ReportClaim => stage!("report_claim", "report_claims", "practice_id, report_id, claim_id"),
        DestructionStage::Report => stage!("report", "reports", "practice_id, id"),
        DestructionStage::Claim => {
            Stage { count: COUNT_CLAIMS, delete: stage!("claim", "claims", "practice_id, claim_number").delete }
        }
        DestructionStage::Answer => {
            stage!("answer", "answers", "user_id, place", "user_id IN (SELECT id FROM users WHERE practice_id = ?1)")
        }
        DestructionStage::StaffAnswer => stage!(
            "staff_answer",
            "answers",
            "user_id, place",
            "user_id IN (SELECT id FROM users WHERE practice_id IS NULL) AND at < CAST(?4 AS INTEGER)"
        ),
    }
}

/// `?1` now. The destructions that are due, as `data_jobs::Job` reads them.
pub(crate) const DUE: &str = concat!(
    "SELECT json_group_array(",
    job!(),
    ") AS json FROM (SELECT * FROM data_jobs WHERE kind = 'destruction' AND state IN ('waiting', 'running')
       AND due_at <= CAST(?1 AS INTEGER) ORDER BY due_at LIMIT 5) j"
);

/// `?1` practice, `?2` id. The current state of the job.
pub(crate) const JOB: &str =
    concat!("SELECT ", job!(), " AS json FROM data_jobs j WHERE j.practice_id = ?1 AND j.id = ?2");

/// `?1` practice, `?2` id, `?3` now. The totals are taken now, because no new data can come in.
pub(crate) const BEGIN: &str = "UPDATE data_jobs SET state = 'running', begun_at = ?3, version = version + 1,
     totals = json_object(
       'delivery', (SELECT count(*) FROM deliveries WHERE practice_id = ?1),
       'webhook', (SELECT count(*) FROM webhooks WHERE practice_id = ?1),
       'document_use', (SELECT count(*) FROM document_uses WHERE practice_id = ?1),
       'document', (SELECT count(*) FROM documents WHERE practice_id = ?1),
       'document_settings', (SELECT count(*) FROM document_settings WHERE practice_id = ?1),
       'signature', (SELECT count(*) FROM signatures WHERE practice_id = ?1),
       'signing_link', (SELECT count(*) FROM signing_links WHERE practice_id = ?1),
       'note', (SELECT count(*) FROM claim_notes WHERE practice_id = ?1),
       'claim_event', (SELECT count(*) FROM claim_history WHERE practice_id = ?1),
       'level_claim', (SELECT count(*) FROM level_claims WHERE practice_id = ?1),
       'case_level', (SELECT count(*) FROM case_levels WHERE practice_id = ?1),
       'case_claim', (SELECT count(*) FROM case_claims WHERE practice_id = ?1),
       'case', (SELECT count(*) FROM cases WHERE practice_id = ?1),
       'report_claim', (SELECT count(*) FROM report_claims WHERE practice_id = ?1),
       'report', (SELECT count(*) FROM reports WHERE practice_id = ?1),
       'claim', (SELECT count(*) FROM claims WHERE practice_id = ?1),
       'submission', (SELECT count(*) FROM submissions WHERE practice_id = ?1),
       'answer', (SELECT count(*) FROM answers a WHERE a.user_id IN (SELECT id FROM users WHERE practice_id = ?1)))
     WHERE practice_id = ?1 AND id = ?2 AND kind = 'destruction' AND state = 'waiting'";

/// `?1` the practice. Aborts the batch if any row of the practice's data is left.
pub(crate) const GUARD_NOTHING_LEFT: &str = "INSERT INTO guards (failed) SELECT 'record'
     WHERE EXISTS (SELECT 1 FROM claims WHERE practice_id = ?1)
       OR EXISTS (SELECT 1 FROM claim_events WHERE practice_id = ?1)
       OR EXISTS (SELECT 1 FROM claim_notes WHERE practice_id = ?1)
       OR EXISTS (SELECT 1 FROM signing_links WHERE practice_id = ?1)
       OR EXISTS (SELECT 1 FROM signatures WHERE practice_id = ?1)
       OR EXISTS (SELECT 1 FROM reports WHERE practice_id = ?1)
       OR EXISTS (SELECT 1 FROM report_claims WHERE practice_id = ?1)
       OR EXISTS (SELECT 1 FROM cases WHERE practice_id = ?1)
       OR EXISTS (SELECT 1 FROM case_claims WHERE practice_id = ?1)
       OR EXISTS (SELECT 1 FROM case_levels WHERE practice_id = ?1)
       OR EXISTS (SELECT 1 FROM level_claims WHERE practice_id = ?1)
       OR EXISTS (SELECT 1 FROM document_uses WHERE practice_id = ?1)
       OR EXISTS (SELECT 1 FROM documents WHERE practice_id = ?1)
       OR EXISTS (SELECT 1 FROM document_settings WHERE practice_id = ?1)
       OR EXISTS (SELECT 1 FROM deliveries WHERE practice_id = ?1)
       OR EXISTS (SELECT 1 FROM webhooks WHERE practice_id = ?1)
       OR EXISTS (SELECT 1 FROM payers WHERE practice_id = ?1)
       OR EXISTS (SELECT 1 FROM claim_counts WHERE scope = ?1)";
