//! The identity Worker: it checks what authenticators and identity providers signed.
//!
//! It is a Worker of its own for two reasons. Its libraries are as large as the rest of the service. And it reads
//! documents that anybody may send, so it has nothing to lose: no bindings, no secrets and no memory. The service asks
//! it over a service binding, and [`overturn_core::identity`] defines the messages.
//!
//! The module is built for WASI, because its libraries ask the standard library for the time and the host for random
//! bytes. `worker.mjs` provides both.

mod oidc;
mod passkeys;
mod saml;
mod signatures;
#[cfg(target_arch = "wasm32")]
mod wasm;

use overturn_core::identity::{Question, Verdict};

/// Why a request has no answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unanswered {
    /// No question has this path.
    UnknownPath,
    /// The body is not a question of its path.
    Unreadable,
}

/// The answer to a posted question, as JSON.
///
/// # Errors
///
/// The request is not a question.
pub fn answer(path: &str, body: &[u8]) -> Result<Vec<u8>, Unanswered> {
    use overturn_core::identity::{oidc as o, passkeys as p, saml as s, signatures::CheckSignature};
    match path {
        o::DescribeOidc::PATH => reply(body, oidc::describe),
        o::BeginOidc::PATH => reply(body, oidc::begin),
        o::CheckIdToken::PATH => reply(body, oidc::check),
        p::BeginRegistration::PATH => reply(body, passkeys::begin_registration),
        p::CheckRegistration::PATH => reply(body, passkeys::check_registration),
        p::BeginAssertion::PATH => reply(body, passkeys::begin_assertion),
        p::CheckAssertion::PATH => reply(body, passkeys::check_assertion),
        s::DescribeProvider::PATH => reply(body, saml::describe),
        s::BeginSaml::PATH => reply(body, saml::begin),
        s::CheckSamlResponse::PATH => reply(body, saml::check),
        s::DescribeService::PATH => reply(body, saml::metadata),
        CheckSignature::PATH => reply(body, signatures::check),
        _ => Err(Unanswered::UnknownPath),
    }
}

fn reply<Q: Question>(body: &[u8], decide: fn(&Q) -> Verdict<Q::Answer>) -> Result<Vec<u8>, Unanswered> {
    let question = serde_json::from_slice(body).map_err(|_| Unanswered::Unreadable)?;
    serde_json::to_vec(&decide(&question)).map_err(|_| Unanswered::Unreadable)
}
