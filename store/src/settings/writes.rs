//! A practice's settings as statements.

use super::sql;
use crate::{Param, Statement, optional, text};
use overturn_core::auth::disclosure::State;
use overturn_core::base::id::PracticeId;
use overturn_core::plan::settings::{Agreement, ApiTokenRecord, PracticeEdit};

pub(crate) fn practice(id: PracticeId, edit: &PracticeEdit) -> Statement {
    let flag = |flag: Option<bool>| flag.map_or(Param::Null, |flag| Param::Int(flag.into()));
    Statement::new(
        sql::UPDATE_PRACTICE,
        [
            text(id),
            optional(edit.name.as_ref()),
            flag(edit.appeal_button),
            flag(edit.single_session),
        ],
    )
}

pub(crate) fn practice_state(id: PracticeId, state: State) -> Statement {
    Statement::new(sql::UPDATE_PRACTICE_STATE, [text(id), text(state.name())])
}

/// A signed agreement, which ends those before it.
pub(crate) fn agreement(record: &Agreement) -> [Statement; 2] {
    let (practice, id) = (text(record.practice_id), text(record.id));
    let at = Param::Int(record.signed_at.0);
    let (by, from) = record
        .signed_by
        .as_ref()
        .map_or((Param::Null, Param::Null), |(by, from)| {
            (text(by), text(from))
        });
    [
        Statement::new(
            sql::END_OTHER_AGREEMENTS,
            [practice.clone(), id.clone(), at.clone()],
        ),
        Statement::new(
            sql::INSERT_AGREEMENT,
            [
                practice,
                id,
                text(&record.version),
                text(&record.signer_name),
                text(&record.signer_title),
                at,
                by,
                from,
            ],
        ),
    ]
}

pub(crate) fn api_token(record: &ApiTokenRecord) -> Statement {
    Statement::new(
        sql::INSERT_API_TOKEN,
        [
            text(record.practice_id),
            text(record.id),
            text(record.user_id),
            text(&record.name),
            text(&record.hash),
            text(&record.hint),
            text(record.scopes),
            Param::Int(record.created_at.0),
            Param::Int(record.expires_at.0),
        ],
    )
}
