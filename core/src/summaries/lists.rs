//! The names that filters offer: colleagues and payers.

use crate::base::id::UserId;
use alloc::string::String;
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};

/// The most colleagues in the list.
pub const COLLEAGUES_MAX: usize = 500;
/// The most payers in a list.
pub const PAYERS_MAX: usize = 1_000;

/// A staff member who works on claims.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Colleague {
    pub id: UserId,
    /// The person's name, or the email address if there is none.
    pub name: String,
}

/// The staff who work on claims, by name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Colleagues {
    /// At most [`COLLEAGUES_MAX`].
    pub colleagues: Vec<Colleague>,
}

/// A payer that claims name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Payer {
    /// Its name, as a practice sent it first.
    pub name: String,
}

/// The payers of claims, by name.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Payers {
    /// At most [`PAYERS_MAX`].
    pub payers: Vec<Payer>,
}
