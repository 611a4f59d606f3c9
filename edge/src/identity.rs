//! The identity Worker, which checks what authenticators and identity providers sign.

use crate::error::AppError;
use crate::platform;
use crate::recent::{Recent, recent};
use overturn_core::identity::passkeys::{BeginAssertion, RelyingParty};
use overturn_core::identity::{Question, Verdict};
use std::cell::Cell;
use std::time::Duration;
use worker::{Fetcher, Method, RequestInit, Response};

/// How long a question may take. Signatures take a few milliseconds, and a new instance a few hundred.
const PATIENCE: Duration = Duration::from_secs(5);

thread_local! {
    static LAST: Recent = const { Cell::new(None) };
}

/// The identity Worker, by its service binding.
pub(crate) struct Identity(Fetcher);

impl Identity {
    pub(crate) fn new(worker: Fetcher) -> Self {
        Self(worker)
    }

    /// Asks a question. A refused proof is an answer; who asks logs its reason.
    ///
    /// # Errors
    ///
    /// The Worker is not there or did not answer in time, or its answer does not fit the question.
    pub(crate) async fn ask<Q: Question>(
        &self,
        question: &Q,
    ) -> Result<Verdict<Q::Answer>, AppError> {
        let question =
            serde_json::to_string(question).map_err(|_| AppError::Internal("a question"))?;
        let answer = platform::within(PATIENCE, self.post(Q::PATH, question)).await;
        let answer = answer.ok_or(AppError::Unavailable("the identity Worker is slow"))??;
        // The cause could hold a value of the answer.
        serde_json::from_str(&answer)
            .map_err(|_| AppError::Internal("the identity Worker's answer does not fit"))
    }

    /// The state for `GET /health`: `ok` or `away`. The question is one that begins a sign-in.
    pub(crate) async fn health(&self, rp: RelyingParty) -> &'static str {
        let allow = Vec::new();
        let question = BeginAssertion { rp, allow };
        let answers = async { self.ask(&question).await.is_ok() };
        if recent(&LAST, answers).await {
            "ok"
        } else {
            "away"
        }
    }

    async fn post(&self, path: &str, question: String) -> Result<String, AppError> {
        let mut init = RequestInit::new();
        init.with_method(Method::Post)
            .with_body(Some(question.into()));
        // The binding leads to the Worker by itself, so the host names nothing.
        let url = format!("https://identity.invalid{path}");
        // The cause can hold the question.
        let away = |_| AppError::Unavailable("the identity Worker is away");
        let found = self.0.fetch(url, Some(init)).await.map_err(away)?;
        match found.status().as_u16() {
            200 => {}
            // wrangler answers so while the Worker is not served.
            503 => return Err(AppError::Unavailable("the identity Worker is away")),
            _ => return Err(AppError::Internal("the identity Worker failed")),
        }
        let mut found = Response::try_from(found).map_err(away)?;
        found.text().await.map_err(away)
    }
}
