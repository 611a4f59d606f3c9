//! The notice to the owners of a practice that too many resends of the day did not match their claims.

use super::mismatches::alarm_entry;
use crate::pipeline;
use crate::plan::notice::{Notice, NoticeKind};
use crate::plan::{Actor, Plan};
use crate::prelude::*;
use overturn_core::claims::intake::Bound;

/// Notifies the owners about a limit of today, unless another request has.
pub(crate) fn plan(practice: PracticeId, bound: Bound, ctx: &Ctx) -> Plan {
    let (day, bit) = (ctx.today(), i64::from(bound.bit()));
    let guard = abort_if!(
        Record,
        "EXISTS (SELECT 1 FROM mismatches WHERE day = {day} AND practice_id = {practice} AND claim_id = ''
           AND told & CAST({bit} AS INTEGER) <> 0)";
        practice, day, bit
    );
    let writes = vec![
        Write::Audit(alarm_entry(practice, (day, bound), 0, ctx)),
        sql!(
            "UPDATE mismatches SET told = told | CAST({bit} AS INTEGER)
             WHERE day = {day} AND practice_id = {practice} AND claim_id = ''";
            practice, day, bit
        ),
        Write::Notice(Notice::new(practice, NoticeKind::ResendsStopped, ctx)),
    ];
    Plan { from: None, ..pipeline::plan(ctx, Actor::Service, vec![guard], writes) }
}
