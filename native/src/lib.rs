//! What another host of this workspace shares with the program.

pub mod crypto;
