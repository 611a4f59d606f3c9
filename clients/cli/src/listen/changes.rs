//! Follows the changes of a practice's claims, and says what the service tells of them.

use crate::answer::{not_the_service, read};
use crate::call::{Answer, CallError};
use crate::error::CommandError;
use crate::person::{PersonService, refused};
use crate::screen::Screen;
use crate::text::shown;
use overturn_core::base::date::Date;
use overturn_core::base::id::{ClaimId, ReportId};
use overturn_core::base::instant::Instant;
use overturn_core::base::time::Time;
use overturn_core::claims::{ClaimNumber, ClaimStatus, SigningStatus};
use overturn_core::webhooks::message::Data;
use overturn_core::webhooks::news::{ChangedClaim, ClaimState, news};
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use uuid::Uuid;

const PATH: &str = "/api/v1/denials?limit=100&changes_after=";

/// A claim as the list has it.
#[derive(Clone, PartialEq, Deserialize)]
struct ListedClaim {
    id: ClaimId,
    claim_number: ClaimNumber,
    status: ClaimStatus,
    signing: ListedSigning,
    deadline: Option<ListedDeadline>,
    report_id: Option<ReportId>,
    #[serde(deserialize_with = "moment")]
    updated_at: Instant,
}

#[derive(Clone, PartialEq, Deserialize)]
struct ListedSigning {
    status: SigningStatus,
}

#[derive(Clone, Copy, PartialEq, Deserialize)]
struct ListedDeadline {
    date: Date,
}

/// A claim with its latest changes, the oldest first.
#[derive(Deserialize)]
struct ReadClaim {
    #[serde(flatten)]
    claim: ListedClaim,
    version: u64,
    history: Vec<Change>,
}

#[derive(Deserialize)]
struct Change {
    /// That of the claim after it.
    version: u64,
    #[serde(deserialize_with = "moment")]
    at: Instant,
    kind: String,
    status: ClaimStatus,
    /// `None` if the change did not affect it.
    signing: Option<SigningStatus>,
}

#[derive(Deserialize)]
struct Page {
    denials: Vec<ListedClaim>,
    changes_cursor: String,
    more: bool,
}

#[derive(Deserialize)]
struct Report {
    claims: Vec<serde_json::Value>,
}

/// What is to be said, when it happened, and what its line names.
pub(super) type Told = (Instant, Data, String);

/// What follows a read of the changes.
pub(super) enum Next {
    /// There are more changes.
    More,
    /// There are no more now.
    Wait,
    /// The service could not be read. Why, and how long it asks to wait.
    Later(String, Duration),
}

/// What a claim was when it was read.
struct KnownClaim {
    claim: ListedClaim,
    /// `None` if only the list was read, which does not have it.
    version: Option<u64>,
}

/// The claims as last read, and where the next changes are.
pub(super) struct Changes {
    claims: BTreeMap<Uuid, KnownClaim>,
    reports: BTreeSet<Uuid>,
    cursor: String,
}

impl Changes {
    /// Reads all claims as they are now.
    pub(super) fn from_now(person: &PersonService, screen: &Screen) -> Result<Self, CommandError> {
        let mut all = Self { claims: BTreeMap::new(), reports: BTreeSet::new(), cursor: "start".into() };
        loop {
            let page: Page = person.get(&format!("{PATH}{}", all.cursor), screen)?;
            all.cursor = cursor(page.changes_cursor)?;
            for claim in page.denials {
                all.reports.extend(claim.report_id.map(|report| report.0));
                all.claims.insert(claim.id.0, KnownClaim { claim, version: None });
            }
            if !page.more {
                return Ok(all);
            }
        }
    }

    pub(super) fn known(&self) -> usize {
        self.claims.len()
    }

    /// Reads the next changes. The list names the claims, and the history of each has all of its changes. If one cannot be read,
    /// the same list is read again, and its claims that were read before are left out.
    pub(super) fn poll(&mut self, person: &PersonService, screen: &Screen) -> Result<(Vec<Told>, Next), CommandError> {
        let answer = match person.once(&format!("{PATH}{}", self.cursor)) {
            Ok(answer) if answer.status == 200 => answer,
            // The database was restored to an earlier state.
            Ok(answer) if answer.status == 409 => {
                screen.note("the service was restored; following from its state now");
                *self = Self::from_now(person, screen)?;
                return Ok((Vec::new(), Next::Wait));
            }
            other => return Ok((Vec::new(), later(other)?)),
        };
        let page: Page = read(&answer)?;
        let after = cursor(page.changes_cursor)?;
        let mut told = Vec::new();
        let mut next = if page.more { Next::More } else { Next::Wait };
        for listed in page.denials {
            match self.claims.get(&listed.id.0) {
                Some(known) if known.claim == listed => continue,
                // The service tells nothing of a receipt.
                None if listed.is_as_received() => {
                    self.claims.insert(listed.id.0, KnownClaim { claim: listed, version: None });
                    continue;
                }
                _ => {}
            }
            if let Err(why) = self.read(listed.id, person, &mut told)? {
                next = why;
                break;
            }
        }
        if !matches!(next, Next::Later(..)) {
            self.cursor = after;
        }
        told.sort_by_key(|(at, ..)| *at);
        Ok((told, next))
    }

