//! The methods of a path, and the handlers behind them.

use crate::call::{Access, Call};
use crate::error::AppError;
use crate::extract::FromCall;
#[cfg(any(test, feature = "schema"))]
use crate::extract::takes::Takes;
use crate::response::{Gives, GivesFile, GivesLines, GivesTable, Response};
use futures_util::future::LocalBoxFuture;
use http::Method;
#[cfg(feature = "schema")]
use schemars::{Schema, SchemaGenerator};
#[cfg(feature = "schema")]
use std::any::type_name;
use std::rc::Rc;

/// What an answer may hold. Only the descriptions need its schema.
#[cfg(feature = "schema")]
pub(super) use schemars::JsonSchema as Described;
#[cfg(not(feature = "schema"))]
pub(super) trait Described {}
#[cfg(not(feature = "schema"))]
impl<T> Described for T {}

/// A success.
#[cfg(feature = "schema")]
#[derive(Clone, Copy, Debug)]
pub struct Given {
    /// Its status, and another one that it may have.
    pub statuses: [u16; 2],
    pub holds: Holds,
}

/// What the body of a success is, with its schema.
#[cfg(feature = "schema")]
#[derive(Clone, Copy, Debug)]
pub enum Holds {
    Json(fn(&mut SchemaGenerator) -> Schema),
    /// The same as JSON or as CSV.
    Table(fn(&mut SchemaGenerator) -> Schema),
    /// Lines of JSON.
    Lines,
    /// A file. The other status is for a range of it.
    File,
}

/// A handler at work.
type Answering = LocalBoxFuture<'static, Result<Response, AppError>>;
/// Runs a handler.
type Run = Box<dyn Fn(Rc<Call>) -> Answering>;

/// A handler of a method.
pub(crate) struct Entry {
    pub(super) method: Method,
    /// Who may call it.
    pub(crate) access: Access,
    run: Run,
    #[cfg(any(test, feature = "schema"))]
    pub(super) takes: Takes,
    /// The path of its function.
    #[cfg(feature = "schema")]
    pub(super) handler: &'static str,
    #[cfg(feature = "schema")]
    pub(super) gives: Option<Given>,
}

impl Entry {
    /// Answers a request.
    pub(crate) async fn answer(&self, call: Rc<Call>) -> Result<Response, AppError> {
        (self.run)(call).await
    }
}

/// The methods of a path.
#[derive(Default)]
pub(super) struct Methods(pub(super) Vec<Entry>);

/// A function that answers a request. Its parameters say what it takes of the request.
pub(super) trait Handler<T>: Copy + 'static {
    #[cfg(any(test, feature = "schema"))]
    fn takes() -> Takes;

    #[cfg(feature = "schema")]
    fn gives() -> Option<Given>;

    fn handle(self, call: Rc<Call>) -> Answering;
}

/// What a handler returns.
pub(super) trait Answered {
    /// What the answer holds, if its type says so.
    #[cfg(feature = "schema")]
    fn gives() -> Option<Given> {
        None
    }

    fn answered(self) -> Result<Response, AppError>;
}

impl Answered for Response {
    fn answered(self) -> Result<Response, AppError> {
        Ok(self)
    }
}

impl Answered for Result<Response, AppError> {
    fn answered(self) -> Result<Response, AppError> {
        self
    }
}

impl<T: Described, const STATUS: u16, const OR: u16> Answered for Result<Gives<T, STATUS, OR>, AppError> {
    #[cfg(feature = "schema")]
    fn gives() -> Option<Given> {
        Some(Given { statuses: [STATUS, OR], holds: Holds::Json(SchemaGenerator::subschema_for::<T>) })
    }

    fn answered(self) -> Result<Response, AppError> {
        self.map(|given| given.0)
    }
}

impl Answered for Result<GivesFile, AppError> {
    #[cfg(feature = "schema")]
    fn gives() -> Option<Given> {
        Some(Given { statuses: [200, 206], holds: Holds::File })
    }

    fn answered(self) -> Result<Response, AppError> {
        self.map(|given| given.0)
    }
}

