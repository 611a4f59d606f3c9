//! Accounts: sign-in, second factors, passkeys, passwords, recovery codes, sessions, mailed links and invitations.

pub mod account;
pub mod ceremony;
pub mod continuation;
pub mod csrf;
pub mod device;
pub mod enrolment;
pub mod invitation;
pub mod link;
pub mod new_password;
pub mod new_session;
pub mod passkeys;
pub mod password;
pub mod recovery;
pub mod second_factor;
pub mod sessions;
pub mod sign_in;
pub mod strangers;
pub mod tries;
