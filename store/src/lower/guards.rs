//! Preconditions, as statements that abort the batch if one does not hold.

use crate::accounts::sql;
use crate::claims::mismatches;
use crate::keyring::practice::DataKey;
use crate::records::trail;
use crate::settings::data_jobs::guards as jobs;
use crate::signing::sql as signing;
use crate::statement::{Param, Statement, optional, text};
use crate::webhooks::guards as webhooks;
use crate::work::{pace, writes as work};
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

/// Stops a batch that ran before, which its audit row shows. It comes before all guards, because the batch itself may
/// have changed what they check. It also keeps a late second run from undoing later changes by others.
pub(crate) fn done(evidence: &Entry) -> Statement {
    Statement::new(sql::GUARD_DONE, [trail(evidence), text(evidence.id)])
}

/// A guard of a plan.
pub(crate) fn guard(guard: &Guard, plan: &Plan<'_>) -> Statement {
    match guard {
        Guard::Key(caller) => key(caller, plan),
        Guard::Person(held) => person(held, plan),
        Guard::Readable(practice) => Statement::new(sql::GUARD_READABLE, [text(practice)]),
        Guard::Claims(of) => of_claims(of),
        Guard::Settings(of) => of_settings(of, plan),
        Guard::Accounts(of) => of_accounts(of, plan),
        Guard::Signing(of) => of_signing(of, plan),
        Guard::Work(of) => of_work(of, plan),
        Guard::Webhooks(of) => of_webhooks(of),
    }
}

fn of_claims(guard: &ClaimsGuard) -> Statement {
    match guard {
        ClaimsGuard::Mismatches(found) => mismatches::guard(found),
        ClaimsGuard::OwnersNotAlerted {
            practice,
            day,
            bound,
        } => mismatches::guard_untold(*practice, *day, *bound),
    }
}

fn of_settings(guard: &SettingsGuard, plan: &Plan<'_>) -> Statement {
    let at = Param::Int(plan.at.0);
    match guard {
        SettingsGuard::Unsigned {
            practice,
            version,
            agreement: id,
        } => Statement::new(
            sql::GUARD_UNSIGNED,
            vec![text(practice), text(version), text(id)],
        ),
        SettingsGuard::ApiToken {
            practice,
            token: id,
        } => Statement::new(sql::GUARD_API_TOKEN, vec![text(practice), text(id), at]),
        SettingsGuard::AgreementInForce {
            practice,
            agreement: id,
        } => jobs::in_force(*practice, *id),
        SettingsGuard::NoAgreement(practice) => jobs::no_agreement(*practice),
        SettingsGuard::NoDataJob {
            practice,
            kind,
            job: id,
        } => jobs::no_job(*practice, *kind, *id),
        SettingsGuard::NoDestructionOpen(practice) => jobs::no_destruction(*practice, true),
        SettingsGuard::NoDestruction(practice) => jobs::no_destruction(*practice, false),
        SettingsGuard::NothingLeft(practice) => jobs::nothing_left(*practice),
        SettingsGuard::DataJob {
            practice,
            job: id,
            version,
        } => jobs::job(*practice, *id, *version),
    }
}

fn of_accounts(guard: &AccountsGuard, plan: &Plan<'_>) -> Statement {
    let at = Param::Int(plan.at.0);
    match guard {
        AccountsGuard::InUse { user, epoch } => {
            Statement::new(sql::GUARD_ACCOUNT, vec![text(user), Param::Int(*epoch)])
        }
        AccountsGuard::PasswordOpen(user) => {
            Statement::new(sql::GUARD_PASSWORD_OPEN, vec![text(user)])
        }
        AccountsGuard::Unchanged {
            practice,
            user,
            epoch,
        } => Statement::new(
            sql::GUARD_MEMBER,
            vec![optional(*practice), text(user), Param::Int(*epoch)],
        ),
        AccountsGuard::Continuation(hash) => {
            Statement::new(sql::GUARD_CONTINUATION, vec![text(hash), at])
        }
        AccountsGuard::Link(hash) => Statement::new(sql::GUARD_LINK, vec![text(hash), at]),
        AccountsGuard::Step { user, factor, step } => Statement::new(
            sql::GUARD_STEP,
            vec![text(user), text(factor), Param::Int(*step)],
        ),
        AccountsGuard::RecoveryCode { user, hash } => {
            Statement::new(sql::GUARD_RECOVERY_CODE, vec![text(user), text(hash)])
        }
        AccountsGuard::AnotherOwner { practice, user } => {
            Statement::new(sql::GUARD_ANOTHER_OWNER, vec![text(practice), text(user)])
        }
        AccountsGuard::Session { user, session: id } => {
            Statement::new(sql::GUARD_OWN_SESSION, vec![text(user), text(id), at])
        }
    }
}

fn of_signing(guard: &SigningGuard, plan: &Plan<'_>) -> Statement {
    let at = Param::Int(plan.at.0);
    match guard {
        SigningGuard::LinkUsable {
            practice,
            claim,
            link: id,
        } => Statement::new(
            signing::GUARD_LINK,
            vec![
                text(practice),
                text(claim),
                text(id),
                at,
                Param::Int(TRIES_MAX),
            ],
        ),
    }
}

fn of_work(guard: &WorkGuard, plan: &Plan<'_>) -> Statement {
    match guard {
        WorkGuard::Claims { practice, versions } => work::guard(*practice, versions),
        WorkGuard::Case {
            practice,
            case,
            version,
        } => Statement::new(
            crate::work::sql::cases::GUARD,
            vec![text(practice), text(case), Param::Int(*version)],
        ),
        WorkGuard::Patients {
            pace,
            practice,
            claim,
        } => pace::guard(*pace, *practice, *claim, plan.at),
        WorkGuard::NotAlerted { user, session } => pace::not_alerted(*user, *session),
    }
}

fn of_webhooks(guard: &WebhooksGuard) -> Statement {
    match guard {
        WebhooksGuard::FewerThan { practice, most } => webhooks::fewer_than(*practice, *most),
        WebhooksGuard::AsRead {
            practice_id,
            id,
            url,
            events,
            state,
            old_until,
        } => webhooks::as_read((*practice_id, *id), (url, events), *state, *old_until),
        WebhooksGuard::Active {
            practice,
            webhook: id,
        } => webhooks::active(*practice, *id),
    }
}

fn key(caller: &Caller, plan: &Plan<'_>) -> Statement {
    Statement::new(crate::claims::sql::GUARD_CREDENTIAL, of_key(caller, plan))
}

/// Checks that an API key still allows the call, and that a data key is its practice's.
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

fn person(held: &Person, plan: &Plan<'_>) -> Statement {
    let practice = held.practice_id.filter(|_| !held.action.right().own);
    let (sql, id) = match held.via {
        Via::Session(id) => (sql::GUARD_SESSION, text(id)),
        Via::Token(id) => (sql::GUARD_TOKEN, text(id)),
    };
    let at = Param::Int(plan.at.0);
    let (user, epoch) = (text(held.user_id), Param::Int(held.epoch));
    Statement::new(sql, [user, epoch, id, at, optional(practice)])
}
