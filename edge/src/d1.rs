//! D1: one batch, one round trip, one transaction.

use overturn_service::host::{Database, Ran, Size, Step};
use overturn_service::operator::D1_BYTES;
use overturn_service::store::error::DatabaseError;
use overturn_service::store::{Done, Param, Statement, planned_once};
use std::cell::RefCell;
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use worker::js_sys::{Array, JsString, Uint8Array, futures::JsFuture};
use worker::wasm_bindgen::{self, JsCast, JsValue, prelude::wasm_bindgen};
use worker::worker_sys::types::{D1Database, D1PreparedStatement, D1Result};

/// The database binding.
pub(crate) struct D1 {
    database: worker::D1Database,
    /// The statements of the store, whose texts stay, as the platform prepares them.
    prepared: RefCell<HashMap<&'static str, D1PreparedStatement>>,
    encoder: TextEncoder,
    /// What the platform said of the last statement. It has the size, which few ask for.
    last: RefCell<Option<Meta>>,
}

// The fields of a result that are read. Converting all of it into Rust values would cost more than the rest of the call
// on this side.
#[wasm_bindgen]
extern "C" {
    /// The first row of a statement. Every reading statement returns one row of JSON.
    type Row;
    #[wasm_bindgen(method, getter)]
    fn json(this: &Row) -> Option<JsString>;

    // wasm-bindgen would read a text letter by letter.
    type TextEncoder;
    #[wasm_bindgen(constructor)]
    fn new() -> TextEncoder;
    #[wasm_bindgen(method)]
    fn encode(this: &TextEncoder, text: &JsString) -> Uint8Array;

    type Meta;
    #[wasm_bindgen(method, getter)]
    fn rows_read(this: &Meta) -> Option<f64>;
    #[wasm_bindgen(method, getter)]
    fn rows_written(this: &Meta) -> Option<f64>;
    #[wasm_bindgen(method, getter)]
    fn changes(this: &Meta) -> Option<f64>;
    #[wasm_bindgen(method, getter)]
    fn size_after(this: &Meta) -> Option<f64>;
}

impl D1 {
    pub(crate) fn new(database: worker::D1Database) -> Self {
        Self { database, prepared: RefCell::default(), encoder: TextEncoder::new(), last: RefCell::default() }
    }

    /// A statement with its parameters.
    fn bound(&self, d1: &D1Database, statement: &Statement) -> Result<D1PreparedStatement, DatabaseError> {
        // The cause stays out: the text of the database can quote values.
        let broken = |_| DatabaseError::Broken("bind");
        let params: Array = statement.params.iter().map(js).collect();
        let mut prepared = self.prepared.borrow_mut();
        let known = match prepared.entry(statement.sql) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(new) => new.insert(d1.prepare(&planned_once(statement.sql)).map_err(broken)?),
        };
        known.bind(params).map_err(broken)
    }

    async fn run(&self, statements: &[Statement]) -> Result<Ran, DatabaseError> {
        let d1: &D1Database = self.database.as_ref().unchecked_ref();
        let prepared = Array::new();
        for statement in statements {
            prepared.push(&self.bound(d1, statement)?.into());
        }
        let failed = |error: JsValue| DatabaseError::classify(&message(&error));
        let run = JsFuture::from(d1.batch(prepared).map_err(failed)?);
        let results = run.await.map_err(failed)?.unchecked_into::<Array>();
        let mut ran = Ran::default();
        for result in results.iter() {
            self.add(&mut ran, &result.unchecked_into())?;
        }
        Ok(ran)
    }

    fn add(&self, ran: &mut Ran, result: &D1Result) -> Result<(), DatabaseError> {
        let mut done = Done::default();
        if let Ok(meta) = result.meta() {
            let meta: Meta = meta.unchecked_into();
            ran.rows_read = ran.rows_read.saturating_add(count(meta.rows_read()));
            let written = count(meta.rows_written());
            ran.rows_written = ran.rows_written.saturating_add(written);
            done.changes = count(meta.changes());
            self.last.replace(Some(meta));
        }
        // The cause stays out: the text of the database can quote values.
        let rows = result.results().map_err(|_| DatabaseError::Broken("row"))?;
        let first = rows.map_or(JsValue::UNDEFINED, |rows| rows.get(0));
        if !first.is_undefined() {
            let json = first.unchecked_into::<Row>().json().map(|json| self.encoder.encode(&json).to_vec());
            let json = json.and_then(|json| String::from_utf8(json).ok());
            done.json = Some(json.ok_or(DatabaseError::Broken("row"))?);
        }
        ran.done.push(done);
        Ok(())
    }
}

impl Database for D1 {
    fn batch<'a>(&'a self, statements: &'a [Statement]) -> Step<'a, Result<Ran, DatabaseError>> {
        Box::pin(self.run(statements))
    }

    fn size(&self) -> Option<Size> {
        let bytes = self.last.borrow().as_ref()?.size_after()?;
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count, which saturates")]
        Some(Size { bytes: bytes as u64, most: Some(D1_BYTES) })
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a count, which saturates")]
fn count(number: Option<f64>) -> usize {
    number.unwrap_or(0.0) as usize
}

/// D1 binds every number as a double. The whole numbers bound here are instants, far below 2^53.
fn js(param: &Param) -> JsValue {
    match param {
        Param::Text(text) => JsValue::from_str(text),
        #[expect(clippy::cast_precision_loss, reason = "below 2^53")]
        Param::Int(number) => JsValue::from_f64(*number as f64),
        Param::Null => JsValue::NULL,
    }
}

/// The text of an error, only for its classification.
fn message(error: &JsValue) -> String {
    let text = |error: &JsValue| {
        let error: Option<&worker::js_sys::Error> = error.dyn_ref();
        error.map(|error| String::from(error.message()))
    };
    let outer = text(error).unwrap_or_default();
    let cause = error.dyn_ref().and_then(|error: &worker::js_sys::Error| text(&error.cause()));
    format!("{outer} {}", cause.unwrap_or_default())
}
