//! `GET /api/v1/staff/claims`: the staff's queue over all practices. The earliest deadline comes first, claims without
//! one come last, and older claims come first within a day; or the other way around, or by another value. Claims that wait for a decision of the
//! payer come in the order of the days on which staff ask for it, if only they are wanted.

mod place;
mod query;
pub(super) mod sql;

pub(crate) use place::QueuePlace;
pub(crate) use query::{COUNT_MAX, QueueQuery};
pub use query::{COUNT_SCAN_MAX, QueueOrder, SignatureState};

use crate::plan::practice::PracticeName;
use crate::plan::signing::link::KeptLink;
use crate::plan::signing::{SigningStatus, is_asked};
use crate::plan::work::claim::ClaimState;
use crate::prelude::*;
#[cfg(feature = "schema")]
use crate::request::declare::query::kinds::Place;
use crate::request::page::{Count, CsvRow, merged};
use crate::work::colleague::Colleague;
use crate::work::may::{self, ClaimAction};
use overturn_core::base::date::Date;
use overturn_core::base::id::{CaseId, ClaimId, ReportId, UserId};
use overturn_core::base::money::Amount;
use overturn_core::claims::ClaimStatus;
#[cfg(feature = "schema")]
use overturn_core::claims::PlanType;
use overturn_core::claims::appeal::letter::{self, Letter};
use overturn_core::claims::deadline::{self, Deadline, DueByRule};
use place::SortedBy;
use uuid::Uuid;

/// The row in the staff's trail about a search by claim number: the practice and the claims found. It does not have the
/// number, because a practice's numbers are shown only while its claims may be read.
fn searched(query: &QueueQuery, found: &FoundQueue, person: &Person, ctx: &Ctx) -> Option<Entry> {
    query.claim_number.as_ref()?;
    let found = found.claims.iter().map(|item| (item.practice.id, item.id));
    let said = found_claims(query.practice_id, found);
    let entry = Entry::new(ctx, 0, None, Event::QueueSearched, person.user_id);
    Some(entry.detail(said))
}

/// What the staff's trail says of a search: in which practice, `None` for all, and which claims it found.
pub(super) fn found_claims(
    practice_id: Option<PracticeId>,
    found: impl Iterator<Item = (PracticeId, ClaimId)>,
) -> serde_json::Value {
    let found = found.map(|(practice_id, id)| json!({ "practice_id": practice_id, "id": id }));
    json!({ "practice_id": practice_id, "found": found.collect::<Vec<_>>() })
}

/// A claim in the queue. It does not name the patient.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct QueueItem {
    pub id: ClaimId,
    pub practice: PracticeName,
    pub claim_number: String,
    pub status: ClaimStatus,
    pub signing_status: SigningStatus,
    /// The staff member who has taken it.
    pub taken_by: Option<Colleague>,
    /// The deadline of its appeal, if it is known.
    pub deadline: Option<Deadline>,
    /// The insurer, as the practice names it.
    pub payer_name: String,
    /// As it was sent. The payer's `letter` can give another one.
    #[cfg_attr(feature = "schema", schemars(with = "Option<PlanType>"))]
    pub plan_type: Option<String>,
    /// What a person read in the payer's letter.
    pub letter: Option<Letter>,
    pub date_of_service: Date,
    /// As it was sent. The payer's `letter` can give another one.
    pub denial_date: Option<Date>,
    pub billed_amount: Option<Amount>,
    pub denied_amount: Option<Amount>,
    /// The recognized adjustment and remark codes.
    pub denial_codes: Vec<String>,
    /// When it was received.
    pub received_at: Time,
    /// The number of its changes.
    pub version: i64,
    /// The report it was last delivered in.
    pub report_id: Option<ReportId>,
    /// The case in which it is, or was last, appealed.
    pub case_id: Option<CaseId>,
    /// When it last changed.
    pub updated_at: Time,
    /// When to ask for the payer's decision about its case, as `listAllCases` has it. `null` if the case does not wait for a
    /// decision or no day is known.
    pub ask_on: Option<Date>,
    /// Its signing link that was neither revoked nor used.
    #[serde(skip_serializing)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub link: Option<KeptLink>,
    /// Whether it has a recorded payment.
    #[serde(skip_serializing)]
    #[cfg_attr(feature = "schema", schemars(skip))]
    pub was_paid: bool,
}

