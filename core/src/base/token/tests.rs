//! Tests of API keys and API tokens.

use super::*;
use alloc::borrow::ToOwned;
use alloc::format;
use proptest::prelude::*;

#[test]
fn the_form_of_a_key_is_pinned() {
    let key = ApiKey::mint(Realm::Test, [7; 24]);
    assert_eq!(key.expose(), "ovt_test_1zCmBvszhbumSj6X1ZF6HS2YaHt5H01T0LrGRE3");
    assert_eq!(key.hash(), "1bf2b79798f4d86fbcbe465e0f2b5983f3198f6405e080619dfcb0184d574ec9");
    assert_eq!(format!("{key:?}"), "ApiKey(ovt_test_1zCm…)");
    assert_eq!(ApiKey::mint(Realm::Live, [0; 24]).realm(), Realm::Live);
}

#[test]
fn a_token_has_the_form_of_a_key_and_another_prefix() {
    let token = ApiToken::mint(Realm::Live, [7; 24]);
    let (body, sum) = token.expose().split_at(42);
    assert_eq!(body, "ovu_live_1zCmBvszhbumSj6X1ZF6HS2YaHt5H01T0");
    assert_eq!(sum, checksum(body));
    assert_eq!(token.hint(), "ovu_live_1zCm");
    assert_eq!(format!("{token:?}"), "ApiToken(ovu_live_1zCm…)");
    assert_eq!(token.realm(), Realm::Live);
    assert_eq!(ApiToken::mint(Realm::Test, [0; 24]).realm(), Realm::Test);
}

#[test]
fn every_character_of_a_hint_can_be_any_in_every_cell() {
    for cell in [Cell::FIRST, Cell(999)] {
        let last = (0..62).map(|number| {
            let mut random = [0; 24];
            random[21] = number;
            ApiKey::mint(Realm::Test, cell.stamp(random)).hint().chars().nth(9)
        });
        assert!(last.eq(ALPHABET.iter().map(|digit| Some(char::from(*digit)))), "{cell:?}");
    }
}

#[test]
fn a_key_is_no_token_and_a_token_is_no_key() {
    let (key, token) = (ApiKey::mint(Realm::Test, [7; 24]), ApiToken::mint(Realm::Test, [7; 24]));
    assert_eq!(key.expose().parse::<ApiToken>(), Err(TokenError::Prefix));
    assert_eq!(token.expose().parse::<ApiKey>(), Err(TokenError::Prefix));
    assert_eq!(token.expose().parse(), Ok(token.clone()));
    // A changed prefix does not match the checksum.
    let changed = token.expose().replace("ovu_", "ovt_");
    assert_eq!(changed.parse::<ApiKey>(), Err(TokenError::Checksum));
}

#[test]
fn an_invalid_key_is_recognized_without_a_lookup() {
    assert_eq!("".parse::<ApiKey>(), Err(TokenError::Prefix));
    assert_eq!("sk_live_abc".parse::<ApiKey>(), Err(TokenError::Prefix));
    assert_eq!("ovt_test_short".parse::<ApiKey>(), Err(TokenError::Form));
    let cut = "ovt_test_".to_owned() + &"é".repeat(19) + "x";
    assert_eq!(cut.parse::<ApiKey>(), Err(TokenError::Form));
}

proptest! {
    #![proptest_config(crate::testing::config())]
    #[test]
    fn a_key_reads_back_and_any_one_wrong_character_is_noticed(
        random in any::<[u8; 24]>(), live in any::<bool>(), at in 9_usize..48, to in 0_usize..62,
    ) {
        let key = ApiKey::mint(if live { Realm::Live } else { Realm::Test }, random);
        prop_assert_eq!(key.expose().parse::<ApiKey>(), Ok(key.clone()));
        prop_assert_eq!(key.cell(), Cell::of(&random));
        let mut typed = key.expose().as_bytes().to_vec();
        typed[at] = ALPHABET[to];
        let typed = String::from_utf8(typed).unwrap();
        prop_assert_eq!(typed.parse::<ApiKey>().is_ok(), typed == key.expose());
    }

    #[test]
    fn any_text_is_read_or_refused_without_a_panic(text in "(ovt_(live|test)_)?\\PC{0,60}") {
        let _ = text.parse::<ApiKey>();
    }
}
