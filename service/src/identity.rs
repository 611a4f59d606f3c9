//! The identity checks: what authenticators and identity providers sign.

use crate::error::AppError;
use crate::host::{AskError, Host};
use crate::memory::Recent;
use crate::recent::recent;
use overturn_core::identity::passkeys::{BeginAssertion, RelyingParty};
use overturn_core::identity::{Question, Verdict};
use std::rc::Rc;
use std::time::Duration;

/// How long a question may take. Signatures take a few milliseconds, and a new instance a few hundred.
const TIME_OUT: Duration = Duration::from_secs(5);

/// The identity checks of the host.
pub(crate) struct IdentityClient(Rc<Host>);

impl IdentityClient {
    pub(crate) fn new(host: Rc<Host>) -> Self {
        Self(host)
    }

    /// Asks a question. A refused proof is an answer; who asks logs its reason.
    ///
    /// # Errors
    ///
    /// The checks are not there or did not answer in time, or the answer does not fit the question.
    pub(crate) async fn ask<Q: Question>(&self, question: &Q) -> Result<Verdict<Q::Answer>, AppError> {
        let question = serde_json::to_string(question).map_err(|_| AppError::Internal("a question"))?;
        let asked = self.0.identity.ask(Q::PATH, question);
        let answer = self.0.within(TIME_OUT, asked).await;
        let answer = answer.ok_or(AppError::Unavailable("the identity Worker is slow"))?;
        let answer = answer.map_err(|error| match error {
            AskError::Away => AppError::Unavailable("the identity Worker is away"),
            AskError::Failed => AppError::Internal("the identity Worker failed"),
        })?;
        // The cause could hold a value of the answer.
        serde_json::from_str(&answer).map_err(|_| AppError::Internal("the identity Worker's answer does not fit"))
    }

    /// The state for `GET /health`: `ok` or `away`. The question is one that begins a sign-in.
    pub(crate) async fn health(&self, last: &Recent, rp: RelyingParty) -> &'static str {
        let allow = Vec::new();
        let question = BeginAssertion { rp, allow };
        let answers = async { self.ask(&question).await.is_ok() };
        if recent(&self.0, last, answers).await { "ok" } else { "away" }
    }
}
