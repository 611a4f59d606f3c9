//! Used by every other module: dates, instants, money, ids, text, tokens, secrets and the places of sealed values.

pub mod csv;
pub mod ctx;
pub mod date;
#[cfg(feature = "schema")]
pub mod described;
pub mod domain;
pub mod email;
pub mod id;
pub mod instant;
pub mod json;
pub mod language;
pub mod mac;
pub mod money;
pub mod names;
pub mod param;
pub mod sealed;
pub mod secret;
pub mod sql;
pub mod text;
pub mod time;
pub mod token;
pub mod totp;
pub mod us_zone;
pub mod user_agent;
pub mod weighed;
