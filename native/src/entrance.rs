//! The entrance of the tests: it reads and changes what the service keeps, and gives a request parts that fail. It is open
//! only with the option `--entrance`, which no installation has. `tests/server/main.mjs` is the same for Workers, and its
//! first comment says what each path and header does.

mod bucket;
mod bucket_parts;
mod database;
mod faults;
mod parts;

use crate::database::Numbered;
use database::Statements;
use faults::Faults;
use http::{HeaderMap, HeaderName, HeaderValue, Response, StatusCode};
use overturn_service::config::{ConfigError, Variables};
use overturn_service::host::{Host, Letter, PlatformError, QueueMessage};
use overturn_service::service::Service;
use serde_json::{Value, json};
use std::collections::HashMap;
use std::error::Error;
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// Where its own paths are.
const BELOW: &str = "/.tests/";
const OF_DATABASE: HeaderName = HeaderName::from_static("tests-database");
const OF_BINDINGS: HeaderName = HeaderName::from_static("tests-bindings");
const OF_SCHEME: HeaderName = HeaderName::from_static("tests-scheme");
/// The header in which Workers find the client.
const ADDRESS: HeaderName = HeaderName::from_static("cf-connecting-ip");
/// How long a text stays that a test puts into the cache.
const KEPT: Duration = Duration::from_secs(86_400);

/// A service, or why there is none.
pub(crate) type Made = Result<Rc<Service>, ConfigError>;

/// How often a watched cache has put a key.
type Puts = Arc<Mutex<HashMap<String, u64>>>;

/// The entrance, for any thread.
#[derive(Clone)]
pub(crate) struct Entrance {
    statements: Statements,
    documents: PathBuf,
    puts: Puts,
}

/// What a thread answers requests with.
pub(crate) struct Here<'t> {
    pub(crate) host: &'t Rc<Host>,
    pub(crate) service: &'t Made,
    pub(crate) variables: Variables<'t>,
}

impl Entrance {
    /// The entrance to the databases, which are there, and to the folder of the objects.
    ///
    /// # Errors
    ///
    /// A database cannot be opened.
    pub(crate) fn new(cells: &Numbered<PathBuf>, documents: PathBuf) -> rusqlite::Result<Self> {
        Ok(Self { statements: Statements::open(cells)?, documents, puts: Puts::default() })
    }

    /// True for a path that [`Entrance::answer`] answers.
    pub(crate) fn is_own(path: &str) -> bool {
        path.starts_with(BELOW)
    }

    /// The address of the client that a test chose.
    pub(crate) fn address(headers: &HeaderMap) -> Option<String> {
        text(headers, &ADDRESS).map(str::to_owned)
    }

    /// The scheme that a request is to look as if it came by.
    pub(crate) fn scheme(headers: &HeaderMap) -> Option<&str> {
        text(headers, &OF_SCHEME)
    }

    /// A service whose parts fail as the headers of a request say. `None` if they say nothing.
    ///
    /// # Errors
    ///
    /// A header cannot be read. The error is for who writes tests.
    pub(crate) fn service(&self, headers: &HeaderMap, here: &Here<'_>) -> Result<Option<Made>, String> {
        let of_database = text(headers, &OF_DATABASE);
        let of_bindings = text(headers, &OF_BINDINGS);
        if of_database.is_none() && of_bindings.is_none() {
            return Ok(None);
        }
        let faults = Faults { host: here.host, statements: &self.statements, puts: &self.puts };
        let host = Rc::new(faults.host(of_database, of_bindings)?);
        let made = match here.service {
            Ok(service) => service.beside(host, here.variables),
            Err(_) => Service::new(host, here.variables),
        };
        Ok(Some(made.map(Rc::new)))
    }

    /// Answers a request for a path of the entrance. What fails is told to who writes tests.
    pub(crate) async fn answer(
        &self,
        path: &str,
        headers: &HeaderMap,
        body: &[u8],
        here: &Here<'_>,
    ) -> Response<Vec<u8>> {
        let done = self.act(path, headers, body, here).await;
        match done {
            Ok(Some(Value::Null)) => respond(StatusCode::NO_CONTENT, Vec::new()),
            Ok(Some(found)) => {
                let mut response = respond(StatusCode::OK, found.to_string().into_bytes());
                let json = HeaderValue::from_static("application/json");
                response.headers_mut().insert(http::header::CONTENT_TYPE, json);
                response
            }
            Ok(None) => respond(StatusCode::NOT_FOUND, Vec::new()),
            Err(failed) => {
                let why = failed.to_string().into_bytes();
                respond(StatusCode::INTERNAL_SERVER_ERROR, why)
            }
        }
    }

    /// What a path says. `null` is nothing, and `None` is no path.
    async fn act(
        &self,
        path: &str,
        headers: &HeaderMap,
        body: &[u8],
        here: &Here<'_>,
    ) -> Result<Option<Value>, Box<dyn Error>> {
        let Host { sessions, mailer, .. } = &**here.host;
        let found = match path.strip_prefix(BELOW).unwrap_or_default() {
            "database" => json!(self.statements.run(&read(body)?).await?),
            "sessions" => {
                let asked = read(body)?;
                let key = string(&asked, "key")?;
                if let Some(value) = asked.get("value") {
                    let value = value.as_str().ok_or("a value is text")?;
                    sessions.put(key, value.to_owned(), KEPT).await?;
                }
                let puts = self.puts.lock().map_err(|_| PlatformError)?.get(key).copied();
                json!({ "value": sessions.get(key).await?, "puts": puts.unwrap_or(0) })
            }
            "bucket" => {
                if !body.is_empty() {
                    bucket::shorten(&*here.host.documents, &read(body)?).await?;
                }
                json!(bucket::names(&self.documents)?)
            }
            "mail" => {
                let asked = read(body)?;
                let from = asked.get("from").unwrap_or(&Value::Null);
                let from = (string(from, "name")?, string(from, "email")?);
                let letter = Letter {
                    to: string(&asked, "to")?.to_owned(),
                    subject: string(&asked, "subject")?.to_owned(),
                    text: string(&asked, "text")?.to_owned(),
                };
                mailer.send(from, &letter).await?;
                json!({})
            }
            job @ ("sweep" | "queue") => {
                let other = self.service(headers, here)?;
                // A service that cannot be made does nothing, as on Workers.
                match other.as_ref().unwrap_or(here.service) {
                    Ok(service) if job == "sweep" => service.sweep().await,
                    Ok(service) => service.consume(&messages(&read(body)?)).await,
                    Err(wrong) => wrong.log(),
                }
                Value::Null
            }
            _ => return Ok(None),
        };
        Ok(Some(found))
    }
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name).and_then(|value| value.to_str().ok())
}

fn respond(status: StatusCode, body: Vec<u8>) -> Response<Vec<u8>> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response
}

fn read(body: &[u8]) -> serde_json::Result<Value> {
    serde_json::from_slice(body)
}

fn string<'v>(asked: &'v Value, name: &str) -> Result<&'v str, String> {
    let found = asked.get(name).and_then(Value::as_str);
    found.ok_or_else(|| format!("{name} is missing"))
}

/// The messages of the queue that can be read.
fn messages(asked: &Value) -> Vec<QueueMessage> {
    let all = asked.as_array().into_iter().flatten();
    all.filter_map(|message| serde_json::from_value(message.clone()).ok()).collect()
}
