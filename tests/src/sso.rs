//! A server with real providers beside it, for the tests of sign-ins by providers.

use crate::account::{Account, cookie, show};
use crate::client::{Answer, Client};
use crate::person::Person;
use crate::providers::{ProviderPerson, Providers};
use crate::server::Server;
use crate::tenant::{self, Tenant};
use overturn_core::base::ctx::Purpose;
use overturn_core::base::id::{PracticeId, SsoProviderId, UserId};
use serde_json::{Value, json};
use std::io::{Read, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

/// A server without limits, and the providers that it uses. Tests change what the providers answer, so one test at a
/// time has it.
#[derive(Debug)]
pub struct World {
    pub providers: Providers,
    pub server: Server,
}

/// The provider of the installation.
pub const DEMO: &str = "demo";
/// A second id of the same provider: an attacker would mix them up.
pub const MIRROR: &str = "mirror";
/// The context of a sign-in with two factors.
pub const MFA: &str = "mfa";

pub const IDENTITIES: &str = "/api/v1/auth/identities";

/// The world, with unchanged answers.
pub fn world() -> MutexGuard<'static, World> {
    static WORLD: OnceLock<Mutex<World>> = OnceLock::new();
    let world = WORLD.get_or_init(|| Mutex::new(World::new()));
    let world = world.lock().unwrap_or_else(PoisonError::into_inner);
    world.providers.answer_with(&json!({}));
    world
}

impl World {
    /// How often the provider `silent` was asked.
    pub fn asked_silent(&self) -> usize {
        SILENT.load(Ordering::SeqCst)
    }

    fn new() -> Self {
        let providers = Providers::start();
        let mut vars = providers.vars();
        let mut known: Value = serde_json::from_str(vars["OIDC_PROVIDERS"].as_str().unwrap()).unwrap();
        let mut secrets: Value = serde_json::from_str(vars["OIDC_SECRETS"].as_str().unwrap()).unwrap();
        let usual = known[0].clone();
        for (id, issuer) in [
            (MIRROR, usual["issuer"].as_str().unwrap().to_owned()),
            (
                "huge",
                // What a provider that answers `wrong` says, and too much of it.
                misbehaving(&format!("HTTP/1.1 200 OK\r\n\r\n{{}}{}", " ".repeat(70_000))),
            ),
            (
                "moved",
                misbehaving(&format!(
                    "HTTP/1.1 302 Found\r\nLocation: {}/.well-known/openid-configuration\r\nContent-Length: 0\r\n\r\n",
                    providers.issuer()
                )),
            ),
            ("silent", misbehaving("")),
            ("wrong", misbehaving("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}")),
        ] {
            let mut other = usual.clone();
            other["id"] = id.into();
            other["issuer"] = issuer.into();
            known.as_array_mut().unwrap().push(other);
            secrets[id] = secrets[DEMO].clone();
        }
        vars["OIDC_PROVIDERS"] = known.to_string().into();
        vars["OIDC_SECRETS"] = secrets.to_string().into();
        vars["LIMITS"] = "unlimited".into();
        let server = Server::lasting(&vars);
        Self { providers, server }
    }

    /// A client whose requests name the server's own address, which a SAML provider asks for metadata.
    pub fn client(&self) -> Client {
        let host = format!("127.0.0.1:{}", self.server.port());
        self.server.client().with("Host", &host)
    }

    /// Adds a person at the providers.
    pub fn person(&self, email: &str) -> ProviderPerson {
        let person = ProviderPerson::new(&unique(), email);
        self.providers.add(std::slice::from_ref(&person));
        person
    }

    /// A person who signed in at the provider with two factors.
    pub fn strong_person(&self, email: &str) -> ProviderPerson {
        let mut person = ProviderPerson::new(&unique(), email);
        person.methods = vec!["pwd".into(), MFA.into()];
        person.context = Some(MFA.into());
        self.providers.add(std::slice::from_ref(&person));
        person
    }

    /// Begins a sign-in: the cookie, and the address that the browser is led to.
    pub fn begin(&self, client: &Client, path: &str) -> (String, String) {
        let begun = client.get(path);
        begun.expect(302);
        assert_eq!(begun.header("referrer-policy"), Some("no-referrer"));
        let set = begun.header("set-cookie").unwrap();
        // A SAML provider leads back with a POST, for which a browser sends only such a cookie.
        let site = if path.contains("/saml/") { "SameSite=None" } else { "SameSite=Lax" };
        for attribute in ["HttpOnly", "Secure", "Path=/", "Max-Age=300", site] {
            assert!(set.contains(attribute), "{set}");
        }
        let pair = set.split(';').next().unwrap().to_owned();
        (pair, begun.header("location").unwrap().to_owned())
    }

