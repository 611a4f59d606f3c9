//! Changing an identity provider.

use super::body::{FOR_SAML, ProviderEditRequest};
use super::change::{NO_SAML, UNKNOWN, notice};
use crate::auth::person::Person;
use crate::base::ctx::Ctx;
use crate::base::id::SsoProviderId;
use crate::identity::saml::ProviderDescription;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change};
use crate::plan::notice::NoticeKind;
use crate::plan::sso::{ProviderEdit, ProviderKind, SamlSource};
use crate::plan::version::{EditedRecord, RecordVersion};
use crate::plan::{SsoWrite, Write};
use crate::request::error::RequestError;
use crate::request::field::Problems;
use crate::request::if_match::Seen;
use crate::request::problem::Rule;
use crate::settings::sso::{Installation, ProviderView, SettingsProvider, SsoSettings, fingerprints, metadata_refused};
use alloc::boxed::Box;
use serde_json::{Map, Value, json};

/// The metadata that must be read before the provider can be changed. `None` if it stays.
///
/// # Errors
///
/// [`RequestError::NotFound`] for a provider that the practice does not have, those of [`Seen::is`],
/// [`RequestError::Conflict`] if the installation serves no SAML provider, [`RequestError::Invalid`] for fields of a SAML
/// provider in a change of another one.
pub fn edit_to_describe<'a>(
    edit: &'a ProviderEditRequest,
    (id, seen): (SsoProviderId, Seen),
    stored: &SsoSettings,
    installation: &Installation,
) -> Result<Option<&'a str>, RequestError> {
    let provider = stored.provider(id).ok_or(UNKNOWN)?;
    seen.is(provider.version)?;
    if provider.kind == ProviderKind::Oidc {
        let mut p = Problems::default();
        if edit.metadata.is_some() {
            p.add("metadata", FOR_SAML);
        }
        if edit.idp_initiated == Some(true) {
            p.add("idp_initiated", FOR_SAML);
        }
        return p.settle(Some(None));
    }
    if edit.metadata.is_some() && !installation.saml {
        return Err(NO_SAML);
    }
    Ok(edit.metadata.as_deref())
}

/// Changes a provider. New metadata must be of the same entity: the identities of its people belong to it. The owners get
/// an email.
///
/// # Errors
///
/// The same as [`edit_to_describe`], and [`RequestError::Invalid`] for metadata of another entity.
pub fn edit(
    (id, seen, edit): (SsoProviderId, Seen, ProviderEditRequest),
    described: Option<ProviderDescription>,
    (stored, installation): (&SsoSettings, &Installation),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice_id = person.practice()?;
    edit_to_describe(&edit, (id, seen), stored, installation)?;
    let before = stored.provider(id).ok_or(UNKNOWN)?;
    let source = match (edit.metadata, described) {
        (None, _) => None,
        (Some(metadata), Some(description)) => {
            if before.entity_id.as_ref() != Some(&description.entity_id) {
                let rule = "must have the entity id of this provider: add another provider instead";
                return Err(RequestError::invalid("metadata", Rule::Form(rule)));
            }
            Some(SamlSource { metadata, description })
        }
        (Some(_), None) => return Err(metadata_refused("")),
    };
    let certificates = source.as_ref().map(|saml| &saml.description.certificates);
    let mut after = SettingsProvider {
        name: edit.name.clone().unwrap_or_else(|| before.name.clone()),
        certificates: certificates.or(before.certificates.as_ref()).cloned(),
        contexts: edit.contexts.clone().unwrap_or_else(|| before.contexts.clone()),
        idp_initiated: edit.idp_initiated.unwrap_or(before.idp_initiated),
        ..before.clone()
    };
    let answer = |of: &SettingsProvider| Answer::new(200, &ProviderView::of(of, installation));
    if source.is_none() && after == *before {
        return Ok(Change::nothing(answer(before)));
    }
    let read = RecordVersion { record: EditedRecord::Provider(practice_id, id), version: before.version };
    after.version = read.next().version;
    let audit = Entry::new(ctx, 0, Some(practice_id), Event::ProviderChanged, id);
    let audit = audit.detail(changed(before, &after, source.is_some()));
    let edit = ProviderEdit { name: edit.name, source, contexts: edit.contexts, idp_initiated: edit.idp_initiated };
    Ok(Change::new(audit, answer(&after))
        .write(Write::Sso(SsoWrite::ProviderEdited { practice: practice_id, provider: id, edit: Box::new(edit) }))
        .edits(read)
        .write(notice(practice_id, NoticeKind::ProviderChanged, person, ctx)))
}

/// The new values of what a change has changed.
fn changed(before: &SettingsProvider, after: &SettingsProvider, renewed: bool) -> Value {
    let mut changed = Map::new();
    if before.name != after.name {
        changed.insert("name".into(), json!(after.name));
    }
    if renewed {
        let certificates = after.certificates.as_deref().map(fingerprints);
        changed.insert("certificates".into(), json!(certificates));
    }
    if before.contexts != after.contexts {
        changed.insert("contexts".into(), json!(after.contexts));
    }
    if before.idp_initiated != after.idp_initiated {
        changed.insert("idp_initiated".into(), json!(after.idp_initiated));
    }
    Value::Object(changed)
}
