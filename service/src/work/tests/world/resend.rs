//! Resends of the billing system, decided as every send is.

use super::{PRACTICE, RULES, Sent, World};
use overturn_core::base::ctx::Ctx;
use overturn_core::base::date::Date;
use overturn_core::base::money::Cents;
use overturn_core::base::open::Unopened;
use overturn_core::base::sealed::{KeyVersion, SealedPlace};
use overturn_core::claims::appeal::payer_clock::CaseToClock;
use overturn_core::claims::identity::IdentityKey;
use overturn_core::claims::intake::{
    self, Bounds, ClaimToOpen, Decision, Fill, OpenedClaim, Snapshot, StoredClaim, ValidSend,
};
use overturn_core::claims::{ClaimStatus, Item, PlanType, Present};
use overturn_core::testing::{item, row};

/// What a resend says of a claim whose plan or denial date is missing, or is there already.
#[derive(Clone, Copy, Debug)]
pub(in super::super) enum Resend {
    Same,
    /// A later denial date, and a corrected amount.
    Later,
    /// An earlier date, whose deadline has passed.
    Earlier,
    /// Another plan.
    OnlyPlan,
    OnlyDate,
}

impl Resend {
    pub(super) const ALL: [Self; 5] = [Self::Same, Self::Later, Self::Earlier, Self::OnlyPlan, Self::OnlyDate];

    /// What it says of a claim.
    pub(super) fn says(self, n: usize) -> Sent {
        let (plan, denied) = RULES[n];
        let (plan, denied) = match self {
            Self::Same => (Some(plan), Some(denied)),
            Self::Later => (Some(plan), Some("2026-02-28")),
            Self::Earlier => (Some(plan), Some("2025-11-20")),
            Self::OnlyPlan => (Some(PlanType::Medicare), None),
            Self::OnlyDate => (None, Some("2026-02-02")),
        };
        let amount = if matches!(self, Self::Later) { 14_000 } else { 15_000 };
        Sent { plan, denied: denied.and_then(Date::parse), amount: Cents::new(amount).unwrap() }
    }
}

/// The claim as a resend has it.
fn sent(sent: Sent) -> Item<'static> {
    let mut item = item();
    item.claim.plan_type = sent.plan;
    item.claim.denial_date = sent.denied;
    item.claim.denied_amount = Some(sent.amount);
    item
}

impl World {
    /// Decides a resend on what is stored, and writes what it fills in and corrects.
    pub(super) fn resend(&mut self, n: usize, resend: Resend, ctx: &Ctx) {
        let send = ValidSend { items: vec![sent(resend.says(n))] };
        let key = IdentityKey::new(KeyVersion(1), &[1; 32]);
        let claim = &self.claims[n];
        let has = sent(claim.sent);
        let stored = StoredClaim {
            status: claim.status,
            present: Present::of(&has),
            denied: Some(claim.sent.amount),
            ..row(&has, &key, claim.id.0.as_u128())
        };
        let mut snapshot = Snapshot::new([stored]);
        loop {
            match intake::decide(&send, PRACTICE, &snapshot, (&key, Bounds::NONE), ctx).unwrap() {
                Decision::Open(_) => {
                    let secret = serde_json::to_vec(&has.confidential()).unwrap();
                    let opens = |_: SealedPlace, _, _: &str| Ok::<_, Unopened>(secret.clone());
                    snapshot.hold([OpenedClaim::open(self.to_open(n), PRACTICE, &opens).unwrap()]);
                }
                Decision::Write(changes) => {
                    changes.fills.iter().for_each(|fill| self.fill(n, fill));
                    for to in &changes.corrections {
                        self.claims[n].version += 1;
                        self.claims[n].sent.amount = to.denied.unwrap();
                    }
                    return;
                }
                Decision::Answer(_) => return,
                Decision::Stopped(stopped) => panic!("{stopped:?}"),
            }
        }
    }

    fn to_open(&self, n: usize) -> ClaimToOpen {
        let claim = self.stored(n);
        let case = self.cases.iter().find(|case| Some(case.id) == claim.case_id);
        let is_clocked = claim.status == ClaimStatus::InAppeal && claim.appeal.plan_type.is_none();
        ClaimToOpen {
            id: claim.id,
            version: claim.version,
            key_version: KeyVersion(1),
            sealed: String::new(),
            status: claim.status,
            in_case: case.filter(|_| is_clocked).map(|case| CaseToClock {
                id: case.id,
                version: case.version,
                levels: case.levels.clone(),
            }),
            appeal: claim.appeal,
        }
    }

    /// Does what the update of a fill-in does. A value that is there stays.
    fn fill(&mut self, n: usize, fill: &Fill<'_>) {
        let row = &mut self.claims[n];
        assert_eq!((fill.id, fill.version), (row.id, row.version));
        let sent = &fill.item.claim;
        row.version += 1;
        row.sent.plan = row.sent.plan.or(sent.plan_type);
        row.sent.denied = row.sent.denied.or(sent.denial_date);
        row.sent.amount = sent.denied_amount.unwrap();
        row.deadline = fill.due.or(row.deadline);
        let clock = fill.clock.and_then(|clock| Some((clock.case_id, clock.level?)));
        if let Some((case_id, level)) = clock {
            let case = self.case(case_id);
            case.version += 1;
            case.levels.pop();
            case.levels.push(level);
        }
    }
}
