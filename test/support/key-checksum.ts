// Key texts that are well-formed and false. The checksum is computed by its definition and not by the code under test:
// CRC-32 (ISO 3309) in base62, padded to 6.

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

export function checksumOf(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (; rest > 0; rest = Math.floor(rest / 62)) digits = DIGITS.charAt(rest % 62) + digits;
  return digits.padStart(6, "0");
}

/** The key's text with another id or another secret, and the checksum that belongs to it. */
export function forgeKey(keyText: string, parts: { keyId?: string; secret?: string }): string {
  const [, keyId = "", secret = ""] = keyText.slice(0, -6).split("_");
  const body = `cxp_${parts.keyId ?? keyId}_${parts.secret ?? secret}`;
  return body + checksumOf(body);
}

function crc32(text: string): number {
  let crc = 0xffffffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  }
  return (crc ^ 0xffffffff) >>> 0;
}
