//! Claims and cases in memory. Only the writes of decisions change them.
#![expect(clippy::arithmetic_side_effects, reason = "small numbers of a test")]

mod expected;
mod ops;
mod resend;
mod store;

pub(super) use ops::Op;

use crate::auth::person::Person;
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::plan::change::Change;
use crate::plan::signing::SigningStatus;
use crate::plan::work::claim::StoredWorkClaim;
use crate::request::error::RequestError;
use crate::request::if_match::Seen;
use crate::testing::decisions::{parse, parse_at, person};
use crate::work::cases::case::Elsewhere;
use crate::work::cases::open::Candidate;
use crate::work::cases::{self, CaseToJoin, StoredCase};
use crate::work::named_claims::NamedClaim;
use crate::work::same_patient::PatientAndPayer;
use crate::work::{amount, decision, letter, levels, moves, take};
use expected::{Records, by_rule};
use overturn_core::base::ctx::Ctx;
use overturn_core::base::date::Date;
use overturn_core::base::id::{CaseId, ClaimId, PracticeId};
use overturn_core::base::instant::Instant;
use overturn_core::base::money::Cents;
use overturn_core::claims::appeal::letter::Letter;
use overturn_core::claims::appeal::level::Level;
use overturn_core::claims::appeal::level_names::LevelKind;
use overturn_core::claims::appeal::{self, Appeal, AtLevel};
use overturn_core::claims::deadline::{Deadline, DeadlineFrom};
use overturn_core::claims::{ClaimNumber, ClaimStatus, PlanType};
use resend::Resend;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

const PRACTICE: PracticeId = PracticeId(Uuid::from_u128(1));
/// The plans and denial dates of the claims. Those of the last one come with a resend.
const RULES: [(PlanType, &str); 3] =
    [(PlanType::Erisa, "2026-01-01"), (PlanType::MediCalManaged, "2026-01-05"), (PlanType::Tricare, "2026-02-20")];
/// Noon of the first day, 2026-03-04.
const BEGINS: Instant = Instant(1_772_625_600_000);
/// How many days pass at once: some of the dates lie in between.
const WAITED: i64 = 63;

/// What the billing system has sent of a claim.
#[derive(Clone, Copy, Debug)]
struct Sent {
    plan: Option<PlanType>,
    denied: Option<Date>,
    /// The denied amount. No decision reads it.
    amount: Cents,
}

#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) id: ClaimId,
    version: i64,
    status: ClaimStatus,
    case_id: Option<CaseId>,
    sent: Sent,
    pub(super) deadline: Option<Deadline>,
    levels: Vec<AtLevel>,
    letter: Option<Letter>,
    recovered: Option<Cents>,
}

#[derive(Clone, Debug)]
struct CaseRow {
    id: CaseId,
    version: i64,
    levels: Vec<Level>,
    members: BTreeSet<ClaimId>,
    /// The results of the claims, with the payer's payment in this case.
    outcomes: BTreeMap<ClaimId, (ClaimStatus, Option<Cents>)>,
}

/// The whole state.
#[derive(Clone, Debug)]
pub(super) struct World {
    claims: Vec<Row>,
    cases: Vec<CaseRow>,
    records: Records,
    letters: bool,
    /// How many days have passed.
    days: i64,
    pub(super) history: Vec<Op>,
}

fn staff() -> Person {
    person(Role::Staff, Action::Work)
}

impl World {
    /// So many claims. The facts of the third are unknown.
    pub(super) fn new(claims: usize) -> Self {
        let claim = |n: usize| {
            let (plan, denied) = RULES[n];
            let (plan, denied) = (Some(plan).filter(|_| n < 2), Date::parse(denied).filter(|_| n < 2));
            Row {
                id: ClaimId(Uuid::from_u128(100 + n as u128)),
                version: 1,
                status: ClaimStatus::Received,
                case_id: None,
                sent: Sent { plan, denied, amount: Cents::new(15_000).unwrap() },
                deadline: by_rule(plan, denied).map(|date| DeadlineFrom::Rule.on(date)),
                levels: Vec::new(),
                letter: None,
                recovered: None,
            }
        };
        Self {
            claims: (0..claims).map(claim).collect(),
            cases: Vec::new(),
            records: Records::default(),
            letters: false,
            days: 0,
            history: Vec::new(),
        }
    }

