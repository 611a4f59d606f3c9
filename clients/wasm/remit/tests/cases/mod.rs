//! The files and options of the golden file.

use overturn_payer::generate;
use serde_json::{Value, json};

/// The instant of every run.
pub(crate) const NOW: &str = "2026-03-01T00:00:00Z";

/// A run.
pub(crate) struct Case {
    pub(crate) name: &'static str,
    pub(crate) options: Value,
    pub(crate) files: Vec<(String, Vec<u8>)>,
}

/// A file with one transaction.
fn x12(kind: &str, group: &str, body: &str) -> String {
    let segments = body.matches('~').count() + 2;
    format!(
        "ISA*00*          *00*          *ZZ*PAYER          *ZZ*PRACTICE       *260210*1200*^*00501*000000007*0*P*:~\n\
         GS*{group}*PAYER*PRACTICE*20260210*1200*7*X*005010~\nST*{kind}*0001~\n{body}\nSE*{segments}*0001~\n\
         GE*1*7~\nIEA*1*000000007~\n"
    )
}

/// A remittance with two denials: 60.00 of A-1 and 80.00 of A-2.
fn remittance(last_name: &str) -> String {
    x12(
        "835",
        "HP",
        &format!(
            "BPR*I*40*C*ACH************20260202~TRN*1*1*1512345678~DTM*405*20260202~N1*PR*ACME HEALTH~\
             N1*PE*PRACTICE*XX*1~LX*1~\n\
             CLP*A-1*1*100*40**12*P1~CAS*CO*50*60~NM1*QC*1*{last_name}*JANE****MI*W1~DTM*232*20260105~\n\
             CLP*A-2*4*80*0**12*P2~CAS*PI*16*80~NM1*QC*1*ITO*=KEN****MI*W2~DTM*232*20260106~"
        ),
    )
}

/// A later payment of A-1 by the same payer, with another first name.
fn later(last_name: &str) -> String {
    week_after(100, &format!("CLP*A-1*1*100*100**12*P9~NM1*QC*1*{last_name}*JANET****MI*W1~DTM*232*20260105~"))
}

/// The payer takes the answer to A-1 back, and answers A-2 twice under one number.
fn again(last_name: &str) -> String {
    let patient = "NM1*QC*1*ITO*=KEN****MI*W2~DTM*232*20260106~";
    week_after(
        80,
        &format!(
            "CLP*A-1*22*-100*-40**12*P1~CAS*CR*50*-60~NM1*QC*1*{last_name}*JANE****MI*W1~DTM*232*20260105~\n\
         CLP*A-2*1*80*60**12*P2~CAS*CO*50*20~{patient}\n\
         CLP*A-2*1*80*60**12*P2~CAS*CO*197*20~{patient}"
        ),
    )
}

/// A remittance of the same payer, a week after the first.
fn week_after(paid: u32, claims: &str) -> String {
    x12(
        "835",
        "HP",
        &format!(
            "BPR*I*{paid}*C*ACH************20260209~TRN*1*2*1512345678~DTM*405*20260209~N1*PR*ACME HEALTH~\
             N1*PE*PRACTICE*XX*1~LX*1~\n{claims}"
        ),
    )
}

/// The claim file of.
fn submission(last_name: &str) -> String {
    let claim = |at: u32, last: &str, first: &str, member: &str, born: u32, number: &str, charge: u32, day: u32| {
        format!(
            "HL*{at}*1*22*0~SBR*P*18*******12~NM1*IL*1*{last}*{first}****MI*{member}~DMG*D8*{born}*F~\
             CLM*{number}*{charge}***11:B:1*Y*A*Y*Y~LX*1~SV1*HC:99213*{charge}*UN*1***1~DTP*472*D8*{day}~\n"
        )
    };
    let one = claim(2, last_name, "JANE", "W1", 19_840_602, "A-1", 100, 20_260_105);
    let two = claim(3, "ITO", "=KEN", "W2", 19_900_711, "A-2", 80, 20_260_106);
    let head = "BHT*0019*00*1*20260110*1200*CH~HL*1**20*1~NM1*85*2*PRACTICE*****XX*1~\n";
    x12("837", "HC", format!("{head}{one}{two}").trim_end())
}

fn case(name: &'static str, options: Value, files: &[(&str, Vec<u8>)]) -> Case {
    let files = files.iter();
    Case { name, options, files: files.map(|(name, bytes)| ((*name).to_owned(), bytes.clone())).collect() }
}

