//! What the console shows at a glance: counts and sums of claims, practices, colleagues and payers. Nothing here names a
//! patient.
//!
//! The batch that changes a claim keeps the counts (`edge/migrations/0001_schema.sql`), so a summary reads no claims.

mod lists;
mod practices;
mod query;
mod summary;

pub use lists::{COLLEAGUES_MAX, Colleague, Colleagues, PAYERS_MAX, Payer, Payers};
pub use practices::{ListedPractice, OpenClaims, list};
pub use query::{PayersQuery, PracticesQuery, SummaryQuery, Today, WorkSummaryQuery};
pub use summary::{
    ClaimTotal, DAYS, DECISIONS_MAX, DeadlineSummary, DeadlineTotal, DueDay, StatusSummary, StoredCount, Sum, Summary,
    WorkSummary, summarize,
};
