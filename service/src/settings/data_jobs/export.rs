//! The return of all data: pages of lines, each line one record as JSON, sorted by kind.

use super::digest;
use super::job::{BEING_DESTROYED, Job, JobKind, JobState, RecordCounts, Taken, UNKNOWN, no_other};
use crate::prelude::*;
use serde_json::Value;
use std::fmt;
use std::str::FromStr;

names! {
    /// The kind of a line, in the order of the return.
    Section {
        /// The practice itself.
        Practice = "practice",
        Member = "member",
        Agreement = "agreement",
        /// An API key, without the key.
        ApiKey = "api_key",
        /// An API token, without the token.
        ApiToken = "api_token",
        /// A send of claims.
        Submission = "submission",
        /// A claim with its patient.
        Claim = "claim",
        /// A row of a claim's history.
        ClaimEvent = "claim_event",
        /// A staff note about a claim.
        Note = "note",
        /// A report with its claims.
        Report = "report",
        /// A case with its claims and levels.
        Case = "case",
        /// A signing link, without its token.
        SigningLink = "signing_link",
        /// A patient's signature.
        Signature = "signature",
        /// A webhook, without its secret.
        Webhook = "webhook",
        /// A message to a webhook.
        Delivery = "delivery",
        /// A return or destruction.
        DataJob = "data_job",
        /// A row of the audit trail, up to the request of the job.
        Audit = "audit",
        /// A document with its uses, without the key of its object. Its file is downloaded by itself.
        Document = "document",
    }
}

impl Section {
    /// The next section.
    pub(super) fn next(self) -> Option<Self> {
        let mut sections = Self::ALL.into_iter().skip_while(|one| *one != self);
        sections.next();
        sections.next()
    }
}

/// The record that a page starts after: its section, and the two parts of its key. Its text is `claim~<id>~`, or empty
/// for the very beginning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ExportPosition {
    pub(super) section: Section,
    /// The first part of the key; empty at the beginning of a section.
    pub(super) major: String,
    /// The second part, empty for most records.
    pub(super) minor: String,
}

impl ExportPosition {
    /// The beginning of a section.
    pub(super) const fn of(section: Section) -> Self {
        Self { section, major: String::new(), minor: String::new() }
    }
}

impl fmt::Display for ExportPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.section.name();
        write!(f, "{name}~{}~{}", self.major, self.minor)
    }
}

impl FromStr for ExportPosition {
    type Err = RequestError;

    fn from_str(text: &str) -> Result<Self, RequestError> {
        if text.is_empty() {
            return Ok(Self::of(Section::Practice));
        }
        let mut parts = text.splitn(3, '~');
        let section = parts.next().and_then(Section::parse).ok_or(OUT_OF_ORDER)?;
        let mut part = || parts.next().map(String::from).ok_or(OUT_OF_ORDER);
        Ok(Self { section, major: part()?, minor: part()? })
    }
}

const OUT_OF_ORDER: RequestError = RequestError::Conflict(
    Reason::OutOfOrder,
    "cursor must be the cursor of the job, or the one with which the last page was read",
);

#[derive(Debug)]
pub(super) struct RequestedPage {
    pub(super) job: Job,
    /// The start of the page, as in the cursor.
    from: String,
    /// The same, parsed.
    pub(super) position: ExportPosition,
    /// True if the page was already read last time. Its records may have changed since, so only this reading counts.
    pub(super) repeated: bool,
}

/// The page of a cursor. Reading the next page moves the job on. The last page can be read again, because its answer
/// may have been lost. `destroying` says whether a destruction of the practice's data is running.
pub(super) fn turn(stored: Option<Job>, destroying: bool, cursor: Option<&str>) -> Result<RequestedPage, RequestError> {
    let job = stored.filter(|job| job.kind == JobKind::Return).ok_or(UNKNOWN)?;
    if destroying {
        return Err(BEING_DESTROYED);
    }
    let from = cursor.unwrap_or_default();
    let repeated = job.taken_from.as_deref() == Some(from);
    let next = job.state == JobState::Running && job.position == from;
    if job.state == JobState::Cancelled {
        return Err(RequestError::Conflict(Reason::JobEnded, "the job was cancelled"));
    }
    if !repeated && !next {
        return Err(OUT_OF_ORDER);
    }
    Ok(RequestedPage { job, from: from.into(), position: from.parse()?, repeated: repeated && !next })
}

