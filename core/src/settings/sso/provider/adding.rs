//! Adding an identity provider.

use super::body::{ProviderRequest, RequestedSource};
use super::change::{NO_SAML, TRUSTED, notice};
use crate::auth::person::Person;
use crate::base::ctx::{Ctx, Purpose};
use crate::base::id::SsoProviderId;
use crate::base::time::Time;
use crate::identity::saml::ProviderDescription;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::notice::NoticeKind;
use crate::plan::sso::{NewProvider, ProviderKind, ProviderSource, SamlSource};
use crate::plan::{Guard, SsoGuard, SsoWrite, Write};
use crate::request::error::RequestError;
use crate::request::problem::Rule;
use crate::request::reason::Reason;
use crate::settings::sso::{
    Installation, PROVIDERS_MAX, ProviderView, SettingsProvider, SsoSettings, fingerprints, metadata_refused,
};
use alloc::boxed::Box;
use serde_json::json;

/// The metadata that must be read before the provider can be added. `None` for a provider of the installation.
///
/// # Errors
///
/// [`RequestError::Conflict`] if the installation serves no SAML provider or the practice has too many providers or this one,
/// [`RequestError::Invalid`] for a provider that the installation does not have.
pub fn to_describe<'a>(
    new: &'a ProviderRequest,
    stored: &SsoSettings,
    installation: &Installation,
) -> Result<Option<&'a str>, RequestError> {
    if stored.providers.len() >= PROVIDERS_MAX {
        return Err(RequestError::Conflict(Reason::LimitReached, "a practice has at most 10 identity providers"));
    }
    match &new.source {
        RequestedSource::Metadata(_) if !installation.saml => Err(NO_SAML),
        RequestedSource::Metadata(metadata) => Ok(Some(metadata)),
        RequestedSource::Configured(id) => {
            if installation.oidc(id).is_none() {
                let known = "the id of an available provider".into();
                return Err(RequestError::invalid("provider", Rule::MustBe(known)));
            }
            let known = |one: &SettingsProvider| one.configured.as_ref() == Some(id);
            if stored.providers.iter().any(known) {
                return Err(TRUSTED);
            }
            Ok(None)
        }
    }
}

/// Adds a provider. `described` says what its metadata says. The owners get an email.
///
/// # Errors
///
/// The same as [`to_describe`], and [`RequestError::NotAuthorized`] for a person without a practice.
pub fn create(
    new: ProviderRequest,
    described: Option<ProviderDescription>,
    (stored, installation): (&SsoSettings, &Installation),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice_id = person.practice()?;
    to_describe(&new, stored, installation)?;
    let (source, new_name) = match (new.source, described) {
        (RequestedSource::Metadata(metadata), Some(description)) => {
            let source = SamlSource { metadata, description };
            (ProviderSource::Saml(source), None)
        }
        (RequestedSource::Configured(id), None) => {
            let name = installation.oidc(&id).map(|known| known.name.clone());
            (ProviderSource::Oidc(id), name)
        }
        _ => return Err(metadata_refused("")),
    };
    let view = SettingsProvider {
        id: SsoProviderId(ctx.id(Purpose::Record, 0)),
        version: 1,
        kind: match &source {
            ProviderSource::Saml(_) => ProviderKind::Saml,
            ProviderSource::Oidc(_) => ProviderKind::Oidc,
        },
        name: new.name.or(new_name).unwrap_or_default(),
        configured: match &source {
            ProviderSource::Saml(_) => None,
            ProviderSource::Oidc(id) => Some(id.clone()),
        },
        entity_id: match &source {
            ProviderSource::Saml(saml) => Some(saml.description.entity_id.clone()),
            ProviderSource::Oidc(_) => None,
        },
        certificates: match &source {
            ProviderSource::Saml(saml) => Some(saml.description.certificates.clone()),
            ProviderSource::Oidc(_) => None,
        },
        contexts: new.contexts,
        idp_initiated: new.idp_initiated,
        created_at: Time(ctx.now),
    };
    if view.entity_id.is_some() && stored.providers.iter().any(|known| known.entity_id == view.entity_id) {
        return Err(TRUSTED);
    }
    let detail = json!({
        "kind": view.kind, "name": view.name, "provider": view.configured, "entity_id": view.entity_id,
        "certificates": view.certificates.as_deref().map(fingerprints), "contexts": view.contexts,
        "idp_initiated": view.idp_initiated,
    });
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::ProviderAdded, view.id);
    let fresh = match &source {
        ProviderSource::Saml(saml) => {
            SsoGuard::EntityFree { practice: practice_id, entity_id: saml.description.entity_id.clone() }
        }
        ProviderSource::Oidc(id) => SsoGuard::NotConfigured { practice: practice_id, configured: id.clone() },
    };
    let answer = Answer::new(201, &ProviderView::of(&view, installation));
    let provider = NewProvider {
        practice_id,
        id: view.id,
        name: view.name,
        source,
        contexts: view.contexts,
        idp_initiated: view.idp_initiated,
    };
    Ok(Change::new(audit.detail(detail), answer)
        .guard(Guard::Sso(SsoGuard::ProvidersBelow { practice: practice_id, bound: PROVIDERS_MAX }))
        .guard(Guard::Sso(fresh))
        .write(Write::Sso(SsoWrite::NewProvider(Box::new(provider))))
        .write(notice(practice_id, NoticeKind::ProviderAdded, person, ctx)))
}
