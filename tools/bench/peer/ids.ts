// Fresh ids: UUIDs of version 7, so that rows are appended in the order of time.

const UUID = 16;

/** Several ids of one instant, from one call. */
export function uuids(count: number, now: number): string[] {
  const bytes = crypto.getRandomValues(new Uint8Array(count * UUID));
  const view = new DataView(bytes.buffer);
  return Array.from({ length: count }, (_, n) => {
    const at = n * UUID;
    view.setUint32(at, now / 0x10000);
    view.setUint16(at + 4, now % 0x10000);
    view.setUint8(at + 6, (view.getUint8(at + 6) & 0x0f) | 0x70);
    view.setUint8(at + 8, (view.getUint8(at + 8) & 0x3f) | 0x80);
    return text(bytes.subarray(at, at + UUID).toHex());
  });
}

const text = (hex: string) =>
  `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;

/** The bytes of an id. */
export const uuidBytes = (id: string) => Uint8Array.fromHex(id.replaceAll("-", ""));
