//! What must hold when a batch runs, as statements that abort it where it does not.

use crate::accounts::sql;
use crate::claims::mismatches;
use crate::records::trail;
use crate::settings::data_jobs::guards as jobs;
use crate::signing::sql as signing;
use crate::webhooks::guards as webhooks;
use crate::work::{pace, writes as work};
use crate::{Param, Statement, optional, text};
use overturn_core::auth::key::Caller;
use overturn_core::auth::person::{Person, Via};
use overturn_core::plan::AccountsGuard;
use overturn_core::plan::ClaimsGuard;
use overturn_core::plan::SettingsGuard;
use overturn_core::plan::SigningGuard;
use overturn_core::plan::WebhooksGuard;
use overturn_core::plan::WorkGuard;
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
        Guard::Claims(ClaimsGuard::Mismatches(found)) => return mismatches::guard(found),
        Guard::Claims(ClaimsGuard::OwnersNotAlerted {
            practice,
            day,
            bound,
        }) => {
            return mismatches::guard_untold(*practice, *day, *bound);
        }
        Guard::Person(held) => person(held, at),
        Guard::Readable(practice) => (crate::accounts::sql::GUARD_READABLE, vec![text(practice)]),
        Guard::Accounts(AccountsGuard::InUse { user, epoch }) => {
            (sql::GUARD_ACCOUNT, vec![text(user), Param::Int(*epoch)])
        }
        Guard::Accounts(AccountsGuard::PasswordOpen(user)) => {
            (sql::GUARD_PASSWORD_OPEN, vec![text(user)])
        }
        Guard::Accounts(AccountsGuard::Unchanged {
            practice,
            user,
            epoch,
        }) => (
            sql::GUARD_MEMBER,
            vec![optional(*practice), text(user), Param::Int(*epoch)],
        ),
        Guard::Accounts(AccountsGuard::Continuation(hash)) => {
            (sql::GUARD_CONTINUATION, vec![text(hash), at])
        }
        Guard::Accounts(AccountsGuard::Link(hash)) => (sql::GUARD_LINK, vec![text(hash), at]),
        Guard::Accounts(AccountsGuard::Step { user, factor, step }) => (
            sql::GUARD_STEP,
            vec![text(user), text(factor), Param::Int(*step)],
        ),
        Guard::Accounts(AccountsGuard::RecoveryCode { user, hash }) => {
            (sql::GUARD_RECOVERY_CODE, vec![text(user), text(hash)])
        }
        Guard::Accounts(AccountsGuard::AnotherOwner { practice, user }) => {
            (sql::GUARD_ANOTHER_OWNER, vec![text(practice), text(user)])
        }
        Guard::Settings(SettingsGuard::Unsigned {
            practice,
            version,
            agreement: id,
        }) => (
            sql::GUARD_UNSIGNED,
            vec![text(practice), text(version), text(id)],
        ),
        Guard::Settings(SettingsGuard::ApiToken {
            practice,
            token: id,
        }) => (sql::GUARD_API_TOKEN, vec![text(practice), text(id), at]),
        Guard::Work(WorkGuard::Claims { practice, versions }) => {
            return work::guard(*practice, versions);
        }
        Guard::Work(WorkGuard::Case {
            practice,
            case,
            version,
        }) => (
            crate::work::sql::cases::GUARD,
            vec![text(practice), text(case), Param::Int(*version)],
        ),
        Guard::Settings(SettingsGuard::AgreementInForce {
            practice,
            agreement: id,
        }) => return jobs::in_force(*practice, *id),
        Guard::Settings(SettingsGuard::NoAgreement(practice)) => {
            return jobs::no_agreement(*practice);
        }
        Guard::Settings(SettingsGuard::NoDataJob {
            practice,
            kind,
            job: id,
        }) => return jobs::no_job(*practice, *kind, *id),
        Guard::Settings(SettingsGuard::NoDestructionOpen(practice)) => {
            return jobs::no_destruction(*practice, true);
        }
        Guard::Settings(SettingsGuard::NoDestruction(practice)) => {
            return jobs::no_destruction(*practice, false);
        }
        Guard::Settings(SettingsGuard::NothingLeft(practice)) => {
            return jobs::nothing_left(*practice);
        }
        Guard::Settings(SettingsGuard::DataJob {
            practice,
            job: id,
            version,
        }) => return jobs::job(*practice, *id, *version),
        Guard::Work(WorkGuard::Patients {
            pace,
            practice,
            claim,
        }) => {
            return pace::guard(*pace, *practice, *claim, plan.at);
        }
        Guard::Work(WorkGuard::NotAlerted { user, session }) => {
            return pace::not_alerted(*user, *session);
        }
        Guard::Accounts(AccountsGuard::Session { user, session: id }) => {
            (sql::GUARD_OWN_SESSION, vec![text(user), text(id), at])
        }
        Guard::Webhooks(WebhooksGuard::FewerThan { practice, most }) => {
            return webhooks::fewer_than(*practice, *most);
        }
        Guard::Webhooks(WebhooksGuard::AsRead {
            practice_id,
            id,
            url,
            events,
            state,
            old_until,
        }) => return webhooks::as_read((*practice_id, *id), (url, events), *state, *old_until),
        Guard::Webhooks(WebhooksGuard::Active {
            practice,
            webhook: id,
        }) => return webhooks::active(*practice, *id),
        Guard::Signing(SigningGuard::LinkUsable {
            practice,
            claim,
            link: id,
        }) => (
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
    Statement::new(
        crate::claims::sql::GUARD_CREDENTIAL,
        [
            text(caller.practice_id),
            text(caller.api_key_id),
            Param::Int(plan.at.0),
            text(caller.scope),
        ],
    )
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
