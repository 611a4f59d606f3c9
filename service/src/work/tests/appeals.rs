//! Appeals on SQLite: after any order of opening, joining, filing, deciding and moving, each claim has the right
//! deadline and the right payment.

use super::{commit, ids, staff};
use crate::auth::person::Person;
use crate::claim_changes;
use crate::plan::change::Change;
use crate::request::error::RequestError;
use crate::request::if_match::Seen;
use crate::request::query::ListQuery;
use crate::testing::{Fixture, parse};
use crate::work::cases::all::{CasesQuery, of_all};
use crate::work::cases::{CaseToJoin, candidates, joining, opened, stored_case};
use crate::work::{levels, moves};
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::{CaseId, ClaimId, PracticeId};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// The deadlines by rule; the last claim has none.
const RULES: [Option<&str>; 3] = [Some("2026-06-30"), Some("2026-03-06"), None];

fn batch() -> String {
    let facts = [
        r#""denial_date": "2026-01-01", "plan_type": "erisa""#,
        r#""denial_date": "2026-01-05", "plan_type": "medi_cal_managed""#,
        r#""plan_type": "commercial""#,
    ];
    let items = facts.iter().enumerate().map(|(n, facts)| {
        format!(
            r#"{{"patient": {{"first_name": "Jane", "last_name": "Doe", "date_of_birth": "1980-02-29"}},
                "claim": {{"claim_number": "P-{n}", "payer_claim_number": "ICN-1", "payer_name": "Acme",
                  "date_of_service": "2026-01-01", "billed_amount": "10.00", "denial_codes": "CO-45", {facts}}}}}"#
        )
    });
    format!(r#"{{"claims": [{}]}}"#, items.collect::<Vec<_>>().join(","))
}

/// The test's own records of an appeal, beside the service's.
#[derive(Default)]
struct Notes {
    /// Claim, case and level of each filing.
    filed: BTreeSet<(usize, CaseId, usize)>,
    /// Claim, case, level, the paid cents and whether they are valid, in the order of recording.
    paid: Vec<(usize, CaseId, usize, i64, bool)>,
}

/// Staff who act at random.
struct Office {
    f: Fixture,
    practice: PracticeId,
    claims: Vec<ClaimId>,
    cases: Vec<CaseId>,
    by: Person,
    notes: Notes,
    chance: u64,
}

impl Office {
    fn new(seed: u64) -> Self {
        let mut f = Fixture::new();
        f.send(&batch(), |_| {});
        let by = staff(&mut f);
        let (practice, _) = ids(&f);
        let ids: String = {
            let sql = "SELECT json_group_array(id) FROM (SELECT id FROM claims ORDER BY claim_number)";
            f.db.query_row(sql, [], |row| row.get(0)).unwrap()
        };
        f.db.execute("UPDATE claims SET status = 'reviewing', taken_by = ?1", [by.user_id.to_string()]).unwrap();
        Self {
            f,
            practice,
            claims: serde_json::from_str(&ids).unwrap(),
            cases: Vec::new(),
            by,
            notes: Notes::default(),
            chance: seed,
        }
    }

    /// A random number below `n`.
    fn below(&mut self, n: usize) -> usize {
        self.chance = self.chance.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from((self.chance >> 33) % u64::try_from(n).unwrap()).unwrap()
    }

    fn commit(&mut self, change: Change, ctx: &Ctx) {
        commit(&mut self.f, change, &self.by, ctx).unwrap();
    }

    fn last_level(&mut self, case: CaseId) -> usize {
        let case = self.f.read(&stored_case(self.practice, case)).unwrap();
        case.levels.len()
    }