    /// Begins a sign-in at the OpenID provider, and signs the person in there. Returns the cookie and the callback.
    pub fn at_oidc(&self, client: &Client, person: &ProviderPerson) -> (String, String) {
        let (cookie, address) = self.begin(client, "/api/v1/auth/oauth/demo");
        (cookie, self.back(&address, person))
    }

    /// Signs the person in at the OpenID provider. Returns the path of the callback.
    pub fn back(&self, address: &str, person: &ProviderPerson) -> String {
        let back = self.providers.sign_in_oidc(address, &person.id);
        let path = back.find("/api/").unwrap();
        back[path..].to_owned()
    }

    /// A whole sign-in by the OpenID provider.
    pub fn sign_in(&self, person: &ProviderPerson) -> Answer {
        let client = self.client();
        let (cookie, callback) = self.at_oidc(&client, person);
        client.with("Cookie", &cookie).get(&callback)
    }

    /// Connects the identity that waits after this answer to an account, as its person does in the console.
    pub fn connect(&self, waiting: &Answer, account: &Person<'_>) -> Answer {
        let identity = cookie(waiting, "__Host-identity").expect("an identity waits");
        let token = overturn_service::people::csrf::token(&account.session);
        let session = account.session.expose();
        let cookies = format!("__Host-session={session}; __Host-identity={identity}");
        let client = self.client().with("Cookie", &cookies);
        let shown = client.get(&format!("{IDENTITIES}/waiting"));
        let id = shown.json["id"].as_str().unwrap_or("none");
        let body = serde_json::json!({ "id": id }).to_string();
        client.with("X-CSRF-Token", &token).post(IDENTITIES, body)
    }

    /// A practice with a domain of its own, which it has verified, and its trust in the OpenID provider.
    pub fn practice(&self) -> Practice<'_> {
        self.practice_of(Tenant::new(&self.server))
    }

    /// Another one in the database of a practice.
    pub fn practice_beside(&self, other: &Practice<'_>) -> Practice<'_> {
        self.practice_of(Tenant::in_cell(&self.server, other.tenant.id.cell().0))
    }

    fn practice_of<'w>(&'w self, tenant: Tenant<'w>) -> Practice<'w> {
        let practice = Practice { tenant, domain: format!("{}.example", unique()), world: self };
        let id = tenant::ctx_of(Some(practice.tenant.id)).id(Purpose::Record, 0).to_string();
        let insert = "INSERT INTO practice_domains (practice_id, id, domain, token, created_at, verified_at)
                      VALUES (?1, ?2, ?3, 't', 1, 1)";
        let of = practice.tenant.id.to_string();
        self.server.database().change(insert, &[&of, &id, &practice.domain]);
        if self.server.cells() > 1 {
            let insert = "INSERT INTO domains (domain, practice_id, cell) VALUES (?1, ?2, CAST(?3 AS INTEGER))";
            let cell = practice.tenant.id.cell().0.to_string();
            self.server.database().change_directory(insert, &[&practice.domain, &of, &cell]);
        }
        practice.provider(Some(DEMO), None, false);
        practice
    }

    /// Whether the log has this reason for a refused sign-in, and the browser is led to the advice for it.
    pub fn assert_refused(&self, answer: &Answer, reason: &str) {
        let id = answer.request_id();
        let advice = match reason {
            "not_begun" | "state" | "provider_mixed_up" | "unsolicited" | "code" | "spent" => "begin_again",
            "denied_by_provider" => "ended",
            _ => "not_accepted",
        };
        let page = format!("/sign-in#refused={advice}&request={id}");
        assert_eq!(led(answer), page, "{reason}");
        assert_eq!(cookie(answer, "__Host-session"), None);
        assert_eq!(cookie(answer, "__Host-identity"), None);
        let found = self
            .server
            .log()
            .has(|line| line["event"] == "proof_refused" && line["request_id"] == id && line["reason"] == reason);
        let lines = self.server.log().of(id);
        assert!(found, "{reason}: {lines:?}");
        let refusals = lines.iter().filter(|line| line["event"] == "proof_refused");
        let named: Vec<_> = refusals.map(|line| line["provider"].is_string()).collect();
        assert_eq!(named, [true], "one line, which names the provider");
    }
}

/// A practice with a verified domain.
#[derive(Debug)]
pub struct Practice<'w> {
    pub tenant: Tenant<'w>,
    pub domain: String,
    world: &'w World,
}

