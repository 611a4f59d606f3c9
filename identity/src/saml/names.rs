//! The names of SAML, XML Signature and XML Encryption that the service understands. All others are refused.

pub(super) const PROTOCOL: &str = "urn:oasis:names:tc:SAML:2.0:protocol";
pub(super) const ASSERTION: &str = "urn:oasis:names:tc:SAML:2.0:assertion";
pub(super) const METADATA: &str = "urn:oasis:names:tc:SAML:2.0:metadata";
pub(super) const DSIG: &str = "http://www.w3.org/2000/09/xmldsig#";
pub(super) const ENC: &str = "http://www.w3.org/2001/04/xmlenc#";
pub(super) const ENC11: &str = "http://www.w3.org/2009/xmlenc11#";

pub(super) const REDIRECT: &str = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect";
pub(super) const POST: &str = "urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST";
pub(super) const BEARER: &str = "urn:oasis:names:tc:SAML:2.0:cm:bearer";
pub(super) const SUCCESS: &str = "urn:oasis:names:tc:SAML:2.0:status:Success";

pub(super) const FORMAT_ENTITY: &str = "urn:oasis:names:tc:SAML:2.0:nameid-format:entity";
pub(super) const FORMAT_EMAIL: &str = "urn:oasis:names:tc:SAML:1.1:nameid-format:emailAddress";
pub(super) const FORMAT_TRANSIENT: &str = "urn:oasis:names:tc:SAML:2.0:nameid-format:transient";
pub(super) const FORMAT_UNSPECIFIED: &str = "urn:oasis:names:tc:SAML:1.1:nameid-format:unspecified";

/// Exclusive canonicalization without comments.
pub(super) const EXCLUSIVE: &str = "http://www.w3.org/2001/10/xml-exc-c14n#";
pub(super) const ENVELOPED: &str = "http://www.w3.org/2000/09/xmldsig#enveloped-signature";
/// How the service signs its requests.
pub(super) const RSA_SHA256: &str = "http://www.w3.org/2001/04/xmldsig-more#rsa-sha256";

/// The algorithms of signatures that are accepted. SHA-1, HMAC and all others are not.
pub(super) const SIGNATURES: &[&str] = &[
    RSA_SHA256,
    "http://www.w3.org/2001/04/xmldsig-more#rsa-sha384",
    "http://www.w3.org/2001/04/xmldsig-more#rsa-sha512",
    "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha256",
    "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha384",
    "http://www.w3.org/2001/04/xmldsig-more#ecdsa-sha512",
];

const SHA1: &str = "http://www.w3.org/2000/09/xmldsig#sha1";
const SHA256: &str = "http://www.w3.org/2001/04/xmlenc#sha256";
const SHA384: &str = "http://www.w3.org/2001/04/xmldsig-more#sha384";
const SHA512: &str = "http://www.w3.org/2001/04/xmlenc#sha512";

/// The digests that a signature may use.
pub(super) const DIGESTS: &[&str] = &[SHA256, SHA384, SHA512];

/// RSA-OAEP with MGF1 over SHA-1, and RSA-OAEP with any MGF1.
pub(super) const KEY_TRANSPORTS: &[&str] =
    &["http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p", "http://www.w3.org/2009/xmlenc11#rsa-oaep"];

/// The digests inside RSA-OAEP. SHA-1 is the default of the standard, and OAEP does not need a digest without collisions.
pub(super) const OAEP_DIGESTS: &[&str] = &[SHA1, SHA256, SHA384, SHA512];

pub(super) const OAEP_MGFS: &[&str] = &[
    "http://www.w3.org/2009/xmlenc11#mgf1sha1",
    "http://www.w3.org/2009/xmlenc11#mgf1sha256",
    "http://www.w3.org/2009/xmlenc11#mgf1sha384",
    "http://www.w3.org/2009/xmlenc11#mgf1sha512",
];

/// The ciphers of assertions. Those that notice a changed text themselves come first.
pub(super) const CIPHERS: &[&str] = &[
    "http://www.w3.org/2009/xmlenc11#aes256-gcm",
    "http://www.w3.org/2009/xmlenc11#aes128-gcm",
    "http://www.w3.org/2001/04/xmlenc#aes256-cbc",
    "http://www.w3.org/2001/04/xmlenc#aes128-cbc",
];
