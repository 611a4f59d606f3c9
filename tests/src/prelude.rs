//! What most tests over HTTP use.

pub use crate::claims::{batch, full, item, numbered, with};
pub use crate::client::{Answer, Client, encoded};
pub use crate::form::FormData;
pub use crate::person::{Person, page};
pub use crate::race::at_once;
pub use crate::server::Server;
pub use crate::staff::{QUEUE, Worker};
pub use crate::state::State;
pub use crate::tenant::{Tenant, Terms, now};
pub use crate::wait;
pub use overturn_core::base::token::Realm;
pub use overturn_service::auth::role::Role;
pub use overturn_service::auth::scope::Scope;
pub use serde_json::{Value, json};
