//! `/api/v1/settings/sso`: the identity providers and mail domains of a practice, and whether it requires single sign-on.

mod domains;
mod ending;
mod metadata;
mod overview;
mod paths;
mod provider_bodies;
mod providers;
mod public_mail;
mod required;
#[cfg(test)]
mod tests;
mod trust;
mod txt;

pub use domains::DomainRequest;
pub(crate) use domains::{add_domain, remove_domain, verify_domain};
pub(crate) use ending::sweep;
pub use overview::ProviderKind;
pub(crate) use overview::show;
pub(crate) use paths::{SamlAddresses, oidc_path, saml_path};
pub use provider_bodies::{ProviderEditRequest, ProviderRequest, SecondFactorContext};
pub(crate) use providers::{add_provider, edit_provider, remove_provider};
pub use required::RequiredEdit;
pub(crate) use required::require;
