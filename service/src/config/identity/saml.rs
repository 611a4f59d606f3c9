//! The secrets of the SAML service provider.

use super::address::Wrong;
use overturn_core::identity::saml::SamlKey;

const KEYS: &str = "SAML_KEYS";

/// A second secret for older keys, because a secret has at most 5 KB and two RSA keys with certificates have more.
const OLD_KEYS: &str = "SAML_OLD_KEYS";

/// The keys of both secrets. The first one signs.
pub(super) fn read(variable: impl Fn(&str) -> Option<String>) -> Result<Vec<SamlKey>, Wrong> {
    let mut keys = list(KEYS, variable(KEYS))?;
    let old = list(OLD_KEYS, variable(OLD_KEYS))?;
    if keys.is_empty() && !old.is_empty() {
        return Err((OLD_KEYS, "is of no use without SAML_KEYS"));
    }
    keys.extend(old);
    Ok(keys)
}

fn list(name: &'static str, secret: Option<String>) -> Result<Vec<SamlKey>, Wrong> {
    let Some(text) = secret else {
        return Ok(Vec::new());
    };
    let keys: Vec<SamlKey> =
        serde_json::from_str(&text).map_err(|_| (name, "must be a JSON list of keys with certificates"))?;
    if keys.is_empty() {
        return Err((name, "must have a key, or be left out"));
    }
    for key in &keys {
        if !is_pem(&key.key, "PRIVATE KEY") {
            return Err((name, "has a key that is not PEM of PKCS #8"));
        }
        if !is_pem(&key.certificate, "CERTIFICATE") {
            return Err((name, "has a certificate that is not PEM"));
        }
    }
    Ok(keys)
}

/// True if a text is one PEM block of a kind.
fn is_pem(text: &str, kind: &str) -> bool {
    let text = text.trim();
    let inside = text
        .strip_prefix(&*format!("-----BEGIN {kind}-----"))
        .and_then(|text| text.strip_suffix(&*format!("-----END {kind}-----")));
    let is_base64 = |byte: u8| byte.is_ascii_alphanumeric() || byte.is_ascii_whitespace() || b"+/=".contains(&byte);
    inside.is_some_and(|inside| !inside.trim().is_empty() && inside.bytes().all(is_base64))
}
