//! The statements that load a snapshot, authentication included.

mod denials;
pub mod signing;
pub mod work;

pub use denials::{denial, denials};

use super::{Param, Query, Statement, count, instant, json::json, optional, page, sql, text};
use overturn_core::accounts::sessions::SessionView;
use overturn_core::auth::rights::LEADERS;
use overturn_core::auth::session::IDLE_MS;
use overturn_core::base::date::Date;
use overturn_core::base::email::EmailAddress;
use overturn_core::base::id::{
    ApiKeyId, ApiTokenId, ClaimId, FactorId, PracticeId, SessionId, UserId,
};
use overturn_core::base::instant::Instant;
use overturn_core::claims::denials::EVENTS_MAX;
use overturn_core::request::idempotency::Repeatable;
use overturn_core::request::page::Page;
use overturn_core::settings::api_keys::ApiKeyView;
use overturn_core::settings::api_tokens::ApiTokenView;
use overturn_core::settings::members::MemberView;
use overturn_core::settings::trail::events::Stored;
use overturn_core::work::queue::{self, TakenBy};
use overturn_core::work::view::NOTES_MAX;

/// What a send needs: the credential with the data key of its practice, and of the practice the claims of these numbers and the
/// mismatches of the day.
#[must_use]
pub fn send(key_hash: &str, numbers: &[&str], day: Date) -> [Statement; 2] {
    [
        credential_to_send(key_hash),
        Statement::new(
            sql::CLAIMS_OF_KEY,
            [text(key_hash), Param::Text(json(&numbers)), text(day)],
        ),
    ]
}

/// How many claims one statement reads to be opened: what is sealed of them fits into a value of the database.
const HELD_AT_ONCE: usize = 10;

/// The claims of a practice that are to be opened, some with each statement.
#[must_use]
pub fn held(practice: PracticeId, claims: &[ClaimId]) -> Vec<Statement> {
    let read = |some: &[ClaimId]| {
        let params = [text(practice), Param::Text(json(&some))];
        Statement::new(sql::fills::HELD, params)
    };
    claims.chunks(HELD_AT_ONCE).map(read).collect()
}

/// What a status read needs: the credential, and the claim of this number in its practice.
#[must_use]
pub fn status(key_hash: &str, claim_number: &str) -> Statement {
    Statement::new(sql::STATUS_OF_KEY, [text(key_hash), text(claim_number)])
}

/// The credential alone, for a request that is refused whatever the store holds.
#[must_use]
pub fn credential(key_hash: &str) -> Statement {
    Statement::new(sql::CREDENTIAL, [text(key_hash)])
}

/// The credential and the data key of its practice, for a send.
#[must_use]
pub fn credential_to_send(key_hash: &str) -> Statement {
    Statement::new(sql::CREDENTIAL_TO_SEND, [text(key_hash)])
}

/// Whether patient data of a practice may be read.
#[must_use]
pub fn practice_standing(id: PracticeId) -> Statement {
    Statement::new(sql::PRACTICE_STANDING, [text(id)])
}

/// What a session is worth, by the hash of its token.
#[must_use]
pub fn session(hash: &str) -> Statement {
    Statement::new(sql::accounts::SESSION, [text(hash)])
}

/// What an API token is worth, by its hash.
#[must_use]
pub fn api_token(hash: &str) -> Statement {
    Statement::new(sql::accounts::TOKEN, [text(hash)])
}

/// What a caller's request was answered before, by the hash of what the caller presents.
#[must_use]
pub fn kept(caller: &str, request: &Repeatable) -> Statement {
    Statement::new(sql::accounts::KEPT, [text(caller), text(&request.place)])
}

/// A page of the practice's API keys.
#[must_use]
pub fn api_keys(caller: &str, of: Page) -> Query<Option<Vec<ApiKeyView>>> {
    Query::optional(
        "settings.api_keys",
        sql::settings::API_KEYS,
        page(caller, of),
    )
}

