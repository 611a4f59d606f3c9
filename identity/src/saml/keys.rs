//! Certificates: of identity providers, and the keys of the service.

use super::reasons::{CERTIFICATE, RANDOM, Refused, SERVICE_KEY, Step, WEAK_KEY, refused, require};
use data_encoding::{BASE64, HEXLOWER};
use overturn_core::base::instant::Instant;
use overturn_core::identity::saml::SamlKey;
use sha2::{Digest, Sha256};
use x509_cert::Certificate;
use x509_cert::der::asn1::{ObjectIdentifier, UintRef};
use x509_cert::der::{Decode, Reader, SliceReader};
use x509_cert::spki::SubjectPublicKeyInfoOwned;

const RSA: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.113549.1.1.1");
const EC: ObjectIdentifier = ObjectIdentifier::new_unwrap("1.2.840.10045.2.1");
/// P-256, P-384 and P-521.
const CURVES: [ObjectIdentifier; 3] = [
    ObjectIdentifier::new_unwrap("1.2.840.10045.3.1.7"),
    ObjectIdentifier::new_unwrap("1.3.132.0.34"),
    ObjectIdentifier::new_unwrap("1.3.132.0.35"),
];
/// The smallest RSA key, in bits.
const MIN_RSA_BITS: usize = 2048;

/// A certificate that can be read.
#[derive(Clone)]
pub(super) struct Read {
    /// Its DER form, in base64.
    pub(super) base64: String,
    /// The SHA-256 of its DER form, in hex.
    pub(super) sha256: String,
    pub(super) expires_at: Instant,
    key: SubjectPublicKeyInfoOwned,
}

impl Read {
    /// Reads a certificate in base64, as metadata has it. White space does not count.
    pub(super) fn new(text: &str) -> Step<Self> {
        let unreadable = refused(CERTIFICATE, "a certificate cannot be read");
        let compact: String = text.chars().filter(|c| !c.is_ascii_whitespace()).collect();
        let der = BASE64.decode(compact.as_bytes()).map_err(|_| unreadable)?;
        let certificate = Certificate::from_der(&der).map_err(|_| unreadable)?;
        let validity = certificate.tbs_certificate.validity;
        let ends = validity.not_after.to_unix_duration().as_millis();
        Ok(Self {
            base64: BASE64.encode(&der),
            sha256: HEXLOWER.encode(&Sha256::digest(&der)),
            expires_at: Instant(i64::try_from(ends).unwrap_or(i64::MAX)),
            key: certificate.tbs_certificate.subject_public_key_info,
        })
    }

    /// Refuses a key that is too weak, or of a kind that no accepted algorithm uses.
    pub(super) fn check_strength(&self) -> Step<()> {
        let weak = refused(WEAK_KEY, "a key is too weak or of another kind");
        let bytes = self.key.subject_public_key.as_bytes().ok_or(weak)?;
        if self.key.algorithm.oid == RSA {
            return check_rsa(bytes).ok_or(weak);
        }
        let parameters = self.key.algorithm.parameters.as_ref().ok_or(weak)?;
        let curve: ObjectIdentifier = parameters.decode_as().map_err(|_| weak)?;
        let known = self.key.algorithm.oid == EC && CURVES.contains(&curve);
        require(known, WEAK_KEY, weak.detail)
    }
}

/// An RSA key of at least 2,048 bits with an odd exponent above 1.
fn check_rsa(der: &[u8]) -> Option<()> {
    let mut reader = SliceReader::new(der).ok()?;
    let (modulus, exponent): (UintRef<'_>, UintRef<'_>) =
        reader.sequence(|inside| Ok((inside.decode()?, inside.decode()?))).ok()?;
    let first = modulus.as_bytes().first()?;
    let zeros = usize::try_from(first.leading_zeros()).ok()?;
    let bits = modulus.as_bytes().len().checked_mul(8)?.checked_sub(zeros)?;
    let exponent = exponent.as_bytes();
    let odd = exponent.last().is_some_and(|last| last % 2 == 1);
    (bits >= MIN_RSA_BITS && odd && exponent != [1]).then_some(())
}

/// The body of a certificate of the service, from PEM.
pub(super) fn own_certificate(key: &SamlKey) -> Step<String> {
    let unusable = refused(SERVICE_KEY, "a certificate of the service cannot be read");
    let body: String = key.certificate.lines().map(str::trim).filter(|line| !line.starts_with("-----")).collect();
    let read = Read::new(&body).map_err(|_| unusable)?;
    read.check_strength().map_err(|_| unusable)?;
    Ok(read.base64)
}

pub(super) const fn unusable_key() -> Refused {
    refused(SERVICE_KEY, "a key of the service cannot be used")
}

/// An id that cannot be guessed: 128 random bits, as an XML name.
#[expect(clippy::disallowed_methods, reason = "this Worker has no context that gives random bytes")]
pub(super) fn random_id() -> Step<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|_| refused(RANDOM, "the host has no random bytes"))?;
    Ok(format!("_{}", HEXLOWER.encode(&bytes)))
}
