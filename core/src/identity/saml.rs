//! Questions about SAML 2.0 identity providers.

use super::Question;
use crate::base::instant::Instant;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use serde::{Deserialize, Serialize};

/// The service as the service provider of one identity provider.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ServiceProvider {
    /// Its entity id: the address of its metadata.
    pub entity_id: String,
    /// The address of its assertion consumer service.
    pub acs: String,
    /// Its keys. The first one signs, all of them decrypt, and all are in the metadata.
    pub keys: Vec<SamlKey>,
}

/// A key of the service. `Debug` prints nothing of it.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SamlKey {
    /// The private RSA key, in PEM (PKCS #8).
    pub key: String,
    /// Its certificate, in PEM.
    pub certificate: String,
}

impl fmt::Debug for SamlKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SamlKey(…)")
    }
}

/// Reads the metadata of an identity provider.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DescribeProvider {
    /// The XML text.
    pub metadata: String,
    /// Now. Certificates that have ended do not count.
    pub now: Instant,
    /// True in development: a provider of this machine may have an `http:` address.
    #[serde(default)]
    pub local: bool,
}

/// What the metadata of an identity provider says.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProviderDescription {
    pub entity_id: String,
    /// The address that requests are redirected to.
    pub sign_in_url: String,
    /// The certificates of the keys that sign, without those that have ended. There may be two during a roll-over.
    pub certificates: Vec<SigningCertificate>,
}

/// A certificate of an identity provider.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SigningCertificate {
    /// The SHA-256 of its DER form, in hex.
    pub sha256: String,
    pub expires_at: Instant,
}

impl Question for DescribeProvider {
    const PATH: &'static str = "/saml/describe";
    type Answer = ProviderDescription;
}

/// Begins a sign-in: makes a signed request.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BeginSaml {
    /// The service.
    pub sp: ServiceProvider,
    /// The provider's metadata.
    pub metadata: String,
    /// The value that the provider's answer must repeat.
    pub relay_state: String,
    pub now: Instant,
}

/// A sign-in that has begun.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BegunSaml {
    /// The address of the provider's page, with the signed request.
    pub url: String,
    /// The id of the request, which stays in the browser's cookie.
    pub request_id: String,
}

impl Question for BeginSaml {
    const PATH: &'static str = "/saml/begin";
    type Answer = BegunSaml;
}

/// Checks a response that the browser posted.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckSamlResponse {
    /// The service.
    pub sp: ServiceProvider,
    /// The provider's metadata.
    pub metadata: String,
    /// The form field `SAMLResponse`.
    pub response: String,
    /// The id of the request that the response must answer. Without one, the provider began the sign-in.
    pub request_id: Option<String>,
    pub now: Instant,
}

/// What an identity provider says of a person.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SamlClaims {
    /// The id of the assertion. It is not accepted twice.
    pub assertion_id: String,
    /// When the assertion is no longer accepted: its end, and 60 seconds for clocks that differ.
    pub expires_at: Instant,
    /// The person's id at the provider: the NameID, which is never a transient one.
    pub subject: String,
    /// The person's address: the NameID of that format, or the usual attributes, if they have exactly one value.
    pub email: Option<String>,
    pub name: Option<String>,
    /// How the person signed in there: `AuthnContextClassRef`.
    pub contexts: Vec<String>,
    /// When the person signed in there (`AuthnInstant`; the earliest, if there are several), as the provider says: it can
    /// be long ago. `None` if one of them cannot be read.
    pub authenticated_at: Option<Instant>,
}

impl Question for CheckSamlResponse {
    const PATH: &'static str = "/saml/check";
    type Answer = SamlClaims;
}

/// Asks for the service's metadata.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DescribeService {
    /// The service.
    pub sp: ServiceProvider,
}

/// The service's metadata.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ServiceMetadata {
    /// The XML text.
    pub xml: String,
}

impl Question for DescribeService {
    const PATH: &'static str = "/saml/metadata";
    type Answer = ServiceMetadata;
}
