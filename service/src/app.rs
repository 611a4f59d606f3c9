//! What the requests of one instance share.

mod reported;

use crate::assets::Assets;
use crate::config::{ConfigError, Settings, Variables, checks};
use crate::host::Host;
use crate::identity::IdentityClient;
use crate::kv::{Bans, Sessions};
use crate::mail::Mailer;
use crate::memory::Memory;
use crate::rate_limiter::Limiters;
use crate::store::keyring::{self, Keyring};
use reported::Reported;
use std::rc::Rc;

/// The settings, the keys, and the platform.
pub(crate) struct App {
    pub(crate) host: Rc<Host>,
    pub(crate) bans: Bans,
    pub(crate) sessions: Sessions,
    pub(crate) limiters: Limiters,
    pub(crate) mailer: Mailer,
    pub(crate) assets: Assets,
    pub(crate) identity: IdentityClient,
    pub(crate) keys: Keyring,
    pub(crate) settings: Settings,
    /// The sealed values that were reported as tampered.
    pub(crate) tampered: Reported,
    pub(crate) memory: Rc<Memory>,
}

impl App {
    /// The service on a host. `variables` are its settings and secrets by name.
    ///
    /// # Errors
    ///
    /// A setting is missing or unusable.
    pub(crate) fn new(host: Rc<Host>, variables: Variables<'_>, memory: Rc<Memory>) -> Result<Self, ConfigError> {
        let settings = Settings::read(variables)?;
        settings.scanner.check(host.network.has_unix_sockets())?;
        Ok(Self {
            bans: Bans::new(Rc::clone(&host)),
            sessions: Sessions::new(Rc::clone(&host)),
            limiters: Limiters::new(Rc::clone(&host), settings.enforces_limits),
            mailer: Mailer::new(Rc::clone(&host), settings.mail_from.clone()),
            assets: Assets::new(Rc::clone(&host)),
            identity: IdentityClient::new(Rc::clone(&host)),
            keys: keys(variables)?,
            settings,
            tampered: Reported::default(),
            memory,
            host,
        })
    }
}

fn keys(variables: Variables<'_>) -> Result<Keyring, ConfigError> {
    let name = keyring::SECRET;
    let wrong = |problem| ConfigError { name, problem };
    let secret = variables(name).ok_or_else(|| wrong("secret is missing".into()))?;
    let keys = Keyring::parse(&secret).map_err(|problem| wrong(problem.to_string()))?;
    match checks::sealing_keys(&secret) {
        Some(problem) => Err(wrong(problem.into())),
        None => Ok(keys),
    }
}
