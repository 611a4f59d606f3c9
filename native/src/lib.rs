//! What another host of this workspace shares with the program.

pub mod crypto;

/// The migrations by name, in their order.
pub const MIGRATIONS: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/migrations.rs"));
