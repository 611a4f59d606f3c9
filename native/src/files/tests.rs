use super::*;

fn all() -> Files {
    let contents = [
        ("/assets/a.js", "1"),
        ("/assets/a.js.br", "1b"),
        ("/assets/a.js.gz", "1g"),
        ("/assets/alone.br", "alone"),
        ("/404.html", "none"),
        ("/404.html.gz", "no"),
        ("/assets/c.html", "c"),
    ];
    Files {
        files: files(contents.map(|(name, text)| (name.to_owned(), text.into())).into()),
        shown: vec![("/claims/:id".into(), "/assets/c.html".into())],
        rules: rules("/*\n  Cache-Control: no-cache\n/assets/a.js\n  ! Cache-Control\n  Cache-Control: immutable\n"),
    }
}

fn get(path: &str, headers: &[(HeaderName, &str)]) -> Response<Bytes> {
    let headers = headers.iter().map(|(name, value)| (name.clone(), value.parse().unwrap()));
    all().answer(&Method::GET, path, &headers.collect())
}

#[test]
fn a_later_rule_takes_a_header_back_and_sets_it_anew() {
    let kept = |path: &str| get(path, &[]).headers()["cache-control"].clone();
    assert_eq!(kept("/assets/a.js"), "immutable");
    assert_eq!(kept("/claims/1"), "no-cache");
    assert_eq!(get("/claims/1", &[]).body(), "c");
    assert_eq!(get("/claims/1/2", &[]).status(), StatusCode::NOT_FOUND);
    for hidden in ["/_headers", "/404.html", "/x", "/claims/", "/assets/a.js.br", "/assets/a.js.gz", "/404.html.gz"] {
        assert_eq!(get(hidden, &[]).status(), StatusCode::NOT_FOUND, "{hidden}");
    }
    assert_eq!(get("/assets/alone.br", &[]).body(), "alone");
}

#[test]
fn a_client_gets_the_coding_that_it_wants_most_and_knows_it_by_its_own_tag() {
    for (accepted, body) in [
        ("", "1"),
        ("gzip, deflate, br, zstd", "1b"),
        ("gzip", "1g"),
        ("GZIP, deflate", "1g"),
        ("br;q=0.5, gzip;q=0.8", "1g"),
        ("br;q=0, *", "1g"),
        ("*", "1b"),
        ("br;q=0.5, identity", "1"),
        ("br;q=0, gzip;q=0", "1"),
        ("identity;q=0", "1"),
        ("deflate", "1"),
        ("brotli, xgzip", "1"),
    ] {
        let answer = get("/assets/a.js", &[(ACCEPT_ENCODING, accepted)]);
        assert_eq!(answer.body(), body, "{accepted}");
        let coding = answer.headers().get(CONTENT_ENCODING).map(|coding| coding.to_str().unwrap());
        assert_eq!(
            coding,
            [("1b", "br"), ("1g", "gzip")].into_iter().find(|(of, _)| *of == body).map(|(_, name)| name)
        );
        assert_eq!(answer.headers()[VARY], "accept-encoding");
        assert_eq!(answer.headers()[CONTENT_TYPE], "text/javascript; charset=utf-8");
    }
    let gzip = [(ACCEPT_ENCODING, "gzip")];
    let tag = get("/assets/a.js", &gzip).headers()[ETAG].to_str().unwrap().to_owned();
    let again = |known: &str, accepted| get("/assets/a.js", &[(IF_NONE_MATCH, known), (ACCEPT_ENCODING, accepted)]);
    for known in [tag.clone(), format!("\"x\", W/{tag}"), "*".into()] {
        let same = again(&known, "gzip");
        assert_eq!((same.status(), same.body().len()), (StatusCode::NOT_MODIFIED, 0), "{known}");
        assert_eq!(
            (&same.headers()[ETAG], &same.headers()[VARY]),
            (&HeaderValue::try_from(&tag).unwrap(), &HeaderValue::from_static("accept-encoding"))
        );
    }
    assert_eq!(again(&tag, "br").status(), StatusCode::OK);
    assert_eq!(again("\"x\"", "gzip").status(), StatusCode::OK);
    let alone = get("/claims/1", &gzip);
    assert_eq!((alone.body(), alone.headers().get(VARY)), (&Bytes::from("c"), None));
    let missing = get("/x", &gzip);
    assert_eq!((missing.status(), missing.body()), (StatusCode::NOT_FOUND, &Bytes::from("no")));
}

#[test]
fn the_service_has_its_paths_and_no_other() {
    for path in ["/api/v1/claims", "/sign", "/sign/pad.js", "/health"] {
        assert!(is_of_service(path), "{path}");
    }
    for path in ["/", "/sign-in", "/auth/x", "/claims", "/apis", "/healthy"] {
        assert!(!is_of_service(path), "{path}");
    }
}
