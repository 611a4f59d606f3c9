//! The pages for developers at `/docs`: Markdown, and the same as HTML that needs no script.

mod html;
mod reference;

use std::fs;
use std::path::Path;

use serde_json::Value;

use crate::clients::{Model, snippets};
use crate::{Result, claims};

const STYLE: &str = include_str!("docs.css");

/// The languages of an example, by the ends of its files and the words after a fence.
const LANGUAGES: [(&str, &str); 3] = [("sh", "sh"), ("mjs", "ts"), ("py", "python")];

/// The texts of `docs/api` that stand before the calls of a group.
const BEFORE: [(&str, &str); 7] = [
    ("webhooks", "webhooks"),
    ("denials", "claims"),
    ("documents", "documents"),
    ("leaked keys", "leaks"),
    ("signing in", "accounts"),
    ("providers", "sso"),
    ("practice", "settings"),
];

/// The pages that most developers of billing systems need, in this order. The staff's calls come last.
const FIRST: [&str; 9] =
    ["index", "claims", "denials", "webhooks", "documents", "sandbox", "command-line", "errors", "changes"];

/// A page in Markdown, without its title.
pub(crate) struct Page {
    pub(crate) slug: String,
    pub(crate) title: String,
    pub(crate) about: String,
    pub(crate) text: String,
}

/// Writes the folder `docs` and `llms.txt` into a folder. `docs` is the folder of the sources.
///
/// # Errors
/// A source is missing, or a file cannot be written.
pub fn write(docs: &Path, folder: &Path) -> Result<()> {
    let pages = pages(docs)?;
    let to = folder.join("docs");
    fs::create_dir_all(&to)?;
    for page in &pages {
        let text = format!("# {}\n\n{}\n", page.title, page.text.trim());
        fs::write(to.join(format!("{}.html", page.slug)), html::page(page, &text, &pages))?;
        fs::write(to.join(format!("{}.md", page.slug)), text)?;
    }
    fs::write(to.join("docs.css"), STYLE)?;
    let lines: String =
        pages.iter().map(|page| format!("- [{}](/docs/{}.md): {}\n", page.title, page.slug, page.about)).collect();
    let about = "Overturn receives denied insurance claims from billing systems, and its staff appeal them. The claims interface \
                 takes an API key, everything else a session or an API token. There are clients for TypeScript \
                 (`@overturn/client`) and Python (`overturn`).";
    fs::write(folder.join("llms.txt"), format!("# Overturn\n\n> {about}\n\n## Pages\n\n{lines}"))?;
    Ok(())
}

