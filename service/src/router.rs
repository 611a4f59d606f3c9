//! The route table. An unknown path is `404`, an unknown method `405`.

use crate::accounts::handlers::{factors, invitation, magic_link, passkeys, password, session, sessions};
use crate::call::Call;
use crate::claims::{denials, handlers as claims};
use crate::documents::{handlers as documents, retention, staff as staff_documents};
use crate::error::AppError;
use crate::extract::FromCall;
use crate::html::path;
use crate::operations::{health, openapi, reseal};
use crate::response::Response;
use crate::settings::{agreements, api_keys, api_tokens, audit, data_jobs, members, practice, sso};
use crate::signing::{decision, link, page as signing, signature};
use crate::sso::{identities, oidc, providers, saml};
use crate::summaries;
use crate::webhooks::{deliveries, endpoints, missed, secrets};
use crate::work::{cases, claims as work, outcomes, patients, reports};
use futures_util::future::LocalBoxFuture;
use http::Method;
use std::rc::Rc;

/// A handler at work.
type Answering = LocalBoxFuture<'static, Result<Response, AppError>>;
/// Runs a handler.
type Run = Box<dyn Fn(Rc<Call>) -> Answering>;

/// A handler of a method.
struct Entry {
    method: Method,
    run: Run,
    /// The parts of the path that it takes.
    #[cfg(test)]
    parts: Vec<&'static str>,
    /// True if it takes `If-Match`.
    #[cfg(test)]
    takes_version: bool,
}

/// The methods of a path.
#[derive(Default)]
struct Methods(Vec<Entry>);

/// A path with its methods.
pub(crate) struct Route {
    /// Its pattern, by which the log names it and handlers find the parts of the path.
    pub(crate) pattern: &'static str,
    methods: Methods,
}

#[derive(Default)]
pub(crate) struct Routes {
    all: Vec<Route>,
    by_path: matchit::Router<usize>,
}

impl Routes {
    /// All routes, by context.
    pub(crate) fn new() -> Self {
        let mut routes = Self::default();
        claims_routes(&mut routes);
        accounts_routes(&mut routes);
        passkey_routes(&mut routes);
        sso_routes(&mut routes);
        settings_routes(&mut routes);
        work_routes(&mut routes);
        signing_routes(&mut routes);
        documents_routes(&mut routes);
        webhooks_routes(&mut routes);
        service_routes(&mut routes);
        routes
    }

    /// Adds a path with its methods.
    fn route(&mut self, pattern: &'static str, methods: Methods) {
        // Two routes that cannot be told apart are a mistake that the tests notice.
        if self.by_path.insert(pattern, self.all.len()).is_ok() {
            self.all.push(Route { pattern, methods });
        }
    }

    /// The route of a path.
    pub(crate) fn find(&self, path: &str) -> Option<&Route> {
        let found = self.by_path.at(path).ok()?;
        self.all.get(*found.value)
    }
}

impl Route {
    /// Answers a request. `HEAD` is answered as `GET`; its body is left out later.
    pub(crate) async fn answer(&self, call: Rc<Call>) -> Result<Response, AppError> {
        let asked = match call.method {
            Method::HEAD => Method::GET,
            ref other => other.clone(),
        };
        let mut entries = self.methods.0.iter();
        match entries.find(|entry| entry.method == asked) {
            Some(entry) => (entry.run)(call).await,
            None => Err(AppError::NoMethod),
        }
    }

    /// The methods of the path, for the header `Allow` of a `405`.
    pub(crate) fn allowed(&self) -> String {
        let mut allowed = Vec::new();
        for entry in &self.methods.0 {
            allowed.push(entry.method.as_str());
            if entry.method == Method::GET {
                allowed.push(Method::HEAD.as_str());
            }
        }
        allowed.join(", ")
    }
}

/// A function that answers a request. Its parameters say what it takes of the request.
trait Handler<T>: Copy + 'static {
    /// The parts of the path that it takes.
    #[cfg(test)]
    fn parts() -> Vec<&'static str>;
    /// True if it takes `If-Match`.
    #[cfg(test)]
    const TAKES_VERSION: bool;

    fn handle(self, call: Rc<Call>) -> Answering;
}

/// What a handler returns.
trait Answered {
    fn answered(self) -> Result<Response, AppError>;
}

impl Answered for Response {
    fn answered(self) -> Result<Response, AppError> {
        Ok(self)
    }
}

impl Answered for Result<Response, AppError> {
    fn answered(self) -> Result<Response, AppError> {
        self
    }
}

