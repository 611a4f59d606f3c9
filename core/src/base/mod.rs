//! Used by every other module: dates, instants, money, ids, text, keys of the API, and the places of sealed values.

pub mod cell;
pub mod ctx;
pub mod date;
#[cfg(feature = "schema")]
pub mod described;
pub mod id;
pub mod instant;
pub mod mac;
pub mod money;
pub mod names;
pub mod open;
pub mod param;
pub mod sealed;
pub mod text;
pub mod time;
pub mod token;
