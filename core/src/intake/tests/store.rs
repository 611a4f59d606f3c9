//! The smallest store that carries out plans: what a host's batches must amount to.

use super::*;
use crate::plan::NewClaims;
use alloc::collections::BTreeMap;

#[derive(Default)]
pub(super) struct Store {
    rows: BTreeMap<String, StoredClaim>,
    /// The submission of each claim, as the store wrote it.
    joined: BTreeMap<ClaimId, SubmissionId>,
    submissions: Vec<SubmissionId>,
}

impl Store {
    /// A claim that is there before the test begins.
    pub(super) fn insert(&mut self, row: StoredClaim) {
        self.rows.insert(row.claim_number.clone(), row);
    }

    /// Where staff moved a claim.
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

    /// What a send finds.
    pub(super) fn load(&self, send: &Send<'_>) -> Snapshot {
        snapshot(
            send.claim_numbers()
                .filter_map(|number| self.rows.get(number).cloned()),
        )
    }

    /// Carries out a plan and says what came of it, in one step.
    pub(super) fn commit(&mut self, plan: &Plan<'_>) -> Outcome {
        let submission = plan.writes.iter().find_map(|write| match write {
            Write::Claims(new) => Some(new.submission_id),
            _ => None,
        });
        let (created, others): (Vec<_>, Vec<_>) = self.rows_of(plan).into_iter().partition(|row| {
            submission.is_some()
                && self.submission_of(row.id) == submission
                && row.status == ClaimStatus::Received
        });
        Outcome {
            created: created.len(),
            others,
        }
    }

    /// Carries out a plan and reads the rows of its claims back.
    fn rows_of(&mut self, plan: &Plan<'_>) -> Vec<StoredClaim> {
        let mut numbers = Vec::new();
        for write in &plan.writes {
            match write {
                Write::Claims(new) => {
                    self.create(new);
                    numbers.extend(new.claims.iter().map(|new| &*new.item.claim.claim_number));
                }
                Write::Corrections(corrections) => {
                    for to in &corrections.claims {
                        let row = self.rows.values_mut().find(|row| row.id == to.id).unwrap();
                        row.payer_claim_number = to.payer_claim_number.to_string();
                        row.billed = to.billed.or(row.billed);
                        row.denied = to.denied.or(row.denied);
                        numbers.push(to.claim_number);
                    }
                }
                other => panic!("a send does not write {other:?}"),
            }
        }
        numbers
            .into_iter()
            .map(|number| self.rows[number].clone())
            .collect()
    }

    fn create(&mut self, new: &NewClaims<'_>) {
        for NewClaim { id, item, tags, .. } in &new.claims {
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
            self.joined.insert(*id, new.submission_id);
            if !self.submissions.contains(&new.submission_id) {
                self.submissions.push(new.submission_id);
            }
        }
    }

    /// Serves a send without anyone between, as a host does; the answer and the rounds of writing.
    pub(super) fn serve(
        &mut self,
        send: &Send<'_>,
        keys: &IdentityKeys,
        ctx: &Ctx,
    ) -> (Value, usize) {
        let snapshot = self.load(send);
        self.serve_from(snapshot, send, keys, ctx)
    }

    /// The same from what was loaded before, while others may have been served since.
    pub(super) fn serve_from(
        &mut self,
        mut snapshot: Snapshot,
        send: &Send<'_>,
        keys: &IdentityKeys,
        ctx: &Ctx,
    ) -> (Value, usize) {
        for rounds in 0..=MAX_ROUNDS {
            match decide(send, &caller(), &snapshot, keys, ctx).unwrap() {
                Decision::Answer(answer) => return (serde_json::to_value(answer).unwrap(), rounds),
                Decision::Write(plan) => snapshot.learn(&plan, self.commit(&plan)).unwrap(),
            }
        }
        panic!("more than {MAX_ROUNDS} rounds of writing");
    }
}
