//! The writes of decisions, done in memory.

use super::{CaseRow, Row, World};
use crate::claim_changes::testing;
use crate::plan::change::Change;
use crate::plan::statement::WriteParam;
use crate::plan::{Guard, Write};
use overturn_core::base::date::Date;
use overturn_core::base::id::{CaseId, ClaimId, PracticeId};
use overturn_core::base::instant::Instant;
use overturn_core::base::money::Cents;
use overturn_core::base::param::Param;
use overturn_core::base::time::Time;
use overturn_core::claims::ClaimStatus;
use overturn_core::claims::appeal::letter::{Letter, LetterFacts, LetterReader};
use overturn_core::claims::appeal::level::Level;
use overturn_core::claims::appeal::level_names::{DecisionSource, LevelKind, LevelOutcome};
use overturn_core::claims::appeal::{AtLevel, Paid};
use overturn_core::claims::deadline::Deadline;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};

impl World {
    fn row(&mut self, id: ClaimId) -> &mut Row {
        self.claims.iter_mut().find(|row| row.id == id).unwrap()
    }

    pub(super) fn case(&mut self, id: CaseId) -> &mut CaseRow {
        self.cases.iter_mut().find(|case| case.id == id).unwrap()
    }

    pub(super) fn write(&mut self, change: Change) {
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
            ["UPDATE", "case_claims", "SET"] if sql.contains("outcome IS NOT NULL") => {
                if let Some((_, amount)) = self.case(case_id).outcomes.get_mut(&values.claim(2)) {
                    *amount = values.amount(3);
                }
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
