//! The route table: who may call a route, and which handler answers. An unknown path is `404`, an unknown method `405`.

#[cfg(feature = "schema")]
pub(crate) mod described;
#[cfg(any(test, feature = "schema"))]
pub(crate) mod exceptions;
mod methods;

use crate::accounts::passkeys::{self, enrolment, sign_in as passkey_sign_in};
use crate::accounts::{factors, invitation, magic_link, password, second_factor, session, sessions};
use crate::auth::rights::Action;
use crate::call::Access;
use crate::claims::{denials, send, status};
use crate::documents::{self, retention, uses};
use crate::html::path;
use crate::leaks::{github, report};
use crate::moving::operation as moves;
use crate::operations::{cells, health, openapi, reseal};
use crate::sandbox::{clock, keys, own, tokens};
use crate::settings::api_keys::rotation;
use crate::settings::{agreements, api_keys, api_tokens, audit, data_jobs, expiry, members, practice, sso};
use crate::signing::{decision, link, page as signing, signature};
use crate::sso::{identities, oidc, providers, saml, waiting};
use crate::summaries;
use crate::webhooks::{attempts, deliveries, endpoints, missed, secrets};
use crate::work::levels::{begin, edit};
use crate::work::{self, cases, filters, outcomes, patients, reports};
use http::Method;
use methods::{Entry, Methods, delete, get, patch, post};
use std::rc::Rc;

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

thread_local! {
    static SHARED: Rc<Routes> = Rc::new(Routes::new());
}