/// The content of a page.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct ExportPage {
    /// Its lines, each with a line feed.
    pub(super) text: String,
    /// The number of records of each kind.
    pub(super) counts: RecordCounts,
    /// How many records have a sealed part that no key opens.
    pub(super) unreadable: i64,
    /// The start of the next page; `None` after the last.
    pub(super) next: Option<ExportPosition>,
}

impl ExportPage {
    /// Adds a record to the page.
    pub(super) fn push(&mut self, section: Section, line: &Value) {
        self.text.push_str(&line.to_string());
        self.text.push('\n');
        let count = self.counts.entry(section.name().into()).or_default();
        *count = count.saturating_add(1);
    }
}

/// Records that a page is read. The answer shows the page only after the batch is committed.
pub(super) fn settle(turn: &RequestedPage, page: &ExportPage, ctx: &Ctx) -> Result<Change, RequestError> {
    let (practice, job) = (turn.job.practice_id, &turn.job);
    let said = json!({ "from": turn.from, "records": page.counts, "repeated": turn.repeated });
    let audit = Entry::new(ctx, 0, Some(practice), Event::DataReturned, job.id).detail(said);
    let change = Change::new(audit, Answer::empty()).guard(job.unchanged()).guard(abort_if!(
        Record,
        "EXISTS (
           SELECT 1 FROM data_jobs WHERE practice_id = {practice} AND kind = 'destruction'
             AND (state = 'running' OR state = 'done' AND finished_at >= CAST({begun} AS INTEGER)))";
        practice, begun = job.begun_at
    ));
    let before = match &job.before {
        Some(before) if turn.repeated => before,
        _ => &job.taken,
    };
    let taken = before
        .with(page)
        .ok_or(RequestError::Conflict(Reason::JobEnded, "the job cannot continue, request another one"))?;
    let change = match (job.state, &page.next) {
        // The last page has grown since it was read, so the job goes on.
        (JobState::Done, Some(_)) => change.guard(no_other(practice, JobKind::Return, job.id)),
        _ => change,
    };
    Ok(change.write(sql!(
        "UPDATE data_jobs SET taken_from = {from}, position = coalesce({next}, position), counts = {counts},
           unreadable = CAST({unreadable} AS INTEGER), bytes = CAST({bytes} AS INTEGER), digest = {digest},
           before = {before}, version = version + 1, state = iif({next} IS NULL, 'done', 'running'),
           finished_at = iif({next} IS NULL, coalesce(finished_at, CAST({now} AS INTEGER)), NULL)
         WHERE practice_id = {practice} AND id = {id}";
        practice, id = job.id, from = &turn.from, next = page.next.as_ref().map(ToString::to_string),
        counts = Json(taken.counts), unreadable = taken.unreadable, bytes = taken.bytes, digest = taken.digest,
        before = Json(before), now = ctx.now
    )))
}

impl Taken {
    /// The same with one more page. `None` if the stored digest is not one.
    fn with(&self, page: &ExportPage) -> Option<Self> {
        let bytes = page.text.as_bytes();
        let mut counts = self.counts.clone();
        for (kind, more) in &page.counts {
            let count = counts.entry(kind.clone()).or_default();
            *count = count.saturating_add(*more);
        }
        Some(Self {
            counts,
            bytes: self.bytes.saturating_add(i64::try_from(bytes.len()).ok()?),
            unreadable: self.unreadable.saturating_add(page.unreadable),
            digest: Some(digest::next(self.digest.as_deref(), bytes)?),
        })
    }
}
