//! The parts of a host that fail during one request, as its headers say.

use super::Puts;
use super::bucket::FaultyBucket;
use super::database::{FaultyDatabase, Statements};
use super::parts::{FaultyAddresses, FaultyBans, FaultyIdentity, FaultySessions, Gone, KnownSessions};
use overturn_service::host::Host;
use serde_json::{Map, Value};
use std::cell::Cell;
use std::rc::Rc;

/// What the parts that fail need.
pub(super) struct Faults<'f> {
    pub(super) host: &'f Rc<Host>,
    pub(super) statements: &'f Statements,
    pub(super) puts: &'f Puts,
}

impl Faults<'_> {
    /// The host with the faults of the headers `Tests-Database` and `Tests-Bindings`.
    pub(super) fn host(&self, of_database: Option<&str>, of_bindings: Option<&str>) -> Result<Host, String> {
        let mut host = Host::clone(self.host);
        if let Some(text) = of_database {
            let (faults, batches) = (Value::Object(read(text)?), Rc::<Cell<u64>>::default());
            host.cells = self.host.cells.map(|database| {
                let (statements, faults, batches) = (self.statements.clone(), faults.clone(), Rc::clone(&batches));
                Rc::new(FaultyDatabase { database, statements, faults, batches })
            });
        }
        for (name, how) in read(of_bindings.unwrap_or("{}"))? {
            self.break_part(&mut host, &name, how)?;
        }
        Ok(host)
    }

    fn break_part(&self, host: &mut Host, name: &str, how: Value) -> Result<(), String> {
        let said = how.as_str().unwrap_or_default().to_owned();
        match name {
            "BANS" => {
                let bans = (said == "stale").then(|| Rc::clone(&host.bans));
                host.bans = Rc::new(FaultyBans(bans));
            }
            "IP_LIMITER" => {
                let is_open = said == "open";
                host.address_limiter = Rc::new(FaultyAddresses { is_open });
            }
            "LIMITER" => host.limiter = Rc::new(Gone),
            "MAIL" => host.mailer = Rc::new(Gone),
            "WEBHOOKS" => host.webhooks = Rc::new(Gone),
            "IDENTITY" => host.identity = Rc::new(FaultyIdentity(said)),
            "DOCUMENTS" => {
                let bucket = Rc::clone(&host.documents);
                host.documents = Rc::new(FaultyBucket::new(bucket, how, host.basics.clone()));
            }
            "SESSIONS" => {
                let known = match &*said {
                    "gone" => KnownSessions::Gone,
                    "watched" => {
                        let puts = Puts::clone(self.puts);
                        KnownSessions::Watched(Rc::clone(&host.sessions), puts)
                    }
                    "silent" => KnownSessions::Silent,
                    "empty" => KnownSessions::Stale(None),
                    _ => {
                        let stale = how.get("stale").ok_or("SESSIONS is unknown")?;
                        KnownSessions::Stale(Some(stale.to_string()))
                    }
                };
                host.sessions = Rc::new(FaultySessions(known));
            }
            _ => return Err(format!("no binding is named {name}")),
        }
        Ok(())
    }
}

fn read(text: &str) -> Result<Map<String, Value>, String> {
    serde_json::from_str(text).map_err(|error| format!("a header of the tests: {error}"))
}
