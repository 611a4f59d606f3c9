//! What the doc comment of a handler says about its operation:
//!
//! ```text
//! /// `listWebhooks`: List the practice's webhooks.
//! ///
//! /// Owners and admins only. …
//! ```
//!
//! The name is the operation's id, the rest of the first paragraph its summary, and what follows its description.

use std::fs;
use std::path::Path;

use crate::Result;

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Prose {
    pub(crate) id: String,
    pub(crate) summary: String,
    pub(crate) description: String,
}

/// The prose of the handler with this path, such as `overturn_service::webhooks::endpoints::list`. `None` if its comment
/// names no operation. `root` is the folder of the repository.
pub(crate) fn of(root: &Path, handler: &str) -> Result<Option<Prose>> {
    let (module, name) = handler.rsplit_once("::").ok_or("a handler has a module")?;
    let module = module.trim_start_matches("overturn_service::").replace("::", "/");
    let folder = root.join("service/src").join(module);
    let text = fs::read_to_string(folder.with_extension("rs")).or_else(|_| fs::read_to_string(folder.join("mod.rs")));
    Ok(parse(&comment(&text?, name).ok_or(format!("{handler} is not where its path says"))?))
}

/// The lines of the doc comment of an async function.
fn comment<'t>(text: &'t str, name: &str) -> Option<Vec<&'t str>> {
    let mut lines = Vec::new();
    for line in text.lines().map(str::trim) {
        if let Some((_, rest)) = line.split_once("async fn ")
            && rest.strip_prefix(name).is_some_and(|rest| rest.starts_with(['(', '<']))
        {
            return Some(lines);
        }
        match line.strip_prefix("///") {
            Some(text) => lines.push(text.strip_prefix(' ').unwrap_or(text)),
            None if line.starts_with("#[") => {}
            None => lines.clear(),
        }
    }
    None
}

fn parse(lines: &[&str]) -> Option<Prose> {
    let mut paragraphs = lines.split(|line| line.is_empty());
    let first = paragraphs.next()?.join(" ");
    let (id, summary) = first.strip_prefix('`')?.split_once("`: ")?;
    if !id.starts_with(|c: char| c.is_ascii_lowercase()) {
        return None;
    }
    let rest = paragraphs.map(|lines| lines.join("\n")).collect::<Vec<_>>();
    Some(Prose { id: id.to_owned(), summary: summary.trim_end_matches('.').to_owned(), description: rest.join("\n\n") })
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "/// Another one.\n\n/// `showThing`: Read\n/// one thing.\n///\n/// First.\n/// Still first.\n///\n\
        /// Second.\n#[inline]\npub(crate) async fn show(\n/// `GET`: Nothing.\nasync fn shower() {}\nasync fn list<T>() {}\n";

    #[test]
    fn the_comment_of_a_handler_is_its_operation() {
        let found = parse(&comment(TEXT, "show").unwrap()).unwrap();
        let description = "First.\nStill first.\n\nSecond.".to_owned();
        assert_eq!(found, Prose { id: "showThing".into(), summary: "Read one thing".into(), description });
        assert_eq!(comment(TEXT, "shower"), Some(vec!["`GET`: Nothing."]));
        assert_eq!(parse(&comment(TEXT, "shower").unwrap()), None);
        assert_eq!(comment(TEXT, "list"), Some(Vec::new()));
        assert_eq!(comment(TEXT, "other"), None);
    }
}
