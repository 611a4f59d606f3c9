//! An assertion of a passkey: the sign-in without a password, and the second factor.
//!
//! An assertion with user verification proves two factors: the passkey and what unlocks it (NIST SP 800-63B-4, 2.2). This
//! also holds for a synced passkey. Every assertion needs user verification, so a passkey alone signs in.

use super::{Credential, StoredPasskey, known, recent};
use crate::accounts::account::Account;
use crate::accounts::ceremony::OpenedCeremony;
use crate::accounts::continuation::StoredContinuation;
use crate::accounts::new_session::{self, SignInContext};
use crate::accounts::sign_in::{self, FirstFactor, ShownFactor};
use crate::base::id::{PasskeyId, UserId};
use crate::base::instant::Instant;
use crate::base::secret::ContinuationToken;
use crate::base::time::Time;
use crate::identity::passkeys::{AssertedCredential, BeginAssertion, BegunCeremony, CheckAssertion, RelyingParty};
use crate::plan::accounts::SpentProof;
use crate::plan::audit::{Entry, Event};
use crate::plan::change::{Answer, Change, LetterKind};
use crate::plan::{AccountsGuard, AccountsWrite, Guard, Write};
use crate::request::declare::body;
use crate::request::declare::kinds::Token;
use crate::request::error::RequestError;
use crate::request::reason::Reason;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use serde::{Deserialize, Serialize};
use serde_json::json;

body! {
    PasskeySignIn { credential: Credential }
}

body! {
    /// Asks for the options of a second factor.
    AskedFactor { continuation_token: Token<ContinuationToken> }
}

/// A ceremony that the browser's cookie holds.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Assertion {
    /// The identity Worker's state: the challenge and its end.
    pub state: String,
    /// The hash of the continuation token that the assertion is for; `None` for a sign-in without a password.
    pub continuation: Option<String>,
}

/// A stored passkey with its account, which is active.
#[derive(Clone, Debug, Deserialize)]
pub struct PasskeyOfAccount {
    pub passkey: StoredPasskey,
    pub account: Account,
}

/// Begins a sign-in without a password. The authenticator names the account.
#[must_use]
pub const fn begin_sign_in(rp: RelyingParty) -> BeginAssertion {
    BeginAssertion { rp, allow: Vec::new() }
}

/// Begins a second factor for the account of a continuation token. If the ids of its passkeys are too long for the cookie, the
/// options name those that were used last.
///
/// # Errors
///
/// [`RequestError::SignInFailed`] for a token that cannot be used, [`RequestError::Conflict`] for an account without passkeys: who has
/// the token has shown the first factor, and may learn which second factors there are.
pub fn begin_second_factor(
    stored: Option<&StoredContinuation>,
    passkeys: &[StoredPasskey],
    rp: RelyingParty,
    now: Instant,
) -> Result<BeginAssertion, RequestError> {
    stored.filter(|stored| stored.can_be_tried(now)).ok_or(RequestError::SignInFailed)?;
    if passkeys.is_empty() {
        return Err(RequestError::Conflict(Reason::NoFactor, "the account has no passkey"));
    }
    Ok(BeginAssertion { rp, allow: known(recent(passkeys)) })
}

/// The answer to a ceremony that has begun: `{options}`.
#[must_use]
pub fn options(begun: &BegunCeremony) -> Answer {
    Answer::new(200, &json!({ "options": begun.options }))
}

/// What an assertion is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AssertionUse<'a> {
    /// A sign-in without a password.
    SignIn,
    /// The second factor of an account, for the continuation token of this hash.
    SecondFactor(UserId, &'a str),
}

/// What is stored about an assertion.
#[derive(Clone, Copy, Debug)]
pub struct StoredAssertion<'a> {
    /// The passkey that it names, with its account.
    pub passkey: Option<&'a PasskeyOfAccount>,
    /// True if its challenge was used.
    pub is_spent: bool,
}

/// The reason in the log of an assertion whose challenge was used.
pub const SPENT: &str = "spent";