    /// Reads a claim, and its report if that is new, and says what happened.
    fn read(
        &mut self,
        id: ClaimId,
        person: &PersonService,
        told: &mut Vec<Told>,
    ) -> Result<Result<(), Next>, CommandError> {
        let claim: ReadClaim = match person.once(&format!("/api/v1/denials/{id}")) {
            Ok(answer) if answer.status == 200 => read(&answer)?,
            // It was destroyed since.
            Ok(answer) if answer.status == 404 => return Ok(Ok(())),
            other => return later(other).map(Err),
        };
        let report = claim.claim.report_id.filter(|report| !self.reports.contains(&report.0));
        if let Some(id) = report {
            let claims = match person.once(&format!("/api/v1/reports/{id}")) {
                Ok(answer) if answer.status == 200 => read::<Report>(&answer)?.claims.len(),
                other => return later(other).map(Err),
            };
            self.reports.insert(id.0);
            let delivered = claim.history.iter().rfind(|change| change.status == ClaimStatus::InReport);
            let at = delivered.map_or(claim.claim.updated_at, |change| change.at);
            told.extend(self.take(claim));
            told.push((at, Data::Report { id, claims }, format!("of {claims}")));
        } else {
            told.extend(self.take(claim));
        }
        Ok(Ok(()))
    }

    /// The messages about a claim since it was read last. What is known of it is replaced. A claim that is not known is new:
    /// the service tells nothing of its receipt. The history does not say what the deadline was, so it comes last.
    fn take(&mut self, read: ReadClaim) -> Vec<Told> {
        let ReadClaim { claim, version, history } = read;
        let known = self.claims.get(&claim.id.0);
        let is_new = |change: &&Change| match known {
            None => true,
            Some(KnownClaim { version: Some(version), .. }) => change.version > *version,
            Some(KnownClaim { claim, .. }) => change.at > claim.updated_at,
        };
        let now = claim.state();
        let new = ClaimState { status: ClaimStatus::Received, signing: SigningStatus::NotDecided, ..now };
        let mut after = known.map_or(new, |known| known.claim.state());
        let mut before = after;
        let mut told = Vec::new();
        let mut tell = |at, after, link, amount| {
            let change = ChangedClaim { id: claim.id, claim_number: &claim.claim_number, before, after, link, amount };
            told.extend(news(change).map(|data| (at, data, claim.claim_number.0.clone())));
            before = after;
        };
        for change in history.iter().filter(is_new) {
            after = ClaimState { status: change.status, signing: change.signing.unwrap_or(after.signing), ..after };
            // Staff decide whether a signature is needed, or make or revoke a link.
            tell(change.at, after, change.kind == "signing", change.kind == "amount_corrected");
        }
        tell(claim.updated_at, now, false, false);
        self.claims.insert(claim.id.0, KnownClaim { claim, version: Some(version) });
        told
    }
}

impl ListedClaim {
    fn is_as_received(&self) -> bool {
        let as_received = (ClaimStatus::Received, SigningStatus::NotDecided);
        (self.status, self.signing.status) == as_received && self.report_id.is_none()
    }

    fn state(&self) -> ClaimState {
        let deadline = self.deadline.map(|deadline| deadline.date);
        ClaimState { status: self.status, signing: self.signing.status, deadline }
    }
}

fn moment<'de, D: Deserializer<'de>>(from: D) -> Result<Instant, D::Error> {
    let text = String::deserialize(from)?;
    Time::parse(&text).map(|time| time.0).ok_or_else(|| D::Error::custom("not a time"))
}

/// A cursor as a part of an address.
fn cursor(text: String) -> Result<String, CommandError> {
    let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_plain.then_some(text).ok_or_else(not_the_service)
}

/// What to do about a read that failed: wait, unless it will fail again.
fn later(answer: Result<Answer, CallError>) -> Result<Next, CommandError> {
    match answer {
        Ok(answer) if matches!(answer.status, 408 | 429 | 500..) => {
            let asked = Duration::from_secs(answer.retry_after.unwrap_or(0).min(900));
            Ok(Next::Later(format!("the service answers {}", answer.status), asked))
        }
        Ok(answer) => Err(refused(&answer)),
        Err(CallError::Lost(why)) => Ok(Next::Later(shown(&why), Duration::ZERO)),
        Err(CallError::Lasting(why)) => Err(CommandError::Service(format!("cannot call the service: {}", shown(&why)))),
        Err(CallError::Interrupted) => Err(CommandError::Interrupted),
    }
}

#[cfg(test)]
mod tests;
