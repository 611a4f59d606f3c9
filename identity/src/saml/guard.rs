//! What stands in front of the library: the only reader of documents from outside.
//!
//! SAML needs little of XML, and attacks need the rest. So the guard refuses everything that a provider does not write:
//! a DOCTYPE (and with it entities and external entities), comments, processing instructions, CDATA sections, unknown
//! prefixes, names that are not ASCII, deep nesting and large documents. The result is a tree. Everything later reads
//! this tree, and the library reads what the tree writes.

use super::reasons::{
    CDATA, COMMENT, DOCTYPE, ENCODING, ENTITY, NAMESPACE, PROCESSING_INSTRUCTION, Step, TOO_DEEP, TOO_LARGE, XML,
    refused, require,
};
use super::syntax::{XML_NAMESPACE, check_namespace, is_blank, is_xml_char, not_well_formed, split};
use super::tree::{Attribute, Content, Element};
use quick_xml::events::{BytesDecl, BytesRef, BytesStart, Event};
use quick_xml::{Reader, XmlVersion};

/// The largest document, in bytes.
pub(super) const MAX_BYTES: usize = 256 * 1024;
/// The largest number of elements. A response has about fifty, and one for each group of the person.
const MAX_ELEMENTS: usize = 8_000;
/// The deepest nesting. A response with an encrypted assertion has about ten levels.
const MAX_DEPTH: usize = 32;
/// The largest number of attributes and namespaces of one element.
const MAX_ATTRIBUTES: usize = 32;

/// Which comments and processing instructions a document may have.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Remarks {
    /// None. Signatures ignore comments, so anybody may add them, and a reader may cut a text at one.
    Refuse,
    /// They are skipped. People write them into metadata, which the service trusts as a whole.
    Skip,
}

/// Reads a document.
pub(super) fn read(text: &str, remarks: Remarks) -> Step<Element> {
    require(text.len() <= MAX_BYTES, TOO_LARGE, "the document is too large")?;
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let text = text.replace("\r\n", "\n").replace('\r', "\n");
    require(text.chars().all(is_xml_char), XML, "a character is not allowed in XML")?;
    let mut tree = Tree::default();
    let mut reader = Reader::from_str(&text);
    let mut first = true;
    loop {
        match reader.read_event().map_err(|_| not_well_formed())? {
            Event::Start(tag) => tree.open(&tag)?,
            Event::Empty(tag) => {
                tree.open(&tag)?;
                tree.close()?;
            }
            Event::End(_) => tree.close()?,
            Event::Text(text) => tree.text(text.as_ref())?,
            Event::GeneralRef(entity) => tree.reference(&entity)?,
            Event::Decl(declaration) => {
                require(first, XML, "the XML declaration is not at the beginning")?;
                check_declaration(&declaration)?;
            }
            Event::Comment(_) if remarks == Remarks::Skip => {}
            Event::PI(_) if remarks == Remarks::Skip => {}
            Event::Comment(_) => return Err(refused(COMMENT, "the document has a comment")),
            Event::PI(_) => {
                return Err(refused(PROCESSING_INSTRUCTION, "the document has a processing instruction"));
            }
            Event::CData(_) => return Err(refused(CDATA, "the document has a CDATA section")),
            Event::DocType(_) => return Err(refused(DOCTYPE, "the document has a DOCTYPE")),
            Event::Eof => return tree.finish(),
        }
        first = false;
    }
}

/// The elements that are open, the namespaces in scope, and the document element once it is closed.
#[derive(Default)]
struct Tree {
    open: Vec<Element>,
    scope: Vec<(String, String)>,
    elements: usize,
    root: Option<Element>,
}

