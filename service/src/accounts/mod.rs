//! Accounts: sign-in, second factors, passkeys, passwords, recovery codes, sessions, mailed links and invitations. Other
//! contexts use what an account is, and what follows from its first factor.

pub(crate) mod account;
mod continuation;
pub(crate) mod factors;
pub(crate) mod invitation;
pub(crate) mod link;
pub(crate) mod magic_link;
pub(crate) mod new_session;
pub(crate) mod passkeys;
pub(crate) mod password;
mod password_attempts;
pub(crate) mod recovery;
pub(crate) mod second_factor;
pub(crate) mod session;
pub(crate) mod sessions;
pub(crate) mod sign_in;
mod signed_in;
#[cfg(test)]
pub(crate) mod tests;

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
