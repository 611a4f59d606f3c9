//! The files of the console, as Workers serves them: by their name, by the lines of `_redirects`, with the headers of
//! `_headers`. What nothing has is a `404`. A file is sent compressed if there is one of the same name and `.br` or `.gz`.

mod coding;
#[cfg(test)]
mod tests;

use bytes::Bytes;
use coding::{CODINGS, Coded};
use http::header::{ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE, ETAG, IF_NONE_MATCH, VARY};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Response, StatusCode};
use std::collections::HashMap;
use std::fs;
use std::path::Path;

/// The paths that the service answers, as `run_worker_first` of wrangler.toml lists them.
const OF_SERVICE: [&str; 6] = ["/api/", "/sign", "/sign/", "/health", "/operations/", "/.well-known/"];

/// Files that are not public.
const HIDDEN: [&str; 3] = ["/_headers", "/_redirects", "/404.html"];

/// Media types by extension.
const TYPES: [(&str, &str); 10] = [
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("json", "application/json"),
    ("md", "text/markdown; charset=utf-8"),
    ("txt", "text/plain; charset=utf-8"),
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
    media_type: &'static str,
    /// The preferred one first, and last the file as it is.
    codings: Vec<Coded>,
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
        let mut all = Self { files: files(read(folder, "")), ..Self::default() };
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
            if file.codings.len() > 1 {
                headers.insert(VARY, HeaderValue::from_name(ACCEPT_ENCODING));
            }
            if let Some(coded) = file.wanted(&joined(asked, ACCEPT_ENCODING)) {
                let is_found = status == StatusCode::OK;
                headers.extend(is_found.then(|| (ETAG, coded.tag.clone())));
                if is_found && coded.is_known(&joined(asked, IF_NONE_MATCH)) {
                    *response.status_mut() = StatusCode::NOT_MODIFIED;
                } else {
                    headers.extend(coded.coding.map(|coding| (CONTENT_ENCODING, HeaderValue::from_static(coding))));
                    *response.body_mut() = coded.bytes.clone();
                }
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
    fn new(name: &str, codings: Vec<Coded>) -> Self {
        let extension = name.rsplit('.').next().unwrap_or_default();
        let known = TYPES.iter().find(|(known, _)| *known == extension);
        Self { media_type: known.map_or("application/octet-stream", |(_, media_type)| *media_type), codings }
    }

    /// The coding that a client wants most.
    fn wanted(&self, accepted: &str) -> Option<&Coded> {
        // Of several maxima, `max_by_key` gives the last one.
        self.codings
            .iter()
            .rev()
            .filter(|coded| coded.weight(accepted).is_some())
            .max_by_key(|coded| coded.weight(accepted))
    }
}

/// The contents of a folder's files, by their paths below it.
fn read(folder: &Path, below: &str) -> HashMap<String, Vec<u8>> {
    let mut contents = HashMap::new();
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = format!("{below}/{}", entry.file_name().to_string_lossy());
        let path = entry.path();
        if path.is_dir() {
            contents.extend(read(&path, &name));
        } else if let Ok(bytes) = fs::read(&path) {
            contents.insert(name, bytes);
        }
    }
    contents
}

/// The files of some contents. Those in a coding belong to the file that they are a coding of.
fn files(mut contents: HashMap<String, Vec<u8>>) -> HashMap<String, File> {
    let mut coded: HashMap<String, Vec<Coded>> = HashMap::new();
    for (end, coding) in CODINGS {
        let names: Vec<String> = contents.keys().filter_map(|name| name.strip_suffix(end)).map(Into::into).collect();
        for name in names.into_iter().filter(|name| contents.contains_key(name)).collect::<Vec<_>>() {
            let bytes = contents.remove(&format!("{name}{end}")).unwrap_or_default();
            coded.entry(name).or_default().push(Coded::new(Some(coding), bytes));
        }
    }
    let file = |(name, bytes): (String, Vec<u8>)| {
        let mut codings = coded.remove(&name).unwrap_or_default();
        codings.push(Coded::new(None, bytes));
        (name.clone(), File::new(&name, codings))
    };
    contents.into_iter().map(file).collect()
}

/// The values of a header as one list.
fn joined(headers: &HeaderMap, name: HeaderName) -> String {
    let values: Vec<_> = headers.get_all(name).iter().filter_map(|value| value.to_str().ok()).collect();
    values.join(",")
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