/// The question whether the browser's response is an assertion of a stored passkey, and what waits for its answer.
///
/// # Errors
///
/// The reason for the log, if the browser did not begin this ceremony, if its challenge was used, or if the passkey is unknown
/// or belongs to another account.
pub fn question<'a>(
    ceremony: Option<OpenedCeremony<Assertion>>,
    used_for: AssertionUse<'_>,
    stored: StoredAssertion<'a>,
    response: &Credential,
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
        return Err(SPENT);
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
pub struct PendingAssertion<'a> {
    of: &'a PasskeyOfAccount,
    spent: SpentProof,
}

impl<'a> PendingAssertion<'a> {
    /// Judges the assertion, whose signature is right.
    ///
    /// # Errors
    ///
    /// [`CounterRepeated`] unless the counter grew. A passkey whose counter is always 0 has none.
    pub fn judge(self, asserted: AssertedCredential) -> Result<AcceptedAssertion, CounterRepeated<'a>> {
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
pub struct CounterRepeated<'a> {
    of: &'a PasskeyOfAccount,
    spent: SpentProof,
}

impl CounterRepeated<'_> {
    /// The account of the passkey.
    #[must_use]
    pub const fn user_id(&self) -> UserId {
        self.of.passkey.user_id
    }

    /// Records it in the account's trail, and notifies the person. The passkey still works: which of the two is the copy is not
    /// known, and the person can remove it. Each challenge is recorded once.
    #[must_use]
    pub fn recorded(self, setting: SignInContext<'_>) -> Change {
        let PasskeyOfAccount { passkey, account } = self.of;
        let event = Event::PasskeyCopied;
        let entry = Entry::new(setting.ctx, 2, account.practice_id, event, passkey.id)
            .detail(json!({ "user_id": account.user_id, "ip": setting.place.ip }));
        let unspent = AccountsGuard::ProofUnspent(self.spent.hash.clone());
        let change = Change::new(entry, Answer::empty())
            .guard(Guard::Accounts(unspent))
            .write(Write::Accounts(AccountsWrite::ProofSpent(self.spent)));
        let says = LetterKind::PasskeyCopied { name: passkey.name.clone(), at: Time(setting.ctx.now) };
        new_session::tell(change, account, says)
    }
}

/// An accepted assertion. The batch that uses it spends it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AcceptedAssertion {
    user_id: UserId,
    passkey: PasskeyId,
    /// The stored counter that it was judged by.
    sign_count: u32,
    asserted: AssertedCredential,
    spent: SpentProof,
}

impl AcceptedAssertion {
    /// The account of the passkey.
    #[must_use]
    pub const fn user_id(&self) -> UserId {
        self.user_id
    }

    /// Adds the use of the passkey to a change, and its id to the audit row. The challenge must be unspent, and the passkey
    /// unchanged since it was judged.
    #[must_use]
    pub(crate) fn spend(self, change: Change) -> Change {
        let Self { user_id: user, passkey, sign_count, asserted, spent } = self;
        change
            .also_audit("passkey_id", &passkey)
            .guard(Guard::Accounts(AccountsGuard::ProofUnspent(spent.hash.clone())))
            .guard(Guard::Accounts(AccountsGuard::Passkey { user, passkey, sign_count }))
            .write(Write::Accounts(AccountsWrite::ProofSpent(spent)))
            .write(Write::Accounts(AccountsWrite::PasskeyUsed { user, passkey, asserted }))
    }
}

/// Signs in without a password.
#[must_use]
pub fn sign_in(account: &Account, accepted: AcceptedAssertion, setting: SignInContext<'_>) -> Change {
    let passkey = accepted.passkey.to_string();
    let first = ShownFactor {
        by: FirstFactor::Passkey,
        source: Some(&passkey),
        sso: false,
        proves_second_factor: true,
        verified_at: Some(setting.ctx.now),
    };
    accepted.spend(sign_in::passed(account, first, setting).change)
}

/// The audit row of a sign-in whose assertion was refused.
#[must_use]
pub fn failure(account: &Account, setting: SignInContext<'_>) -> Entry {
    let event = Event::SignInFailed;
    let entry = Entry::new(setting.ctx, 0, account.practice_id, event, account.user_id);
    entry.detail(json!({ "by": FirstFactor::Passkey.name(), "ip": setting.place.ip }))
}
