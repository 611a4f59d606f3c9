//! The rules of Overturn, without IO.
//!
//! **In scope:** what a claim is, when a request is valid, who may do what, what a request changes, and what its answer says. **Out of scope:** HTTP, SQL,
//! encryption of stored data, clocks, randomness, logging.
//!
//! Everything has one shape. A host loads a snapshot, calls a `decide` function, and runs the returned [`plan::Plan`] as one atomic batch:
//!
//! ```text
//! decide(command, snapshot, ctx) -> Result<Decision, RequestError>
//! ```
//!
//! Time and randomness are inputs: both come in a [`base::ctx::Ctx`]. The same inputs give the same plan. So a host that does not know whether a batch was
//! committed may run it again.
//!
//! The modules are the contexts of the service. Each context uses only the modules below it:
//!
//! | modules | what they hold |
//! | --- | --- |
//! | [`claims`] | what a claim is, and what a send of claims changes |
//! | [`trail`] | the chain of an audit trail, and how to verify it |
//! | [`documents`] | what the file of a document may be: its type by content, its name, its size |
//! | [`plan`] | what a decision changes, with the records that more than one context reads |
//! | [`auth`] | who may make a call |
//! | [`identity`] | the messages to the Worker that checks passkeys and sign-ins by providers |
//! | [`request`] | parsing and refusing requests |
//! | [`base`] | dates, money, ids, text, tokens, secrets |

#![no_std]
#![cfg_attr(
    test,
    allow(
        clippy::arithmetic_side_effects,
        clippy::string_slice,
        clippy::type_complexity,
        reason = "a test that meets the unexpected should panic, and its tables are types of their own"
    )
)]

extern crate alloc;
#[cfg(test)]
extern crate std;

pub mod auth;
pub mod base;
pub mod claims;
pub mod documents;
pub mod identity;
pub mod plan;
pub mod request;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod trail;