fn pages(docs: &Path) -> Result<Vec<Page>> {
    let model = Model::read(docs)?;
    let text = |name: &str| fs::read_to_string(docs.join(name)).map_err(|error| format!("docs/{name}: {error}"));
    let mut pages = vec![Page {
        slug: "index".to_owned(),
        title: "Quick start".to_owned(),
        about: "From a key to a verified webhook.".to_owned(),
        text: with_examples(docs, &text("guides/developers.md")?)?,
    }];
    let own = claims(docs)?;
    let own = own.pointer("/info/description").and_then(Value::as_str).unwrap_or_default();
    for (group, about) in &model.groups {
        let mut page = Page { slug: slug(group), title: capital(group), about: about.clone(), text: String::new() };
        let before = BEFORE.iter().find(|(of, _)| of == group).map_or(page.slug.as_str(), |(_, part)| part);
        let part = format!("api/{before}.md");
        if group == "claims" {
            page.text = own.to_owned();
        } else if docs.join(&part).exists() {
            page.text = text(&part)?;
        }
        page.text = format!("{about}\n\n{}\n", page.text.trim());
        if group == "webhooks" {
            page.text.push_str(&with_examples(docs, "\nVerify a message:\n\n<!-- example: webhook -->\n")?);
        }
        reference::add(&mut page.text, &model, group)?;
        pages.push(page);
    }
    // The sandbox may be described before it has calls.
    if docs.join("api/sandbox.md").exists() && !pages.iter().any(|page| page.slug == "sandbox") {
        let page = |title: &str, about: &str, text| Page {
            slug: slug(title),
            title: title.to_owned(),
            about: about.to_owned(),
            text,
        };
        pages.push(page("Sandbox", "A practice with made-up people, to try everything.", text("api/sandbox.md")?));
    }
    pages.push(Page {
        slug: "command-line".to_owned(),
        title: "Command line".to_owned(),
        about: "Sends files of claims, brings webhooks to a laptop, renews keys, and makes test files.".to_owned(),
        text: text("CLI.md")?.replace("](api/", "](../api/"),
    });
    pages.push(Page {
        slug: "errors".to_owned(),
        title: "Rules and errors".to_owned(),
        about: "What all calls share, the limits, and errors by code with what to do.".to_owned(),
        text: format!("{}\n{}", text("api/service.md")?, reference::errors(&model)),
    });
    let changes = fs::read_to_string(docs.join("../CHANGELOG.md"))?;
    pages.push(Page {
        slug: "changes".to_owned(),
        title: "Changes".to_owned(),
        about: "What changed, by version.".to_owned(),
        text: changes,
    });
    for page in &mut pages {
        // The page's title says it.
        let is_title = |line: &str| line.strip_prefix("## ") == Some(&page.title) || line.starts_with("# ");
        let text = page.text.lines().filter(|line| !is_title(line)).collect::<Vec<_>>().join("\n");
        page.text = linked(&text);
    }
    pages.sort_by_key(|page| {
        let place = FIRST.iter().position(|slug| *slug == page.slug);
        (place.unwrap_or(FIRST.len()), page.slug == "staff")
    });
    Ok(pages)
}

/// Links among the sources lead to pages. What is no page loses its link.
fn linked(text: &str) -> String {
    let own = [
        ("(../openapi.yaml)", "(/docs/claims.md)"),
        ("(../api/sandbox.md)", "(/docs/sandbox.md)"),
        ("(../CLI.md)", "(/docs/command-line.md)"),
    ];
    let text = own.iter().fold(text.to_owned(), |text, (from, to)| text.replace(from, to));
    let text = BEFORE.iter().fold(text, |text, (group, part)| {
        text.replace(&format!("](../api/{part}.md)"), &format!("](/docs/{}.md)", slug(group)))
    });
    let mut pieces = text.split("](../");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        if let Some(open) = out.rfind('[') {
            out.remove(open);
        }
        out.push_str(piece.split_once(')').map_or("", |(_, rest)| rest));
    }
    out
}

/// A text with its examples, which are programs of `clients/examples`.
fn with_examples(docs: &Path, text: &str) -> Result<String> {
    let mut out = String::new();
    for line in text.lines() {
        match line.strip_prefix("<!-- example: ").and_then(|rest| rest.strip_suffix(" -->")) {
            None => out.push_str(&format!("{line}\n")),
            Some(name) => {
                let folder = docs.join("../clients/examples");
                for (end, fence) in LANGUAGES {
                    let path = folder.join(format!("{name}.{end}"));
                    if path.exists() {
                        out.push_str(&format!("```{fence}\n{}\n```\n\n", fs::read_to_string(path)?.trim()));
                    }
                }
            }
        }
    }
    Ok(out)
}

fn slug(name: &str) -> String {
    name.replace(|c: char| !c.is_ascii_alphanumeric(), "-").to_lowercase()
}

fn capital(name: &str) -> String {
    match name {
        "api keys" => "API keys".to_owned(),
        "api tokens" => "API tokens".to_owned(),
        _ => {
            let mut letters = name.chars();
            letters.next().map(|first| first.to_ascii_uppercase()).into_iter().chain(letters).collect()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_lead_to_pages_and_what_is_none_loses_its_link() {
        let text = "See [claims](../api/claims.md), [the line](../CLI.md), [a](../b.rs) and [c](https://d.example).";
        let expected =
            "See [claims](/docs/denials.md), [the line](/docs/command-line.md), a and [c](https://d.example).";
        assert_eq!(linked(text), expected);
    }
}
