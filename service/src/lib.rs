//! The service of Overturn, on any host: routes, decisions beside their SQL, handlers, pages, emails and jobs. What a claim is
//! stands in `overturn-core`. A host gives the service what [`host`] names.

#[macro_use]
pub mod store;

mod accounts;
mod app;
mod assets;
pub mod auth;
mod bucket;
mod call;
mod cells;
mod claim_changes;
mod claims;
pub mod config;
mod console;
mod cookies;
mod db;
pub mod directory;
mod documents;
mod error;
mod extract;
mod fetch;
mod hashing;
mod head;
pub mod host;
mod html;
pub mod http;
mod identity;
mod in_words;
mod ip_ban;
mod jobs;
mod key_sets;
mod kv;
mod leaks;
mod mail;
mod memory;
mod multipart;
mod operations;
pub mod operator;
mod password;
mod pipeline;
pub mod plan;
mod platform;
mod prelude;
mod rate_limiter;
mod recent;
pub mod request;
pub mod request_body;
pub mod response;
mod reused_timer;
mod router;
mod sandbox;
mod scanner;
pub mod service;
mod settings;
mod shape;
mod shown_once;
mod sign_in_limits;
mod signing;
mod sql;
#[cfg(any(test, feature = "sqlite"))]
pub mod sqlite;
mod sso;
mod summaries;
#[cfg(test)]
mod testing;
mod trace;
pub mod trail;
mod webhooks;
mod work;

/// What the operator's demo does as the service does it.
pub mod demo {
    pub use crate::claim_changes::{SeenClaim, claim, claims, found};
    pub use crate::claims::send::batch::{Outcome, SendBatch, batch};
    pub use crate::claims::send::load::{ClaimsOfSend, CredentialToSend, of_key as load_to_send};
    pub use crate::claims::send::sender::Sender;
    pub use crate::signing::{Decisions, FormFields, Relation, SignatureInput, all_decided, link_of, open};
    pub use crate::work::cases::{CaseRequest, candidates, opened, stored_case};
    pub use crate::work::letter::{of_letter, read};
    pub use crate::work::levels::{LevelRequest, begun, level_edited};
    pub use crate::work::moves::stepped;
    pub use crate::work::named_claims::NamedClaim;
    pub use crate::work::notes::{NoteText, added};
    pub use crate::work::reports::delivered;
    pub use crate::work::take::{SeveralToTake, all_taken};
}

/// People with what they sign in by, as the demo and the tests make them.
pub mod people {
    pub use crate::accounts::account::{NewUser, UserState};
    pub use crate::accounts::factors::{factor_confirmed, new_factor, replace_codes};
    pub use crate::accounts::link::{LinkKind, NewLink};
    pub use crate::accounts::new_session::NewSession;
    pub use crate::accounts::recovery::{CODES, RecoveryCode};
    pub use crate::call::ClientOrigin;
    pub use crate::cookies::ceremony;
    pub use crate::cookies::csrf;
    pub use crate::mail::INVITATION_MS;
    pub use crate::password::{Check, HashError, Password};
}

/// Routes, bodies and names, from which the API description and the console's rules are made.
pub mod described {
    pub use crate::accounts::{
        AcceptedInvitation, AskedFactor, Confirmed, LinkAsked, LinkPressed, NewName, PASSKEYS_MAX, PasskeySignIn,
        PresentedFactor, Renewal, RequestedPasskey, Reset, SignIn,
    };
    pub use crate::call::Access;
    pub use crate::claim_changes::{ClaimResultStatus, SEVERAL_MAX};
    pub use crate::claims::denials::{By, DenialAction, ListOrder};
    pub use crate::documents::{DocumentKind, DocumentSettingsEdit, NewDocumentUse};
    pub use crate::error::SsoAdvice;
    #[cfg(feature = "schema")]
    pub use crate::extract::takes::{BodyTaken, Takes};
    #[cfg(feature = "schema")]
    pub use crate::router::described::{Given, Holds, Operation, operations};
    #[cfg(feature = "schema")]
    pub use crate::router::exceptions::Exception;
    pub use crate::settings::agreements::AgreementSignature;
    pub use crate::settings::api_keys::{ApiKeyAction, RequestedApiKey};
    pub use crate::settings::api_tokens::{ApiTokenAction, Regeneration, TokenRequest};
    pub use crate::settings::data_jobs::job::{JobKind, JobState};
    pub use crate::settings::members::{Invitation, MemberAction, RoleChange};
    pub use crate::settings::practice::{PracticeEdit, PracticeView};
    pub use crate::settings::sso::{
        DomainRequest, ProviderEditRequest, ProviderKind, ProviderRequest, RequiredEdit, SecondFactorContext,
    };
    pub use crate::signing::{Decisions, Relation, SigningDecision};
    pub use crate::sso::SeenIdentity;
    pub use crate::summaries::{DAYS, DECISIONS_MAX};
    pub use crate::webhooks::{DeliveryState, Failure, NewWebhook, Replay, WebhookEdit, WebhookState, WebhookTest};
    pub use crate::work::amount::PaidAmount;
    pub use crate::work::cases::{CaseRequest, CaseStanding};
    pub use crate::work::decision::DecisionRequest;
    pub use crate::work::filters::{FILTERS_MAX, NewQueueFilter, QueueFilterEdit};
    pub use crate::work::letter::LetterEdit;
    pub use crate::work::levels::{LevelEdit, LevelRequest, bounds};
    pub use crate::work::may::{CaseAction, ClaimAction};
    pub use crate::work::moves::MoveRequest;
    pub use crate::work::notes::NoteText;
    pub use crate::work::patients::PatientSearch;
    pub use crate::work::queue::{COUNT_SCAN_MAX, QueueOrder, SignatureState};
    pub use crate::work::reports::ReportedClaims;
    pub use crate::work::take::{SeveralToTake, ToTake};
}