impl Routes {
    /// All routes. Those of a thread's instances are the same, and a simulation begins many instances.
    pub(crate) fn shared() -> Rc<Self> {
        SHARED.with(Rc::clone)
    }

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
    #[inline(never)]
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
    /// What answers a method. `HEAD` is answered as `GET`; its body is left out later.
    pub(crate) fn entry(&self, method: &Method) -> Option<&Entry> {
        let asked = if method == Method::HEAD { &Method::GET } else { method };
        self.methods.0.iter().find(|entry| entry.method == asked)
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

/// Sending claims, their status, and the claims of a practice.
fn claims_routes(routes: &mut Routes) {
    let mut route = |path, methods| routes.route(path, methods);
    route("/api/v1/claims", post(Access::Key, send::send));
    route("/api/v1/claims/status", get(Access::Key, status::show));
    route("/api/v1/sandbox/clock", get(Access::Key, clock::show).post(Access::Key, clock::advance));
    route("/api/v1/denials", get(Action::ReadDenials, denials::list).post(Action::SendClaims, send::send_as_person));
    route("/api/v1/denials/payers", get(Action::ReadDenials, summaries::names::payers));
    route("/api/v1/denials/summary", get(Action::ReadDenials, summaries::claims::of_practice));
    route("/api/v1/denials/{id}", get(Action::ReadDenials, denials::show));
    route("/api/v1/denials/{id}/letter", patch(Action::SetLetter, work::letter::set_own));
    route("/api/v1/denials/{id}/signing_link", get(Action::ReadSigningLink, denials::signing_link));
    route("/api/v1/reports", get(Action::ReadDenials, outcomes::reports));
    route("/api/v1/reports/{id}", get(Action::ReadDenials, outcomes::report));
    route("/api/v1/appeals", get(Action::ReadDenials, outcomes::appeals));
    route("/api/v1/appeals/{id}", get(Action::ReadDenials, outcomes::appeal));
}

/// Signing in and out, second factors, sessions, and mailed links.
fn accounts_routes(routes: &mut Routes) {
    let mut route = |path, methods| routes.route(path, methods);
    route("/api/v1/auth/session", get(Action::ReadSelf, session::show).post(Access::Anyone, session::sign_in));
    route("/api/v1/auth/session/2fa", post(Access::Anyone, second_factor::present));
    route("/api/v1/auth/session/logout", post(Action::SignOut, session::sign_out));
    route("/api/v1/auth/invitation", post(Access::Anyone, invitation::accept));
    route("/api/v1/auth/invitation/preview", post(Access::Anyone, invitation::preview));
    route("/api/v1/auth/magic_link", post(Access::Anyone, magic_link::send));
    route("/api/v1/auth/magic_link/verify", post(Access::Anyone, magic_link::verify));
    route("/api/v1/auth/password", post(Action::ChangePassword, password::change));
    route("/api/v1/auth/password_reset", post(Access::Anyone, password::send));
    route("/api/v1/auth/password_reset/confirm", post(Access::Anyone, password::reset));
    route("/api/v1/auth/password_reset/preview", post(Access::Anyone, password::preview));
    route("/api/v1/auth/2fa/totp", post(Action::EnrolFactor, factors::begin));
    route("/api/v1/auth/2fa/totp/confirm", post(Action::EnrolFactor, factors::confirm));
    route(
        "/api/v1/auth/2fa/recovery_codes",
        get(Action::ListPasskeys, factors::count_codes).post(Action::ChangeFactor, factors::renew_codes),
    );
    route(
        "/api/v1/auth/sessions",
        get(Action::ListSessions, sessions::list).delete(Action::RevokeSessions, sessions::revoke_others),
    );
    route("/api/v1/auth/sessions/{id}", delete(Action::RevokeSessions, sessions::revoke));
}

/// Signing in by external providers, and the identities that people sign in by.
fn sso_routes(routes: &mut Routes) {
    let mut route = |path, methods| routes.route(path, methods);
    route("/api/v1/auth/providers", get(Access::Anyone, providers::list));
    route("/api/v1/auth/oauth/{provider}", get(Access::Anyone, oidc::begin));
    route("/api/v1/auth/oauth/{provider}/callback", get(Access::Anyone, oidc::callback));
    route("/api/v1/auth/saml/{provider}", get(Access::Anyone, saml::begin).post(Access::Anyone, saml::consume));
    route("/api/v1/auth/saml/{provider}/metadata", get(Access::Anyone, saml::metadata));
    route(
        "/api/v1/auth/identities",
        get(Action::ListIdentities, identities::list).post(Action::ManageIdentities, waiting::join),
    );
    route("/api/v1/auth/identities/waiting", get(Action::ListIdentities, waiting::show));
    route("/api/v1/auth/identities/{id}", delete(Action::ManageIdentities, identities::remove));
}

/// Enrolling passkeys, and signing in with them.
fn passkey_routes(routes: &mut Routes) {
    let mut route = |path, methods| routes.route(path, methods);
    route("/api/v1/auth/session/2fa/passkey/options", post(Access::Anyone, passkey_sign_in::begin_second_factor));
    route("/api/v1/auth/session/passkey", post(Access::Anyone, passkey_sign_in::sign_in));
    route("/api/v1/auth/session/passkey/options", post(Access::Anyone, passkey_sign_in::begin_sign_in));
    route(
        "/api/v1/auth/passkeys",
        get(Action::ListPasskeys, passkeys::list).post(Action::EnrolPasskey, enrolment::enrol),
    );
    route("/api/v1/auth/passkeys/options", post(Action::EnrolPasskey, enrolment::begin));
    route(
        "/api/v1/auth/passkeys/{id}",
        patch(Action::RenamePasskey, passkeys::rename).delete(Action::RemovePasskey, passkeys::remove),
    );
    route("/.well-known/webauthn", get(Access::Anyone, passkeys::related_origins));
}

/// The settings of a practice, and the audit trails.
fn settings_routes(routes: &mut Routes) {
    let mut route = |path, methods| routes.route(path, methods);
    route(
        "/api/v1/settings/agreements",
        get(Action::ReadAgreements, agreements::list).post(Action::SignAgreement, agreements::sign),
    );
    route("/api/v1/settings/agreements/{id}/end", post(Action::EndAgreement, agreements::end));
    route(
        "/api/v1/settings/data_jobs",
        get(Action::ReadDataJobs, data_jobs::list).post(Action::ManageDataJobs, data_jobs::request),
    );
    route("/api/v1/settings/data_jobs/{id}", get(Action::ReadDataJobs, data_jobs::show));
    route("/api/v1/settings/data_jobs/{id}/cancel", post(Action::ManageDataJobs, data_jobs::cancel));
    route("/api/v1/settings/data_jobs/{id}/records", get(Action::TakeData, data_jobs::records));
    route(
        "/api/v1/settings/api_keys",
        get(Action::ListApiKeys, api_keys::list).post(Action::ManageApiKeys, api_keys::create),
    );
    route("/api/v1/settings/api_keys/{id}", delete(Action::ManageApiKeys, api_keys::revoke));
    route("/api/v1/settings/api_keys/{id}/rotate", post(Action::RotateApiKeys, rotation::rotate));
    route("/api/v1/settings/api_keys/{id}/rotate/finish", post(Action::RotateApiKeys, rotation::end));
    route("/api/v1/settings/expiring", get(Action::ListApiKeys, expiry::list));
    route(
        "/api/v1/settings/api_tokens",
        get(Action::ListApiTokens, api_tokens::list).post(Action::ManageApiTokens, api_tokens::create),
    );
    route("/api/v1/settings/api_tokens/{id}", delete(Action::RevokeApiTokens, api_tokens::revoke));
    route("/api/v1/settings/api_tokens/{id}/regenerate", post(Action::ManageApiTokens, api_tokens::regenerate));
    route("/api/v1/settings/audit", get(Action::ReadAudit, audit::list));
    route("/api/v1/settings/audit/export", get(Action::ExportAudit, audit::export));
    route("/api/v1/settings/audit/verify", get(Action::ReadAudit, audit::verify));
    route(
        "/api/v1/settings/members",
        get(Action::ListMembers, members::list).post(Action::ManageMembers, members::invite),
    );
    route(
        "/api/v1/settings/members/{id}",
        patch(Action::ManageMembers, members::edit).delete(Action::Leave, members::remove),
    );
    route("/api/v1/settings/members/{id}/sessions", delete(Action::ManageMembers, members::revoke_sessions));
    route(
        "/api/v1/settings/practice",
        get(Action::ReadPractice, practice::show).patch(Action::EditPractice, practice::edit),
    );
    route("/api/v1/settings/sso", get(Action::ReadSso, sso::show).patch(Action::ManageSso, sso::require));
    route("/api/v1/settings/sso/providers", post(Action::ManageSso, sso::add_provider));
    route(
        "/api/v1/settings/sso/providers/{id}",
        patch(Action::ManageSso, sso::edit_provider).delete(Action::ManageSso, sso::remove_provider),
    );
    route("/api/v1/settings/sso/domains", post(Action::ManageSso, sso::add_domain));
    route("/api/v1/settings/sso/domains/{id}", delete(Action::ManageSso, sso::remove_domain));
    route("/api/v1/settings/sso/domains/{id}/verify", post(Action::ManageSso, sso::verify_domain));
    route("/api/v1/settings/sandbox", get(Action::ReadSandbox, own::show).post(Action::ManageSandbox, own::make));
    route("/api/v1/settings/sandbox/empty", post(Action::ManageSandbox, own::empty));
    route("/api/v1/settings/sandbox/keys", post(Action::ManageSandbox, keys::create));
    route("/api/v1/settings/sandbox/keys/{id}", delete(Action::ManageSandbox, keys::revoke));
    route("/api/v1/settings/sandbox/tokens", post(Action::ManageSandbox, tokens::create));
    route("/api/v1/settings/sandbox/tokens/{id}", delete(Action::ManageSandbox, tokens::revoke));
    route("/api/v1/staff/audit", get(Action::ReadStaffAudit, audit::staff::list_staff));
    route("/api/v1/staff/audit/export", get(Action::ExportStaffAudit, audit::export_staff));
    route("/api/v1/staff/audit/verify", get(Action::ReadStaffAudit, audit::verify_staff));
}

/// The staff's work.
fn work_routes(routes: &mut Routes) {
    let mut route = |path, methods| routes.route(path, methods);
    route("/api/v1/staff/claims", get(Action::ReadWork, work::queue::show));
    route("/api/v1/staff/claims/take", post(Action::Work, work::take::take_all));
    route("/api/v1/staff/cases", get(Action::ReadWork, cases::all::list));
    route("/api/v1/staff/cells", get(Action::ReadWork, cells::list));
    route("/api/v1/staff/colleagues", get(Action::ReadWork, summaries::names::colleagues));
    route("/api/v1/staff/filters", get(Action::ReadWork, filters::list).post(Action::Work, filters::save));
    route("/api/v1/staff/filters/{id}", patch(Action::Work, filters::change).delete(Action::Work, filters::remove));
    route("/api/v1/staff/patients/search", post(Action::ReadClaim, patients::search));
    route("/api/v1/staff/payers", get(Action::ReadWork, summaries::names::payers_of_all));
    route("/api/v1/staff/practices", get(Action::ReadWork, summaries::practices::list));
    route("/api/v1/staff/summary", get(Action::ReadWork, summaries::claims::of_all));
    route(
        "/api/v1/staff/practices/{practice}/cases",
        get(Action::ReadWork, cases::list::list).post(Action::Work, cases::open::open),
    );
    route("/api/v1/staff/practices/{practice}/cases/{id}", get(Action::ReadWork, cases::view::show));
    route("/api/v1/staff/practices/{practice}/cases/{id}/levels", post(Action::Work, begin::begin));
    route("/api/v1/staff/practices/{practice}/cases/{id}/levels/{level}", patch(Action::Work, edit::edit));
    route("/api/v1/staff/practices/{practice}/cases/{id}/decisions", post(Action::Work, work::decision::decide));
    route("/api/v1/staff/practices/{practice}/claims/{id}", get(Action::ReadClaim, work::claim::show));
    route("/api/v1/staff/practices/{practice}/claims/{id}/amount", patch(Action::Work, work::amount::correct));
    route("/api/v1/staff/practices/{practice}/claims/{id}/letter", patch(Action::Work, work::letter::set));
    route("/api/v1/staff/practices/{practice}/claims/{id}/moves", post(Action::Work, work::moves::step));
    route("/api/v1/staff/practices/{practice}/claims/{id}/notes", post(Action::Work, work::notes::add));
    route("/api/v1/staff/practices/{practice}/claims/{id}/related", get(Action::ReadWork, work::related::show));
    route("/api/v1/staff/practices/{practice}/claims/{id}/take", post(Action::Work, work::take::take));
    route(
        "/api/v1/staff/practices/{practice}/reports",
        get(Action::ReadWork, reports::list).post(Action::Work, reports::deliver),
    );
    route("/api/v1/staff/practices/{practice}/reports/{id}", get(Action::ReadWork, reports::show));
}

/// The patient's signature: the staff's decisions, and the signing page.
fn signing_routes(routes: &mut Routes) {
    let mut route = |path, methods| routes.route(path, methods);
    route("/api/v1/staff/claims/signing", post(Action::Work, decision::decide_all));
    route("/api/v1/staff/practices/{practice}/claims/{id}/signature", get(Action::ReadClaim, signature::show));
    route("/api/v1/staff/practices/{practice}/claims/{id}/signing", post(Action::Work, decision::decide));
    route("/api/v1/staff/practices/{practice}/claims/{id}/signing/link", delete(Action::Work, link::revoke));
    route(path::SIGN, get(Access::Anyone, signing::show).post(Access::Anyone, signing::ask));
    route(path::SIGNATURE, post(Access::Anyone, signing::sign));
    route(path::PAD, get(Access::Anyone, signing::pad));
}

/// The documents of practices, and what staff attach them to.
fn documents_routes(routes: &mut Routes) {
    let mut route = |path, methods| routes.route(path, methods);
    route(
        "/api/v1/documents",
        get(Action::ReadDocuments, documents::list::list).post(Action::UploadDocument, documents::uploads::upload),
    );
    route("/api/v1/documents/bulk", post(Action::UploadDocument, documents::bulk::upload_all));
    route(
        "/api/v1/documents/{id}",
        get(Action::ReadDocuments, documents::show::show).delete(Action::DeleteDocument, documents::removal::delete),
    );
    route("/api/v1/documents/{id}/content", get(Action::ReadDocuments, documents::serve::content));
    route(
        "/api/v1/settings/documents",
        get(Action::ReadPractice, retention::show).patch(Action::EditRetention, retention::edit),
    );
    route("/api/v1/staff/practices/{practice}/documents", get(Action::ReadWork, documents::list::list_for_staff));
    route(
        "/api/v1/staff/practices/{practice}/documents/{id}",
        get(Action::ReadClaim, documents::show::show_to_staff)
            .delete(Action::Work, documents::removal::delete_by_staff),
    );
    route(
        "/api/v1/staff/practices/{practice}/documents/{id}/content",
        get(Action::ReadClaim, documents::serve::content_for_staff),
    );
    route("/api/v1/staff/practices/{practice}/cases/{id}/documents", post(Action::Work, uses::attach_to_case));
    route(
        "/api/v1/staff/practices/{practice}/cases/{id}/documents/{document}",
        delete(Action::Work, uses::detach_from_case),
    );
    route("/api/v1/staff/practices/{practice}/reports/{id}/documents", post(Action::Work, uses::attach_to_report));
    route(
        "/api/v1/staff/practices/{practice}/reports/{id}/documents/{document}",
        delete(Action::Work, uses::detach_from_report),
    );
}

/// Endpoints of practices and their deliveries.
fn webhooks_routes(routes: &mut Routes) {
    let mut route = |path, methods| routes.route(path, methods);
    route(
        "/api/v1/settings/webhooks",
        get(Action::ListWebhooks, endpoints::list).post(Action::ManageWebhooks, endpoints::create),
    );
    route(
        "/api/v1/settings/webhooks/{id}",
        get(Action::ListWebhooks, endpoints::show)
            .patch(Action::ManageWebhooks, endpoints::edit)
            .delete(Action::ManageWebhooks, endpoints::remove),
    );
    route("/api/v1/settings/webhooks/{id}/rotate_secret", post(Action::ManageWebhooks, secrets::rotate));
    route("/api/v1/settings/webhooks/{id}/test", post(Action::ManageWebhooks, deliveries::test));
    route("/api/v1/settings/webhooks/{id}/replay", post(Action::ReplayDeliveries, missed::replay));
    route("/api/v1/settings/webhooks/{id}/deliveries", get(Action::ListWebhooks, deliveries::list));
    route("/api/v1/settings/webhooks/{id}/deliveries/{delivery_id}", get(Action::ReadDelivery, attempts::show));
    route(
        "/api/v1/settings/webhooks/{id}/deliveries/{delivery_id}/replay",
        post(Action::ReplayDeliveries, deliveries::replay),
    );
}

/// The API descriptions, reports of leaked keys, and the operator's routes.
fn service_routes(routes: &mut Routes) {
    let mut route = |path, methods| routes.route(path, methods);
    route("/api/v1/openapi.json", get(Access::Anyone, openapi::claims));
    route("/api/v1/openapi/accounts.json", get(Access::Anyone, openapi::accounts));
    route("/api/v1/leaks", post(Access::Anyone, report::report));
    route("/api/v1/leaks/github", post(Access::Anyone, github::receive));
    route("/health", get(Access::Anyone, health::show));
    route("/operations/cells", get(Access::Operator, cells::show));
    route("/operations/reseal", post(Access::Operator, reseal::reseal));
    route("/operations/moves", get(Access::Operator, moves::list).post(Access::Operator, moves::begin));
}

#[cfg(test)]
mod tests;
