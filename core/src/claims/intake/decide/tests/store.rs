//! The smallest store that runs plans, as a model of a host's batches.

use super::*;
use crate::base::date::Date;
use crate::claims::intake::Fill;
use crate::claims::intake::fill::OpenedClaim;
use crate::claims::intake::{Admitted, ClaimsMissingError, CommitResult, Course, Written, at_once, settle};
use crate::claims::{ClaimStatus, PlanType};
use alloc::collections::BTreeMap;
use alloc::string::String;

#[derive(Default)]
pub(super) struct Store {
    rows: BTreeMap<String, StoredClaim>,
    /// The submission of each claim, as the store wrote it.
    joined: BTreeMap<ClaimId, SubmissionId>,
    submissions: Vec<SubmissionId>,
    /// The sealed part of each claim, its version, denial date and plan type. For an inserted claim they are those of
    /// `item()`.
    kept: BTreeMap<ClaimId, Kept>,
    /// How many mismatches were counted.
    pub(super) counted: usize,
    /// The filled-in fields, in order.
    pub(super) filled: Vec<&'static str>,
}

/// The parts of a claim that a send does not load.
#[derive(Clone)]
struct Kept {
    version: i64,
    secret: Vec<u8>,
    denial_date: Option<Date>,
    plan_type: Option<PlanType>,
}

impl Kept {
    fn of(item: &Item<'_>) -> Self {
        Self {
            version: 1,
            secret: serde_json::to_vec(&item.confidential()).unwrap(),
            denial_date: item.claim.denial_date,
            plan_type: item.claim.plan_type,
        }
    }
}

impl Store {
    /// Inserts a claim before the test begins.
    pub(super) fn insert(&mut self, row: StoredClaim) {
        self.kept.insert(row.id, Kept::of(&item()));
        self.rows.insert(row.claim_number.clone(), row);
    }

    pub(super) fn insert_item(&mut self, item: &Item<'_>, row: StoredClaim) {
        self.insert(row.clone());
        self.kept.insert(row.id, Kept::of(item));
    }

    /// The sealed part of a claim, and its denial date and plan type.
    pub(super) fn secret(&self, number: &str) -> (Value, Option<Date>, Option<PlanType>) {
        let kept = &self.kept[&self.get(number).id];
        let secret = serde_json::from_slice(&kept.secret).unwrap();
        (secret, kept.denial_date, kept.plan_type)
    }

    /// Opens claims as a host does.
    pub(super) fn open(&self, claims: &[ClaimId]) -> Vec<OpenedClaim> {
        let open = |id: &ClaimId| {
            let row = self.rows.values().find(|row| row.id == *id).unwrap();
            let kept = &self.kept[id];
            let claim = serde_json::from_value(json!({
                "id": id, "version": kept.version, "key_version": row.key_version, "sealed": "", "status": row.status,
                "denial_date": kept.denial_date, "plan_type": kept.plan_type.map(PlanType::name),
                "levels": [],
            }));
            OpenedClaim::new(claim.unwrap(), &kept.secret).unwrap()
        };
        claims.iter().map(open).collect()
    }

    fn fill(&mut self, fill: &Fill<'_>) {
        let row = self.rows.values_mut().find(|row| row.id == fill.id).unwrap();
        let kept = self.kept.get_mut(&fill.id).unwrap();
        if kept.version != fill.version || row.key_version != fill.key_version {
            return;
        }
        row.present = fill.present;
        kept.version += 1;
        let claim = &fill.item.claim;
        row.payer_claim_number = claim.payer_claim_number.to_string();
        row.billed = claim.billed_amount.or(row.billed);
        row.denied = claim.denied_amount.or(row.denied);
        kept.denial_date = kept.denial_date.or(claim.denial_date);
        kept.plan_type = kept.plan_type.or(claim.plan_type);
        self.filled.extend(fill.parts.names());
        if let Some(secret) = &fill.secret {
            kept.secret.clone_from(secret);
        }
    }

    /// Moves a claim as staff do.
    pub(super) fn set_status(&mut self, number: &str, status: ClaimStatus) {
        if let Some(row) = self.rows.get_mut(number) {
            row.status = status;
        }
    }

    pub(super) fn get(&self, number: &str) -> &StoredClaim {
        &self.rows[number]
    }

    pub(super) fn rows(&self) -> impl Iterator<Item = &StoredClaim> {
        self.rows.values()
    }

    pub(super) fn submissions(&self) -> Vec<Uuid> {
        self.submissions.iter().map(|id| id.0).collect()
    }

    pub(super) fn submission_of(&self, id: ClaimId) -> Option<SubmissionId> {
        self.joined.get(&id).copied()
    }

    /// The snapshot for a send.
    pub(super) fn load(&self, send: &ValidSend<'_>) -> Snapshot {
        snapshot(send.claim_numbers().filter_map(|number| self.rows.get(number).cloned()))
    }

