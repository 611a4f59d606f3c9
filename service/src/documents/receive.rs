//! Receives one file: it is inspected, scanned, hashed, sealed and written to the bucket as it streams.

use super::cipher::Cipher;
use super::document::{DocumentPlace, ObjectKey};
use super::removal;
use super::scan::outcome;
use super::storing::{Received, infected};
use super::upload::{self, Target};
use crate::auth::person::Person;
use crate::call::Call;
use crate::error::AppError;
use crate::moving::Finish;
use crate::multipart::{Part, Source};
use crate::pipeline;
use crate::plan::{Actor, Write};
use crate::request::error::RequestError;
use crate::request::file_limits::FILES_MAX;
use crate::scanner::{Scan, ScanResult};
use crate::store::documents::object_name;
use data_encoding::HEXLOWER;
use overturn_content::content::{ContentRefusal, Inspector};
use overturn_content::name::DocumentName;
use overturn_core::base::ctx::Purpose;
use overturn_core::base::id::{DocumentId, PracticeId};
use overturn_core::request::problem::Rule;
use std::rc::Rc;

/// The files of one request: who sends them, and for which practice.
pub(super) struct Sender<'r> {
    pub(super) call: &'r Rc<Call>,
    pub(super) person: &'r Person,
    pub(super) practice: PracticeId,
}

fn of_content(why: ContentRefusal) -> AppError {
    RequestError::invalid("file", Rule::Form(why.rule())).into()
}

impl Sender<'_> {
    async fn write(&self, writes: Vec<Write>) -> Result<(), AppError> {
        let (Call { ctx, db, app, .. }, practice) = (&**self.call, self.practice);
        let plan = pipeline::plan(ctx, Actor::from(self.person), Vec::new(), writes);
        let mut finish = Finish::default();
        loop {
            let written = pipeline::run_anywhere(db, app, (practice, &plan), &[]).await;
            match written.map_err(AppError::from) {
                Err(why) if why.is_still_moving() => finish.of(app).await?,
                done => return done,
            }
        }
    }

    /// Receives the nth file of the request, of at most `max` bytes. Its object is complete when this returns, and loose
    /// until the document is stored. What is left of a refused file is removed.
    pub(super) async fn receive<S: Source>(
        &self,
        (n, max): (usize, u64),
        part: &mut Part<'_, S>,
    ) -> Result<Received, AppError> {
        let id = DocumentId(self.call.ctx.id(Purpose::Record, n));
        self.write(vec![removal::receiving(self.place(id), self.call.ctx.real)]).await?;
        let received = self.take((id, n), max, part).await;
        if let Err(AppError::Request(_)) = &received {
            removal::discard(self.call, self.place(id)).await;
        }
        received.inspect_err(|_| self.log_failure(id))
    }

    const fn place(&self, id: DocumentId) -> DocumentPlace {
        DocumentPlace { practice_id: self.practice, id }
    }

    fn log_failure(&self, id: DocumentId) {
        let said = serde_json::json!({ "event": "file_not_received", "document_id": id });
        log::info!("{said}");
    }

    async fn take<S: Source>(
        &self,
        (id, n): (DocumentId, usize),
        max: u64,
        part: &mut Part<'_, S>,
    ) -> Result<Received, AppError> {
        let app = &self.call.app;
        let key: [u8; 32] = app.host.bytes()?;
        let cipher = Cipher::new(app, self.practice, id.0, &key).await?;
        let object = object_name(id);
        let to = Target { app, key: &object, cipher: &cipher, max };
        let (mut inspector, mut scan) = (Inspector::default(), Scan::begin(app));
        let watch = async |plain: &[u8]| {
            inspector.feed(plain).map_err(of_content)?;
            scan.feed(plain).await;
            Ok(())
        };
        let begun = async |upload_id: &str| self.write(vec![removal::in_parts(self.place(id), upload_id)]).await;
        let raw_name = part.file_name.clone().unwrap_or_default();
        let mut taken = upload::take(part, &to, watch, begun).await?;
        let sha256 = HEXLOWER.encode(&taken.sha256);
        let size = taken.size;
        let seen = match inspector.finish() {
            Ok(content) => Ok((content, scan.finish().await)),
            Err(why) => Err(of_content(why)),
        };
        let checked = match seen {
            Ok((_, ScanResult::ENCRYPTED)) => Err(of_content(ContentRefusal::Encrypted)),
            Ok((_, ScanResult::Infected)) => Err(self.infected((id, n), &sha256, size).await),
            other => other,
        };
        let (content, scan) = match checked {
            Ok(checked) => checked,
            Err(error) => {
                // The sweep removes what this cannot.
                let _failed = taken.abort(app, &object).await;
                return Err(error);
            }
        };
        taken.complete(app, &object).await?;
        Ok(Received {
            id,
            name: DocumentName::clean(&raw_name).with_extension(content).as_str().to_owned(),
            content_type: content.media_type(),
            size,
            sha256,
            key: ObjectKey(key),
            scan: outcome(scan),
        })
    }

    /// Leaves the audit row of an infected file, which is all that is kept of it.
    async fn infected(&self, (id, n): (DocumentId, usize), sha256: &str, size: u64) -> AppError {
        let ctx = &self.call.ctx;
        // The rows of the files that are stored have the numbers before.
        let n = n.saturating_add(FILES_MAX);
        let entry = infected(self.practice, n, id, (sha256, size), ctx);
        match self.write(vec![Write::Audit(entry)]).await {
            Ok(()) => RequestError::VirusDetected.into(),
            Err(fault) => fault,
        }
    }
}
