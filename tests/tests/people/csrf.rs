//! Requests from other sites.

use overturn_tests::account::Account;
use overturn_tests::prelude::*;

#[test]
fn a_browser_that_comes_from_another_site_is_refused_even_to_sign_in() {
    let tenant = Tenant::shared();
    let account = Account::of(&tenant, Role::Owner);
    let client = Server::shared().client();
    let own = format!("http://127.0.0.1:{}", Server::shared().port());
    let sign_in = |headers: &[(&str, &str)]| {
        let mut client = client.with("X-Nothing", "");
        for (name, value) in headers {
            client = client.with(name, value);
        }
        account.try_password(&client, &account.password).status
    };
    for refused in [
        &[("Origin", "https://evil.example")][..],
        &[("Origin", "null")],
        &[("Sec-Fetch-Site", "cross-site")],
        &[("Sec-Fetch-Site", "same-site"), ("Origin", own.as_str())],
    ] {
        assert_eq!(sign_in(refused), 403, "{refused:?}");
    }
    for good in [&[][..], &[("Sec-Fetch-Site", "same-origin"), ("Origin", "null")], &[("Sec-Fetch-Site", "none")]] {
        assert_eq!(sign_in(good), 402, "{good:?}");
    }
}