    /// So many claims, with letters that people read, resends and amounts that change.
    pub(super) fn with_letters(claims: usize) -> Self {
        Self { letters: true, ..Self::new(claims) }
    }

    /// One claim in review, with the plan and the denial date, or without them.
    pub(super) fn in_review(is_known: bool) -> Self {
        let mut world = Self::with_letters(1);
        let claim = &mut world.claims[0];
        claim.status = ClaimStatus::Reviewing;
        if !is_known {
            (claim.sent.plan, claim.sent.denied, claim.deadline) = (None, None, None);
        }
        world
    }

    fn now(&self) -> Instant {
        BEGINS.plus(self.days * 86_400_000)
    }

    fn today(&self) -> Date {
        Date::of(self.now())
    }

    /// The identity of a state: everything except versions, times and the denied amount.
    pub(super) fn key(&self) -> String {
        let claims: Vec<_> = self
            .claims
            .iter()
            .map(|row| {
                let case = row.case_id.and_then(|id| self.cases.iter().position(|c| c.id == id));
                let levels: BTreeSet<_> = row
                    .levels
                    .iter()
                    .map(|at| {
                        let case = self.cases.iter().position(|case| case.id == at.case_id);
                        let paid = at.paid.map(|paid| (paid.amount.get(), paid.stands));
                        (case, at.level, at.filed, paid)
                    })
                    .collect();
                let sent = (row.sent.plan, row.sent.denied, row.letter.map(|letter| letter.facts));
                ((row.status.name(), sent, row.deadline, row.recovered), case, levels)
            })
            .collect();
        let cases: Vec<_> = self.cases.iter().map(|case| (&case.levels, &case.members, &case.outcomes)).collect();
        format!("{} {claims:?} {cases:?} {}", self.days, self.records.key())
    }

    fn stored(&self, n: usize) -> StoredWorkClaim {
        let row = &self.claims[n];
        let case = self.cases.iter().find(|case| Some(case.id) == row.case_id);
        StoredWorkClaim {
            id: row.id,
            claim_number: ClaimNumber("A-1".into()),
            version: row.version,
            status: row.status,
            signing_status: SigningStatus::NotNeeded,
            taken_by: Some(staff().user_id),
            case_id: row.case_id,
            appeal: Appeal {
                deadline: row.deadline,
                plan_type: row.sent.plan.map(|plan| plan.name().into()),
                denial_date: row.sent.denied,
                letter: row.letter,
                case: case
                    .map(|case| appeal::Case { version: case.version, level: case.levels.len().try_into().unwrap() }),
                levels: row.levels.clone(),
            },
        }
    }

    fn stored_case(&self, n: usize) -> StoredCase {
        let case = &self.cases[n];
        let here = |n: &usize| {
            let claim = &self.claims[*n];
            claim.case_id == Some(case.id) && claim.status == ClaimStatus::InAppeal
        };
        let claims = (0..self.claims.len()).filter(here);
        let elsewhere = (0..self.claims.len()).filter(|n| {
            let claim = &self.claims[*n];
            claim.status == ClaimStatus::InAppeal && claim.case_id != Some(case.id) && case.members.contains(&claim.id)
        });
        let elsewhere = elsewhere.map(|n| {
            let id = self.claims[n].case_id;
            let case = self.cases.iter().find(|case| Some(case.id) == id);
            Elsewhere { claim: self.stored(n), level: case.and_then(|case| case.levels.last().copied()) }
        });
        StoredCase {
            id: case.id,
            version: case.version,
            levels: case.levels.clone(),
            claims: claims.map(|n| self.stored(n)).collect(),
            elsewhere: elsewhere.collect(),
        }
    }

    fn patient_and_payer() -> PatientAndPayer {
        PatientAndPayer { payer_name: "Acme".into(), patient_tag: "one patient".into() }
    }

    /// Runs an action if it is allowed.
    pub(super) fn run(&mut self, op: &Op) -> Result<(), RequestError> {
        self.history.push(op.clone());
        let n = u8::try_from(self.history.len()).unwrap();
        let ctx = Ctx::new(self.now().plus(n.into()), [n; 32]);
        let before = self.clone();
        match op {
            Op::Resend(claim, sent) => self.resend(*claim, *sent, &ctx),
            Op::Wait => self.days += WAITED,
            _ => {
                let change = self.decide(op, &ctx)?;
                self.write(change);
            }
        }
        self.note(op, &before);
        Ok(())
    }

