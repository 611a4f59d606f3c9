//! The files of the console, as Workers serves them: by their name, by the lines of `_redirects`, with the headers of
//! `_headers`. What nothing has is a `404`.

use bytes::Bytes;
use http::header::{CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode};
use sha2::{Digest, Sha256};
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// The paths that the service answers, as `run_worker_first` of wrangler.toml lists them.
const OF_SERVICE: [&str; 6] = ["/api/", "/sign", "/sign/", "/health", "/operations/", "/.well-known/"];

/// Files that are not public.
const HIDDEN: [&str; 3] = ["/_headers", "/_redirects", "/404.html"];

/// Media types by extension.
const TYPES: [(&str, &str); 8] = [
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("json", "application/json"),
    ("svg", "image/svg+xml"),
    ("png", "image/png"),
    ("ico", "image/vnd.microsoft.icon"),
    ("wasm", "application/wasm"),
];

/// True if the service answers a path, and no file.
pub(crate) fn is_of_service(path: &str) -> bool {
    OF_SERVICE.iter().any(|of| match of.ends_with('/') {
        true => path.starts_with(of),
        false => path == *of,
    })
}

struct File {
    bytes: Bytes,
    media_type: &'static str,
    tag: HeaderValue,
}

/// The headers that a line of `_headers` and those below it set.
struct Rule {
    path: String,
    headers: Vec<(HeaderName, Option<HeaderValue>)>,
}

/// All files, read once.
#[derive(Default)]
pub(crate) struct Files {
    files: HashMap<String, File>,
    /// The patterns of paths, such as `/claims/:id`, and the file that each shows.
    shown: Vec<(String, String)>,
    rules: Vec<Rule>,
}

impl Files {
    /// The files of a folder. A folder that is not there has none.
    pub(crate) fn read(folder: &Path) -> Self {
        let mut all = Self::default();
        all.add(folder, "");
        let text = |name| fs::read_to_string(folder.join(name)).unwrap_or_default();
        let lines = text("_redirects");
        for line in lines.lines() {
            let mut words = line.split_whitespace();
            if let (Some(from), Some(to)) = (words.next(), words.next()) {
                all.shown.push((from.to_owned(), to.to_owned()));
            }
        }
        all.rules = rules(&text("_headers"));
        all
    }

    /// True if there is no console.
    pub(crate) fn is_empty(&self) -> bool {
        !self.files.contains_key("/index.html")
    }

    fn add(&mut self, folder: &Path, below: &str) {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            let name = format!("{below}/{}", entry.file_name().to_string_lossy());
            let path = entry.path();
            if path.is_dir() {
                self.add(&path, &name);
            } else if let Ok(bytes) = fs::read(&path) {
                self.files.insert(name.clone(), File::new(&name, bytes));
            }
        }
    }

    /// The answer to a request for a file.
    pub(crate) fn answer(&self, method: &Method, path: &str, headers: &HeaderMap) -> Response<Bytes> {
        if method != Method::GET && method != Method::HEAD {
            return self.respond(StatusCode::METHOD_NOT_ALLOWED, path, None, headers);
        }
        let is_public = !HIDDEN.contains(&path) && !path.starts_with("/api/");
        let by_name = self.files.get(path).filter(|_| is_public);
        let shown = self.shown.iter().find(|(pattern, _)| fits(pattern, path));
        let found = match shown {
            Some((_, file)) => self.files.get(file),
            None => by_name,
        };
        match found {
            Some(file) => self.respond(StatusCode::OK, path, Some(file), headers),
            None => {
                let page = self.files.get("/404.html");
                self.respond(StatusCode::NOT_FOUND, path, page, headers)
            }
        }
    }

    fn respond(&self, status: StatusCode, path: &str, file: Option<&File>, asked: &HeaderMap) -> Response<Bytes> {
        let mut response = Response::new(Bytes::new());
        *response.status_mut() = status;
        if let Some(file) = file {
            let headers = response.headers_mut();
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(file.media_type));
            if status == StatusCode::OK && asked.get(IF_NONE_MATCH) == Some(&file.tag) {
                *response.status_mut() = StatusCode::NOT_MODIFIED;
            } else {
                *response.body_mut() = file.bytes.clone();
            }
            if status == StatusCode::OK {
                response.headers_mut().insert(ETAG, file.tag.clone());
            }
        }
        for rule in self.rules.iter().filter(|rule| covers(&rule.path, path)) {
            for (name, value) in &rule.headers {
                match value {
                    Some(value) => drop(response.headers_mut().insert(name, value.clone())),
                    None => drop(response.headers_mut().remove(name)),
                }
            }
        }
        response
    }
}

