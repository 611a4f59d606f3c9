//! Questions about OpenID Connect providers.

use super::Question;
use crate::base::instant::Instant;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The service as a client of a provider.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OidcClient {
    /// The provider's issuer, exactly as in its ID tokens.
    pub issuer: String,
    /// The client id at the provider.
    pub client_id: String,
    /// The exact address of the callback.
    pub redirect_uri: String,
    /// The algorithms that may sign ID tokens, such as `RS256`. Only asymmetric ones are accepted.
    pub algorithms: Vec<String>,
    /// The scopes besides `openid`.
    pub scopes: Vec<String>,
    /// The claim that says whether the address is verified: `email_verified`, or `xms_edov` of Microsoft.
    pub verified_claim: String,
    /// The claim that names the domain whose owner manages the person's account there, such as `hd` of Google.
    pub domain_claim: Option<String>,
    /// True in development: a provider of this machine may have `http:` addresses.
    #[serde(default)]
    pub local: bool,
}

/// Reads the discovery document of a provider.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DescribeOidc {
    pub client: OidcClient,
    /// The provider's discovery document.
    pub discovery: Value,
}

/// What the discovery document of a provider says. The addresses are `https:`, or in development
/// `http:` of this machine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OidcDescription {
    /// The address that exchanges the code.
    pub token_endpoint: String,
    /// The address of the key set.
    pub jwks_uri: String,
    /// How the client shows its secret there.
    pub secret_in: SecretIn,
    /// Whether the provider's answer must have `iss` (RFC 9207).
    pub names_issuer: bool,
}

/// Where a client's secret is in a request to the token endpoint.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SecretIn {
    /// `client_secret_basic`: in the header `Authorization`.
    Header,
    /// `client_secret_post`: in the body.
    Body,
}

impl Question for DescribeOidc {
    const PATH: &'static str = "/oidc/describe";
    type Answer = OidcDescription;
}

/// Begins a sign-in: checks the discovery document and makes the address of the provider's page.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct BeginOidc {
    pub client: OidcClient,
    /// The provider's discovery document.
    pub discovery: Value,
}

/// A sign-in that has begun. The last three values stay in the browser's cookie.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct BegunOidc {
    /// The address of the provider's page.
    pub url: String,
    /// The value that the provider's answer must repeat.
    pub state: String,
    /// The value that the ID token must repeat.
    pub nonce: String,
    /// The PKCE verifier.
    pub verifier: String,
}

impl Question for BeginOidc {
    const PATH: &'static str = "/oidc/begin";
    type Answer = BegunOidc;
}

#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct CheckIdToken {
    pub client: OidcClient,
    /// The provider's key set.
    pub keys: Value,
    pub id_token: String,
    /// The nonce of the browser's cookie.
    pub nonce: String,
    pub now: Instant,
}

/// What a provider says of a person.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct OidcClaims {
    /// The person's id at the issuer.
    pub subject: String,
    /// The person's address.
    pub email: Option<String>,
    /// Whether the provider verified the address.
    pub email_verified: bool,
    /// Whether the owner of the address's domain manages the person's account there. Anybody may have a personal account
    /// with an address of a company, and keeps it when the company closes the mailbox.
    pub owns_domain: bool,
    pub name: Option<String>,
    /// How the person signed in there: `amr`, and `acr` if there is one.
    pub contexts: Vec<String>,
    /// When the person signed in there (`auth_time`), as the provider says: it can be long ago. `None` if it does not say.
    pub authenticated_at: Option<Instant>,
    /// Until when the token would be accepted again, if its use were not recorded.
    pub expires_at: Instant,
}

impl Question for CheckIdToken {
    const PATH: &'static str = "/oidc/check";
    type Answer = OidcClaims;
}
