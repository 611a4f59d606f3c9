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
use std::cell::{Cell, RefCell};
use std::hash::{DefaultHasher, Hasher as _};
use std::rc::Rc;

/// A group of calls with its own count.
#[derive(Clone, Copy, PartialEq, Eq)]
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

/// What limiters have counted of a call. If it is answered again, because its practice moves, it still counts once.
#[derive(Default)]
pub(crate) struct Counted {
    now: RefCell<Vec<Count>>,
    /// The times before.
    before: RefCell<Vec<Count>>,
    ahead: Cell<Option<CountedAhead>>,
}

/// A count of a principal's call, and its instant.
type Count = (String, Group, Instant);

/// The verdict on a call that was counted ahead, and until when it was; `None` if nothing is counted.
pub(crate) type CountedAhead = (Verdict, Option<Instant>);

impl Counted {
    /// The call is answered again.
    pub(crate) fn again(&self) {
        self.before.borrow_mut().append(&mut self.now.borrow_mut());
    }

    /// What a limiter counted of the call before, to be given back.
    pub(crate) fn before(&self, principal: &str, group: Group) -> Unused {
        let mut before = self.before.borrow_mut();
        let place = before.iter().position(|(of, known, _)| of == principal && *known == group)?;
        let (.., at) = before.swap_remove(place);
        Some((at, 1))
    }

    /// Its counts in a group are given back elsewhere.
    pub(crate) fn forget(&self, group: Group) {
        self.now.borrow_mut().retain(|(_, known, _)| *known != group);
    }

    fn note(&self, principal: &str, group: Group, at: Instant) {
        self.ahead.set(None);
        self.now.borrow_mut().push((principal.to_owned(), group, at));
    }

    /// The same verdict each time, unless a limiter was asked.
    pub(crate) fn ahead(&self, take: impl FnOnce() -> Option<CountedAhead>) -> Option<CountedAhead> {
        let is_asked = !self.before.borrow().is_empty();
        let ahead = self.ahead.get().or_else(|| if is_asked { None } else { take() });
        self.ahead.set(ahead);
        ahead
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
    pub(crate) async fn ask(
        &self,
        call: &Counted,
        principal: &str,
        group: Group,
        rule: RateLimit,
    ) -> Result<Verdict, AppError> {
        let (verdict, _) = self.take(call, principal, group, rule).await?;
        Ok(verdict)
    }

    /// Checks one send of a key with the marks of its items, in place of unused calls. Also returns which items have a number
    /// that just came for another patient or claim.
    pub(crate) async fn ask_to_send(
        &self,
        call: &Counted,
        key: &str,
        rule: RateLimit,
        marks: &[Mark],
        unused: Unused,
    ) -> Result<(Verdict, Vec<usize>), AppError> {
        let asked = self.count(call, (key, Group::Sends, rule), (marks, unused)).await?;
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
        call: &Counted,
        principal: &str,
        group: Group,
        rule: RateLimit,
    ) -> Result<(Verdict, Instant), AppError> {
        let before = call.before(principal, group);
        let asked = self.count(call, (principal, group, rule), (&[], before)).await?;
        Ok((asked.verdict, asked.at))
    }

    /// The verdict on every call if the limiter is not called.
    pub(crate) fn unlimited(&self, rule: RateLimit) -> Option<Verdict> {
        (!self.enforces).then(|| SlidingLog::default().ask(rule, self.host.now()))
    }

    async fn count(
        &self,
        call: &Counted,
        (principal, group, rule): (&str, Group, RateLimit),
        (marks, unused): (&[Mark], Unused),
    ) -> Result<LimiterAnswer, AppError> {
        if let Some(verdict) = self.unlimited(rule) {
            return Ok(LimiterAnswer { verdict, at: self.host.now(), contested: Vec::new() });
        }
        let limiter = &self.host.limiter;
        let asked = limiter.ask(principal, group.name(), rule, marks, unused).await;
        let asked = asked.map_err(|_| AppError::Unavailable("limiter"))?;
        if asked.verdict.allowed {
            call.note(principal, group, asked.at);
        }
        Ok(asked)
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
    fn what_is_answered_again_is_counted_once() {
        let (call, verdict) = (Counted::default(), SlidingLog::default().ask(RateLimit::per_minute(5), Instant(1)));
        let ahead = |until| call.ahead(|| Some((verdict, Some(Instant(until))))).and_then(|(_, until)| until);
        assert_eq!((ahead(1), call.before("a", Group::Reads)), (Some(Instant(1)), None));
        call.again();
        assert_eq!(ahead(2), Some(Instant(1)));
        call.note("a", Group::Reads, Instant(3));
        call.note("b", Group::Reads, Instant(4));
        // Twice in one answer are two.
        assert_eq!(call.before("a", Group::Reads), None);
        call.again();
        assert_eq!(ahead(5), None, "it is counted");
        for (principal, group, given_back) in [
            ("a", Group::Sends, None),
            ("a", Group::Reads, Some((Instant(3), 1))),
            ("a", Group::Reads, None),
            ("b", Group::Reads, Some((Instant(4), 1))),
        ] {
            assert_eq!(call.before(principal, group), given_back, "{principal}");
        }
    }

    #[test]
    fn who_does_not_have_the_secret_cannot_tell_which_numbers_have_the_same_mark() {
        let [one, other] = [[1; 32], [2; 32]].map(|secret| mark_hasher(&secret).finish());
        assert_ne!(one, other);
        assert_ne!(one, DefaultHasher::new().finish());
    }
}
