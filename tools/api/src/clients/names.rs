//! Names in the style of each language.

/// `listApiKeys` and `api keys` as `ListApiKeys` and `ApiKeys`.
pub(crate) fn pascal(name: &str) -> String {
    let mut next = true;
    let mut made = String::new();
    for c in name.chars() {
        match c {
            _ if !c.is_ascii_alphanumeric() => next = true,
            _ if next => {
                made.push(c.to_ascii_uppercase());
                next = false;
            }
            _ => made.push(c),
        }
    }
    made
}

/// `api keys` as `apiKeys`.
pub(crate) fn camel(name: &str) -> String {
    let made = pascal(name);
    let mut letters = made.chars();
    letters.next().map(|first| first.to_ascii_lowercase()).into_iter().chain(letters).collect()
}

/// `listApiKeys` and `api keys` as `list_api_keys` and `api_keys`.
pub(crate) fn snake(name: &str) -> String {
    let mut made = String::new();
    for c in name.chars() {
        if c.is_ascii_uppercase() && !made.is_empty() {
            made.push('_');
        }
        made.push(if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '_' });
    }
    made
}

/// The call that goes through all pages of another: `listDenials` becomes `iterateDenials`.
pub(crate) fn iterating(id: &str) -> String {
    format!("iterate{}", pascal(id.strip_prefix("list").unwrap_or(id)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_has_the_style_of_its_language() {
        assert_eq!([pascal("api keys"), camel("single sign-on")], ["ApiKeys", "singleSignOn"]);
        assert_eq!([snake("listApiKeys"), snake("api keys"), snake("from")], ["list_api_keys", "api_keys", "from"]);
        assert_eq!([iterating("listDenials"), iterating("takeRecords")], ["iterateDenials", "iterateTakeRecords"]);
    }
}