/// Every run.
pub(crate) fn cases() -> Vec<Case> {
    let remittance_file = ("era.835", remittance("GARCIA-NUÑEZ").into_bytes());
    let submission_file = ("claims.837", submission("GARCIA-NUÑEZ").into_bytes());
    let both = [remittance_file.clone(), submission_file.clone()];
    let alone = [remittance_file.clone()];
    let filled = "key,date_of_birth\r\n";
    let mut cases = vec![
        case("two denials and their claim file", json!({}), &both),
        case("a denial explained", json!({ "explain": "A-1" }), &both),
        case("the day appended to claim numbers", json!({ "append_day": true }), &both),
        case(
            "plans and classes of one's own",
            json!({ "payers": "payer_name,plan_type\nAcme Health,erisa\n", "carcs": "carc;class\n16;pending\n" }),
            &both,
        ),
        case("no dates of birth", json!({}), &alone),
        case("dates of birth filled in", json!({ "births": filled.to_owned() + &births() }), &alone),
        case("dates of birth without the column", json!({ "births": "key\r\na\r\n" }), &alone),
        case("a class that is not known", json!({ "carcs": "carc,class\n16,denied\n" }), &alone),
        case(
            "a later payment with another name",
            json!({ "explain": "A-1" }),
            &[remittance_file.clone(), ("later.835", later("GARCIA-NUÑEZ").into_bytes()), submission_file.clone()],
        ),
        case(
            "a reversal and two answers to one claim",
            json!({ "explain": "A-2" }),
            &[remittance_file.clone(), ("again.835", again("GARCIA-NUÑEZ").into_bytes()), submission_file.clone()],
        ),
        case("names in Windows-1252", json!({}), &windows()),
        case("no file", json!({}), &[]),
        case("an empty file", json!({}), &[("empty.835", Vec::new())]),
        case(
            "a file that is not X12 beside one that is",
            json!({}),
            &[("scan.pdf", b"%PDF-1.7 not X12".to_vec()), remittance_file.clone(), submission_file.clone()],
        ),
        case("a file twice", json!({}), &[remittance_file.clone(), submission_file.clone(), remittance_file.clone()]),
    ];
    let (name, bytes) = &remittance_file;
    let cut = bytes.windows(6).position(|six| six == b"NM1*QC").unwrap();
    let second = bytes.windows(6).position(|six| six == b"CAS*PI").unwrap();
    for (title, at) in [("a file cut off in its first claim", cut), ("a file cut off in its last claim", second)] {
        let part = (*name, bytes[..at].to_vec());
        cases.push(case(title, json!({}), &[part, submission_file.clone()]));
    }
    cases.push(generated());
    cases
}

/// The rows of the template, filled in as a spreadsheet does: the second date is none.
fn births() -> String {
    use overturn_core::base::time::Time;
    use overturn_remit::{Options, Remit};
    let mut remit = Remit::new(Options::new(Time::parse(NOW).unwrap().0));
    remit.open("");
    remit.push(remittance("GARCIA-NUÑEZ").as_bytes()).unwrap();
    let missing = remit.finish().missing_births;
    let dates = ["6/2/1984", "7/11/90"];
    let rows = missing.iter().zip(dates);
    rows.map(|(patient, date)| format!("{},{date}\r\n", patient.key)).collect()
}

/// The same files in another encoding.
fn windows() -> [(&'static str, Vec<u8>); 2] {
    let encode = |text: String| {
        let bytes = text.chars().map(|c| u8::try_from(u32::from(c)).unwrap());
        bytes.collect()
    };
    [("era.835", encode(remittance("GARCIA-NUÑEZ"))), ("claims.837", encode(submission("GARCIA-NUÑEZ")))]
}

/// Files of payers of several habits.
fn generated() -> Case {
    let generated = generate(7, 24);
    let name = |kind: &'static str| move |(at, bytes): (usize, Vec<u8>)| (format!("{at}.{kind}"), bytes);
    let [remittances, submissions] = [generated.remittances, generated.submissions];
    let files = remittances.into_iter().enumerate().map(name("835"));
    let claims = submissions.into_iter().enumerate().map(name("837"));
    Case { name: "payers of several habits", options: json!({}), files: files.chain(claims).collect() }
}
