//! Claims and cases in memory. Only the writes of `core` change them.
#![expect(clippy::arithmetic_side_effects, reason = "small numbers of a test")]

use crate::auth::person::Person;
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::base::ctx::Ctx;
use crate::base::date::Date;
use crate::base::id::{CaseId, ClaimId, PracticeId};
use crate::base::instant::Instant;
use crate::base::sealed::KeyVersion;
use crate::plan::change::Change;
use crate::plan::claims::deadline::{Deadline, DeadlineFrom};
use crate::plan::claims::{ClaimNumber, ClaimStatus};
use crate::plan::signing::SigningStatus;
use crate::plan::work::appeal::{self, Appeal, AtLevel, LevelResult};
use crate::plan::work::claim::StoredWorkClaim;
use crate::plan::work::level::Level;
use crate::plan::work::level_names::LevelKind;
use crate::plan::{Guard, WebhooksWrite, WorkGuard, WorkWrite, Write};
use crate::request::error::RequestError;
use crate::request::if_match::Seen;
use crate::testing::person;
use crate::work::cases::{self, Candidate, CaseToJoin, Elsewhere, StoredCase};
use crate::work::fit::Side;
use crate::work::gather::Gathered;
use crate::work::{claims, levels, take};
use alloc::collections::BTreeSet;
use alloc::string::String;
use alloc::vec::Vec;
use alloc::{format, vec};
use uuid::Uuid;

/// No value has to be opened.
fn locked(
    _: crate::base::sealed::SealedPlace,
    _: crate::base::sealed::KeyVersion,
    _: &str,
) -> Result<Vec<u8>, RequestError> {
    Err(RequestError::KeyUnavailable)
}

const PRACTICE: PracticeId = PracticeId(Uuid::from_u128(1));
/// The deadlines by rule of the two claims: 180 and 60 days.
const RULES: [(&str, &str, &str); 2] = [
    ("erisa", "2026-01-01", "2026-06-30"),
    ("medi_cal_managed", "2026-01-01", "2026-03-02"),
];
const CASES: usize = 2;
const LEVELS: usize = 2;