    /// Writes changes and returns the result.
    pub(super) fn commit(&mut self, changes: &Changes<'_>) -> CommitResult {
        self.create(changes);
        for to in &changes.corrections {
            let row = self.rows.values_mut().find(|row| row.id == to.id).unwrap();
            row.payer_claim_number = to.payer_claim_number.to_string();
            row.billed = to.billed.or(row.billed);
            row.denied = to.denied.or(row.denied);
            self.kept.get_mut(&to.id).unwrap().version += 1;
        }
        for fill in &changes.fills {
            self.fill(fill);
        }
        self.counted += changes.compared.as_ref().map_or(0, |compared| compared.found.len());
        let rows = changes.claim_numbers().map(|number| self.rows[number].clone());
        let (created, others): (Vec<_>, Vec<_>) = rows.partition(|row| {
            self.submission_of(row.id) == Some(changes.submission_id) && row.status == ClaimStatus::Received
        });
        CommitResult { created: created.len(), others }
    }

    fn create(&mut self, changes: &Changes<'_>) {
        for NewClaim { id, item, tags, .. } in &changes.new {
            let number = item.claim.claim_number.to_string();
            if self.rows.contains_key(&number) {
                continue;
            }
            let row = StoredClaim {
                id: *id,
                key_version: tags.key_version,
                patient_tag: tags.patient.clone(),
                procedure_tag: tags.procedure.clone(),
                ..row(item, &key(1), 0)
            };
            self.rows.insert(number, row);
            self.kept.insert(*id, Kept::of(item));
            self.joined.insert(*id, changes.submission_id);
            if !self.submissions.contains(&changes.submission_id) {
                self.submissions.push(changes.submission_id);
            }
        }
    }

    /// Serves a send without other requests in between. Returns the answer and the rounds of writing.
    pub(super) fn serve(&mut self, send: &ValidSend<'_>, key: &IdentityKey, ctx: &Ctx) -> (Value, usize) {
        let snapshot = self.load(send);
        self.serve_from(snapshot, send, key, ctx)
    }

    /// The same from an earlier snapshot; other sends may have been served since.
    pub(super) fn serve_from(
        &mut self,
        snapshot: Snapshot,
        send: &ValidSend<'_>,
        key: &IdentityKey,
        ctx: &Ctx,
    ) -> (Value, usize) {
        let mut serving = Serving::new(self, send, key);
        let answer = at_once(settle(&mut serving, snapshot, ctx)).unwrap();
        let answer = serde_json::to_value(answer.unwrap().unwrap()).unwrap();
        assert!(serving.rounds <= MAX_ROUNDS, "{} rounds", serving.rounds);
        (answer, serving.rounds)
    }
}

/// A send on the store.
pub(super) struct Serving<'s, 'a> {
    store: &'s mut Store,
    send: &'a ValidSend<'a>,
    key: &'s IdentityKey,
    /// How many of the next plans are stale.
    pub(super) stale: usize,
    /// Committed plans.
    pub(super) rounds: usize,
    /// Loads after the first.
    pub(super) loads: usize,
}

impl<'s, 'a> Serving<'s, 'a> {
    pub(super) fn new(store: &'s mut Store, send: &'a ValidSend<'a>, key: &'s IdentityKey) -> Self {
        Self { store, send, key, stale: 0, rounds: 0, loads: 0 }
    }
}

/// Why the store gives no answer.
#[derive(Debug, thiserror::Error)]
pub(super) enum Failure {
    #[error(transparent)]
    Refused(#[from] Unopened),
    #[error(transparent)]
    Missing(#[from] ClaimsMissingError),
}

impl<'a> Course<'a> for Serving<'_, 'a> {
    type Error = Failure;

    fn admit(&mut self) -> Result<Admitted<'a>, Failure> {
        Ok(Admitted { practice_id: practice(), send: self.send, key: self.key.clone(), bounds: Bounds::NONE })
    }

    async fn load(&mut self) -> Result<Snapshot, Failure> {
        self.loads += 1;
        Ok(self.store.load(self.send))
    }

    async fn open(&mut self, _: PracticeId, claims: Vec<ClaimId>) -> Result<Vec<OpenedClaim>, Failure> {
        Ok(self.store.open(&claims))
    }

    async fn write(&mut self, changes: &Changes<'_>) -> Result<Written, Failure> {
        if self.stale > 0 {
            self.stale -= 1;
            return Ok(Written::Stale);
        }
        self.rounds += 1;
        Ok(Written::Done(self.store.commit(changes)))
    }

    async fn stop(&mut self, _: PracticeId, stopped: Stopped) -> Result<Failure, Failure> {
        panic!("{stopped:?}")
    }
}
