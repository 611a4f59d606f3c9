//! The bodies that add and change an identity provider.

use crate::request::declare::body;
use crate::request::declare::kinds::{AnyNames, Changed, Flag, Optional, Printable};
#[cfg(feature = "schema")]
use crate::request::declare::schema::{self, Given};
use crate::request::declare::{Body, Field, Key, Keys, Raw, RawObject, Shape, Terms};
use overturn_core::names;
use overturn_core::request::field::{self, Problems};
use overturn_core::request::problem::Rule;
#[cfg(feature = "schema")]
use serde_json::{Value, json};

names! {
    /// What the provider reports after a sign-in with two factors: a value of `amr` or `acr`, or an `AuthnContextClassRef`. A
    /// sign-in with one of them needs no second factor of ours. These values prove two factors. Every other value is refused,
    /// because its name does not say what the provider has asked for.
    SecondFactorContext {
        /// OpenID Connect, RFC 8176: authentication by several factors.
        Mfa = "mfa",
        /// The REFEDS profile of multi-factor authentication.
        Refeds = "https://refeds.org/profile/mfa",
        /// Microsoft Entra ID and AD FS.
        Microsoft = "http://schemas.microsoft.com/claims/multipleauthn",
        /// Okta: two distinct factors.
        Okta = "urn:okta:loa:2fa:any",
        /// NIST SP 800-63, authenticator assurance level 2.
        Aal2 = "http://idmanagement.gov/ns/assurance/aal/2",
        /// NIST SP 800-63, authenticator assurance level 3.
        Aal3 = "http://idmanagement.gov/ns/assurance/aal/3",
        /// SAML 2.0: a smart card with a private key, and its PIN.
        SmartcardPki = "urn:oasis:names:tc:SAML:2.0:ac:classes:SmartcardPKI",
        /// SAML 2.0: two factors with a registered mobile phone.
        MobileTwoFactorContract = "urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorContract",
        /// SAML 2.0: two factors with a mobile phone that is not registered.
        MobileTwoFactorUnregistered = "urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorUnregistered",
    }
}

/// Most bytes of metadata.
const METADATA_MAX: usize = 256 * 1024;

body! {
    #[derive(Clone, Default)]
    edit ProviderEditRequest {
        name: Changed<Printable<100>>,
        /// For SAML providers only. It must have the same entity id.
        metadata: Optional<Metadata>,
        contexts: Changed<AnyNames<SecondFactorContext>>,
        /// For SAML providers only.
        idp_initiated: Changed<Flag>,
    }
}

/// The requested provider.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ProviderRequest {
    pub(super) name: Option<String>,
    pub(super) source: RequestedSource,
    pub(super) contexts: Vec<SecondFactorContext>,
    pub(super) idp_initiated: bool,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum RequestedSource {
    /// The metadata of a SAML provider.
    Metadata(String),
    /// A provider of the installation.
    Configured(String),
}

impl Body for ProviderRequest {
    #[cfg(feature = "schema")]
    const NAME: &'static str = "ProviderRequest";

    const KEYS: &'static [Key] = &[
        ("provider", Shape::One),
        ("metadata", Shape::One),
        ("name", Shape::One),
        ("contexts", Shape::Texts),
        ("idp_initiated", Shape::One),
    ];

    /// A provider has a name and metadata, or it is one of the installation.
    fn read(p: &mut Problems, mut raw: RawObject<'_>, terms: Terms<'_>) -> Option<Self> {
        raw.open(p, Keys::Any);
        let configured = field::given(p, "provider", raw.take("provider").text());
        let metadata = Optional::<Metadata>::read(p, "metadata", raw.take("metadata"), terms).flatten();
        let name = raw.take("name");
        let name = if configured.is_some() {
            Changed::<Printable<100>>::read(p, "name", name, terms).flatten()
        } else {
            Printable::<100>::read(p, "name", name, terms)
        };
        let contexts =
            Changed::<AnyNames<SecondFactorContext>>::read(p, "contexts", raw.take("contexts"), terms).flatten();
        let flag = Changed::<Flag>::read(p, "idp_initiated", raw.take("idp_initiated"), terms).flatten();
        let source = match (metadata, configured) {
            (Some(_), Some(_)) => {
                p.add("provider", Rule::NotWith("metadata"));
                None
            }
            (None, Some(configured)) => {
                if flag == Some(true) {
                    p.add("idp_initiated", FOR_SAML);
                }
                Some(RequestedSource::Configured(configured.into()))
            }
            (Some(metadata), None) => Some(RequestedSource::Metadata(metadata)),
            (None, None) => {
                if p.count() == 0 {
                    p.add("metadata", Rule::OrRequired("provider"));
                }
                None
            }
        };
        let (contexts, idp_initiated) = (contexts.unwrap_or_default(), flag.unwrap_or_default());
        Some(Self { name, source: source?, contexts, idp_initiated })
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        let key = |key, schema, doc| (key, schema::described(schema, &[doc]), Given::OrNull);
        let whole = schema::object(
            Keys::Any,
            [
                key(
                    "provider",
                    json!({ "type": "string", "minLength": 1 }),
                    "The id of an available OpenID Connect provider.",
                ),
                key(
                    "metadata",
                    Metadata::schema(),
                    "The XML metadata of a SAML 2.0 identity provider, at most 256 KiB.",
                ),
                key(
                    "name",
                    Printable::<100>::schema(),
                    "The name that people see. Required with `metadata`. Otherwise the provider's own name is used.",
                ),
                key("contexts", AnyNames::<SecondFactorContext>::schema(), ""),
                key("idp_initiated", Flag::schema(), "For SAML providers only. `false` by default."),
            ],
        );
        schema::described(whole, &["Either `name` and `metadata`, or `provider`."])
    }
}

pub(super) const FOR_SAML: Rule = Rule::Form("is for SAML providers only");

/// The metadata of a SAML provider.
pub struct Metadata;

impl Field for Metadata {
    type Value = String;

    fn read(p: &mut Problems, name: &'static str, raw: Raw<'_>, _: Terms<'_>) -> Option<String> {
        let text = field::required(p, name, raw.text(), usize::MAX)?;
        let fits = text.len() <= METADATA_MAX;
        if !fits {
            p.add(name, Rule::Form("must be at most 256 KiB"));
        }
        fits.then(|| text.into())
    }

    #[cfg(feature = "schema")]
    fn schema() -> Value {
        json!({ "type": "string", "minLength": 1, "maxLength": METADATA_MAX })
    }
}
