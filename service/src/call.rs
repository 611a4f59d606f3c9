//! One request on its way through the service.

use crate::app::App;
use crate::auth::rights::Action;
use crate::db::Db;
use crate::error::AppError;
use crate::host::{Background, EntropyError};
use crate::plan::sandbox::Clock;
use crate::rate_limiter::Counted;
use crate::request::declare::{Body, Terms};
use crate::request::error::RequestError;
use crate::request_body::RequestBody;
use crate::trace::Trace;
use http::{HeaderMap, Method, Uri};
use overturn_core::base::cell::Cell;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::instant::Instant;
use std::cell::{OnceCell, RefCell};
use std::fmt;
use std::rc::Rc;

/// How long after its first reservation in the directory a call may begin its batch, in milliseconds.
pub(crate) const RESERVES_MS: i64 = 20_000;

/// Who may call a route.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Access {
    /// A person who may do this.
    Person(Action),
    /// A billing system, by its API key.
    Key,
    Operator,
    /// Anyone. The handler itself checks what the caller presents: a password, a token or a link.
    Anyone,
}

impl From<Action> for Access {
    fn from(action: Action) -> Self {
        Self::Person(action)
    }
}

/// The client's address and browser, for the list of sessions and for the audit trail. `Debug` prints nothing of it.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct ClientOrigin {
    pub ip: String,
    /// The browser's user agent, at most `AGENT_MAX` characters.
    pub agent: String,
}

impl ClientOrigin {
    /// How many characters of a user agent are stored.
    pub(crate) const AGENT_MAX: usize = 200;
}

impl fmt::Debug for ClientOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("ClientOrigin(…)")
    }
}

/// The route of a request.
#[derive(Clone, Copy)]
pub(crate) struct Route<'r> {
    /// Its pattern, such as `/api/v1/denials/{id}`.
    pub(crate) pattern: &'static str,
    /// The requested URL.
    pub(crate) url: &'r Uri,
}

/// One request: the app, its instant and ids, and the facts for its log line.
pub(crate) struct Call {
    pub(crate) app: Rc<App>,
    pub(crate) db: Db,
    pub(crate) ctx: Ctx,
    pub(crate) trace: Rc<Trace>,
    pub(crate) method: Method,
    /// The requested URL.
    pub(crate) url: Uri,
    /// The headers that the service reads (`head`).
    pub(crate) headers: HeaderMap,
    pub(crate) body: RequestBody,
    /// The client.
    pub(crate) place: ClientOrigin,
    /// The pattern of its route.
    pub(crate) pattern: &'static str,
    /// Who may make it, by the route.
    pub(crate) access: Access,
    /// The clock of the caller's sandbox, which `ctx` goes by; `None` for every other call.
    pub(crate) clock: Option<Clock>,
    /// What it presents that a cell handed out, by id or hash, with the cell that each names and the one where it was looked for.
    pub(crate) sought: Rc<RefCell<Vec<(String, Cell, Cell)>>>,
    /// The address, by its key, whose account it is about, with the cell that the directory named.
    pub(crate) address: Rc<RefCell<Option<(String, Cell)>>>,
    /// When it first reserved a name in the directory.
    pub(crate) reserved_at: Rc<OnceCell<Instant>>,
    pub(crate) counted: Rc<Counted>,
    /// What a call of staff in the cell of a practice was before; `None` for a call in the cell of its credential.
    pub(crate) home: Option<Rc<Call>>,
    pub(crate) background: Rc<dyn Background>,
}

