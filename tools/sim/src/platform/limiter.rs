//! The limiters: one object for each principal, which may be reset between two calls, and then remembers what it stored. The
//! numbers of sends are only in its memory.

use super::Ground;
use crate::faults::Fault;
use overturn_core::base::instant::Instant;
use overturn_core::claims::intake::{Mark, RecentSends};
use overturn_service::host::{AddressLimiter, Clock as _, Limiter, LimiterAnswer, PlatformError, Step};
use overturn_service::request::limit::{Ahead, Held, RateLimit, SlidingLog, Unused};
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

#[derive(Default)]
struct Object {
    logs: BTreeMap<&'static str, SlidingLog>,
    recent_sends: RecentSends,
}

#[derive(Clone)]
pub(crate) struct Limits {
    ground: Ground,
    objects: Rc<RefCell<BTreeMap<String, Object>>>,
}

impl Limits {
    pub(crate) fn new(ground: Ground) -> Self {
        Self { ground, objects: Rc::default() }
    }

    async fn at<T>(&self, principal: &str, act: impl FnOnce(&mut Object, Instant) -> T) -> Result<T, PlatformError> {
        let Ground { faults, .. } = &self.ground;
        self.ground.trip().await;
        if faults.strike(Fault::LimiterAway) {
            return Err(PlatformError);
        }
        let done = {
            let mut objects = self.objects.borrow_mut();
            let object = objects.entry(principal.to_owned()).or_default();
            if faults.strike(Fault::LimiterReset) {
                object.recent_sends = RecentSends::default();
            }
            act(object, self.ground.clock(0).now())
        };
        self.ground.trip().await;
        Ok(done)
    }
}

impl Limiter for Limits {
    fn ask<'a>(
        &'a self,
        principal: &'a str,
        group: &'static str,
        rule: RateLimit,
        marks: &'a [Mark],
        unused: Unused,
    ) -> Step<'a, Result<LimiterAnswer, PlatformError>> {
        Box::pin(self.at(principal, move |object, now| {
            let log = object.logs.entry(group).or_default();
            log.give_back_unused(unused);
            let verdict = log.ask(rule, now);
            let at = log.last().filter(|_| verdict.allowed).unwrap_or(now);
            let marks = if verdict.allowed { marks } else { &[] };
            LimiterAnswer { verdict, at, contested: object.recent_sends.contested(marks, now) }
        }))
    }

    fn hold<'a>(
        &'a self,
        principal: &'a str,
        group: &'static str,
        rule: RateLimit,
        ahead: Ahead,
    ) -> Step<'a, Result<Held, PlatformError>> {
        Box::pin(self.at(principal, move |object, now| object.logs.entry(group).or_default().hold(rule, ahead, now)))
    }

    fn give_back<'a>(
        &'a self,
        principal: &'a str,
        group: &'static str,
        at: Instant,
    ) -> Step<'a, Result<(), PlatformError>> {
        Box::pin(self.at(principal, move |object, _| {
            if let Some(log) = object.logs.get_mut(group) {
                log.give_back(at);
            }
        }))
    }
}

/// Counts no address as too busy.
#[derive(Clone)]
pub(crate) struct Addresses(Ground);

impl Addresses {
    pub(crate) fn new(ground: Ground) -> Self {
        Self(ground)
    }
}

impl AddressLimiter for Addresses {
    fn count<'a>(&'a self, _: &'a str) -> Step<'a, Result<bool, PlatformError>> {
        Box::pin(async move {
            self.0.trip().await;
            Ok(true)
        })
    }
}
