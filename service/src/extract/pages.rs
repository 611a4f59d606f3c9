//! The token of a link, and the fields of a form.

use super::body::Body;
use super::from_call::FromCall;
use super::query::values;
use crate::call::Call;
use crate::error::AppError;
use crate::request::language::Language;
use crate::request::secret::SigningToken;
use http::header::ACCEPT_LANGUAGE;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The fields of a form. Of a repeated field, the first one counts.
pub(crate) struct Form(BTreeMap<String, String>);

impl Form {
    /// The value of a field, empty if it is missing.
    pub(crate) fn get(&self, name: &str) -> &str {
        self.0.get(name).map_or("", String::as_str)
    }

    pub(super) fn parse(body: &[u8]) -> Self {
        let mut fields = BTreeMap::new();
        for (name, value) in form_urlencoded::parse(body) {
            let field = fields.entry(name.into_owned());
            field.or_insert_with(|| value.into_owned());
        }
        Self(fields)
    }
}

/// The page on which a patient signs.
pub(crate) struct PatientLink {
    pub(crate) call: Rc<Call>,
    /// The token in the query. `None` if no link has such a token.
    pub(crate) token: Option<SigningToken>,
    /// The language that the patient chose, or else the one that the browser prefers.
    pub(crate) language: Language,
}

impl FromCall for PatientLink {
    async fn from_call(call: &Rc<Call>) -> Result<Self, AppError> {
        let token: Option<SigningToken> = token(call).parse().ok();
        let call = in_cell_of(call, token.as_ref());
        let chosen = values(&call.url, "language").next();
        let chosen = chosen.and_then(|name| Language::parse(&name));
        let accepted = call.headers.get(ACCEPT_LANGUAGE);
        let accepted = accepted.and_then(|value| value.to_str().ok());
        let language = chosen.unwrap_or_else(|| Language::preferred(accepted.unwrap_or_default()));
        Ok(Self { call, token, language })
    }
}

/// A form of the page on which a patient signs.
pub(crate) struct PatientForm {
    pub(crate) call: Rc<Call>,
    pub(crate) form: Form,
}

impl FromCall for PatientForm {
    async fn from_call(call: &Rc<Call>) -> Result<Self, AppError> {
        let Body(body) = Body::from_call(call).await?;
        let form = Form::parse(&body?);
        let call = in_cell_of(call, form.get("token").parse().ok().as_ref());
        Ok(Self { call, form })
    }
}

/// The call in the cell of a link.
fn in_cell_of(call: &Rc<Call>, token: Option<&SigningToken>) -> Rc<Call> {
    token.map_or_else(|| Rc::clone(call), |token| call.at(token.hash(), token.cell()))
}

fn token(call: &Call) -> Cow<'_, str> {
    values(&call.url, "token").next().unwrap_or_default()
}
