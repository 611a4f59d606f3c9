//! What a claim is: reading and checking it, comparing it with what is stored, its status, deadlines and appeals, and advice.
//!
//! Small, without IO and without SQL: the service, the npm package, the command line and the reader of remittances have the
//! same rules. **Out of scope:** HTTP, who may do what, encryption of stored data, clocks, randomness, logging.
//!
//! Time and randomness are inputs: both come in a [`base::ctx::Ctx`]. The same inputs give the same decision. So a host that does
//! not know whether a batch was committed may decide and write again ([`claims::intake`]).
//!
//! A module uses only the modules below it:
//!
//! | modules | what they hold |
//! | --- | --- |
//! | [`webhooks`] | the messages to a practice's endpoints, their signatures and schedule |
//! | [`claims`] | what a claim is, what a send of claims changes, when an appeal is due |
//! | [`identity`] | the messages to the Worker that checks passkeys and sign-ins by providers |
//! | [`request`] | reading a body, the rules of its fields, and their problems |
//! | [`base`] | dates, money, ids, text, keys of the API, the places of sealed values |

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

pub mod base;
pub mod claims;
pub mod identity;
pub mod request;
#[cfg(any(test, feature = "testing"))]
pub mod testing;
pub mod webhooks;
