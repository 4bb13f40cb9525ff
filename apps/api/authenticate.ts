// Who is calling, from the headers alone: nothing of the body has been read (CONTRACT 4).
import type { IncomingHttpHeaders } from "node:http";
import { AppError } from "#domain/app-error.ts";
import type { CheckKey } from "#usecases/check-key.ts";
import type { Principal } from "#usecases/key.ts";

const BEARER = /^Bearer +(\S+)$/i;

/** Throws AppError `key_missing`, `key_invalid`, `key_revoked`, `key_expired`, `unavailable`. */
export async function authenticate(headers: IncomingHttpHeaders, checkKey: CheckKey): Promise<Principal> {
  return checkKey(keyTextIn(headers));
}

function keyTextIn(headers: IncomingHttpHeaders): string {
  const bearer = bearerIn(headers.authorization);
  const alias = headers["api-key"];
  if (bearer !== undefined && alias !== undefined && bearer !== alias) {
    throw new AppError("key_invalid", "The headers Authorization and api-key hold different keys: send one of them.");
  }
  const keyText = bearer ?? alias;
  if (typeof keyText !== "string" || keyText === "") {
    throw new AppError("key_missing", "Send the clan's API key: Authorization: Bearer <API_KEY>.");
  }
  return keyText;
}

function bearerIn(authorization: string | undefined): string | undefined {
  if (authorization === undefined || /^(Bearer)? *$/i.test(authorization)) return undefined;
  const bearer = BEARER.exec(authorization)?.[1];
  if (bearer === undefined) throw new AppError("key_invalid", "The header is Authorization: Bearer <API_KEY>, with one key.");
  return bearer;
}
