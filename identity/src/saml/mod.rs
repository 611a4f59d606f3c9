//! SAML 2.0: the service as a service provider.
//!
//! `saml-rs` verifies signatures, decrypts, and makes signatures. The documents of the tests were also given to the library
//! alone, with its strictest policies, and it never took a forged name for a true one. But it does not withstand all of
//! this, and the modules here stand in front of it:
//!
//! - It has two XML readers, and they read by different rules. It accepts comments (also inside the NameID), processing
//!   instructions, CDATA sections, declarations of another encoding, and text that is not well-formed. Here one strict
//!   reader ([`guard`]) reads every document, and the library only gets what [`tree`] wrote.
//! - It accepts several signed assertions, assertions and signatures in other places, and other elements inside a
//!   signature. [`structure`] accepts one structure, and the library verifies an assertion that is alone in its document.
//! - Its strict list of algorithms leaves out ECDSA, and its other list has everything that it can compute.
//!   [`structure`] has the list.
//! - It reads keys and references in many places of an encrypted element. [`encrypted`] writes the element again.
//! - The time that its RSA decryption takes may depend on the key (RUSTSEC-2023-0071). [`encrypted`] decrypts only what a
//!   verified signature of the provider covers.
//! - It panics on times at the end of the year 9999. It accepts a response without `Destination`, an assertion from the
//!   future, and a subject that is confirmed in several ways. [`facts`] checks what a response says.
//! - It accepts a NameID that is empty, transient, or has line ends. [`claims`] refuses it.
//! - It asks the host for the time when it makes a request. [`request`] makes the request with the time of the question.
//! - Its errors repeat values of the document. [`reasons`] has constants only.

mod claims;
mod encrypted;
mod facts;
mod guard;
mod keys;
mod metadata;
mod names;
mod provider;
mod reasons;
mod request;
mod response;
mod structure;
mod syntax;
mod tree;

#[cfg(test)]
mod tests;

use overturn_core::identity::Verdict;
use overturn_core::identity::saml::{
    BeginSaml, BegunSaml, CheckSamlResponse, DescribeProvider, DescribeService, ProviderDescription, SamlClaims,
    ServiceMetadata,
};
use reasons::verdict;

/// Reads the metadata of an identity provider.
pub(crate) fn describe(asked: &DescribeProvider) -> Verdict<ProviderDescription> {
    let provider = provider::Provider::read(&asked.metadata, asked.now);
    let provider = provider.and_then(|provider| provider.allowed(asked.local));
    verdict(provider.map(provider::Provider::describe))
}

/// Begins a sign-in with a signed request.
pub(crate) fn begin(asked: &BeginSaml) -> Verdict<BegunSaml> {
    verdict(request::begin(asked))
}

/// Checks a response that the browser posted.
pub(crate) fn check(asked: &CheckSamlResponse) -> Verdict<SamlClaims> {
    verdict(response::check(asked))
}

/// The service's own metadata.
pub(crate) fn metadata(asked: &DescribeService) -> Verdict<ServiceMetadata> {
    verdict(metadata::metadata(asked))
}