impl Tree {
    fn open(&mut self, tag: &BytesStart<'_>) -> Step<()> {
        self.elements = self.elements.saturating_add(1);
        require(self.elements <= MAX_ELEMENTS, TOO_LARGE, "there are too many elements")?;
        require(self.open.len() < MAX_DEPTH, TOO_DEEP, "elements are nested too deeply")?;
        require(self.root.is_none(), XML, "there is more than one document element")?;
        let mut declarations: Vec<(String, String)> = Vec::new();
        let mut plain = Vec::new();
        for (count, attribute) in tag.attributes().enumerate() {
            require(count < MAX_ATTRIBUTES, TOO_LARGE, "an element has too many attributes")?;
            let attribute = attribute.map_err(|_| not_well_formed())?;
            require(!attribute.value.contains('<'), XML, "an attribute has a tag")?;
            let value = attribute
                .normalized_value(XmlVersion::Implicit1_0)
                .map_err(|_| refused(ENTITY, "an attribute has an unknown entity"))?
                .into_owned();
            require(value.chars().all(is_xml_char), XML, "a character is not allowed in XML")?;
            match split(attribute.key.as_ref())? {
                ("", "xmlns") => declarations.push((String::new(), value)),
                ("xmlns", prefix) => declarations.push((prefix.to_owned(), value)),
                _ => plain.push((attribute.key.as_ref().to_owned(), value)),
            }
        }
        for (prefix, namespace) in &declarations {
            check_namespace(prefix, namespace)?;
        }
        self.scope.extend(declarations.iter().cloned());
        let name = tag.name().as_ref().to_owned();
        let (prefix, local) = split(&name)?;
        let element = Element {
            namespace: self.namespace(prefix)?,
            local: local.to_owned(),
            attributes: self.attributes(plain)?,
            content: Vec::new(),
            declarations,
            name,
        };
        self.open.push(element);
        Ok(())
    }

    fn attributes(&self, plain: Vec<(String, String)>) -> Step<Vec<Attribute>> {
        let mut attributes: Vec<Attribute> = Vec::with_capacity(plain.len());
        for (name, value) in plain {
            let (prefix, local) = split(&name)?;
            let namespace = match prefix {
                "" => String::new(),
                prefix => self.namespace(prefix)?,
            };
            let again = attributes.iter().any(|a| a.namespace == namespace && a.local == local);
            require(!again, XML, "an attribute occurs twice")?;
            attributes.push(Attribute { namespace, local: local.to_owned(), value, name });
        }
        Ok(attributes)
    }

    fn namespace(&self, prefix: &str) -> Step<String> {
        let declared = self.scope.iter().rev().find(|(own, _)| own == prefix);
        match (prefix, declared) {
            (_, Some((_, namespace))) => Ok(namespace.clone()),
            ("xml", None) => Ok(XML_NAMESPACE.to_owned()),
            ("", None) => Ok(String::new()),
            (_, None) => Err(refused(NAMESPACE, "a prefix has no namespace")),
        }
    }

    fn close(&mut self) -> Step<()> {
        let element = self.open.pop().ok_or_else(not_well_formed)?;
        let left = self.scope.len().saturating_sub(element.declarations.len());
        self.scope.truncate(left);
        match self.open.last_mut() {
            Some(parent) => parent.content.push(Content::Element(element)),
            None => self.root = Some(element),
        }
        Ok(())
    }

    fn text(&mut self, text: &str) -> Step<()> {
        require(!text.contains("]]>"), XML, "a text has the end of a CDATA section")?;
        match self.open.last_mut() {
            Some(parent) => {
                match parent.content.last_mut() {
                    Some(Content::Text(before)) => before.push_str(text),
                    _ => parent.content.push(Content::Text(text.to_owned())),
                }
                Ok(())
            }
            None => require(is_blank(text), XML, "there is text outside the document element"),
        }
    }

    fn reference(&mut self, entity: &BytesRef<'_>) -> Step<()> {
        let unknown = || refused(ENTITY, "a text has an unknown entity");
        require(!self.open.is_empty(), XML, "there is text outside the document element")?;
        let character = entity.resolve_char_ref().map_err(|_| unknown())?;
        match (character, entity.as_ref()) {
            (Some(c), _) => {
                require(is_xml_char(c), XML, "a character is not allowed in XML")?;
                self.text(c.encode_utf8(&mut [0; 4]))
            }
            (None, "amp") => self.text("&"),
            (None, "lt") => self.text("<"),
            (None, "gt") => self.text(">"),
            (None, "quot") => self.text("\""),
            (None, "apos") => self.text("'"),
            (None, _) => Err(unknown()),
        }
    }

    fn finish(self) -> Step<Element> {
        require(self.open.is_empty(), XML, "the document ends too early")?;
        self.root.ok_or_else(not_well_formed)
    }
}

fn check_declaration(declaration: &BytesDecl<'_>) -> Step<()> {
    let utf8 = match declaration.encoding() {
        Some(Ok(encoding)) => encoding.eq_ignore_ascii_case("utf-8"),
        Some(Err(_)) => return Err(not_well_formed()),
        None => true,
    };
    require(utf8, ENCODING, "the document says that it is not UTF-8")?;
    let version = declaration.version().map_err(|_| not_well_formed())?;
    require(version == "1.0", XML, "the document is not XML 1.0")
}
