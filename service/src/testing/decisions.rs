//! What the tests of decisions have in common: people, plans, bodies, queries.

use crate::auth::disclosure::PracticeState;
use crate::auth::key::Credential;
use crate::auth::person::{Person, Via};
use crate::auth::rights::Action;
use crate::auth::role::Role;
use crate::auth::scope::{Scope, Scopes};
use crate::plan::change::Change;
use crate::plan::signing::SigningStatus;
use crate::plan::statement::WriteParam;
use crate::plan::version::RecordVersion;
use crate::plan::work::claim::StoredWorkClaim;
use crate::plan::{Guard, Write};
use crate::request::declare::{Body, Reach, Terms};
use crate::request::error::RequestError;
use crate::request::if_match::{CHANGED, Seen};
use crate::request::query::ListQuery;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::{ApiKeyId, ClaimId, PracticeId, SessionId, UserId};
use overturn_core::base::instant::Instant;
use overturn_core::base::param::Param;
use overturn_core::claims::appeal::Appeal;
use overturn_core::claims::{ClaimNumber, ClaimStatus};
use overturn_core::request::problem;
use overturn_core::testing::ctx;
use std::borrow::Cow;
use uuid::Uuid;

/// The texts of a refusal's problems.
pub(crate) fn said(denied: RequestError) -> Vec<String> {
    match denied {
        RequestError::Invalid(problems) | RequestError::Stuck(_, problems) => problem::texts(&problems),
        other => panic!("{other:?}"),
    }
}

/// Checks that an edit takes the version of the record that was read, and that its batch checks it and raises it.
pub(crate) fn takes_version(read: RecordVersion, edit: impl Fn(Seen) -> Result<Change, RequestError>) {
    let stale = [read.version - 1, read.version + 1].map(Seen::Version);
    for seen in stale {
        assert_eq!(edit(seen).map(drop), Err(CHANGED), "{seen:?}");
    }
    for seen in [Seen::Missing, Seen::Unreadable] {
        let refused = edit(seen).map(drop);
        assert!(matches!(refused, Err(RequestError::Invalid(_))), "{seen:?}");
    }
    let change = edit(Seen::Version(read.version)).unwrap();
    assert!(change.guards.contains(&Guard::Version(read)));
    let mut writes = change.writes.iter();
    let next = |write: &Write| matches!(write, Write::Version(next) if *next == read.next());
    assert!(writes.any(next));
    assert_eq!(change.answer.body["version"], read.version + 1);
}

/// The plain values of each statement of a plan whose text has these words, in the order of its places.
pub(crate) fn written(writes: &[Write], words: &str) -> Vec<Vec<Param>> {
    let statements = writes.iter().filter_map(|write| match write {
        Write::Sql(statement) if statement.sql.contains(words) => Some(&statement.params),
        _ => None,
    });
    let plain = |param: &WriteParam| match param {
        WriteParam::Plain(plain) => plain.clone(),
        other => panic!("{other:?}"),
    };
    statements.map(|params| params.iter().map(plain).collect()).collect()
}

/// A claim under review, of whose appeal nothing is known.
pub(crate) fn work_claim() -> StoredWorkClaim {
    StoredWorkClaim {
        id: ClaimId(Uuid::from_u128(7)),
        claim_number: ClaimNumber("A-1".into()),
        version: 3,
        status: ClaimStatus::Reviewing,
        signing_status: SigningStatus::NotNeeded,
        taken_by: None,
        case_id: None,
        appeal: Appeal::default(),
    }
}

pub(crate) fn terms(ctx: &Ctx) -> Terms<'_> {
    Terms::new(ctx, Reach::Internet)
}

/// A declared body, read at the time of [`ctx`].
pub(crate) fn parse<B: Body>(body: impl AsRef<[u8]>) -> Result<B, RequestError> {
    parse_at(body, &ctx())
}

pub(crate) fn parse_at<B: Body>(body: impl AsRef<[u8]>, ctx: &Ctx) -> Result<B, RequestError> {
    B::parse(body.as_ref(), terms(ctx))
}

/// A query as a list reads it, or the texts of its problems.
pub(crate) fn parsed<Q: ListQuery>(query: &[(&'static str, &'static str)]) -> Result<Q, Vec<String>> {
    let cow = |text: &&'static str| Cow::Borrowed(*text);
    let query = query.iter().map(|(name, value)| (cow(name), cow(value)));
    Q::parse(query).map_err(|problems| problem::texts(&problems))
}

pub(crate) fn credential(now: Instant) -> Credential {
    Credential {
        practice_id: PracticeId(Uuid::from_u128(1)),
        api_key_id: ApiKeyId(Uuid::from_u128(2)),
        scopes: Scopes::of(&Scope::ALL),
        expires_at: now.plus(1),
        revoked: false,
        last_used_at: None,
        practice_state: PracticeState::Active,
        baa_signed: true,
        appeal_button: true,
        clock_ms: None,
    }
}

/// A signed-in person of practice 1 with account 10.
pub(crate) fn person(role: Role, action: Action) -> Person {
    Person {
        user_id: UserId(Uuid::from_u128(10)),
        practice_id: Some(PracticeId(Uuid::from_u128(1))),
        role,
        epoch: 4,
        via: Via::Session(SessionId(Uuid::from_u128(20))),
        action,
        enrolled: true,
        touch: false,
        sso: false,
        sandbox: false,
    }
}
