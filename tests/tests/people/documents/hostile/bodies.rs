//! The bodies. `multipart` reads damaged ones byte by byte in its own tests.

const SIMPLE: &str = "multipart/form-data; boundary=simple";
/// A body and its content type, which may be missing.
pub(super) struct Hostile {
    pub(super) what: String,
    pub(super) content_type: Option<String>,
    pub(super) body: Vec<u8>,
}

#[derive(Default)]
struct Bodies(Vec<Hostile>);

impl Bodies {
    fn of(&mut self, what: &str, content_type: Option<&str>, body: impl Into<Vec<u8>>) {
        self.0.push(Hostile {
            what: what.to_owned(),
            content_type: content_type.map(str::to_owned),
            body: body.into(),
        });
    }

    fn form(&mut self, what: &str, body: impl Into<Vec<u8>>) {
        self.of(what, Some(SIMPLE), body);
    }

    /// A form with one file, whose part begins with these header lines.
    fn headed(&mut self, what: &str, lines: &str) {
        self.form(what, part(lines));
    }
}

/// A form with one part with these header lines.
fn part(lines: &str) -> Vec<u8> {
    format!("--simple\r\n{lines}\r\n\r\nA letter.\n\r\n--simple--\r\n").into_bytes()
}

fn honest() -> Vec<u8> {
    part("Content-Disposition: form-data; name=\"file\"; filename=\"a.txt\"")
}

fn content_types(all: &mut Bodies) {
    all.of("no content type", None, honest());
    for said in [
        "multipart/form-data",
        "multipart/form-data; boundary=other",
        "multipart/form-data; boundary=\"simple",
        "multipart/mixed; boundary=simple",
        "application/json",
        ";",
    ] {
        all.of(said, Some(said), honest());
    }
}

fn shapes(all: &mut Bodies) {
    let text = |body: &[u8]| String::from_utf8_lossy(body).into_owned();
    all.form("empty", "");
    all.form("only the end", "--simple--\r\n");
    all.form("only a boundary", "--simple\r\n");
    all.form("half a boundary", "--sim");
    all.form("dashes", "-".repeat(300_000));
    all.form("line ends", "\r\n".repeat(150_000));
    all.form("boundaries", "--simple\r\n".repeat(30_000));
    all.form("ends", "--simple--\r\n".repeat(30_000));
    all.form("zeros", vec![0; 300_000]);
    all.form("no end", text(&honest()).replace("--simple--\r\n", ""));
    all.form("half an end", text(&honest()).replace("--simple--\r\n", "--simple-"));
    all.form("line feeds only", text(&honest()).replace("\r\n", "\n"));
    all.form("carriage returns only", text(&honest()).replace("\r\n", "\r"));
    all.form("a preamble", [vec![b'x'; 300_000], b"\r\n".to_vec(), honest()].concat());
    all.form("an epilogue", [honest(), vec![b'x'; 300_000]].concat());
    all.form("two forms", [honest(), honest()].concat());
    let inside = "A letter.\n\r\n--simple\r\nnot a part\r\n--simpler\r\n--simple";
    all.form("a boundary in the file", text(&honest()).replace("A letter.\n", inside));
    let almost = "\r\n--simpl".repeat(40_000);
    all.form("almost a boundary", text(&honest()).replace("A letter.\n", &almost));
    let field = "--simple\r\nContent-Disposition: form-data; name=\"kind\"\r\n\r\nother\r\n";
    for count in [2, 64, 65, 1000, 20_000] {
        all.form(&format!("{count} parts"), field.repeat(count) + "--simple--\r\n");
        let files = text(&honest()).replace("--simple--\r\n", "").repeat(count.min(1000));
        all.form(&format!("{count} files"), files + "--simple--\r\n");
    }
    let mut nested = honest();
    for depth in 0..60 {
        let head = format!(
            "--simple\r\nContent-Disposition: form-data; name=\"file\"\r\nContent-Type: multipart/mixed; \
             boundary=in{depth}\r\n\r\n--in{depth}\r\n"
        );
        nested = [head.into_bytes(), nested, format!("\r\n--in{depth}--\r\n").into_bytes()].concat();
    }
    all.form("nested forms", nested);
    let long = field.replace("other", &"x".repeat(2_000_000));
    all.form("a long field", long + "--simple--\r\n");
    let mut raw = field.replace("other\r\n", "").into_bytes();
    raw.extend_from_slice(b"\xff\xfe\x00\r\n--simple--\r\n");
    all.form("a field that is not text", raw);
    let manifest = field.replace("kind", "manifest").replace("other", &"[".repeat(60_000));
    all.form("a deep manifest", manifest + "--simple--\r\n");
}

