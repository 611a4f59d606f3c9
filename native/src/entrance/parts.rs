//! Small parts of a host that fail.

use super::Puts;
use overturn_core::base::instant::Instant;
use overturn_core::claims::intake::Mark;
use overturn_service::host::{
    AddressLimiter, AskError, Cache, IdentityChecks, Letter, Limiter, LimiterAnswer, Mailer, MessageQueue,
    PlatformError, QueueMessage, Step,
};
use overturn_service::request::limit::{Ahead, Held, RateLimit, Unused};
use std::future::{pending, ready};
use std::rc::Rc;
use std::time::Duration;

fn gone<'a, T: 'a>() -> Step<'a, Result<T, PlatformError>> {
    Box::pin(ready(Err(PlatformError)))
}

/// A part that fails on every call.
pub(super) struct Gone;

impl Limiter for Gone {
    fn ask<'a>(
        &'a self,
        _: &'a str,
        _: &'static str,
        _: RateLimit,
        _: &'a [Mark],
        _: Unused,
    ) -> Step<'a, Result<LimiterAnswer, PlatformError>> {
        gone()
    }

    fn hold<'a>(
        &'a self,
        _: &'a str,
        _: &'static str,
        _: RateLimit,
        _: Ahead,
    ) -> Step<'a, Result<Held, PlatformError>> {
        gone()
    }

    fn give_back<'a>(&'a self, _: &'a str, _: &'static str, _: Instant) -> Step<'a, Result<(), PlatformError>> {
        gone()
    }
}

impl Mailer for Gone {
    fn send<'a>(&'a self, _: (&'a str, &'a str), _: &'a Letter) -> Step<'a, Result<(), String>> {
        Box::pin(ready(Err("unknown".to_owned())))
    }
}

impl MessageQueue for Gone {
    fn send<'a>(&'a self, _: &'a QueueMessage, _: Duration) -> Step<'a, Result<(), PlatformError>> {
        gone()
    }
}

/// A counter that has not counted anything, or that does not answer.
pub(super) struct FaultyAddresses {
    pub(super) is_open: bool,
}

impl AddressLimiter for FaultyAddresses {
    fn count<'a>(&'a self, _: &'a str) -> Step<'a, Result<bool, PlatformError>> {
        Box::pin(ready(self.is_open.then_some(true).ok_or(PlatformError)))
    }
}

/// Bans that have not spread yet, or that cannot be asked for.
pub(super) struct FaultyBans(pub(super) Option<Rc<dyn Cache>>);

impl Cache for FaultyBans {
    fn get<'a>(&'a self, _: &'a str) -> Step<'a, Result<Option<String>, PlatformError>> {
        Box::pin(ready(self.0.as_ref().map(|_| None).ok_or(PlatformError)))
    }

    fn put<'a>(&'a self, key: &'a str, text: String, kept: Duration) -> Step<'a, Result<(), PlatformError>> {
        match &self.0 {
            Some(bans) => bans.put(key, text, kept),
            None => gone(),
        }
    }

    fn delete<'a>(&'a self, _: &'a str) -> Step<'a, Result<(), PlatformError>> {
        gone()
    }
}

/// Identity checks that never answer, whose answers are none, or that are away.
pub(super) struct FaultyIdentity(pub(super) String);

impl IdentityChecks for FaultyIdentity {
    fn ask<'a>(&'a self, _: &'a str, _: String) -> Step<'a, Result<String, AskError>> {
        match &*self.0 {
            "silent" => Box::pin(pending()),
            "junk" => Box::pin(ready(Ok("junk".to_owned()))),
            _ => Box::pin(ready(Err(AskError::Away))),
        }
    }
}

/// What a cache of sessions does.
pub(super) enum KnownSessions {
    /// It fails on every call.
    Gone,
    /// It never answers a read, and stores nothing.
    Silent,
    /// It answers every read alike, and stores nothing.
    Stale(Option<String>),
    /// It does what it should, and every write is counted.
    Watched(Rc<dyn Cache>, Puts),
}

/// A cache of sessions that fails.
pub(super) struct FaultySessions(pub(super) KnownSessions);

impl Cache for FaultySessions {
    fn get<'a>(&'a self, key: &'a str) -> Step<'a, Result<Option<String>, PlatformError>> {
        match &self.0 {
            KnownSessions::Gone => gone(),
            KnownSessions::Silent => Box::pin(pending()),
            KnownSessions::Stale(text) => Box::pin(ready(Ok(text.clone()))),
            KnownSessions::Watched(sessions, _) => sessions.get(key),
        }
    }

    fn put<'a>(&'a self, key: &'a str, text: String, kept: Duration) -> Step<'a, Result<(), PlatformError>> {
        match &self.0 {
            KnownSessions::Gone => gone(),
            KnownSessions::Silent | KnownSessions::Stale(_) => Box::pin(ready(Ok(()))),
            KnownSessions::Watched(sessions, puts) => {
                if let Ok(mut puts) = puts.lock() {
                    let count = puts.entry(key.to_owned()).or_default();
                    *count = count.saturating_add(1);
                }
                sessions.put(key, text, kept)
            }
        }
    }

    fn delete<'a>(&'a self, key: &'a str) -> Step<'a, Result<(), PlatformError>> {
        match &self.0 {
            KnownSessions::Gone => gone(),
            KnownSessions::Silent | KnownSessions::Stale(_) => Box::pin(ready(Ok(()))),
            KnownSessions::Watched(sessions, _) => sessions.delete(key),
        }
    }
}
