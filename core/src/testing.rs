//! Shared by the tests of several modules and of the service.
#![allow(
    clippy::panic,
    clippy::unwrap_used,
    clippy::indexing_slicing,
    clippy::arithmetic_side_effects,
    reason = "a test that meets the unexpected should panic"
)]

use crate::base::ctx::Ctx;
use crate::base::date::Date;
use crate::base::id::{ApiKeyId, ClaimId, PracticeId, SessionId, UserId};
use crate::base::instant::Instant;
use crate::base::money::Cents;
use crate::base::param::Param;
use crate::claims::appeal::Appeal;
use crate::claims::identity::IdentityKey;
use crate::claims::intake::StoredClaim;
use crate::claims::{Claim, ClaimNumber, ClaimStatus, Item, Patient, Present};
use crate::request::problem;
use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use overturn_service::auth::disclosure::PracticeState;
use overturn_service::auth::key::{Caller, Credential};
use overturn_service::auth::person::{Person, Via};
use overturn_service::auth::rights::Action;
use overturn_service::auth::role::Role;
use overturn_service::auth::scope::{Scope, Scopes};
use overturn_service::plan::change::Change;
use overturn_service::plan::signing::SigningStatus;
use overturn_service::plan::statement::WriteParam;
use overturn_service::plan::version::RecordVersion;
use overturn_service::plan::work::claim::StoredWorkClaim;
use overturn_service::plan::{Guard, Write};
use overturn_service::request::declare::{Body, Reach, Terms};
use overturn_service::request::error::RequestError;
use overturn_service::request::if_match::{CHANGED, Seen};
use overturn_service::request::query::ListQuery;
#[cfg(test)]
use proptest::test_runner::Config;
use uuid::Uuid;

/// The texts of a refusal's problems.
pub fn said(denied: RequestError) -> Vec<String> {
    match denied {
        RequestError::Invalid(problems) | RequestError::Stuck(_, problems) => problem::texts(&problems),
        other => panic!("{other:?}"),
    }
}

/// Checks that an edit takes the version of the record that was read, and that its batch checks it and raises it.
pub fn takes_version(read: RecordVersion, edit: impl Fn(Seen) -> Result<Change, RequestError>) {
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
pub fn written(writes: &[Write], words: &str) -> Vec<Vec<Param>> {
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

/// Noon of 2026-03-04 (UTC).
pub fn ctx() -> Ctx {
    Ctx::new(Instant(1_772_625_600_000), [1; 32])
}

/// A claim under review, of whose appeal nothing is known.
pub fn work_claim() -> StoredWorkClaim {
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

pub fn terms(ctx: &Ctx) -> Terms<'_> {
    Terms::new(ctx, Reach::Internet)
}

/// A declared body, read at the time of [`ctx`].
pub fn parse<B: Body>(body: impl AsRef<[u8]>) -> Result<B, RequestError> {
    parse_at(body, &ctx())
}

pub fn parse_at<B: Body>(body: impl AsRef<[u8]>, ctx: &Ctx) -> Result<B, RequestError> {
    B::parse(body.as_ref(), terms(ctx))
}

/// A query as a list reads it, or the texts of its problems.
pub fn parsed<Q: ListQuery>(query: &[(&'static str, &'static str)]) -> Result<Q, Vec<String>> {
    let cow = |text: &&'static str| Cow::Borrowed(*text);
    let query = query.iter().map(|(name, value)| (cow(name), cow(value)));
    Q::parse(query).map_err(|problems| problem::texts(&problems))
}

/// Property tests leave no files behind, and run fewer cases in a slow interpreter.
#[cfg(test)]
pub(crate) fn config() -> Config {
    let cases = if cfg!(target_arch = "wasm32") { 64 } else { 512 };
    Config { cases, failure_persistence: None, ..Config::default() }
}

pub fn credential(now: Instant) -> Credential {
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
    }
}

/// A signed-in person of practice 1 with account 10.
pub fn person(role: Role, action: Action) -> Person {
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
    }
}

pub fn caller() -> Caller {
    Caller {
        practice_id: PracticeId(Uuid::from_u128(1)),
        api_key_id: ApiKeyId(Uuid::from_u128(2)),
        scope: Scope::ClaimsWrite,
        appeal_button: true,
        touch: false,
    }
}

/// The stored row of an item that was created under this key with this id.
pub fn row(item: &Item<'_>, key: &IdentityKey, id: u128) -> StoredClaim {
    let tags = key.tags(caller().practice_id, item);
    StoredClaim {
        claim_number: item.claim.claim_number.to_string(),
        id: ClaimId(Uuid::from_u128(id)),
        status: ClaimStatus::Received,
        key_version: tags.key_version,
        patient_tag: tags.patient,
        procedure_tag: tags.procedure,
        date_of_service: item.claim.date_of_service,
        payer_claim_number: item.claim.payer_claim_number.to_string(),
        billed: item.claim.billed_amount,
        denied: item.claim.denied_amount,
        present: Present::of(item),
    }
}

pub fn item() -> Item<'static> {
    Item {
        patient: Patient {
            first_name: "Jane".into(),
            last_name: "Doe".into(),
            date_of_birth: Date::parse("1980-02-29").unwrap(),
            account_number: None,
            member_id: Some("W123".into()),
        },
        claim: Claim {
            claim_number: "A-1".into(),
            payer_claim_number: "P-1".into(),
            payer_name: "Acme Health".into(),
            date_of_service: Date::parse("2026-01-02").unwrap(),
            denial_date: None,
            plan_type: None,
            procedure_code: Some("99213-25".into()),
            billed_amount: Cents::new(12_345),
            denied_amount: None,
            denial_codes: ["CO-45".into()].to_vec(),
            denial_reason: None,
            diagnosis_codes: Vec::new(),
        },
    }
}
