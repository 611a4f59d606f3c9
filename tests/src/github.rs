//! GitHub's secret scanning: keys of its own, the list of them, and messages that they sign.

use crate::client::{Answer, Client};
use data_encoding::BASE64;
use p256::ecdsa::signature::Signer as _;
use p256::ecdsa::{Signature, SigningKey};
use p256::pkcs8::{EncodePublicKey as _, LineEnding};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write as _};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::thread;

pub const LEAKS: &str = "/api/v1/leaks/github";

#[derive(Debug)]
struct Published {
    /// The status of the list, and the numbers of the keys that it has.
    answer: (u16, Vec<u8>),
    asked: usize,
}

/// A list of keys on a port of its own. The key with the number 1 has the identifier `key-1`.
#[derive(Debug)]
pub struct Github {
    port: u16,
    published: Arc<Mutex<Published>>,
}

impl Github {
    pub fn publishing(keys: &[u8]) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let published = Arc::new(Mutex::new(Published { answer: (200, keys.into()), asked: 0 }));
        let serving = Arc::clone(&published);
        thread::spawn(move || {
            for mut stream in listener.incoming().map_while(Result::ok) {
                let head = BufReader::new(&stream).lines().map_while(Result::ok);
                let _head = head.take_while(|line| !line.is_empty()).count();
                let (status, keys) = {
                    let mut published = serving.lock().unwrap();
                    published.asked += 1;
                    published.answer.clone()
                };
                let body = json!({ "public_keys": keys.into_iter().map(listed).collect::<Vec<_>>() }).to_string();
                let head = format!("HTTP/1.1 {status} Status\r\nConnection: close\r\nContent-Length: {}", body.len());
                let _sent = write!(stream, "{head}\r\n\r\n{body}");
            }
        });
        Self { port, published }
    }

    /// The variables of a server that asks it.
    pub fn vars(&self) -> Value {
        json!({ "GITHUB_KEYS": format!("http://127.0.0.1:{}/meta/public_keys", self.port) })
    }

    /// What the list answers from now on.
    pub fn answer(&self, status: u16, keys: &[u8]) {
        self.published.lock().unwrap().answer = (status, keys.into());
    }

    /// How often it was asked.
    pub fn asked(&self) -> usize {
        self.published.lock().unwrap().asked
    }
}

fn key(number: u8) -> SigningKey {
    SigningKey::from_bytes(&[number; 32].into()).unwrap()
}

fn listed(number: u8) -> Value {
    let pem = key(number).verifying_key().to_public_key_pem(LineEnding::LF).unwrap();
    json!({ "key_identifier": format!("key-{number}"), "key": pem, "is_current": true })
}

/// The signature of a body by a key.
pub fn signature(number: u8, body: &str) -> String {
    let signature: Signature = key(number).sign(body.as_bytes());
    BASE64.encode(signature.to_der().as_bytes())
}

/// Sends a message with a signature under the identifier of a key.
pub fn post(client: &Client, number: u8, signature: &str, body: &str) -> Answer {
    let client = client.with("Github-Public-Key-Identifier", &format!("key-{number}"));
    client.with("Github-Public-Key-Signature", signature).post(LEAKS, body)
}

/// Sends a message as GitHub does.
pub fn report(client: &Client, number: u8, matches: &Value) -> Answer {
    let body = matches.to_string();
    post(client, number, &signature(number, &body), &body)
}

/// A match of a message.
pub fn found(token: &str) -> Value {
    let url = "https://github.com/octocat/Hello-World/blob/12345600b9cbe38a219f39a9941c9319b600c002/foo/bar.txt";
    json!({ "token": token, "type": "overturn_key", "url": url, "source": "content" })
}
