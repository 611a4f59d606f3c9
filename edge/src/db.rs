//! Access to D1: one batch, one round trip, one transaction. It runs the statements of the store.

use crate::app::App;
use crate::platform;
use crate::trace::Trace;
use overturn_store::fault::{Fault, persist};
use overturn_store::{Done, Param, Queries, Statement};
use std::sync::Arc;
use std::time::Duration;
use worker::Delay;
use worker::js_sys::{Array, futures::JsFuture};
use worker::wasm_bindgen::{self, JsCast, JsValue, prelude::wasm_bindgen};
use worker::worker_sys::types::{D1Database, D1PreparedStatement, D1Result};

/// After this long a batch is given up. It may or may not have been committed.
const TIME_OUT: Duration = Duration::from_secs(8);

/// The database, with the trace of the request that uses it.
pub(crate) struct Db {
    app: Arc<App>,
    trace: Arc<Trace>,
}

// The fields of a result that are read. Converting all of it into Rust values would cost more than the rest of the call
// on this side.
#[wasm_bindgen]
extern "C" {
    /// The first row of a statement. Every reading statement returns one row of JSON.
    type Row;
    #[wasm_bindgen(method, getter)]
    fn json(this: &Row) -> Option<String>;

    type Meta;
    #[wasm_bindgen(method, getter)]
    fn rows_read(this: &Meta) -> Option<f64>;
    #[wasm_bindgen(method, getter)]
    fn rows_written(this: &Meta) -> Option<f64>;
    #[wasm_bindgen(method, getter)]
    fn changes(this: &Meta) -> Option<f64>;
}

impl Db {
    pub(crate) fn new(app: Arc<App>, trace: Arc<Trace>) -> Self {
        Self { app, trace }
    }

    /// Runs a batch that may run twice, and returns the result of each statement.
    pub(crate) async fn batch(&self, statements: &[Statement]) -> Result<Vec<Done>, Fault> {
        let pause = async |attempt: u32| {
            let longest = 50_u64.saturating_mul(2_u64.saturating_pow(attempt));
            Delay::from(Duration::from_millis(platform::below(longest))).await;
        };
        persist(async || self.once(statements).await, pause).await
    }

    /// Reads queries in one batch.
    pub(crate) async fn read<Q: Queries>(&self, queries: &Q) -> Result<Q::Rows, Fault> {
        let done = self.batch(&statements(queries)).await?;
        Ok(queries.rows(&mut done.iter())?)
    }

    async fn once(&self, statements: &[Statement]) -> Result<Vec<Done>, Fault> {
        let d1: &D1Database = self.app.d1.as_ref().unchecked_ref();
        let prepared = Array::new();
        for statement in statements {
            prepared.push(&prepare(d1, statement)?.into());
        }
        self.trace.round_trip();
        let failed = |error: JsValue| Fault::classify(&message(&error));
        let run = JsFuture::from(d1.batch(prepared).map_err(failed)?);
        let results = platform::within(TIME_OUT, run).await;
        let results = results.ok_or(Fault::Transient("time_out"))?;
        let results = results.map_err(failed)?.unchecked_into::<Array>();
        results
            .iter()
            .map(|result| self.result(&result.unchecked_into()))
            .collect()
    }

    fn result(&self, result: &D1Result) -> Result<Done, Fault> {
        let mut done = Done::default();
        if let Ok(meta) = result.meta() {
            let meta: Meta = meta.unchecked_into();
            self.trace
                .rows(count(meta.rows_read()), count(meta.rows_written()));
            done.changes = count(meta.changes());
        }
        let rows = result.results().map_err(|_| Fault::Broken("row"))?;
        let first = rows.map_or(JsValue::UNDEFINED, |rows| rows.get(0));
        if !first.is_undefined() {
            let json = first.unchecked_into::<Row>().json();
            done.json = Some(json.ok_or(Fault::Broken("row"))?);
        }
        Ok(done)
    }
}

/// The statements of queries.
pub(crate) fn statements(queries: &impl Queries) -> Vec<Statement> {
    let mut statements = Vec::new();
    queries.add_to(&mut statements);
    statements
}

fn prepare(d1: &D1Database, statement: &Statement) -> Result<D1PreparedStatement, Fault> {
    let params: Array = statement.params.iter().map(js).collect();
    let prepared = d1.prepare(statement.sql);
    let bound = prepared.and_then(|prepared| prepared.bind(params));
    bound.map_err(|_| Fault::Broken("bind"))
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a count, which saturates"
)]
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
    let cause = error
        .dyn_ref()
        .and_then(|error: &worker::js_sys::Error| text(&error.cause()));
    format!("{outer} {}", cause.unwrap_or_default())
}
