//! Encrypted assertions.
//!
//! The library looks for keys in many places of an encrypted element. So the guard reads the ciphertexts and the names
//! of the algorithms, and the library gets an element that this module wrote from them.
//!
//! Nothing is decrypted before a signature of the response over the ciphertext is verified, so only the provider can ask
//! the service to decrypt. That closes two doors:
//!
//! - AES-CBC does not notice a changed ciphertext, and a person who may send changed ciphertexts learns the text. With the
//!   signature, CBC is as safe as GCM. Microsoft Entra and AD FS offer nothing else, so both are accepted.
//! - The time that the library's RSA takes may depend on the key (RUSTSEC-2023-0071).
//!
//! A key is encrypted with RSA-OAEP. RSA with PKCS #1 v1.5 padding is refused: it is open to Bleichenbacher's attack.

use super::guard::{Remarks, read};
use super::keys::unusable_key;
use super::names::{ASSERTION, CIPHERS, DSIG, ENC, ENC11, KEY_TRANSPORTS, OAEP_DIGESTS, OAEP_MGFS, PROTOCOL};
use super::reasons::{
    DECRYPTION, ENCRYPTED_NOT_SIGNED, ENCRYPTION_ALGORITHM, ENCRYPTION_FORM, Refused, Step, refused, require,
};
use super::tree::{Element, escaped};
use overturn_core::identity::saml::SamlKey;
use saml_rs::crypto::keys::load_private_key;
use saml_rs::crypto::{AssertionDecryptionOptions, decrypt_assertion};

/// The largest number of encrypted keys: one for each key of the service during a roll-over, and some to spare.
const MAX_KEYS: usize = 4;

const FORM: Refused = refused(ENCRYPTION_FORM, "the encrypted assertion does not have the accepted form");
const ALGORITHM: Refused = refused(ENCRYPTION_ALGORITHM, "the encryption uses an algorithm that is not accepted");

/// Decrypts an assertion with any of the service's keys, if a verified signature of the response covers it.
pub(super) fn decrypt(encrypted: &Element, keys: &[SamlKey], signed: bool) -> Step<Element> {
    let unprotected = "the assertion is encrypted and the response is not signed";
    require(signed, ENCRYPTED_NOT_SIGNED, unprotected)?;
    let data = encrypted.only(ENC, "EncryptedData", FORM)?;
    let method = data.only(ENC, "EncryptionMethod", FORM)?;
    let cipher = algorithm(method);
    require(CIPHERS.contains(&cipher), ALGORITHM.reason, ALGORITHM.detail)?;
    let ciphertext = cipher_value(data)?;
    let mut wrapped = Vec::new();
    for holder in data.named(DSIG, "KeyInfo").chain([encrypted]) {
        for key in holder.named(ENC, "EncryptedKey") {
            wrapped.push(encrypted_key(key)?);
        }
    }
    require((1..=MAX_KEYS).contains(&wrapped.len()), FORM.reason, FORM.detail)?;
    let mut options = AssertionDecryptionOptions::default();
    options.allow_insecure_software_rsa_key_transport_decryption = true;
    for key in keys {
        let key = load_private_key(&key.key, None).map_err(|_| unusable_key())?;
        for wrapped in &wrapped {
            let document = document(cipher, wrapped, &ciphertext);
            // The reason is the same whatever fails, so that the log does not tell one failure from another.
            if let Ok((_, assertion)) = decrypt_assertion(&document, &key, options) {
                return read(&assertion, Remarks::Refuse);
            }
        }
    }
    Err(refused(DECRYPTION, "no key of the service decrypts the assertion"))
}

/// The key of the assertion, encrypted for the service: checked, and written again.
fn encrypted_key(key: &Element) -> Step<String> {
    let method = key.only(ENC, "EncryptionMethod", FORM)?;
    let transport = algorithm(method);
    require(KEY_TRANSPORTS.contains(&transport), ALGORITHM.reason, ALGORITHM.detail)?;
    let mut parameters = String::new();
    for child in method.children() {
        let value = algorithm(child);
        let (element, accepted) = if child.is(DSIG, "DigestMethod") {
            ("ds:DigestMethod", OAEP_DIGESTS.contains(&value))
        } else if child.is(ENC11, "MGF") {
            ("e11:MGF", OAEP_MGFS.contains(&value))
        } else {
            return Err(FORM);
        };
        require(accepted, ALGORITHM.reason, ALGORITHM.detail)?;
        parameters.push_str(&format!(r#"<{element} Algorithm="{value}"/>"#));
    }
    let value = cipher_value(key)?;
    Ok(format!(
        concat!(
            r#"<x:EncryptedKey><x:EncryptionMethod Algorithm="{}">{}</x:EncryptionMethod>"#,
            "<x:CipherData><x:CipherValue>{}</x:CipherValue></x:CipherData></x:EncryptedKey>",
        ),
        transport, parameters, value,
    ))
}

fn document(cipher: &str, key: &str, ciphertext: &str) -> String {
    format!(
        concat!(
            r#"<p:Response xmlns:p="{}" xmlns:a="{}"><a:EncryptedAssertion>"#,
            r#"<x:EncryptedData xmlns:x="{ENC}" xmlns:e11="{}" xmlns:ds="{}" Type="{ENC}Element">"#,
            r#"<x:EncryptionMethod Algorithm="{cipher}"/><ds:KeyInfo>{key}</ds:KeyInfo>"#,
            "<x:CipherData><x:CipherValue>{ciphertext}</x:CipherValue></x:CipherData>",
            "</x:EncryptedData></a:EncryptedAssertion></p:Response>",
        ),
        PROTOCOL,
        ASSERTION,
        ENC11,
        DSIG,
        ENC = ENC,
        cipher = cipher,
        key = key,
        ciphertext = ciphertext,
    )
}

fn algorithm(element: &Element) -> &str {
    element.attribute("Algorithm").unwrap_or_default()
}

/// A ciphertext in base64. References to ciphertexts elsewhere are refused.
fn cipher_value(of: &Element) -> Step<String> {
    let data = of.only(ENC, "CipherData", FORM)?;
    let value = data.only(ENC, "CipherValue", FORM)?.text(FORM)?;
    Ok(escaped(&value))
}
