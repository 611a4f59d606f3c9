//! People of several databases reach their accounts, which are found by address, link, token or session.

use overturn_service::auth::role::Role;
use overturn_tests::account::{self, Account, SESSION, cookie, page_of, show};
use overturn_tests::client::{Answer, Client};
use overturn_tests::link::{self, Invited};
use overturn_tests::only_on_native;
use overturn_tests::server::Server;
use overturn_tests::tenant::{self, Tenant, now};
use serde_json::json;
use std::sync::OnceLock;

const CELLS: u16 = 3;

fn server() -> &'static Server {
    static SERVER: OnceLock<Server> = OnceLock::new();
    SERVER.get_or_init(|| Server::lasting(&json!({ "LIMITS": "unlimited", "CELLS": CELLS.to_string() })))
}
