// Encrypts secrets at rest with AES-256-GCM, docs/decisions/0048. A sealed text names no key: of the few that
// SECRETS_KEY lists, the one that opens it is found by trying.
import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import type { Sealer } from "#delivery/ports.ts";

const CIPHER = "aes-256-gcm";
/** Random, so that no counter has to be stored: below 2^32 texts with a key, as NIST SP 800-38D asks for. */
const IV_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = "v1.";

/** `secretsKey`: keys of 32 bytes in base64, separated by commas. The first encrypts, and all decrypt. */
export function makeSealer(secretsKey: string): Sealer {
  const keys = secretsKey.split(",").map((text) => Buffer.from(text.trim(), "base64"));
  const [current] = keys;
  if (current === undefined) throw new Error("SECRETS_KEY is empty");
  return {
    seal(text, context) {
      const iv = randomBytes(IV_BYTES);
      const cipher = createCipheriv(CIPHER, current, iv, { authTagLength: TAG_BYTES }).setAAD(Buffer.from(context));
      const encrypted = [cipher.update(text, "utf8"), cipher.final()];
      return VERSION + Buffer.concat([iv, cipher.getAuthTag(), ...encrypted]).toString("base64");
    },
    open(sealed, context) {
      if (!sealed.startsWith(VERSION)) return null;
      const bytes = Buffer.from(sealed.slice(VERSION.length), "base64");
      for (const key of keys) {
        const opened = openWith(key, bytes, context);
        if (opened !== null) return opened;
      }
      return null;
    },
  };
}

function openWith(key: Buffer, bytes: Buffer, context: string): string | null {
  const [iv, tag] = [bytes.subarray(0, IV_BYTES), bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES)];
  if (tag.length < TAG_BYTES) return null;
  const decipher = createDecipheriv(CIPHER, key, iv, { authTagLength: TAG_BYTES });
  decipher.setAAD(Buffer.from(context)).setAuthTag(tag);
  try {
    return decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES), undefined, "utf8") + decipher.final("utf8");
  } catch {
    return null;
  }
}