impl Call {
    pub(crate) fn route(&self) -> Route<'_> {
        Route { pattern: self.pattern, url: &self.url }
    }

    /// What its person needs the right for.
    pub(crate) fn action(&self) -> Result<Action, AppError> {
        match self.access {
            Access::Person(action) => Ok(action),
            // A handler that takes a person is at a route for no person.
            Access::Key | Access::Operator | Access::Anyone => Err(AppError::Internal("the action of a route")),
        }
    }

    /// What the rules of a body look at.
    pub(crate) fn terms(&self) -> Terms<'_> {
        Terms::new(&self.ctx, self.app.settings.webhooks.reach)
    }

    /// Reads a body.
    pub(crate) fn parse<B: Body>(&self, body: &[u8]) -> Result<B, RequestError> {
        B::parse(body, self.terms())
    }

    /// The same call by this clock.
    pub(crate) fn by_clock(self: &Rc<Self>, clock: Option<Clock>) -> Rc<Self> {
        let ctx = clock.map(|clock| clock.ctx(&self.ctx));
        ctx.map_or_else(|| Rc::clone(self), |ctx| Rc::new(Self { clock, ..self.again(ctx) }))
    }

    /// The same call in the cell that an id or a secret names.
    pub(crate) fn in_cell(self: &Rc<Self>, named: Cell) -> Rc<Self> {
        let cell = self.app.host.cells.known(named);
        if cell == self.ctx.cell { Rc::clone(self) } else { Rc::new(self.again(self.ctx.in_cell(cell))) }
    }

    /// The same call where something lives that a cell handed out. If it is not there, `crate::pipeline::route` looks where it went.
    pub(crate) fn at(self: &Rc<Self>, what: String, named: Cell) -> Rc<Self> {
        if !self.app.host.cells.are_several() {
            return Rc::clone(self);
        }
        let there = self.in_cell(self.app.memory.places.of(&what, named));
        self.sought.borrow_mut().push((what, named, there.ctx.cell));
        there
    }

    /// The same call where its credential lives.
    pub(crate) fn at_home(self: &Rc<Self>) -> Rc<Self> {
        Rc::clone(self.home.as_ref().unwrap_or(self))
    }

    /// The same call of staff in the cell of a practice.
    pub(crate) fn visiting(self: &Rc<Self>, cell: Cell) -> Rc<Self> {
        let (home, cell) = (self.at_home(), self.app.host.cells.known(cell));
        if cell == home.ctx.cell {
            return home;
        }
        Rc::new(Self { home: Some(Rc::clone(&home)), ..home.again(home.ctx.in_cell(cell)) })
    }

    /// The same call with ids of its own.
    pub(crate) fn part(&self, n: u64) -> Rc<Self> {
        Rc::new(self.again(self.ctx.part(n)))
    }

    /// Random bytes of a secret of its cell.
    pub(crate) fn random<const N: usize>(&self) -> Result<[u8; N], EntropyError> {
        Ok(self.ctx.cell.stamp(self.app.host.bytes()?))
    }

    /// Several of 32 bytes from one call of the platform.
    pub(crate) fn secrets(&self, count: usize) -> Result<Vec<[u8; 32]>, EntropyError> {
        let random = self.app.host.secrets(count)?;
        Ok(random.into_iter().map(|random| self.ctx.cell.stamp(random)).collect())
    }

    fn again(&self, ctx: Ctx) -> Self {
        Self {
            app: Rc::clone(&self.app),
            db: Db::new(Rc::clone(&self.app), ctx.cell, Rc::clone(&self.trace)),
            ctx,
            trace: Rc::clone(&self.trace),
            method: self.method.clone(),
            url: self.url.clone(),
            headers: self.headers.clone(),
            body: self.body.clone(),
            place: self.place.clone(),
            pattern: self.pattern,
            access: self.access,
            clock: self.clock,
            sought: Rc::clone(&self.sought),
            address: Rc::clone(&self.address),
            reserved_at: Rc::clone(&self.reserved_at),
            counted: Rc::clone(&self.counted),
            home: self.home.clone(),
            background: Rc::clone(&self.background),
        }
    }

    /// What its clock says by now, which decides whether a credential has ended. A body can take long to arrive. Everything else
    /// goes by `ctx`.
    pub(crate) fn now(&self) -> Instant {
        self.app.host.now().plus(self.clock.map_or(0, |clock| clock.ahead_ms))
    }

    /// False if another may soon have a name that the call reserved.
    pub(crate) fn may_commit(&self) -> bool {
        in_time(self.reserved_at.get().copied(), self.app.host.now())
    }

    /// Does work after the answer.
    pub(crate) fn after_answer(self: &Rc<Self>, work: impl AsyncFnOnce(Rc<Self>) + 'static) {
        let call = Rc::clone(self);
        self.background.go_on(Box::pin(async move { work(call).await }));
    }
}

fn in_time(reserved_at: Option<Instant>, now: Instant) -> bool {
    reserved_at.is_none_or(|at| now.since(at) <= RESERVES_MS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_call_that_reserved_a_name_begins_its_batch_soon_or_never() {
        let at = Instant(5_000);
        assert!(in_time(None, Instant(i64::MAX)));
        assert!(in_time(Some(at), at) && in_time(Some(at), at.plus(20_000)));
        assert!(!in_time(Some(at), at.plus(20_001)));
    }
}
