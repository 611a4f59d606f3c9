//! Counts resends that do not match the claim of their number, as statements.

use crate::claims::sql::mismatches as sql;
use crate::json::json;
use crate::keyring::Keyring;
use crate::records;
use crate::statement::{Param, Statement, text};
use overturn_core::plan::Plan;
use overturn_core::plan::claims::{Alarm, Mismatches};

/// The claims with one more mismatch each, and the practice, with their limits.
fn rows(found: &Mismatches) -> [Param; 3] {
    let of_claim = |id: String| (id, 1, found.bounds.claim);
    let claims = found.claims.iter().map(|(_, id)| of_claim(id.to_string()));
    let mut rows: Vec<_> = claims.collect();
    rows.push((String::new(), rows.len(), found.bounds.practice));
    of_rows(found, &rows)
}

fn of_rows(found: &Mismatches, rows: &[(String, usize, u32)]) -> [Param; 3] {
    let rows = Param::Text(json(&rows));
    [text(found.practice_id), text(found.day), rows]
}

/// A match needs as much room as a mismatch would need, but does not use it.
pub(crate) fn guard(found: &Mismatches) -> Statement {
    let of_claim = |id: String| (id, 1, found.bounds.claim);
    let claims = found.claims.iter().chain(&found.matches);
    let mut rows: Vec<_> = claims.map(|(_, id)| of_claim(id.to_string())).collect();
    let more = found.claims.len().max(1);
    rows.push((String::new(), more, found.bounds.practice));
    Statement::new(sql::GUARD, of_rows(found, &rows))
}

/// The audit row, the email to the owners, and the mark that they were notified. Each takes effect only if the limit is
/// reached.
pub(crate) fn alarm(alarm: &Alarm, plan: &Plan<'_>, keys: &Keyring) -> [Statement; 3] {
    let claims: Vec<String> = if alarm.claims.is_empty() {
        vec![String::new()]
    } else {
        alarm.claims.iter().map(ToString::to_string).collect()
    };
    let reached = [
        text(alarm.day),
        Param::Int(alarm.bound.bit().into()),
        Param::Int(alarm.most.into()),
        Param::Text(json(&claims)),
    ];
    let mut row = records::audit(plan, &alarm.entry, keys);
    row.sql = records::sql::AUDIT_REACHED;
    row.params.extend(reached.clone());
    let mut letter = records::notice(&alarm.notice, plan.at);
    letter.sql = sql::NOTICE_REACHED;
    letter.params.extend(reached.clone());
    let mut tell = Statement::new(sql::TELL_REACHED, [text(alarm.practice_id)]);
    tell.params.extend(reached);
    [row, letter, tell]
}

/// Counts mismatches, or uses up the practice's limit for the day.
pub(crate) fn count(found: &Mismatches) -> Statement {
    if found.closes {
        let bound = Param::Int(found.bounds.practice.into());
        let params = [text(found.practice_id), text(found.day), bound];
        return Statement::new(sql::CLOSE, params);
    }
    Statement::new(sql::COUNT, rows(found))
}
