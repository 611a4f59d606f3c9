//! What people and systems do in the world, and in which order it can be tried.

use super::{Resend, World};
use crate::auth::role::Role;
use crate::work::cases::StoredCase;

/// An action. Claims and cases are numbered from 0, levels from 1.
#[derive(Clone, Debug)]
pub(in super::super) enum Op {
    Open(Vec<usize>, Option<&'static str>),
    Join(usize, usize),
    Move(usize, &'static str),
    Take(usize),
    Edit(usize, usize, &'static str),
    Begin(usize, Option<&'static str>),
    /// The billing system sends the claim again.
    Resend(usize, Resend),
    /// A person sets what the letter says: of the practice, or of the staff.
    Letter(usize, Role, &'static str),
    /// The claim is appealed again, and a person says whether its amount stands.
    Again(usize, usize, bool),
    /// A decision about a case: the results of its claims, and when the next level is due if one begins.
    Decide(usize, [usize; 2], Option<Option<&'static str>>),
    Amount(usize),
    /// Time passes, and nobody does anything.
    Wait,
}

/// The days on which new levels are due: before, between and after the dates of the rules.
pub(super) const DAYS: [Option<&str>; 4] = [None, Some("2026-02-25"), Some("2026-05-05"), Some("2026-07-07")];
const CASES: usize = 2;
const LEVELS: usize = 2;

/// What people read in letters: dates before and after today, and facts that the rule counts from.
pub(super) const LETTERS: [&str; 7] = [
    r#"{"appeal_due":"2026-02-21"}"#,
    r#"{"appeal_due":"2026-03-05"}"#,
    r#"{"appeal_due":"2026-08-01","counts":"letter"}"#,
    r#"{"counts":"earliest"}"#,
    r#"{"plan_type":"medicare","denial_date":"2026-02-01"}"#,
    r#"{"denial_date":"2026-01-20"}"#,
    r#"{"plan_type":null,"denial_date":null,"appeal_due":null}"#,
];
/// The letters that only name another last day.
pub(super) const DATES: [&str; 2] = [LETTERS[0], LETTERS[1]];

/// The results of claims in a decision: the appeal goes on, is won, is lost, or is won in part.
const RESULTS: [&str; 4] = [
    r#""result":"in_appeal""#,
    r#""result":"recovered","amount_recovered":"80.00""#,
    r#""result":"closed","reason":"withdrawn""#,
    r#""result":"recovered","amount_recovered":"35.00""#,
];
/// The moves that give the same results.
const ENDS: [&str; 4] = ["", MOVES[2], MOVES[3], LESS];
/// Only a world with letters has them.
const LESS: &str = r#"{"status":"recovered","amount_recovered":"35.00"}"#;
pub(super) const CORRECTED: &str = "120.00";

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
/// What a decision says of a filed level, by the result of the first claim, and of one that was never filed.
const DECIDED: [&str; 4] = [
    r#"{"outcome":"upheld","decided_on":"2026-03-02"}"#,
    r#"{"outcome":"overturned","decided_on":"2026-03-02"}"#,
    r#"{"outcome":"upheld","decided_on":"2026-03-02"}"#,
    r#"{"outcome":"partly_overturned","decided_on":"2026-03-02"}"#,
];
const NOT_FILED: &str = r#"{"outcome":"withdrawn","decided_on":"2026-03-02"}"#;

impl Op {
    /// The steps of staff one by one, and with letters everything that changes dates and amounts from outside.
    pub(in super::super) fn all(world: &World) -> Vec<Self> {
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
        for claim in (0..world.claims.len()).filter(|_| world.letters) {
            all.push(Self::Move(claim, LESS));
            for role in [Role::Staff, Role::Member] {
                all.extend(LETTERS.map(|body| Self::Letter(claim, role, body)));
            }
            all.extend(Resend::ALL.map(|sent| Self::Resend(claim, sent)));
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
        all.extend((world.letters && world.days == 0).then_some(Self::Wait));
        all
    }

    /// Decisions and corrections of amounts. A decision equals several other steps.
    pub(in super::super) fn decisions(world: &World) -> Vec<Self> {
        let mut all: Vec<_> = (0..world.claims.len()).map(Self::Amount).collect();
        for case in 0..world.cases.len() {
            for results in [[0, 0], [1, 1], [1, 2], [0, 1], [2, 0], [3, 1]] {
                let next = [None, Some(DAYS[2]), Some(DAYS[3])];
                all.extend(next.map(|next| Self::Decide(case, results, next)));
            }
        }
        all
    }

    /// What can move the deadline of one claim, to an earlier and to a later day: what staff and the practice read, what
    /// the billing system sends again, time, and the steps of an appeal.
    pub(in super::super) fn of_dates(world: &World) -> Vec<Self> {
        let [earlier, later, stands, _, facts, _, nothing] = LETTERS;
        let mut all: Vec<_> = [earlier, stands].map(|body| Self::Letter(0, Role::Staff, body)).into();
        all.extend([later, facts, nothing].map(|body| Self::Letter(0, Role::Member, body)));
        all.extend(Resend::ALL.map(|sent| Self::Resend(0, sent)));
        all.extend((world.days == 0).then_some(Self::Wait));
        if world.cases.is_empty() {
            all.extend([DAYS[0], DAYS[2]].map(|dated| Self::Open(vec![0], dated)));
        }
        for (n, case) in world.cases.iter().enumerate() {
            let last = case.levels.len();
            all.extend([EDITS[0], EDITS[1], EDITS[3], EDITS[4]].map(|body| Self::Edit(n, last, body)));
            all.push(Self::Decide(n, [2; 2], None));
            all.extend((last < LEVELS).then_some(Self::Decide(n, [0; 2], Some(DAYS[3]))));
            all.push(Self::Join(0, n));
        }
        all
    }

    /// What can change the amount of one claim: decisions that are won, won in part and lost, at each level of two cases,
    /// another appeal, and corrections of the amount, of a filing and by a resend.
    pub(in super::super) fn of_amounts(world: &World) -> Vec<Self> {
        let mut all = Vec::from([Self::Amount(0), Self::Resend(0, Resend::Later)]);
        all.extend((world.cases.len() < CASES).then_some(Self::Open(vec![0], None)));
        for (n, case) in world.cases.iter().enumerate() {
            let last = case.levels.len();
            all.push(Self::Edit(n, last, EDITS[3]));
            all.extend([[1; 2], [2; 2], [3; 2]].map(|results| Self::Decide(n, results, None)));
            all.extend((last < LEVELS).then_some(Self::Decide(n, [0; 2], Some(DAYS[3]))));
            all.push(Self::Join(0, n));
            all.extend([false, true].map(|stands| Self::Again(0, n, stands)));
        }
        all
    }

    /// The body of a decision about a case, with these results of its claims.
    pub(super) fn decision(case: &StoredCase, results: &[usize]) -> String {
        let claims = case.claims.iter().zip(results).map(|(claim, result)| {
            let (id, version) = (claim.id.0, claim.version);
            format!(r#"{{"id":"{id}","version":{version},{}}}"#, RESULTS[*result])
        });
        let claims: Vec<String> = claims.collect();
        let decided = Self::decided(case, results).trim_end_matches('}');
        format!("{decided},\"claims\":[{}]}}", claims.join(","))
    }

    /// What a decision says of the last level of a case.
    fn decided(case: &StoredCase, results: &[usize]) -> &'static str {
        let filed = case.levels.last().and_then(|last| last.filed_on);
        filed.map_or(NOT_FILED, |_| DECIDED[results[0]])
    }

    /// The steps of a decision, one by one.
    pub(in super::super) fn one_by_one(&self, world: &World) -> Option<Vec<Self>> {
        let Self::Decide(n, results, next) = self else {
            return None;
        };
        let case = world.stored_case(*n);
        // A decision that is recorded is edited, not recorded again.
        let is_decided = case.levels.last().is_some_and(|last| last.decided_on.is_some());
        if case.claims.is_empty() && is_decided {
            return None;
        }
        let at = |id| world.claims.iter().position(|row| row.id == id);
        let claims = case.claims.iter().filter_map(|claim| at(claim.id));
        let ends = claims.zip(results).filter(|(_, result)| **result > 0);
        let ends = ends.map(|(claim, result)| Self::Move(claim, ENDS[*result]));
        let edit = [Self::Edit(*n, case.levels.len(), Self::decided(&case, results))];
        let begin = next.map(|due| Self::Begin(*n, due));
        Some(edit.into_iter().chain(ends).chain(begin).collect())
    }
}
