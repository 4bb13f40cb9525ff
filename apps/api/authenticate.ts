// Identifies the caller from the headers alone, before any of the body is read.
import type { IncomingMessage } from "node:http";
import { AppError } from "#kernel/app-error.ts";
import type { CheckKey } from "#keys/check-key.ts";
import type { Principal } from "#domain/key.ts";
import { crc32 } from "#process/secrets.ts";
import { keyIdIn } from "#domain/key-text.ts";
import { headerValues } from "#http/header-values.ts";

const BEARER = /^Bearer +(\S+)$/i;

/** Throws AppError `key_missing`, `key_invalid`, `key_revoked`, `key_expired`, `unavailable`. */
export async function authenticate(req: IncomingMessage, checkKey: CheckKey): Promise<Principal> {
  return checkKey(keyTextIn(req));
}

/**
 * The id in the key that was sent, whether or not it is valid; null for no key, several keys, or a text that is not a
 * key.
 */
export function keyIdShownBy(req: IncomingMessage): string | null {
  try {
    return keyIdIn(keyTextIn(req), crc32);
  } catch {
    return null;
  }
}

function keyTextIn(req: IncomingMessage): string {
  const sent = new Set([...headerValues(req, "authorization").map(bearerIn), ...headerValues(req, "api-key")]);
  sent.delete("");
  const [keyText, another] = sent;
  if (another !== undefined) {
    throw new AppError("key_invalid", "The headers Authorization and api-key hold different keys: send one of them.");
  }
  if (keyText === undefined)
    throw new AppError("key_missing", "Send the clan's API key: Authorization: Bearer <API_KEY>.");
  return keyText;
}

/** Empty if no key was sent. */
function bearerIn(authorization: string): string {
  if (/^(Bearer)? *$/i.test(authorization)) return "";
  const bearer = BEARER.exec(authorization)?.[1];
  if (bearer === undefined)
    throw new AppError(
      "key_invalid",
      "The Authorization header is malformed. Send one key: Authorization: Bearer <API_KEY>.",
    );
  return bearer;
}
