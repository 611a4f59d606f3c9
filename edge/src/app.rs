//! The service of an isolate, over the bindings of its environment. All of them are required.

use crate::assets::WorkerAssets;
use crate::clock::{PlatformClock, PlatformEntropy, PlatformTimer, memory_kb};
use crate::crypto::WebCrypto;
use crate::d1::D1;
use crate::fetch::WorkerFetch;
use crate::identity::IdentityWorker;
use crate::kv::Kv;
use crate::limiter::{DurableLimiter, PlatformRateLimiter};
use crate::mail::MailBinding;
use crate::network::Sockets;
use crate::queue::WorkerQueue;
use crate::r2::R2;

use overturn_service::config::ConfigError;
use overturn_service::host::{Basics, Cells, Database, Host};
use overturn_service::service::Service;
use std::cell::RefCell;
use std::rc::Rc;
use worker::Env;
use worker::wasm_bindgen::JsValue;

thread_local! {
    /// The service and the environment that it was made from. The platform gives an isolate one environment for its life; a
    /// changed secret or variable comes with a new isolate.
    static SERVICE: RefCell<Option<(JsValue, Rc<Service>)>> = const { RefCell::new(None) };
}

/// The service of an environment. It is made once.
pub(crate) fn of(env: &Env) -> Result<Rc<Service>, ConfigError> {
    let env_value: &JsValue = env.as_ref();
    SERVICE.with_borrow_mut(|known| {
        if let Some((of, service)) = known
            && of == env_value
        {
            return Ok(Rc::clone(service));
        }
        let variables = |name: &str| variable(env, name);
        let host = Rc::new(host(env)?);
        let service = Rc::new(match known {
            // A test may give a request other bindings. What the isolate remembers stays.
            Some((_, service)) => service.beside(host, &variables)?,
            None => Service::new(host, &variables)?,
        });
        *known = Some((env_value.clone(), Rc::clone(&service)));
        Ok(service)
    })
}

/// The service, for work outside requests. `None` if a setting is missing, which the log then says.
pub(crate) fn for_jobs(env: &Env) -> Option<Rc<Service>> {
    log_to_console();
    of(env).inspect_err(ConfigError::log).ok()
}

/// Variables and secrets are strings of the environment.
fn variable(env: &Env, name: &str) -> Option<String> {
    env.var(name).ok().map(|value| value.to_string())
}

fn host(env: &Env) -> Result<Host, ConfigError> {
    Ok(Host {
        basics: basics(),
        cells: cells(env)?,
        limiter: Rc::new(DurableLimiter::new(binding("LIMITER", env.durable_object("LIMITER"))?)),
        address_limiter: Rc::new(PlatformRateLimiter::new(binding("IP_LIMITER", env.rate_limiter("IP_LIMITER"))?)),
        bans: Rc::new(Kv::new(binding("BANS", env.kv("BANS"))?)),
        sessions: Rc::new(Kv::new(binding("SESSIONS", env.kv("SESSIONS"))?)),
        documents: Rc::new(R2::new(binding("DOCUMENTS", env.bucket("DOCUMENTS"))?)),
        webhooks: Rc::new(WorkerQueue::new(binding("WEBHOOKS", env.queue("WEBHOOKS"))?)),
        mailer: Rc::new(MailBinding::new(binding("MAIL", env.send_email("MAIL"))?)),
        network: Rc::new(Sockets),
        outbound: Rc::new(WorkerFetch),
        identity: Rc::new(IdentityWorker::new(binding("IDENTITY", env.service("IDENTITY"))?)),
        assets: Rc::new(WorkerAssets::new(binding("ASSETS", env.assets("ASSETS"))?)),
        crypto: Rc::new(WebCrypto),
    })
}

/// The databases of the environment: `DB_000`, `DB_001` and so on, up to the first number that is missing.
fn cells(env: &Env) -> Result<Cells, ConfigError> {
    let first: Rc<dyn Database> = Rc::new(D1::new(binding("DB_000", env.d1("DB_000"))?));
    let others = (1_u16..).map_while(|number| env.d1(&format!("DB_{number:03}")).ok());
    Ok(Cells::new(first, others.map(|database| Rc::new(D1::new(database)) as Rc<dyn Database>)))
}

/// What needs no binding.
pub(crate) fn basics() -> Basics {
    Basics {
        clock: Rc::new(PlatformClock),
        entropy: Rc::new(PlatformEntropy),
        timer: Rc::new(PlatformTimer),
        memory_kb,
    }
}

fn binding<T>(name: &'static str, found: worker::Result<T>) -> Result<T, ConfigError> {
    // The platform's error adds nothing.
    found.map_err(|_| ConfigError { name, problem: "binding is missing".into() })
}

/// Lines of the log go to the console of the platform.
struct Console;

impl log::Log for Console {
    fn enabled(&self, _: &log::Metadata<'_>) -> bool {
        true
    }

    fn log(&self, record: &log::Record<'_>) {
        if record.level() == log::Level::Error {
            worker::console_error!("{}", record.args());
        } else {
            worker::console_log!("{}", record.args());
        }
    }

    fn flush(&self) {}
}

/// Makes the console the log, once in an isolate.
pub(crate) fn log_to_console() {
    if log::set_logger(&Console).is_ok() {
        log::set_max_level(log::LevelFilter::Info);
    }
}