fn headers(all: &mut Bodies) {
    let disposition = "Content-Disposition: form-data; name=\"file\"; filename=";
    let named = |name: &str| format!("{disposition}\"{name}\"");
    let long = "x".repeat(1_000_000);
    all.headed("a header of a megabyte", &format!("{}\r\nX-Long: {long}", named("a.txt")));
    all.headed("a name of a megabyte", &named(&long));
    all.headed("a name of 60 KB", &named(&long[..60_000]));
    all.headed("a header without an end", &format!("X-{long}"));
    let many = "X-Header: x\r\n".repeat(50_000);
    all.headed("50,000 headers", &format!("{many}{}", named("a.txt")));
    all.headed("no headers", "");
    all.headed("no colon", "Content-Disposition form-data");
    all.headed("no name", "Content-Disposition: form-data");
    all.headed("an attachment", "Content-Disposition: attachment; name=\"file\"; filename=\"a.txt\"");
    all.headed("twice", &format!("{}\r\n{}", named("a.txt"), named("b.txt")));
    all.headed("two names", &format!("{}; name=\"kind\"", named("a.txt")));
    all.headed("two file names", &format!("{}; filename=\"b.txt\"", named("a.txt")));
    all.headed("folded", &format!("{}\r\n ; filename*=UTF-8''b.txt", named("a.txt")));
    all.headed("an open quote", &format!("{disposition}\"a.txt"));
    all.headed("encoded", &format!("{}\r\nContent-Transfer-Encoding: base64", named("a.txt")));
    all.headed("a length", &format!("{}\r\nContent-Length: 99999999999", named("a.txt")));
    all.headed("a negative length", &format!("{}\r\nContent-Length: -1", named("a.txt")));
    let names = [
        "../../../etc/passwd",
        "/etc/passwd",
        "C:\\Windows\\a.exe",
        "\\\\host\\share\\a",
        "..",
        ".",
        "",
        " ",
        "CON",
        "a\0.txt",
        "\u{202e}txt.exe",
        "a\u{200f}\u{2066}b.txt",
        "\u{feff}",
        "a\tb.txt",
        "a\u{7f}.txt",
        "%00%2e%2e%2f",
        "<script>alert(1)</script>",
        "'; DROP TABLE documents; --",
        "\u{1f600}\u{1f600}",
        "e\u{301}\u{301}\u{301}",
        "a\\\"; name=\\\"kind",
        "a.txt\u{2028}b",
        "\u{0}",
        "${x}",
        "a/b/c.txt",
        "name.",
        "....//",
    ];
    for name in names {
        all.headed(&format!("name {name:?}"), &named(name));
    }
    for extended in [
        "UTF-8''..%2F..%2Fetc%2Fpasswd",
        "UTF-8''a%00b",
        "UTF-8''%FF%FE",
        "UTF-8''%",
        "UTF-8''%E2%80%AEtxt",
        "''",
        "x",
        "ISO-8859-1'en'%A3",
        "UTF-16''%FE%FF",
        "UTF-8'en'",
        "UTF-8''%0D%0AX-Evil:%20yes",
    ] {
        all.headed(&format!("extended {extended}"), &format!("{}; filename*={extended}", named("a.txt")));
    }
    let mut bytes = honest();
    let at = bytes.windows(5).position(|window| window == b"a.txt").unwrap();
    bytes.splice(at..at + 1, [0xff, 0xfe, 0x80]);
    all.form("a name in no encoding", bytes);
}

/// All bodies.
pub(super) fn all() -> Vec<Hostile> {
    let mut all = Bodies::default();
    content_types(&mut all);
    shapes(&mut all);
    headers(&mut all);
    all.0
}
