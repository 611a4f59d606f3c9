//! The return and the destruction of a practice's data, and the emails about them, as statements.

use crate::json::json;
use crate::settings::sql::data_jobs as sql;
use crate::settings::sql::data_jobs::destruction as gone;
use crate::statement::{Param, Statement, count, instant, optional, text};
use overturn_core::base::id::{AgreementId, DataJobId, PracticeId};
use overturn_core::base::instant::Instant;
use overturn_core::plan::settings::data_jobs::{DestructionPage, DestructionStage, JobKind, JobState, NewJob, Taken};

/// Counts a page and removes it. The last statement removes the rows, so its result is the number of removed rows.
pub(crate) fn destroy(page: DestructionPage) -> Vec<Statement> {
    let params = [text(page.practice_id), text(page.id), count(page.rows), Param::Int(page.staff_answers_before.0)];
    let stage = gone::stage(page.stage);
    let objects = (page.stage == DestructionStage::Document).then_some(gone::LOOSEN);
    let statements = objects.into_iter().chain([stage.count, stage.delete]);
    statements.map(|sql| Statement::new(sql, params.clone())).collect()
}

pub(crate) fn end_agreement(practice: PracticeId, id: AgreementId, now: Instant) -> Statement {
    let params = [text(practice), text(id), Param::Int(now.0)];
    Statement::new(sql::END_AGREEMENT, params)
}

pub(crate) fn insert(new: &NewJob, now: Instant) -> Statement {
    let (state, begun) = match new.kind {
        JobKind::Return => (JobState::Running, Param::Int(now.0)),
        JobKind::Destruction => (JobState::Waiting, Param::Null),
    };
    Statement::new(
        sql::INSERT,
        [
            text(new.practice_id),
            text(new.id),
            text(new.kind.name()),
            text(state.name()),
            Param::Int(now.0),
            text(&new.requested_by),
            instant(new.due_at),
            begun,
            Param::Text(json(&new.totals)),
        ],
    )
}

pub(crate) fn taken(taken: &Taken, now: Instant) -> Statement {
    Statement::new(
        sql::TAKEN,
        [
            text(taken.practice_id),
            text(taken.id),
            text(&taken.from),
            optional(taken.next.as_ref()),
            Param::Text(json(&taken.counts)),
            Param::Int(taken.unreadable),
            Param::Int(taken.bytes),
            text(&taken.digest),
            Param::Int(now.0),
        ],
    )
}

/// The destruction begins, and the data key is destroyed: what it sealed opens no more, also before the pages that follow
/// delete it.
pub(crate) fn begin(practice: PracticeId, id: DataJobId, now: Instant) -> [Statement; 2] {
    let at = Param::Int(now.0);
    [Statement::new(gone::BEGIN, [text(practice), text(id), at]), super::data_key_writes::destroy(practice, now)]
}

pub(crate) fn end(practice: PracticeId, id: DataJobId, state: JobState, now: Instant) -> Statement {
    Statement::new(sql::END, [text(practice), text(id), text(state.name()), Param::Int(now.0)])
}
