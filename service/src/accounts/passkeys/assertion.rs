//! An assertion of a passkey: the sign-in without a password, and the second factor.
//!
//! An assertion with user verification proves two factors: the passkey and what unlocks it (NIST SP 800-63B-4, 2.2). This
//! also holds for a synced passkey. Every assertion needs user verification, so a passkey alone signs in.

use crate::accounts::account::{ACCOUNT, Account};
use crate::accounts::new_session::{SignInContext, tell};
use crate::accounts::passkeys::ceremony::{self, log, relying_party, spend, unspent};
use crate::accounts::passkeys::{Credential, PASSKEY, StoredPasskey};
use crate::call::Call;
use crate::cookies::ceremony::{CeremonyPurpose, OpenedCeremony, SpentProof};
use crate::extract::NamesCell;
use crate::pipeline;
use crate::plan::Actor;
use crate::plan::change::LetterKind;
use crate::prelude::*;
use crate::request::declare::body;
use overturn_core::base::cell::Cell;
use overturn_core::base::id::{PasskeyId, UserId};
use overturn_core::identity::passkeys::{AssertedCredential, CheckAssertion, RelyingParty};
use std::rc::Rc;

body! {
    PasskeySignIn { credential: Credential }
}

impl NamesCell for PasskeySignIn {
    fn handed_out(&self) -> Option<(String, Cell)> {
        self.credential.user().map(|user| (user.to_string(), user.cell()))
    }
}

/// A ceremony that the browser's cookie holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub(crate) struct Assertion {
    /// The identity Worker's state: the challenge and its end.
    pub(crate) state: String,
    /// The hash of the continuation token that the assertion is for; `None` for a sign-in without a password.
    pub(crate) continuation: Option<String>,
}

/// The ceremony of an assertion in the browser's cookie.
pub(crate) fn open(call: &Call, cookie: Option<&str>) -> Option<OpenedCeremony<Assertion>> {
    ceremony::open(call, CeremonyPurpose::Assertion, cookie)
}

/// A stored passkey with its account, which is active.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct PasskeyOfAccount {
    pub(crate) passkey: StoredPasskey,
    pub(crate) account: Account,
}

/// The passkey of a credential id with its account, if the account is active.
pub(crate) fn passkey_of_credential(credential_id: &str) -> Query<Option<PasskeyOfAccount>> {
    select!(
        "accounts.passkey_of_credential",
        "SELECT json_object('passkey', {PASSKEY}, 'account', {ACCOUNT}) AS json
         FROM passkeys k JOIN users u ON u.id = k.user_id AND u.state = 'active'
           LEFT JOIN practices p ON p.id = u.practice_id
         WHERE k.credential_id = {credential_id}" [PASSKEY, ACCOUNT];
        credential_id
    )
    .optional()
}

/// What an assertion is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum AssertionUse<'a> {
    /// A sign-in without a password.
    SignIn,
    /// The second factor of an account, for the continuation token of this hash.
    SecondFactor(UserId, &'a str),
}

/// What is stored about an assertion.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StoredAssertion<'a> {
    /// The passkey that it names, with its account.
    pub(crate) passkey: Option<&'a PasskeyOfAccount>,
    /// True if its challenge was used.
    pub(crate) is_spent: bool,
}

/// An assertion as a request presents it.
pub(crate) struct PresentedAssertion<'a> {
    pub(crate) ceremony: Option<OpenedCeremony<Assertion>>,
    pub(crate) used_for: AssertionUse<'a>,
    /// The browser's response.
    pub(crate) response: &'a Credential,
    pub(crate) stored: StoredAssertion<'a>,
}

/// The assertion if it is accepted, otherwise nothing, and the reason is in the log. After the answer, a repeated counter
/// gets a row in the account's trail, and an email.
pub(crate) async fn accept(
    call: &Rc<Call>,
    presented: PresentedAssertion<'_>,
    setting: SignInContext<'_>,
) -> Result<Option<AcceptedAssertion>, AppError> {
    let (question, pending) = match question(presented, relying_party(call)) {
        Ok(question) => question,
        Err(reason) => {
            log(call, reason, "");
            return Ok(None);
        }
    };
    let Some(asserted) = ceremony::ask(call, &question).await? else {
        return Ok(None);
    };
    Ok(match pending.judge(asserted) {
        Ok(accepted) => Some(accepted),
        Err(repeated) => {
            log(call, "counter_repeated", "");
            let actor = Actor::User(repeated.of.passkey.user_id);
            pipeline::commit_in_background(call, actor, repeated.recorded(setting));
            None
        }
    })
}

/// True if the batch of an accepted sign-in failed because something changed after it was loaded: another request used the
/// challenge or the passkey, or the account changed.
pub(crate) const fn is_overtaken(done: &Result<Response, AppError>) -> bool {
    matches!(done, Err(AppError::Request(RequestError::SignInFailed)))
}

/// Logs the reason of such a failure.
pub(crate) fn log_overtaken(call: &Call) {
    log(call, "overtaken", "");
}

