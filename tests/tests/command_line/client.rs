//! The client in Rust.

use crate::send::each_once;
use overturn_client::{Client, Error, Outcome};
use overturn_tests::prelude::*;

#[test]
fn any_number_of_items_is_sent_and_each_has_its_result_in_their_order() {
    let tenant = Tenant::shared();
    let url = format!("http://127.0.0.1:{}", tenant.server.port());
    let client = Client::new(&url, &tenant.key.text).unwrap();
    let mut items: Vec<String> = (0..220).map(|n| item(&format!("R-{n}")).to_string()).collect();
    items.insert(7, "{}".into());
    items.push(with(item("R-0"), "patient.last_name", "Roe").to_string());
    let found = client.send(items.iter().map(String::as_str)).unwrap();
    assert_eq!(found.len(), 222);
    let created = |(_, outcome): &&(_, Outcome)| matches!(outcome, Outcome::Answered(one) if one.created);
    assert_eq!(found.iter().filter(created).count(), 220);
    assert!(matches!(&found[7], (None, Outcome::Invalid(problems)) if !problems.is_empty()));
    assert_eq!(found[8].0.as_deref(), Some("R-7"));
    assert!(matches!(&found[221].1, Outcome::Answered(one) if one.error.is_some()));
    each_once(&tenant, 220, 3);

    assert_eq!(client.status("R-219").unwrap().unwrap().status, "received");
    assert!(client.status("R-220").unwrap().is_none());
    client.stop().set();
    assert_eq!(client.status("R-219").unwrap_err(), Error::Interrupted);
}

#[test]
fn patients_data_travels_encrypted_and_a_mistyped_key_is_not_sent() {
    let tenant = Tenant::shared();
    assert!(matches!(Client::new("http://app.overturn.example", &tenant.key.text), Err(Error::Usage(_))));
    assert!(matches!(Client::new("https://app.overturn.example", "ovt_test_x"), Err(Error::Usage(_))));
}
