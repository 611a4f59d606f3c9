use super::super::letter::NAME_MAX;
use super::super::notices::{
    agreement_ended, data_destroyed, destruction_cancelled, destruction_requested, provider_added, provider_changed,
    provider_removed, return_requested,
};
use super::*;
use overturn_core::base::text::is_printable;
use overturn_core::base::time::Time;

const TO: &str = "dana@example.com";
const URL: &str = "https://overturn.example/auth/x?token=ovt_test_0123";
const AT: &str = "March 4, 2026, 12:00 UTC";
const TEN_MINUTES: i64 = 600_000;
const SEVEN_DAYS: i64 = 7 * 86_400_000;

fn invited(practice: &str, inviter: &str) -> Letter {
    invitation(TO, practice, inviter, URL, SEVEN_DAYS)
}

#[test]
fn an_email_with_a_link_has_it_on_its_own_line_and_says_how_long_it_works() {
    for (letter, span) in [
        (sign_in(TO, URL, TEN_MINUTES), "10 minutes"),
        (password_reset(TO, URL, TEN_MINUTES), "10 minutes"),
        (invited("Lakeside", "Dana"), "7 days"),
    ] {
        let lines: Vec<&str> = letter.text.lines().collect();
        assert_eq!(lines.iter().filter(|line| **line == URL).count(), 1);
        assert_eq!(letter.text.matches("://").count(), 1);
        assert!(letter.text.contains(&format!("once, for {span}:")), "{letter:?}");
        assert!(letter.text.contains("you do not need to do anything"));
    }
}

#[test]
fn a_notice_has_no_link() {
    let at = Time::parse("2026-03-04T12:00:00Z").unwrap();
    for letter in [
        password_changed(TO),
        provider_added(TO, "Ann", at),
        provider_changed(TO, "Ann", at),
        provider_removed(TO, "Ann", at),
        factor_changed(TO),
        recovery_code_used(TO, AT, 9),
        recovery_code_used(TO, AT, 0),
        new_device(TO, AT, "192.0.2.1", "Mozilla/5.0 https://evil.example/x"),
        password_closed(TO, 100),
        passkey_copied(TO, "https://evil.example/x", AT),
        passkey_changed(TO, "https://evil.example/x", true),
        passkey_changed(TO, "https://evil.example/x", false),
        identity_changed(TO, "https://evil.example/x", true),
        identity_changed(TO, "https://evil.example/x", false),
    ] {
        assert_eq!(letter.to, TO);
        assert!(!letter.text.contains("://"), "{letter:?}");
        let asks = ["If it was not", "If you did not expect"];
        assert!(asks.iter().any(|ask| letter.text.contains(ask)), "{letter:?}");
    }
}

#[test]
fn an_email_about_a_sign_in_says_when_where_and_how() {
    let letter = new_device(TO, AT, "2001:db8::7", "Firefox/150.0 (Linux)\nhttps://x");
    for line in ["When:    March 4, 2026, 12:00 UTC", "Address: 2001:db8::7", "Browser: Firefox on Linux"] {
        assert!(letter.text.lines().any(|known| known == line), "{letter:?}");
    }
    let letter = new_device(TO, AT, "evil.example", " ");
    assert_eq!(letter.text.matches("not known").count(), 2, "{letter:?}");
    assert!(recovery_code_used(TO, AT, 1).text.contains("1 recovery code left"));
    assert!(recovery_code_used(TO, AT, 0).text.contains("your last one"));
    assert!(password_closed(TO, 100).text.contains("100 wrong passwords"));
}

#[test]
fn emails_about_another_person_say_that_a_new_password_keeps_passkeys() {
    for letter in [
        password_reset(TO, URL, TEN_MINUTES),
        password_changed(TO),
        factor_changed(TO),
        recovery_code_used(TO, AT, 9),
        new_device(TO, AT, "192.0.2.1", ""),
        passkey_changed(TO, "Front desk", true),
        passkey_changed(TO, "Front desk", false),
        identity_changed(TO, "Okta", false),
    ] {
        let text = letter.text.replace('\n', " ");
        assert!(text.contains("does not end passkeys"), "{letter:?}");
        assert!(text.contains("nder Your account"));
    }
    let added = passkey_changed(TO, "Front desk", true);
    assert!(added.text.contains("The passkey \"Front desk\" was\nadded"));
}