    fn decide(&self, op: &Op, ctx: &Ctx) -> Result<Change, RequestError> {
        let new = |dated: &Option<&str>| levels::LevelRequest {
            kind: LevelKind::Hearing,
            due_on: dated.and_then(Date::parse),
        };
        match op {
            Op::Open(claims, dated) => {
                let found =
                    claims.iter().map(|n| Candidate { claim: self.stored(*n), patient: Self::patient_and_payer() });
                let found: Vec<Candidate> = found.collect();
                let seen = found.iter().map(|one| NamedClaim { id: one.claim.id, version: one.claim.version });
                let asked =
                    cases::CaseRequest { claims: seen.collect(), kind: new(dated).kind, due_on: new(dated).due_on };
                cases::opened(PRACTICE, (&asked, found.into_iter().map(Some).collect()), &staff(), ctx)
            }
            Op::Letter(n, role, body) => {
                let stored =
                    letter::ClaimOfLetter { practice_id: PRACTICE, claim: self.stored(*n), levels: self.levels(*n) };
                let seen = Seen::Version(stored.claim.version);
                let edit = parse_at::<letter::LetterEdit>(body, ctx)?;
                let reader = match role {
                    Role::Staff => staff(),
                    role => person(*role, Action::SetLetter),
                };
                letter::read((Some(stored), seen), edit, &reader, ctx)
            }
            Op::Join(n, case) | Op::Again(n, case, _) => {
                let case = &self.cases[*case];
                let said = match op {
                    Op::Again(.., stands) => format!(r#","amount_stands":{stands}"#),
                    _ => String::new(),
                };
                let body = format!(r#"{{"status":"in_appeal","case_id":"{}"{said}}}"#, case.id.0);
                let joining = CaseToJoin {
                    id: case.id,
                    version: case.version,
                    levels: case.levels.clone(),
                    was_in: case.members.contains(&self.claims[*n].id),
                    patients: vec![Self::patient_and_payer()],
                };
                let step = parse::<moves::MoveRequest>(body)?;
                moves::stepped(PRACTICE, (&self.stored(*n), step), Some(&joining), &staff(), ctx)
            }
            Op::Move(n, body) => {
                let step = parse::<moves::MoveRequest>(body)?;
                moves::stepped(PRACTICE, (&self.stored(*n), step), None, &staff(), ctx)
            }
            Op::Take(n) => take::taken(PRACTICE, &self.stored(*n), (None, None), &staff(), ctx),
            Op::Edit(case, level, body) => {
                let edit = parse_at::<levels::LevelEdit>(body, ctx)?;
                let case = self.stored_case(*case);
                let seen = Seen::Version(case.version);
                let number = (*level).try_into().unwrap();
                levels::level_edited(PRACTICE, (Some(case), seen), (number, edit), &staff(), ctx)
            }
            Op::Resend(..) | Op::Wait => Err(RequestError::NotFound("a decision of staff")),
            Op::Decide(n, results, next) => {
                let case = self.stored_case(*n);
                let body = Op::decision(&case, results);
                let mut decision = parse_at::<decision::DecisionRequest>(body, ctx)?;
                decision.next_level = next.as_ref().map(|dated| {
                    let levels::LevelRequest { kind, due_on } = new(dated);
                    decision::NextLevel { kind, due_on: due_on.unwrap() }
                });
                let seen = (Some(case.clone()), Seen::Version(case.version));
                decision::decided(PRACTICE, seen, &decision, &staff(), ctx)
            }
            Op::Amount(n) => {
                let paid = parse::<amount::PaidAmount>(format!(r#"{{"amount_recovered":"{}"}}"#, ops::CORRECTED))?;
                amount::corrected(PRACTICE, &self.stored(*n), paid.amount_recovered, &staff(), ctx)
            }
            Op::Begin(case, dated) => {
                let case = self.stored_case(*case);
                let seen = Seen::Version(case.version);
                levels::begun(PRACTICE, (Some(case), seen), new(dated), &staff(), ctx)
            }
        }
    }

    /// The levels of the case in which a claim is, or was last, appealed.
    fn levels(&self, n: usize) -> Vec<Level> {
        let id = self.claims[n].case_id;
        let case = self.cases.iter().find(|case| Some(case.id) == id);
        case.map_or_else(Vec::new, |case| case.levels.clone())
    }
}