/// A staff action. Claims and cases are numbered from 0, levels from 1.
#[derive(Clone, Debug)]
pub(super) enum Op {
    Open(Vec<usize>, bool),
    Join(usize, usize),
    Move(usize, &'static str),
    Take(usize),
    Edit(usize, usize, &'static str),
    Begin(usize, bool),
}

const MOVES: [&str; 4] = [
    r#"{"status":"received"}"#,
    r#"{"status":"reviewing"}"#,
    r#"{"status":"recovered","amount_recovered":"80.00"}"#,
    r#"{"status":"closed","reason":"withdrawn"}"#,
];
const EDITS: [&str; 7] = [
    r#"{"due_on":"2026-09-09"}"#,
    r#"{"due_on":null}"#,
    r#"{"filed_on":"2026-03-01"}"#,
    r#"{"filed_on":null,"decided_on":null,"outcome":null,"due_on":"2026-08-08"}"#,
    r#"{"filed_on":"2026-03-01","decided_on":"2026-03-01","outcome":"upheld"}"#,
    r#"{"filed_on":null,"decided_on":"2026-03-01","outcome":"withdrawn"}"#,
    r#"{"decided_on":null,"outcome":null}"#,
];

impl Op {
    pub(super) fn all(world: &World) -> Vec<Self> {
        let mut all = Vec::new();
        for dated in [false, true] {
            if world.cases.len() < CASES {
                all.extend([vec![0], vec![1], vec![0, 1]].map(|claims| Self::Open(claims, dated)));
            }
            let short = |case: &usize| world.cases[*case].levels.len() < LEVELS;
            let cases = (0..world.cases.len()).filter(short);
            all.extend(cases.map(|case| Self::Begin(case, dated)));
        }
        for claim in 0..world.claims.len() {
            all.push(Self::Take(claim));
            all.extend(MOVES.map(|body| Self::Move(claim, body)));
            all.extend((0..world.cases.len()).map(|case| Self::Join(claim, case)));
        }
        for (n, case) in world.cases.iter().enumerate() {
            for level in 1..=case.levels.len() {
                all.extend(EDITS.map(|body| Self::Edit(n, level, body)));
            }
        }
        all
    }
}

#[derive(Clone, Debug)]
pub(super) struct Row {
    pub(super) id: ClaimId,
    version: i64,
    status: ClaimStatus,
    case_id: Option<CaseId>,
    pub(super) deadline: Option<Deadline>,
    levels: Vec<AtLevel>,
}

#[derive(Clone, Debug)]
struct CaseRow {
    id: CaseId,
    version: i64,
    levels: Vec<Level>,
    members: BTreeSet<ClaimId>,
}

/// The whole state.
#[derive(Clone, Debug)]
pub(super) struct World {
    claims: Vec<Row>,
    cases: Vec<CaseRow>,
    /// The filings in the test's own records: claim, case, level.
    filed: BTreeSet<(ClaimId, CaseId, usize)>,
    pub(super) history: Vec<Op>,
}

fn rule(n: usize) -> Option<Deadline> {
    Date::parse(RULES[n].2).map(|date| Deadline {
        date,
        from: DeadlineFrom::Rule,
    })
}

fn staff() -> Person {
    person(Role::Staff, Action::Work)
}

impl World {
    pub(super) fn new() -> Self {
        let claim = |n: usize| Row {
            id: ClaimId(Uuid::from_u128(100 + n as u128)),
            version: 1,
            status: ClaimStatus::Received,
            case_id: None,
            deadline: rule(n),
            levels: Vec::new(),
        };
        Self {
            claims: (0..RULES.len()).map(claim).collect(),
            cases: Vec::new(),
            filed: BTreeSet::new(),
            history: Vec::new(),
        }
    }

    /// The identity of a state: everything except versions and times.
    pub(super) fn key(&self) -> String {
        let claims: Vec<_> = self
            .claims
            .iter()
            .map(|row| {
                let case = row
                    .case_id
                    .and_then(|id| self.cases.iter().position(|c| c.id == id));
                let levels: BTreeSet<_> = row
                    .levels
                    .iter()
                    .map(|at| {
                        let case = self.cases.iter().position(|case| case.id == at.case_id);
                        (case, at.level, at.filed, at.paid.is_some())
                    })
                    .collect();
                (row.status.name(), case, row.deadline, levels)
            })
            .collect();
        let cases: Vec<_> = self
            .cases
            .iter()
            .map(|case| (&case.levels, &case.members))
            .collect();
        format!("{claims:?} {cases:?}")
    }

    /// Each claim with its expected deadline.
    pub(super) fn expected_deadlines(&self) -> Vec<(&Row, Option<Deadline>)> {
        let claims = self.claims.iter().enumerate();
        claims
            .map(|(n, row)| (row, self.expected(n, row)))
            .collect()
    }

    fn expected(&self, n: usize, row: &Row) -> Option<Deadline> {
        let was_filed = self.filed.iter().any(|(claim, ..)| *claim == row.id);
        match row.status {
            ClaimStatus::Recovered | ClaimStatus::Closed => None,
            ClaimStatus::InAppeal => {
                let case = self.cases.iter().find(|case| Some(case.id) == row.case_id);
                let last = case.and_then(|case| case.levels.last()).unwrap();
                let waits = last.filed_on.is_none() && last.decided_on.is_none();
                match last.due_on {
                    Some(date) if waits => Some(Deadline {
                        date,
                        from: DeadlineFrom::Case,
                    }),
                    _ if was_filed => None,
                    _ => rule(n),
                }
            }
            _ => rule(n),
        }
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
                plan_type: Some(RULES[n].0.into()),
                denial_date: Date::parse(RULES[n].1),
                case: case.map(|case| appeal::Case {
                    version: case.version,
                    level: case.levels.len().try_into().unwrap(),
                }),
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
            claim.status == ClaimStatus::InAppeal
                && claim.case_id != Some(case.id)
                && case.members.contains(&claim.id)
        });
        let elsewhere = elsewhere.map(|n| {
            let id = self.claims[n].case_id;
            let case = self.cases.iter().find(|case| Some(case.id) == id);
            Elsewhere {
                claim: self.stored(n),
                level: case.and_then(|case| case.levels.last().copied()),
            }
        });
        StoredCase {
            id: case.id,
            version: case.version,
            levels: case.levels.clone(),
            claims: claims.map(|n| self.stored(n)).collect(),
            elsewhere: elsewhere.collect(),
        }
    }

