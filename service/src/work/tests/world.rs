//! Claims and cases in memory. Only the writes of decisions change them.
#![expect(clippy::arithmetic_side_effects, reason = "small numbers of a test")]

use crate::auth::person::Person;
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::claim_changes::testing;
use crate::plan::change::Change;
use crate::plan::signing::SigningStatus;
use crate::plan::statement::WriteParam;
use crate::plan::work::claim::StoredWorkClaim;
use crate::plan::{Guard, Write};
use crate::request::error::RequestError;
use crate::request::if_match::Seen;
use crate::testing::decisions::{parse, parse_at, person};
use crate::work::cases::case::Elsewhere;
use crate::work::cases::open::Candidate;
use crate::work::cases::{self, CaseToJoin, StoredCase};
use crate::work::named_claims::NamedClaim;
use crate::work::same_patient::PatientAndPayer;
use crate::work::{amount, decision, letter, levels, moves, take};
use overturn_core::base::ctx::Ctx;
use overturn_core::base::date::Date;
use overturn_core::base::id::{CaseId, ClaimId, PracticeId};
use overturn_core::base::instant::Instant;
use overturn_core::base::money::Cents;
use overturn_core::base::param::Param;
use overturn_core::base::time::Time;
use overturn_core::claims::appeal::letter::{Letter, LetterFacts, LetterReader};
use overturn_core::claims::appeal::level::Level;
use overturn_core::claims::appeal::level_names::{DecisionSource, LevelKind, LevelOutcome};
use overturn_core::claims::appeal::payer_clock;
use overturn_core::claims::appeal::{self, Appeal, AtLevel, Paid};
use overturn_core::claims::deadline::{Deadline, DeadlineFrom};
use overturn_core::claims::{ClaimNumber, ClaimStatus, PlanType};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use uuid::Uuid;

const PRACTICE: PracticeId = PracticeId(Uuid::from_u128(1));
/// The plans, denial dates and deadlines by rule of the claims. The facts of the last one come with a resend.
const RULES: [(&str, &str, &str); 3] = [
    ("erisa", "2026-01-01", "2026-06-30"),
    ("medi_cal_managed", "2026-01-05", "2026-03-06"),
    ("tricare", "2026-02-20", "2026-05-21"),
];
/// The days on which new levels are due: before, between and after the dates of the rules.
const DAYS: [Option<&str>; 4] = [None, Some("2026-02-25"), Some("2026-05-05"), Some("2026-07-07")];
const CASES: usize = 2;
const LEVELS: usize = 2;

