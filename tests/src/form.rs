//! Forms with files (multipart/form-data).

/// A form in the making.
#[derive(Clone, Debug, Default)]
pub struct FormData {
    body: Vec<u8>,
}

/// The boundary between the parts.
const BOUNDARY: &str = "----overturn-tests-7f3a";

impl FormData {
    /// The value of the `Content-Type` header.
    pub const CONTENT_TYPE: &'static str = "multipart/form-data; boundary=----overturn-tests-7f3a";

    /// Adds a small part.
    pub fn text(self, name: &str, value: &str) -> Self {
        self.part(&format!("name=\"{name}\""), value.as_bytes())
    }

    /// Adds a file.
    pub fn file(self, name: &str, file_name: &str, bytes: &[u8]) -> Self {
        let said = format!("name=\"{name}\"; filename=\"{file_name}\"");
        self.part(&said, bytes)
    }

    fn part(mut self, said: &str, bytes: &[u8]) -> Self {
        let head = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; {said}\r\n\r\n");
        self.body.extend_from_slice(head.as_bytes());
        self.body.extend_from_slice(bytes);
        self.body.extend_from_slice(b"\r\n");
        self
    }

    /// The body.
    pub fn end(mut self) -> Vec<u8> {
        self.body.extend_from_slice(format!("--{BOUNDARY}--\r\n").as_bytes());
        self.body
    }
}
