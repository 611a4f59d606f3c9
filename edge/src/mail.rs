//! Mail to the people with an account: [`letters`] is what it says, `mailer` sends it.

pub mod letters;
#[cfg(target_arch = "wasm32")]
mod mailer;
#[cfg(target_arch = "wasm32")]
mod settings;

#[cfg(target_arch = "wasm32")]
pub(crate) use mailer::Mailer;
#[cfg(target_arch = "wasm32")]
pub(crate) use settings::{origin, sender};
