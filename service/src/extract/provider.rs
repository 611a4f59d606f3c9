//! The inputs of sign-ins by providers, and of the identity that waits in a browser.

use super::body::Body;
use super::credential::{DeviceCookie, MaybePresented, PresentedKind, cookie};
use super::from_call::FromCall;
use super::pages::Form;
use super::path::PathProvider;
#[cfg(any(test, feature = "schema"))]
use super::takes::{BodyTaken, Takes};
use crate::call::Call;
use crate::cookies;
use crate::error::AppError;
use overturn_core::base::cell::Cell;
use overturn_core::base::id::SsoProviderId;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::rc::Rc;

/// What a browser sends only to requests that begin at the service itself.
///
/// The provider leads back from another site, so the browser leaves these cookies out of that request. They are
/// remembered when the sign-in begins. `Debug` prints nothing of them.
#[derive(Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct BeginningBrowser {
    /// The hash of its session.
    pub(crate) session: Option<String>,
    /// The cell of its session.
    pub(crate) cell: Cell,
    /// The cookie of a device that has completed a sign-in.
    pub(crate) device: Option<String>,
}

impl fmt::Debug for BeginningBrowser {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("BeginningBrowser(…)")
    }
}

/// A step of a sign-in by a provider.
pub(crate) struct ProviderRequest {
    /// In the cell of a practice's provider.
    pub(crate) call: Rc<Call>,
    /// The provider that the path names.
    pub(crate) provider: String,
    /// What the browser sends only to requests that begin at the service itself.
    pub(crate) browser: BeginningBrowser,
    /// The cookies of the ceremonies.
    pub(crate) oidc: Option<String>,
    pub(crate) saml: Option<String>,
}

impl FromCall for ProviderRequest {
    #[cfg(any(test, feature = "schema"))]
    fn describe(takes: &mut Takes) {
        takes.parts.push("provider");
        takes.page = true;
    }

    async fn from_call(call: &Rc<Call>) -> Result<Self, AppError> {
        let PathProvider(provider) = PathProvider::from_call(call).await?;
        let MaybePresented(presented) = MaybePresented::from_call(call).await?;
        let session = presented.filter(|presented| presented.kind == PresentedKind::Session);
        let DeviceCookie(device) = DeviceCookie::from_call(call).await?;
        let ceremony = |of: cookies::Ceremony| cookie(call, of.0).map(str::to_owned);
        let of_practice = provider.parse().ok().map(SsoProviderId);
        Ok(Self {
            call: of_practice.map_or_else(|| Rc::clone(call), |id| call.at(id.to_string(), id.cell())),
            provider,
            browser: BeginningBrowser { session: session.map(|session| session.hash), cell: call.ctx.cell, device },
            oidc: ceremony(cookies::OIDC),
            saml: ceremony(cookies::SAML),
        })
    }
}

/// The form that a provider's page posts.
pub(crate) struct ProviderForm {
    pub(crate) request: ProviderRequest,
    pub(crate) form: Form,
}

impl FromCall for ProviderForm {
    #[cfg(any(test, feature = "schema"))]
    fn describe(takes: &mut Takes) {
        ProviderRequest::describe(takes);
        takes.body = BodyTaken::Form(serde_json::json!({
            "type": "object",
            "required": ["SAMLResponse"],
            "properties": {
                "SAMLResponse": { "type": "string", "description": "The response in base64." },
                "RelayState": { "type": "string", "description": "The state of the sign-in." },
            },
        }));
    }

    async fn from_call(call: &Rc<Call>) -> Result<Self, AppError> {
        let provider = ProviderRequest::from_call(call).await?;
        let Body(body) = Body::from_call(call).await?;
        let form = Form::parse(&body?);
        Ok(Self { request: provider, form })
    }
}

/// The cookie of an identity that waits to be joined.
pub(crate) struct IdentityCookie(pub(crate) Option<String>);

impl FromCall for IdentityCookie {
    async fn from_call(call: &Rc<Call>) -> Result<Self, AppError> {
        Ok(Self(cookie(call, cookies::IDENTITY.0).map(str::to_owned)))
    }
}
