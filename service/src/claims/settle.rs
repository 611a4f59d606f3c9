//! The course of a send on a host: what is loaded again, opened and committed on the way to the answer.

use super::load as store;
use crate::call::Call;
use crate::error::AppError;
use crate::extract::{AnyBody, PresentedKey, WriteRequest};
use crate::pipeline;
use crate::pipeline::{queue, tampered};
use crate::response;
use crate::response::Response;
use http::StatusCode;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::{ClaimId, PracticeId};
use overturn_core::claims::intake::{
    self, Admitted, Course, OpenedClaim, SendResponse, Snapshot, Stopped, ValidSend, Written,
};
use overturn_core::plan::Plan;
use overturn_core::request::error::RequestError;
use overturn_core::request::limit::Verdict;
use overturn_store::error::DatabaseError;
use overturn_store::keyring::practice::PracticeKeys;
use std::rc::Rc;

/// Who asks to send.
pub(super) enum Asking<'a> {
    /// A billing system, with the limiter's answer about its key.
    Key(&'a PresentedKey, Option<Verdict>),
    /// A person of the practice. The limiter has allowed the request.
    Person(&'a WriteRequest<AnyBody>),
}

/// The body of a send, or its problems.
pub(super) fn parse<'a>(body: &'a Result<Vec<u8>, RequestError>, ctx: &Ctx) -> Result<ValidSend<'a>, RequestError> {
    let body = body.as_ref().map_err(RequestError::clone)?;
    intake::parse(body, ctx).map_err(RequestError::Invalid)
}

/// The response: `201` if a claim was new, `200` otherwise.
pub(super) fn response(answer: &SendResponse<'_>) -> Response {
    let status = if answer.submission_id.is_some() { StatusCode::CREATED } else { StatusCode::OK };
    response::json(status, answer)
}

/// The answer to a send.
pub(super) async fn settle<'a>(
    call: &Rc<Call>,
    asking: Asking<'_>,
    parsed: Result<&'a ValidSend<'a>, &RequestError>,
    loaded: store::Loaded,
) -> Result<SendResponse<'a>, AppError> {
    let store::Loaded { snapshot, caller } = loaded;
    let mut course = Sending { call, asking, parsed, caller, keys: None };
    let answer = intake::settle(&mut course, snapshot, &call.ctx).await?;
    answer.ok_or(AppError::Unavailable("rounds"))
}

struct Sending<'c, 'r, 'a> {
    call: &'c Rc<Call>,
    asking: Asking<'r>,
    parsed: Result<&'a ValidSend<'a>, &'r RequestError>,
    caller: store::Loader,
    /// The keys of the practice, once the caller is admitted.
    keys: Option<PracticeKeys<'c>>,
}

impl Sending<'_, '_, '_> {
    fn keys(&self) -> Result<&PracticeKeys<'_>, AppError> {
        self.keys.as_ref().ok_or(AppError::Internal("no keys"))
    }
}

impl<'a> Course<'a> for Sending<'_, '_, 'a> {
    type Error = AppError;

    /// A practice's first send makes its data key. A send that loses the race for it starts over.
    fn admit(&mut self, snapshot: &Snapshot) -> Result<Admitted<'a>, AppError> {
        let verdict = match self.asking {
            Asking::Key(_, verdict) => verdict,
            Asking::Person(_) => None,
        };
        let credential = snapshot.credential.as_ref();
        let admitted = self.caller.admit(credential, self.parsed, verdict, &self.call.ctx);
        let (sender, send) = admitted?;
        let stored = self.caller.data_key.as_ref();
        let keys = tampered::keys_to_seal(self.call, sender.practice_id, stored)?;
        let key = keys.identity()?.ok_or(RequestError::KeyUnavailable)?.clone();
        self.keys = Some(keys);
        Ok(Admitted { sender, send, key, bounds: self.call.app.settings.mismatches })
    }

    async fn load(&mut self) -> Result<Snapshot, AppError> {
        let send = self.parsed.ok();
        let loaded = match &self.asking {
            Asking::Key(key, _) => store::load_send(&self.call.db, key, send, &self.call.ctx).await?,
            Asking::Person(request) => store::load_send_of_person(request, send, false).await?,
        };
        self.caller = loaded.caller;
        Ok(loaded.snapshot)
    }

    async fn open(&mut self, practice: PracticeId, claims: Vec<ClaimId>) -> Result<Vec<OpenedClaim>, AppError> {
        let found = store::to_open(&self.call.db, practice, &claims).await?;
        let keys = self.keys()?;
        let opened = found.into_iter().map(|claim| OpenedClaim::open(claim, practice, keys));
        let opened: Result<Vec<_>, _> = opened.collect();
        Ok(tampered::noted(self.call, opened)?)
    }

    async fn write(&mut self, plan: &Plan<'_>) -> Result<Written, AppError> {
        let written = store::commit(self.call, self.keys()?, plan).await?;
        if matches!(written, Written::Done(_)) {
            queue::announce(self.call, &plan.writes);
        }
        Ok(written)
    }

    /// If the owners were not notified about the limit, their email is written first; the scheduled job sends it.
    async fn stop(&mut self, stopped: Stopped) -> Result<AppError, AppError> {
        let Stopped { items, retry_after, alarm } = stopped;
        if let Some(plan) = alarm {
            match pipeline::run(&self.call.db, &self.call.app, &plan).await {
                // Another request wrote it first.
                Err(DatabaseError::Conflict(_)) => {}
                done => drop(done?),
            }
        }
        Ok(AppError::Request(RequestError::ResendsStopped { items, retry_after }))
    }
}
