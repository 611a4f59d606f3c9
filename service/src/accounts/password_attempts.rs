//! Wrong passwords in a row, which close an account's password (NIST SP 800-63B-4, 3.2.2: at most 100).
//!
//! Rate limits slow down guessing. This rule stops it. After too many wrong passwords without a right one in between, no
//! password works for the account from any device, until its person uses a mailed link. An attempt is counted before the
//! password is compared, and it reads its count in the same batch, so parallel attempts cannot exceed the limit. A batch
//! that runs twice counts twice: the count may be too high, never too low.

use crate::accounts::account::Account;
use crate::accounts::new_session::{SignInContext, tell};
use crate::call::Call;
use crate::pipeline;
use crate::plan::Actor;
use crate::plan::change::LetterKind;
use crate::prelude::*;
use overturn_core::base::id::UserId;
use std::rc::Rc;

/// The attempts at an account's password since the last right one.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Deserialize)]
pub(super) struct Attempts {
    pub(super) count: i64,
    /// True if the password was closed and its person notified.
    pub(super) closed: bool,
}

impl Attempts {
    /// True if this attempt, which is already counted, may be compared, with `most` failures allowed.
    pub(super) const fn allowed(self, most: i64) -> bool {
        !self.closed && self.count <= most
    }
}

/// The account in use for the key of an address. An address without an account has a row of its own, so that an attempt
/// takes as long.
const OF_ADDRESS: &str = "coalesce((SELECT id FROM users WHERE email_key = {email_key} AND state = 'active'), '')";

/// Attempts, as [`Attempts`] reads them.
const ATTEMPTS: &str =
    "SELECT json_object('count', tries, 'closed', json(iif(closed_at IS NULL, 'false', 'true'))) AS json
     FROM password_tries WHERE user_id =";

/// The attempts at the password of the account in use for an address, by the key of the address.
pub(super) fn of_address(email_key: &str) -> Query<Attempts> {
    select!("accounts.attempts_of_address", "{ATTEMPTS} {OF_ADDRESS}" [ATTEMPTS, OF_ADDRESS]; email_key).one()
}

/// The attempts at the password of an account.
pub(super) fn of_account(user: UserId) -> Query<Attempts> {
    select!("accounts.attempts_of_account", "{ATTEMPTS} {user}" [ATTEMPTS]; user).one()
}

/// Counts an attempt at the password of the account in use for an address.
pub(super) fn count_for_address(email_key: &str) -> Write {
    sql!(
        "INSERT INTO password_tries (user_id, tries) SELECT {OF_ADDRESS}, 1 WHERE true
         ON CONFLICT (user_id) DO UPDATE SET tries = tries + 1" [OF_ADDRESS];
        email_key
    )
}

/// Counts an attempt at the password of an account.
pub(super) fn count(user: UserId) -> Write {
    sql!(
        "INSERT INTO password_tries (user_id, tries) VALUES ({user}, 1)
         ON CONFLICT (user_id) DO UPDATE SET tries = tries + 1";
        user
    )
}

/// Restarts the count, and opens the password again.
pub(super) fn restart(user: UserId) -> Write {
    sql!("DELETE FROM password_tries WHERE user_id = {user}"; user)
}

/// Closes the password after the answer if this was one wrong password too many.
pub(super) fn close(call: &Rc<Call>, account: &Account, attempts: Attempts, setting: SignInContext<'_>) {
    let most = call.app.settings.password_failures;
    if let Some(change) = closed(account, attempts, most, setting) {
        pipeline::commit_in_background(call, Actor::User(account.user_id), change);
    }
}

/// `None` if attempts are left, the password is closed already, or the account has none. Of several parallel attempts,
/// one closes it and notifies the person.
pub(super) fn closed(account: &Account, attempts: Attempts, most: i64, setting: SignInContext<'_>) -> Option<Change> {
    let is_last = attempts.count >= most && !attempts.closed && account.password_hash.is_some();
    if !is_last {
        return None;
    }
    let user = account.user_id;
    let entry = Entry::new(setting.ctx, 2, account.practice_id, Event::PasswordClosed, user)
        .detail(json!({ "failures": most, "ip": setting.place.ip }));
    let change = Change::new(entry, Answer::empty())
        .guard(abort_if!(
            Record,
            "EXISTS (SELECT 1 FROM password_tries WHERE user_id = {user} AND closed_at IS NOT NULL)";
            user
        ))
        .write(sql!(
            "INSERT INTO password_tries (user_id, tries, closed_at) VALUES ({user}, 0, {now})
             ON CONFLICT (user_id) DO UPDATE SET closed_at = {now} WHERE closed_at IS NULL";
            user, now = setting.ctx.now
        ));
    Some(tell(change, account, LetterKind::PasswordClosed { failures: most }))
}

#[cfg(test)]
mod tests;
