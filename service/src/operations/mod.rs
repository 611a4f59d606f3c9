//! The operator's routes, and the API descriptions.

pub(crate) mod cells;
pub(crate) mod health;
pub(crate) mod openapi;
pub(crate) mod reseal;
#[cfg(test)]
mod tests;
