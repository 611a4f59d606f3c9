//! Accounts: sign-in, second factors, passkeys, passwords, recovery codes, sessions, mailed links and invitations. What an
//! account is and what follows from its first factor, which sign-ins by providers use as well, is in
//! `overturn_core::accounts`.

pub(crate) mod context;
mod continuation;
pub(crate) mod factors;
pub(crate) mod invitation;
mod link;
pub(crate) mod magic_link;
pub(crate) mod passkeys;
pub(crate) mod password;
mod password_attempts;
pub(crate) mod second_factor;
pub(crate) mod session;
pub(crate) mod sessions;
pub(crate) mod sign_in;
#[cfg(test)]
mod tests;

pub use factors::Confirmed;
pub use invitation::AcceptedInvitation;
pub use link::{LinkAsked, LinkPressed};
pub use passkeys::assertion::PasskeySignIn;
pub use passkeys::enrolment::RequestedPasskey;
pub use passkeys::sign_in::AskedFactor;
pub use passkeys::{NewName, PASSKEYS_MAX};
pub use password::{Renewal, Reset};
pub use second_factor::proof::PresentedFactor;
pub use session::SignIn;
