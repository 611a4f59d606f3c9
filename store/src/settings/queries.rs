//! The queries of a practice's settings. `caller` is the hash of the credential, and every query finds the practice by
//! it.

use super::sql;
use crate::json::json;
use crate::query::Query;
use crate::statement::{Param, page, text};
use overturn_core::auth::rights::LEADERS;
use overturn_core::base::id::{ApiKeyId, ApiTokenId};
use overturn_core::base::instant::Instant;
use overturn_core::request::page::Page;
use overturn_core::settings::agreements::SignedView;
use overturn_core::settings::api_keys::{self, ApiKeyView, Maker};
use overturn_core::settings::api_tokens::ApiTokenView;
use overturn_core::settings::practice::PracticeView;

/// A page of the practice's API keys.
#[must_use]
pub fn api_keys(caller: &str, of: Page) -> Query<Option<Vec<ApiKeyView>>> {
    Query::optional("settings.api_keys", sql::API_KEYS, page(caller, of))
}

/// The caller's practice.
#[must_use]
pub fn practice(caller: &str, now: Instant) -> Query<Option<PracticeView>> {
    let params = [text(caller), Param::Int(now.0)];
    Query::optional("settings.practice", sql::PRACTICE, params)
}

/// The caller, as the maker of a key.
#[must_use]
pub fn maker(caller: &str) -> Query<Option<Maker>> {
    Query::optional("settings.maker", sql::MAKER, [text(caller)])
}

/// A page of the practice's API tokens that the caller may see.
#[must_use]
pub fn api_tokens(caller: &str, of: Page) -> Query<Option<Vec<ApiTokenView>>> {
    let roles: Vec<&str> = LEADERS.iter().map(|role| role.name()).collect();
    let [caller, after, most] = page(caller, of);
    let params = [caller, after, most, Param::Text(json(&roles))];
    Query::optional("settings.api_tokens", sql::API_TOKENS, params)
}

/// One API token of the practice.
#[must_use]
pub fn api_token_of(caller: &str, id: ApiTokenId) -> Query<Option<ApiTokenView>> {
    Query::optional("settings.api_token", sql::API_TOKEN, [text(caller), text(id)])
}

/// The agreements that the practice has signed.
#[must_use]
pub fn agreements(caller: &str) -> Query<Vec<SignedView>> {
    Query::or_default("settings.agreements", sql::AGREEMENTS, [text(caller)])
}

/// One API key of the practice.
#[must_use]
pub fn api_key(caller: &str, id: ApiKeyId) -> Query<Option<api_keys::StoredApiKey>> {
    Query::optional("settings.api_key", sql::API_KEY, [text(caller), text(id)])
}
