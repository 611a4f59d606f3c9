//! Pages of the Worker.

use overturn_tests::prelude::*;

pub(crate) fn assert_page(answer: &Answer, status: u16, text: &str) {
    assert_eq!(answer.status, status, "{}", answer.text());
    assert!(answer.is_page(), "{}", answer.text());
    assert!(answer.text().contains(text), "{}", answer.text());
}

#[test]
fn every_failure_of_a_page_is_a_page() {
    let client = Server::shared().client();
    for target in ["/sign/", "/sign/nothing", "/sign/signature/x"] {
        assert_page(&client.get(target), 404, "There is nothing here");
    }
    for target in ["/signal", "/auth/magic_link", "/authentic"] {
        assert!(!client.get(target).is_page(), "{target}");
    }
}