/// A staff action. Claims and cases are numbered from 0, levels from 1.
#[derive(Clone, Debug)]
pub(super) enum Op {
    Open(Vec<usize>, Option<&'static str>),
    Join(usize, usize),
    Move(usize, &'static str),
    Take(usize),
    Edit(usize, usize, &'static str),
    Begin(usize, Option<&'static str>),
    Fill(usize),
    /// A person sets what the letter says: of the practice, or of the staff.
    Letter(usize, Role, &'static str),
    /// The claim is appealed again, and a person says whether its amount stands.
    Again(usize, usize, bool),
    /// A decision about a case: the results of its claims, and when the next level is due if one begins.
    Decide(usize, [usize; 2], Option<Option<&'static str>>),
    Amount(usize),
}

/// What people read in letters, at most one date before today and one pair of facts with a rule of its own.
const LETTERS: [&str; 6] = [
    r#"{"appeal_due":"2026-02-21"}"#,
    r#"{"appeal_due":"2026-03-05"}"#,
    r#"{"appeal_due":"2026-08-01","counts":"letter"}"#,
    r#"{"counts":"earliest"}"#,
    r#"{"plan_type":"medicare","denial_date":"2026-02-01"}"#,
    r#"{"plan_type":null,"denial_date":null,"appeal_due":null}"#,
];
/// The date that the rule gives for the pair.
const READ: &str = "2026-06-06";
/// The day by which a hearing must be decided that was filed on the first of March, by the plans that have a rule for it.
const DECIDE: &str = "2026-05-30";
/// Only a world with letters has them.
const LESS: &str = r#"{"status":"recovered","amount_recovered":"30.00"}"#;

/// The results of claims in a decision: the appeal goes on, is recovered, or is closed.
const RESULTS: [&str; 3] = [
    r#""result":"in_appeal""#,
    r#""result":"recovered","amount_recovered":"80.00""#,
    r#""result":"closed","reason":"withdrawn""#,
];
/// The moves that give the same results.
const ENDS: [&str; 3] = ["", MOVES[2], MOVES[3]];

const MOVES: [&str; 5] = [
    r#"{"status":"received"}"#,
    r#"{"status":"reviewing"}"#,
    r#"{"status":"recovered","amount_recovered":"80.00"}"#,
    r#"{"status":"closed","reason":"withdrawn"}"#,
    r#"{"status":"closed","reason":"already_paid"}"#,
];
const EDITS: [&str; 8] = [
    r#"{"due_on":"2026-04-04"}"#,
    r#"{"due_on":"2026-09-09"}"#,
    r#"{"due_on":null}"#,
    r#"{"filed_on":"2026-03-01"}"#,
    r#"{"filed_on":null,"decided_on":null,"outcome":null,"due_on":"2026-08-08"}"#,
    r#"{"filed_on":"2026-03-01","decided_on":"2026-03-01","outcome":"upheld"}"#,
    r#"{"filed_on":null,"decided_on":"2026-03-01","outcome":"withdrawn"}"#,
    r#"{"decided_on":null,"outcome":null}"#,
];
/// What a decision says of the level: that a filed one is upheld, and another one is withdrawn.
const DECIDED: [&str; 2] =
    [r#"{"outcome":"upheld","decided_on":"2026-03-02"}"#, r#"{"outcome":"withdrawn","decided_on":"2026-03-02"}"#];

impl Op {
    pub(super) fn all(world: &World) -> Vec<Self> {
        let mut all = Vec::new();
        for dated in DAYS {
            if world.cases.len() < CASES {
                let both = (0..world.claims.len()).collect();
                let one = (0..world.claims.len()).map(|claim| vec![claim]);
                all.extend(one.chain([both]).map(|claims| Self::Open(claims, dated)));
            }
            let short = |case: &usize| world.cases[*case].levels.len() < LEVELS;
            let cases = (0..world.cases.len()).filter(short);
            all.extend(cases.map(|case| Self::Begin(case, dated)));
        }
        let known = world.claims.iter().map(|row| row.facts);
        let unknown = known.enumerate().filter(|(_, known)| !known);
        all.extend(unknown.map(|(claim, _)| Self::Fill(claim)));
        for claim in (0..world.claims.len()).filter(|_| world.letters) {
            all.push(Self::Move(claim, LESS));
            for role in [Role::Staff, Role::Member] {
                all.extend(LETTERS.map(|body| Self::Letter(claim, role, body)));
            }
            for case in 0..world.cases.len() {
                all.extend([false, true].map(|stands| Self::Again(claim, case, stands)));
            }
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

    /// Decisions and corrections of amounts. A decision equals several other steps.
    pub(super) fn decisions(world: &World) -> Vec<Self> {
        let mut all: Vec<_> = (0..world.claims.len()).map(Self::Amount).collect();
        for case in 0..world.cases.len() {
            for results in [[0, 0], [1, 1], [1, 2], [0, 1], [2, 0]] {
                let next = [None, Some(DAYS[2]), Some(DAYS[3])];
                all.extend(next.map(|next| Self::Decide(case, results, next)));
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
    /// Whether the practice has sent its plan type and denial date.
    facts: bool,
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
    /// The filings in the test's own records: claim, case, level.
    filed: BTreeSet<(ClaimId, CaseId, usize)>,
    /// What the letters say, in the test's own records.
    read: BTreeMap<ClaimId, Read>,
    /// The claims for which a person decided about the date of the case, so that none of their own dates from before today
    /// counts.
    aside: BTreeSet<ClaimId>,
    letters: bool,
    pub(super) history: Vec<Op>,
}

/// What a letter says: whether it has the pair of facts, its date, and whether that date stands.
#[derive(Clone, Copy, Default, Debug)]
struct Read {
    facts: bool,
    due: Option<Date>,
    stands: bool,
}

impl Read {
    fn set(&mut self, body: &str) {
        let body: serde_json::Value = serde_json::from_str(body).unwrap();
        if let Some(plan) = body.get("plan_type") {
            self.facts = plan.is_string();
        }
        if let Some(due) = body.get("appeal_due") {
            self.due = due.as_str().and_then(Date::parse);
        }
        let said = body.get("counts").and_then(serde_json::Value::as_str);
        self.stands = self.due.is_some() && said.map_or(self.stands, |said| said == "letter");
    }
}

fn rule(n: usize) -> Option<Deadline> {
    Date::parse(RULES[n].2).map(|date| Deadline { date, from: DeadlineFrom::Rule })
}

/// The day of every action.
fn today() -> Date {
    Date::parse("2026-03-04").unwrap()
}

fn staff() -> Person {
    person(Role::Staff, Action::Work)
}

impl World {
    /// So many claims. The facts of the third are unknown.
    pub(super) fn new(claims: usize) -> Self {
        let claim = |n: usize| Row {
            id: ClaimId(Uuid::from_u128(100 + n as u128)),
            version: 1,
            status: ClaimStatus::Received,
            case_id: None,
            facts: n < 2,
            deadline: rule(n).filter(|_| n < 2),
            levels: Vec::new(),
            letter: None,
            recovered: None,
        };
        Self {
            claims: (0..claims).map(claim).collect(),
            cases: Vec::new(),
            filed: BTreeSet::new(),
            read: BTreeMap::new(),
            aside: BTreeSet::new(),
            letters: false,
            history: Vec::new(),
        }
    }

    /// So many claims, with letters that people read and amounts that change.
    pub(super) fn with_letters(claims: usize) -> Self {
        Self { letters: true, ..Self::new(claims) }
    }

    /// The identity of a state: everything except versions and times.
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
                let facts = (row.facts, self.read.get(&row.id));
                let state = (row.status.name(), facts, row.deadline, row.recovered);
                (state, case, levels)
            })
            .collect();
        let cases: Vec<_> = self.cases.iter().map(|case| (&case.levels, &case.members, &case.outcomes)).collect();
        format!("{claims:?} {cases:?}")
    }

    /// Each claim with its expected deadline.
    pub(super) fn expected_deadlines(&self) -> Vec<(&Row, Option<Deadline>)> {
        let claims = self.claims.iter().enumerate();
        claims.map(|(n, row)| (row, self.expected(n, row))).collect()
    }

    fn expected(&self, n: usize, row: &Row) -> Option<Deadline> {
        let was_filed = self.filed.iter().any(|(claim, ..)| *claim == row.id);
        let read = self.read.get(&row.id).copied().unwrap_or_default();
        let by_rule = match read.facts {
            true => Date::parse(READ).map(|date| DeadlineFrom::Rule.on(date)),
            false => rule(n).filter(|_| row.facts),
        };
        let letter = read.due.map(|date| DeadlineFrom::Letter.on(date));
        let own = [letter, by_rule.filter(|_| !read.stands)];
        let of_case = self.of_case(row);
        let is_past = |own: &Deadline| self.aside.contains(&row.id) && own.date < today();
        let counts = |own: &Deadline| !was_filed && (of_case.is_none() || !is_past(own));
        let own = own.into_iter().flatten().filter(counts);
        let of_case = of_case.map(|date| DeadlineFrom::Case.on(date));
        match row.status {
            ClaimStatus::Recovered | ClaimStatus::Closed => None,
            _ => of_case.into_iter().chain(own).min_by_key(|due| due.date),
        }
    }

    /// The date of the case in which a claim is appealed, if it can still be missed.
    fn of_case(&self, row: &Row) -> Option<Date> {
        let case = self.cases.iter().find(|case| Some(case.id) == row.case_id);
        let case = case.filter(|_| row.status == ClaimStatus::InAppeal)?;
        let last = case.levels.last().unwrap();
        let waits = last.filed_on.is_none() && last.decided_on.is_none();
        last.due_on.filter(|_| waits)
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
                plan_type: row.facts.then(|| RULES[n].0.into()),
                denial_date: Date::parse(RULES[n].1).filter(|_| row.facts),
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
        let ctx = Ctx::new(Instant(1_772_625_600_000 + i64::from(n)), [n; 32]);
        if let Op::Fill(claim) = op {
            self.fill(*claim);
            return Ok(());
        }
        let change = self.decide(op, &ctx)?;
        let before = self.clone();
        self.note(op);
        self.write(change);
        self.put_aside(op, &before);
        Ok(())
    }

    /// Records whether a person decided about the date of the case of a claim, or about its own dates.
    fn put_aside(&mut self, op: &Op, before: &Self) {
        let filed: BTreeSet<ClaimId> = self.filed.iter().map(|(claim, ..)| *claim).collect();
        for row in self.claims.clone() {
            let n = before.claims.iter().position(|of| of.id == row.id);
            let case = self.cases.iter().position(|of| Some(of.id) == row.case_id);
            let is_decided = match op {
                Op::Open(claims, _) => claims.iter().any(|claim| Some(*claim) == n),
                Op::Join(claim, _) | Op::Again(claim, ..) => Some(*claim) == n,
                Op::Begin(of, _) | Op::Decide(of, ..) => Some(*of) == case,
                Op::Edit(of, level, _) => {
                    let at = |world: &Self| world.cases[*of].levels[*level - 1];
                    let (was, is) = (at(before), at(self));
                    let is_undone = was.filed_on.is_some() && is.filed_on.is_none();
                    Some(*of) == case && (was.due_on != is.due_on || is_undone)
                }
                _ => false,
            };
            let is_changed = n.is_some_and(|n| before.claims[n].version != row.version);
            let is_own = is_changed && matches!(op, Op::Letter(..));
            if is_own || filed.contains(&row.id) || self.of_case(&row).is_none() {
                self.aside.remove(&row.id);
            } else if is_decided {
                self.aside.insert(row.id);
            }
        }
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
            Op::Fill(_) => Err(RequestError::NotFound("a decision of staff")),
            Op::Decide(n, results, next) => {
                let case = self.stored_case(*n);
                let claims = case.claims.iter().zip(results).map(|(claim, result)| {
                    let (id, version) = (claim.id.0, claim.version);
                    format!(r#"{{"id":"{id}","version":{version},{}}}"#, RESULTS[*result])
                });
                let claims: Vec<String> = claims.collect();
                let decided = Self::decided_body(&case).trim_end_matches('}');
                let body = format!("{decided},\"claims\":[{}]}}", claims.join(","));
                let mut decision = parse_at::<decision::DecisionRequest>(body, ctx)?;
                decision.next_level = next.as_ref().map(|dated| {
                    let levels::LevelRequest { kind, due_on } = new(dated);
                    decision::NextLevel { kind, due_on: due_on.unwrap() }
                });
                let seen = (Some(case.clone()), Seen::Version(case.version));
                decision::decided(PRACTICE, seen, &decision, &staff(), ctx)
            }
            Op::Amount(n) => {
                let paid = parse::<amount::PaidAmount>(r#"{"amount_recovered":"120.00"}"#)?;
                amount::corrected(PRACTICE, &self.stored(*n), paid.amount_recovered, &staff(), ctx)
            }
            Op::Begin(case, dated) => {
                let case = self.stored_case(*case);
                let seen = Seen::Version(case.version);
                levels::begun(PRACTICE, (Some(case), seen), new(dated), &staff(), ctx)
            }
        }
    }

    /// What a decision says of the last level of a case.
    fn decided_body(case: &StoredCase) -> &'static str {
        let filed = case.levels.last().and_then(|last| last.filed_on);
        DECIDED[usize::from(filed.is_none())]
    }

    /// The steps of a decision, one by one.
    pub(super) fn one_by_one(&self, op: &Op) -> Option<Vec<Op>> {
        let Op::Decide(n, results, next) = op else {
            return None;
        };
        let case = self.stored_case(*n);
        // A decision that is recorded is edited, not recorded again.
        let is_decided = case.levels.last().is_some_and(|last| last.decided_on.is_some());
        if case.claims.is_empty() && is_decided {
            return None;
        }
        let body = Self::decided_body(&case);
        let at = |id| self.claims.iter().position(|row| row.id == id);
        let claims = case.claims.iter().filter_map(|claim| at(claim.id));
        let ends = claims.zip(results).filter(|(_, result)| **result > 0);
        let ends = ends.map(|(claim, result)| Op::Move(claim, ENDS[*result]));
        let edit = [Op::Edit(*n, case.levels.len(), body)];
        let begin = next.map(|due| Op::Begin(*n, due));
        Some(edit.into_iter().chain(ends).chain(begin).collect())
    }

    /// The amounts that a claim shows and those that were recorded for it say the same.
    pub(super) fn expect_amounts(&self) {
        for row in &self.claims {
            let last = |case: Option<CaseId>| {
                let levels = row.levels.iter();
                let levels = levels.filter(|at| case.is_none_or(|case| at.case_id == case));
                let paid = levels.filter_map(|at| Some((at.paid?, at.level)));
                let last = paid.max_by_key(|(paid, level)| (paid.at, *level));
                last.map(|(paid, _)| paid.amount)
            };
            assert_eq!(row.recovered, last(None), "{:?}", self.history);
            for case in &self.cases {
                if let Some((_, amount)) = case.outcomes.get(&row.id) {
                    assert_eq!(*amount, last(Some(case.id)), "{:?}", self.history);
                }
            }
        }
    }

    /// A resend fills in the facts of a claim.
    fn fill(&mut self, n: usize) {
        let stored = self.stored(n);
        let facts = (PlanType::parse(RULES[n].0), Date::parse(RULES[n].1));
        let due = stored.appeal.filled_in(facts, stored.status);
        let row = &mut self.claims[n];
        row.version += 1;
        row.facts = true;
        row.deadline = due.or(row.deadline);
        let case_id = row.case_id.filter(|_| stored.status == ClaimStatus::InAppeal);
        let levels = self.levels(n);
        let level = payer_clock::sooner(&levels, stored.plan().or(facts.0));
        if let (Some(case_id), Some(level)) = (case_id, level) {
            let case = self.case(case_id);
            case.version += 1;
            case.levels.pop();
            case.levels.push(level);
        }
    }

    /// The levels of the case in which a claim is, or was last, appealed.
    fn levels(&self, n: usize) -> Vec<Level> {
        let id = self.claims[n].case_id;
        let case = self.cases.iter().find(|case| Some(case.id) == id);
        case.map_or_else(Vec::new, |case| case.levels.clone())
    }

    /// A level that waits for its decision has the payer's day as soon as the plan of a claim in appeal gives one, in any
    /// order of plan, filing and decision. The day stays until the filing changes.
    pub(super) fn expect_clocks(&self, before: &Self) {
        for (n, case) in self.cases.iter().enumerate() {
            let clocks = |plan| matches!(plan, PlanType::MediCalManaged | PlanType::Medicare);
            let is_known = self.stored_case(n).claims.iter().filter_map(StoredWorkClaim::plan).any(clocks);
            for level in &case.levels {
                let due = level.decision_due.map(|day| day.to_string());
                assert_eq!(level.decision_source.is_some(), due.is_some());
                if is_known && level.awaits_decision() {
                    assert_eq!(due.as_deref(), Some(DECIDE), "{:?}", self.history);
                }
                let was = before.cases.get(n).and_then(|case| case.levels.iter().find(|was| was.level == level.level));
                let was = was.filter(|was| was.filed_on == level.filed_on && was.decision_due.is_some());
                assert!(was.is_none_or(|was| was.decision_due == level.decision_due), "{:?}", self.history);
            }
        }
    }

    /// The claims whose deadline this action is about: a person sees it and decides.
    pub(super) fn decided(&self, op: &Op) -> Vec<ClaimId> {
        match op {
            // A date in addition decides against no other one.
            Op::Letter(n, _, body) if *body == LETTERS[0] || *body == LETTERS[1] => {
                let row = &self.claims[*n];
                let known = row.letter.and_then(|letter| letter.facts.appeal_due);
                known.map(|_| row.id).into_iter().collect()
            }
            Op::Letter(n, ..) => vec![self.claims[*n].id],
            Op::Move(n, _) => vec![self.claims[*n].id],
            Op::Edit(case, ..) => {
                let here = self.stored_case(*case).claims;
                here.iter().map(|claim| claim.id).collect()
            }
            Op::Open(claims, _) => self.past(claims.iter().map(|n| self.claims[*n].id)),
            Op::Join(n, _) | Op::Again(n, ..) => self.past([self.claims[*n].id]),
            Op::Begin(case, _) => {
                let here = self.stored_case(*case).claims;
                self.past(here.iter().map(|claim| claim.id))
            }
            Op::Decide(n, results, _) => {
                let case = self.stored_case(*n);
                let waits = case.levels.last().is_some_and(Level::waits);
                let mut results = results.iter();
                let ends = |_: &&StoredWorkClaim| results.next().is_some_and(|result| *result > 0);
                let ended = case.claims.iter().filter(ends).map(|claim| claim.id).collect();
                match waits {
                    true => case.claims.iter().map(|claim| claim.id).collect(),
                    false => [ended, self.past(case.claims.iter().map(|claim| claim.id))].concat(),
                }
            }
            Op::Take(_) | Op::Fill(_) | Op::Amount(_) => Vec::new(),
        }
    }

    /// Those of the claims whose deadline has passed. It gives way to a date of the case.
    fn past(&self, ids: impl IntoIterator<Item = ClaimId>) -> Vec<ClaimId> {
        let is_past = |row: &Row| row.deadline.is_some_and(|due| due.date < today());
        let past = self.claims.iter().filter(|row| is_past(row));
        let past: BTreeSet<ClaimId> = past.map(|row| row.id).collect();
        ids.into_iter().filter(|id| past.contains(id)).collect()
    }

    pub(super) fn deadlines(&self) -> Vec<(ClaimId, Option<Date>)> {
        let rows = self.claims.iter();
        rows.map(|row| (row.id, row.deadline.map(|due| due.date))).collect()
    }

    /// Records a letter, or a filing, in the test's own records: its claims are those in appeal in the case at that time.
    fn note(&mut self, op: &Op) {
        if let Op::Letter(n, _, body) = op {
            self.read.entry(self.claims[*n].id).or_default().set(body);
        }
        let Op::Edit(case, level, body) = op else {
            return;
        };
        let before = self.cases[*case].levels[*level - 1].filed_on.is_some();
        let id = self.cases[*case].id;
        if body.contains(r#""filed_on":null"#) {
            self.filed.retain(|(_, case, at)| (*case, *at) != (id, *level));
        } else if body.contains("filed_on") && !before {
            // A level that another one follows was filed with the claims that have a result at it.
            let is_last = *level == self.cases[*case].levels.len();
            let number = i64::try_from(*level).unwrap();
            let claims = self.stored_case(*case).claims.into_iter();
            let claims = claims.filter(|claim| is_last || claim.appeal.was_at(id, number));
            self.filed.extend(claims.map(|claim| (claim.id, id, *level)));
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
                guard if testing::versions(&guard).is_some() => {
                    for (_, id, version) in testing::versions(&guard).unwrap() {
                        assert_eq!(self.row(id).version, version);
                    }
                }
                Guard::Sql(guard) if guard.sql.contains("FROM cases") => {
                    let values = Values::read(&guard.params);
                    assert_eq!(self.case(values.case(1)).version, values.number(2));
                }
                Guard::Sql(guard) if guard.sql.contains("FROM level_claims") => {
                    let read: Vec<(PracticeId, ClaimId, bool)> = Values::read(&guard.params).json(0);
                    for (_, id, filed) in read {
                        let levels = &self.row(id).levels;
                        assert_eq!(levels.iter().any(|at| at.filed), filed);
                    }
                }
                other => panic!("{other:?} is none of these moves'"),
            }
        }
        for write in change.writes {
            match write {
                write if testing::is_event(&write) => {}
                write if testing::changed(&write).is_some() => {
                    testing::changed(&write).unwrap().into_iter().for_each(|change| self.change(&change));
                }
                Write::Sql(statement) => self.run_sql(statement.sql, &Values::written(&statement.params)),
                Write::Audit(_) | Write::Messages(_) => {}
                other => panic!("{other:?} is none of these moves'"),
            }
        }
    }

    /// Does what the update of a claim does.
    fn change(&mut self, change: &Value) {
        let set = &change["set"];
        let row = self.row(read(&change["id"]));
        row.version += 1;
        row.status = read(&change["status"]);
        if let Some(case) = set.get("case_id") {
            row.case_id = read(case);
        }
        if let Some(amount) = set.get("recovered_cents") {
            row.recovered = read(amount);
        }
        if set.get("letter_at").is_some() {
            row.letter = (!set["letter_at"].is_null()).then(|| Letter {
                facts: LetterFacts {
                    denial_date: read(&set["letter_denied"]),
                    plan_type: read(&set["letter_plan"]),
                    appeal_due: read(&set["letter_due"]),
                    counts: read(&set["letter_counts"]),
                },
                read_by: LetterReader::Staff,
                read_at: Time(Instant(0)),
            });
        }
        if let Some(due) = set.get("appeal_due") {
            let due: Option<Date> = read(due);
            row.deadline = due.map(|date| Deadline { date, from: read(&set["appeal_due_from"]) });
        }
    }

    /// Does what a statement about a case does.
    fn run_sql(&mut self, sql: &str, values: &Values) {
        let words: Vec<&str> = sql.split_whitespace().take(3).collect();
        let case_id = values.case(1);
        match words[..] {
            ["INSERT", "INTO", "cases"] => self.cases.push(CaseRow {
                id: case_id,
                version: 1,
                levels: Vec::new(),
                members: BTreeSet::new(),
                outcomes: BTreeMap::new(),
            }),
            ["UPDATE", "cases", "SET"] => self.case(case_id).version = values.number(2),
            ["INSERT", "INTO", "case_levels"] => {
                let levels = &mut self.case(case_id).levels;
                let level = values.level();
                let at = usize::try_from(level.level).unwrap() - 1;
                levels.truncate(levels.len().max(at));
                if at == levels.len() {
                    levels.push(level);
                } else {
                    levels[at] = level;
                }
            }
            ["INSERT", "INTO", "case_claims"] => {
                let claims: Vec<ClaimId> = values.json(2);
                let case = self.case(case_id);
                for claim in &claims {
                    case.outcomes.remove(claim);
                }
                case.members.extend(claims);
            }
            ["UPDATE", "case_claims", "SET"] => {
                let outcome = ClaimStatus::parse(values.text(3).unwrap()).unwrap();
                self.case(case_id).outcomes.insert(values.claim(2), (outcome, values.amount(4)));
            }
            ["INSERT", "INTO", "level_claims"] if sql.contains("recovered_cents") => {
                let paid = values.amount(4).map(|amount| Paid {
                    amount,
                    at: Instant(values.number(5)),
                    stands: values.number(6) == 1,
                });
                self.at_level(values.claim(3), case_id, values.number(2)).paid = paid;
            }
            ["INSERT", "INTO", "level_claims"] => {
                for claim in values.json::<Vec<ClaimId>>(3) {
                    self.at_level(claim, case_id, values.number(2)).filed = true;
                }
            }
            ["UPDATE", "level_claims", "SET"] => {
                let place = (case_id, values.number(2));
                for at in self.claims.iter_mut().flat_map(|row| &mut row.levels) {
                    at.filed &= (at.case_id, at.level) != place;
                }
            }
            _ => panic!("{sql} is none of these moves'"),
        }
    }

    fn at_level(&mut self, claim: ClaimId, case_id: CaseId, level: i64) -> &mut AtLevel {
        let levels = &mut self.row(claim).levels;
        let known = levels.iter().position(|at| (at.case_id, at.level) == (case_id, level));
        let known = known.unwrap_or_else(|| {
            levels.push(AtLevel { case_id, level, filed: false, paid: None });
            levels.len() - 1
        });
        &mut levels[known]
    }
}

/// The values of a statement in their order, as text.
struct Values(Vec<Option<String>>);

fn read<T: serde::de::DeserializeOwned>(value: &Value) -> T {
    serde_json::from_value(value.clone()).unwrap()
}

impl Values {
    fn read(params: &[Param]) -> Self {
        let values = params.iter().map(|param| match param {
            Param::Text(text) => Some(text.clone()),
            Param::Int(number) => Some(number.to_string()),
            Param::Null => None,
        });
        Self(values.collect())
    }

    fn written(params: &[WriteParam]) -> Self {
        let values = params.iter().map(|param| match param {
            WriteParam::Plain(plain) => plain.clone(),
            sealed => panic!("{sealed:?}"),
        });
        Self::read(&values.collect::<Vec<_>>())
    }

    fn text(&self, n: usize) -> Option<&str> {
        self.0[n].as_deref()
    }

    fn number(&self, n: usize) -> i64 {
        self.text(n).unwrap().parse().unwrap()
    }

    fn case(&self, n: usize) -> CaseId {
        CaseId(self.text(n).unwrap().parse().unwrap())
    }

    fn claim(&self, n: usize) -> ClaimId {
        ClaimId(self.text(n).unwrap().parse().unwrap())
    }

    fn amount(&self, n: usize) -> Option<Cents> {
        self.text(n).map(|cents| Cents::new(cents.parse().unwrap()).unwrap())
    }

    fn json<T: serde::de::DeserializeOwned>(&self, n: usize) -> T {
        serde_json::from_str(self.text(n).unwrap()).unwrap()
    }

    /// A level, as `written` writes it.
    fn level(&self) -> Level {
        let day = |n| self.text(n).map(|day| Date::parse(day).unwrap());
        Level {
            level: self.number(2),
            kind: LevelKind::parse(self.text(3).unwrap()).unwrap(),
            due_on: day(4),
            filed_on: day(5),
            decided_on: day(6),
            outcome: self.text(7).map(|outcome| LevelOutcome::parse(outcome).unwrap()),
            decision_due: day(10),
            decision_source: self.text(11).map(|source| DecisionSource::parse(source).unwrap()),
            follow_up_on: day(12),
        }
    }
}
