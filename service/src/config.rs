//! The settings of the Worker. All of them are required.

pub(crate) mod checks;
mod identity;
mod mail;
mod scanner;
mod values;
mod webhooks;

pub(crate) use identity::{IdentitySettings, OidcProvider};
pub(crate) use scanner::{Clamd, ScannerSettings};
pub use values::{ConfigError, Variables};
pub(crate) use webhooks::Schedule;

use crate::memory::FailureRules;
use crate::request::limit::RateLimit;
use http::Uri;
use http::uri::Authority;
use overturn_core::base::instant::DAY_MS;
use overturn_core::base::token::Realm;
use overturn_core::claims::intake::Bounds;
use values::Numbers;

/// The secret that the operator's commands authenticate with.
const OPERATOR_TOKEN: &str = "OPERATOR_TOKEN";

/// How many seconds a request's body may take to arrive, unless `BODY_SECONDS` is set.
const BODY_SECONDS: u32 = 30;
const BODY_SECONDS_MAX: u32 = 600;

/// The settings that differ between environments.
pub(crate) struct Settings {
    pub(crate) realm: Realm,
    /// Requests per minute from one address before it is banned. The binding `IP_LIMITER` counts to this number in
    /// steps of ten.
    pub(crate) ip_limit: u32,
    /// True if responses tell browsers to use only https: everywhere except dev, because that host serves other things
    /// by http.
    pub(crate) https_only: bool,
    /// How long a request's body may take to arrive, in milliseconds.
    pub(crate) body_time_out_ms: i64,
    /// The limits, enforced or not: headers show them in both cases.
    pub(crate) limits: Limits,
    /// True if calls are counted and refused. Only dev can turn this off.
    pub(crate) enforces_limits: bool,
    /// Without it, the operator's routes do not exist.
    pub(crate) operator_token: Option<String>,
    /// The sender address of emails.
    pub(crate) mail_from: String,
    /// The origin of links in emails, such as `https://overturn.example`. `None` only in dev.
    pub(crate) public_url: Option<String>,
    /// How many wrong passwords in a row close an account's password.
    pub(crate) password_failures: i64,
    /// The allowed endpoints, and the schedule of attempts.
    pub(crate) webhooks: webhooks::Settings,
    /// The daily limits for mismatched resends.
    pub(crate) mismatches: Bounds,
    /// How long a requested destruction waits, in milliseconds.
    pub(crate) destruction_wait_ms: i64,
    /// Who scans documents.
    pub(crate) scanner: ScannerSettings,
    /// How people may sign in besides a password.
    pub(crate) identity: IdentitySettings,
}

/// The limits, which are all exact (interface: Limits).
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    /// Status reads, per key.
    pub(crate) reads: RateLimit,
    /// Sends of claims, per key.
    pub(crate) sends: RateLimit,
    /// General reads, per person.
    pub(crate) person_reads: RateLimit,
    /// General writes, per person.
    pub(crate) person_writes: RateLimit,
    pub(crate) uploads: RateLimit,
    /// Exports of data that a person begins.
    pub(crate) exports: RateLimit,
    /// 2FA setup, per person.
    pub(crate) factors: RateLimit,
    /// Passkey operations, per person. For a second factor, per account and client.
    pub(crate) passkeys: RateLimit,
    /// Passkey operations without a session, per address. An office shares one address.
    pub(crate) passkeys_address: RateLimit,
    /// Steps of sign-ins by providers, per address. An office shares one address.
    pub(crate) providers: RateLimit,
    /// Sign-ins and password resets, per account and client.
    pub(crate) auth: RateLimit,
    /// Sign-ins to one account from one client or device in an hour, and as many codes. It stops slow guessing.
    pub(crate) auth_hour: RateLimit,
    /// Sign-ins and password resets from one address for any account. An office shares one address.
    pub(crate) auth_address: RateLimit,
    /// Sign-ins to one account from devices that never signed in to it.
    pub(crate) auth_unknown_devices: RateLimit,
    /// Failed sign-ins of one network, an IPv4 /24 or IPv6 /48, from devices that never signed in to the account.
    pub(crate) auth_network: RateLimit,
    /// Failed sign-ins from all devices that never signed in to the account, together.
    pub(crate) auth_all: RateLimit,
    /// Failed sign-ins from devices that never signed in to the account, in one isolate, and what a flood of them is.
    pub(crate) auth_isolate: FailureRules,
    /// How many password hashes may wait in one isolate. Unknown devices may take at most half of the places.
    pub(crate) hashes_waiting: u32,
    /// Codes tried on one account from devices that never signed in to it.
    pub(crate) code_unknown_devices: RateLimit,
    /// Emails to one address.
    pub(crate) mail: RateLimit,
    /// Attempts to use a link, per address.
    pub(crate) links: RateLimit,
    /// Patients that a staff member may open before confirming the second factor again.
    pub(crate) patients: RateLimit,
    /// Invitations, per practice.
    pub(crate) invitations: RateLimit,
    /// Leaked keys that anybody reports, per address.
    pub(crate) leaks: RateLimit,
    /// Messages about leaked keys that must be signed, per address.
    pub(crate) leak_messages: RateLimit,
}

