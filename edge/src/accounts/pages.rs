//! The pages of mailed links. Each form does the same as a route of `/api/v1/auth`, and shows the result.

pub(crate) mod html;

use crate::accounts::{invitation, links, passwords, sign_in as signing_in};
use crate::call::Call;
use crate::error::AppError;
use crate::extract::{FormRequest, LinkRequest};
use crate::html::{Failed, failed, respond};
use crate::sign_in_limits;
use axum::http::StatusCode;
use axum::http::header::SET_COOKIE;
use axum::response::Response;
use html::{Choice, CompletedAction, FieldProblem};
use overturn_core::accounts::link;
use overturn_core::base::secret::{ContinuationToken, LinkToken};
use overturn_core::plan::accounts::LinkKind;
use overturn_core::request::error::RequestError;
use overturn_core::request::problem;
use overturn_store::accounts::queries;
use std::sync::Arc;

/// `GET /auth/magic_link`: a button. Whether the link can still be used is not looked up.
pub(crate) async fn show_sign_in(LinkRequest { token, .. }: LinkRequest) -> Response {
    respond(StatusCode::OK, html::confirm_sign_in(token.expose()))
}

/// `POST /auth/magic_link`: the submitted button.
#[worker::send]
pub(crate) async fn sign_in(request: FormRequest) -> Result<Response, AppError> {
    match signing_in::by_link(request.sign_in).await {
        Ok(answer) => Ok(done(&answer, CompletedAction::SignedIn)),
        Err(AppError::Request(RequestError::TwoFactorRequired(Some(token)))) => {
            let html = html::enter_code(token.expose(), false);
            Ok(respond(StatusCode::OK, html))
        }
        Err(refusal) => Err(refusal),
    }
}

/// `POST /auth/magic_link/code`: the second factor.
#[worker::send]
pub(crate) async fn enter_code(request: FormRequest) -> Result<Response, AppError> {
    let FormRequest { form, sign_in } = request;
    let call = Arc::clone(&sign_in.call);
    let shown = signing_in::by_second_factor(sign_in).await;
    let status = match &shown {
        Ok(answer) => return Ok(done(answer, CompletedAction::SignedIn)),
        Err(AppError::Request(RequestError::SignInFailed)) => StatusCode::UNAUTHORIZED,
        Err(AppError::Request(RequestError::Invalid(_))) => StatusCode::UNPROCESSABLE_ENTITY,
        Err(_) => return shown,
    };
    let html = another_code(&call, form.get("continuation_token")).await?;
    Ok(respond(status, html))
}

/// The form of the code once more, if another code may be tried. The caller has the token, so the answer reveals
/// nothing.
async fn another_code(call: &Call, text: &str) -> Result<String, AppError> {
    let can_be_tried = match text.parse::<ContinuationToken>() {
        Ok(token) => {
            let stored = call.db.read(&queries::continuation(&token.hash())).await?;
            stored.is_some_and(|stored| stored.can_be_tried(call.ctx.now))
        }
        Err(_) => false,
    };
    Ok(if can_be_tried {
        html::enter_code(text, true)
    } else {
        failed(Failed::SignIn)
    })
}

/// `GET /auth/password_reset`: the form of a new password.
pub(crate) async fn show_reset(LinkRequest { token, .. }: LinkRequest) -> Response {
    let html = html::choose_password(token.expose(), Choice::Reset, None);
    respond(StatusCode::OK, html)
}

/// `POST /auth/password_reset`: the submitted form.
#[worker::send]
pub(crate) async fn reset(request: FormRequest) -> Result<Response, AppError> {
    let FormRequest { form, sign_in } = request;
    match passwords::reset(sign_in).await {
        Ok(answer) => Ok(done(&answer, CompletedAction::PasswordSet)),
        Err(AppError::Request(RequestError::Invalid(problems))) => {
            let token = link::read(form.get("token"))?;
            let (field, text) = sentence(&problems);
            let problem = FieldProblem { field, text: &text };
            let html = html::choose_password(token.expose(), Choice::Reset, Some(problem));
            Ok(respond(StatusCode::UNPROCESSABLE_ENTITY, html))
        }
        Err(refusal) => Err(refusal),
    }
}

/// `GET /auth/invitation`: the form for a new account. A usable link shows the name of the practice.
#[worker::send]
pub(crate) async fn show_invitation(
    LinkRequest { call, token }: LinkRequest,
) -> Result<Response, AppError> {
    sign_in_limits::link(&call).await?;
    let html = invitation_form(&call, &token, "", None).await?;
    Ok(respond(StatusCode::OK, html))
}

/// `POST /auth/invitation`: the submitted form.
#[worker::send]
pub(crate) async fn accept_invitation(request: FormRequest) -> Result<Response, AppError> {
    let FormRequest { form, sign_in } = request;
    let call = Arc::clone(&sign_in.call);
    match invitation::accept(sign_in).await {
        Ok(answer) => Ok(done(&answer, CompletedAction::InvitationAccepted)),
        Err(AppError::Request(RequestError::Invalid(problems))) => {
            let token = link::read(form.get("token"))?;
            let (field, text) = sentence(&problems);
            let problem = FieldProblem { field, text: &text };
            let html = invitation_form(&call, &token, form.get("name"), Some(problem)).await?;
            Ok(respond(StatusCode::UNPROCESSABLE_ENTITY, html))
        }
        Err(refusal) => Err(refusal),
    }
}

async fn invitation_form(
    call: &Arc<Call>,
    token: &LinkToken,
    name: &str,
    problem: Option<FieldProblem<'_>>,
) -> Result<String, AppError> {
    let stored = links::stored(call, token).await?;
    let opened = link::open(token, stored.as_ref(), LinkKind::Invitation, call.ctx.now)?;
    // An invitation without a practice is for the staff.
    let practice = opened
        .account
        .practice_name
        .as_deref()
        .unwrap_or("Overturn");
    let choice = Choice::Invitation { practice, name };
    Ok(html::choose_password(token.expose(), choice, problem))
}

/// The page about a success, with the cookies of its answer.
fn done(answer: &Response, what: CompletedAction) -> Response {
    let mut page = respond(StatusCode::OK, html::done(what));
    for cookie in answer.headers().get_all(SET_COOKIE) {
        page.headers_mut().append(SET_COOKIE, cookie.clone());
    }
    page
}

/// The first problem of a form: its field, and a sentence for the reader.
fn sentence(problems: &[problem::Problem]) -> (&str, String) {
    let first = problems.first();
    let field = first.map_or("", |problem| &*problem.field);
    let text = first.map(ToString::to_string).unwrap_or_default();
    let mut letters = text.chars();
    let first = letters.next().into_iter().flat_map(char::to_uppercase);
    (field, first.chain(letters).chain(['.']).collect())
}