impl QueueItem {
    /// When its signing link stops working, `None` if none works or the appeal has ended.
    fn link_expires_at(&self, now: Instant) -> Option<Time> {
        let asked = is_asked(self.status, self.signing_status);
        let link = self.link.filter(|_| asked);
        link.and_then(|link| link.works_until(now))
    }

    fn deadline_by_rule(&self) -> Option<DueByRule> {
        let sent = (self.plan_type.as_deref(), self.denial_date);
        let (plan_type, denied) = letter::known(self.letter, sent);
        deadline::of(plan_type, denied).map(Into::into)
    }

    fn may(&self, by: UserId) -> Vec<ClaimAction> {
        let state = ClaimState {
            status: self.status,
            signing_status: self.signing_status,
            taken_by: self.taken_by.as_ref().map(|taken_by| taken_by.id),
            was_appealed: self.case_id.is_some(),
            was_paid: self.was_paid,
        };
        may::on_claim(state, self.link.is_some(), by)
    }
}

/// A claim in the queue. It does not name the patient.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct QueuedClaim {
    #[serde(flatten)]
    pub item: QueueItem,
    /// The date that the rule gives.
    pub deadline_by_rule: Option<DueByRule>,
    /// When its signing link stops working. `null` if no link works.
    pub link_expires_at: Option<Time>,
    /// What the staff member may do with it.
    pub may: Vec<ClaimAction>,
}

impl Item for QueuedClaim {
    const LIST: &'static str = "claims";
    #[cfg(feature = "schema")]
    const CURSOR: &'static str = <QueuePlace as Place>::FORM;
    #[cfg(feature = "schema")]
    const COUNTED: bool = true;
    #[cfg(feature = "schema")]
    const OF_ALL: bool = true;
}

impl QueuedClaim {
    /// The claim for a staff member at this instant.
    pub(crate) fn of(item: QueueItem, person: &Person, now: Instant) -> Self {
        Self {
            deadline_by_rule: item.deadline_by_rule(),
            link_expires_at: item.link_expires_at(now),
            may: item.may(person.user_id),
            item,
        }
    }
}

impl CsvRow for QueuedClaim {
    const FILE: &'static str = "queue.csv";
    const COLUMNS: &'static [&'static str] = &[
        "id",
        "practice.id",
        "practice.name",
        "claim_number",
        "status",
        "signing_status",
        "taken_by.id",
        "taken_by.name",
        "deadline.date",
        "deadline.from",
        "payer_name",
        "plan_type",
        "date_of_service",
        "denial_date",
        "billed_amount",
        "denied_amount",
        "denial_codes",
        "received_at",
        "version",
        "report_id",
        "case_id",
        "updated_at",
        "link_expires_at",
        "may",
        "letter.denial_date",
        "letter.plan_type",
        "letter.appeal_due",
        "letter.counts",
        "letter.read_by",
        "letter.read_at",
        "ask_on",
    ];
}

/// The result of the statement for a page.
#[derive(Clone, PartialEq, Eq, Debug, Default, Deserialize)]
pub(crate) struct FoundQueue {
    /// The claims, at most one more than a page has.
    pub claims: Vec<QueueItem>,
    /// True if more claims passed, but did not fit into one value of the database.
    pub cut: bool,
    /// How many claims pass, if they are counted.
    pub count: Option<FoundCount>,
}

/// A bounded count.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
pub(crate) struct FoundCount {
    /// How many claims pass, at most one more than is said.
    pub passed: usize,
    /// How many claims were looked at.
    pub scanned: usize,
}

impl FoundCount {
    /// The count, as answered.
    fn said(self) -> Count {
        Count { claims: self.passed.min(COUNT_MAX), more: self.passed > COUNT_MAX || self.scanned >= COUNT_SCAN_MAX }
    }
}

