//! The program as its users run it.

use crate::service::Service;
use overturn_core::base::token::{ApiKey, Realm};
use serde_json::{Value, json};
use std::io::Write;
use std::process::{Child, Command, Stdio};

/// Patient data that no output may show.
pub(crate) const FIRST_NAME: &str = "Canaria";

/// A key of the right form.
pub(crate) fn key() -> String {
    ApiKey::mint(Realm::Test, [7; 24]).expose().into()
}

/// An item with a claim number.
pub(crate) fn item(number: &str) -> Value {
    json!({
        "patient": { "first_name": FIRST_NAME, "last_name": "Doe", "date_of_birth": "1980-02-29" },
        "claim": {
            "claim_number": number,
            "payer_claim_number": "ICN-1",
            "payer_name": "Acme Health",
            "date_of_service": "2025-01-02",
            "denial_date": "2025-02-03",
            "plan_type": "erisa",
            "billed_amount": "120.00",
            "denial_codes": ["CO-50"],
        },
    })
}

pub(crate) fn lines(items: impl IntoIterator<Item = Value>) -> String {
    items.into_iter().map(|item| format!("{item}\n")).collect()
}

/// Items of these numbers, one a line.
pub(crate) fn numbered(numbers: std::ops::Range<u32>) -> String {
    lines(numbers.map(|number| item(&format!("N-{number}"))))
}

/// The program, not yet started, without the environment variables that it reads.
pub(crate) fn program(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_overturn"));
    command.args(args).env_clear().stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// The same, with the address of a service and a key.
pub(crate) fn program_for(service: &Service, args: &[&str]) -> Command {
    let mut command = program(args);
    command.env("OVERTURN_URL", service.url()).env("OVERTURN_API_KEY", key());
    command
}

/// The output of a program, and how it ended.
#[derive(Debug)]
pub(crate) struct Ended {
    pub(crate) status: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Ended {
    /// The lines of standard output, each read as JSON.
    pub(crate) fn events(&self) -> Vec<Value> {
        self.out.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
    }

    /// The last event, which is the summary.
    pub(crate) fn summary(&self) -> Value {
        let summary = self.events().pop().unwrap();
        assert_eq!(summary["event"], "summary");
        summary
    }
}

/// Waits until the program ends.
pub(crate) fn end(child: Child) -> Ended {
    let output = child.wait_with_output().unwrap();
    let ended = Ended {
        status: output.status.code().expect("it ends by itself"),
        out: String::from_utf8(output.stdout).unwrap(),
        err: String::from_utf8(output.stderr).unwrap(),
    };
    for secret in [FIRST_NAME, &key()] {
        let said = [&ended.out, &ended.err];
        assert!(!said.iter().any(|text| text.contains(secret)), "{said:?}");
    }
    assert!(!ended.err.contains("panicked"), "{}", ended.err);
    ended
}

pub(crate) fn run(mut command: Command, input: &str) -> Ended {
    let mut child = command.spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let input = input.to_owned();
    // In a thread, because the program may print more than a pipe holds. It may also end before it has read everything.
    let writer = std::thread::spawn(move || drop(stdin.write_all(input.as_bytes())));
    let ended = end(child);
    writer.join().unwrap();
    ended
}
