//! The bindings of the Worker. All of them are required.

mod reported;

use crate::assets::Assets;
use crate::bucket::Bucket;
use crate::config::{ConfigError, Settings, checks};
use crate::identity::Identity;
use crate::kv::{Bans, Sessions};
use crate::mail::Mailer;
use crate::rate_limiter::Limiters;
use overturn_store::keyring::{self, Keyring};
use reported::Reported;
use std::cell::RefCell;
use std::sync::Arc;
use worker::wasm_bindgen::JsValue;
use worker::{D1Database, Env, Queue, RateLimiter};

/// The state that requests share.
pub(crate) struct App {
    pub(crate) d1: D1Database,
    pub(crate) bans: Bans,
    pub(crate) sessions: Sessions,
    pub(crate) limiters: Limiters,
    pub(crate) ip_limiter: RateLimiter,
    pub(crate) mailer: Mailer,
    /// The queue of messages to send at once.
    pub(crate) webhooks: Queue,
    /// The sealed documents.
    pub(crate) documents: Bucket,
    /// The texts that are deployed beside the Worker.
    pub(crate) assets: Assets,
    /// Checks what authenticators and identity providers sign.
    pub(crate) identity: Identity,
    pub(crate) keys: Keyring,
    pub(crate) settings: Settings,
    /// The sealed values that were reported as tampered.
    pub(crate) tampered: Reported,
}

thread_local! {
    /// The app and the environment that it was made from. The platform gives an isolate one environment for its life; a
    /// changed secret or variable comes with a new isolate.
    static APP: RefCell<Option<(JsValue, Arc<App>)>> = const { RefCell::new(None) };
}

impl App {
    /// The app of an environment. It is made once.
    pub(crate) fn of(env: &Env) -> Result<Arc<Self>, ConfigError> {
        let env_value: &JsValue = env.as_ref();
        APP.with_borrow_mut(|known| {
            if let Some((of, app)) = known
                && of == env_value
            {
                return Ok(Arc::clone(app));
            }
            let app = Arc::new(Self::read(env)?);
            *known = Some((env_value.clone(), Arc::clone(&app)));
            Ok(app)
        })
    }

    fn read(env: &Env) -> Result<Self, ConfigError> {
        let settings = Settings::read(env)?;
        let mail = binding("MAIL", env.send_email("MAIL"))?;
        let mailer = Mailer::new(mail, settings.mail_from.clone());
        Ok(Self {
            d1: binding("DB", env.d1("DB"))?,
            bans: Bans::new(binding("BANS", env.kv("BANS"))?),
            sessions: Sessions::new(binding("SESSIONS", env.kv("SESSIONS"))?),
            limiters: Limiters::new(
                binding("LIMITER", env.durable_object("LIMITER"))?,
                settings.enforces_limits,
            ),
            ip_limiter: binding("IP_LIMITER", env.rate_limiter("IP_LIMITER"))?,
            mailer,
            webhooks: binding("WEBHOOKS", env.queue("WEBHOOKS"))?,
            documents: Bucket::new(binding("DOCUMENTS", env.bucket("DOCUMENTS"))?),
            assets: Assets::new(binding("ASSETS", env.assets("ASSETS"))?),
            identity: Identity::new(binding("IDENTITY", env.service("IDENTITY"))?),
            keys: keys(env)?,
            settings,
            tampered: Reported::default(),
        })
    }
}

fn binding<T>(name: &'static str, found: worker::Result<T>) -> Result<T, ConfigError> {
    // The platform's error adds nothing.
    found.map_err(|_| ConfigError {
        name,
        problem: "binding is missing".into(),
    })
}

fn keys(env: &Env) -> Result<Keyring, ConfigError> {
    let name = keyring::SECRET;
    // The platform's error adds nothing.
    let secret = env.secret(name).map_err(|_| ConfigError {
        name,
        problem: "secret is missing".into(),
    })?;
    let secret = secret.to_string();
    let wrong = |problem| ConfigError { name, problem };
    let keys = Keyring::parse(&secret).map_err(|problem| wrong(problem.to_string()))?;
    match checks::sealing_keys(&secret) {
        Some(problem) => Err(wrong(problem.into())),
        None => Ok(keys),
    }
}
