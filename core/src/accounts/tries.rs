//! Wrong passwords in a row, after which an account's password is closed (NIST SP 800-63B-4, 3.2.2: at most 100).
//!
//! Rate limits slow somebody down who guesses. This stops them: after so many wrong ones without a right one between them, no
//! password is right for the account, from no device, until its person has used a link out of a letter. An attempt is counted
//! before the password is compared, so that of many at once no more are compared than are allowed.

use crate::accounts::sign_in::{Account, SignInContext};
use crate::base::email::EmailAddress;
use crate::plan::accounts::PasswordTry;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{After, Answer, Change, Letter, LetterKind};
use crate::plan::{AccountsGuard, AccountsWrite, Guard, Write};
use serde::Deserialize;
use serde_json::json;

/// What the store knows of an account's attempts since the last right password.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Deserialize)]
pub struct Tries {
    /// How many there were.
    pub tries: i64,
    /// Whether the password was closed, which its person was told of.
    pub closed: bool,
}

impl Tries {
    /// Whether an attempt that is among those counted may be compared, where so many may fail.
    #[must_use]
    pub const fn allow(self, most: i64) -> bool {
        !self.closed && self.tries <= most
    }
}

/// Counts a try, before the password is compared. A batch that runs twice counts it twice: the count may be too high, never too low.
#[must_use]
pub const fn count(of: PasswordTry) -> Write<'static> {
    Write::Accounts(AccountsWrite::PasswordTried(of))
}

/// Closes the password after an attempt that was wrong, and tells its person. `None` where there is nothing to close: attempts
/// are left, the password is closed already, or the account has none. Of several attempts at once, one closes it.
#[must_use]
pub fn close(
    account: &Account,
    tries: Tries,
    most: i64,
    setting: SignInContext<'_>,
) -> Option<Change> {
    let is_last = tries.tries >= most && !tries.closed && account.password_hash.is_some();
    if !is_last {
        return None;
    }
    let user = account.user_id;
    let event = Event::PasswordClosed;
    let entry = Entry::new(setting.ctx, 2, account.practice_id, event, user)
        .detail(json!({ "failures": most, "ip": setting.place.ip }));
    let change = Change::new(entry, Answer::empty())
        .guard(Guard::Accounts(AccountsGuard::PasswordOpen(user)))
        .write(Write::Accounts(AccountsWrite::PasswordClosed(user)));
    Some(match EmailAddress::parse(&account.email) {
        Some(to) => change.after(After::Mail(Letter {
            to,
            says: LetterKind::PasswordClosed { failures: most },
        })),
        None => change,
    })
}
