//! `/api/v1/settings/sso/providers`: the identity providers that a practice trusts.

use super::ending::{end, first_warning};
use super::metadata;
use super::overview::{
    Installation, PROVIDERS_MAX, ProviderKind, ProviderView, SettingsProvider, SsoSettings, settings,
};
use super::provider_bodies::{FOR_SAML, ProviderEditRequest, ProviderRequest, RequestedSource};
use super::trust::{self, LAST, lets_in_without};
use crate::plan::notice::{Notice, NoticeKind};
use crate::prelude::*;
use overturn_core::base::id::SsoProviderId;
use overturn_core::identity::saml::{ProviderDescription, SigningCertificate};
use overturn_core::request::field::Problems;
use overturn_core::request::problem::Rule;
use serde_json::{Map, Value};

const UNKNOWN: RequestError = RequestError::NotFound("no such identity provider");
const NO_SAML: RequestError =
    RequestError::Conflict(Reason::SamlNotServed, "this installation of Overturn does not serve SAML providers");
const TRUSTED: RequestError =
    RequestError::Conflict(Reason::AlreadyExists, "the practice has this identity provider already");

impl SsoSettings {
    fn provider(&self, id: SsoProviderId) -> Result<&SettingsProvider, RequestError> {
        self.providers.iter().find(|provider| provider.id == id).ok_or(UNKNOWN)
    }
}

/// `addSsoProvider`: Add an identity provider.
///
/// Owners and admins only, and sensitive. Send `name` and `metadata` for a SAML 2.0 provider of your practice, or
/// `provider` for an OpenID Connect provider of this installation (`available`). A practice has at most 10
/// providers, each once.
///
/// Give the administrator of a SAML provider `metadata_url`, which is also our entity id, and `acs_url`. Give your
/// people `sign_in_url`.
///
/// Every owner gets an email that says who added it.
///
/// `422` for `metadata` says what is wrong with it. `409` if this installation does not serve SAML providers. `503`
/// if the metadata could not be read now; try again.
pub(crate) async fn add_provider(request: WriteRequest<ProviderRequest>) -> Result<Gives<ProviderView, 201>, AppError> {
    let installation = Installation::of(&request.call);
    let load = settings(request.credential());
    let decide = request.change_asking(
        load,
        async |stored, new| metadata::described(&request.call, to_read(&new, &stored, &installation)?).await,
        |person, (stored, described), new| added(new, described, (&stored, &installation), person, request.ctx()),
    );
    decide.await
}

/// `editSsoProvider`: Change an identity provider.
///
/// Owners and admins only, and sensitive. A field that you leave out stays as it is. Send new `metadata` before the
/// last certificate ends. It may have the old and the new certificate. It must have the same entity id, because the
/// people's identities belong to it. Sessions that began at the provider then no longer count as single sign-on, and
/// those of people without a second factor here end. Owners and admins get an email 30 days and 7 days before the last
/// certificate ends. Every owner gets an email that says who made the change.
pub(crate) async fn edit_provider(
    PathId(id): PathId<SsoProviderId>,
    IfMatch(seen): IfMatch,
    request: WriteRequest<ProviderEditRequest>,
) -> Result<Gives<ProviderView>, AppError> {
    let installation = Installation::of(&request.call);
    let load = settings(request.credential());
    let decide = request.change_asking(
        load,
        async |stored, edit| {
            metadata::described(&request.call, edit_to_read(&edit, (id, seen), &stored, &installation)?).await
        },
        |person, (stored, described), edit| {
            edited((id, seen, edit), described, (&stored, &installation), person, request.ctx())
        },
    );
    decide.await
}

/// `removeSsoProvider`: Remove an identity provider.
///
/// Owners and admins only, and sensitive. Nobody can sign in with a SAML provider anymore. Its identities go with it:
/// if you add it again, your people connect their accounts again. An OpenID Connect provider replaces only the password
/// from then on, of people who have a second factor here. Sessions that began at the provider and rest on its word alone
/// end. `409` for the last provider that works while single sign-on is required. Every owner gets an email that says who
/// removed it.
pub(crate) async fn remove_provider(
    PathId(id): PathId<SsoProviderId>,
    request: WriteRequest,
) -> Result<Gives<(), 204>, AppError> {
    let installation = Installation::of(&request.call);
    let load = settings(request.credential());
    let decide = request.change(load, |person, stored, _| removed(id, (&stored, &installation), person, request.ctx()));
    decide.await
}

/// The metadata that must be read before the provider can be added. `None` for a provider of the installation.
pub(super) fn to_read<'a>(
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
            if stored.providers.iter().any(|known| known.configured.as_ref() == Some(id)) {
                return Err(TRUSTED);
            }
            Ok(None)
        }
    }
}