macro_rules! handlers {
    ($(($($taken:ident),*))+) => {$(
        impl<F, A, $($taken),*> Handler<($($taken,)*)> for F
        where
            F: AsyncFn($($taken),*) -> A + Copy + 'static,
            A: Answered,
            $($taken: FromCall + 'static,)*
        {
            #[cfg(test)]
            fn parts() -> Vec<&'static str> {
                let parts: &[&[&'static str]] = &[$($taken::PARTS),*];
                parts.concat()
            }
            #[cfg(test)]
            const TAKES_VERSION: bool = false $(|| $taken::IS_VERSION)*;

            fn handle(self, _call: Rc<Call>) -> Answering {
                Box::pin(async move { self($($taken::from_call(&_call).await?),*).await.answered() })
            }
        }
    )+};
}

handlers! { () (A1) (A1, A2) (A1, A2, A3) (A1, A2, A3, A4) }

impl Methods {
    fn with<T>(mut self, method: Method, handler: impl Handler<T>) -> Self {
        self.0.push(entry(method, handler));
        self
    }

    fn post<T>(self, handler: impl Handler<T>) -> Self {
        self.with(Method::POST, handler)
    }

    fn patch<T>(self, handler: impl Handler<T>) -> Self {
        self.with(Method::PATCH, handler)
    }

    fn delete<T>(self, handler: impl Handler<T>) -> Self {
        self.with(Method::DELETE, handler)
    }
}

fn entry<T, H: Handler<T>>(method: Method, handler: H) -> Entry {
    Entry {
        method,
        run: Box::new(move |call| handler.handle(call)),
        #[cfg(test)]
        parts: H::parts(),
        #[cfg(test)]
        takes_version: H::TAKES_VERSION,
    }
}

fn get<T>(handler: impl Handler<T>) -> Methods {
    Methods::default().with(Method::GET, handler)
}

fn post<T>(handler: impl Handler<T>) -> Methods {
    Methods::default().post(handler)
}

fn patch<T>(handler: impl Handler<T>) -> Methods {
    Methods::default().patch(handler)
}

fn delete<T>(handler: impl Handler<T>) -> Methods {
    Methods::default().delete(handler)
}

/// Sending claims, their status, and the claims of a practice.
fn claims_routes(routes: &mut Routes) {
    let mut route = |path, methods| routes.route(path, methods);
    route("/api/v1/claims", post(claims::send));
    route("/api/v1/claims/status", get(claims::status));
    route("/api/v1/denials", get(denials::list).post(denials::send));
    route("/api/v1/denials/payers", get(summaries::names::payers));
    route("/api/v1/denials/summary", get(summaries::claims::of_practice));
    route("/api/v1/denials/{id}", get(denials::show));
    route("/api/v1/denials/{id}/letter", patch(denials::set_letter));
    route("/api/v1/denials/{id}/signing_link", get(denials::signing_link));
    route("/api/v1/reports", get(outcomes::reports));
    route("/api/v1/reports/{id}", get(outcomes::report));
    route("/api/v1/appeals", get(outcomes::appeals));
    route("/api/v1/appeals/{id}", get(outcomes::appeal));
}

/// Signing in and out, second factors, sessions, and mailed links.
fn accounts_routes(routes: &mut Routes) {
    let mut route = |path, methods| routes.route(path, methods);
    route("/api/v1/auth/session", get(session::show).post(session::sign_in));
    route("/api/v1/auth/session/2fa", post(session::second_factor));
    route("/api/v1/auth/session/logout", post(session::sign_out));
    route("/api/v1/auth/invitation", post(invitation::accept));
    route("/api/v1/auth/invitation/preview", post(invitation::preview));
    route("/api/v1/auth/magic_link", post(magic_link::send));
    route("/api/v1/auth/magic_link/verify", post(magic_link::verify));
    route("/api/v1/auth/password", post(password::change));
    route("/api/v1/auth/password_reset", post(password::send));
    route("/api/v1/auth/password_reset/confirm", post(password::reset));
    route("/api/v1/auth/password_reset/preview", post(password::preview));
    route("/api/v1/auth/2fa/totp", post(factors::begin));
    route("/api/v1/auth/2fa/totp/confirm", post(factors::confirm));
    route("/api/v1/auth/2fa/recovery_codes", get(factors::count_codes).post(factors::renew_codes));
    route("/api/v1/auth/sessions", get(sessions::list).delete(sessions::revoke_others));
    route("/api/v1/auth/sessions/{id}", delete(sessions::revoke));
}

/// Signing in by external providers, and the identities that people sign in by.
fn sso_routes(routes: &mut Routes) {
    let mut route = |path, methods| routes.route(path, methods);
    route("/api/v1/auth/providers", get(providers::list));
    route("/api/v1/auth/oauth/{provider}", get(oidc::begin));
    route("/api/v1/auth/oauth/{provider}/callback", get(oidc::callback));
    route("/api/v1/auth/saml/{provider}", get(saml::begin).post(saml::consume));
    route("/api/v1/auth/saml/{provider}/metadata", get(saml::metadata));
    route("/api/v1/auth/identities", get(identities::list).post(identities::join));
    route("/api/v1/auth/identities/waiting", get(identities::waiting));
    route("/api/v1/auth/identities/{id}", delete(identities::remove));
}

/// Enrolling passkeys, and signing in with them.
fn passkey_routes(routes: &mut Routes) {
    let mut route = |path, methods| routes.route(path, methods);
    route("/api/v1/auth/session/2fa/passkey/options", post(passkeys::begin_second_factor));
    route("/api/v1/auth/session/passkey", post(passkeys::sign_in));
    route("/api/v1/auth/session/passkey/options", post(passkeys::begin_sign_in));
    route("/api/v1/auth/passkeys", get(passkeys::list).post(passkeys::enrol));
    route("/api/v1/auth/passkeys/options", post(passkeys::begin));
    route("/api/v1/auth/passkeys/{id}", patch(passkeys::rename).delete(passkeys::remove));
    route("/.well-known/webauthn", get(passkeys::related_origins));
}

/// The settings of a practice, and the audit trails.
fn settings_routes(routes: &mut Routes) {
    let mut route = |path, methods| routes.route(path, methods);
    route("/api/v1/settings/agreements", get(agreements::list).post(agreements::sign));
    route("/api/v1/settings/agreements/{id}/end", post(agreements::end));
    route("/api/v1/settings/data_jobs", get(data_jobs::list).post(data_jobs::request));
    route("/api/v1/settings/data_jobs/{id}", get(data_jobs::show));
    route("/api/v1/settings/data_jobs/{id}/cancel", post(data_jobs::cancel));
    route("/api/v1/settings/data_jobs/{id}/records", get(data_jobs::records));
    route("/api/v1/settings/api_keys", get(api_keys::list).post(api_keys::create));
    route("/api/v1/settings/api_keys/{id}", delete(api_keys::revoke));
    route("/api/v1/settings/api_tokens", get(api_tokens::list).post(api_tokens::create));
    route("/api/v1/settings/api_tokens/{id}", delete(api_tokens::revoke));
    route("/api/v1/settings/api_tokens/{id}/regenerate", post(api_tokens::regenerate));
    route("/api/v1/settings/audit", get(audit::list));
    route("/api/v1/settings/audit/export", get(audit::export));
    route("/api/v1/settings/audit/verify", get(audit::verify));
    route("/api/v1/settings/members", get(members::list).post(members::invite));
    route("/api/v1/settings/members/{id}", patch(members::edit).delete(members::remove));
    route("/api/v1/settings/members/{id}/sessions", delete(members::revoke_sessions));
    route("/api/v1/settings/practice", get(practice::show).patch(practice::edit));
    route("/api/v1/settings/sso", get(sso::show).patch(sso::require));
    route("/api/v1/settings/sso/providers", post(sso::add_provider));
    route("/api/v1/settings/sso/providers/{id}", patch(sso::edit_provider).delete(sso::remove_provider));
    route("/api/v1/settings/sso/domains", post(sso::add_domain));
    route("/api/v1/settings/sso/domains/{id}", delete(sso::remove_domain));
    route("/api/v1/settings/sso/domains/{id}/verify", post(sso::verify_domain));
    route("/api/v1/staff/audit", get(audit::list_staff));
    route("/api/v1/staff/audit/export", get(audit::export_staff));
    route("/api/v1/staff/audit/verify", get(audit::verify_staff));
}

/// The staff's work.
fn work_routes(routes: &mut Routes) {
    let mut route = |path, methods| routes.route(path, methods);
    route("/api/v1/staff/claims", get(work::list));
    route("/api/v1/staff/claims/take", post(work::take_all));
    route("/api/v1/staff/cases", get(cases::list_all));
    route("/api/v1/staff/colleagues", get(summaries::names::colleagues));
    route("/api/v1/staff/patients/search", post(patients::search));
    route("/api/v1/staff/payers", get(summaries::names::payers_of_all));
    route("/api/v1/staff/practices", get(summaries::practices::list));
    route("/api/v1/staff/summary", get(summaries::claims::of_all));
    route("/api/v1/staff/practices/{practice}/cases", get(cases::list).post(cases::open));
    route("/api/v1/staff/practices/{practice}/cases/{id}", get(cases::show));
    route("/api/v1/staff/practices/{practice}/cases/{id}/levels", post(cases::begin_level));
    route("/api/v1/staff/practices/{practice}/cases/{id}/levels/{level}", patch(cases::edit_level));
    route("/api/v1/staff/practices/{practice}/cases/{id}/decisions", post(cases::decide));
    route("/api/v1/staff/practices/{practice}/claims/{id}", get(work::show));
    route("/api/v1/staff/practices/{practice}/claims/{id}/amount", patch(work::correct_amount));
    route("/api/v1/staff/practices/{practice}/claims/{id}/letter", patch(work::set_letter));
    route("/api/v1/staff/practices/{practice}/claims/{id}/moves", post(work::step));
    route("/api/v1/staff/practices/{practice}/claims/{id}/notes", post(work::note));
    route("/api/v1/staff/practices/{practice}/claims/{id}/related", get(work::related));
    route("/api/v1/staff/practices/{practice}/claims/{id}/take", post(work::take));
    route("/api/v1/staff/practices/{practice}/reports", get(reports::list).post(reports::deliver));
    route("/api/v1/staff/practices/{practice}/reports/{id}", get(reports::show));
}

/// The patient's signature: the staff's decisions, and the signing page.
fn signing_routes(routes: &mut Routes) {
    let mut route = |path, methods| routes.route(path, methods);
    route("/api/v1/staff/claims/signing", post(decision::decide_all));
    route("/api/v1/staff/practices/{practice}/claims/{id}/signature", get(signature::show));
    route("/api/v1/staff/practices/{practice}/claims/{id}/signing", post(decision::decide));
    route("/api/v1/staff/practices/{practice}/claims/{id}/signing/link", delete(link::revoke));
    route(path::SIGN, get(signing::show).post(signing::ask));
    route(path::SIGNATURE, post(signing::sign));
    route(path::PAD, get(signing::pad));
}

/// The documents of practices, and what staff attach them to.
fn documents_routes(routes: &mut Routes) {
    let mut route = |path, methods| routes.route(path, methods);
    route("/api/v1/documents", get(documents::list).post(documents::upload));
    route("/api/v1/documents/bulk", post(documents::upload_all));
    route("/api/v1/documents/{id}", get(documents::show).delete(documents::delete));
    route("/api/v1/documents/{id}/content", get(documents::content));
    route("/api/v1/settings/documents", get(retention::show).patch(retention::edit));
    route("/api/v1/staff/practices/{practice}/documents", get(staff_documents::list));
    route(
        "/api/v1/staff/practices/{practice}/documents/{id}",
        get(staff_documents::show).delete(staff_documents::delete),
    );
    route("/api/v1/staff/practices/{practice}/documents/{id}/content", get(staff_documents::content));
    route("/api/v1/staff/practices/{practice}/cases/{id}/documents", post(staff_documents::attach_to_case));
    route(
        "/api/v1/staff/practices/{practice}/cases/{id}/documents/{document}",
        delete(staff_documents::detach_from_case),
    );
    route("/api/v1/staff/practices/{practice}/reports/{id}/documents", post(staff_documents::attach_to_report));
    route(
        "/api/v1/staff/practices/{practice}/reports/{id}/documents/{document}",
        delete(staff_documents::detach_from_report),
    );
}

/// Endpoints of practices and their deliveries.
fn webhooks_routes(routes: &mut Routes) {
    let mut route = |path, methods| routes.route(path, methods);
    route("/api/v1/settings/webhooks", get(endpoints::list).post(endpoints::create));
    route("/api/v1/settings/webhooks/{id}", get(endpoints::show).patch(endpoints::edit).delete(endpoints::remove));
    route("/api/v1/settings/webhooks/{id}/rotate_secret", post(secrets::rotate));
    route("/api/v1/settings/webhooks/{id}/test", post(deliveries::test));
    route("/api/v1/settings/webhooks/{id}/replay", post(missed::replay));
    route("/api/v1/settings/webhooks/{id}/deliveries", get(deliveries::list));
    route("/api/v1/settings/webhooks/{id}/deliveries/{delivery_id}/replay", post(deliveries::replay));
}

/// The API descriptions, and the operator's routes.
fn service_routes(routes: &mut Routes) {
    let mut route = |path, methods| routes.route(path, methods);
    route("/api/v1/openapi.json", get(openapi::claims));
    route("/api/v1/openapi/accounts.json", get(openapi::accounts));
    route("/health", get(health::show));
    route("/operations/reseal", post(reseal::reseal));
}

#[cfg(test)]
mod tests;