/// A page of the queue, for the caller with this hash.
pub(super) fn page(caller: &str, query: &QueueQuery, now: Instant) -> Query<Option<FoundQueue>> {
    query.page(caller, now).optional()
}

/// `listQueue`: List the queue of claims of all practices.
///
/// Staff only. The claim with the soonest deadline comes first. Claims without a deadline come last. Claims with the same
/// deadline are sorted by age, the oldest first. `order=latest_deadline` is exactly the reverse, and there are orders by
/// denied amount and by arrival. The list does not name a
/// patient. The cursor is a place in this order, so it stays valid while claims enter or leave the queue. A search by
/// `claim_number` leaves a row in the staff's audit trail. With `Accept: text/csv`, the answer is the same page as CSV,
/// with up to 1,000 claims. The default is then 1,000.
pub(crate) async fn show(request: ReadRequest<QueueQuery>) -> Result<GivesTable<Listed<QueuedClaim>>, AppError> {
    let ctx = request.ctx();
    let load = |query: &QueueQuery, known: Option<&Person>| match known {
        Some(person) => page(request.credential(), &query.of(person), ctx.now),
        None => page(request.credential(), query, ctx.now),
    };
    let found = request.search(load, joined, |query, found, person| {
        let found = found.unwrap_or_default();
        let audit = searched(query, &found, person, ctx);
        (list(query, found, person, ctx.now), audit)
    });
    found.await
}

/// What two cells found, as one page. It ends where the one that is cut ends.
pub(super) fn joined(query: &QueueQuery, found: Option<FoundQueue>, more: Option<FoundQueue>) -> Option<FoundQueue> {
    let (found, more) = match (found, more) {
        (Some(found), Some(more)) => (found, more),
        (found, more) => return found.or(more),
    };
    let key = |claim: &QueueItem| {
        let place = place(query, claim);
        (place.by.key(query.order.nothing()), place.id)
    };
    let order = |a: &(String, Uuid), b: &(String, Uuid)| if query.order.is_reverse() { b.cmp(a) } else { a.cmp(b) };
    let cut = [&found, &more].into_iter().filter(|found| found.cut);
    let ends: Vec<_> = cut.filter_map(|found| found.claims.last().map(key)).collect();
    let cut = found.cut || more.cut;
    let mut claims = merged([found.claims, more.claims], query.limit.saturating_add(1), |a, b| order(&key(a), &key(b)));
    claims.retain(|claim| ends.iter().all(|end| order(&key(claim), end).is_le()));
    let count = found
        .count
        .zip(more.count)
        .map(|(a, b)| FoundCount { passed: a.passed.saturating_add(b.passed), scanned: a.scanned.max(b.scanned) });
    Some(FoundQueue { claims, cut, count })
}

/// The place of a claim that a query found.
pub(super) fn place(query: &QueueQuery, claim: &QueueItem) -> QueuePlace {
    let by = match (query.order.value(), query.ask_before) {
        (Some("arrived"), _) => Some(SortedBy::Number(claim.received_at.0.0)),
        (Some(_), _) => claim.denied_amount.map(|amount| SortedBy::Number(amount.0.get())),
        (None, Some(_)) => claim.ask_on.map(SortedBy::Day),
        (None, None) => claim.deadline.map(|deadline| SortedBy::Day(deadline.date)),
    };
    QueuePlace { by: by.unwrap_or(SortedBy::Nothing), id: claim.id.0 }
}

/// A page of the queue, for a staff member at this instant.
fn list(query: &QueueQuery, found: FoundQueue, person: &Person, now: Instant) -> Listed<QueuedClaim> {
    let count = found.count.map(FoundCount::said);
    let more = found.cut || found.claims.len() > query.limit;
    let claims = found.claims.into_iter().take(query.limit);
    let claims: Vec<QueuedClaim> = claims.map(|item| QueuedClaim::of(item, person, now)).collect();
    let last = claims.last().filter(|_| more);
    let next = last.map(|last| place(query, &last.item).to_string());
    Listed::new(claims, next).counted(count)
}
