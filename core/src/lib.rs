//! The rules of Overturn, without IO.
//!
//! **In scope:** what a claim is, when a request is valid, who may do what, what a request changes, and what
//! its answer says. **Out of scope:** HTTP, SQL, encryption of stored data, clocks, randomness, logging.
//!
//! Everything has one shape. A host loads a snapshot, asks a `decide` function what it means, and carries out
//! the [`plan::Plan`] that comes back as one atomic batch:
//!
//! ```text
//! decide(command, snapshot, ctx) -> Result<Decision, Denied>
//! ```
//!
//! All time is external input and so is all randomness: both arrive in a [`ctx::Ctx`]. The same inputs give
//! the same plan, which is why a host may run a batch again when it does not know whether it was committed.
//!
//! * [`intake`] is `POST /api/v1/claims`: [`intake::parse`] and [`intake::decide`].
//! * [`status`] is `GET /api/v1/claims/status`.
//! * [`token`], [`scope`] and [`practice`] say who the caller is and what it may do.
//! * [`email`], [`password`], [`totp`], [`recovery`], [`secret`] and [`csrf`] are what a person signs in with.
//! * [`identity`] holds the one rule for "already used for a different patient".
//! * [`rights`] says who may do what in the wider service, [`person`] whether this caller may; a [`change::Change`] is
//!   what a write of it comes to, [`session`], [`account`] and [`idempotency`] what it keeps.
//! * [`operator`] is what the service's operator does from the command line, where there is nobody yet who could ask for it.
//! * [`deadline`] is the table of rules by when an appeal is due.
//! * [`denials`] is what a practice sees of its claims.
//! * [`audit`] is what the audit trail says, [`trail`] the chain that its rows are linked in.
//! * [`work`] is what staff do with claims: the queue, the moves, reports and cases.
//! * [`advice`] is what a sender may want to look at again; the service refuses nothing for it.
//! * [`check`] is both for a sender's own code: what the service would say of a body, and the advice.

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

pub mod access;
pub mod account;
pub mod advice;
pub mod agreement;
pub mod amount;
pub mod audit;
mod base32;
mod body;
pub mod change;
pub mod check;
pub mod claim;
pub mod codes;
pub mod csrf;
pub mod ctx;
pub mod date;
pub mod deadline;
pub mod denials;
pub mod denied;
pub mod device;
pub mod disclosure;
pub mod email;
pub mod enrolment;
mod field;
pub mod id;
pub mod idempotency;
pub mod identity;
pub mod intake;
pub mod invitation;
pub mod limit;
pub mod link;
pub mod mac;
mod names;
pub mod new_password;
pub mod notice;
pub mod operator;
pub mod page;
pub mod password;
pub mod person;
pub mod plan;
pub mod practice;
pub mod recovery;
pub mod rights;
pub mod role;
pub mod scope;
pub mod sealed;
pub mod second_factor;
pub mod secret;
pub mod session;
pub mod sessions;
pub mod settings;
pub mod sign_in;
pub mod signing;
pub mod status;
#[cfg(test)]
mod testing;
pub mod time;
pub mod token;
pub mod totp;
pub mod trail;
pub mod tries;
mod validate;
pub mod webhook;
pub mod work;
