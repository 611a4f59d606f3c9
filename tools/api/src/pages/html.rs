//! Markdown as a page. The policy of the service allows no script and no style in it.

use std::collections::HashSet;

use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};

use super::Page;

/// The whole page of a text in Markdown.
pub(super) fn page(page: &Page, text: &str, pages: &[Page]) -> String {
    let (body, contents) = body(text);
    let links: String = pages
        .iter()
        .map(|other| {
            let current = if other.slug == page.slug { " aria-current=\"page\"" } else { "" };
            format!("<li><a href=\"{}\"{current}>{}</a></li>", address(&other.slug), escaped(&other.title))
        })
        .collect();
    let toc: String =
        contents.iter().map(|(id, title)| format!("<li><a href=\"#{id}\">{}</a></li>", escaped(title))).collect();
    let toc = if contents.len() > 2 {
        format!("<nav class=\"toc\" aria-label=\"On this page\"><ul>{toc}</ul></nav>")
    } else {
        String::new()
    };
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width\">\n<title>{title} – Overturn</title>\n<meta name=\"description\" content=\"{about}\">\n<link rel=\"stylesheet\" href=\"/docs/docs.css\">\n<link rel=\"alternate\" type=\"text/markdown\" href=\"/docs/{slug}.md\">\n</head>\n<body>\n<a class=\"skip\" href=\"#main\">Skip to the text</a>\n<header><a href=\"/docs\">Overturn for developers</a> <a href=\"/docs/{slug}.md\">This page as Markdown</a></header>\n<nav class=\"pages\" aria-label=\"Pages\"><ul>{links}</ul></nav>\n<main id=\"main\">\n{body}</main>\n{toc}\n</body>\n</html>\n",
        title = escaped(&page.title),
        about = escaped(&page.about),
        slug = page.slug,
    )
}

fn address(slug: &str) -> String {
    if slug == "index" { "/docs".to_owned() } else { format!("/docs/{slug}.html") }
}

/// The text as HTML, and its headings of the second level with their ids.
fn body(text: &str) -> (String, Vec<(String, String)>) {
    let events: Vec<Event<'_>> = Parser::new_ext(text, Options::ENABLE_TABLES).collect();
    let (mut out, mut contents, mut seen) = (Vec::new(), Vec::new(), HashSet::new());
    let mut rest = events.into_iter().peekable();
    while let Some(event) = rest.next() {
        match event {
            Event::Start(Tag::Heading { level, .. }) => {
                let mut inner = Vec::new();
                while let Some(event) = rest.next_if(|event| !matches!(event, Event::End(TagEnd::Heading(_)))) {
                    inner.push(event);
                }
                let title: String = inner
                    .iter()
                    .filter_map(|event| match event {
                        Event::Text(text) | Event::Code(text) => Some(text.to_string()),
                        _ => None,
                    })
                    .collect();
                let mut id: String = title.to_lowercase().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
                while !seen.insert(id.clone()) {
                    id.push_str("-2");
                }
                if level == HeadingLevel::H2 {
                    contents.push((id.clone(), title));
                }
                let id = (level != HeadingLevel::H1).then(|| CowStr::from(id));
                out.push(Event::Start(Tag::Heading { level, id, classes: Vec::new(), attrs: Vec::new() }));
                out.extend(inner);
            }
            // A wide table scrolls by itself.
            Event::Start(Tag::Table(alignments)) => {
                out.push(Event::Html("<div class=\"wide\" tabindex=\"0\">".into()));
                out.push(Event::Start(Tag::Table(alignments)));
            }
            Event::End(TagEnd::Table) => {
                out.push(Event::End(TagEnd::Table));
                out.push(Event::Html("</div>".into()));
            }
            Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
                let page = dest_url.strip_prefix("/docs/").and_then(|rest| rest.strip_suffix(".md")).map(address);
                let dest_url = page.map_or(dest_url, CowStr::from);
                out.push(Event::Start(Tag::Link { link_type, dest_url, title, id }));
            }
            // No text of ours has markup.
            Event::Html(text) | Event::InlineHtml(text) => out.push(Event::Text(text)),
            other => out.push(other),
        }
    }
    let mut made = String::new();
    html::push_html(&mut made, out.into_iter());
    (made.replace("<pre>", "<pre tabindex=\"0\">"), contents)
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('"', "&quot;")
}
