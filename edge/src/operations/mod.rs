//! What operators ask of the service, and the descriptions of its interfaces.

pub(crate) mod health;
pub(crate) mod openapi;
pub(crate) mod reseal;
