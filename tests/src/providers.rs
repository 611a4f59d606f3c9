//! Real identity providers: a certified OpenID provider, and a SAML provider (tools/dev/providers).
//!
//! `cargo xtask test http` installs their packages.

mod browser;

use browser::Browser;
pub use browser::SamlForm;

use crate::project;
use crate::wire::Connection;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::process::{Child, ChildStdin, Stdio};

/// A person who can sign in at both providers.
#[derive(Clone, Debug)]
pub struct ProviderPerson {
    /// The id at the provider.
    pub id: String,
    pub name: String,
    pub email: String,
    /// Whether the OpenID provider verified the address.
    pub email_verified: bool,
    /// Whether the account at the OpenID provider is a personal one, which no organization manages.
    pub personal: bool,
    /// The methods that the OpenID provider reports (`amr`).
    pub methods: Vec<String>,
    /// The context that both report: `acr`, `AuthnContextClassRef`.
    pub context: Option<String>,
    /// Whether the SAML provider leaves the assertion in the clear.
    pub plain: bool,
}

impl ProviderPerson {
    /// A person with a verified address. The provider says nothing of how the person signed in.
    pub fn new(id: &str, email: &str) -> Self {
        Self {
            id: id.into(),
            name: "Pat Provider".into(),
            email: email.into(),
            email_verified: true,
            personal: false,
            methods: Vec::new(),
            context: None,
            plain: false,
        }
    }
}

/// Both providers, until it is dropped.
#[derive(Debug)]
pub struct Providers {
    process: Child,
    /// Closing this pipe ends the process. It closes when this process ends, in every case.
    alive: Option<ChildStdin>,
    facts: Value,
}

impl Providers {
    /// Starts them on free ports, with new keys and without people.
    pub fn start() -> Self {
        Self::run(&["--tests"])
    }

    /// Starts them with a DNS resolver, as `cargo xtask dev --sso` does.
    pub fn with_resolver() -> Self {
        Self::run(&["--tests", "--dns"])
    }

    fn run(options: &[&str]) -> Self {
        let mut process = project::command(&project::node())
            .arg("tools/dev/providers/main.mjs")
            .args(options)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let alive = process.stdin.take();
        let mut line = String::new();
        let mut output = BufReader::new(process.stdout.take().unwrap());
        let _read = output.read_line(&mut line);
        let facts = serde_json::from_str(&line);
        let facts = facts.expect("no providers: `cargo xtask test http` installs their packages");
        Self { process, alive, facts }
    }

    /// The variables of a server that uses them. The id of the OpenID provider is `demo`.
    pub fn vars(&self) -> Value {
        self.facts["vars"].clone()
    }

    /// The issuer of the OpenID provider.
    pub fn issuer(&self) -> &str {
        self.text("/oidc/issuer")
    }

    /// The entity id of the SAML provider.
    pub fn entity_id(&self) -> &str {
        self.text("/saml/entity_id")
    }

    /// The metadata of the SAML provider, in XML.
    pub fn metadata(&self) -> &str {
        self.text("/saml/metadata")
    }

    /// Where records of the DNS resolver are published.
    pub fn records(&self) -> &str {
        self.text("/dns/records")
    }

    /// The private key and the certificate of the SAML provider, in PEM, to sign documents in a test.
    pub fn saml_key(&self) -> (&str, &str) {
        (self.text("/saml/key"), self.text("/saml/certificate"))
    }

    /// Adds people, or replaces those with the same id.
    pub fn add(&self, people: &[ProviderPerson]) {
        let people = people.iter().map(|person| {
            let mut all = json!({
                "id": person.id,
                "name": person.name,
                "email": person.email,
                "email_verified": person.email_verified,
                "personal": person.personal,
                "plain": person.plain,
            });
            if !person.methods.is_empty() {
                all["amr"] = json!(person.methods);
            }
            if let Some(context) = &person.context {
                all["acr"] = json!(context);
            }
            all
        });
        self.tell("people", &people.collect());
    }

    /// How the OpenID provider's answers differ from now on (tools/dev/providers/tests.mjs). `{}` leaves them alone.
    pub fn answer_with(&self, changes: &Value) {
        self.tell("answers", changes);
    }

    /// How often a path of the OpenID provider was asked, such as `/jwks`.
    pub fn asked(&self, path: &str) -> u64 {
        self.tell("count", &Value::Null)[path].as_u64().unwrap_or(0)
    }

    /// Signs a person in at the OpenID provider, as a browser does from the address that the service redirected to.
    /// Returns the address that the provider then redirects to: the callback with its query.
    pub fn sign_in_oidc(&self, address: &str, person: &str) -> String {
        Browser::default().sign_in_oidc(address, person)
    }

    /// Signs a person in at the SAML provider. Returns the form that the browser then posts to the service.
    pub fn sign_in_saml(&self, address: &str, person: &str) -> SamlForm {
        Browser::default().sign_in_saml(address, person)
    }

    fn text(&self, pointer: &str) -> &str {
        let text = self.facts.pointer(pointer).and_then(Value::as_str);
        text.unwrap_or_else(|| panic!("no {pointer}"))
    }

    /// Posts to the entrance for tests.
    fn tell(&self, what: &str, body: &Value) -> Value {
        let (_, port) = self.issuer().rsplit_once(':').unwrap();
        let mut connection = Connection::open(port.parse().unwrap()).unwrap();
        let body = body.to_string();
        let request = format!(
            "POST /.tests/{what} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {}\r\n\r\n{body}",
            body.len()
        );
        connection.write(request.as_bytes()).unwrap();
        let answer = connection.read(false).unwrap();
        answer.expect(200);
        serde_json::from_slice(&answer.body).unwrap()
    }
}

impl Drop for Providers {
    fn drop(&mut self) {
        drop(self.alive.take());
        let _status = self.process.wait();
    }
}
