//! What the parameters of a handler take together, for the descriptions and for the tests of the route table.

use crate::request::query::Parameters;
use serde_json::Value;

/// What a handler takes of a request.
#[derive(Debug, Default)]
pub struct Takes {
    /// The parts of the path.
    pub parts: Vec<&'static str>,
    /// Who calls it, if it takes the credential of one kind of caller.
    pub caller: Option<Caller>,
    /// True if it takes `If-Match`.
    pub version: bool,
    /// True if it takes `Idempotency-Key`.
    pub once: bool,
    /// True if it takes `If-None-Match`.
    pub known: bool,
    /// True if it takes `Range`.
    pub range: bool,
    /// True if it signs in with what the body proves.
    pub signs_in: bool,
    /// True if it answers a browser that a provider or the console sent.
    pub page: bool,
    pub query: Parameters,
    pub body: BodyTaken,
}

/// A kind of caller.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Caller {
    Person,
    Key,
    Operator,
}

/// The body that a handler takes.
#[derive(Debug, Default, PartialEq)]
pub enum BodyTaken {
    #[default]
    None,
    /// It counts for the idempotency key, or the handler itself parses it.
    Read,
    /// A declared body. It may be left out unless it is required.
    Declared { name: &'static str, schema: Value, required: bool },
    /// The fields of a form, by their schema.
    Form(Value),
    /// A form with files.
    Files,
}
