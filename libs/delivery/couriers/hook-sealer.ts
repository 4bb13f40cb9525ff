// Encrypts the secrets of erasure hooks so that anyone may encrypt them, and only the API decrypts them: it alone has
// HOOK_KEY, whose public part the others find in MongoDB. A new pair of keys (X25519) agrees with that part on the key
// of each text, which is then sealed as all secrets are.
import {
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  hkdfSync,
  type KeyObject,
} from "node:crypto";
import { makeSealer } from "#delivery/couriers/sealer.ts";
import type { Sealer } from "#delivery/ports.ts";

const KEY_BYTES = 32;
/** What precedes the 32 bytes of a key in PKCS #8 and in SPKI (RFC 8410). */
const PRIVATE_PREFIX = Buffer.from("302e020100300506032b656e04220420", "hex");
const PUBLIC_PREFIX = Buffer.from("302a300506032b656e032100", "hex");

/** `hookKey`: as SECRETS_KEY. The public part of the first key, in base64. */
export function publicHookKey(hookKey: string): string {
  const [current] = privateKeysIn(hookKey);
  if (current === undefined) throw new Error("HOOK_KEY is empty");
  return rawOf(createPublicKey(current));
}

/** Encrypts for whom has the private part. */
export function makeHookSealer(publicKey: string): Pick<Sealer, "seal"> {
  return {
    seal(text, context) {
      const { privateKey, publicKey: ephemeral } = generateKeyPairSync("x25519");
      const agreed = agreedKey({ privateKey, publicKey: keyOf(publicKey) }, rawOf(ephemeral) + publicKey);
      return `${rawOf(ephemeral)}.${makeSealer(agreed).seal(text, context)}`;
    },
  };
}

/** Decrypts with each key that HOOK_KEY lists. */
export function makeHookOpener(hookKey: string): Pick<Sealer, "open"> {
  const keys = privateKeysIn(hookKey);
  return {
    open(sealed, context) {
      const [ephemeral = "", ...rest] = sealed.split(".");
      if (Buffer.from(ephemeral, "base64").length !== KEY_BYTES) return null;
      const pairs = keys.map((privateKey) => ({ privateKey, publicKey: keyOf(ephemeral) }));
      const agreed = pairs.map((pair) => agreedKey(pair, ephemeral + rawOf(createPublicKey(pair.privateKey))));
      return makeSealer(agreed.join(",")).open(rest.join("."), context);
    },
  };
}

function agreedKey(pair: { privateKey: KeyObject; publicKey: KeyObject }, salt: string): string {
  const key = hkdfSync("sha256", diffieHellman(pair), salt, "clanxp erasure hook", KEY_BYTES);
  return Buffer.from(key).toString("base64");
}

function privateKeysIn(hookKey: string): KeyObject[] {
  return hookKey.split(",").map((text) => {
    const key = Buffer.concat([PRIVATE_PREFIX, Buffer.from(text.trim(), "base64")]);
    return createPrivateKey({ key, format: "der", type: "pkcs8" });
  });
}

function keyOf(raw: string): KeyObject {
  const key = Buffer.concat([PUBLIC_PREFIX, Buffer.from(raw, "base64")]);
  return createPublicKey({ key, format: "der", type: "spki" });
}

function rawOf(publicKey: KeyObject): string {
  return publicKey.export({ format: "der", type: "spki" }).subarray(PUBLIC_PREFIX.length).toString("base64");
}
