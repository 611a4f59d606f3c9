//! What happens when people sign in, join and choose passwords. The API and the pages share it.

pub(crate) mod context;
pub(crate) mod handlers;
pub(crate) mod invitation;
pub(crate) mod links;
pub(crate) mod pages;
pub(crate) mod passwords;
pub(crate) mod sign_in;
