//! The variables that letters need.

use worker::Url;

/// The address that letters are from, as `MAIL_FROM` gives it. In dev there need not be one, since nothing is sent.
///
/// # Errors
///
/// What is wrong with the variable, without its value.
pub(crate) fn sender(variable: Option<String>, is_dev: bool) -> Result<String, &'static str> {
    let address = match variable {
        Some(address) => address,
        None if is_dev => return Ok("overturn@localhost".into()),
        None => return Err("is missing"),
    };
    let is_address = address.split_once('@').is_some_and(|(user, domain)| {
        !user.is_empty() && domain.contains('.') && !domain.contains('@')
    });
    let is_bare = !address.contains(|c: char| c.is_whitespace() || "<>,;\"".contains(c));
    if is_address && is_bare {
        Ok(address)
    } else {
        Err("must be an address and nothing else, such as overturn@example.com")
    }
}

/// The origin that links in letters start with, as `PUBLIC_URL` gives it. Only in dev may there be none.
///
/// # Errors
///
/// What is wrong with the variable, without its value.
pub(crate) fn origin(
    variable: Option<String>,
    is_dev: bool,
) -> Result<Option<String>, &'static str> {
    let text = match variable {
        Some(text) => text,
        None if is_dev => return Ok(None),
        None => return Err("is missing"),
    };
    let is_origin = Url::parse(&text).is_ok_and(|url| {
        let fits = url.scheme() == "https" || (is_dev && url.scheme() == "http");
        // Nothing else may be there: no path, no query, no name, no port that goes without saying.
        fits && url.origin().ascii_serialization() == text
    });
    if is_origin {
        Ok(Some(text))
    } else {
        Err("must be an https origin without a path, such as https://overturn.example")
    }
}