#[test]
fn subjects_differ_and_are_one_line_without_a_name() {
    let letters = [
        sign_in(TO, URL, TEN_MINUTES),
        password_reset(TO, URL, TEN_MINUTES),
        invited("Lakeside", "Dana"),
        password_changed(TO),
        factor_changed(TO),
        recovery_code_used(TO, AT, 9),
        new_device(TO, AT, "192.0.2.1", ""),
        password_closed(TO, 100),
        passkey_copied(TO, "Lakeside", AT),
        passkey_changed(TO, "Lakeside", true),
        passkey_changed(TO, "Lakeside", false),
        identity_changed(TO, "Lakeside", true),
        identity_changed(TO, "Lakeside", false),
    ];
    let subjects: std::collections::HashSet<&str> = letters.iter().map(|letter| letter.subject.as_str()).collect();
    assert_eq!(subjects.len(), letters.len());
    for subject in subjects {
        assert!(subject.is_ascii() && !subject.chars().any(char::is_control));
        assert!(!subject.contains("Lakeside") && !subject.contains("Dana"));
    }
}

#[test]
fn names_of_the_world_stand_in_quotes_as_they_are() {
    let letter = invited("Praxis für Gehör & Kehlkopf", "Zoë Łukasiewicz-O'Neill, M.D.");
    assert!(letter.text.contains("\"Zoë Łukasiewicz-O'Neill, M. D.\" invites"));
    assert!(letter.text.contains("\"Praxis für Gehör & Kehlkopf\" on"));
}

#[test]
fn a_name_becomes_no_link_no_line_and_no_end_of_its_quotes() {
    let plain = invited("P", "I");
    for name in [
        "https://evil.example/x",
        "evil.example",
        "evil。example",
        "mail me@evil.example",
        "P\" on Overturn.\r\n\r\nOpen this link instead: http://evil.example \"",
        "P\u{2028}http://evil.example",
        "P\u{202e}elpmaxe.live//:ptth",
        "<a href=\"//evil.example\">",
    ] {
        let letter = invited(name, name);
        assert_eq!(letter.text.matches("://").count(), 1, "{name:?}");
        assert_eq!(letter.text.matches('"').count(), 4, "{name:?}");
        assert_eq!(letter.text.lines().count(), plain.text.lines().count());
        assert!(!letter.text.contains('@'), "{name:?}");
        let names: Vec<&str> = letter.text.split('"').skip(1).step_by(2).take(2).collect();
        for name in names {
            let runs_on = |pair: &[u8]| pair[0] == b'.' && pair[1] != b' ';
            assert!(!name.as_bytes().windows(2).any(runs_on), "{name:?}");
            assert!(name.chars().all(is_printable), "{name:?}");
            assert!(!name.contains(['/', '<', '>', ':', '。']), "{name:?}");
        }
    }
}

#[test]
fn a_long_name_is_cut_at_a_character() {
    let letter = invited(&"ü".repeat(101), &"ü".repeat(100));
    assert!(letter.text.contains(&format!("\"{}…\"", "ü".repeat(NAME_MAX))));
    assert!(letter.text.contains(&format!("\"{}\" invites", "ü".repeat(NAME_MAX))));
}

#[test]
fn emails_about_the_end_of_an_agreement_have_a_date_and_neither_a_link_nor_a_name() {
    let at = Time::parse("2026-03-04T12:00:00Z").unwrap();
    let due = Time::parse("2026-03-11T12:00:00Z").unwrap();
    let letters = [
        agreement_ended(TO, at),
        return_requested(TO, at),
        destruction_requested(TO, at, Some(due)),
        destruction_cancelled(TO, at),
        data_destroyed(TO, at),
    ];
    let subjects: std::collections::HashSet<&str> = letters.iter().map(|letter| letter.subject.as_str()).collect();
    assert_eq!(subjects.len(), letters.len());
    for letter in &letters {
        assert!(letter.text.contains("March 4, 2026, 12:00 UTC"), "{letter:?}");
        assert!(!letter.text.contains("://"), "{letter:?}");
        assert!(letter.subject.is_ascii());
    }
    assert!(letters[2].text.contains("March 11, 2026, 12:00 UTC"));
}
