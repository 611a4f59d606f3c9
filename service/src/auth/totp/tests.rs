//! Tests of the codes of authenticator apps.

use super::*;
use proptest::prelude::*;

/// The secret of RFC 6238, appendix B.
const RFC: TotpSecret = TotpSecret(*b"12345678901234567890");
/// An instant in the middle of a step, and that step.
const NOW: Instant = Instant(1_700_000_010_000);
const STEP: i64 = 56_666_667;

/// The code that an app shows `steps` steps from now.
fn shown(steps: i64) -> String {
    RFC.code_at(NOW.plus(steps * STEP_MS))
}

#[test]
fn the_codes_are_those_of_the_rfc() {
    // Its eight digits, cut to the last six.
    for (seconds, code) in [
        (59, "287082"),
        (1_111_111_109, "081804"),
        (1_111_111_111, "050471"),
        (1_234_567_890, "005924"),
        (2_000_000_000, "279037"),
        (20_000_000_000, "353130"),
    ] {
        let now = Instant(seconds * 1000);
        assert_eq!(RFC.accept(code, now, None), Some(seconds / 30));
        assert_eq!(RFC.code_at(now), code);
    }
}

#[test]
fn a_code_counts_in_its_step_and_the_ones_beside_it() {
    for (steps, step) in [(-2, None), (-1, Some(STEP - 1)), (0, Some(STEP)), (1, Some(STEP + 1)), (2, None)] {
        assert_eq!(RFC.accept(&shown(steps), NOW, None), step);
    }
    let first = Instant(STEP * 30_000);
    assert_eq!(RFC.accept(&shown(0), first, None), Some(STEP));
    assert_eq!(RFC.accept(&shown(0), first.plus(59_999), None), Some(STEP));
    assert_eq!(RFC.accept(&shown(0), first.plus(60_000), None), None);
    assert_eq!(RFC.accept(&shown(0), first.plus(-30_000), None), Some(STEP));
    assert_eq!(RFC.accept(&shown(0), first.plus(-30_001), None), None);
}

#[test]
fn a_code_works_once_and_no_earlier_one_works_after_it() {
    let used = RFC.accept(&shown(0), NOW, None);
    assert_eq!(RFC.accept(&shown(0), NOW, used), None);
    assert_eq!(RFC.accept(&shown(-1), NOW, used), None);
    assert_eq!(RFC.accept(&shown(1), NOW, used), Some(STEP + 1));
    assert_eq!(RFC.accept(&shown(-1), NOW, Some(STEP - 2)), Some(STEP - 1));
}

#[test]
fn a_code_that_two_steps_share_works_once() {
    // Found by search: these steps have the same code with one between them.
    let same = 57_017_782;
    assert_eq!(RFC.code(same), RFC.code(same + 2));
    let code = RFC.code_at(Instant(same * STEP_MS));
    let now = Instant((same + 1) * STEP_MS);
    let used = RFC.accept(&code, now, None);
    assert_eq!(used, Some(same + 2));
    assert_eq!(RFC.accept(&code, now, used), None);
}

#[test]
fn only_six_digits_are_a_code() {
    let code = shown(0);
    let (a, b) = code.split_at(3);
    for typed in [code.clone(), format!(" {a} {b}\n"), format!("{a}\u{a0}{b}")] {
        assert_eq!(RFC.accept(&typed, NOW, None), Some(STEP), "{typed:?}");
    }
    for typed in [
        String::new(),
        a.into(),
        format!("{code}0"),
        format!("0{code}"),
        format!("+{}", code.get(1..).unwrap()),
        format!("{a}-{b}"),
        code.replace(|c: char| c.is_ascii_digit(), "\u{661}"),
    ] {
        assert_eq!(RFC.accept(&typed, NOW, None), None, "{typed:?}");
    }
}

#[test]
fn the_uri_for_an_app_has_everything_in_the_expected_form() {
    assert_eq!(
        RFC.otpauth_uri("Overturn & Co: test", "dana+1@exämple.com"),
        "otpauth://totp/Overturn%20%26%20Co%3A%20test:dana%2B1%40ex%C3%A4mple.com?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ\
         &issuer=Overturn%20%26%20Co%3A%20test&algorithm=SHA1&digits=6&period=30"
    );
}

#[test]
fn a_secret_is_stored_as_its_bytes_and_not_printed() {
    let stored = TotpSecret::from_bytes(RFC.as_bytes()).unwrap();
    assert_eq!(stored.expose_base32(), RFC.expose_base32());
    assert!(TotpSecret::from_bytes(&[1; 19]).is_none());
    assert!(TotpSecret::from_bytes(&[1; 21]).is_none());
    assert_eq!(format!("{RFC:?}"), "TotpSecret(…)");
}

#[test]
fn a_secret_reads_back_from_what_a_person_is_shown() {
    let shown = RFC.expose_base32();
    let read = TotpSecret::from_base32(&shown).unwrap();
    assert_eq!(read.as_bytes(), RFC.as_bytes());
    for other in ["", "GEZDGNBV", shown.get(1..).unwrap(), &shown.to_lowercase(), &shown.replace('G', "1")] {
        assert!(TotpSecret::from_base32(other).is_none(), "{other}");
    }
}

proptest! {
    #![proptest_config(overturn_core::testing::config())]
    #[test]
    fn any_code_at_any_time_is_judged_without_a_panic(
        code in "\\PC{0,12}|[0-9 ]{5,8}", now in any::<i64>(), last in any::<Option<i64>>(),
    ) {
        if let Some(step) = RFC.accept(&code, Instant(now), last) {
            prop_assert!((step - now.div_euclid(30_000)).abs() <= 1);
            prop_assert!(last.is_none_or(|last| step > last));
        }
    }
}
