//! Exact limits for the calls of a principal: no window has more of them, and of thirty parallel calls exactly as many pass as
//! the limit allows. Of a key's calls, a few less pass if instances have some ahead and do not make them
//! (`crate::memory::Permits`).
//!
//! A key's limiter is called only if the key is known to exist, so that made-up keys leave no limiters behind.

use crate::error::AppError;
use crate::host::{Host, LimiterAnswer};
use crate::request::limit::{Ahead, Held, RateLimit, SlidingLog, Unused, Verdict};
use overturn_core::base::instant::Instant;
use overturn_core::claims::intake::Mark;
use std::hash::{DefaultHasher, Hasher as _};
use std::rc::Rc;

/// A group of calls with its own count.
#[derive(Clone, Copy)]
pub(crate) enum Group {
    Reads,
    Sends,
    Writes,
    Uploads,
    Exports,
    Factors,
    Passkeys,
    Providers,
    Auth,
    Mail,
    Links,
    UnknownDevices,
    Invitations,
    Leaks,
    LeakMessages,
}

impl Group {
    const fn name(self) -> &'static str {
        match self {
            Self::Reads => "reads",
            Self::Sends => "sends",
            Self::Writes => "writes",
            Self::Uploads => "uploads",
            Self::Exports => "exports",
            Self::Factors => "factors",
            Self::Passkeys => "passkeys",
            Self::Providers => "providers",
            Self::Auth => "auth",
            Self::Mail => "mail",
            Self::Links => "links",
            Self::UnknownDevices => "unknown_devices",
            Self::Invitations => "invitations",
            Self::Leaks => "leaks",
            Self::LeakMessages => "leak_messages",
        }
    }
}

/// The limiters, for their callers.
pub(crate) struct Limiters {
    host: Rc<Host>,
    /// True if the host's limiter is called. Otherwise every call passes as the first of its window, and its headers show
    /// the limit that would apply.
    enforces: bool,
}

impl Limiters {
    pub(crate) fn new(host: Rc<Host>, enforces: bool) -> Self {
        Self { host, enforces }
    }

    /// Checks one call of a principal.
    pub(crate) async fn ask(&self, principal: &str, group: Group, rule: RateLimit) -> Result<Verdict, AppError> {
        let (verdict, _) = self.take(principal, group, rule).await?;
        Ok(verdict)
    }

    /// Checks one send of a key with the marks of its items, in place of unused calls. Also returns which items have a number
    /// that just came for another patient or claim.
    pub(crate) async fn ask_to_send(
        &self,
        key: &str,
        rule: RateLimit,
        marks: &[Mark],
        unused: Unused,
    ) -> Result<(Verdict, Vec<usize>), AppError> {
        let asked = self.count(key, Group::Sends, rule, (marks, unused)).await?;
        Ok((asked.verdict, asked.contested))
    }

    /// Counts calls of a principal before they are made.
    pub(crate) async fn hold(
        &self,
        principal: &str,
        group: Group,
        rule: RateLimit,
        ahead: Ahead,
    ) -> Result<Held, AppError> {
        let held = self.host.limiter.hold(principal, group.name(), rule, ahead).await;
        held.map_err(|_| AppError::Unavailable("limiter"))
    }

    /// Checks one call of a principal that can be given back by its counted instant.
    pub(crate) async fn take(
        &self,
        principal: &str,
        group: Group,
        rule: RateLimit,
    ) -> Result<(Verdict, Instant), AppError> {
        let asked = self.count(principal, group, rule, (&[], None)).await?;
        Ok((asked.verdict, asked.at))
    }

    /// The verdict on every call if the limiter is not called.
    pub(crate) fn unlimited(&self, rule: RateLimit) -> Option<Verdict> {
        (!self.enforces).then(|| SlidingLog::default().ask(rule, self.host.now()))
    }

    async fn count(
        &self,
        principal: &str,
        group: Group,
        rule: RateLimit,
        (marks, unused): (&[Mark], Unused),
    ) -> Result<LimiterAnswer, AppError> {
        if let Some(verdict) = self.unlimited(rule) {
            return Ok(LimiterAnswer { verdict, at: self.host.now(), contested: Vec::new() });
        }
        let limiter = &self.host.limiter;
        let asked = limiter.ask(principal, group.name(), rule, marks, unused).await;
        asked.map_err(|_| AppError::Unavailable("limiter"))
    }

    /// Takes back a call that was counted at an instant, as if it had not been made.
    pub(crate) async fn give_back(&self, principal: &str, group: Group, at: Instant) -> Result<(), AppError> {
        if !self.enforces {
            return Ok(());
        }
        let limiter = &self.host.limiter;
        let given = limiter.give_back(principal, group.name(), at).await;
        given.map_err(|_| AppError::Unavailable("limiter"))
    }
}

/// A hasher with a secret key, for the marks of a send.
pub(crate) fn mark_hasher(secret: &[u8; 32]) -> DefaultHasher {
    let mut hasher = DefaultHasher::new();
    hasher.write(secret);
    hasher
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_does_not_have_the_secret_cannot_tell_which_numbers_have_the_same_mark() {
        let [one, other] = [[1; 32], [2; 32]].map(|secret| mark_hasher(&secret).finish());
        assert_ne!(one, other);
        assert_ne!(one, DefaultHasher::new().finish());
    }
}