/// The caller's practice.
#[must_use]
pub fn practice(caller: &str) -> Statement {
    Statement::new(sql::settings::PRACTICE, [text(caller)])
}

/// A page of the practice's members.
#[must_use]
pub fn members(caller: &str, of: Page) -> Query<Option<Vec<MemberView>>> {
    Query::optional("settings.members", sql::settings::MEMBERS, page(caller, of))
}

/// One member of the practice.
#[must_use]
pub fn member(caller: &str, id: UserId) -> Statement {
    Statement::new(sql::settings::MEMBER, [text(caller), text(id)])
}

/// Who the caller is, as a key that they make names them.
#[must_use]
pub fn maker(caller: &str) -> Statement {
    Statement::new(sql::settings::MAKER, [text(caller)])
}

/// What a member of the practice leaves behind that goes on working, and which owners are to know.
#[must_use]
pub fn legacy(caller: &str, id: UserId, now: Instant) -> Statement {
    let params = [text(caller), text(id), Param::Int(now.0)];
    Statement::new(sql::settings::LEGACY, params)
}

/// The member of the practice with an address, and what a letter to it says of who invites.
#[must_use]
pub fn invitation(caller: &str, to: &EmailAddress) -> [Statement; 2] {
    [
        Statement::new(
            sql::settings::MEMBER_OF_ADDRESS,
            [text(caller), text(to.key())],
        ),
        Statement::new(sql::settings::INVITER, [text(caller)]),
    ]
}

/// A page of the practice's API tokens, as far as the caller sees them.
#[must_use]
pub fn api_tokens(caller: &str, of: Page) -> Query<Option<Vec<ApiTokenView>>> {
    let roles: Vec<&str> = LEADERS.iter().map(|role| role.name()).collect();
    let [caller, after, most] = page(caller, of);
    let params = [caller, after, most, Param::Text(json(&roles))];
    Query::optional("settings.api_tokens", sql::settings::API_TOKENS, params)
}

/// One API token of the practice.
#[must_use]
pub fn api_token_of(caller: &str, id: ApiTokenId) -> Statement {
    Statement::new(sql::settings::API_TOKEN, [text(caller), text(id)])
}

/// What the practice has signed.
#[must_use]
pub fn agreements(caller: &str) -> Statement {
    Statement::new(sql::settings::AGREEMENTS, [text(caller)])
}

/// A page of the practice's audit trail.
#[must_use]
pub fn audit(caller: &str, of: Page) -> Query<Option<Vec<Stored>>> {
    Query::optional("settings.audit", sql::settings::AUDIT, page(caller, of))
}

/// One API key of the practice.
#[must_use]
pub fn api_key(caller: &str, id: ApiKeyId) -> Statement {
    Statement::new(sql::settings::API_KEY, [text(caller), text(id)])
}

/// The account in use for an address, by the key of the address.
#[must_use]
pub fn account_of_address(email_key: &str) -> Statement {
    Statement::new(sql::accounts::ACCOUNT_OF_ADDRESS, [text(email_key)])
}

/// Counts an attempt at the password of the account in use for an address, and reads how many there were.
#[must_use]
pub fn count_password_try(email_key: &str) -> Statement {
    Statement::new(sql::accounts::COUNT_PASSWORD_TRY, [text(email_key)])
}

/// Counts an attempt at the password of an account, and reads how many there were.
#[must_use]
pub fn count_password_try_of(user: UserId) -> Statement {
    Statement::new(sql::accounts::COUNT_PASSWORD_TRY_OF, [text(user)])
}

/// The account that acts, by the hash of what was presented.
#[must_use]
pub fn account_of_caller(caller: &str) -> Statement {
    Statement::new(sql::accounts::ACCOUNT_OF_CALLER, [text(caller)])
}

/// A session as its person sees it.
#[must_use]
pub fn session_facts(hash: &str) -> Statement {
    Statement::new(sql::accounts::SESSION_FACTS, [text(hash)])
}