    /// One random action, if it is allowed.
    fn act(&mut self, n: u32) -> Result<(), RequestError> {
        let ctx = Ctx::new(
            overturn_core::base::instant::Instant(1_772_625_600_000 + i64::from(n)),
            [u8::try_from(n % 250).unwrap() + 1; 32],
        );
        let claim = self.below(self.claims.len());
        let case = if self.cases.is_empty() { None } else { Some(self.below(self.cases.len())) };
        match (self.below(10), case) {
            (0, _) | (_, None) if self.cases.len() < 3 => self.open(claim, &ctx),
            (1..=5, Some(case)) => self.step(claim, self.cases[case], &ctx),
            (6, Some(case)) => self.begin(self.cases[case], &ctx),
            (_, Some(case)) => self.edit(self.cases[case], &ctx),
            _ => Ok(()),
        }
    }

    fn open(&mut self, first: usize, ctx: &Ctx) -> Result<(), RequestError> {
        let count = self.below(2);
        let wanted: Vec<ClaimId> = [first, (first + 1) % 3][..=count].iter().map(|n| self.claims[*n]).collect();
        let found = self.f.read(&candidates(self.practice, &wanted));
        let seen = found.iter().flatten().map(|one| &one.claim);
        let seen = seen.map(|claim| json!({ "id": claim.id, "version": claim.version }));
        let seen = Value::from_iter(seen);
        let due = ["", r#", "due_on": "2026-12-30""#][self.below(2)];
        let body = format!(r#"{{"claims": {seen}, "kind": "hearing"{due}}}"#);
        let new = parse(body, ctx)?;
        let opened = opened(self.practice, (&new, found), &self.by, ctx)?;
        let id = opened.answer.body["id"].as_str().unwrap().parse().unwrap();
        self.commit(opened, ctx);
        self.cases.push(CaseId(id));
        Ok(())
    }

    fn step(&mut self, n: usize, case: CaseId, ctx: &Ctx) -> Result<(), RequestError> {
        let stored = self.f.read(&claim_changes::claim(self.practice, self.claims[n])).unwrap();
        let cents = 999_999_999_999_999_999 - i64::try_from(self.below(1000)).unwrap();
        let amount = format!("{}.{:02}", cents / 100, cents % 100);
        let stands = ["", r#", "amount_stands": true"#, r#", "amount_stands": false"#][self.below(3)];
        let kind = self.below(3);
        let body = match kind {
            0 => format!(r#"{{"status": "in_appeal", "case_id": "{}"{stands}}}"#, case.0),
            1 => format!(r#"{{"status": "recovered", "amount_recovered": "{amount}"}}"#),
            _ => r#"{"status": "closed", "reason": "denial_upheld"}"#.to_owned(),
        };
        let step: moves::MoveRequest = parse(body, ctx)?;
        let joining: Option<CaseToJoin> =
            step.case_id.map(|case| self.f.read(&joining(self.practice, stored.id, case)).unwrap());
        let was_recovered = stored.status.name() == "recovered";
        let level = match stored.case_id {
            Some(case) => self.last_level(case),
            None => 0,
        };
        let joining = joining.as_ref();
        let change = moves::stepped(self.practice, (&stored, step), joining, &self.by, ctx)?;
        self.commit(change, ctx);
        let paid = &mut self.notes.paid;
        let Some(before) = stored.case_id else {
            return Ok(());
        };
        let here = |entry: &(usize, CaseId, usize, i64, bool)| (entry.0, entry.1) == (n, before);
        match kind {
            0 if was_recovered => {
                let last = paid.iter().rposition(here).unwrap();
                match stands {
                    "" => {}
                    s if s.contains("true") => paid[last].4 = true,
                    _ => {
                        let _gone = paid.remove(last);
                    }
                }
            }
            0 => {}
            _ => {
                let at_level = |entry: &(usize, CaseId, usize, i64, bool)| here(entry) && entry.2 == level;
                let stands = paid.iter().any(|entry| at_level(entry) && entry.4);
                if kind == 1 || !stands {
                    paid.retain(|entry| !at_level(entry));
                }
                if kind == 1 {
                    paid.push((n, before, level, cents, stands));
                }
            }
        }
        Ok(())
    }

    fn begin(&mut self, id: CaseId, ctx: &Ctx) -> Result<(), RequestError> {
        let body = [r#"{"kind": "hearing"}"#, r#"{"kind": "hearing", "due_on": "2027-07-07"}"#][self.below(2)];
        let new = parse(body, ctx)?;
        let case = self.f.read(&stored_case(self.practice, id)).unwrap();
        let seen = Seen::Version(case.version);
        let change = levels::begun(self.practice, (Some(case), seen), new, &self.by, ctx)?;
        self.commit(change, ctx);
        Ok(())
    }

    fn edit(&mut self, id: CaseId, ctx: &Ctx) -> Result<(), RequestError> {
        let body = [
            r#"{"due_on": "2026-10-10"}"#,
            r#"{"due_on": "2026-02-02"}"#,
            r#"{"due_on": null}"#,
            r#"{"filed_on": "2026-03-01"}"#,
            r#"{"filed_on": null, "decided_on": null, "outcome": null, "due_on": "2026-08-08"}"#,
            r#"{"filed_on": "2026-03-01", "decided_on": "2026-03-01", "outcome": "upheld"}"#,
            r#"{"filed_on": null, "decided_on": "2026-03-01", "outcome": "withdrawn"}"#,
        ][self.below(7)];
        let case = self.f.read(&stored_case(self.practice, id)).unwrap();
        let level = 1 + self.below(case.levels.len());
        let was_filed = case.levels[level - 1].filed_on.is_some();
        let appealed: Vec<usize> =
            (0..3).filter(|n| case.claims.iter().any(|claim| claim.id == self.claims[*n])).collect();
        let seen = Seen::Version(case.version);
        let edit = (level.try_into().unwrap(), parse(body, ctx)?);
        let change = levels::level_edited(self.practice, (Some(case.clone()), seen), edit, &self.by, ctx)?;
        self.commit(change, ctx);
        let filed = &mut self.notes.filed;
        if body.contains(r#""filed_on": null"#) {
            filed.retain(|(_, case, at)| (*case, *at) != (id, level));
        } else if body.contains("filed_on") && !was_filed {
            let is_last = level == case.levels.len();
            let number = i64::try_from(level).unwrap();
            let covered = appealed.iter().filter(|n| {
                let mut claims = case.claims.iter();
                let claim = claims.find(|claim| claim.id == self.claims[**n]).unwrap();
                is_last || claim.appeal.was_at(id, number)
            });
            filed.extend(covered.map(|n| (*n, id, level)));
        }
        Ok(())
    }

    /// The list of all cases shows which are open and when they are due.
    fn check_cases(&mut self, history: &str) {
        let page = |open: &str| {
            let query = [("open", open), ("limit", "100")];
            CasesQuery::parse(query.map(|(name, value)| (name.into(), value.into()))).unwrap()
        };
        let mut listed = 0;
        for open in [true, false] {
            let query = page(if open { "true" } else { "false" });
            let cases = self.f.read(&of_all(&query)).unwrap();
            listed += cases.len();
            let mut before = String::new();
            for case in cases {
                assert_eq!(case.item.in_appeal > 0, open, "{history}");
                let level = case.item.level.unwrap();
                let due = level.due_on.filter(|_| level.waits());
                let sql = "SELECT min(appeal_due) FROM claims WHERE case_id = ?1 AND status = 'in_appeal'";
                let id = [case.item.id.to_string()];
                let claims: Option<String> = self.f.db.query_row(sql, id, |row| row.get(0)).unwrap();
                let due = due.map(|due| due.to_string()).into_iter().chain(claims).min();
                assert_eq!(case.due.map(|due| due.to_string()), due, "{history}");
                let due = due.unwrap_or_else(|| "~".to_owned());
                let place = format!("{due} {}", case.item.id);
                assert!(before < place, "{before} {place} {history}");
                before = place;
            }
        }
        assert_eq!(listed, self.cases.len(), "{history}");
        self.check_awaiting(history);
    }

    /// The list of the cases that wait for a decision has each of them, sorted by the day on which to ask for it.
    fn check_awaiting(&mut self, history: &str) {
        let query = [("awaiting", "decision"), ("limit", "100")];
        let query = query.map(|(name, value)| (name.into(), value.into()));
        let query = CasesQuery::parse(query).unwrap();
        let listed = self.f.read(&of_all(&query)).unwrap();
        let places = listed.iter().map(|case| {
            let level = case.item.level.unwrap();
            assert!(level.awaits_decision(), "{history}");
            assert_eq!(case.ask_on, level.follow_up_on.or(level.decision_due));
            let day = case.ask_on.map_or("~".to_owned(), |day| day.to_string());
            (day, case.item.id.to_string())
        });
        let places: Vec<_> = places.collect();
        assert!(places.is_sorted(), "{places:?} {history}");
        let sql = "SELECT count(*) FROM cases k WHERE is_open = 1 AND EXISTS (SELECT 1 FROM case_levels l
                   WHERE l.case_id = k.id AND l.filed_on IS NOT NULL AND l.decided_on IS NULL)";
        let count: i64 = self.f.db.query_row(sql, [], |row| row.get(0)).unwrap();
        let open = listed.iter().filter(|case| case.item.in_appeal > 0);
        assert_eq!(i64::try_from(open.count()), Ok(count), "{history}");
    }

    fn check(&mut self, history: &str) {
        for (n, rule) in RULES.iter().enumerate() {
            let sql = "SELECT status, case_id, appeal_due || ' ' || appeal_due_from, recovered_cents FROM claims
                       WHERE claim_number = 'P-' || ?1";
            type Row = (String, Option<String>, Option<String>, Option<i64>);
            let (status, case, due, paid): Row = self
                .f
                .db
                .query_row(sql, [n.to_string()], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))
                .unwrap();
            let rule = rule.map(|date| format!("{date} rule"));
            let was_filed = self.notes.filed.iter().any(|(claim, ..)| *claim == n);
            let expected = match &*status {
                "recovered" | "closed" => None,
                "in_appeal" => {
                    let sql = "SELECT iif(filed_on IS NULL AND decided_on IS NULL, due_on || ' case', NULL)
                               FROM case_levels WHERE case_id = ?1 ORDER BY level DESC LIMIT 1";
                    let said: Option<String> = self.f.db.query_row(sql, [case], |row| row.get(0)).unwrap();
                    let own = rule.filter(|_| !was_filed);
                    said.into_iter().chain(own).min()
                }
                _ => rule,
            };
            assert_eq!(due, expected, "{status} claim {n} {history}");
            let of_claim = || self.notes.paid.iter().filter(|entry| entry.0 == n);
            assert_eq!(paid, of_claim().next_back().map(|entry| entry.3), "claim {n} {history}");
            for case in &self.cases {
                let sql = "SELECT outcome IS NULL, recovered_cents FROM case_claims
                           WHERE claim_id = ?1 AND case_id = ?2";
                let row = self.f.db.query_row(sql, [self.claims[n].to_string(), case.0.to_string()], |row| {
                    Ok((row.get::<_, bool>(0)?, row.get::<_, Option<i64>>(1)?))
                });
                let (Ok((false, paid)),) = (row,) else {
                    continue;
                };
                let in_case = of_claim().rfind(|entry| entry.1 == *case);
                assert_eq!(paid, in_case.map(|entry| entry.3), "claim {n} in its case, {history}");
            }
        }
    }
}

#[test]
fn after_any_order_of_events_a_claim_has_its_deadline_and_what_was_paid_for_it() {
    for seed in 1..=25 {
        let mut office = Office::new(seed);
        let mut done = 0;
        for n in 0..120 {
            done += usize::from(office.act(n).is_ok());
            let history = format!("after {n} steps of chance {seed}");
            office.check(&history);
            if n % 5 == 0 {
                office.check_cases(&history);
            }
        }
        assert!(done > 20, "{done} steps were allowed");
    }
}
