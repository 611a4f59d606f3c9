//! What must hold when a batch runs, as statements that abort it where it does not.

use crate::accounts::sql;
use crate::claims::mismatches;
use crate::keyring::practice::DataKey;
use crate::records::trail;
use crate::settings::data_jobs::guards as jobs;
use crate::signing::sql as signing;
use crate::webhooks::guards as webhooks;
use crate::work::{pace, writes as work};
use crate::{Param, Statement, optional, text};
use overturn_core::auth::key::Caller;
use overturn_core::auth::person::{Person, Via};
use overturn_core::plan::audit::Entry;
use overturn_core::plan::signing::link::TRIES_MAX;
use overturn_core::plan::{Guard, Plan};

/// Stops a batch that was carried out before, as the row of the audit trail that it wrote tells. It stands before all guards:
/// what no longer holds may be what the batch itself has changed. And it keeps a run that comes late from undoing what
/// others have changed since.
pub(crate) fn done(evidence: &Entry) -> Statement {
    Statement::new(sql::GUARD_DONE, [trail(evidence), text(evidence.id)])
}

/// A guard of a plan.
pub(crate) fn guard(guard: &Guard, plan: &Plan<'_>) -> Statement {
    let at = Param::Int(plan.at.0);
    let (sql, params) = match guard {
        Guard::Key(caller) => return key(caller, plan),
        Guard::Mismatches(found) => return mismatches::guard(found),
        Guard::MismatchesUntold(practice, day, bound) => {
            return mismatches::guard_untold(*practice, *day, *bound);
        }
        Guard::Person(held) => person(held, at),
        Guard::Readable(practice) => (crate::accounts::sql::GUARD_READABLE, vec![text(practice)]),
        Guard::Account(user, epoch) => (sql::GUARD_ACCOUNT, vec![text(user), Param::Int(*epoch)]),
        Guard::PasswordOpen(user) => (sql::GUARD_PASSWORD_OPEN, vec![text(user)]),
        Guard::Member(practice, user, epoch) => (
            sql::GUARD_MEMBER,
            vec![optional(*practice), text(user), Param::Int(*epoch)],
        ),
        Guard::Continuation(hash) => (sql::GUARD_CONTINUATION, vec![text(hash), at]),
        Guard::Link(hash) => (sql::GUARD_LINK, vec![text(hash), at]),
        Guard::Step(user, factor, step) => (
            sql::GUARD_STEP,
            vec![text(user), text(factor), Param::Int(*step)],
        ),
        Guard::RecoveryCode(user, hash) => (sql::GUARD_RECOVERY_CODE, vec![text(user), text(hash)]),
        Guard::AnotherOwner(practice, user) => {
            (sql::GUARD_ANOTHER_OWNER, vec![text(practice), text(user)])
        }
        Guard::Unsigned(practice, version, id) => (
            sql::GUARD_UNSIGNED,
            vec![text(practice), text(version), text(id)],
        ),
        Guard::ApiToken(practice, id) => (sql::GUARD_API_TOKEN, vec![text(practice), text(id), at]),
        Guard::Claims(practice, versions) => return work::guard(*practice, versions),
        Guard::Case(practice, case, version) => (
            crate::work::sql::cases::GUARD,
            vec![text(practice), text(case), Param::Int(*version)],
        ),
        Guard::AgreementInForce(practice, id) => return jobs::in_force(*practice, *id),
        Guard::NoAgreement(practice) => return jobs::no_agreement(*practice),
        Guard::NoDataJob(practice, kind, id) => return jobs::no_job(*practice, *kind, *id),
        Guard::NoDestructionOpen(practice) => return jobs::no_destruction(*practice, true),
        Guard::NoDestruction(practice) => return jobs::no_destruction(*practice, false),
        Guard::NothingLeft(practice) => return jobs::nothing_left(*practice),
        Guard::DataJob(practice, id, version) => return jobs::job(*practice, *id, *version),
        Guard::Patients(pace, practice, claim) => {
            return pace::guard(*pace, *practice, *claim, plan.at);
        }
        Guard::NotAlerted(user, session) => return pace::not_alerted(*user, *session),
        Guard::Session(user, id) => (sql::GUARD_OWN_SESSION, vec![text(user), text(id), at]),
        Guard::WebhooksBelow(practice, most) => return webhooks::fewer_than(*practice, *most),
        Guard::Webhook {
            practice_id,
            id,
            url,
            events,
            state,
            old_until,
        } => return webhooks::as_read((*practice_id, *id), (url, events), *state, *old_until),
        Guard::WebhookActive(practice, id) => return webhooks::active(*practice, *id),
        Guard::SigningLink(practice, claim, id) => (
            signing::GUARD_LINK,
            vec![
                text(practice),
                text(claim),
                text(id),
                at,
                Param::Int(TRIES_MAX),
            ],
        ),
    };
    Statement::new(sql, params)
}

fn key(caller: &Caller, plan: &Plan<'_>) -> Statement {
    Statement::new(crate::claims::sql::GUARD_CREDENTIAL, of_key(caller, plan))
}

/// That an API key still allows the call, and that a key is the data key of its practice.
pub(super) fn key_and_data_key(caller: &Caller, data: &DataKey, plan: &Plan<'_>) -> Statement {
    let data_key = [Param::Int(data.number().into()), text(data.id())];
    let params = of_key(caller, plan).into_iter().chain(data_key);
    Statement {
        sql: crate::claims::sql::GUARD_CREDENTIAL_AND_DATA_KEY,
        params: params.collect(),
    }
}

fn of_key(caller: &Caller, plan: &Plan<'_>) -> [Param; 4] {
    [
        text(caller.practice_id),
        text(caller.api_key_id),
        Param::Int(plan.at.0),
        text(caller.scope),
    ]
}

fn person(held: &Person, at: Param) -> (&'static str, Vec<Param>) {
    let practice = held.practice_id.filter(|_| !held.action.right().own);
    let (sql, id) = match held.via {
        Via::Session(id) => (sql::GUARD_SESSION, text(id)),
        Via::Token(id) => (sql::GUARD_TOKEN, text(id)),
    };
    let practice = optional(practice);
    let params = vec![text(held.user_id), Param::Int(held.epoch), id, at, practice];
    (sql, params)
}
