//! Lists that a caller can read as JSON or as CSV, by `Accept`.

use super::{etag, linked};
use crate::auth::person::Person;
use crate::error::AppError;
use crate::extract::{IfNoneMatch, ReadRequest};
use crate::request::accept::ListForm;
use crate::request::page::CsvPage;
use crate::response::{self, GivesTable};
use crate::store::Queries;
use http::HeaderValue;
use http::header::{CONTENT_DISPOSITION, HeaderName, VARY};

/// The cells whose rows a table does not have. JSON has them in `missing_cells`.
const MISSING_CELLS: HeaderName = HeaderName::from_static("x-missing-cells");

impl<P: Clone> ReadRequest<P> {
    /// Answers with a page of a list in the form that the caller asks for, and the `Link` of the next page.
    pub(crate) async fn table<Q: Queries, T: CsvPage>(
        &self,
        load: impl FnOnce(&P) -> Q,
        view: impl FnOnce(&Person, &P, Q::Rows) -> Result<T, AppError>,
    ) -> Result<GivesTable<T>, AppError> {
        let load = self.page.as_ref().ok().map(load);
        let (person, rows) = self.read(load).await?;
        let query = self.page.as_ref().map_err(Clone::clone)?;
        let rows = rows.ok_or(AppError::Internal("nothing was loaded"))?;
        self.respond_page(&view(&person, query, rows)?)
    }

    /// A page in the form that the caller asks for, with its `ETag` and the `Link` of the next page.
    pub(crate) fn respond_page<T: CsvPage>(&self, page: &T) -> Result<GivesTable<T>, AppError> {
        let mut response = match self.form {
            ListForm::Json => self.respond(page),
            ListForm::Csv => {
                let missing = self.missing.borrow();
                // What is missing is said beside the table, so a partial one is never the known one.
                let mut response = match &**missing {
                    [] => etag::tagged_as(&self.known, page.csv(), response::csv),
                    _ => etag::tagged_as(&IfNoneMatch(None), page.csv(), response::csv),
                };
                if !missing.is_empty() {
                    let cells: Vec<String> = missing.iter().map(|cell| cell.0.to_string()).collect();
                    response::set(&mut response, MISSING_CELLS, cells.join(", "));
                }
                let name = format!("attachment; filename=\"{}\"", page.file());
                // The cause adds nothing.
                let name = HeaderValue::try_from(name).map_err(|_| AppError::Internal("file"))?;
                response.headers_mut().insert(CONTENT_DISPOSITION, name);
                response
            }
        };
        let vary = HeaderValue::from_static("Accept");
        response.headers_mut().insert(VARY, vary);
        linked(response, page.next().map(|cursor| self.next(cursor))).map(GivesTable::from)
    }
}
