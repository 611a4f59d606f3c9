//! What a browser does at a provider: it follows redirects, keeps cookies, and posts the form of a page.

use crate::client::encoded;
use crate::wire::{Connection, Raw};
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The form that a SAML provider makes the browser post.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SamlForm {
    /// The address of the assertion consumer service.
    pub action: String,
    /// The field `SAMLResponse`.
    pub response: String,
    /// The field `RelayState`.
    pub relay_state: String,
}

/// A browser without JavaScript, at one provider.
#[derive(Default)]
pub(super) struct Browser {
    cookies: BTreeMap<String, String>,
}

impl Browser {
    pub(super) fn sign_in_oidc(&mut self, address: &str, person: &str) -> String {
        let (origin, path) = split(address);
        let page = self.open(&origin, &path, None).expect("a page");
        let (action, _) = form(&page);
        let body = format!("person={}", encoded(person));
        let answered = self.open(&origin, &action, Some(&body));
        answered.expect_err("the provider redirects to the service")
    }

    pub(super) fn sign_in_saml(&mut self, address: &str, person: &str) -> SamlForm {
        let (origin, path) = split(address);
        let page = self.open(&origin, &path, None).expect("a page");
        let (action, fields) = form(&page);
        let mut body = format!("person={}", encoded(person));
        for (name, value) in fields {
            write!(body, "&{name}={}", encoded(&value)).unwrap();
        }
        let page = self.open(&origin, &action, Some(&body)).expect("a form");
        let (action, mut fields) = form(&page);
        let mut field = |name: &str| fields.remove(name).unwrap_or_else(|| panic!("no {name}"));
        SamlForm { action, response: field("SAMLResponse"), relay_state: field("RelayState") }
    }

    /// The page at the end of the redirects, or the address of the first redirect that leads elsewhere.
    fn open(&mut self, origin: &str, path: &str, form: Option<&str>) -> Result<String, String> {
        let mut answer = self.exchange(origin, path, form);
        for _ in 0..10 {
            let Some(next) = answer.header("location") else {
                let page = String::from_utf8(answer.body).unwrap();
                assert_eq!(answer.status, 200, "{page}");
                return Ok(page);
            };
            let path = match next.strip_prefix(origin) {
                Some(path) => path.to_owned(),
                None if next.starts_with('/') => next.to_owned(),
                None => return Err(next.to_owned()),
            };
            answer = self.exchange(origin, &path, None);
        }
        panic!("too many redirects")
    }

    fn exchange(&mut self, origin: &str, path: &str, form: Option<&str>) -> Raw {
        let (_, port) = origin.rsplit_once(':').unwrap();
        let host = origin.trim_start_matches("http://");
        let method = if form.is_some() { "POST" } else { "GET" };
        let mut head = format!("{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n");
        let cookies = self.cookies.iter();
        let cookies: Vec<String> = cookies.map(|(n, v)| format!("{n}={v}")).collect();
        write!(head, "Cookie: {}\r\n", cookies.join("; ")).unwrap();
        if let Some(form) = form {
            let kind = "application/x-www-form-urlencoded";
            write!(head, "Content-Type: {kind}\r\nContent-Length: {}\r\n", form.len()).unwrap();
        }
        let mut connection = Connection::open(port.parse().unwrap()).unwrap();
        let request = format!("{head}\r\n{}", form.unwrap_or_default());
        connection.write(request.as_bytes()).unwrap();
        let answer = connection.read(false).unwrap();
        for (_, cookie) in answer.headers.iter().filter(|(n, _)| n == "set-cookie") {
            let pair = cookie.split(';').next().and_then(|pair| pair.split_once('='));
            let (name, value) = pair.unwrap();
            self.cookies.insert(name.into(), value.into());
        }
        answer
    }
}

/// The origin and the rest of an address.
fn split(address: &str) -> (String, String) {
    let host = address.strip_prefix("http://").unwrap();
    let (host, path) = host.split_once('/').unwrap();
    (format!("http://{host}"), format!("/{path}"))
}

/// The address and the hidden fields of the only form of a page.
fn form(page: &str) -> (String, BTreeMap<String, String>) {
    let (_, rest) = page.split_once("<form method=\"post\" action=\"").unwrap_or_else(|| panic!("no form: {page}"));
    let (action, rest) = rest.split_once('"').unwrap();
    let inputs = rest.split("<input type=\"hidden\" name=\"").skip(1);
    let fields = inputs.map(|input| {
        let (name, rest) = input.split_once("\" value=\"").unwrap();
        let (value, _) = rest.split_once('"').unwrap();
        (name.to_owned(), unescape(value))
    });
    (unescape(action), fields.collect())
}

fn unescape(text: &str) -> String {
    [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")]
        .iter()
        .fold(text.to_owned(), |text, (name, character)| text.replace(name, character))
}
