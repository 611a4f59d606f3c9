//! Signing in, joining and choosing passwords. The API and the pages share these functions.

pub(crate) mod context;
pub(crate) mod handlers;
pub(crate) mod invitation;
pub(crate) mod links;
pub(crate) mod pages;
pub(crate) mod passwords;
pub(crate) mod sign_in;