    fn side(&self, n: usize) -> Side {
        Side {
            id: self.claims[n].id,
            payer_name: "Acme".into(),
            key_version: KeyVersion(1),
            patient_tag: "one patient".into(),
            sealed: None,
        }
    }

    /// Runs an action if it is allowed.
    pub(super) fn run(&mut self, op: &Op) -> Result<(), RequestError> {
        self.history.push(op.clone());
        let n = u8::try_from(self.history.len()).unwrap();
        let ctx = Ctx::new(Instant(1_772_625_600_000 + i64::from(n)), [n; 32]);
        let change = self.decide(op, &ctx)?;
        self.note(op);
        self.write(change);
        Ok(())
    }

    fn decide(&self, op: &Op, ctx: &Ctx) -> Result<Change, RequestError> {
        let new = |dated: &bool| levels::LevelRequest {
            kind: LevelKind::Hearing,
            due_on: dated.then(|| Date::parse("2026-07-07").unwrap()),
        };
        match op {
            Op::Open(claims, dated) => {
                let found = claims.iter().map(|n| Candidate {
                    claim: self.stored(*n),
                    side: self.side(*n),
                });
                let found: Vec<Candidate> = found.collect();
                let seen = found.iter().map(|one| Gathered {
                    id: one.claim.id,
                    version: one.claim.version,
                });
                let asked = cases::CaseRequest {
                    claims: seen.collect(),
                    level: new(dated),
                };
                cases::open(
                    PRACTICE,
                    (&asked, found.into_iter().map(Some).collect()),
                    &locked,
                    &staff(),
                    ctx,
                )
            }
            Op::Join(n, case) => {
                let case = &self.cases[*case];
                let body = format!(r#"{{"status":"in_appeal","case_id":"{}"}}"#, case.id.0);
                let joining = CaseToJoin {
                    id: case.id,
                    version: case.version,
                    level: case.levels.last().copied(),
                    was_in: case.members.contains(&self.claims[*n].id),
                    sides: vec![self.side(*n)],
                };
                let step = claims::parse(body.as_bytes())?;
                claims::step(
                    PRACTICE,
                    (&self.stored(*n), step),
                    Some(&joining),
                    &staff(),
                    ctx,
                )
            }
            Op::Move(n, body) => {
                let step = claims::parse(body.as_bytes())?;
                claims::step(PRACTICE, (&self.stored(*n), step), None, &staff(), ctx)
            }
            Op::Take(n) => take::take(PRACTICE, &self.stored(*n), &staff(), ctx),
            Op::Edit(case, level, body) => {
                let edit = levels::parse_edit(body.as_bytes(), ctx)?;
                let case = self.stored_case(*case);
                let seen = Seen::Version(case.version);
                let number = (*level).try_into().unwrap();
                levels::edit(PRACTICE, (Some(case), seen), (number, edit), &staff(), ctx)
            }
            Op::Begin(case, dated) => {
                let case = self.stored_case(*case);
                let seen = Seen::Version(case.version);
                levels::begin(PRACTICE, (Some(case), seen), new(dated), &staff(), ctx)
            }
        }
    }

    /// Records a filing in the test's own records: its claims are those in appeal in the case at that time.
    fn note(&mut self, op: &Op) {
        let Op::Edit(case, level, body) = op else {
            return;
        };
        let before = self.cases[*case].levels[*level - 1].filed_on.is_some();
        let id = self.cases[*case].id;
        if body.contains(r#""filed_on":null"#) {
            self.filed
                .retain(|(_, case, at)| (*case, *at) != (id, *level));
        } else if body.contains("filed_on") && !before {
            let claims = self.stored_case(*case).claims;
            self.filed
                .extend(claims.iter().map(|claim| (claim.id, id, *level)));
        }
    }

    fn row(&mut self, id: ClaimId) -> &mut Row {
        self.claims.iter_mut().find(|row| row.id == id).unwrap()
    }

    fn case(&mut self, id: CaseId) -> &mut CaseRow {
        self.cases.iter_mut().find(|case| case.id == id).unwrap()
    }

    fn write(&mut self, change: Change) {
        for guard in change.guards {
            match guard {
                Guard::Work(WorkGuard::Claims(versions)) => {
                    for (_, id, version) in versions {
                        assert_eq!(self.row(id).version, version);
                    }
                }
                Guard::Work(WorkGuard::Case {
                    practice: _,
                    case: id,
                    version,
                }) => assert_eq!(self.case(id).version, version),
                other => panic!("{other:?} is none of these moves'"),
            }
        }
        for write in change.writes {
            match write {
                Write::Work(WorkWrite::NewCase(new)) => self.cases.push(CaseRow {
                    id: new.id,
                    version: 1,
                    levels: Vec::new(),
                    members: BTreeSet::new(),
                }),
                Write::Work(WorkWrite::CaseVersion {
                    practice: _,
                    case: id,
                    version,
                }) => self.case(id).version = version,
                Write::Work(WorkWrite::CaseLevel(row)) => {
                    let levels = &mut self.case(row.case_id).levels;
                    let at = usize::try_from(row.level.level).unwrap() - 1;
                    levels.truncate(levels.len().max(at));
                    if at == levels.len() {
                        levels.push(row.level);
                    } else {
                        levels[at] = row.level;
                    }
                }
                Write::Work(WorkWrite::CaseClaims {
                    practice: _,
                    case: id,
                    claims,
                }) => self.case(id).members.extend(claims),
                Write::Work(WorkWrite::Claims(changes)) => {
                    for change in changes {
                        let row = self.row(change.id);
                        row.version += 1;
                        row.status = change.status;
                        row.case_id = change.set.case_id.or(row.case_id);
                        if let Some(due) = change.set.appeal_due {
                            let from = change.set.appeal_due_from.unwrap();
                            row.deadline =
                                due.zip(from).map(|(date, from)| Deadline { date, from });
                        }
                    }
                }
                Write::Work(WorkWrite::ClaimLevels(of)) => {
                    self.at_level(of.case_id, of.level, of.what)
                }
                Write::Work(WorkWrite::CaseOutcome(_))
                | Write::Audit(_)
                | Write::Webhooks(WebhooksWrite::Messages(_)) => {}
                other => panic!("{other:?} is none of these moves'"),
            }
        }
    }

    fn at_level(&mut self, case_id: CaseId, level: i64, what: LevelResult) {
        let mut at = |claim: ClaimId, change: &dyn Fn(&mut AtLevel)| {
            let levels = &mut self.row(claim).levels;
            let known = levels
                .iter()
                .position(|at| (at.case_id, at.level) == (case_id, level));
            let known = known.unwrap_or_else(|| {
                levels.push(AtLevel {
                    case_id,
                    level,
                    filed: false,
                    paid: None,
                });
                levels.len() - 1
            });
            change(&mut levels[known]);
        };
        match what {
            LevelResult::Filed(claims) => {
                for claim in claims {
                    at(claim, &|at| at.filed = true);
                }
            }
            LevelResult::NotFiled => {
                for row in &mut self.claims {
                    for at in &mut row.levels {
                        at.filed &= (at.case_id, at.level) != (case_id, level);
                    }
                }
            }
            LevelResult::Paid(claim, paid) => at(claim, &|at| at.paid = paid),
        }
    }
}