/// What a continuation token is worth, by its hash, after this attempt was counted.
#[must_use]
pub fn continuation(hash: &str) -> [Statement; 2] {
    [sql::accounts::COUNT_ATTEMPT, sql::accounts::CONTINUATION]
        .map(|sql| Statement::new(sql, [text(hash)]))
}

/// A factor of the caller that waits to be confirmed.
#[must_use]
pub fn waiting_factor(caller: &str, id: FactorId) -> Statement {
    Statement::new(sql::accounts::WAITING_FACTOR, [text(caller), text(id)])
}

/// What a link is worth, by the hash of its token.
#[must_use]
pub fn link(hash: &str) -> Statement {
    Statement::new(sql::accounts::LINK, [text(hash)])
}

/// A page of the person's own sessions that last.
#[must_use]
pub fn sessions(caller: &str, of: Page, now: Instant) -> Query<Option<Vec<SessionView>>> {
    let used = now.plus(-IDLE_MS);
    let [caller, after, most] = page(caller, of);
    let params = [caller, after, most, Param::Int(now.0), Param::Int(used.0)];
    Query::optional("accounts.sessions", sql::accounts::SESSIONS, params)
}

/// One session of the person's own.
#[must_use]
pub fn own_session(caller: &str, id: SessionId) -> Statement {
    Statement::new(sql::accounts::OWN_SESSION, [text(caller), text(id)])
}

/// A claim to be changed by staff.
#[must_use]
pub fn claim(practice: PracticeId, id: ClaimId) -> Statement {
    Statement::new(sql::work::CLAIM, [text(practice), text(id)])
}

/// A claim with all that staff see of it.
#[must_use]
pub fn claim_view(practice: PracticeId, id: ClaimId) -> Statement {
    let most = [count(EVENTS_MAX), count(NOTES_MAX)];
    let params = [&[text(practice), text(id)], &most[..]].concat();
    Statement::new(sql::work::CLAIM_VIEW, params)
}

/// A page of the staff's queue, as the caller of this hash asks for it.
#[must_use]
pub fn queue(caller: &str, query: &queue::Query, now: Instant) -> Query<Option<Vec<queue::Item>>> {
    let (received_from, received_before) = query.received(now);
    let (due, id) = query.after.map_or_else(
        || (text(""), text("")),
        |place| (text(place.due_key()), text(place.id)),
    );
    let statuses: Vec<&str> = query.statuses.iter().map(|status| status.name()).collect();
    let filters = [
        Param::Text(json(&statuses)),
        due,
        id,
        count(query.limit.saturating_add(1)),
        optional(query.practice_id),
        optional(query.payer_name.as_ref()),
        optional(query.denial_code.as_ref()),
        instant(received_from),
        instant(received_before),
        match query.taken_by {
            TakenBy::Any => Param::Null,
            TakenBy::Me => text("me"),
            TakenBy::Nobody => text("nobody"),
        },
        text(caller),
    ];
    match &query.claim_number {
        Some(number) => {
            let params = [&filters[..], &[text(number)]].concat();
            Query::optional("work.queue_of_number", sql::work::queue::OF_NUMBER, params)
        }
        None => Query::optional("work.queue", sql::work::queue::QUEUE, filters),
    }
}

/// The accounts that an address has, by its key, or an id.
#[must_use]
pub fn people(id: &str, email_key: &str) -> Statement {
    Statement::new(sql::operator::PEOPLE, [text(id), text(email_key)])
}

/// Whether there is a practice of this id.
#[must_use]
pub fn practice_of_id(id: PracticeId) -> Statement {
    Statement::new(sql::operator::PRACTICE, [text(id)])
}

/// Every practice.
#[must_use]
pub fn practices() -> Statement {
    Statement::new(sql::operator::PRACTICES, [])
}

/// The API keys of an id, or of the first characters that are shown of them.
#[must_use]
pub fn keys(id_or_hint: &str) -> Statement {
    Statement::new(sql::operator::KEYS, [text(id_or_hint)])
}
