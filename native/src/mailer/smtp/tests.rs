use super::*;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::thread::{self, JoinHandle};

/// A mail server for one connection. It answers a recipient with `recipient`, and returns the lines that it read.
fn server(recipient: &'static str) -> (String, JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("smtp://{}", listener.local_addr().unwrap());
    let served = thread::spawn(move || {
        let (mut stream, _) = listener.accept().unwrap();
        let mut lines = Vec::new();
        let mut is_data = false;
        stream.write_all(b"220 here\r\n").unwrap();
        for line in BufReader::new(stream.try_clone().unwrap()).lines() {
            let line = line.unwrap();
            let answer = match line.as_str() {
                "." => "250 taken",
                _ if is_data => "",
                "DATA" => "354 go on",
                "QUIT" => "221 bye",
                other if other.starts_with("RCPT") => recipient,
                _ => "250 fine",
            };
            is_data = match line.as_str() {
                "DATA" => true,
                "." => false,
                _ => is_data,
            };
            if !answer.is_empty() {
                stream.write_all(format!("{answer}\r\n").as_bytes()).unwrap();
            }
            lines.push(line);
        }
        lines
    });
    (url, served)
}

fn letter() -> Letter {
    Letter {
        to: "jane@clinic.example".into(),
        subject: "Ihr Zugang läuft ab".into(),
        text: "Open https://overturn.example/a?b=c\n\n.\nBye\n".into(),
    }
}

fn send(url: &str, letter: &Letter) -> Result<(), String> {
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_all().build().unwrap();
    let smtp = Smtp::new(url, false).ok().unwrap();
    runtime.block_on(smtp.send(("Overturn", "no-reply@overturn.example"), letter))
}

#[test]
fn a_letter_is_plain_text_with_a_subject_in_any_language() {
    let (url, served) = server("250 fine");
    send(&url, &letter()).unwrap();
    let lines = served.join().unwrap();
    let has = |wanted: &str| assert!(lines.iter().any(|line| line == wanted), "{wanted}: {lines:#?}");
    has("MAIL FROM:<no-reply@overturn.example>");
    has("RCPT TO:<jane@clinic.example>");
    has("From: Overturn <no-reply@overturn.example>");
    has("To: jane@clinic.example");
    has("Subject: Ihr Zugang =?utf-8?b?bMOkdWZ0?= ab");
    has("Content-Type: text/plain; charset=utf-8");
    has("Open https://overturn.example/a?b=c");
    has("..");
    has("QUIT");
    let id = lines.iter().find(|line| line.starts_with("Message-ID: <"));
    assert!(id.unwrap().ends_with("@overturn.example>"));
    assert!(lines.iter().any(|line| line.starts_with("Date: ")));
}

#[test]
fn a_failure_is_a_code_without_the_address() {
    for (answer, code) in [
        ("550 no jane@clinic.example here", "SMTP_REFUSED"),
        ("450 jane@clinic.example is busy", "SMTP_TRANSIENT"),
        ("what", "SMTP_AWAY"),
    ] {
        let (url, _) = server(answer);
        assert_eq!(send(&url, &letter()), Err(code.to_owned()));
    }
    assert_eq!(send("smtp://127.0.0.1:1", &letter()), Err("SMTP_AWAY".to_owned()));
    // This server offers no TLS.
    let (url, _) = server("250 fine");
    let refused = send(&format!("{url}?tls=required"), &letter());
    assert!(refused.is_err());
    let wrong = Letter { to: "nobody".into(), ..letter() };
    assert_eq!(send("smtp://127.0.0.1:1", &wrong), Err("SMTP_ADDRESS".to_owned()));
}

#[test]
fn only_urls_of_mail_servers_are_taken() {
    for url in [
        "smtps://user:p%40ss@smtp.example",
        "smtp://user:password@smtp.example:587?tls=required",
        "smtp://127.0.0.1:1025",
        "smtp://[::1]:1025",
        "smtp://localhost",
    ] {
        assert!(Smtp::new(url, false).is_ok(), "{url}");
    }
    for url in ["", "smtp.example", "https://smtp.example", "smtp://host?tls=maybe"] {
        assert_eq!(Smtp::new(url, true).err(), Some(NO_URL), "{url}");
    }
    for url in [
        "smtp://user:password@smtp.example:587",
        "smtp://smtp.example?tls=opportunistic",
        "smtp://localhost.example",
        "smtp://10.0.0.7:25/localhost",
    ] {
        assert_eq!(Smtp::new(url, false).err(), Some(NO_TLS), "{url}");
        assert!(Smtp::new(url, true).is_ok(), "{url}");
    }
}
