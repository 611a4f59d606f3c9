//! Mail of a served Worker is kept in files for developers and tests.

use overturn_tests::prelude::*;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

fn send(to: &str, subject: &str, text: &str) {
    let from = json!({ "name": "Overturn", "email": "overturn@localhost" });
    let mail = json!({ "from": from, "to": to, "subject": subject, "text": text });
    let client = Server::shared().client();
    let sent = client.exchange("POST", "/.tests/mail", Some(mail.to_string().as_bytes()));
    sent.expect(200);
}

#[test]
fn mails_are_handed_out_by_address_in_the_order_in_which_they_were_sent() {
    let mut inbox = Server::shared().mails_to("order@mail.example");
    let mut other = Server::shared().mails_to("other@mail.example");
    send("order@mail.example", "1", "See\n\nhttp://a.example/x?token=1\n\nor http://b.example\n");
    send("other@mail.example", "2", "nothing to follow");
    send("order@mail.example", "3", "https://c.example");
    let first = inbox.take();
    assert_eq!((first.subject.as_str(), first.link()), ("1", "http://a.example/x?token=1"));
    assert_eq!(inbox.take().link(), "https://c.example");
    assert_eq!(inbox.take_within(Duration::ZERO), None);
    assert_eq!(other.take().text, "nothing to follow");
}

#[test]
fn each_email_is_a_private_file_in_any_language() {
    send("jürgen@bücher.example", "Grüße an 李", "Zeile\nund Zeile\n");
    let mail = Server::shared().mails_to("jürgen@bücher.example").take();
    let folder = Server::shared().state().folder().join("mail");
    assert!(std::path::Path::new(&mail.file).starts_with(folder));
    let kept = fs::read_to_string(&mail.file).unwrap();
    assert!(kept.contains("\nTo: jürgen@bücher.example\nSubject: Grüße an 李\n"));
    assert!(kept.ends_with("\n\nZeile\nund Zeile\n"), "{kept}");
    let mode = fs::metadata(&mail.file).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}