impl<T: Described> Answered for Result<GivesTable<T>, AppError> {
    #[cfg(feature = "schema")]
    fn gives() -> Option<Given> {
        Some(Given { statuses: [200, 0], holds: Holds::Table(SchemaGenerator::subschema_for::<T>) })
    }

    fn answered(self) -> Result<Response, AppError> {
        self.map(|given| given.0)
    }
}

impl Answered for Result<GivesLines, AppError> {
    #[cfg(feature = "schema")]
    fn gives() -> Option<Given> {
        Some(Given { statuses: [200, 0], holds: Holds::Lines })
    }

    fn answered(self) -> Result<Response, AppError> {
        self.map(|given| given.0)
    }
}

macro_rules! handlers {
    ($(($($taken:ident),*))+) => {$(
        impl<F, A, $($taken),*> Handler<($($taken,)*)> for F
        where
            F: AsyncFn($($taken),*) -> A + Copy + 'static,
            A: Answered,
            $($taken: FromCall + 'static,)*
        {
            #[cfg(any(test, feature = "schema"))]
            fn takes() -> Takes {
                let mut _takes = Takes::default();
                $($taken::describe(&mut _takes);)*
                _takes
            }

            #[cfg(feature = "schema")]
            fn gives() -> Option<Given> {
                A::gives()
            }

            fn handle(self, _call: Rc<Call>) -> Answering {
                Box::pin(async move { self($($taken::from_call(&_call).await?),*).await.answered() })
            }
        }
    )+};
}

handlers! { () (A1) (A1, A2) (A1, A2, A3) (A1, A2, A3, A4) }

impl Methods {
    fn with<T, H: Handler<T>>(self, method: &Method, access: impl Into<Access>, handler: H) -> Self {
        let methods = self.and(method, access.into(), Box::new(move |call| handler.handle(call)));
        #[cfg(any(test, feature = "schema"))]
        let methods = methods.described::<T, H>();
        methods
    }

    /// It stands once in the Worker, not in each route, because a new isolate compiles all routes for its first answer.
    #[inline(never)]
    fn and(mut self, method: &Method, access: Access, run: Run) -> Self {
        self.0.push(Entry {
            method: method.clone(),
            access,
            run,
            #[cfg(any(test, feature = "schema"))]
            takes: Takes::default(),
            #[cfg(feature = "schema")]
            handler: "",
            #[cfg(feature = "schema")]
            gives: None,
        });
        self
    }

    /// Describes the last method by its handler.
    #[cfg(any(test, feature = "schema"))]
    fn described<T, H: Handler<T>>(mut self) -> Self {
        if let Some(entry) = self.0.last_mut() {
            entry.takes = H::takes();
            #[cfg(feature = "schema")]
            {
                entry.handler = type_name::<H>();
                entry.gives = H::gives();
            }
        }
        self
    }

    pub(super) fn post<T>(self, access: impl Into<Access>, handler: impl Handler<T>) -> Self {
        self.with(&Method::POST, access, handler)
    }

    pub(super) fn patch<T>(self, access: impl Into<Access>, handler: impl Handler<T>) -> Self {
        self.with(&Method::PATCH, access, handler)
    }

    pub(super) fn delete<T>(self, access: impl Into<Access>, handler: impl Handler<T>) -> Self {
        self.with(&Method::DELETE, access, handler)
    }
}

pub(super) fn get<T>(access: impl Into<Access>, handler: impl Handler<T>) -> Methods {
    Methods::default().with(&Method::GET, access, handler)
}

pub(super) fn post<T>(access: impl Into<Access>, handler: impl Handler<T>) -> Methods {
    Methods::default().post(access, handler)
}

pub(super) fn patch<T>(access: impl Into<Access>, handler: impl Handler<T>) -> Methods {
    Methods::default().patch(access, handler)
}

pub(super) fn delete<T>(access: impl Into<Access>, handler: impl Handler<T>) -> Methods {
    Methods::default().delete(access, handler)
}
