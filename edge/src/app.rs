//! The bindings and settings of the Worker, read once a request and complete or not at all.

use crate::keyring::{self, Keyring};
use crate::kv::Bans;
use crate::limiter::Limiters;
use crate::store::d1::Db;
use crate::trace::Trace;
use overturn_core::ctx::Ctx;
use overturn_core::limit::Rule;
use overturn_core::token::Realm;
use std::cell::RefCell;
use std::sync::Arc;
use worker::{Context, Env, RateLimiter};

/// Everything a handler may use.
pub(crate) struct App {
    pub(crate) db: Db,
    pub(crate) bans: Bans,
    pub(crate) limiters: Limiters,
    pub(crate) shield: RateLimiter,
    pub(crate) keys: Arc<Keyring>,
    pub(crate) settings: Settings,
}

/// One request: the app, its instant and ids, and what its log line will say.
pub(crate) struct Call {
    pub(crate) app: App,
    pub(crate) ctx: Ctx,
    pub(crate) trace: Arc<Trace>,
    /// For what may go on after the answer.
    pub(crate) context: Context,
}

/// A binding, variable or secret that is missing or unusable, by its name. It holds no value.
#[derive(Debug)]
pub(crate) struct Misconfigured {
    pub(crate) name: &'static str,
    pub(crate) problem: String,
}

/// The secret that the operator's commands authenticate with, and the characters it needs at least.
const OPERATOR_TOKEN: &str = "OPERATOR_TOKEN";
const OPERATOR_TOKEN_MIN: usize = 32;

/// What differs between environments.
pub(crate) struct Settings {
    pub(crate) realm: Realm,
    /// Requests a minute from one address before it is banned. The binding `IP_SHIELD` counts to this number.
    pub(crate) ip_limit: u32,
    /// `None` where limits are switched off, which production refuses.
    pub(crate) limits: Option<Limits>,
    /// Where it is not set, nothing answers to the operator.
    pub(crate) operator_token: Option<String>,
}

/// The limits of the claims interface, per key.
#[derive(Clone, Copy)]
pub(crate) struct Limits {
    pub(crate) reads: Rule,
    pub(crate) sends: Rule,
}

impl App {
    pub(crate) fn new(env: &Env, trace: &Arc<Trace>) -> Result<Self, Misconfigured> {
        Ok(Self {
            db: Db::new(binding("DB", env.d1("DB"))?, Arc::clone(trace)),
            bans: Bans::new(binding("BANS", env.kv("BANS"))?),
            limiters: Limiters::new(binding("LIMITER", env.durable_object("LIMITER"))?),
            shield: binding("IP_SHIELD", env.rate_limiter("IP_SHIELD"))?,
            keys: keys(env)?,
            settings: Settings::read(env)?,
        })
    }
}

impl Settings {
    fn read(env: &Env) -> Result<Self, Misconfigured> {
        let wrong = |name, problem: &str| Misconfigured {
            name,
            problem: problem.into(),
        };
        let environment =
            variable(env, "ENVIRONMENT").ok_or_else(|| wrong("ENVIRONMENT", "is missing"))?;
        let (realm, ip_limit) = match environment.as_str() {
            "production" => (Realm::Live, 1000),
            "staging" => (Realm::Test, 500),
            "dev" => (Realm::Test, 1000),
            _ => return Err(wrong("ENVIRONMENT", "must be dev, staging or production")),
        };
        let limits = match variable(env, "LIMITS").as_deref() {
            None => Some(Limits {
                reads: per_minute(env, "CLAIMS_READS_PER_MINUTE", 300)?,
                sends: per_minute(env, "CLAIMS_SENDS_PER_MINUTE", 60)?,
            }),
            Some("unlimited") if environment == "dev" => None,
            Some(_) => return Err(wrong("LIMITS", "may only be unlimited, and only in dev")),
        };
        let operator_token = env
            .secret(OPERATOR_TOKEN)
            .ok()
            .map(|token| token.to_string());
        if operator_token
            .as_ref()
            .is_some_and(|token| token.len() < OPERATOR_TOKEN_MIN)
        {
            return Err(wrong(OPERATOR_TOKEN, "is too short to be safe"));
        }
        Ok(Self {
            realm,
            ip_limit,
            limits,
            operator_token,
        })
    }
}

fn per_minute(env: &Env, name: &'static str, default: u32) -> Result<Rule, Misconfigured> {
    let limit = variable(env, name).map_or(Ok(default), |text| text.parse());
    let problem = "must be a whole number above 0";
    limit
        .ok()
        .filter(|limit| *limit > 0)
        .map(Rule::per_minute)
        .ok_or_else(|| Misconfigured {
            name,
            problem: problem.into(),
        })
}

fn variable(env: &Env, name: &str) -> Option<String> {
    env.var(name).ok().map(|value| value.to_string())
}

fn binding<T>(name: &'static str, found: worker::Result<T>) -> Result<T, Misconfigured> {
    found.map_err(|_| Misconfigured {
        name,
        problem: "binding is missing".into(),
    })
}

thread_local! {
    /// The keyring of the secret it was made from. Deriving keys is cheap, but not once a request.
    static KEYS: RefCell<Option<(String, Arc<Keyring>)>> = const { RefCell::new(None) };
}

fn keys(env: &Env) -> Result<Arc<Keyring>, Misconfigured> {
    let name = keyring::SECRET;
    let secret = env.secret(name).map_err(|_| Misconfigured {
        name,
        problem: "secret is missing".into(),
    })?;
    let secret = secret.to_string();
    KEYS.with_borrow_mut(|cached| {
        if let Some((of, keys)) = cached
            && *of == secret
        {
            return Ok(Arc::clone(keys));
        }
        let parsed = Keyring::parse(&secret);
        let keys = Arc::new(parsed.map_err(|wrong| Misconfigured {
            name,
            problem: wrong.to_string(),
        })?);
        *cached = Some((secret, Arc::clone(&keys)));
        Ok(keys)
    })
}
