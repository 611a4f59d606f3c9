//! Headers for browsers. Every answer of every test is checked for them; here is one of each class.

use overturn_tests::account::Account;
use overturn_tests::client::{CLAIMS, STATUS};
use overturn_tests::prelude::*;

#[test]
fn every_class_of_answer_has_the_headers_for_browsers() {
    let tenant = Tenant::shared();
    let (anyone, api) = (tenant.server.client(), tenant.client());
    let page = Account::of(&tenant, Role::Owner).sign_in();
    let etag = page.get("/api/v1/auth/session");
    let etag = etag.header("etag").unwrap().to_owned();
    let too_large = vec![b' '; (2 << 20) + 1];
    let gone = r#"{"1+": {"fails": "D1_ERROR: database is locked: SQLITE_BUSY"}}"#;
    let gone = api.with("Tests-Database", gone);
    let known = page.with("If-None-Match", &etag);
    for (client, method, path, body, status) in [
        (&anyone, "GET", "/health", None, 200),
        (&anyone, "HEAD", "/health", None, 200),
        (&anyone, "GET", "/nowhere", None, 404),
        (&anyone, "POST", "/health", Some(&b""[..]), 405),
        (&anyone, "GET", "/api/v1/openapi.json", None, 200),
        (&anyone, "GET", STATUS, None, 401),
        (&api, "GET", STATUS, None, 422),
        (&api, "POST", CLAIMS, Some(&b"{"[..]), 422),
        (&api, "POST", CLAIMS, Some(&too_large[..]), 413),
        (&gone, "GET", "/api/v1/claims/status?claim_number=A-1", None, 503),
        (&known, "GET", "/api/v1/auth/session", None, 304),
        (&anyone, "GET", "/sign", None, 404),
        (&anyone, "GET", "/api/v1/auth/saml/none", None, 404),
        (&page, "POST", "/api/v1/auth/session/logout", Some(&b""[..]), 204),
    ] {
        let raw = client.exchange(method, path, body);
        assert_eq!(raw.status, status, "{method} {path}");
        assert_eq!(raw.body.is_empty(), method == "HEAD" || [204, 304].contains(&status));
    }
}

#[test]
fn a_request_with_two_hosts_or_an_impossible_one_is_refused() {
    let client = Server::shared().client();
    for host in ["Host: a\r\nHost: b", "Host: a\r\nHost: a", "Host: a b", "Host: [::1", "Host: a%00", "Host: a<b"] {
        let mut connection = client.connect();
        let request = format!("GET /health HTTP/1.1\r\n{host}\r\n\r\n");
        connection.write(request.as_bytes()).unwrap();
        let answer = Answer::checked(connection.read(false).unwrap());
        assert_eq!(answer.status, 400, "{host}");
        assert_eq!(answer.json["error"]["code"], "bad_request", "{host}");
    }
}
