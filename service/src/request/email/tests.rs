//! Tests of e-mail addresses.

use super::*;
use proptest::prelude::*;

fn key(text: &str) -> String {
    EmailAddress::parse(text).unwrap().key()
}

#[test]
fn plausible_addresses_are_kept_as_typed_but_for_the_space_around() {
    for text in [
        "dana@example.com",
        "Dana.Whitfield+billing@Mail.Example.com",
        "o'brien@example.org",
        "d@localhost",
        "d@LOCALHOST",
        "x_1-2!#$%&*/=?^`{|}~@a-b.example",
        "josé@example.com",
        "юлия@example.com",
        "dana@xn--bcher-kva.example",
        "dana@127.example",
    ] {
        let address = EmailAddress::parse(&format!(" \u{a0}{text}\r\n")).unwrap();
        assert_eq!(address.as_str(), text);
        assert_eq!(format!("{address:?}"), "EmailAddress(…)");
    }
}

#[test]
fn text_that_is_not_one_plausible_address_is_refused() {
    for text in [
        "",
        " ",
        "dana",
        "@",
        "dana@",
        "@example.com",
        "dana@@example.com",
        "dana@home@example.com",
        "dana@example",
        "dana@.com",
        "dana@example.",
        "dana@example..com",
        "dana@-example.com",
        "dana@example-.com",
        "dana@example.com.",
        "dana@exa_mple.com",
        "dana@127.0.0.1",
        "dana@[127.0.0.1]",
        "dana@localhost:25",
        "dana@bücher.example",
        ".dana@example.com",
        "dana.@example.com",
        "da..na@example.com",
        "da na@example.com",
        "da\u{a0}na@example.com",
        "da\u{3000}na@example.com",
        "\"dana\"@example.com",
        "Dana <dana@example.com>",
        "dana@example.com, eve@example.com",
    ] {
        assert!(EmailAddress::parse(text).is_none(), "{text:?}");
    }
}

#[test]
fn nothing_that_could_break_a_header_or_a_list_of_addresses_gets_in() {
    for c in ",;<>\"()[]\\: \t\r\n\0\u{1b}\u{7f}\u{85}\u{2028}\u{200b}\u{202e}\u{feff}".chars() {
        for text in [format!("da{c}na@example.com"), format!("dana@exam{c}ple.com")] {
            assert!(EmailAddress::parse(&text).is_none(), "{text:?}");
        }
    }
}

#[test]
fn an_address_is_as_long_as_mail_allows() {
    let local = "l".repeat(64);
    let labels = format!("{0}.{0}.{1}.com", "d".repeat(63), "d".repeat(57));
    let longest = format!("{local}@{labels}");
    assert_eq!(longest.len(), 254);
    assert!(EmailAddress::parse(&longest).is_some());
    assert!(EmailAddress::parse(&longest.replace(".com", ".info")).is_none());
    assert!(EmailAddress::parse(&format!("l{local}@example.com")).is_none());
    assert!(EmailAddress::parse(&format!("d@{}.com", "d".repeat(64))).is_none());
}

#[test]
fn upper_and_lower_case_are_one_address() {
    assert_eq!(key("Dana@Example.COM"), "dana@example.com");
    assert_eq!(key("JOSÉ@example.com"), key("josé@example.com"));
    assert_eq!(key("jose\u{301}@example.com"), key("jos\u{e9}@example.com"));
}

#[test]
fn addresses_that_only_look_alike_are_different_ones() {
    assert_ne!(key("d\u{430}na@example.com"), key("dana@example.com"));
    assert_ne!(key("dana@examp1e.com"), key("dana@example.com"));
    assert_ne!(key("dana+1@example.com"), key("dana@example.com"));
    assert_ne!(key("da.na@example.com"), key("dana@example.com"));
}

#[test]
fn no_other_letters_make_the_key_of_an_address_in_ascii() {
    // Full width, Kelvin sign, long s, sharp s, a ligature, dotted capital I, "account of", an accent over a space.
    for c in "\u{ff44}\u{212a}\u{17f}\u{df}\u{fb01}\u{130}\u{2100}\u{b4}".chars() {
        assert!(EmailAddress::parse(&format!("da{c}@example.com")).is_none(), "{c:?}");
    }
}

#[test]
fn every_accepted_character_gives_a_key_that_is_an_address_with_the_same_key() {
    // The plane with nearly all characters that NFKC or folding changes.
    for c in '\0'..='\u{ffff}' {
        if let Some(address) = EmailAddress::parse(&format!("x{c}@example.com")) {
            let key = address.key();
            assert_eq!(key.is_ascii(), c.is_ascii(), "{c:?}");
            let again = EmailAddress::parse(&key).map(|address| address.key());
            assert_eq!(again, Some(key), "{c:?}");
        }
    }
}

proptest! {
    #![proptest_config(overturn_core::testing::config())]
    #[test]
    fn an_accepted_address_has_one_at_and_its_key_is_an_address_too(
        text in "[a-zA-Z0-9.+_éßКſΣ-]{1,12}@[a-zA-Z0-9.-]{1,12}\\.[a-z]{2,4}|\\PC{0,40}@\\PC{0,40}"
    ) {
        if let Some(address) = EmailAddress::parse(&text) {
            let key = address.key();
            prop_assert_eq!(key.matches('@').count(), 1);
            prop_assert_eq!(key.is_ascii(), address.as_str().is_ascii());
            let again = EmailAddress::parse(&key).map(|address| address.key().to_string());
            prop_assert_eq!(again, Some(key));
        }
    }
}
