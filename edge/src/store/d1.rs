//! D1 itself: one batch, one round trip, one transaction. The only module that knows JavaScript values.

use super::fault::{Fault, persist};
use super::{Param, Statement};
use crate::ambient;
use crate::trace::Trace;
use futures_util::future::{Either, select};
use serde::Deserialize;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use worker::wasm_bindgen::JsValue;
use worker::{D1Database, D1PreparedStatement, D1Result, Delay};

/// A batch that takes longer is given up; whether it was committed is then unknown.
const TIME_OUT: Duration = Duration::from_secs(8);

/// The database, with the trace of the request that uses it.
pub(crate) struct Db {
    d1: D1Database,
    trace: Arc<Trace>,
}

/// The first column of a statement's first row. Every statement that reads gives one row of JSON.
#[derive(Deserialize)]
struct Row {
    json: String,
}

impl Db {
    pub(crate) fn new(d1: D1Database, trace: Arc<Trace>) -> Self {
        Self { d1, trace }
    }

    /// Runs a batch that may run twice, and says what each statement read.
    pub(crate) async fn batch(
        &self,
        statements: &[Statement],
    ) -> Result<Vec<Option<String>>, Fault> {
        let pause = async |attempt: u32| {
            let longest = 50_u64.saturating_mul(2_u64.saturating_pow(attempt));
            Delay::from(Duration::from_millis(ambient::below(longest))).await;
        };
        persist(async || self.once(statements).await, pause).await
    }

    async fn once(&self, statements: &[Statement]) -> Result<Vec<Option<String>>, Fault> {
        let prepared = statements
            .iter()
            .map(|statement| self.prepare(statement))
            .collect::<Result<Vec<_>, _>>()?;
        self.trace.round_trip();
        let run = pin!(self.d1.batch(prepared));
        let results = match select(run, pin!(Delay::from(TIME_OUT))).await {
            Either::Left((results, _)) => {
                results.map_err(|error| Fault::classify(&message(&error)))?
            }
            Either::Right(_) => return Err(Fault::Transient("time_out")),
        };
        results.iter().map(|result| self.read(result)).collect()
    }

    fn prepare(&self, statement: &Statement) -> Result<D1PreparedStatement, Fault> {
        let params: Vec<JsValue> = statement.params.iter().map(js).collect();
        self.d1
            .prepare(statement.sql)
            .bind(&params)
            .map_err(|_| Fault::Broken("bind"))
    }

    fn read(&self, result: &D1Result) -> Result<Option<String>, Fault> {
        if let Ok(Some(meta)) = result.meta() {
            self.trace
                .rows(meta.rows_read.unwrap_or(0), meta.rows_written.unwrap_or(0));
        }
        let rows = result.results::<Row>().map_err(|_| Fault::Broken("row"))?;
        Ok(rows.into_iter().next().map(|row| row.json))
    }
}

/// D1 binds every number as a double; the whole numbers bound here are instants, far below 2^53.
fn js(param: &Param) -> JsValue {
    match param {
        Param::Text(text) => JsValue::from_str(text),
        #[expect(clippy::cast_precision_loss, reason = "below 2^53")]
        Param::Int(number) => JsValue::from_f64(*number as f64),
        Param::Null => JsValue::NULL,
    }
}

/// All that an error says, for its classification and nothing else.
fn message(error: &worker::Error) -> String {
    match error {
        worker::Error::D1(error) => {
            let outer: &worker::js_sys::Error = error.as_ref();
            format!("{} {}", String::from(outer.message()), error.cause())
        }
        worker::Error::UnknownJsError { message, .. } | worker::Error::JsError(message) => {
            message.clone()
        }
        _ => String::new(),
    }
}
