//! The variable and the secret of OpenID Connect providers.

use super::super::checks::is_placeholder;
use super::address::{Wrong, is_web_address};
use overturn_core::identity::oidc::OidcClient;
use serde::Deserialize;
use std::collections::{BTreeMap, BTreeSet};

const PROVIDERS: &str = "OIDC_PROVIDERS";
const SECRETS: &str = "OIDC_SECRETS";

/// The longest id of a provider. It is part of addresses and of audit rows.
const ID_MAX: usize = 32;

/// The longest name of a provider, in characters. It is on a button.
const NAME_MAX: usize = 40;

/// The algorithms that may sign an ID token. All are asymmetric.
const ALGORITHMS: [&str; 9] = ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA"];

/// A provider of this installation.
pub(crate) struct OidcProvider {
    /// The id in addresses, such as `google`.
    pub(crate) id: String,
    /// The name on the button.
    pub(crate) name: String,
    /// The issuer, exactly as in its ID tokens. Its discovery document is below this address.
    pub(crate) issuer: String,
    /// The service's id at the provider.
    pub(crate) client_id: String,
    /// The service's secret at the provider.
    pub(crate) client_secret: String,
    /// The algorithms that may sign its ID tokens.
    pub(crate) algorithms: Vec<String>,
    /// The scopes besides `openid`.
    pub(crate) scopes: Vec<String>,
    /// The claim that says whether it verified the address.
    pub(crate) verified_claim: String,
    /// The claim that names the domain whose owner manages the account, such as `hd` of Google.
    pub(crate) domain_claim: Option<String>,
    /// True in development.
    local: bool,
}

impl OidcProvider {
    /// The service as the provider's client, with the exact address of the callback.
    pub(crate) fn client(&self, redirect_uri: String) -> OidcClient {
        OidcClient {
            issuer: self.issuer.clone(),
            client_id: self.client_id.clone(),
            redirect_uri,
            algorithms: self.algorithms.clone(),
            scopes: self.scopes.clone(),
            verified_claim: self.verified_claim.clone(),
            domain_claim: self.domain_claim.clone(),
            local: self.local,
        }
    }
}

/// One item of `OIDC_PROVIDERS`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Item {
    id: String,
    name: String,
    issuer: String,
    client_id: String,
    #[serde(default = "usual_algorithms")]
    algorithms: Vec<String>,
    #[serde(default = "usual_scopes")]
    scopes: Vec<String>,
    #[serde(default = "usual_claim")]
    verified_claim: String,
    #[serde(default)]
    domain_claim: Option<String>,
}

fn usual_algorithms() -> Vec<String> {
    vec!["RS256".into()]
}

fn usual_scopes() -> Vec<String> {
    vec!["email".into(), "profile".into()]
}

fn usual_claim() -> String {
    "email_verified".into()
}

/// The providers, each with its secret. A secret without a provider is left out: variables and secrets are not deployed
/// in one step.
pub(super) fn read(variable: impl Fn(&str) -> Option<String>, is_dev: bool) -> Result<Vec<OidcProvider>, Wrong> {
    let Some(text) = variable(PROVIDERS) else {
        return Ok(Vec::new());
    };
    let items: Vec<Item> = serde_json::from_str(&text).map_err(|_| (PROVIDERS, "must be a JSON list of providers"))?;
    let mut ids = BTreeSet::new();
    for item in &items {
        check(item, is_dev).map_err(|problem| (PROVIDERS, problem))?;
        if !ids.insert(&item.id) {
            return Err((PROVIDERS, "has two providers with one id"));
        }
    }
    let mut secrets: BTreeMap<String, String> = match variable(SECRETS) {
        Some(text) => {
            serde_json::from_str(&text).map_err(|_| (SECRETS, "must be a JSON object of ids and client secrets"))?
        }
        None => BTreeMap::new(),
    };
    let with_secret = |item: Item| match secrets.remove(&item.id) {
        None => Err((SECRETS, "lacks the client secret of a provider")),
        Some(secret) if secret.is_empty() || is_placeholder(&secret) => Err((SECRETS, "has a placeholder")),
        Some(client_secret) => Ok(OidcProvider {
            id: item.id,
            name: item.name,
            issuer: item.issuer,
            client_id: item.client_id,
            client_secret,
            algorithms: item.algorithms,
            scopes: item.scopes,
            verified_claim: item.verified_claim,
            domain_claim: item.domain_claim,
            local: is_dev,
        }),
    };
    items.into_iter().map(with_secret).collect()
}

/// The problem of a provider.
fn check(item: &Item, is_dev: bool) -> Result<(), &'static str> {
    let is_id = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    if item.id.is_empty() || item.id.len() > ID_MAX || !item.id.bytes().all(is_id) {
        return Err("has an id that is not 1 to 32 of a-z, 0-9 and -");
    }
    let is_shown =
        |name: &str| !name.trim().is_empty() && name.chars().count() <= NAME_MAX && !name.contains(char::is_control);
    if !is_shown(&item.name) {
        return Err("has a name that is not 1 to 40 characters");
    }
    if !is_web_address(&item.issuer, is_dev) {
        return Err("has an issuer that is not an https address");
    }
    if item.client_id.is_empty() || is_placeholder(&item.client_id) {
        return Err("has a client_id that is empty or a placeholder");
    }
    let is_known = |name: &String| ALGORITHMS.contains(&&**name);
    if item.algorithms.is_empty() || !item.algorithms.iter().all(is_known) {
        return Err("has algorithms other than RS, PS and ES of 256 to 512 bits, and EdDSA");
    }
    // RFC 6749, section 3.3.
    let is_scope = |byte: u8| matches!(byte, b'!' | b'#'..=b'[' | b']'..=b'~');
    let is_token = |text: &str| !text.is_empty() && text.bytes().all(is_scope);
    if !item.scopes.iter().all(|scope| is_token(scope)) {
        return Err("has a scope that is empty or has a space");
    }
    if !is_token(&item.verified_claim) {
        return Err("has a verified_claim that is not the name of a claim");
    }
    if item.domain_claim.as_ref().is_some_and(|claim| !is_token(claim)) {
        return Err("has a domain_claim that is not the name of a claim");
    }
    Ok(())
}
