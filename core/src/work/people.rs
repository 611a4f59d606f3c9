//! Who and what staff see beside records: colleagues and practices by their names.

use crate::base::id::{PracticeId, UserId};
use alloc::string::String;
use serde::{Deserialize, Serialize};

/// Somebody of the staff, as colleagues see them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Colleague {
    /// The account.
    pub id: UserId,
    /// What the person is called.
    pub name: String,
}

/// A practice, as staff see it beside its records.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PracticeName {
    /// The practice.
    pub id: PracticeId,
    /// What it is called.
    pub name: String,
}