/// Adds a provider. `described` says what its metadata says. The owners get an email.
pub(super) fn added(
    new: ProviderRequest,
    described: Option<ProviderDescription>,
    (stored, installation): (&SsoSettings, &Installation),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice = person.practice()?;
    to_read(&new, stored, installation)?;
    let (kind, configured, metadata) = match (new.source, &described) {
        (RequestedSource::Metadata(metadata), Some(_)) => (ProviderKind::Saml, None, Some(metadata)),
        (RequestedSource::Configured(id), None) => (ProviderKind::Oidc, Some(id), None),
        _ => return Err(metadata::refused("")),
    };
    let ends = described.as_ref().and_then(end);
    let (entity_id, certificates) = described.map(|of| (of.entity_id, of.certificates)).unzip();
    let own_name = configured.as_deref().and_then(|id| installation.oidc(id)).map(|known| known.name.clone());
    let view = SettingsProvider {
        id: SsoProviderId(ctx.id(Purpose::Record, 0)),
        version: 1,
        kind,
        name: new.name.or(own_name).unwrap_or_default(),
        configured,
        entity_id,
        certificates,
        contexts: new.contexts,
        idp_initiated: new.idp_initiated,
        created_at: Time(ctx.now),
    };
    if view.entity_id.is_some() && stored.providers.iter().any(|known| known.entity_id == view.entity_id) {
        return Err(TRUSTED);
    }
    let audit = Entry::new(ctx, 0, Some(practice), Event::ProviderAdded, view.id).detail(json!({
        "kind": view.kind, "name": view.name, "provider": view.configured, "entity_id": view.entity_id,
        "certificates": view.certificates.as_deref().map(fingerprints), "contexts": view.contexts,
        "idp_initiated": view.idp_initiated,
    }));
    let is_new = match &view.configured {
        None => abort_if!(
            Record,
            "EXISTS (SELECT 1 FROM sso_providers WHERE practice_id = {practice} AND entity_id = {entity_id})";
            practice, entity_id = view.entity_id.as_deref()
        ),
        Some(configured) => abort_if!(
            Record,
            "EXISTS (SELECT 1 FROM sso_providers WHERE practice_id = {practice} AND configured = {configured})";
            practice, configured
        ),
    };
    Ok(Change::new(audit, Answer::new(201, &ProviderView::of(&view, installation)))
        .guard(abort_if!(
            Record,
            "(SELECT count(*) FROM sso_providers WHERE practice_id = {practice}) >= CAST({most} AS INTEGER)";
            practice, most = PROVIDERS_MAX
        ))
        .guard(is_new)
        .write(sql!(
            "INSERT INTO sso_providers (practice_id, id, kind, name, configured, entity_id, metadata, certificates,
               certificates_end, contexts, idp_initiated, created_at, warn_at)
             VALUES ({practice}, {id}, {kind}, {name}, {configured}, {entity_id}, {metadata}, {certificates}, {ends},
               {contexts}, {idp_initiated}, {created_at}, {warn_at})
             ON CONFLICT (practice_id, id) DO NOTHING";
            practice, id = view.id, kind = view.kind, name = view.name, configured = view.configured,
            entity_id = view.entity_id, metadata, certificates = view.certificates.map(Json), ends,
            contexts = Json(view.contexts), idp_initiated = i64::from(view.idp_initiated),
            created_at = view.created_at, warn_at = ends.map(first_warning)
        ))
        .write(notice(practice, NoticeKind::ProviderAdded, person, ctx)))
}

/// The metadata that must be read before the provider can be changed. `None` if it stays.
pub(super) fn edit_to_read<'a>(
    edit: &'a ProviderEditRequest,
    (id, seen): (SsoProviderId, Seen),
    stored: &SsoSettings,
    installation: &Installation,
) -> Result<Option<&'a str>, RequestError> {
    let provider = stored.provider(id)?;
    seen.is(provider.version)?;
    if provider.kind == ProviderKind::Oidc {
        let mut p = Problems::default();
        if edit.metadata.is_some() {
            p.add("metadata", FOR_SAML);
        }
        if edit.idp_initiated == Some(true) {
            p.add("idp_initiated", FOR_SAML);
        }
        return p.settle(Some(None)).map_err(RequestError::Invalid);
    }
    if edit.metadata.is_some() && !installation.saml {
        return Err(NO_SAML);
    }
    Ok(edit.metadata.as_deref())
}

