// The API key of a request. Text that cannot be a key is refused without a query.
//
//   ovt_test_ <33 characters of base62, the last 3 for the cell> <6 characters of base62: CRC32 of all before, least significant first>

import { Refusal } from "./refusal.ts";

const FORM = /^ovt_test_[0-9A-Za-z]{39}$/;
const CHECKSUM = 6;
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

const encoder = new TextEncoder();

/** The SHA-256 of the key in hexadecimal, by which the store knows it. */
export async function presentedKey(header: string | undefined): Promise<string> {
  const [, token = ""] = /^bearer (.*)$/i.exec(header ?? "") ?? [];
  const key = token.trim();
  if (!FORM.test(key) || checksum(key.slice(0, -CHECKSUM)) !== key.slice(-CHECKSUM)) throw Refusal.notAuthenticated();
  return new Uint8Array(await crypto.subtle.digest("SHA-256", encoder.encode(key))).toHex();
}

function checksum(text: string): string {
  let sum = crc32(encoder.encode(text));
  let digits = "";
  for (let n = 0; n < CHECKSUM; n += 1) {
    digits += ALPHABET[sum % 62];
    sum = Math.floor(sum / 62);
  }
  return digits;
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let sum = byte;
  for (let bit = 0; bit < 8; bit += 1) sum = sum & 1 ? 0xedb88320 ^ (sum >>> 1) : sum >>> 1;
  return sum;
});

function crc32(bytes: Uint8Array): number {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = CRC_TABLE[(sum ^ byte) & 0xff]! ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}
