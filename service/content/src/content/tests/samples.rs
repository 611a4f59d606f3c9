//! Small files made for the tests.

use crate::content::ContentRefusal;
use crate::content::ContentType;
use alloc::format;
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use miniz_oxide::deflate::{compress_to_vec, compress_to_vec_zlib};

pub(super) const HEADER: &str =
    "ISA*00*          *00*          *ZZ*SENDER         *ZZ*RECEIVER       *261122*1142*^*00501*000000001*0*P*:~";
pub(super) const TYPES: &str = "<?xml version=\"1.0\"?><Types><Override PartName=\"/word/document.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml\"/></Types>";

/// A PDF with these objects, numbered from 1.
pub(super) fn pdf(objects: &[&[u8]]) -> Vec<u8> {
    let mut file = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n".to_vec();
    for (at, object) in objects.iter().enumerate() {
        file.extend(format!("{} 0 obj\n", at + 1).bytes());
        file.extend_from_slice(object);
        file.extend(b"\nendobj\n");
    }
    file.extend(b"trailer\n<</Root 1 0 R>>\nstartxref\n0\n%%EOF\n");
    file
}

/// A stream with this dictionary, but for its length.
pub(super) fn stream(dictionary: &str, data: &[u8]) -> Vec<u8> {
    let mut object = format!("<<{dictionary}/Length {}>>\nstream\r\n", data.len()).into_bytes();
    object.extend_from_slice(data);
    object.extend(b"\r\nendstream");
    object
}

pub(super) fn object_stream(object: &str) -> Vec<u8> {
    let data = compress_to_vec_zlib(format!("7 0 {object}").as_bytes(), 6);
    stream("/Type/ObjStm/N 1/First 4/Filter/FlateDecode", &data)
}

/// How an entry of a ZIP file is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum How {
    Stored,
    Deflated,
    /// Deflated, with the sizes behind the data.
    Descriptor,
    /// Deflated, with the sizes in fields of 64 bits.
    Large,
    /// Deflated, with sizes of 64 bits behind the data.
    LargeDescriptor,
}

pub(super) const HOWS: [How; 5] = [How::Stored, How::Deflated, How::Descriptor, How::Large, How::LargeDescriptor];

/// Writes a ZIP file.
#[derive(Default)]
pub(super) struct ZipFile {
    pub(super) bytes: Vec<u8>,
    pub(super) directory: Vec<u8>,
    pub(super) count: u16,
}

impl ZipFile {
    pub(super) fn add(mut self, name: &str, data: &[u8], how: How) -> Self {
        let start = u32::try_from(self.bytes.len()).unwrap();
        let packed = match how {
            How::Stored => data.to_vec(),
            // Deflated without compression, so that what looks like a signature stays one.
            How::Descriptor => compress_to_vec(data, 0),
            _ => compress_to_vec(data, 6),
        };
        let (size, whole) = (packed.len() as u64, data.len() as u64);
        let later = matches!(how, How::Descriptor | How::LargeDescriptor);
        let method = u16::from(how != How::Stored) * 8;
        let flags = u16::from(later) * 8;
        let (mut short, mut extra) = ([(size as u32).to_le_bytes(), (whole as u32).to_le_bytes()].concat(), vec![]);
        if how == How::Large {
            short = vec![0xff; 8];
            extra = [&b"\x07\0\x01\0x\x01\0\x10\0"[..], &whole.to_le_bytes(), &size.to_le_bytes()].concat();
        }
        let known = if later { vec![0; 8] } else { short.clone() };
        let common = |sizes: &[u8]| {
            let fields = [[45, 0], flags.to_le_bytes(), method.to_le_bytes(), [0; 2], [0; 2]].concat();
            let lengths = [(name.len() as u16).to_le_bytes(), (extra.len() as u16).to_le_bytes()].concat();
            [&fields[..], &[1; 4], sizes, &lengths].concat()
        };
        self.bytes.extend([b"PK\x03\x04", &common(&known)[..], name.as_bytes(), &extra, &packed].concat());
        match how {
            How::Descriptor => self.bytes.extend([b"PK\x07\x08\x01\x01\x01\x01", &short[..]].concat()),
            How::LargeDescriptor => {
                let sizes = [size.to_le_bytes(), whole.to_le_bytes()].concat();
                self.bytes.extend([b"PK\x07\x08\x01\x01\x01\x01", &sizes[..]].concat());
            }
            _ => {}
        }
        let place = [&[0; 10][..], &start.to_le_bytes()].concat();
        self.directory.extend([b"PK\x01\x02\x2d\0", &common(&short)[..], &place, name.as_bytes(), &extra].concat());
        self.count += 1;
        self
    }