impl Settings {
    pub(crate) fn read(env: Variables<'_>) -> Result<Self, ConfigError> {
        let wrong = |name, problem: &str| ConfigError { name, problem: problem.into() };
        let environment = env("ENVIRONMENT").ok_or_else(|| wrong("ENVIRONMENT", "is missing"))?;
        let (realm, ip_limit) = match environment.as_str() {
            "production" => (Realm::Live, 1000),
            "staging" => (Realm::Test, 500),
            "dev" => (Realm::Test, 1000),
            _ => return Err(wrong("ENVIRONMENT", "must be dev, staging or production")),
        };
        let is_dev = environment == "dev";
        let enforces_limits = match env("LIMITS").as_deref() {
            None => true,
            Some("unlimited") if is_dev => false,
            Some(_) => return Err(wrong("LIMITS", "may only be unlimited, and only in dev")),
        };
        let numbers = Numbers::of(env);
        let limits = Limits {
            reads: numbers.per_minute("CLAIMS_READS_PER_MINUTE", 300),
            sends: numbers.per_minute("CLAIMS_SENDS_PER_MINUTE", 60),
            person_reads: numbers.per_minute("READS_PER_MINUTE", 300),
            person_writes: numbers.per_minute("WRITES_PER_MINUTE", 60),
            uploads: numbers.per_minute("UPLOADS_PER_MINUTE", 30),
            exports: numbers.per("EXPORTS_PER_HOUR", 10, 3_600_000),
            factors: numbers.per_minute("FACTORS_PER_MINUTE", 5),
            passkeys: numbers.per_minute("PASSKEYS_PER_MINUTE", 10),
            passkeys_address: numbers.per_minute("PASSKEYS_PER_ADDRESS_PER_MINUTE", 60),
            providers: numbers.per_minute("PROVIDER_STEPS_PER_MINUTE", 120),
            auth: numbers.per("AUTH_PER_20_SECONDS", 5, 20_000),
            auth_hour: numbers.per("AUTH_PER_PLACE_PER_HOUR", 30, 3_600_000),
            auth_address: numbers.per("AUTH_PER_ADDRESS_PER_20_SECONDS", 20, 20_000),
            auth_unknown_devices: numbers.per("AUTH_BY_UNKNOWN_DEVICES_PER_HOUR", 100, 3_600_000),
            auth_network: numbers.per_minute("AUTH_FAILURES_PER_NETWORK_PER_MINUTE", 6),
            auth_all: numbers.per_minute("AUTH_FAILURES_PER_MINUTE", 10),
            auth_isolate: FailureRules {
                failures: numbers.per("AUTH_FAILURES_PER_ISOLATE_PER_20_SECONDS", 5, 20_000),
                flood: numbers.per("AUTH_FLOOD_NETWORKS_PER_20_SECONDS", 10, 20_000),
            },
            hashes_waiting: numbers.within("HASHES_WAITING", 8, &checks::HASHES_WAITING),
            code_unknown_devices: numbers.per("CODES_BY_UNKNOWN_DEVICES_PER_HOUR", 30, 3_600_000),
            mail: numbers.per("MAIL_PER_5_MINUTES", 3, 300_000),
            links: numbers.per_minute("LINKS_PER_MINUTE", 10),
            patients: numbers.per("PATIENTS_PER_HOUR", 60, 3_600_000),
            invitations: numbers.per("INVITATIONS_PER_DAY", 50, DAY_MS),
            leaks: numbers.per_minute("LEAKS_PER_MINUTE", 10),
            leak_messages: numbers.per_minute("LEAK_MESSAGES_PER_MINUTE", 120),
        };
        let operator_token = env(OPERATOR_TOKEN);
        if let Some(problem) = operator_token.as_deref().and_then(checks::operator_token) {
            return Err(wrong(OPERATOR_TOKEN, problem));
        }
        let mail_from = mail::sender(env("MAIL_FROM"), is_dev).map_err(|problem| wrong("MAIL_FROM", problem))?;
        let public_url = mail::origin(env("PUBLIC_URL"), is_dev).map_err(|problem| wrong("PUBLIC_URL", problem))?;
        let webhooks = webhooks::Settings::read(env, is_dev).map_err(|(name, problem)| wrong(name, problem))?;
        let identity = IdentitySettings::read(env, public_url.as_deref(), is_dev)
            .map_err(|(name, problem)| wrong(name, problem))?;
        let bounds = Bounds::default();
        let bounds = Bounds {
            claim: numbers.at_most("MISMATCHES_PER_CLAIM_PER_DAY", bounds.claim, 1_000),
            practice: numbers.at_most("MISMATCHES_PER_PRACTICE_PER_DAY", bounds.practice, 100_000),
        };
        let mismatches = if enforces_limits { bounds } else { Bounds::NONE };
        let body_seconds = i64::from(numbers.at_most("BODY_SECONDS", BODY_SECONDS, BODY_SECONDS_MAX));
        let password_failures = i64::from(numbers.at_most("PASSWORD_FAILURES", 100, checks::LIMIT_MAX));
        numbers.right()?;
        Ok(Self {
            realm,
            ip_limit,
            https_only: !is_dev,
            password_failures,
            body_time_out_ms: body_seconds.saturating_mul(1000),
            limits,
            enforces_limits,
            operator_token,
            mail_from,
            public_url,
            webhooks,
            mismatches,
            destruction_wait_ms: destruction_wait(env, is_dev)?,
            scanner: ScannerSettings::read(env, is_dev)?,
            identity,
        })
    }

    /// The origin of links in emails. Outside dev it is never the request's own: with a forged `Host`, an attacker
    /// could request another person's link that leads anywhere.
    pub(crate) fn origin(&self, request: &Uri) -> String {
        self.public_url.clone().unwrap_or_else(|| {
            let scheme = request.scheme_str().unwrap_or("http");
            let authority = request.authority().map_or("localhost", Authority::as_str);
            format!("{scheme}://{authority}")
        })
    }
}

/// By default, how many days a requested destruction waits. Until then it can be canceled.
pub const DEFAULT_WAIT_DAYS: i64 = 7;

/// How long a destruction of a practice's data can be canceled, in milliseconds.
fn destruction_wait(env: Variables<'_>, is_dev: bool) -> Result<i64, ConfigError> {
    const NAME: &str = "DESTRUCTION_WAIT_DAYS";
    let days = env(NAME).map_or(Ok(DEFAULT_WAIT_DAYS), |text| text.parse::<i64>());
    let least = i64::from(!is_dev);
    let days = days.ok().filter(|days| (least..=60).contains(days));
    days.map(|days| days.saturating_mul(DAY_MS))
        .ok_or_else(|| ConfigError { name: NAME, problem: "must be a whole number from 1 to 60".into() })
}
