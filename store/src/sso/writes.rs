//! Turns changes of sign-ins by external providers into statements.

use super::sql;
use crate::json::json;
use crate::statement::{Param, Statement, instant, optional, text};
use overturn_core::base::id::{PracticeId, SsoProviderId};
use overturn_core::plan::sso::{NewProvider, ProviderEdit, ProviderKind, ProviderSource, SamlSource};
use overturn_core::plan::{Plan, SsoWrite};

/// The statements of a change of sign-ins by external providers.
pub(crate) fn lower(write: &SsoWrite, plan: &Plan<'_>) -> Vec<Statement> {
    let now = Param::Int(plan.at.0);
    match write {
        SsoWrite::NewProvider(new) => vec![provider(new, now)],
        SsoWrite::ProviderEdited { practice, provider, edit } => edited((*practice, *provider), edit),
        SsoWrite::ProviderRemoved { practice, provider } => [
            Statement::new(sql::DELETE_PROVIDER, [text(practice), text(provider)]),
            Statement::new(sql::DELETE_IDENTITIES_OF_PROVIDER, [text(practice), text(provider)]),
        ]
        .into_iter()
        .chain(trust_ended(*practice))
        .collect(),
        SsoWrite::ExpiryWarned { practice, provider, next } => {
            vec![Statement::new(sql::WARNED, [text(practice), text(provider), instant(*next)])]
        }
        SsoWrite::Required { practice, required } => {
            vec![Statement::new(sql::REQUIRE, [text(practice), Param::Int((*required).into())])]
        }
        SsoWrite::NewDomain(new) => vec![Statement::new(
            sql::INSERT_DOMAIN,
            [text(new.practice_id), text(new.id), text(&new.domain), text(&new.token), now],
        )],
        SsoWrite::DomainVerified { practice, domain } => {
            vec![Statement::new(sql::VERIFY_DOMAIN, [text(practice), text(domain), now])]
        }
        SsoWrite::DomainRemoved { practice, domain } => {
            vec![Statement::new(sql::DELETE_DOMAIN, [text(practice), text(domain)])]
        }
        SsoWrite::NewIdentity(new) => vec![
            Statement::new(sql::FREE_IDENTITY, [text(&new.provider), text(&new.issuer), text(&new.subject)]),
            Statement::new(
                sql::INSERT_IDENTITY,
                [
                    text(new.user_id),
                    text(new.id),
                    text(&new.provider),
                    text(&new.issuer),
                    text(&new.subject),
                    text(&new.email),
                    now,
                ],
            ),
        ],
        SsoWrite::IdentityUsed { user, identity } => {
            vec![Statement::new(sql::USE_IDENTITY, [text(user), text(identity), now])]
        }
        SsoWrite::IdentityRemoved { user, identity } => {
            vec![Statement::new(sql::DELETE_IDENTITY, [text(user), text(identity)])]
        }
    }
}

fn provider(new: &NewProvider, now: Param) -> Statement {
    let kind = match &new.source {
        ProviderSource::Saml(_) => ProviderKind::Saml,
        ProviderSource::Oidc(_) => ProviderKind::Oidc,
    };
    let configured = match &new.source {
        ProviderSource::Saml(_) => None,
        ProviderSource::Oidc(configured) => Some(configured),
    };
    let saml = match &new.source {
        ProviderSource::Saml(saml) => metadata(saml),
        ProviderSource::Oidc(_) => [const { Param::Null }; 4],
    };
    let mut params =
        vec![text(new.practice_id), text(new.id), text(kind.name()), text(&new.name), optional(configured)];
    params.extend(saml);
    params.extend([
        Param::Text(json(&new.contexts)),
        Param::Int(new.idp_initiated.into()),
        now,
        match &new.source {
            ProviderSource::Saml(saml) => instant(saml.first_warning()),
            ProviderSource::Oidc(_) => Param::Null,
        },
    ]);
    Statement::new(sql::INSERT_PROVIDER, params)
}

fn edited((practice, provider): (PracticeId, SsoProviderId), edit: &ProviderEdit) -> Vec<Statement> {
    let contexts = edit.contexts.as_ref();
    let mut statements = vec![Statement::new(
        sql::EDIT_PROVIDER,
        [
            text(practice),
            text(provider),
            optional(edit.name.as_ref()),
            contexts.map_or(Param::Null, |contexts| Param::Text(json(contexts))),
            edit.idp_initiated.map_or(Param::Null, |on| Param::Int(on.into())),
        ],
    )];
    if let Some(source) = &edit.source {
        let mut params = vec![text(practice), text(provider)];
        params.extend(metadata(source));
        params.push(instant(source.first_warning()));
        statements.push(Statement::new(sql::RENEW_METADATA, params));
        // The earlier keys may be the reason for the new ones.
        statements.extend(trust_ended(practice));
    }
    statements
}

/// No session or waiting sign-in counts any more as one of a provider that the practice trusts.
fn trust_ended(practice: PracticeId) -> [Statement; 2] {
    [sql::END_TRUST, sql::END_TRUST_OF_CONTINUATIONS].map(|sql| Statement::new(sql, [text(practice)]))
}

/// The entity id, the metadata, its certificates, and when they end.
fn metadata(saml: &SamlSource) -> [Param; 4] {
    [
        text(&saml.description.entity_id),
        text(&saml.metadata),
        Param::Text(json(&saml.description.certificates)),
        instant(saml.certificates_end()),
    ]
}
