// Hashes, checksums and random texts: everything that the use cases need from node:crypto and node:zlib.
import { createHmac, hash, randomBytes, randomInt, timingSafeEqual } from "node:crypto";
import { crc32 as zlibCrc32 } from "node:zlib";

/** SHA-256, base64url. */
export function digest(text: string): string {
  return hash("sha256", text, "base64url");
}

/** HMAC-SHA256 of the parts together, base64. */
export function hmac(key: string, parts: readonly (string | Buffer)[]): string {
  const signing = createHmac("sha256", key);
  for (const part of parts) signing.update(part);
  return signing.digest("base64");
}

/** CRC-32 as in zlib and PNG, unsigned. */
export function crc32(text: string): number {
  return zlibCrc32(text);
}

/** Compares in a time that depends on the lengths alone. */
export function sameText(a: string, b: string): boolean {
  const [bytesA, bytesB] = [Buffer.from(a), Buffer.from(b)];
  return bytesA.length === bytesB.length && timingSafeEqual(bytesA, bytesB);
}

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** `chars` random base62 characters, each worth 5.95 bits. */
export function randomText(chars: number): string {
  let text = "";
  for (let i = 0; i < chars; i += 1) text += BASE62.charAt(randomInt(BASE62.length));
  return text;
}

const SIGNING_SECRET_BYTES = 32;

/** In the form of Standard Webhooks 1.0. */
export function newSigningSecret(): string {
  return `whsec_${randomBytes(SIGNING_SECRET_BYTES).toString("base64")}`;
}
