//! Wrong passwords in a row, which close an account's password (NIST SP 800-63B-4, 3.2.2: at most 100).
//!
//! Rate limits slow down guessing. This rule stops it. After too many wrong passwords without a correct one in between,
//! no password works for the account from any device, until its person uses a mailed link. An attempt is counted before
//! the password is compared, so parallel attempts cannot exceed the limit.

use crate::accounts::account::Account;
use crate::accounts::new_session::SignInContext;
use crate::base::email::EmailAddress;
use crate::plan::accounts::PasswordTry;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{After, Answer, Change, LetterKind, PlannedLetter};
use crate::plan::{AccountsGuard, AccountsWrite, Guard, Write};
use serde::Deserialize;
use serde_json::json;

/// The stored attempts at an account's password since the last correct one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Deserialize)]
pub struct Tries {
    /// How many attempts.
    pub tries: i64,
    /// True if the password was closed and its person notified.
    pub closed: bool,
}

impl Tries {
    /// True if this attempt, which is already counted, may be compared, with `most` failures allowed.
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

/// Closes the password after a wrong attempt, and notifies its person. `None` if attempts are left, the password is
/// closed already, or the account has none. Of several parallel attempts, one closes it.
#[must_use]
pub fn close(account: &Account, tries: Tries, most: i64, setting: SignInContext<'_>) -> Option<Change> {
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
        Some(to) => {
            change.after(After::Mail(PlannedLetter { to, says: LetterKind::PasswordClosed { failures: most } }))
        }
        None => change,
    })
}
