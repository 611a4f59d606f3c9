//! `/api/v1/settings/sso`: the identity providers and mail domains of a practice, and whether it requires single sign-on.

mod resolver;
mod sweep;

pub(crate) use sweep::sweep;

use crate::call::Call;
use crate::error::AppError;
use crate::extract::{IfMatch, PathId, ReadRequest, WriteRequest};
use crate::pipeline::Versioned;
use crate::response::Response;
use overturn_core::base::id::{DomainId, SsoProviderId};
use overturn_core::identity::Verdict;
use overturn_core::identity::saml::{DescribeProvider, ProviderDescription};
use overturn_core::settings::sso::domain::{self, DomainRequest};
use overturn_core::settings::sso::provider::{self, ProviderEditRequest, ProviderRequest};
use overturn_core::settings::sso::required::{self, RequiredEdit};
use overturn_core::settings::sso::{self, AvailableProvider, Installation};
use overturn_store::settings::sso as queries;
use serde_json::json;

/// `GET`: how the practice's people sign in.
pub(crate) async fn show(request: ReadRequest) -> Result<Response, AppError> {
    let installation = installation(&request.call);
    let load = queries::settings(request.credential());
    let view = request.show_versioned(load, |_, stored| {
        Ok(Versioned { version: stored.version, body: sso::show(&stored, &installation) })
    });
    view.await
}

/// `PATCH`: requires single sign-on, or does not any more.
pub(crate) async fn require(IfMatch(seen): IfMatch, request: WriteRequest<RequiredEdit>) -> Result<Response, AppError> {
    let installation = installation(&request.call);
    let load = queries::settings(request.credential());
    let decide = request.change(load, |person, stored, edit| {
        let stored = (&stored, &installation);
        required::edit((edit, seen), stored, person, request.ctx())
    });
    decide.await
}

/// `POST …/providers`: adds an identity provider.
pub(crate) async fn add_provider(request: WriteRequest<ProviderRequest>) -> Result<Response, AppError> {
    let installation = installation(&request.call);
    let load = queries::settings(request.credential());
    let decide = request.change_asking(
        load,
        async |stored, new| {
            let metadata = provider::to_describe(&new, &stored, &installation)?;
            describe(&request.call, metadata).await
        },
        |person, (stored, described), new| {
            let places = (&stored, &installation);
            provider::create(new, described, places, person, request.ctx())
        },
    );
    decide.await
}

/// `PATCH …/providers/{id}`: changes an identity provider.
pub(crate) async fn edit_provider(
    PathId(id): PathId<SsoProviderId>,
    IfMatch(seen): IfMatch,
    request: WriteRequest<ProviderEditRequest>,
) -> Result<Response, AppError> {
    let installation = installation(&request.call);
    let load = queries::settings(request.credential());
    let decide = request.change_asking(
        load,
        async |stored, edit| {
            let metadata = provider::edit_to_describe(&edit, (id, seen), &stored, &installation)?;
            describe(&request.call, metadata).await
        },
        |person, (stored, described), edit| {
            let places = (&stored, &installation);
            provider::edit((id, seen, edit), described, places, person, request.ctx())
        },
    );
    decide.await
}

/// `DELETE …/providers/{id}`: removes an identity provider.
pub(crate) async fn remove_provider(
    PathId(id): PathId<SsoProviderId>,
    request: WriteRequest,
) -> Result<Response, AppError> {
    let installation = installation(&request.call);
    let load = queries::settings(request.credential());
    let decide =
        request.change(load, |person, stored, _| provider::remove(id, (&stored, &installation), person, request.ctx()));
    decide.await
}

/// `POST …/domains`: adds a mail domain.
pub(crate) async fn add_domain(request: WriteRequest<DomainRequest>) -> Result<Response, AppError> {
    let random = request.call.app.host.bytes()?;
    let load = queries::settings(request.credential());
    let decide =
        request.change(load, |person, stored, new| domain::create(new, &stored, person, random, request.ctx()));
    decide.await
}

/// `POST …/domains/{id}/verify`: looks for the TXT record of a mail domain.
pub(crate) async fn verify_domain(PathId(id): PathId<DomainId>, request: WriteRequest) -> Result<Response, AppError> {
    let resolver = &request.call.app.settings.identity.dns_resolver;
    let load = queries::settings(request.credential());
    let decide = request.change_asking(
        load,
        async |stored, _| match domain::to_look_up(id, &stored)? {
            Some(name) => resolver::txt_records(&request.call.app, resolver, &name).await,
            None => Ok(Vec::new()),
        },
        |person, (stored, records), _| domain::verify(id, &records, &stored, person, request.ctx()),
    );
    decide.await
}

/// `DELETE …/domains/{id}`: removes a mail domain.
pub(crate) async fn remove_domain(PathId(id): PathId<DomainId>, request: WriteRequest) -> Result<Response, AppError> {
    let load = queries::settings(request.credential());
    let decide = request.change(load, |person, stored, _| domain::remove(id, &stored, person, request.ctx()));
    decide.await
}

/// What the installation offers.
fn installation(call: &Call) -> Installation {
    let settings = &call.app.settings;
    let oidc = settings.identity.oidc.iter();
    Installation {
        origin: settings.origin(&call.url),
        saml: !settings.identity.saml_keys.is_empty(),
        oidc: oidc.map(|provider| AvailableProvider { id: provider.id.clone(), name: provider.name.clone() }).collect(),
    }
}

/// What the metadata of a SAML provider says, if there is any to read. The log has the reason of a refusal.
async fn describe(call: &Call, metadata: Option<&str>) -> Result<Option<ProviderDescription>, AppError> {
    let Some(metadata) = metadata else {
        return Ok(None);
    };
    let question =
        DescribeProvider { metadata: metadata.into(), now: call.ctx.now, local: !call.app.settings.https_only };
    match call.app.identity.ask(&question).await? {
        Verdict::Accepted(description) => Ok(Some(description)),
        Verdict::Refused(refusal) => {
            log::info!(
                "{}",
                json!({
                    "event": "metadata_refused", "request_id": call.ctx.request_id,
                    "reason": refusal.reason, "detail": refusal.detail,
                })
            );
            Err(sso::metadata_refused(&refusal.reason).into())
        }
    }
}
