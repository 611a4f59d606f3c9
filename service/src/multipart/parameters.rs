//! The parameters of a part's `Content-Disposition` (RFC 7578, RFC 8187).

use percent_encoding::percent_decode_str;

/// What a part says about itself, as it was sent.
#[derive(PartialEq, Eq, Debug)]
pub(super) struct Disposition {
    pub(super) name: String,
    pub(super) file_name: Option<String>,
}

/// Reads `form-data; name="…"; filename="…"`. `None` if the header has another form, a parameter twice, or no name.
/// `filename*` goes before `filename`, unless it cannot be read.
pub(super) fn read(header: &[u8]) -> Option<Disposition> {
    // A file name in an old encoding is shown with replacement characters. It is never a key.
    let text = String::from_utf8_lossy(header);
    let (kind, mut rest) = text.split_once(';')?;
    if !kind.trim().eq_ignore_ascii_case("form-data") {
        return None;
    }
    let (mut name, mut plain, mut extended) = (None, None, None);
    while !rest.trim().is_empty() {
        let (key, after) = rest.split_once('=')?;
        let (value, after) = value(after.trim_start())?;
        let slot = match key.trim().to_ascii_lowercase().as_str() {
            "name" => Some(&mut name),
            "filename" => Some(&mut plain),
            "filename*" => Some(&mut extended),
            _ => None,
        };
        if let Some(slot) = slot
            && slot.replace(value).is_some()
        {
            return None;
        }
        rest = after;
    }
    let extended = extended.and_then(|value| decode(&value));
    Some(Disposition { name: name?, file_name: extended.or(plain) })
}

/// A quoted value or a token, and what comes after its `;`.
fn value(text: &str) -> Option<(String, &str)> {
    let Some(quoted) = text.strip_prefix('"') else {
        let (token, after) = text.split_once(';').unwrap_or((text, ""));
        return Some((token.trim().to_owned(), after));
    };
    let mut value = String::new();
    let mut chars = quoted.chars();
    loop {
        match chars.next()? {
            '"' => break,
            // Browsers send `%22` for a quote and leave a backslash alone. Other clients escape both.
            '\\' => match chars.next()? {
                escaped @ ('"' | '\\') => value.push(escaped),
                other => value.extend(['\\', other]),
            },
            other => value.push(other),
        }
    }
    let after = chars.as_str().trim_start();
    match after.strip_prefix(';') {
        Some(after) => Some((value, after)),
        None => after.is_empty().then_some((value, "")),
    }
}

/// `UTF-8'language'percent-encoded`. `None` for another character set or bytes that are not UTF-8.
fn decode(value: &str) -> Option<String> {
    let (charset, rest) = value.split_once('\'')?;
    let (_language, encoded) = rest.split_once('\'')?;
    if !charset.eq_ignore_ascii_case("utf-8") {
        return None;
    }
    let decoded = percent_decode_str(encoded).decode_utf8().ok()?;
    Some(decoded.into_owned())
}

#[cfg(test)]
mod tests {
    fn read(header: &str) -> Option<(String, Option<String>)> {
        let read = super::read(header.as_bytes())?;
        Some((read.name, read.file_name))
    }

    fn is(header: &str, name: &str, file_name: Option<&str>) {
        let expected = Some((name.to_owned(), file_name.map(str::to_owned)));
        assert_eq!(read(header), expected, "{header}");
    }

    #[test]
    fn names_are_read_as_sent() {
        is("form-data; name=\"file\"", "file", None);
        is("form-data; name=file; filename=a.pdf", "file", Some("a.pdf"));
        is("Form-Data;NAME=\"file\" ; FileName=\"a;b.pdf\"", "file", Some("a;b.pdf"));
        is("form-data; filename=\"../../etc/passwd\"; name=\"file\"", "file", Some("../../etc/passwd"));
        is("form-data; name=\"file\"; filename=\"C:\\dir\\a.pdf\"", "file", Some("C:\\dir\\a.pdf"));
        is("form-data; name=\"a\\\"b\"", "a\"b", None);
        is("form-data; name=\"file\"; filename=\"\u{202e}fdp.exe\"", "file", Some("\u{202e}fdp.exe"));
        is("form-data; name=\"file\"; filename=\"\"", "file", Some(""));
    }

    #[test]
    fn a_quoted_value_holds_no_parameter() {
        is("form-data; filename=\"x; name=evil\"; name=\"file\"", "file", Some("x; name=evil"));
        is("form-data; filename=\"a\\\"; name=\\\"b\"; name=\"file\"", "file", Some("a\"; name=\"b"));
    }

    #[test]
    fn the_extended_name_goes_first_if_it_can_be_read() {
        let of = |extended: &str| format!("form-data; name=f; filename=\"plain.pdf\"; filename*={extended}");
        is(&of("UTF-8''na%C3%AFve.pdf"), "f", Some("naïve.pdf"));
        is(&of("utf-8'en'a%00b"), "f", Some("a\0b"));
        is(&of("ISO-8859-1''na%EFve.pdf"), "f", Some("plain.pdf"));
        is(&of("UTF-8''%FF"), "f", Some("plain.pdf"));
        is(&of("nonsense"), "f", Some("plain.pdf"));
    }

    #[test]
    fn other_headers_are_refused() {
        for header in [
            "",
            "form-data",
            "attachment; name=\"file\"",
            "form-data; filename=\"a.pdf\"",
            "form-data; name=\"file",
            "form-data; name=\"file\\",
            "form-data; name=\"file\" x",
            "form-data; name=\"a\"; name=\"b\"",
            "form-data; name=a; filename=b; FILENAME=c",
            "form-data; name",
        ] {
            assert_eq!(read(header), None, "{header}");
        }
        let old = super::read(b"form-data; name=\"file\"; filename=\"na\xefve\"").unwrap();
        assert_eq!(old.file_name.as_deref(), Some("na\u{fffd}ve"));
    }
}
