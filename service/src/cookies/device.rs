//! Devices on which an account has signed in before.
//!
//! Rate limits slow down password guessing per account, and so an attacker could lock the account's person out.
//! Therefore a device that completed a sign-in keeps a cookie for the account, and its attempts are counted separately
//! from those of unknown devices. The cookie alone gives no access. (OWASP: Slow Down Online Guessing Attacks with Device
//! Cookies.)

use crate::store::keyring::MacKey;
use data_encoding::{BASE64URL_NOPAD, HEXLOWER};
use hmac::{Hmac, KeyInit, Mac};
use overturn_core::base::instant::DAY_MS;
use overturn_core::base::mac;
use sha2::{Digest, Sha256};

/// How long a device is known: 180 days.
pub(crate) const KNOWN_MS: i64 = 180 * DAY_MS;

/// The most accounts for which a device is known: several people share the computer at a front desk.
const ACCOUNTS_MAX: usize = 5;
/// Separates the marks of two accounts in one cookie.
const BETWEEN: char = '~';
/// Longest mark of an account.
const MARK_MAX: usize = 80;

/// The cookie of a device with a new mark first. Of the earlier marks, the latest ones accepted by `keep` stay.
pub(crate) fn join(mark: &str, before: Option<&str>, keep: impl Fn(&str) -> bool) -> String {
    let mut cookie = String::from(mark);
    let before = marks(before.unwrap_or_default()).filter(|mark| is_mark(mark) && keep(mark));
    for mark in before.take(ACCOUNTS_MAX.saturating_sub(1)) {
        cookie.push(BETWEEN);
        cookie.push_str(mark);
    }
    cookie
}

/// The marks in a cookie, up to the maximum.
fn marks(cookie: &str) -> impl Iterator<Item = &str> {
    cookie.split(BETWEEN).take(ACCOUNTS_MAX)
}

/// True if a text is allowed in a cookie.
fn is_mark(text: &str) -> bool {
    let fits = |c: char| c.is_ascii_alphanumeric() || "-_.".contains(c);
    !text.is_empty() && text.len() <= MARK_MAX && text.chars().all(fits)
}

/// The mark of a device in its cookie, for the account of an address by its key, under the first key of the service.
pub(crate) fn mark(keys: &[MacKey], email_key: &str, random: [u8; 16]) -> String {
    let nonce = BASE64URL_NOPAD.encode(&random);
    let mac = keys.first().map(|key| mac(key, email_key, &nonce).finalize().into_bytes());
    format!("{nonce}.{}", BASE64URL_NOPAD.encode(&mac.unwrap_or_default()))
}

/// The identifier that attempts from a device cookie are counted by; `None` if the cookie has no mark of this account that
/// a key made.
pub(crate) fn recognise(keys: &[MacKey], email_key: &str, cookie: &str) -> Option<String> {
    marks(cookie).find_map(|mark| recognise_mark(keys, email_key, mark))
}

fn recognise_mark(keys: &[MacKey], email_key: &str, mark: &str) -> Option<String> {
    let (nonce, code) = mark.split_once('.')?;
    let code = BASE64URL_NOPAD.decode(code.as_bytes()).ok()?;
    let made = |key| mac(key, email_key, nonce).verify_slice(&code).is_ok();
    keys.iter().any(made).then(|| HEXLOWER.encode(&Sha256::digest(mark)))
}

fn mac(key: &MacKey, email_key: &str, nonce: &str) -> Hmac<Sha256> {
    let mut mac = Hmac::<Sha256>::new(&mac::block(&key.0).into());
    mac.update(email_key.as_bytes());
    // No address contains a line break.
    mac.update(b"\n");
    mac.update(nonce.as_bytes());
    mac
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEYS: &[MacKey] = &[MacKey([1; 32])];

    #[test]
    fn a_device_is_known_for_its_account_and_no_other() {
        let cookie = mark(KEYS, "ann@a.example", [2; 16]);
        let known = recognise(KEYS, "ann@a.example", &cookie);
        assert!(known.is_some());
        assert_ne!(known, recognise(KEYS, "ann@a.example", &mark(KEYS, "ann@a.example", [3; 16])));
        assert_eq!(recognise(KEYS, "bob@a.example", &cookie), None);
        assert_eq!(recognise(&[MacKey([4; 32])], "ann@a.example", &cookie), None);
        assert_eq!(recognise(&[MacKey([4; 32]), KEYS[0]], "ann@a.example", &cookie), known);
    }

    #[test]
    fn a_device_is_known_for_several_accounts_the_latest_first() {
        let email = |n: u8| format!("p{n}@a.example");
        let mut cookie: Option<String> = None;
        for n in 0..7 {
            let keep = |mark: &str| recognise(KEYS, &email(n), mark).is_none();
            let new = mark(KEYS, &email(n), [n; 16]);
            cookie = Some(join(&new, cookie.as_deref(), keep));
        }
        let cookie = cookie.unwrap();
        for n in 0..7 {
            assert_eq!(recognise(KEYS, &email(n), &cookie).is_some(), n >= 2, "{n}");
        }
        // A new sign-in does not remove other people's marks.
        let keep = |mark: &str| recognise(KEYS, &email(6), mark).is_none();
        let again = join(&mark(KEYS, &email(6), [9; 16]), Some(&cookie), keep);
        assert_eq!(again.split('~').count(), 5);
        assert!(recognise(KEYS, &email(2), &again).is_some());
        // Forged marks are removed.
        let planted = join("a.b", Some("x\"y~~; Domain=evil~c.d"), |_| true);
        assert_eq!(planted, "a.b~c.d");
    }

    #[test]
    fn an_unsigned_claim_has_no_signature() {
        let cookie = mark(KEYS, "a@a.example", [2; 16]);
        let (nonce, _) = cookie.split_once('.').unwrap();
        for forged in ["", ".", nonce, &format!("{nonce}."), &format!("{nonce}.AAAA"), "a.b.c"] {
            assert_eq!(recognise(KEYS, "a@a.example", forged), None, "{forged}");
        }
    }
}
