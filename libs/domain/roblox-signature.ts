// The signature of Roblox's notifications: `roblox-signature: t=<seconds>,v1=<base64>`, an HMAC-SHA256 of `<t>.<body>`
// keyed by the text of the secret. Several `v1` are allowed, of which one must be right.
import { SIGNATURE_AGE_S_MAX, SIGNATURE_AHEAD_S_MAX } from "#domain/erasure-hook.ts";

/** `time`: as it was sent, because it is signed as a text. */
export type RobloxSignature = { time: string; signatures: readonly string[] };

/** Null if the header is missing, or has no such form. */
export function robloxSignatureIn(header: string | undefined): RobloxSignature | null {
  const parts = (header ?? "").split(",").map((part) => part.trim());
  const valuesOf = (name: string) =>
    parts.filter((part) => part.startsWith(`${name}=`)).map((part) => part.slice(name.length + 1));
  const [[time = "", ...others], signatures] = [valuesOf("t"), valuesOf("v1")];
  return /^\d{1,12}$/.test(time) && others.length === 0 && signatures.length > 0 ? { time, signatures } : null;
}

/** Neither too old nor too far ahead. */
export function isTimely({ time }: RobloxSignature, now: Date): boolean {
  const ageS = now.getTime() / 1_000 - Number(time);
  return ageS >= -SIGNATURE_AHEAD_S_MAX && ageS <= SIGNATURE_AGE_S_MAX;
}