/// Changes a provider. New metadata must be of the same entity: the identities of its people belong to it. The owners get
/// an email.
pub(super) fn edited(
    (id, seen, edit): (SsoProviderId, Seen, ProviderEditRequest),
    described: Option<ProviderDescription>,
    (stored, installation): (&SsoSettings, &Installation),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice = person.practice()?;
    edit_to_read(&edit, (id, seen), stored, installation)?;
    let before = stored.provider(id)?;
    let renewed = match (edit.metadata, described) {
        (None, _) => None,
        (Some(metadata), Some(of)) => {
            if before.entity_id.as_ref() != Some(&of.entity_id) {
                let rule = "must have the entity id of this provider: add another provider instead";
                return Err(RequestError::invalid("metadata", Rule::Form(rule)));
            }
            Some((metadata, of))
        }
        (Some(_), None) => return Err(metadata::refused("")),
    };
    let certificates = renewed.as_ref().map(|(_, of)| &of.certificates);
    let mut after = SettingsProvider {
        name: edit.name.clone().unwrap_or_else(|| before.name.clone()),
        certificates: certificates.or(before.certificates.as_ref()).cloned(),
        contexts: edit.contexts.clone().unwrap_or_else(|| before.contexts.clone()),
        idp_initiated: edit.idp_initiated.unwrap_or(before.idp_initiated),
        ..before.clone()
    };
    let answer = |of: &SettingsProvider| Answer::new(200, &ProviderView::of(of, installation));
    if renewed.is_none() && after == *before {
        return Ok(Change::nothing(answer(before)));
    }
    let read = RecordVersion { record: EditedRecord::Provider(practice, id), version: before.version };
    after.version = read.next().version;
    let audit = Entry::new(ctx, 0, Some(practice), Event::ProviderChanged, id);
    let audit = audit.detail(changed(before, &after, renewed.is_some()));
    // Sign-ins under way stay by another name alone.
    let is_other =
        renewed.is_some() || after.contexts != before.contexts || after.idp_initiated != before.idp_initiated;
    let mut change = Change::new(audit, answer(&after)).write(sql!(
        "UPDATE sso_providers SET name = coalesce({name}, name), contexts = coalesce({contexts}, contexts),
           idp_initiated = coalesce({idp_initiated}, idp_initiated), trusted = coalesce({trusted}, trusted)
         WHERE practice_id = {practice} AND id = {id}";
        practice, id, name = edit.name, contexts = edit.contexts.map(Json),
        idp_initiated = edit.idp_initiated.map(i64::from), trusted = is_other.then_some(after.version)
    ));
    if let Some((metadata, of)) = renewed {
        let ends = end(&of);
        change = change.write(sql!(
            "UPDATE sso_providers SET entity_id = {entity_id}, metadata = {metadata}, certificates = {certificates},
               certificates_end = {ends}, warn_at = {warn_at}
             WHERE practice_id = {practice} AND id = {id} AND kind = 'saml'";
            practice, id, entity_id = of.entity_id, metadata, certificates = Json(of.certificates), ends,
            warn_at = ends.map(first_warning)
        ));
        // The earlier keys may be the reason for the new ones.
        change.writes.extend(trust::ended(practice, (&[id], None), ctx.now));
    }
    Ok(change.edits(read).write(notice(practice, NoticeKind::ProviderChanged, person, ctx)))
}

/// The new values of what a change has changed.
fn changed(before: &SettingsProvider, after: &SettingsProvider, renewed: bool) -> Value {
    let certificates = after.certificates.as_deref().map(fingerprints);
    let fields = [
        ("name", before.name != after.name, json!(after.name)),
        ("certificates", renewed, json!(certificates)),
        ("contexts", before.contexts != after.contexts, json!(after.contexts)),
        ("idp_initiated", before.idp_initiated != after.idp_initiated, json!(after.idp_initiated)),
    ];
    let changed = fields.into_iter().filter(|(_, changed, _)| *changed);
    Value::Object(changed.map(|(name, _, value)| (name.into(), value)).collect::<Map<_, _>>())
}

/// The SHA-256 of each certificate, for the audit trail.
fn fingerprints(certificates: &[SigningCertificate]) -> Vec<&str> {
    certificates.iter().map(|one| one.sha256.as_str()).collect()
}

/// Removes a provider, and the identities of a SAML provider, which only this practice trusts. An identity of a provider
/// of the installation is the person's own: it stays, and counts as a password. The owners get an email.
pub(super) fn removed(
    id: SsoProviderId,
    (stored, installation): (&SsoSettings, &Installation),
    person: &Person,
    ctx: &Ctx,
) -> Result<Change, RequestError> {
    let practice = person.practice()?;
    let provider = stored.provider(id)?;
    let mut left = stored.clone();
    left.providers.retain(|other| other.id != id);
    if stored.required && !left.lets_in(installation) {
        return Err(LAST);
    }
    let audit = Entry::new(ctx, 0, Some(practice), Event::ProviderRemoved, id);
    let audit = audit.detail(json!({ "kind": provider.kind, "name": provider.name }));
    Ok(Change::new(audit, Answer::empty())
        .guard(abort_if!(
            Record,
            "NOT EXISTS (SELECT 1 FROM sso_providers WHERE practice_id = {practice} AND id = {id})"; practice, id
        ))
        .guard(lets_in_without(id, practice, installation))
        .write(sql!("DELETE FROM sso_providers WHERE practice_id = {practice} AND id = {id}"; practice, id))
        .write(sql!(
            "DELETE FROM identities
             WHERE provider = {id} AND user_id IN (SELECT id FROM users WHERE practice_id = {practice})";
            practice, id
        ))
        .write_all(trust::ended(practice, (&[id], None), ctx.now))
        .write(notice(practice, NoticeKind::ProviderRemoved, person, ctx)))
}

/// The email to the owners about a change of a provider. A provider decides who may sign in, so no change of one is
/// silent.
fn notice(practice: PracticeId, kind: NoticeKind, person: &Person, ctx: &Ctx) -> Write {
    Write::Notice(Notice::new(practice, kind, ctx).about(person.user_id.0))
}
