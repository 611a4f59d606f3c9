use super::*;
use crate::settings::sso::domains::{added as adds, removed as removes, to_look_up, verified};
use crate::settings::sso::trust::LAST;
use crate::settings::sso::txt;
use crate::testing::decisions::{parse, said};

fn having(domains: Vec<SettingsDomain>) -> SsoSettings {
    SsoSettings { domains, ..SsoSettings::default() }
}

fn add(text: &str, stored: &SsoSettings) -> Result<Change, RequestError> {
    let asked = parse(json!({ "domain": text }).to_string())?;
    adds(asked, stored, &admin(), [0xab; 16], &ctx())
}

fn added(text: &str) -> String {
    let change = add(text, &having(Vec::new())).unwrap();
    change.answer.body["domain"].as_str().unwrap().into()
}

#[test]
fn a_domain_is_kept_in_the_form_of_dns() {
    assert_eq!(added(" Clinic.Example.COM. "), "clinic.example.com");
    assert_eq!(added("xn--bcher-kva.example"), "xn--bcher-kva.example");
    let longest = format!("{}.{0}.{0}.{}.com", "a".repeat(63), "b".repeat(47));
    assert_eq!(longest.len(), 243);
    assert_eq!(added(&longest), longest);
    for wrong in [
        "localhost",
        "clinic",
        "a..example",
        ".example.com",
        "-a.example",
        "a-.example",
        "a_b.example",
        "192.168.0.1",
        "bücher.example",
        "ﬁ.example",
        "clinic。example",
        "clinic.example/x",
        "ann@clinic.example",
        "*.clinic.example",
        &format!("{longest}m"),
        &format!("{}.example", "a".repeat(64)),
    ] {
        let denied = said(add(wrong, &having(Vec::new())).unwrap_err());
        let rule = "domain must be a domain such as example.com, with letters outside ASCII in the xn-- form";
        assert_eq!(denied, [rule], "{wrong}");
    }
}

#[test]
fn a_public_mail_domain_belongs_to_no_practice() {
    for public in
        ["gmail.com", "Outlook.com", "yahoo.com", "yahoo.co.uk", "hotmail.fr", "gmx.net", "x.gmail.com", "web.de"]
    {
        let denied = said(add(public, &having(Vec::new())).unwrap_err());
        let rule = "domain is a public mail domain, where anyone can have an address";
        assert_eq!(denied, [rule], "{public}");
    }
    for own in ["notgmail.com", "yahoo.clinic.com", "live.dental", "outlook-clinic.com"] {
        assert_eq!(added(own), own);
    }
}

#[test]
fn a_practice_has_a_domain_once_and_at_most_twenty() {
    let once = having(vec![domain(1, "clinic.example")]);
    assert!(matches!(add("Clinic.example", &once), Err(RequestError::Conflict(..))));
    let full = having((0..20).map(|n| domain(n, &format!("d{n}.example"))).collect());
    assert!(matches!(add("clinic.example", &full), Err(RequestError::Conflict(..))));
}

#[test]
fn only_the_token_of_this_domain_verifies_it() {
    let stored = having(vec![domain(1, "clinic.example")]);
    let id = DomainId(Uuid::from_u128(1));
    let decide = |records: &[&str]| {
        let records: Vec<String> = records.iter().map(ToString::to_string).collect();
        verified(id, &records, &stored, &admin(), &ctx())
    };
    let right = "overturn-domain-verification=00ff";
    let missing = "a TXT record of _overturn.clinic.example must be overturn-domain-verification=00ff";
    for wrong in [&[][..], &["v=spf1"], &["overturn-domain-verification=00FF"], &["00ff"], &[&format!("{right}0")]] {
        assert_eq!(said(decide(wrong).unwrap_err()), [missing]);
    }
    let change = decide(&["v=spf1", right]).unwrap();
    assert!(!change.answer.body["verified_at"].is_null());
    let asked = to_look_up(id, &stored);
    assert_eq!(asked.unwrap().as_deref(), Some("_overturn.clinic.example"));
}

#[test]
fn the_strings_of_a_record_are_joined_and_other_records_skipped() {
    let answer = |records: &str| txt::records(format!(r#"{{"Status":0,"Answer":[{records}]}}"#).as_bytes());
    let record = |data: &str| json!({ "name": "_overturn.x", "type": 16, "TTL": 60, "data": data }).to_string();
    assert_eq!(answer(&record("\"ab\" \"cd\"")), Some(vec!["abcd".into()]));
    assert_eq!(answer(&record("\"ab\"\"cd\"")), Some(vec!["abcd".into()]));
    assert_eq!(answer(&record("abcd")), Some(vec!["abcd".into()]));
    assert_eq!(answer(&record(r#""a\"b\\c" "d""#)), Some(vec![r#"a"b\cd"#.into()]));
    let alias = r#"{"name":"_overturn.x","type":5,"data":"other."}"#;
    let both = format!("{alias},{}", record("\"x\""));
    assert_eq!(answer(&both), Some(vec!["x".into()]));
    assert_eq!(txt::records(br#"{"Status":0}"#), Some(Vec::new()));
    assert_eq!(txt::records(br#"{"Status":3}"#), Some(Vec::new()));
}

#[test]
fn a_resolver_that_fails_proves_nothing() {
    for wrong in [r#"{"Status":2}"#, r#"{"Status":5,"Answer":[]}"#, "{}", "[]", "", "<html>"] {
        assert_eq!(txt::records(wrong.as_bytes()), None, "{wrong}");
    }
}

#[test]
fn the_last_domain_of_the_providers_that_need_one_stays_while_single_sign_on_is_required() {
    let at =
        |verified: bool, id| SettingsDomain { verified_at: verified.then_some(Time(NOW)), ..domain(id, "a.example") };
    let remove = |providers, domains, required| {
        let stored = SsoSettings { providers, domains, required, ..SsoSettings::default() };
        let first = stored.domains[0].id;
        removes(first, (&stored, &installation()), &admin(), &ctx()).map(drop)
    };
    for (providers, domains, required, expected) in [
        (vec![google(1)], vec![at(true, 2)], true, Err(LAST)),
        (vec![google(1)], vec![at(true, 2), at(false, 3)], true, Err(LAST)),
        (vec![google(1)], vec![at(true, 2), at(true, 3)], true, Ok(())),
        (vec![google(1)], vec![at(false, 2), at(true, 3)], true, Ok(())),
        (vec![google(1), saml(4)], vec![at(true, 2)], true, Ok(())),
        (vec![google(1)], vec![at(true, 2)], false, Ok(())),
    ] {
        assert_eq!(remove(providers, domains, required), expected);
    }
}
