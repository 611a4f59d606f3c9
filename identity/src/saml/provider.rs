//! The metadata of an identity provider.
//!
//! An administrator of a practice uploads it, so the service trusts what it says. Its own signature is not checked.

use super::guard::{Remarks, read};
use super::keys::Read;
use super::names::{DSIG, METADATA, PROTOCOL, REDIRECT};
use super::reasons::{
    CERTIFICATE, CERTIFICATE_EXPIRED, ENDPOINT, ENTITY_ID, NO_PROVIDER, NO_REDIRECT_ENDPOINT, SEVERAL_PROVIDERS, Step,
    TOO_LARGE, refused, require,
};
use super::tree::Element;
use overturn_core::base::instant::Instant;
use overturn_core::identity::saml::{ProviderDescription, SigningCertificate};
use url::{Host, Url};

/// The longest entity id: SAML's own limit.
const MAX_ENTITY_ID: usize = 1024;
/// The longest address.
const MAX_ADDRESS: usize = 2048;
/// The largest number of certificates that sign. A roll-over needs two.
const MAX_CERTIFICATES: usize = 8;

/// An identity provider.
pub(super) struct Provider {
    pub(super) entity_id: String,
    pub(super) sign_in_url: String,
    /// The certificates that sign and have not ended.
    pub(super) certificates: Vec<Read>,
}

impl Provider {
    /// Reads the metadata of one identity provider.
    pub(super) fn read(metadata: &str, now: Instant) -> Step<Self> {
        let root = read(metadata, Remarks::Skip)?;
        let mut entities = Vec::new();
        find_entities(&root, &mut entities);
        let (entity, role) = match entities[..] {
            [one] => one,
            [] => {
                return Err(refused(NO_PROVIDER, "the metadata has no identity provider"));
            }
            _ => {
                let detail = "the metadata has more than one identity provider";
                return Err(refused(SEVERAL_PROVIDERS, detail));
            }
        };
        let entity_id = entity.attribute("entityID").unwrap_or_default();
        let valid = (1..=MAX_ENTITY_ID).contains(&entity_id.len()) && entity_id.trim() == entity_id;
        require(valid, ENTITY_ID, "the entity id is missing or too long")?;
        Ok(Self {
            entity_id: entity_id.to_owned(),
            sign_in_url: sign_in_url(role)?,
            certificates: certificates(role, now)?,
        })
    }

    /// The same provider, if its address may be used. Outside development it must be https. A practice's metadata is
    /// described before it is kept, so the other questions do not look again.
    pub(super) fn allowed(self, local: bool) -> Step<Self> {
        let is_https = Url::parse(&self.sign_in_url).is_ok_and(|url| url.scheme() == "https");
        require(local || is_https, ENDPOINT, "the address for HTTP-Redirect is not a plain https address")?;
        Ok(self)
    }

    pub(super) fn describe(self) -> ProviderDescription {
        ProviderDescription {
            entity_id: self.entity_id,
            sign_in_url: self.sign_in_url,
            certificates: self
                .certificates
                .into_iter()
                .map(|certificate| SigningCertificate {
                    sha256: certificate.sha256,
                    expires_at: certificate.expires_at,
                })
                .collect(),
        }
    }

    /// The certificates as the library takes them.
    pub(super) fn trusted(&self) -> Vec<String> {
        self.certificates.iter().map(|certificate| certificate.base64.clone()).collect()
    }
}

/// The entities that are SAML 2.0 identity providers, each with that role. An entity with two such roles counts twice.
fn find_entities<'a>(element: &'a Element, found: &mut Vec<(&'a Element, &'a Element)>) {
    if element.is(METADATA, "EntitiesDescriptor") {
        for child in element.children() {
            find_entities(child, found);
        }
    } else if element.is(METADATA, "EntityDescriptor") {
        let roles = element.named(METADATA, "IDPSSODescriptor").filter(|role| {
            role.attribute("protocolSupportEnumeration")
                .is_some_and(|all| all.split_ascii_whitespace().any(|one| one == PROTOCOL))
        });
        found.extend(roles.map(|role| (element, role)));
    }
}

fn sign_in_url(role: &Element) -> Step<String> {
    let location = role
        .named(METADATA, "SingleSignOnService")
        .find(|service| service.attribute("Binding") == Some(REDIRECT))
        .and_then(|service| service.attribute("Location"))
        .ok_or(refused(NO_REDIRECT_ENDPOINT, "the metadata has no address for HTTP-Redirect"))?;
    require(
        location.len() <= MAX_ADDRESS && is_safe(location),
        ENDPOINT,
        "the address for HTTP-Redirect is not a plain https address",
    )?;
    Ok(location.to_owned())
}

/// An https address without a user and a fragment. This machine may be asked over http in development.
fn is_safe(address: &str) -> bool {
    let Ok(url) = Url::parse(address) else {
        return false;
    };
    let here = match url.host() {
        Some(Host::Domain(name)) => name == "localhost" || name.ends_with(".localhost"),
        Some(Host::Ipv4(ip)) => ip.is_loopback(),
        Some(Host::Ipv6(ip)) => ip.is_loopback(),
        None => return false,
    };
    let scheme = url.scheme() == "https" || (url.scheme() == "http" && here);
    // A parser also takes `https:host` for an address.
    let scheme = scheme && address.strip_prefix(url.scheme()).is_some_and(|rest| rest.starts_with("://"));
    let plain = url.username().is_empty() && url.password().is_none() && url.fragment().is_none();
    scheme && plain && address.is_ascii() && !address.contains(|c: char| c.is_ascii_whitespace())
}

/// The certificates for signing, each once, without those that have ended.
fn certificates(role: &Element, now: Instant) -> Step<Vec<Read>> {
    let mut all: Vec<Read> = Vec::new();
    for descriptor in role.named(METADATA, "KeyDescriptor") {
        if descriptor.attribute("use").is_some_and(|use_| use_ != "signing") {
            continue;
        }
        for info in descriptor.named(DSIG, "KeyInfo") {
            for data in info.named(DSIG, "X509Data") {
                // Further certificates in the same element are the chain of the first one.
                if let Some(first) = data.named(DSIG, "X509Certificate").next() {
                    let text = first.text(refused(CERTIFICATE, "a certificate is not text"))?;
                    let read = Read::new(&text)?;
                    if !all.iter().any(|known| known.sha256 == read.sha256) {
                        all.push(read);
                    }
                }
            }
        }
    }
    require(!all.is_empty(), CERTIFICATE, "the metadata has no certificate that signs")?;
    require(all.len() <= MAX_CERTIFICATES, TOO_LARGE, "the metadata has too many certificates")?;
    all.retain(|certificate| now < certificate.expires_at);
    let ended = "all certificates that sign have ended";
    require(!all.is_empty(), CERTIFICATE_EXPIRED, ended)?;
    all.iter().try_for_each(Read::check_strength)?;
    Ok(all)
}
