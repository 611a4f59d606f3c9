//! A document as a tree of elements, and the one way to write it.
//!
//! The library has two XML readers of its own, and an attack on SAML often needs two readers that understand a document
//! differently. So the library never reads what came from outside. It reads what [`Element::write`] wrote from the same
//! tree that the claims come from. The writer uses the simplest XML there is. Canonical XML does not depend on how a
//! document was written, so signatures still match.

use super::reasons::{Refused, Step, refused};

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Element {
    /// Its namespace, or nothing.
    pub(super) namespace: String,
    /// Its name without a prefix.
    pub(super) local: String,
    /// Its name as it was written.
    pub(super) name: String,
    /// The namespaces that it declares: prefix (or nothing) and namespace.
    pub(super) declarations: Vec<(String, String)>,
    /// Its attributes, without the declarations.
    pub(super) attributes: Vec<Attribute>,
    pub(super) content: Vec<Content>,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Attribute {
    pub(super) namespace: String,
    pub(super) local: String,
    pub(super) name: String,
    pub(super) value: String,
}

/// A part of an element's content.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Content {
    Element(Element),
    Text(String),
}

impl Element {
    /// Whether this element has this expanded name.
    pub(super) fn is(&self, namespace: &str, local: &str) -> bool {
        self.namespace == namespace && self.local == local
    }

    /// The elements inside, in order.
    pub(super) fn children(&self) -> impl Iterator<Item = &Self> {
        self.content.iter().filter_map(|part| match part {
            Content::Element(child) => Some(child),
            Content::Text(_) => None,
        })
    }

    /// The elements inside with this expanded name.
    pub(super) fn named<'a>(&'a self, namespace: &'a str, local: &'a str) -> impl Iterator<Item = &'a Self> {
        self.children().filter(move |child| child.is(namespace, local))
    }

    /// The only element inside with this expanded name.
    pub(super) fn only(&self, namespace: &str, local: &str, or: Refused) -> Step<&Self> {
        let mut found = self.children().filter(|child| child.is(namespace, local));
        match (found.next(), found.next()) {
            (Some(one), None) => Ok(one),
            _ => Err(or),
        }
    }

    /// An attribute without a namespace.
    pub(super) fn attribute(&self, local: &str) -> Option<&str> {
        self.attributes.iter().find(|a| a.namespace.is_empty() && a.local == local).map(|a| a.value.as_str())
    }

    /// The text of an element that has only text. Nothing is cut off: comments were refused before.
    pub(super) fn text(&self, or: Refused) -> Step<String> {
        let mut text = String::new();
        for part in &self.content {
            match part {
                Content::Text(more) => text.push_str(more),
                Content::Element(_) => return Err(or),
            }
        }
        Ok(text)
    }

    /// This element and all elements inside it.
    pub(super) fn walk(&self, visit: &mut impl FnMut(&Self) -> Step<()>) -> Step<()> {
        visit(self)?;
        self.children().try_for_each(|child| child.walk(visit))
    }

    /// This element as a document of its own, with the namespaces that `around` declared.
    pub(super) fn alone(&self, around: &[(String, String)]) -> Self {
        let mut alone = self.clone();
        for (prefix, namespace) in around {
            if !alone.declarations.iter().any(|(own, _)| own == prefix) {
                alone.declarations.push((prefix.clone(), namespace.clone()));
            }
        }
        alone
    }

    /// This element without the elements for which `drop` holds.
    pub(super) fn without(mut self, drop: impl Fn(&Self) -> bool) -> Self {
        self.content.retain(|part| match part {
            Content::Element(child) => !drop(child),
            Content::Text(_) => true,
        });
        self
    }

    /// The document with this element.
    pub(super) fn write(&self) -> String {
        let mut to = String::new();
        self.write_to(&mut to);
        to
    }

    fn write_to(&self, to: &mut String) {
        to.push('<');
        to.push_str(&self.name);
        for (prefix, namespace) in &self.declarations {
            let colon = if prefix.is_empty() { "" } else { ":" };
            write_attribute(to, &["xmlns", colon, prefix], namespace);
        }
        for attribute in &self.attributes {
            write_attribute(to, &[&attribute.name], &attribute.value);
        }
        to.push('>');
        for part in &self.content {
            match part {
                Content::Element(child) => child.write_to(to),
                Content::Text(text) => escape(to, text),
            }
        }
        to.push_str("</");
        to.push_str(&self.name);
        to.push('>');
    }
}

fn write_attribute(to: &mut String, name: &[&str], value: &str) {
    to.push(' ');
    for part in name {
        to.push_str(part);
    }
    to.push_str("=\"");
    for c in value.chars() {
        match c {
            '\t' => to.push_str("&#9;"),
            '\n' => to.push_str("&#10;"),
            other => escape_char(to, other),
        }
    }
    to.push('"');
}

/// Writes `text` so that it reads as itself, between tags.
pub(super) fn escape(to: &mut String, text: &str) {
    for c in text.chars() {
        escape_char(to, c);
    }
}

fn escape_char(to: &mut String, c: char) {
    match c {
        '&' => to.push_str("&amp;"),
        '<' => to.push_str("&lt;"),
        '>' => to.push_str("&gt;"),
        '"' => to.push_str("&quot;"),
        '\r' => to.push_str("&#13;"),
        other => to.push(other),
    }
}

/// The same text in an attribute or between tags.
pub(super) fn escaped(text: &str) -> String {
    let mut to = String::new();
    escape(&mut to, text);
    to
}

/// Refuses an element whose name or place is not known.
pub(super) const fn unexpected(reason: &'static str) -> Refused {
    refused(reason, "an element is not expected there")
}
