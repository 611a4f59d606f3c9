//! Colleagues, as staff see them beside records.

use overturn_core::base::id::UserId;
use serde::{Deserialize, Serialize};

/// A staff member who works on claims.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub(crate) struct Colleague {
    pub(crate) id: UserId,
    /// The person's name, or the email address if there is none.
    pub(crate) name: String,
}

/// The account of this column as [`Colleague`] reads it; NULL if there is none.
macro_rules! colleague {
    ($id:literal) => {
        concat!(
            "json((SELECT json_object('id', u.id, 'name', coalesce(nullif(u.name, ''), u.email)) FROM users u WHERE u.id = ",
            $id,
            "))"
        )
    };
}
pub(super) use colleague;
