//! Colleagues, as staff see them beside records.

use crate::base::id::UserId;
use alloc::string::String;
use serde::{Deserialize, Serialize};

/// A staff member, as colleagues see them.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Colleague {
    pub id: UserId,
    pub name: String,
}
