// Sends the names of members, as many in one request as the API accepts.
import type { Body, Config } from "./attempt.ts";
import { call } from "./call.ts";
import { check, checkObject, checkOptions, checkPlatformId, checkText } from "./check.ts";
import { nameFields } from "./option-names.ts";
import type { CallOptions, NamedMember } from "./types.ts";

/** The API's limit for one request. */
const NAMES_MAX = 100;

export async function sendNames(
  config: Config,
  names: NamedMember[],
  options: CallOptions,
): Promise<{ stored: number }> {
  checkOptions(options);
  check(Array.isArray(names) && names.length > 0, "names must be an array with at least one name");
  for (const named of names) {
    checkObject("each of the names", named, nameFields);
    checkPlatformId(named.platformId);
    const { name, hidden } = named;
    check(name !== undefined || hidden !== undefined, "each of the names must have a name or hidden");
    if (name !== null && name !== undefined) checkText("name", name);
    check(hidden === undefined || typeof hidden === "boolean", "hidden must be true or false");
  }
  const sent = names.map(({ platformId, name, hidden }) => ({ platformId, name, hidden }));
  check(new Set(sent.map(({ platformId }) => platformId)).size === sent.length, "platformIds must be different");
  const accepts = ({ stored }: Body): boolean => typeof stored === "number";
  let stored = 0;
  for (let from = 0; from < sent.length; from += NAMES_MAX) {
    const body = JSON.stringify({ names: sent.slice(from, from + NAMES_MAX) });
    const answer = await call(config, { method: "POST", path: "/names", body, accepts }, options);
    stored += answer.body["stored"] as number;
  }
  return { stored };
}
