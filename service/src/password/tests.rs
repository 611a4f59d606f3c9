//! Tests of passwords.

use super::*;
use proptest::prelude::*;

/// Has a character (the angstrom sign) that NFKC changes.
const TEXT: &str = "correct horse \u{212b} battery";
/// Its hashes by the reference implementation of argon2: with today's parameters, and with cheaper ones.
const TODAY: &str = "$argon2id$v=19$m=19456,t=2,p=1$MDEyMzQ1Njc4OWFiY2RlZg$fwzEQkm31qMhZnw+ItXuEOJgIkGe+Wm5nRyBb38nedI";
const CHEAP: &str = "$argon2id$v=19$m=64,t=3,p=1$MDEyMzQ1Njc4OWFiY2RlZg$pDIol6hNQDpH08IqqoHvh987ViiHf3QZaVtaPvA5FE0";

fn chosen(text: &str) -> Result<String, PasswordError> {
    Password::choose(text).map(|password| password.0)
}

#[test]
fn a_hash_is_the_one_of_the_reference_implementation() {
    let hash = Password::given(TEXT).hash(*b"0123456789abcdef").unwrap();
    assert_eq!(hash, TODAY);
}

#[test]
fn a_password_is_right_in_whatever_form_a_keyboard_gives_it() {
    let right = Check::Right { outdated: false };
    assert_eq!(Password::given(TEXT).check(Some(TODAY)), right);
    let decomposed = TEXT.replace('\u{212b}', "A\u{30a}");
    assert_eq!(Password::given(&decomposed).check(Some(TODAY)), right);
    assert_eq!(Password::given(&TEXT.to_uppercase()).check(Some(TODAY)), Check::Wrong);
}

#[test]
fn a_hash_of_other_parameters_is_outdated() {
    let outdated = Check::Right { outdated: true };
    assert_eq!(Password::given(TEXT).check(Some(CHEAP)), outdated);
    assert_eq!(Password::given("wrong").check(Some(CHEAP)), Check::Wrong);
    for (change, to) in [
        ("m=19456", "m=20480"),
        ("t=2", "t=3"),
        ("$MDEyMzQ1Njc4OWFiY2RlZg$", "$MDEyMzQ1Njc4OWFiY2RlZmdo$"),
        ("nedI", ""),
    ] {
        let (hash, params) = read(&TODAY.replace(change, to)).unwrap();
        assert!(is_outdated(&hash, &params), "{to}");
    }
}

#[test]
fn a_missing_hash_costs_the_same_work() {
    let (hash, params) = read(DUMMY).unwrap();
    assert!(!is_outdated(&hash, &params));
    assert_eq!(Password::given(TEXT).check(None), Check::Wrong);
}

#[test]
fn a_hash_that_cannot_be_read_or_asks_for_too_much_is_none() {
    for broken in [
        String::new(),
        "plain text".into(),
        CHEAP.replace("argon2id", "argon2i"),
        CHEAP.replace("argon2id", "scrypt"),
        CHEAP.replace("m=64", "m=47105"),
        CHEAP.replace("m=64", "m=4294967295"),
        CHEAP.replace("m=64", "m=0"),
        CHEAP.replace("t=3", "t=6"),
        CHEAP.replace("t=3", "t=0"),
        CHEAP.replace("p=1", "p=2"),
        CHEAP.replace("v=19", "v=16"),
        CHEAP.replace("v=19$", ""),
        CHEAP.rsplit_once('$').unwrap().0.into(),
        CHEAP.rsplitn(3, '$').last().unwrap().into(),
        CHEAP.replace("$pDI", "$p\u{e9}I"),
    ] {
        assert!(read(&broken).is_none(), "{broken}");
    }
    assert!(read(&CHEAP.replace("m=64,t=3,p=1", "m=47104,t=5,p=1")).is_some());
    assert_eq!(Password::given("").check(Some("")), Check::Wrong);
}

#[test]
fn length_is_counted_in_characters_after_normalisation() {
    assert_eq!(chosen(""), Err(PasswordError::TooShort));
    assert_eq!(chosen("\u{e9}\u{e8}-kurz-hier"), Ok("éè-kurz-hier".into()));
    assert_eq!(chosen("e\u{301}e\u{300}-kurz-hie"), Err(PasswordError::TooShort));
    // A ligature of three letters.
    assert_eq!(chosen("wa\u{fb03}egabel"), Err(PasswordError::TooShort));
    assert_eq!(chosen("wa\u{fb03}egabeln"), Ok("waffiegabeln".into()));
    assert!(chosen(&"lang und länger ".repeat(1000)).is_ok());
}

#[test]
fn a_common_password_is_refused_in_any_case_and_width() {
    for text in [
        "passwordpassword",
        "PasswordPassword",
        "qwertyuiop123",
        "\u{ff11}\u{ff12}\u{ff13}\u{ff14}\u{ff15}\u{ff16}\u{ff17}\u{ff18}\u{ff19}\u{ff10}\u{ff11}\u{ff12}",
    ] {
        assert_eq!(chosen(text), Err(PasswordError::Common), "{text}");
    }
    assert!(chosen("passwordpassword of mine").is_ok());
    assert_eq!(PasswordError::Common.message(), "is too common");
    assert_eq!(PasswordError::TooShort.message(), "must have at least 12 characters");
}

#[test]
fn a_password_is_not_printed() {
    assert_eq!(format!("{:?}", Password::given(TEXT)), "Password(…)");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 512, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn no_other_rule_than_length_and_the_list_applies(text in "\\PC{0,30}") {
        let expected = match text.nfkc().count() {
            0..12 => Err(PasswordError::TooShort),
            _ if common::is_common(&text) => Err(PasswordError::Common),
            _ => Ok(text.nfkc().collect()),
        };
        prop_assert_eq!(chosen(&text), expected);
    }

    #[test]
    fn no_stored_text_is_a_panic_or_asks_for_more_than_it_may(
        stored in "\\PC{0,60}|\\$argon2(id|d)?\\$v=19\\$m=[0-9]{1,7},t=[0-9],p=[0-9]\\$[a-zA-Z0-9+/]{0,70}\\$[a-zA-Z0-9+/]{0,90}"
    ) {
        if let Some((_, params)) = read(&stored) {
            prop_assert!(params.m_cost() <= 47_104 && params.t_cost() <= 5 && params.p_cost() == 1);
        }
    }
}
