//! Follows the changes of a practice's claims, and says what the service tells of them.

use crate::answer::{not_the_service, read};
use crate::call::{Answer, CallError};
use crate::error::CommandError;
use crate::person::{PersonService, refused};
use crate::screen::Screen;
use crate::system;
use crate::text::shown;
use overturn_core::base::date::Date;
use overturn_core::base::id::{ClaimId, ReportId};
use overturn_core::base::time::Time;
use overturn_core::claims::{ClaimNumber, ClaimStatus, SigningStatus};
use overturn_core::webhooks::message::Data;
use overturn_core::webhooks::news::{ChangedClaim, ClaimState, news};
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;
use uuid::Uuid;

const PATH: &str = "/api/v1/denials?limit=100&changes_after=";

/// A claim as the list has it.
#[derive(Clone, Deserialize)]
struct ListedClaim {
    id: ClaimId,
    claim_number: ClaimNumber,
    status: ClaimStatus,
    signing: ListedSigning,
    deadline: Option<ListedDeadline>,
    amount_recovered: Option<String>,
    report_id: Option<ReportId>,
}

#[derive(Clone, Deserialize)]
struct ListedSigning {
    status: SigningStatus,
    link_expires_at: Option<String>,
}

#[derive(Clone, Copy, Deserialize)]
struct ListedDeadline {
    date: Date,
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

/// What one read of the changes gave.
pub(super) enum Polled {
    /// The messages, each with what its line names, and whether there are more changes.
    Changes(Vec<(Data, String)>, bool),
    /// The service could not be read. Why, and how long it asks to wait.
    Later(String, Duration),
}

/// The claims as last read, and where the next changes are.
pub(super) struct Changes {
    claims: BTreeMap<Uuid, ListedClaim>,
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
                all.claims.insert(claim.id.0, claim);
            }
            if !page.more {
                return Ok(all);
            }
        }
    }

    pub(super) fn known(&self) -> usize {
        self.claims.len()
    }

    /// Reads the next changes. If one of their reports cannot be read, the same changes are read again.
    pub(super) fn poll(&mut self, person: &PersonService, screen: &Screen) -> Result<Polled, CommandError> {
        let answer = match person.once(&format!("{PATH}{}", self.cursor)) {
            Ok(answer) if answer.status == 200 => answer,
            // The database was restored to an earlier state.
            Ok(answer) if answer.status == 409 => {
                screen.note("the service was restored; following from its state now");
                *self = Self::from_now(person, screen)?;
                return Ok(Polled::Changes(Vec::new(), false));
            }
            other => return later(other),
        };
        let page: Page = read(&answer)?;
        let next = cursor(page.changes_cursor)?;
        let mut reports = BTreeMap::new();
        for report in page.denials.iter().filter_map(|claim| claim.report_id) {
            if self.reports.contains(&report.0) || reports.contains_key(&report.0) {
                continue;
            }
            match person.once(&format!("/api/v1/reports/{report}")) {
                Ok(answer) if answer.status == 200 => {
                    reports.insert(report.0, read::<Report>(&answer)?.claims.len());
                }
                other => return later(other),
            }
        }
        let mut told = Vec::new();
        for claim in page.denials {
            let about = claim.claim_number.0.clone();
            told.extend(self.take(claim).into_iter().map(|data| (data, about.clone())));
        }
        for (id, claims) in reports {
            self.reports.insert(id);
            told.push((Data::Report { id: ReportId(id), claims }, format!("of {claims}")));
        }
        self.cursor = next;
        Ok(Polled::Changes(told, page.more))
    }

    /// The messages about a claim as it is now, which replaces what was known of it. A claim that is not known is new: the
    /// service tells nothing of its receipt.
    fn take(&mut self, claim: ListedClaim) -> Vec<Data> {
        let after = claim.state();
        let known = self.claims.get(&claim.id.0);
        let new = ClaimState { status: ClaimStatus::Received, signing: SigningStatus::NotDecided, ..after };
        let before = known.map_or(new, ListedClaim::state);
        let is_same = before.status == after.status;
        let change = ChangedClaim {
            id: claim.id,
            claim_number: &claim.claim_number,
            before,
            after,
            link: known.is_some_and(|known| claim.has_other_link(known)),
            amount: is_same && known.is_some_and(|known| known.amount_recovered != claim.amount_recovered),
        };
        let told = news(change).collect();
        self.claims.insert(claim.id.0, claim);
        told
    }
}

impl ListedClaim {
    /// True if its link was replaced or revoked since. A link also ends by itself, and with its claim.
    fn has_other_link(&self, before: &Self) -> bool {
        let (was, is) = (&before.signing.link_expires_at, &self.signing.link_expires_at);
        let until = was.as_deref().and_then(Time::parse);
        let ended = until.is_some_and(|until| until.0 <= system::ctx().now);
        ClaimStatus::OPEN.contains(&self.status) && was != is && (is.is_some() || !ended)
    }

    fn state(&self) -> ClaimState {
        let deadline = self.deadline.map(|deadline| deadline.date);
        ClaimState { status: self.status, signing: self.signing.status, deadline }
    }
}

/// A cursor as a part of an address.
fn cursor(text: String) -> Result<String, CommandError> {
    let is_plain = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_plain.then_some(text).ok_or_else(not_the_service)
}

/// What to do about a read that failed: wait, unless it will fail again.
fn later(answer: Result<Answer, CallError>) -> Result<Polled, CommandError> {
    match answer {
        Ok(answer) if matches!(answer.status, 408 | 429 | 500..) => {
            let asked = Duration::from_secs(answer.retry_after.unwrap_or(0).min(900));
            Ok(Polled::Later(format!("the service answers {}", answer.status), asked))
        }
        Ok(answer) => Err(refused(&answer)),
        Err(CallError::Lost(why)) => Ok(Polled::Later(shown(&why), Duration::ZERO)),
        Err(CallError::Lasting(why)) => Err(CommandError::Service(format!("cannot call the service: {}", shown(&why)))),
        Err(CallError::Interrupted) => Err(CommandError::Interrupted),
    }
}

#[cfg(test)]
mod tests;