impl Practice<'_> {
    /// An address of the practice's domain.
    pub fn address(&self) -> String {
        format!("{}@{}", unique(), self.domain)
    }

    /// Gives an account an address of the practice's domain.
    pub fn moved(&self, account: UserId) -> String {
        let email = self.address();
        let change = "UPDATE users SET email = ?2, email_key = ?2 WHERE id = ?1";
        self.world.server.database().change(change, &[&account.to_string(), &email]);
        tenant::tell_directory(&self.world.server, &email, account);
        email
    }

    /// The SAML provider as a provider of this practice.
    pub fn saml(&self, idp_initiated: bool) -> SsoProviderId {
        let providers = &self.world.providers;
        self.provider(None, Some((providers.entity_id(), providers.metadata())), idp_initiated)
    }

    /// A provider of the installation by its id there, or a SAML provider by its entity id and metadata.
    fn provider(&self, configured: Option<&str>, saml: Option<(&str, &str)>, idp_initiated: bool) -> SsoProviderId {
        let id = SsoProviderId(tenant::ctx_of(Some(self.tenant.id)).id(Purpose::Record, 0));
        let insert =
            "INSERT INTO sso_providers (practice_id, id, kind, name, configured, entity_id, metadata, certificates,
                        contexts, idp_initiated, created_at)
                      VALUES (?1, ?2, iif(?3 = '', 'saml', 'oidc'), 'Clinic sign-in', nullif(?3, ''), nullif(?4, ''),
                        nullif(?5, ''), iif(?3 = '', '[]', NULL), '[\"mfa\"]', ?6, 1)";
        let (entity_id, metadata) = saml.unwrap_or_default();
        let flag = u8::from(idp_initiated).to_string();
        let (practice, provider) = (self.tenant.id.to_string(), id.to_string());
        let params = [&*practice, &*provider, configured.unwrap_or_default(), entity_id, metadata, &*flag];
        self.world.server.database().change(insert, &params);
        id
    }

    pub fn require(&self) {
        let require = "UPDATE practices SET sso_required = 1 WHERE id = ?1";
        self.world.server.database().change(require, &[&self.tenant.id.to_string()]);
    }
}

/// A client with the cookies that a browser has after this answer.
pub fn browser(client: &Client, answer: &Answer) -> Client {
    crate::account::page_of(client, answer)
}

/// The address in the console that an answer leads to. No referrer names the address it comes from.
pub fn led(answer: &Answer) -> &str {
    answer.expect(302);
    assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(answer.text(), "");
    answer.header("location").unwrap()
}

/// True if the answer signs in, and leads to the console's first page.
pub fn is_signed_in(answer: &Answer) -> bool {
    led(answer) == "/" && cookie(answer, "__Host-session").is_some()
}

/// True if the answer leads to the page that connects an identity. It signs nobody in.
pub fn waits(answer: &Answer) -> bool {
    assert_eq!(cookie(answer, "__Host-session"), None);
    led(answer) == "/sign-in/connect" && cookie(answer, "__Host-identity").is_some()
}

/// The continuation token in the address that an answer leads to.
pub fn continuation(answer: &Answer) -> String {
    let token = led(answer).strip_prefix("/sign-in#continue=");
    token.expect("a continuation token").to_owned()
}

/// Sends the code of an account's authenticator app, as the console does.
pub fn code(client: &Client, asked: &Answer, account: &Account<'_>) -> Answer {
    show(client, &continuation(asked), &account.code(0))
}

/// The practice of an account by its address, with its role.
pub fn member(world: &World, email: &str) -> Option<(PracticeId, String)> {
    let rows = world
        .server
        .database()
        .rows("SELECT practice_id, role FROM users WHERE email_key = ?1 AND state = 'active'", &[email]);
    let row = rows.first()?;
    let practice = PracticeId(row["practice_id"].as_str()?.parse().ok()?);
    Some((practice, row["role"].as_str()?.to_owned()))
}

/// A text that no other test uses.
pub fn unique() -> String {
    let id = tenant::ctx().id(Purpose::Record, 5);
    // The end is random, the beginning is the time.
    let text = id.simple().to_string();
    format!("u{}", &text[16..])
}

/// How often a provider was asked that never answers.
static SILENT: AtomicUsize = AtomicUsize::new(0);

/// The issuer of a provider that answers every request with this text. Without a text, it never answers.
fn misbehaving(answer: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let answer = answer.to_owned();
    thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            let answer = answer.clone();
            thread::spawn(move || reply(stream, &answer));
        }
    });
    format!("http://127.0.0.1:{port}")
}

fn reply(mut stream: TcpStream, answer: &str) {
    let mut request = [0; 4096];
    let _read = stream.read(&mut request);
    if answer.is_empty() {
        SILENT.fetch_add(1, Ordering::SeqCst);
        thread::sleep(Duration::from_secs(3600));
    }
    let _written = stream.write_all(answer.as_bytes());
}
