//! The bodies that add and change an identity provider.

use crate::plan::sso::SecondFactorContext;
use crate::request::body::{Flag, Text, Texts, object};
use crate::request::error::RequestError;
use crate::request::field::{self, Problems};
use crate::request::problem::Rule;
use alloc::string::String;
use alloc::vec::Vec;

/// Most characters of a name.
pub const NAME_MAX: usize = 100;
/// Most bytes of metadata.
const METADATA_MAX: usize = 256 * 1024;

object! {
    /// The body that adds a provider, unchecked.
    RawNew {
        name: Text<'a>, metadata: Text<'a>, provider: Text<'a>, contexts: Texts<'a>, idp_initiated: Flag,
    }
}

object! {
    /// The body that changes a provider, unchecked.
    RawEdit { name: Text<'a>, metadata: Text<'a>, contexts: Texts<'a>, idp_initiated: Flag, }
}

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

/// The requested change. What is `None` stays.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ProviderEditRequest {
    pub(super) name: Option<String>,
    pub(super) metadata: Option<String>,
    pub(super) contexts: Option<Vec<SecondFactorContext>>,
    pub(super) idp_initiated: Option<bool>,
}

/// Reads `{name, metadata}` or `{provider}`, with `contexts` and `idp_initiated`.
///
/// # Errors
///
/// [`RequestError::Malformed`] or [`RequestError::Invalid`] with every problem.
pub fn parse(body: &[u8]) -> Result<ProviderRequest, RequestError> {
    let raw: RawNew<'_> = field::object(body)?;
    let mut p = Problems::default();
    field::repeated(&mut p, "", &raw.repeated);
    let configured = field::given(&mut p, "provider", raw.provider);
    let metadata = metadata(&mut p, raw.metadata);
    let name = match (raw.name, &configured) {
        (Text::Absent, Some(_)) => None,
        (name, _) => field::printable(&mut p, "name", name, NAME_MAX),
    };
    let contexts = contexts(&mut p, raw.contexts);
    let idp_initiated = field::flag(&mut p, "idp_initiated", &raw.idp_initiated);
    let source = match (metadata, configured) {
        (Some(_), Some(_)) => {
            p.add("provider", Rule::NotWith("metadata"));
            None
        }
        (None, Some(configured)) => {
            if idp_initiated == Some(true) {
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
    p.settle(source.map(|source| ProviderRequest {
        name: name.map(Into::into),
        source,
        contexts: contexts.unwrap_or_default(),
        idp_initiated: idp_initiated.unwrap_or(false),
    }))
}

/// Reads `{name, metadata, contexts, idp_initiated}`. At least one must be present. An unknown key is refused, because a
/// caller who mistyped one would believe that the provider changed.
///
/// # Errors
///
/// [`RequestError::Malformed`] or [`RequestError::Invalid`] with every problem.
pub fn parse_edit(body: &[u8]) -> Result<ProviderEditRequest, RequestError> {
    let raw: RawEdit<'_> = field::object(body)?;
    let mut p = Problems::default();
    field::repeated(&mut p, "", &raw.repeated);
    if raw.unknown {
        let keys = "name, metadata, contexts and idp_initiated";
        p.add("body", Rule::OnlyKeys(keys));
    }
    let name = match raw.name {
        Text::Absent => None,
        name => field::printable(&mut p, "name", name, NAME_MAX),
    };
    let edit = ProviderEditRequest {
        name: name.map(Into::into),
        metadata: metadata(&mut p, raw.metadata),
        contexts: contexts(&mut p, raw.contexts),
        idp_initiated: field::flag(&mut p, "idp_initiated", &raw.idp_initiated),
    };
    if p.count() == 0 && edit == ProviderEditRequest::default() {
        let keys = "name, metadata, contexts or idp_initiated";
        p.add("body", Rule::SomeKeys(keys));
    }
    p.settle(Some(edit))
}

pub(super) const FOR_SAML: Rule = Rule::Form("is for SAML providers only");

fn metadata(p: &mut Problems, value: Text<'_>) -> Option<String> {
    let text = field::given(p, "metadata", value)?;
    if text.len() > METADATA_MAX {
        p.add("metadata", Rule::Form("must be at most 256 KiB"));
        return None;
    }
    Some(text.into())
}

/// The contexts without repetitions. `None` if they are absent.
fn contexts(p: &mut Problems, value: Texts<'_>) -> Option<Vec<SecondFactorContext>> {
    if matches!(value, Texts::Absent) {
        return None;
    }
    let known = (SecondFactorContext::known(), SecondFactorContext::parse);
    let mut contexts = Vec::new();
    for context in field::names_or_none(p, "contexts", value, known)? {
        if !contexts.contains(&context) {
            contexts.push(context);
        }
    }
    Some(contexts)
}