    /// The file with its directory and end record.
    pub(super) fn end(self) -> Vec<u8> {
        let start = (self.bytes.len() as u32).to_le_bytes();
        let size = (self.directory.len() as u32).to_le_bytes();
        let count = self.count.to_le_bytes();
        let end = [&b"PK\x05\x06\0\0\0\0"[..], &count, &count, &size, &start, &[0; 2]].concat();
        [self.bytes, self.directory, end].concat()
    }
}

/// A DOCX with these further entries.
pub(super) fn docx(how: How, more: &[(&str, &[u8])]) -> Vec<u8> {
    let file = ZipFile::default()
        .add("[Content_Types].xml", TYPES.as_bytes(), how)
        .add("_rels/.rels", b"<Relationships/>", how)
        .add("word/document.xml", "<w:p>PPK\u{7}PK\u{7}\u{8}</w:p>".repeat(300).as_bytes(), how);
    let all = more.iter().fold(file, |file, (name, data)| file.add(name, data, how));
    all.end()
}

/// The first bytes of a HEIF file with these brands.
pub(super) fn heif(major: &str, compatible: &[&str]) -> Vec<u8> {
    let brands: String = compatible.concat();
    let size = u32::try_from(16 + brands.len()).unwrap();
    [&size.to_be_bytes()[..], b"ftyp", major.as_bytes(), &[0; 4], brands.as_bytes(), &[0; 40]].concat()
}

pub(super) fn png() -> Vec<u8> {
    [&b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"[..], &[7; 3000], b"IEND\xae\x42\x60\x82"].concat()
}

/// A file of each type, and some of each refusal, for tests of how they are cut.
pub(super) fn files() -> Vec<(Vec<u8>, Result<ContentType, ContentRefusal>)> {
    let packed = object_stream("<</S/Launch/F(a)>>");
    let mut both = packed.clone();
    both.extend(b"<</Names/EmbeddedFiles>>");
    vec![
        (pdf(&[b"<</Type/Catalog>>", &object_stream("<</Type/Page>>")]), Ok(ContentType::Pdf)),
        (pdf(&[b"<</S/L#61unch>>"]), Err(ContentRefusal::LaunchAction)),
        (pdf(&[&packed]), Err(ContentRefusal::LaunchAction)),
        (pdf(&[&both]), Err(ContentRefusal::LaunchAction)),
        (pdf(&[b"<</EF %x\n 12 0 R>>"]), Err(ContentRefusal::EmbeddedFile)),
        (png(), Ok(ContentType::Png)),
        (heif("heic", &[]), Ok(ContentType::Heic)),
        (docx(How::Deflated, &[]), Ok(ContentType::Docx)),
        (docx(How::LargeDescriptor, &[]), Ok(ContentType::Docx)),
        (docx(How::Descriptor, &[("word/a.bin", b"x")]), Err(ContentRefusal::Macros)),
        (docx(How::Large, &[("xl/a.xml", b"x")]), Err(ContentRefusal::Archive)),
        ("Grüße 手紙 📷\r\n".repeat(150).into_bytes(), Ok(ContentType::Text)),
        ([&b"caf\xe9 "[..]; 500].concat(), Ok(ContentType::Text)),
        ([&b"Gr\xc3\xbc\x9d"[..]; 500].concat(), Err(ContentRefusal::Unknown)),
        (format!("{} < Script\n<ScRiPt>\0", "a <b ".repeat(300)).into_bytes(), Err(ContentRefusal::Program)),
        (format!("\u{feff}\r\n{HEADER}\nGS*HP~").into_bytes(), Ok(ContentType::X12)),
        ("\u{feff}Grüße 📷".encode_utf16().flat_map(u16::to_le_bytes).collect(), Ok(ContentType::Text)),
    ]
}