/// The question whether the browser's response is an assertion of a stored passkey, and what waits for its answer.
///
/// # Errors
///
/// The reason for the log, if the browser did not begin this ceremony, if its challenge was used, or if the passkey is
/// unknown or belongs to another account.
fn question<'a>(
    PresentedAssertion { ceremony, used_for, response, stored }: PresentedAssertion<'a>,
    rp: RelyingParty,
) -> Result<(CheckAssertion, PendingAssertion<'a>), &'static str> {
    let OpenedCeremony { content, spent } = ceremony.ok_or("no_ceremony")?;
    let (user, continuation) = match used_for {
        AssertionUse::SignIn => (None, None),
        AssertionUse::SecondFactor(user, hash) => (Some(user), Some(hash)),
    };
    if content.continuation.as_deref() != continuation {
        return Err("other_ceremony");
    }
    if stored.is_spent {
        return Err("spent");
    }
    let of = stored.passkey.ok_or("unknown_passkey")?;
    let passkey = &of.passkey;
    if user.is_some_and(|user| user != passkey.user_id) {
        return Err("other_account");
    }
    let question = CheckAssertion {
        rp,
        user_id: passkey.user_id,
        state: content.state,
        credential: response.expose(),
        stored: passkey.credential.clone(),
        named: continuation.is_some(),
    };
    Ok((question, PendingAssertion { of, spent }))
}

/// An assertion that the identity Worker is asked about.
#[derive(Clone, Debug)]
struct PendingAssertion<'a> {
    of: &'a PasskeyOfAccount,
    spent: SpentProof,
}

impl<'a> PendingAssertion<'a> {
    /// Judges the assertion, whose signature is right.
    ///
    /// # Errors
    ///
    /// [`CounterRepeated`] unless the counter grew. A passkey whose counter is always 0 has none.
    fn judge(self, asserted: AssertedCredential) -> Result<AcceptedAssertion, CounterRepeated<'a>> {
        let Self { of, spent } = self;
        let sign_count = of.passkey.credential.sign_count;
        let counts = sign_count != 0 || asserted.sign_count != 0;
        if counts && asserted.sign_count <= sign_count {
            return Err(CounterRepeated { of, spent });
        }
        Ok(AcceptedAssertion { user_id: of.passkey.user_id, passkey: of.passkey.id, sign_count, asserted, spent })
    }
}

/// The counter of an assertion was used before, so there may be a copy of the passkey.
#[derive(Clone, Debug)]
struct CounterRepeated<'a> {
    of: &'a PasskeyOfAccount,
    spent: SpentProof,
}

impl CounterRepeated<'_> {
    /// Records it in the account's trail, and notifies the person. The passkey still works: which of the two is the copy
    /// is not known, and the person can remove it. Each challenge is recorded once.
    fn recorded(self, setting: SignInContext<'_>) -> Change {
        let PasskeyOfAccount { passkey, account } = self.of;
        let entry = Entry::new(setting.ctx, 2, account.practice_id, Event::PasskeyCopied, passkey.id)
            .detail(json!({ "user_id": account.user_id, "ip": setting.place.ip }));
        let change = Change::new(entry, Answer::empty())
            .guard(unspent(&self.spent))
            .write_all(spend(&self.spent, setting.ctx.now));
        let says = LetterKind::PasskeyCopied { name: passkey.name.clone(), at: Time(setting.ctx.now) };
        tell(change, account, says)
    }
}

/// An accepted assertion. The batch that uses it uses it up.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct AcceptedAssertion {
    user_id: UserId,
    passkey: PasskeyId,
    /// The stored counter that it was judged by.
    sign_count: u32,
    asserted: AssertedCredential,
    spent: SpentProof,
}

impl AcceptedAssertion {
    /// The account of the passkey.
    pub(crate) const fn user_id(&self) -> UserId {
        self.user_id
    }

    pub(crate) const fn passkey(&self) -> PasskeyId {
        self.passkey
    }

    /// Adds the use of the passkey to a change, and its id to the audit row. The challenge must be unspent, and the passkey
    /// unchanged since it was judged.
    pub(crate) fn use_up(self, change: Change, now: Instant) -> Change {
        let Self { user_id: user, passkey: id, sign_count, asserted, spent } = self;
        change
            .also_audit("passkey_id", &id)
            .guard(unspent(&spent))
            .guard(abort_if!(
                Secret,
                "NOT EXISTS (SELECT 1 FROM passkeys WHERE user_id = {user} AND id = {id} AND sign_count = {sign_count})";
                user, id, sign_count = i64::from(sign_count)
            ))
            .write_all(spend(&spent, now))
            .write(sql!(
                "UPDATE passkeys SET sign_count = {sign_count}, backed_up = {backed_up}, last_used_at = {now}
                 WHERE user_id = {user} AND id = {id}";
                user, id, sign_count = i64::from(asserted.sign_count), backed_up = i64::from(asserted.backed_up), now
            ))
    }
}

#[cfg(test)]
pub(crate) mod tests;