impl File {
    fn new(name: &str, bytes: Vec<u8>) -> Self {
        let extension = name.rsplit('.').next().unwrap_or_default();
        let known = TYPES.iter().find(|(known, _)| *known == extension);
        let digest = Sha256::digest(&bytes);
        let short: String = digest.iter().take(16).map(|of| format!("{of:02x}")).collect();
        Self {
            media_type: known.map_or("application/octet-stream", |(_, media_type)| *media_type),
            tag: HeaderValue::try_from(format!("\"{short}\"")).unwrap_or(HeaderValue::from_static("\"\"")),
            bytes: bytes.into(),
        }
    }
}

/// True if a path fits a pattern: a segment that begins with a colon is any segment.
fn fits(pattern: &str, path: &str) -> bool {
    let (mut of, mut given) = (pattern.split('/'), path.split('/'));
    loop {
        match (of.next(), given.next()) {
            (None, None) => return true,
            (Some(of), Some(given)) if of == given => {}
            (Some(of), Some(given)) if of.starts_with(':') && !given.is_empty() => {}
            _ => return false,
        }
    }
}

/// True if a rule of `_headers` covers a path. A star at its end stands for anything.
fn covers(rule: &str, path: &str) -> bool {
    match rule.strip_suffix('*') {
        Some(start) => path.starts_with(start),
        None => rule == path,
    }
}

fn rules(text: &str) -> Vec<Rule> {
    let mut rules: Vec<Rule> = Vec::new();
    for line in text.lines() {
        if line.starts_with('/') {
            rules.push(Rule { path: line.trim_end().to_owned(), headers: Vec::new() });
            continue;
        }
        let Some(rule) = rules.last_mut() else {
            continue;
        };
        let line = line.trim();
        let header = match line.strip_prefix("! ") {
            Some(name) => HeaderName::try_from(name).ok().map(|name| (name, None)),
            None => line.split_once(": ").and_then(|(name, value)| {
                let value = HeaderValue::try_from(value).ok()?;
                Some((HeaderName::try_from(name).ok()?, Some(value)))
            }),
        };
        rule.headers.extend(header);
    }
    rules
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_later_rule_takes_a_header_back_and_sets_it_anew() {
        let all = Files {
            files: HashMap::from([
                ("/assets/a.js".to_owned(), File::new("/assets/a.js", b"1".into())),
                ("/404.html".to_owned(), File::new("/404.html", b"none".into())),
                ("/assets/c.html".to_owned(), File::new("/assets/c.html", b"c".into())),
            ]),
            shown: vec![("/claims/:id".into(), "/assets/c.html".into())],
            rules: rules(
                "/*\n  Cache-Control: no-cache\n/assets/a.js\n  ! Cache-Control\n  Cache-Control: immutable\n",
            ),
        };
        let get = |path: &str| all.answer(&Method::GET, path, &HeaderMap::new());
        let kept = |path: &str| get(path).headers()["cache-control"].clone();
        assert_eq!(kept("/assets/a.js"), "immutable");
        assert_eq!(kept("/claims/1"), "no-cache");
        assert_eq!(get("/claims/1").body(), "c");
        assert_eq!(get("/claims/1/2").status(), StatusCode::NOT_FOUND);
        for hidden in ["/_headers", "/404.html", "/x", "/claims/"] {
            assert_eq!(get(hidden).status(), StatusCode::NOT_FOUND, "{hidden}");
        }
        let tag = get("/assets/a.js").headers()[ETAG].clone();
        let asked = HeaderMap::from_iter([(IF_NONE_MATCH, tag)]);
        let again = all.answer(&Method::GET, "/assets/a.js", &asked);
        assert_eq!(again.status(), StatusCode::NOT_MODIFIED);
    }

    #[test]
    fn the_service_has_its_paths_and_no_other() {
        for path in ["/api/v1/claims", "/sign", "/sign/pad.js", "/health"] {
            assert!(is_of_service(path), "{path}");
        }
        for path in ["/", "/sign-in", "/auth/x", "/claims", "/apis", "/healthy"] {
            assert!(!is_of_service(path), "{path}");
        }
    }
}
