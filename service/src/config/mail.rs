//! The variables for emails.

use super::checks;
use http::uri::Authority;

/// The sender address of emails, from `MAIL_FROM`. Dev needs none, because it sends no mail.
///
/// # Errors
///
/// The problem of the variable, without its value.
pub(crate) fn sender(variable: Option<String>, is_dev: bool) -> Result<String, &'static str> {
    let address = match variable {
        Some(address) => address,
        None if is_dev => return Ok("overturn@localhost".into()),
        None => return Err("is missing"),
    };
    let is_address = address
        .split_once('@')
        .is_some_and(|(user, domain)| !user.is_empty() && domain.contains('.') && !domain.contains('@'));
    let is_bare = !address.contains(|c: char| c.is_whitespace() || "<>,;\"".contains(c));
    if is_address && is_bare {
        Ok(address)
    } else {
        Err("must be an address and nothing else, such as overturn@example.com")
    }
}

/// The origin of links in emails, from `PUBLIC_URL`. It may be missing only in dev.
///
/// # Errors
///
/// The problem of the variable, without its value.
pub(crate) fn origin(variable: Option<String>, is_dev: bool) -> Result<Option<String>, &'static str> {
    let text = match variable {
        Some(text) => text,
        None if is_dev => return Ok(None),
        None => return Err("is missing"),
    };
    // Nothing else is allowed: no path, query, user name or default port.
    let authority = text.strip_prefix("https://");
    let authority = authority.or_else(|| text.strip_prefix("http://").filter(|_| is_dev));
    let authority: Option<Authority> = authority.and_then(|text| text.parse().ok());
    let is_origin = authority.is_some_and(|authority| {
        let text = authority.as_str();
        let usual = matches!(authority.port_u16(), Some(80 | 443));
        (is_dev || checks::is_public(authority.host()))
            && !authority.host().is_empty()
            && !usual
            && !text.contains('@')
            && !text.contains(char::is_uppercase)
    });
    if is_origin {
        Ok(Some(text))
    } else {
        Err("must be an https origin without a path, such as https://overturn.example")
    }
}
