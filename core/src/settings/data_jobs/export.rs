//! The return of all data: pages of lines, each line one record as JSON, sorted by kind.

use super::BEING_DESTROYED;
use super::Job;
use super::UNKNOWN;
use super::digest;
use crate::base::ctx::Ctx;
use crate::base::id::{DataJobId, PracticeId};
use crate::base::instant::Instant;
use crate::base::names::names;
use crate::plan::SettingsGuard;
use crate::plan::SettingsWrite;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::settings::data_jobs::{JobKind, JobState, RecordCounts, Taken};
use crate::plan::{Guard, Write};
use crate::request::error::RequestError;
use crate::request::reason::Reason;
use alloc::string::{String, ToString};
use core::fmt;
use core::str::FromStr;
use serde_json::{Value, json};

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
    #[must_use]
    pub fn next(self) -> Option<Self> {
        let mut sections = Self::ALL.into_iter().skip_while(|one| *one != self);
        sections.next();
        sections.next()
    }
}

/// The record that a page starts after: its section, and the two parts of its key. Its text is `claim~<id>~`, or empty
/// for the very beginning.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ExportPosition {
    pub section: Section,
    /// The first part of the key; empty at the beginning of a section.
    pub major: String,
    /// The second part, empty for most records.
    pub minor: String,
}

impl ExportPosition {
    /// The beginning of a section.
    #[must_use]
    pub const fn of(section: Section) -> Self {
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

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RequestedPage {
    pub practice_id: PracticeId,
    pub job_id: DataJobId,
    /// The start of the page, as in the cursor.
    pub from: String,
    /// The same, parsed.
    pub position: ExportPosition,
    /// True if the page was already read last time. It then counts only once.
    pub repeated: bool,
    job: Job,
}

/// The page of a cursor. Reading the next page moves the job on. The last page can be read again, because its answer
/// may have been lost. `destroying` says whether a destruction of the practice's data is running.
///
/// # Errors
///
/// [`RequestError::NotFound`] for a job that is not a return, [`RequestError::Conflict`] for any other page, a job that ended, or
/// while a destruction is running.
pub fn turn(stored: Option<Job>, destroying: bool, cursor: Option<&str>) -> Result<RequestedPage, RequestError> {
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
    Ok(RequestedPage {
        practice_id: job.practice_id,
        job_id: job.id,
        from: from.into(),
        position: from.parse()?,
        repeated: repeated && !next,
        job,
    })
}

impl RequestedPage {
    /// When the job was requested. The export leaves out the return's own audit rows.
    #[must_use]
    pub const fn until(&self) -> Instant {
        self.job.requested_at.0
    }
}

/// The content of a page.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ExportPage {
    /// Its lines, each with a line feed.
    pub text: String,
    /// The number of records of each kind.
    pub counts: RecordCounts,
    /// How many records have a sealed part that no key opens.
    pub unreadable: i64,
    /// The start of the next page; `None` after the last.
    pub next: Option<ExportPosition>,
}

impl ExportPage {
    /// Adds a record to the page.
    pub fn push(&mut self, section: Section, line: &Value) {
        self.text.push_str(&line.to_string());
        self.text.push('\n');
        let count = self.counts.entry(section.name().into()).or_default();
        *count = count.saturating_add(1);
    }
}

/// Records that a page is read. The answer shows the page only after the batch is committed.
///
/// # Errors
///
/// [`RequestError::Conflict`] if the stored state of the digest cannot be read.
pub fn settle(turn: &RequestedPage, page: &ExportPage, ctx: &Ctx) -> Result<Change, RequestError> {
    let (practice_id, id) = (turn.practice_id, turn.job_id);
    let said = json!({ "from": turn.from, "records": page.counts, "repeated": turn.repeated });
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::DataReturned, id).detail(said);
    let change = Change::new(audit, Answer::empty())
        .guard(Guard::Settings(SettingsGuard::DataJob { practice: practice_id, job: id, version: turn.job.version }))
        .guard(Guard::Settings(SettingsGuard::NoDestruction(practice_id)));
    if turn.repeated {
        return Ok(change);
    }
    let bytes = page.text.as_bytes();
    let digest = digest::next(turn.job.digest.as_deref(), bytes)
        .ok_or(RequestError::Conflict(Reason::JobEnded, "the job cannot continue, request another one"))?;
    let mut counts = turn.job.counts.clone();
    for (kind, more) in &page.counts {
        let count = counts.entry(kind.clone()).or_default();
        *count = count.saturating_add(*more);
    }
    let length = i64::try_from(bytes.len()).unwrap_or(i64::MAX);
    Ok(change.write(Write::Settings(SettingsWrite::DataJobTaken(Taken {
        practice_id,
        id,
        from: turn.from.clone(),
        next: page.next.as_ref().map(ToString::to_string),
        counts,
        unreadable: turn.job.unreadable.saturating_add(page.unreadable),
        bytes: turn.job.bytes.saturating_add(length),
        digest,
    }))))
}
